"""Fits the curves that turn what the readers say of their certainty into probabilities.

Isotonic regression: the rising steps that are nearest to what was right, found by pooling neighbours that
fall (Ayer et al. 1955). A step counts half an imagined right and half an imagined wrong reading besides
(Jeffreys), so that nothing is ever said to be certain. Next hop: `vision.reliability` reads the file.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from vision.reliability import CELLS, Curve
from vision.synthetic.scoring import NUMBERS, FieldTally

LEAST = 12
"""A field of which fewer readings were seen in a client has the curve of all clients together."""

_STEPS = 10


def isotonic(pairs: Iterable[tuple[float, float, float]]) -> Curve:
    """Returns the rising curve nearest to what was right.

    Args:
        pairs: what was said, the share that was right, and how many readings that stands for.
    """
    blocks: list[list[float]] = []
    for said, right, weight in sorted(pairs):
        blocks.append([said * weight, right * weight, weight])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            for index, value in enumerate(blocks.pop()):
                blocks[-1][index] += value
    points: dict[float, float] = {}
    for said, right, weight in blocks:
        points[round(said / weight, 4)] = round((right + 0.5) / (weight + 1), 4)
    curve: list[tuple[float, float]] = []
    for said, right in sorted(points.items()):
        curve.append((said, max(right, curve[-1][1] if curve else 0.0)))
    return tuple(curve)


def grouped(said: list[tuple[float, bool]]) -> list[tuple[float, float, float]]:
    """Returns readings in groups of like size by what was said, so that no step stands on a few.

    Readings of which the same was said are never parted.
    """
    size = max(LEAST, len(said) // _STEPS)
    groups: list[list[float]] = []
    for sure, same in groupby(sorted(said), key=lambda pair: pair[0]):
        outcomes = [right for _, right in same]
        if not groups or groups[-1][2] >= size:
            groups.append([0.0, 0.0, 0.0])
        for index, value in enumerate((sure * len(outcomes), float(sum(outcomes)), float(len(outcomes)))):
            groups[-1][index] += value
    if len(groups) > 1 and groups[-1][2] < LEAST:
        last = groups.pop()
        groups[-1] = [value + more for value, more in zip(groups[-1], last, strict=True)]
    return [(sure / count, right / count, count) for sure, right, count in groups]


def curves(tally: FieldTally) -> dict[str, dict[str, Curve]]:
    """Returns a curve for each client and field of which enough was read."""
    everywhere: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for (_, field), said in sorted(tally.said.items()):
        everywhere[field] += said
    found: dict[str, dict[str, Curve]] = defaultdict(dict)
    for (client, field), said in sorted(tally.said.items()):
        of_all = everywhere[field]
        if len(of_all) < LEAST or field == "cell id":
            continue
        readings = grouped(said if len(said) >= LEAST else of_all)
        found[client][NUMBERS.get(field, field)] = isotonic(readings)
    for client, pairs in tally.cell_shares.items():
        if len(pairs) >= LEAST:
            found[client][CELLS] = isotonic([(said, share, 1.0) for said, share in pairs])
    return dict(found)


def written(found: Mapping[str, Mapping[str, Curve]], measured: Mapping[str, Any], before: str = "") -> str:
    """Returns curves as the text of their file.

    Args:
        found: the curves by client and field.
        measured: how they were measured.
        before: the text of a file whose other curves are kept.
    """
    kept = json.loads(before) if before else {"about": [], "clients": {}}
    clients: dict[str, dict[str, Any]] = kept["clients"]
    for client, fields in found.items():
        clients.setdefault(client, {}).update({name: list(curve) for name, curve in fields.items()})
    return json.dumps({"about": [*kept["about"], dict(measured)], "clients": clients}) + "\n"

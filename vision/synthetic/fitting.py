"""Fits the curves that calibrate the readers' confidences to probabilities.

Isotonic regression by pooling adjacent violators (Ayer et al. 1955). Each step has a Jeffreys prior, half a
right and half a wrong reading, so that no probability is 0 or 1.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from vision.reliability import CELLS, Curve
from vision.synthetic.scoring import NUMBERS, FieldTally

LEAST = 12  # A field with fewer readings of one client gets the curve of all clients together

_STEPS = 10


def isotonic(pairs: Iterable[tuple[float, float, float]]) -> Curve:
    """Returns the isotonic curve of best fit.

    Args:
        pairs: reported confidence, share right, and number of readings.
    """
    blocks: list[list[float]] = []
    for reported, right, weight in sorted(pairs):
        blocks.append([reported * weight, right * weight, weight])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            for index, value in enumerate(blocks.pop()):
                blocks[-1][index] += value
    points: dict[float, float] = {}
    for reported, right, weight in blocks:
        points[round(reported / weight, 4)] = round((right + 0.5) / (weight + 1), 4)
    curve: list[tuple[float, float]] = []
    for reported, right in sorted(points.items()):
        curve.append((reported, max(right, curve[-1][1] if curve else 0.0)))
    return tuple(curve)


def grouped(reported: list[tuple[float, bool]]) -> list[tuple[float, float, float]]:
    """Returns readings in groups of similar size by reported confidence, so that each step has enough.

    Readings with equal confidence stay in one group.
    """
    size = max(LEAST, len(reported) // _STEPS)
    groups: list[list[float]] = []
    for sure, same in groupby(sorted(reported), key=lambda pair: pair[0]):
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
    """Returns a curve for each client and field with enough readings."""
    everywhere: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for (_, field), reported in sorted(tally.reported.items()):
        everywhere[field] += reported
    by_client: dict[str, dict[str, Curve]] = defaultdict(dict)
    for (client, field), reported in sorted(tally.reported.items()):
        of_all = everywhere[field]
        if len(of_all) < LEAST or field == "cell id":
            continue
        readings = grouped(reported if len(reported) >= LEAST else of_all)
        by_client[client][NUMBERS.get(field, field)] = isotonic(readings)
    for client, pairs in tally.cell_shares.items():
        if len(pairs) >= LEAST:
            by_client[client][CELLS] = isotonic([(reported, share, 1.0) for reported, share in pairs])
    return dict(by_client)


def to_text(
    by_client: Mapping[str, Mapping[str, Curve]], measured: Mapping[str, Any], before: str = ""
) -> str:
    """Returns curves as the text of their file.

    Args:
        before: the text of a file whose other curves are kept.
    """
    stored = json.loads(before) if before else {"about": [], "clients": {}}
    clients: dict[str, dict[str, Any]] = stored["clients"]
    for client, fields in by_client.items():
        clients.setdefault(client, {}).update({name: list(curve) for name, curve in fields.items()})
    return json.dumps({"about": [*stored["about"], dict(measured)], "clients": clients}) + "\n"

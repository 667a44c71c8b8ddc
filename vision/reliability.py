"""Calibrates the confidences of the DOFUS readers: maps a reported confidence to a probability.

Each field of each client has a monotone curve from reported confidence to the share of such readings that
were right; `python -m vision.synthetic fit` measures it on drawn screens and writes it to
`resources/profiles/reliability.json`. A field without a curve keeps the reported confidence.
"""

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final

from vision.profiles import folder
from vision.view import FighterSeen, FightView, Phase, Seen

Curve = tuple[tuple[float, float], ...]  # Points (reported confidence, share right), both rising

FILE: Final = "reliability.json"
NUMBERS: Final = ("hp", "max_hp", "shield", "ap", "mp", "timer_s", "turn_number", "turn", "lattice")
CELLS: Final = "cells"
_REPORTED = itemgetter(0)


def probability(curve: Curve | None, reported: float) -> float:
    """Returns the probability (0..1) that a reading is right, given its reported confidence."""
    if not curve:
        return reported
    above = bisect_right(curve, reported, key=_REPORTED)
    if above in (0, len(curve)):
        return curve[max(0, above - 1)][1]
    (low, below), (high, right) = curve[above - 1 : above + 1]
    return below + (right - below) * (reported - low) / (high - low)


def calibrated(view: FightView, curves: Mapping[str, Curve]) -> FightView:
    """Returns a view whose confidences are probabilities; values are what they were."""
    if not curves:
        return view
    changes: dict[str, Any] = {name: _seen(getattr(view, name), curves.get(name)) for name in NUMBERS}
    over = view.phase.value is Phase.NOT_FIGHT
    if view.hud_hidden:
        return view
    return replace(
        view,
        phase=_seen(view.phase, curves.get("no fight" if over else "phase")),
        cell_confidence=probability(curves.get(CELLS), view.cell_confidence) if view.cell_confidence else 0.0,
        player=None if view.player is None else _fighter(view.player, curves, "player"),
        allies=tuple(_fighter(fighter, curves, "allies") for fighter in view.allies),
        enemies=tuple(_fighter(fighter, curves, "enemies") for fighter in view.enemies),
        spells=tuple(
            replace(
                slot,
                usable=_seen(slot.usable, curves.get("spell usable")),
                cooldown=_seen(slot.cooldown, curves.get("spell cooldown")),
            )
            for slot in view.spells
        ),
        **changes,
    )


def _seen(seen: Seen[Any], curve: Curve | None) -> Seen[Any]:
    if seen.value is None or seen.value is Phase.UNKNOWN:
        return seen
    return Seen(seen.value, probability(curve, seen.confidence))


def _fighter(fighter: FighterSeen, curves: Mapping[str, Curve], name: str) -> FighterSeen:
    return replace(fighter, confidence=probability(curves.get(name), fighter.confidence))


@lru_cache(maxsize=8)
def load(client: str) -> Mapping[str, Curve]:
    """Returns the curves of a client by field, none where none were measured."""
    file = folder() / FILE
    if not file.is_file():
        return {}
    return parse(file.read_text(encoding="utf-8")).get(client, {})


def parse(text: str) -> dict[str, dict[str, Curve]]:
    """Returns curves by client and field.

    Raises:
        ValueError: it is not JSON, or a curve does not rise from 0..1 to 0..1; the text names the field.
    """
    curves: dict[str, dict[str, Curve]] = {}
    for client, fields in json.loads(text)["clients"].items():
        for name, points in fields.items():
            curve = tuple((float(reported), float(right)) for reported, right in points)
            rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(curve))
            inside = all(0 <= value <= 1 for point in curve for value in point)
            if not curve or not rising or not inside:
                raise ValueError(f"{FILE}: the curve of {client}, {name} must rise within 0..1: {points}")
            curves.setdefault(client, {})[name] = curve
    return curves

"""Compares what was read with what was drawn, field by field: right, wrong or withheld.

The truth is one line of the arena's log (`botapp arena --log`). Used by the tests, `vision.synthetic`,
the benches and the demo's report.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from vision.view import CellKind, FighterSeen, FightView, Lattice, Phase, Sign

FieldOutcome = Literal["right", "wrong", "withheld"]

HP_TOLERANCE = 0.05
NEAR_PX = 6.0  # A walking fighter this near to a cell's centre may be read as standing there


def score(view: FightView, truth: Mapping[str, Any]) -> dict[str, FieldOutcome]:
    """Judges every field of a view but the cells.

    Args:
        truth: a `shown` line of the arena's log.

    Returns:
        The outcome by field name. A field that the screen does not show (null in the truth) is right when it
        was left None. When the screen shows no fight, only the phase counts.
    """
    phase = None if view.phase.value in (None, Phase.UNKNOWN) else view.phase.value.value
    outcomes: dict[str, FieldOutcome] = {"phase": _judge(phase, truth["phase"])}
    if truth["phase"] != "fight":
        return outcomes
    outcomes["turn"] = _judge(view.turn.value, truth["turn"])
    for name in ("hp", "max_hp", "shield", "ap", "mp", "timer_s", "turn_number"):
        if name in truth:
            outcomes[name] = _judge(getattr(view, name).value, truth[name])
    if truth["player"] is not None:
        player = [view.player] if view.player else []
        outcomes |= _fighters("player", player, [truth["player"]])
    outcomes |= _fighters("enemy", view.enemies, truth["enemies"])
    outcomes |= _fighters("ally", view.allies, truth.get("allies", []))
    for name, cells in truth["highlights"].items():
        seen = view.highlights.get(name)
        outcomes[f"highlight {name}"] = _judge(None if seen is None else set(seen), set(cells))
    for name in set(view.highlights) - set(truth["highlights"]):
        outcomes[f"highlight {name}"] = "wrong"
    for kind, cells in _signs(truth).items():
        seen = view.signs.get(kind, frozenset())
        outcomes[f"sign {kind}"] = "right" if seen == cells else "withheld" if seen < cells else "wrong"
    for kind in set(view.signs) - set(_signs(truth)):
        outcomes[f"sign {kind}"] = "wrong"
    return outcomes | _spells(view, truth["spells"]) | _log(view, truth.get("log", ()))


def _signs(truth: Mapping[str, Any]) -> dict[Sign, set[int]]:
    standing = {
        fighter["cell"]
        for fighter in [truth["player"], *truth["enemies"], *truth.get("allies", [])]
        if fighter
    }
    cells_by_sign: dict[Sign, set[int]] = {}
    for mark in truth.get("marks", ()):
        kind: Sign = "trap" if mark["kind"] == "trap" else "own_glyph" if mark["own"] else "enemy_glyph"
        cells_by_sign.setdefault(kind, set()).update(set(mark["cells"]) - standing)
    return cells_by_sign


def score_cells(view: FightView, truth: Mapping[str, Any]) -> Counter[FieldOutcome]:
    """Counts the board's cells that were read right, wrong or withheld (560 in all)."""
    drawn = np.asarray(truth["cells"], np.uint8)
    withheld = int((view.cells == CellKind.UNKNOWN).sum())
    right = int((view.cells == drawn).sum())
    return Counter({"right": right, "withheld": withheld, "wrong": len(drawn) - right - withheld})


def off_centre(grid: Lattice, place: Sequence[float]) -> float:
    """Returns how far a place is from the middle of its cell, in cells."""
    across = (place[0] - grid.origin_px[0]) / grid.cell_w
    down = (place[1] - grid.origin_px[1]) / grid.cell_h
    along, against = across + down, down - across
    return max(abs(along - round(along)), abs(against - round(against)))


def _judge(seen: object, drawn: object) -> FieldOutcome:
    if seen == drawn:
        return "right"
    return "withheld" if seen is None else "wrong"


def _fighters(
    name: str, seen: Sequence[FighterSeen], drawn: Sequence[Mapping[str, Any]]
) -> dict[str, FieldOutcome]:
    """Pairs fighters by cell; one on the move (cell null in the truth) has none, unless it is just there."""
    outcomes: dict[str, FieldOutcome] = {}
    by_cell = {fighter.cell: fighter for fighter in seen if fighter.cell is not None}
    for index, truth in enumerate(drawn):
        if truth["cell"] is None:
            passing = [
                cell for cell, fighter in by_cell.items() if math.dist(fighter.px, truth["px"]) <= NEAR_PX
            ]
            for cell in passing:
                del by_cell[cell]
            continue
        seen_there = by_cell.pop(truth["cell"], None)
        label = f"{name} {index}"
        outcomes[f"{label} cell"] = "right" if seen_there else "withheld"
        if seen_there is None:
            continue
        if truth.get("kind") is not None:
            outcomes[f"{label} kind"] = _judge(seen_there.kind.value, truth["kind"])
        if truth.get("hp_fraction") is not None:
            outcomes[f"{label} hp"] = _near(seen_there.hp_fraction.value, truth["hp_fraction"])
        if truth.get("shield_fraction") is not None:
            outcomes[f"{label} shield"] = _near(seen_there.shield.value, truth["shield_fraction"])
    for cell in by_cell:
        outcomes[f"{name} made up at {cell}"] = "wrong"
    return outcomes


def _near(seen: float | None, drawn: float) -> FieldOutcome:
    if seen is None:
        return "withheld"
    return "right" if abs(seen - drawn) <= HP_TOLERANCE else "wrong"


def _log(view: FightView, drawn: Sequence[Mapping[str, Any]]) -> dict[str, FieldOutcome]:
    """Judges the log's lines; a spell is right when it is among those read."""
    if view.log is None:
        return dict.fromkeys((f"log {row}" for row in range(len(drawn))), "withheld")
    outcomes: dict[str, FieldOutcome] = {"log": _judge(len(view.log), len(drawn))}
    for row, (line, truth) in enumerate(zip(view.log, drawn, strict=False)):
        same = (line.odd, line.caster or "", line.target or "") == (
            bool(truth["odd"]),
            truth["caster"],
            truth["target"],
        )
        right = same and (truth["spell"] in line.spells if truth["spell"] else not line.spells)
        outcomes[f"log {row}"] = "right" if right else "wrong"
    return outcomes


def _spells(view: FightView, drawn: Sequence[Mapping[str, Any]]) -> dict[str, FieldOutcome]:
    outcomes: dict[str, FieldOutcome] = {}
    slots = {slot.index: slot for slot in view.spells}
    for index, truth in enumerate(drawn):
        slot = slots.get(index)
        outcomes[f"spell {index} usable"] = _judge(slot.usable.value if slot else None, truth["usable"])
        outcomes[f"spell {index} cooldown"] = _judge(slot.cooldown.value if slot else None, truth["cooldown"])
    return outcomes

"""Scores the reader on screens drawn on the fly: accuracy by field, and calibration of its confidences.

A field counts where the label has a value. A value read under a tooltip, a turn read in a placement and a
fighter that does not exist are wrong. A turn read from the timeline while a tooltip hides the button does
not count. For a screen without the client, and a board cut off above the HUD, UNKNOWN is right; of the
latter nothing else counts.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from vision import profiles
from vision.extract import Reader
from vision.frame import Frame
from vision.scoring.score import FieldOutcome, off_centre
from vision.synthetic import screen
from vision.synthetic.other_screens import NOT_THE_CLIENT
from vision.view import CellKind, FighterSeen, FightView, Phase, Seen

NUMBERS = {
    "hp": "hp",
    "max_hp": "max_hp",
    "hp_share": "hp_share",
    "shield": "shield",
    "ap": "ap",
    "mp": "mp",
    "timer_s": "timer_s",
    "fight_turn": "turn_number",
}
"""Labels of numbers, and their names in a `FightView`."""

_QUARTER = 0.25
_BINS = (0.0, 0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.96, 0.98, 0.99, 1.0001)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The outcome of one field of one screen; `confidence` is the reader's, None where it withheld it."""

    field: str
    outcome: FieldOutcome
    confidence: float | None = None


ELSEWHERE = "elsewhere"  # In place of a client: the screens without a fight

NO_FIGHT = "no fight"  # The field under which a phase read as no fight is counted

_ABSENT = Judgement("absent", "right")


@dataclass(slots=True)
class FieldTally:
    """Judgements counted by client and field, their confidences, and a list of wrong readings."""

    counts: dict[str, dict[str, Counter[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    reported: dict[tuple[str, str], list[tuple[float, bool]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    cell_shares: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    cells: dict[str, dict[str, Counter[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    wrong: list[str] = field(default_factory=list)

    def add(self, label: Mapping[str, Any], judgements: Iterable[Judgement]) -> None:
        for judged in judgements:
            self.counts[label["client"]][judged.field][judged.outcome] += 1
            if judged.confidence is not None:
                self.reported[label["client"], judged.field].append(
                    (judged.confidence, judged.outcome == "right")
                )
            if judged.outcome == "wrong":
                self.wrong.append(f"{label['client']} {label['phase']} {label['seed']}: {judged.field}")

    def add_cells(self, view: FightView, label: Mapping[str, Any]) -> None:
        """Adds the cells of one screen of a fight whose lattice was found."""
        counts = judge_cells(view, label)
        for name, outcomes in counts.items():
            self.cells[label["client"]][name].update(outcomes)
        read = counts["cells"]["right"] + counts["cells"]["wrong"]
        if view.cell_confidence and read:
            self.cell_shares[label["client"]].append((view.cell_confidence, counts["cells"]["right"] / read))

    def summary(self) -> dict[str, Any]:
        """Returns counts by client and field, the reliability table, and wrong readings as plain values."""
        clients = {
            client: {name: dict(counts) for name, counts in sorted(fields.items())}
            for client, fields in self.counts.items()
        }
        total: Counter[str] = Counter()
        for fields in self.counts.values():
            for counts in fields.values():
                total += counts
        by_field: dict[str, list[tuple[float, bool]]] = defaultdict(list)
        for (_, name), pairs in sorted(self.reported.items()):
            by_field[name] += pairs
        everything = [pair for pairs in by_field.values() for pair in pairs]
        return {
            "total": dict(total),
            "accuracy": total["right"] / max(1, total.total()),
            "clients": clients,
            "cells": {
                client: {name: dict(counts) for name, counts in parts.items()}
                for client, parts in self.cells.items()
            },
            "reliability": reliability(everything),
            "by_field": {name: _average(pairs) for name, pairs in sorted(by_field.items())},
            "wrong": self.wrong,
        }


def reliability(reported: list[tuple[float, bool]]) -> list[dict[str, float]]:
    """Returns the reliability table: count, mean confidence and share right in bins of the confidence."""
    table = []
    for low, high in pairwise(_BINS):
        inside = [(sure, right) for sure, right in reported if low <= sure < high]
        if inside:
            table.append({"from": low, "to": min(1.0, high)} | _average(inside))
    return table


def _average(pairs: list[tuple[float, bool]]) -> dict[str, float]:
    count = len(pairs)
    mean = sum(sure for sure, _ in pairs) / count
    right = sum(right for _, right in pairs) / count
    return {"count": count, "said": round(mean, 4), "right": round(right, 4), "gap": round(mean - right, 4)}


def read(picture: npt.NDArray[np.uint8], client: str) -> FightView:
    """Reads a picture (BGR) as the first frame of a client."""
    return _read(picture, Reader(profiles.load(client)))


def read_unadjusted(picture: npt.NDArray[np.uint8], client: str) -> FightView:
    """Reads a picture with uncalibrated confidences, see `vision.reliability`."""
    return _read(picture, Reader(profiles.load(client), adjusted=False))


def _read(picture: npt.NDArray[np.uint8], reader: Reader) -> FightView:
    return reader.read(Frame.still(picture))


def run(
    seeds: Iterable[int],
    client: str = "",
    reader: Callable[[npt.NDArray[np.uint8], str], FightView] = read,
    unlike: bool = False,
) -> FieldTally:
    """Draws and reads a screen for each seed, one in ten without a fight; for `ELSEWHERE`, all of them.

    `unlike` draws those of other players, see `vision.synthetic.screen.draw`.
    """
    tally = FieldTally()
    for seed in seeds:
        other = client == ELSEWHERE or (seed % 10 == 9 and not client)
        picture, label = screen.draw_elsewhere(seed) if other else screen.draw(seed, client, unlike)
        view = reader(picture, label["client"])
        tally.add(label, judge(view, label))
        if not other and view.lattice.value is not None:
            tally.add_cells(view, label)
    return tally


def judge(view: FightView, label: Mapping[str, Any]) -> list[Judgement]:
    fight = label["phase"] != "not-fight"
    seen = None if view.phase.value in (None, Phase.UNKNOWN) else view.phase.value is not Phase.NOT_FIGHT
    if seen is None and label.get("what") in (*NOT_THE_CLIENT, screen.CUT_OFF):
        return [Judgement(NO_FIGHT, "right")]
    read: object = view.phase.value.value if seen and fight and view.phase.value else seen
    drawn: object = label["phase"] if seen and fight else fight
    verdicts = [_judged(NO_FIGHT if seen is False else "phase", read, drawn, view.phase.confidence)]
    if not fight or label.get("what") == screen.CUT_OFF:
        return verdicts
    if label["turn"] is not None or view.turn.value != label["playing"]:
        verdicts.append(_judged("turn", view.turn.value, label["turn"], view.turn.confidence))
    for name, other in NUMBERS.items():
        value: Seen[int] | Seen[float] = getattr(view, other)
        verdicts.append(_judged(name, value.value, label[name], value.confidence))
    judgements = [judged for judged in verdicts if judged is not _ABSENT]
    judgements += _fighters(
        "player", [view.player] if view.player else [], [label["player_px"]], [label["player_cell"]], label
    )
    judgements += _fighters("enemies", view.enemies, label["enemies_px"], label["enemy_cells"], label)
    judgements += _fighters("allies", view.allies, label["allies_px"], label["ally_cells"], label)
    judgements += _board(view, label)
    return judgements + _spells(view, label)


def _judged(name: str, seen: object, expected: object, confidence: float) -> Judgement:
    """Judges one value; `_ABSENT` where it is neither on the screen nor read."""
    if seen is None:
        return Judgement(name, "withheld") if expected is not None else _ABSENT
    return Judgement(name, "right" if seen == expected else "wrong", confidence)


def _fighters(
    name: str,
    seen: Iterable[FighterSeen],
    places: list[list[float]],
    cells: list[int],
    label: Mapping[str, Any],
) -> list[Judgement]:
    """Pairs fighters with those drawn, by place; judges their cells' ids as well."""
    left, judgements = list(seen), []
    for place, cell in zip(places, cells, strict=True):
        hit = next((f for f in left if math.dist(f.px, place) <= label["cell_px"]), None)
        if hit is None:
            judgements.append(Judgement(name, "withheld"))
            continue
        left.remove(hit)
        judgements.append(Judgement(name, "right", hit.confidence))
        judgements.append(_judged("cell id", hit.cell, cell, hit.confidence))
    return [*judgements, *(Judgement(name, "wrong", fighter.confidence) for fighter in left)]


def _board(view: FightView, label: Mapping[str, Any]) -> list[Judgement]:
    grid = view.lattice.value
    feet = [label["player_px"], *label["enemies_px"], *label["allies_px"]]
    fits = None if grid is None else all(off_centre(grid, place) <= _QUARTER for place in feet)
    return [_judged("lattice", fits, True, view.lattice.confidence)]


def judge_cells(view: FightView, label: Mapping[str, Any]) -> dict[str, Counter[FieldOutcome]]:
    """Counts cells, and highlighted cells, that were read right, wrong or withheld.

    Cells outside the board count only where the two differ; outside and obstacle are equal in the rules.
    """
    closed = (CellKind.OUTSIDE, CellKind.OBSTACLE)
    cells: Counter[FieldOutcome] = Counter()
    for seen, drawn in zip(view.cells.tolist(), label["cells"], strict=True):
        if not (seen in (CellKind.OUTSIDE, CellKind.UNKNOWN) and drawn == CellKind.OUTSIDE):
            same = seen == drawn or (seen in closed and drawn in closed)
            cells["withheld" if seen == CellKind.UNKNOWN else "right" if same else "wrong"] += 1
    drawn_as = {cell: name for name, lit in label["highlights"].items() for cell in lit}
    read_as = {cell: name for name, lit in view.highlights.items() for cell in lit}
    lit: Counter[FieldOutcome] = Counter()
    for cell in drawn_as.keys() | read_as.keys():
        seen_as = read_as.get(cell)
        lit["withheld" if seen_as is None else "right" if seen_as == drawn_as.get(cell) else "wrong"] += 1
    return {"cells": cells, "highlighted cells": lit}


def _spells(view: FightView, label: Mapping[str, Any]) -> list[Judgement]:
    judgements = []
    for slot in view.spells:
        drawn = label["spells"][slot.index] if slot.index < len(label["spells"]) else None
        usable, cooldown = (drawn["usable"], drawn["cooldown"]) if drawn else (None, None)
        for value, expected, name in (
            (slot.usable, usable, "spell usable"),
            (slot.cooldown, cooldown, "spell cooldown"),
        ):
            judged = _judged(name, value.value, expected, value.confidence)
            judgements += [judged] if judged is not _ABSENT else []
    return judgements

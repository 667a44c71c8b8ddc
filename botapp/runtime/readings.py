"""Keeps what vision read, one JSON line a frame, so that it can be held against the truth afterwards."""

import json
import logging
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import Enum
from pathlib import Path
from typing import IO, Any

import numpy as np

from vision.frame import Rect
from vision.view import (
    CardSeen,
    ChronicleLine,
    FighterSeen,
    FightView,
    Lattice,
    Phase,
    Seen,
    SpellSlot,
    ToldChange,
)

_log = logging.getLogger(__name__)
_UNWRITTEN: tuple[Any, ...] = ("", None, ())
"""What older readings don't say of a fighter: its name, where that stands, its shield."""


class Recorder:
    """Adds readings to a file; a worker that is started again goes on in the file of the one before.

    Where it cannot be written, the record ends and nothing else does.
    """

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)
            if self._file.tell():
                self._file.write(b"\n")  # the worker before may have been cut short within a line
        except OSError as error:
            self._give_up(error)

    def add(self, view: FightView) -> None:
        if self._file is not None:
            line = json.dumps(to_json(view), separators=(",", ":")) + "\n"
            try:
                self._file.write(line.encode())
            except OSError as error:
                self._give_up(error)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _give_up(self, error: OSError) -> None:
        _log.warning("what is read is not kept any more: %s", error)
        self.close()
        self._file = None


def readings(path: Path) -> Iterator[FightView]:
    """Yields the readings in a file; lines that were cut off are left out."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                values = json.loads(line)
            except ValueError:
                continue
            yield from_json(values)


def to_json(view: FightView) -> dict[str, Any]:
    return {field.name: _plain(getattr(view, field.name)) for field in fields(view)}


def from_json(values: dict[str, Any]) -> FightView:
    seen: dict[str, Any] = {
        name: Seen(*values[name])
        for name in ("turn", "hp", "max_hp", "shield", "ap", "mp", "timer_s", "turn_number", "fighters_shown")
    }
    lattice, lattice_sure = values["lattice"]
    phase, phase_sure = values["phase"]
    return FightView(
        client=Rect(*values["client"]) if values["client"] else None,
        phase=Seen(Phase(phase) if phase else None, phase_sure),
        lattice=Seen(_lattice(lattice) if lattice else None, lattice_sure),
        lattice_ambiguous=tuple(_lattice(other) for other in values["lattice_ambiguous"]),
        cells=np.array(values["cells"], np.uint8),
        cell_confidence=values["cell_confidence"],
        highlights={name: frozenset(cells) for name, cells in values["highlights"].items()},
        player=_fighter(values["player"]) if values["player"] else None,
        allies=tuple(_fighter(fighter) for fighter in values["allies"]),
        enemies=tuple(_fighter(fighter) for fighter in values["enemies"]),
        signs={name: frozenset(cells) for name, cells in values["signs"].items()},
        spells=tuple(_slot(slot) for slot in values["spells"]),
        timeline=tuple(_card(card) for card in values["timeline"]),
        dead=tuple(_card(card) for card in values.get("dead", ())),
        order=tuple(_card(card) for card in values.get("order", ())),
        log=None if values.get("log") is None else tuple(_line(line) for line in values["log"]),
        changes=tuple(_change(change) for change in values.get("changes", ())),
        remembered=frozenset(values["remembered"]),
        reason=values["reason"],
        seq=values["seq"],
        captured_ns=values["captured_ns"],
        elapsed_ms=values["elapsed_ms"],
        **seen,
    )


def _lattice(values: list[Any]) -> Lattice:
    origin, cell_w, cell_h = values
    return Lattice((origin[0], origin[1]), cell_w, cell_h)


def _fighter(values: list[Any]) -> FighterSeen:
    px, cell, team, hp_fraction, kind, confidence, portrait, *written = values
    name, box, shield = (*written, *_UNWRITTEN[len(written) :])
    seen = FighterSeen((px[0], px[1]), cell, team, Seen(*hp_fraction), Seen(*kind), confidence, portrait)
    return replace(seen, name=name, name_box=Rect(*box) if box else None, shield=Seen(*shield))


def _slot(values: list[Any]) -> SpellSlot:
    index, usable, cooldown, icon, box = values
    return SpellSlot(index, Seen(*usable), Seen(*cooldown), icon, Rect(*box) if box else None)


def _line(values: list[Any]) -> ChronicleLine:
    odd, caster, spells, target, *aimed = values
    return ChronicleLine(odd, caster, frozenset(spells), target, *aimed)


def _change(values: list[Any]) -> ToldChange:
    number, kind, who, own, amount = values
    return ToldChange(number, kind, frozenset(who), own, amount)


def _card(values: list[Any]) -> CardSeen:
    box, team, current, hp_fraction, portrait, *kind = values
    return CardSeen(Rect(*box), team, current, Seen(*hp_fraction), portrait, *kind)


def _plain(value: Any) -> Any:
    """Turns the parts of a view into what JSON knows: records become lists of their fields."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, Seen | FighterSeen | SpellSlot | CardSeen | ChronicleLine | ToldChange | Lattice):
        value = [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, frozenset):
        value = sorted(value)
    return [_plain(part) for part in value] if isinstance(value, tuple | list) else value

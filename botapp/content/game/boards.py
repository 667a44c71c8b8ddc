"""A map of the game, read: cells that can be walked on and seen through, and where both sides start."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from botapp.content.errors import FieldError, shown
from botapp.fight.board import CELLS
from botapp.fight.state import CellFlag


class Board(NamedTuple):
    """A map's cells as `botapp.fight.state.FightMap` has them."""

    cells: bytes
    red: list[int]
    blue: list[int]


def read_board(fields: Mapping[str, Any]) -> Board:
    """Returns a map of the game.

    Raises:
        FieldError: it has not one object for each cell.
    """
    given = fields.get("cells") or fields.get("cellsData") or []
    if len(given) != CELLS or not all(isinstance(cell, Mapping) for cell in given):
        raise FieldError(f"cells: expected {CELLS} objects, got {len(given)} as {shown(given[:1])}")
    flags = bytearray(CELLS)
    starts: dict[str, list[int]] = {"red": [], "blue": []}
    for index, cell in enumerate(given):
        number = cell.get("id", cell.get("cellNumber", index))
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < CELLS:
            raise FieldError(f"cells[{index}].id: expected 0 to {CELLS - 1}, got {shown(number)}")
        walkable = bool(cell.get("walkable", cell.get("mov"))) and not cell.get("nonWalkableDuringFight")
        flags[number] = (CellFlag.WALKABLE if walkable else 0) | (CellFlag.SIGHT if cell.get("los") else 0)
        for colour, cells in starts.items():
            if cell.get(colour) and walkable:
                cells.append(number)
    return Board(bytes(flags), sorted(starts["red"]), sorted(starts["blue"]))

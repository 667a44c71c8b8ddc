"""A map of the game, read: cells that can be walked on and seen through, and where both sides start."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from botapp.content.errors import FieldError, shown
from botapp.content.game.fields import Fields, Notes
from botapp.content.game.wanted import CELL
from botapp.fight.board import CELLS
from botapp.fight.state import CellFlag


class Board(NamedTuple):
    """A map's cells as `botapp.fight.state.FightMap` has them."""

    cells: bytes
    red: list[int]
    blue: list[int]


def read_board(given: Mapping[str, Any], notes: Notes) -> Board:
    """Returns a map of the game; what its cells lack is noted.

    Raises:
        FieldError: it has not one object for each cell.
    """
    cells = given.get("cells") or given.get("cellsData") or []
    if len(cells) != CELLS or not all(isinstance(cell, Mapping) for cell in cells):
        raise FieldError(f"cells: expected {CELLS} objects, got {len(cells)} as {shown(cells[:1])}")
    flags = bytearray(CELLS)
    starts: dict[str, list[int]] = {"red": [], "blue": []}
    numbers = set()
    for index, row in enumerate(cells):
        cell = Fields(row, CELL, "cells.", notes)
        number = row.get("id", row.get("cellNumber", index))
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < CELLS:
            raise FieldError(f"cells[{index}].id: expected 0 to {CELLS - 1}, got {shown(number)}")
        numbers.add(number)
        walkable = cell["walkable"] and not cell["barred"]
        flags[number] = (CellFlag.WALKABLE if walkable else 0) | (CellFlag.SIGHT if cell["los"] else 0)
        for colour, own in starts.items():
            if cell[colour] and walkable:
                own.append(number)
    if len(numbers) < CELLS:
        raise FieldError(
            f"cells: expected each number from 0 to {CELLS - 1} once, got {len(numbers)} of them"
        )
    return Board(bytes(flags), sorted(starts["red"]), sorted(starts["blue"]))

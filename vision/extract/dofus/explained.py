"""Says of each cell what the network made of the ring under it, and whether a fighter is shown there."""

from collections.abc import Mapping

from vision.extract.dofus.fighters import Sides
from vision.extract.dofus.model import DofusBoardSeen
from vision.extract.dofus.rings_seen import RINGS
from vision.view import CELLS, CellScore, Decided

LEAST = 0.02
"""The least probability of a ring that is said: below, hundreds of bare cells would have one."""


def cell_scores(sides: Sides, board: DofusBoardSeen) -> Mapping[int, CellScore] | None:
    """Returns how cells were judged, None where the board was not asked to explain itself.

    Cells without a likely ring and without a decision are left out.

    Args:
        sides: the fighters that are shown; those that may be the player are not.
    """
    place, scores = board.lattice.value, board.scores
    if place is None or scores is None:
        return None
    shown = {place.cell_at(*fighter.px) for fighter in (*sides.known_own, *sides.enemies)}
    by_cell = {}
    for cell in range(CELLS):
        ring = 1 + int(scores[cell, 1:].argmax())
        chance = float(scores[cell, ring])
        decided: Decided | None = None
        if cell in shown:
            decided = "shown"
        elif cell in board.likely:
            decided = "withheld"
        if chance >= LEAST or decided is not None:
            by_cell[cell] = CellScore(RINGS[ring] if chance >= LEAST else "", chance, decided)
    return by_cell

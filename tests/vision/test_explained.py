import numpy as np
import pytest

from vision import profiles
from vision.extract import Reader
from vision.extract.dofus.cells import NOTHING
from vision.extract.dofus.explained import cell_scores
from vision.extract.dofus.fighters import Sides
from vision.extract.dofus.model import DofusBoardSeen
from vision.extract.dofus.rings_seen import RINGS
from vision.frame import Frame, bgra
from vision.synthetic import screen
from vision.view import CELLS, CellScore, FighterSeen, Lattice, Seen

PLACE = Lattice((300.0, 60.0), 72.0, 36.0)


def board(scores, **changes):
    return DofusBoardSeen(
        Seen(PLACE, 0.9), (), Sides(), 0.9, NOTHING, True, np.zeros(CELLS, bool), scores=scores, **changes
    )


def test_each_cell_says_what_decided_and_bare_ones_say_nothing():
    scores = np.zeros((CELLS, len(RINGS)), np.float32)
    scores[:, 0] = 1
    for cell, ring, chance in ((100, "player", 0.97), (200, "enemy", 0.95), (300, "enemy", 0.3)):
        scores[cell, [0, RINGS.index(ring)]] = 1 - chance, chance
    fighters = [
        FighterSeen(PLACE.centre(cell), cell, side)
        for cell, side in ((100, "own"), (200, "enemy"), (250, "enemy"))
    ]
    sides = Sides(fighters[0], enemies=tuple(fighters[1:]))
    found = cell_scores(sides, board(scores, likely=frozenset({100, 350})))
    assert {cell: (one.ring, one.decided) for cell, one in found.items()} == {
        100: ("player", "shown"),
        200: ("enemy", "shown"),
        250: ("", "shown"),
        300: ("enemy", None),
        350: ("", "withheld"),
    }
    assert found[300] == CellScore("enemy", pytest.approx(0.3), None)


def test_a_board_that_was_not_asked_says_nothing():
    assert cell_scores(Sides(), board(None)) is None


@pytest.mark.slow
def test_a_reader_explains_the_same_picture_once_it_is_asked_to():
    picture, _ = screen.draw(93_200_000, "dofus-unity")
    frame = Frame.still(bgra(picture), 10**9)
    reader = Reader(profiles.load("dofus-unity"))
    before = reader.read(frame)
    assert before.scores is None
    reader.explain(True)
    view = reader.read(frame)
    fighters = [view.player, *view.allies, *view.enemies]
    decided = {cell for cell, one in view.scores.items() if one.decided == "shown"}
    assert decided == {view.lattice.value.cell_at(*one.px) for one in fighters if one is not None}
    assert (view.player, view.enemies) == (before.player, before.enemies)
    reader.explain(False)
    assert reader.read(frame).scores is None

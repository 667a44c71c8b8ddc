"""Whose turn it is on the screens of real clients: places that are being chosen are nobody's turn."""

from collections.abc import Mapping

import numpy as np
import pytest

from vision.extract.real.board import BoardSeen
from vision.extract.real.cells import CellsSeen
from vision.extract.real.fighters import Sides
from vision.extract.real.model import HudSeen
from vision.extract.real.reader import _turn
from vision.frame import Rect
from vision.practice import scoring
from vision.practice.screen import draw
from vision.view import CELLS, CardSeen, Phase, Seen

BOX = Rect(0, 0, 9, 9)


def lit(highlights: Mapping[str, int]) -> BoardSeen:
    cells = CellsSeen(
        np.zeros(CELLS, np.uint8),
        0.9,
        {name: frozenset(range(count)) for name, count in highlights.items()},
    )
    return BoardSeen(Seen(), (), Sides(), 0.9, cells, True)


def turn(highlights: Mapping[str, int], *cards: CardSeen, bright: bool = True) -> str | None:
    hud = HudSeen(signs={"button": 0.95} if bright else {"grey_button": 0.95}, timeline=cards)
    return _turn(hud, lit(highlights)).value


def test_a_reach_shows_that_the_button_ends_a_turn():
    assert turn({"reachable": 3}) == "mine"
    assert turn({"reachable": 2}) is None
    assert turn({"red_start": 8, "blue_start": 8}) is None
    assert turn({"range": 9}) is None
    assert turn({"reachable": 3}, bright=False) is None


def test_a_card_that_denies_the_button_is_believed():
    assert turn({"reachable": 9}, CardSeen(BOX, "enemy", True), CardSeen(BOX, "own", False)) is None


@pytest.mark.parametrize(
    ("client", "seed"), [("dofus-2", 202), ("dofus-2", 211), ("dofus-2", 222), ("dofus-unity", 205)]
)
def test_a_placement_is_nobodys_turn(client, seed):
    picture, label = draw(seed, client)
    view = scoring.read(picture, client)
    assert label["phase"] == "placement"
    assert view.turn.value is None
    assert view.phase.value is not Phase.NOT_FIGHT

"""Whose turn it is on the screens of real clients: places that are being chosen are nobody's turn."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from vision.extract.dofus import phase
from vision.extract.dofus.cells import CellsSeen
from vision.extract.dofus.fighters import Sides
from vision.extract.dofus.model import DofusBoardSeen, HudSeen, TimelineSeen
from vision.extract.dofus.player_over_time import PlayerOverTime
from vision.extract.dofus.reader import evidence_of, turn_of
from vision.frame import Rect
from vision.profiles import load
from vision.synthetic import scoring
from vision.synthetic.screen import draw
from vision.view import CELLS, CardSeen, FighterSeen, Phase, Seen

BOX = Rect(0, 0, 9, 9)


def lit(highlights: Mapping[str, int]) -> DofusBoardSeen:
    cells = CellsSeen(
        np.zeros(CELLS, np.uint8),
        0.9,
        {name: frozenset(range(0, 14 * count, 14)) for name, count in highlights.items()},  # side by side
    )
    return DofusBoardSeen(Seen(), (), Sides(), 0.9, cells, True, np.zeros(CELLS, bool))


def turn(highlights: Mapping[str, int], *cards: CardSeen, bright: bool = True) -> str | None:
    hud = HudSeen(evidence={"button": 0.95} if bright else {"grey_button": 0.95}, row=TimelineSeen(cards))
    return turn_of(hud, lit(highlights)).value


def test_a_reach_shows_that_the_button_ends_a_turn():
    assert turn({"reachable": 3}) == "mine"
    assert turn({"reachable": 2}) is None
    assert turn({"red_start": 8, "blue_start": 8}) is None
    assert turn({"range": 9}) is None
    apart = lit({"reachable": 9})
    apart.cells.highlights["reachable"] = frozenset(range(0, 27, 3))
    hud = HudSeen(evidence={"button": 0.95})
    assert turn_of(hud, apart).value is None, "greener tiles of a meadow lie apart"
    assert turn({"reachable": 3}, bright=False) is None


def test_a_card_that_contradicts_the_button_withholds_the_turn():
    assert turn({"reachable": 9}, CardSeen(BOX, "enemy", True), CardSeen(BOX, "own", False)) is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("client", "seed"), [("dofus-2", 202), ("dofus-2", 216), ("dofus-2", 222), ("dofus-unity", 205)]
)
def test_a_placement_is_nobodys_turn(client, seed):
    picture, label = draw(seed, client)
    view = scoring.read(picture, client)
    assert label["phase"] == "placement"
    assert view.turn.value is None
    assert view.phase.value is not Phase.NOT_FIGHT


def test_a_lone_border_is_no_fight_but_doubt_that_there_is_none():
    hud = HudSeen(phase=Seen(Phase.NOT_FIGHT, 0.81), hp=Seen(300, 0.9))

    def seen(hud, fight):
        return phase.classify(evidence_of(hud, replace(lit({}), fight=fight))).value

    assert seen(hud, 0.0) is Phase.NOT_FIGHT
    assert seen(hud, 0.4) is Phase.UNKNOWN
    assert seen(hud, 0.9) is Phase.FIGHT
    assert seen(replace(hud, hp=Seen()), 0.9) is Phase.NOT_FIGHT


@pytest.mark.parametrize(
    ("sign", "begun"),
    [("button", False), ("timer", False), ("fighters", False), ("starts", False)]
    + [(sign, True) for sign in ("grey_button", "turn_number", "current_card", "points", "reach")],
)
def test_what_tells_a_fight_from_the_choice_of_places(sign, begun):
    evidence = {"button": 0.95, "fighters": 0.9, sign: 0.9}
    assert phase.has_begun(evidence, waiting=False) == begun
    assert phase.has_begun(evidence, waiting=True) == (begun and sign != "points")


def test_start_cells_of_one_side_are_a_placement_unless_somebody_plays():
    hud = HudSeen(evidence={"button": 0.95}, hp=Seen(300, 0.9))
    red = lit({"red_start": 9})
    assert phase.classify(evidence_of(hud, red)).value is Phase.PLACEMENT
    playing = replace(hud, evidence={"button": 0.95, "current_card": 0.95})
    assert phase.classify(evidence_of(playing, red)).value is Phase.FIGHT


@pytest.mark.parametrize(
    ("client", "cards", "found"),
    [
        ("dofus-2", (), False),
        ("dofus-2", ("own", "enemy"), True),
        ("dofus-2", ("own", "own", "enemy"), False),
        ("dofus-retro", (), True),
        ("dofus-unity", (), True),
    ],
)
def test_a_lone_fighter_is_the_player_only_where_nobody_else_may_be(client, cards, found):
    profile = load(client)
    players = PlayerOverTime(profile, profile.screen)
    board = replace(lit({}), sides=Sides(FighterSeen((5, 5), 100, "own", confidence=0.9)))
    hud = HudSeen(
        row=TimelineSeen(tuple(CardSeen(BOX, team, index == 0) for index, team in enumerate(cards)))
    )
    assert (players.identify(board, hud).player is not None) == found


def test_a_covered_timeline_shows_what_it_showed_until_another_fight():
    profile = load("dofus-2")
    players = PlayerOverTime(profile, profile.screen)
    board = replace(lit({}), sides=Sides(FighterSeen((5, 5), 100, "own", confidence=0.9)))
    shown = HudSeen(row=TimelineSeen((CardSeen(BOX, "own", True), CardSeen(BOX, "enemy", False))))
    players.identify(board, shown)
    assert players.identify(board, HudSeen()).player is not None
    players.forget()
    assert players.identify(board, HudSeen()).player is None

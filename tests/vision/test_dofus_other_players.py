"""Screens of other players: themes, percentages, glyphs and rings on the ground, summons, no fight at all."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
import real_screens
from real_screens import SCREENS

from botapp.tracking.situation import over
from vision import track
from vision.extract import Reader, grid
from vision.extract.dofus import agreement
from vision.extract.dofus.anchors import HudAnchor
from vision.extract.dofus.digits import OTHER, Character
from vision.extract.dofus.hud import has_many
from vision.extract.dofus.numbers import spelled
from vision.extract.dofus.played import PlayedFighter
from vision.frame import Frame, Rect
from vision.profiles import load
from vision.signature import signature
from vision.synthetic import scoring
from vision.synthetic.screen import draw, draw_elsewhere
from vision.view import CELLS, CardSeen, CellKind, FighterSeen, FightView, Phase, Seen, SpellSlot

BOX = Rect(0, 0, 9, 9)


def portrait(seed):
    return signature(np.random.default_rng(seed).integers(0, 255, (40, 40, 3)).astype(np.uint8))


def card(team, seed, current=False, life=1.0):
    return CardSeen(BOX, team, current, Seen(life, 0.9), portrait(seed))


def test_the_only_own_card_is_the_players_and_stays_known():
    played = PlayedFighter()
    assert played.of([card("enemy", 1), card("own", 2, current=True)]) == "own"
    summoned = [card("enemy", 1), card("own", 2), card("own", 3, current=True)]
    assert played.of(summoned) == "summon"
    assert played.of([card("enemy", 1), card("own", 2, current=True), card("own", 3)]) == "own"


def test_a_card_right_after_one_of_its_side_may_be_a_summons_until_the_players_is_known():
    assert PlayedFighter().of([card("enemy", 1), card("own", 2), card("own", 3, current=True)]) == "unsure"
    assert PlayedFighter().of([card("own", 2), card("enemy", 1), card("own", 3, current=True)]) == "own"
    assert PlayedFighter().of([]) == "own"


def test_with_cards_that_are_not_read_a_summon_may_play():
    row = [card("enemy", 1), card("own", 2, current=True)]
    assert PlayedFighter().of(row, whole=False) == "unsure"
    assert PlayedFighter().of([], whole=False) == "unsure"
    assert PlayedFighter().of([], many_spells=True, whole=False) == "own"
    played = PlayedFighter()
    played.of(row)
    assert played.of(row, whole=False) == "own", "the player's card is known"


def test_a_bar_of_more_spells_than_a_summon_has_makes_the_card_that_plays_known_as_the_players():
    played = PlayedFighter()
    row = [card("enemy", 1), card("own", 2), card("own", 3, current=True)]
    assert played.of(row) == "unsure"
    assert played.of(row, many_spells=True) == "own"
    assert played.of(row) == "own"
    assert played.of([card("enemy", 1), card("own", 3), card("own", 4, current=True)]) == "summon"


def test_in_the_turn_of_an_ally_the_players_own_bar_makes_no_card_known():
    played = PlayedFighter()
    row = [card("enemy", 1), card("own", 2), card("own", 3, current=True)]
    assert played.of(row, many_spells=True, mine=False) == "own"
    assert played.of([card("enemy", 1), card("own", 3), card("own", 2, current=True)]) == "unsure"


def test_the_players_card_tells_whose_turn_it_is_where_no_button_does():
    played = PlayedFighter()
    mine = [card("enemy", 1), card("own", 2, current=True), card("own", 3)]
    allys = [card("enemy", 1), card("own", 2), card("own", 3, current=True)]
    assert played.at_turn(mine).value is None
    played.of([card("enemy", 1), card("own", 2, current=True)])
    assert played.at_turn(mine).value == "mine"
    assert played.at_turn(allys).value == "other"
    twins = [card("enemy", 1), card("own", 2, current=True), card("own", 2)]
    assert played.at_turn(twins).value is None
    assert played.at_turn([card("enemy", 1, current=True), card("own", 2), card("own", 3)]).value is None


def test_the_card_whose_life_falls_as_the_players_hp_do_is_the_players():
    def row(own, ally, current=1):
        return [
            card("enemy", 1, current=current == 1),
            card("own", 2, life=own),
            card("own", 3, current=current == 3, life=ally),
        ]

    def told(*seen):
        played = PlayedFighter()
        for cards, hp in seen:
            played.watch(cards, hp)
        return played.at_turn([card("own", 2, current=True), card("own", 3)]).value

    assert told((row(1.0, 0.8), 300), (row(0.8, 0.8), 240)) == "mine"
    assert told((row(1.0, 0.8), 300), (row(1.0, 0.64), 240)) == "other"
    assert told((row(1.0, 0.8), 300), (row(0.8, 0.6), 240)) is None, "both have fallen"
    assert told((row(1.0, 0.8), 300), (row(0.5, 0.8), 240)) is None, "by more than the HP"
    assert told((row(1.0, 0.8), 300), (row(0.98, 0.8), 294)) is None, "by hardly anything"
    assert told((row(1.0, 0.8, 3), 300), (row(0.8, 0.8, 3), 240)) is None, "the HP may be the summon's"
    other = [row(0.8, 0.8)[0], card("own", 9, life=0.8), row(0.8, 0.8)[2]]
    assert told((row(1.0, 0.8), 300), (other, 240)) is None, "another fighter stands in its place"


@pytest.mark.parametrize(("spells", "right", "many"), [(8, 1.5, True), (7, 1.5, False), (20, 9.0, False)])
def test_only_a_long_bar_beside_the_anchor_is_known_to_be_the_players(spells, right, many):
    rule, anchor = load("dofus-2").hud.spells, HudAnchor(500.0, 900.0, 48.0, 1.0)
    x, y = round(anchor.x + right * anchor.unit), round(anchor.y - 1.3 * anchor.unit)
    bar = tuple(
        SpellSlot(index, icon="1" if index < spells else "", box=Rect(x + 40 * index - 19, y - 19, 38, 38))
        for index in range(20)
    )
    assert has_many(bar, rule, anchor) is many
    assert not has_many((), rule, anchor)


def test_what_a_summon_shows_is_none_of_the_players():
    view = FightView(turn=Seen("mine", 0.9), hp=Seen(80, 0.9), ap=Seen(4, 0.9), mp=Seen(3, 0.9))
    summons = agreement.checked(view, None, "summon")
    assert summons.turn.value == "other" and not (summons.hp or summons.ap or summons.mp or summons.spells)
    assert "summon" in summons.reason
    assert agreement.checked(view, None, "unsure").turn.value is None
    assert agreement.checked(view, None, "own") == view


def test_hp_and_the_cards_life_confirm_or_contradict_each_other():
    view = FightView(hp=Seen(90, 0.9), max_hp=Seen(100, 0.9))
    assert agreement.checked(view, card("own", 1, life=0.92), "own").hp.confidence > 0.9
    assert agreement.checked(view, card("own", 1, life=0.4), "own").hp.value is None
    share = FightView(hp_share=Seen(0.9, 0.9))
    assert agreement.checked(share, card("own", 1, life=0.4), "own").hp_share.value is None


def test_lit_cells_that_more_mp_would_reach_contradict_them():
    cells = np.full(CELLS, CellKind.WALKABLE, np.uint8)
    reached = np.zeros(CELLS, bool)
    reached[275] = True
    within = [frozenset(np.flatnonzero(reached := reached | grid.beside(reached)).tolist()) for _ in range(5)]
    player = FighterSeen((0, 0), 275, "own")
    view = FightView(turn=Seen("mine", 0.9), mp=Seen(3, 0.9), player=player, cells=cells)

    def mp(lit):
        return agreement.checked(replace(view, highlights={"reachable": lit}), None, "own").mp.value

    assert mp(within[4]) is None, "five steps are lit"
    assert mp(within[2]) == 3
    assert mp(within[1]) == 3, "an enemy beside takes MP, less is lit"
    grass = frozenset(range(3, CELLS, 3))
    assert mp(grass) == 3, "no number of MP explains what is lit in every turn"
    assert mp(within[2] | frozenset(range(500, 505))) == 3
    assert mp(frozenset((229,))) == 3


@pytest.mark.parametrize(
    ("figures", "value"), [((9, 0), 90), ((1, 0, 0), 100), ((1, 0, 1), None), ((0,), None)]
)
def test_a_percentage_is_read_with_its_sign_alone(figures, value):
    rule = load("dofus-unity").hud.numbers["hp_share"]
    step = 10.0
    meanings = [*figures, OTHER]
    left = 48 - step * (len(meanings) - 1) / 2
    found = [Character(meaning, left + step * place, 0.95) for place, meaning in enumerate(meanings)]
    assert spelled(found, rule, 48).value == value
    assert spelled(found[:-1], rule, 48).value is None


def test_two_figures_of_a_wide_typeface_are_a_number():
    rule = load("dofus-2").hud.numbers["lone_hp"]
    found = [Character(7, 41.0, 1.0), Character(5, 54.5, 1.0)]
    assert spelled(found, rule, 48).value == 75


def test_a_figure_far_from_the_others_may_be_a_percent_sign_only_where_percentages_stand():
    found = [Character(1, 36.0, 1.0), Character(5, 44.0, 1.0), Character(4, 56.7, 1.0)]  # a wide typeface
    assert spelled(found, load("dofus-2").hud.numbers["lone_hp"], 47.3).value == 154
    assert spelled(found, load("dofus-unity").hud.numbers["hp"], 47.3).value is None


@pytest.mark.slow
def test_a_percentage_is_no_hp():
    picture, label = draw(46, "dofus-unity", unlike=True)
    view = scoring.read(picture, "dofus-unity")
    assert label["hp"] is None and view.hp.value is None and view.max_hp.value is None
    assert view.hp_share.value == 0.1


@pytest.mark.long
@pytest.mark.parametrize("seed", [30000000, 30000007, 91020304])
def test_a_turn_of_ones_summon_is_not_said_to_be_the_players(seed):
    picture, label = draw(seed, "dofus-unity", unlike=True)
    view = scoring.read(picture, "dofus-unity")
    assert label["playing"] == "other" and view.phase.value is Phase.FIGHT
    assert view.turn.value != "mine" and not (view.hp or view.ap or view.mp) and not view.spells


@pytest.mark.slow
def test_glyphs_are_no_fighters_and_fighters_on_jagged_rings_are():
    outcomes = {"right": 0, "withheld": 0, "wrong": 0}
    for seed in (30000004, 30000013):
        picture, label = draw(seed, "dofus-unity", unlike=True)
        view = scoring.read(picture, "dofus-unity")
        for judged in scoring.judge(view, label):
            if judged.field in ("player", "allies", "enemies"):
                outcomes[judged.outcome] += 1
    assert outcomes["wrong"] == 0
    assert outcomes["right"] >= 3 * outcomes["withheld"]


@pytest.mark.long
@pytest.mark.parametrize("seed", [30000003, 30000005, 30000006, 30000011, 30000016])
def test_what_shows_no_fight_is_said_to_be_none(seed):
    picture, label = draw_elsewhere(seed)
    view = scoring.read(picture, label["client"])
    assert view.phase.value in (Phase.NOT_FIGHT, Phase.UNKNOWN)
    assert not view.enemies and view.player is None
    if view.hud_hidden:
        assert not over(view)


def test_no_fight_seen_behind_a_window_does_not_end_the_one_that_goes_on():
    fight = FightView(phase=Seen(Phase.FIGHT, 0.99), turn=Seen("mine", 0.9), hp=Seen(9, 0.9))
    memory, _ = track.follow(track.NOTHING, fight, 1)
    hidden = FightView(phase=Seen(Phase.NOT_FIGHT, 0.95), hud_hidden=True)
    assert track.follow(memory, hidden, 2)[0] == memory
    assert track.follow(memory, replace(hidden, hud_hidden=False), 2)[0] == track.NOTHING


def test_an_empty_picture_is_not_said_to_show_no_fight():
    for level in (0, 90):
        view = Reader(load("dofus-unity")).read(Frame.still(np.full((720, 1280, 4), level, np.uint8)))
        assert view.phase.value is Phase.UNKNOWN


@pytest.mark.slow
@real_screens.need("dofus-unity_percent-heart.png")
@pytest.mark.parametrize("size", [1.0, 0.6])
def test_a_real_screen_of_another_player(size):
    picture = cv2.imread(str(SCREENS / "dofus-unity_percent-heart.png"))
    small = cv2.resize(picture, None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    view = Reader(load("dofus-unity")).read(Frame.still(np.asarray(small, np.uint8)))
    assert view.turn.value == "mine" and view.hp.value is None and view.hp_share.value == 0.9
    assert [one.team for one in view.timeline] == ["enemy", "own", "enemy", "enemy"]
    assert not view.allies and view.player is not None
    places = [(887, 855), (1134, 855), (1072, 1070)]
    for x, y in places:
        assert any(math.dist(one.px, (x * size, y * size)) < 15 * size for one in view.enemies)
    assert len(view.enemies) == len(places)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [91031161, pytest.param(91031464, marks=pytest.mark.long)])
def test_a_fight_in_a_small_window_on_a_desktop_is_not_said_to_be_none(seed):
    picture, _ = draw(seed, "dofus-unity", unlike=True)
    assert scoring.read(picture, "dofus-unity").phase.value is not Phase.NOT_FIGHT

"""Actions, reasons and figures read as a person would say them, in both languages."""

from dataclasses import replace

import pytest
from ui_factories import CAST, CHOICES, OTHER, PLAYER, WALK, state, turn

from botapp.advisor.decision import ScoredAction
from botapp.advisor.groups import occupant
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.runtime.turns import TurnLine, TurnStep
from botapp.ui import translation, words
from vision.message import say as vision_say


def test_a_spell_names_whom_it_hits():
    assert words.headline(CAST, state()) == "Cast Spark on Thorn Beast"
    assert (
        words.headline(ScoredAction(Cast("test_mend", PLAYER), 1, "", "Knit"), state())
        == "Cast Knit on yourself"
    )
    ground = ScoredAction(Cast("spark", 271), 1, "", "Spark")
    assert words.headline(ground, state()) == "Cast Spark 3 cells down right"
    assert words.brief(ground, state()) == "Spark → 3 cells down right"


def test_without_a_state_the_place_is_left_out():
    assert words.headline(CAST, None) == "Cast Spark"
    assert words.headline(WALK, None) == "Walk 3 cells"
    assert words.details(CAST, None) == ""


def test_a_turn_is_listed_with_what_is_done_several_times_once():
    lines = turn().lines
    assert words.turn(lines[0], state()) == ["1–2. Spark → Thorn Beast", "3. Walk 2 cells up"]
    assert words.turn(lines[1], state()) == ["1. Walk 3 cells down right", "2. Spark → Thorn Beast"]


def test_a_walk_says_how_far_and_where_to():
    assert words.headline(WALK, state()) == "Walk 3 cells down right"
    assert words.headline(ScoredAction(Move((243,)), 1, ""), state()) == "Walk 1 cell down right"
    assert words.brief(WALK, state()) == "3 cells down right"


def test_two_actions_never_read_the_same():
    other = ScoredAction(Move((243, 257, 272)), 0.1, "")
    choices = (WALK, CAST, other)
    texts = words.told_apart([words.headline(one, state()) for one in choices], choices)
    assert texts[:2] == ["Walk 3 cells down right", "Cast Spark on Thorn Beast"]
    assert texts[2] == "Walk 3 cells down right (2 cells further right)"
    same = ScoredAction(Move((243, 258, 271)), 0.1, "")
    assert (
        words.told_apart(["Walk 3 cells down right"] * 2, (WALK, same))[1]
        == "Walk 3 cells down right (another cell)"
    )


def test_details_say_the_cost():
    assert words.details(CAST, state()) == "4 AP  ·  range 3"
    assert words.details(WALK, state()) == "3 MP"
    assert words.details(ScoredAction(EndTurn(), 1, ""), state()) == "7 AP and 4 MP are left"


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (229, ""),
        (230, "right"),
        (228, "left"),
        (257, "down"),
        (201, "up"),
        (215, "up right"),
        (242, "down left"),
    ],
)
def test_directions_are_those_of_the_screen(end, said):
    assert words.direction(229, end) == said


def test_every_choice_has_words_in_french():
    translation.use("fr")
    assert [words.headline(choice, state()) for choice in CHOICES] == [
        "Lancer Étincelle sur Thorn Beast",
        "Marcher de 3 cases en bas à droite",
        "Lancer Knit sur vous-même",
        "Finir le tour",
        "Lancer Étincelle sur Bog Crawler",
    ]
    assert [words.short(choice) for choice in CHOICES[:4]] == [
        "Étincelle",
        "Marche",
        "Knit",
        "Finir le tour",
    ]
    assert [words.kind(choice.action) for choice in CHOICES[1:4]] == ["Marche", "Sort", "Finir le tour"]
    assert [words.brief(choice, state()) for choice in CHOICES[2:4]] == [
        "Knit → vous-même",
        "Finir le tour",
    ]


def test_who_casts_on_where_it_walked_to_casts_on_itself():
    mend = Cast("test_mend", 257)
    walked = TurnStep(mend, 257, "Knit")
    left = TurnStep(replace(mend, target=PLAYER), 257, "Knit")
    line = TurnLine(CHOICES[2], (walked, left), 0.5)
    assert words.turn(line, state()) == ["1. Knit → yourself", "2. Knit → 2 cells up"]


def test_figures_follow_the_language():
    assert (words.number(-1.25, 2), words.percent(0.624)) == ("−1.25", "62%")
    assert words.milliseconds(None) == "–\u00a0ms"
    translation.use("fr")
    assert (words.number(1.5, 1, sign=True), words.percent(0.624)) == ("+1,5", "62\u00a0%")
    assert words.milliseconds(12.34) == "12,3\u00a0ms"
    assert words.age(1500) == "1,5\u00a0s"
    assert words.mebibytes(3 << 30) == "3,00\u00a0Go"


def test_memory_that_nobody_knows_is_unknown_and_not_zero():
    assert words.mebibytes(None) == "unknown"
    assert words.mebibytes(512 << 20) == "512\u00a0MB"


def test_assumed_facts_are_named_by_fighter():
    assert words.assumptions(state()) == ["Thorn Beast: maximum HP, AP, MP", "Bog Crawler: AP, MP"]
    assert occupant(state(), OTHER).name == "Bog Crawler"


def test_what_is_in_the_way_is_explained():
    assert words.explain("minimised", "none") == "The game's window is minimised."
    assert words.explain("watching", "not-my-turn") == "Waiting for your turn."
    assert words.explain("covered", "none", "40% is covered.") == "40% is covered."


def test_what_the_readers_say_in_their_own_terms_is_put_plainly():
    text = "The HUD of {client} is not where it should be: {missing}."
    said = vision_say(text, client="dofus-2", missing="band_left")
    assert "DOFUS 2" in words.reason(said) and "HUD" not in words.reason(said)
    assert words.reason("Your AP cannot be read.") == "Your AP cannot be read."
    assert words.reason("") == ""

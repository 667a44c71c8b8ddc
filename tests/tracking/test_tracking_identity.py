"""Who is who from picture to picture; lives read before, which are old once no card shows them any more."""

import random
from dataclasses import replace
from itertools import permutations

import pytest
from flawless import view_of

from botapp.arena.scenarios import adventure
from botapp.fight.board import CELLS
from botapp.tracking.identity import Sighting, assigned, identified, outdated, owners
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.state_tracker import StateTracker
from vision.frame import Rect
from vision.view import CardSeen, FighterSeen, FightView, Seen

BOX = Rect(0, 0, 10, 10)


def shown(cards, told=()):
    return FightView(
        timeline=tuple(
            CardSeen(BOX, "enemy", False, Seen() if life is None else Seen(life, 0.9)) for life in cards
        ),
        enemies=tuple(
            FighterSeen((0.0, 0.0), 100 + n, "enemy", Seen(life, 0.9)) for n, life in enumerate(told)
        ),
    )


@pytest.mark.parametrize(
    ("cards", "told", "kept", "old"),
    [
        ((0.87, 0.84), (0.87,), (0.84,), [False]),
        ((0.87, 0.56), (0.87,), (0.84,), [True]),
        ((0.84, 0.56), (), (0.84, 0.84), [True, True]),
        ((0.84, 0.84), (), (0.84, 0.84), [False, False]),
        ((0.84, 0.56), (), (0.84, 0.55), [False, False]),
        ((0.84, 0.84), (0.84,), (0.83,), [False]),
        ((None, 0.45), (0.45,), (0.2,), [True]),
    ],
)
def test_a_life_is_old_where_too_few_cards_left_show_it(cards, told, kept, old):
    assert outdated(shown(cards, told), kept) == old


def test_without_a_timeline_nothing_is_known_of_it():
    assert outdated(FightView(), (0.5,)) is None


def test_an_old_life_stays_as_what_is_assumed():
    state = next(s for s in (adventure(seed, "ember") for seed in range(20)) if s.actor.id == 0)
    view, tracker = view_of(state, 0), StateTracker(PlayerProfile(player_class="ember"))
    enemies = tuple(replace(one, hp_fraction=Seen(0.8, 1.0)) for one in view.enemies)
    tracker.situate(replace(view, enemies=enemies))
    untold = tuple(replace(one, hp_fraction=Seen()) for one in view.enemies)

    def known(lives):
        cards = tuple(CardSeen(BOX, "enemy", False, Seen(life, 0.9), kind="?") for life in lives)
        tracked = tracker.situate(replace(view, enemies=untold, timeline=cards))
        return [f for f in tracked.state.fighters if f.team != 0], tracked.assumed

    count = len(untold)
    fighters, _ = known([0.8] * count)
    assert not any("hp" in f.assumed for f in fighters)
    fighters, assumed = known([0.8] * (count - 1) + [0.3])
    assert all("hp" in f.assumed and f.hp < f.max_hp + f.eroded for f in fighters)
    assert any("80 %, as last told" in text for text in assumed)


def sighting(number, cell, kind="boar", life=None, team="enemy"):
    return Sighting(number, team, cell, kind, life)


def fighter(cell, kind="boar", life=None, team="enemy"):
    kind_seen = Seen() if kind is None else Seen(kind, 1.0)
    return FighterSeen((0.0, 0.0), cell, team, Seen() if life is None else Seen(life, 1.0), kind_seen)


def ids_at(enemies, known, believed=None):
    found = identified(FightView(enemies=tuple(enemies)), known, believed)
    return {one.cell: one.id for one in found}


def test_an_assignment_costs_as_little_as_the_best_of_all():
    dice = random.Random(5)
    for _ in range(400):
        rows = dice.randint(0, 5)
        columns = dice.randint(rows, 6)
        costs = [[dice.choice((0, 1, dice.randint(0, 50), 1e6)) for _ in range(columns)] for _ in range(rows)]
        best = min(
            sum(cost[column] for cost, column in zip(costs, way, strict=True))
            for way in permutations(range(columns), rows)
        )
        got = assigned(costs)
        assert len(set(got)) == rows
        assert sum(cost[column] for cost, column in zip(costs, got, strict=True)) == pytest.approx(best)


@pytest.mark.parametrize(
    ("known", "found", "ids"),
    [
        (((100, None), (101, None)), ((100, None), (104, None)), {100: 1, 104: 2}),
        (((100, 1.0), (102, 0.3)), ((115, 0.3), (130, 1.0)), {115: 2, 130: 1}),
        (((200, None), (203, None)), ((202, None), (206, None)), {202: 1, 206: 2}),
    ],
    ids=["the one that can have walked so far", "by their lives", "where the nearest first would leave one"],
)
def test_two_alike_are_told_apart(known, found, ids):
    known = [sighting(number, cell, life=life) for number, (cell, life) in enumerate(known, 1)]
    assert ids_at([fighter(cell, life=life) for cell, life in found], known) == ids


def test_another_kind_elsewhere_is_a_new_fighter_and_on_the_cell_of_a_missing_one_is_that_one():
    state = next(s for s in (adventure(seed, "ember") for seed in range(20)) if s.actor.id == 0)
    view, tracker = view_of(state, 0), StateTracker(PlayerProfile(player_class="ember"))
    memory = tracker.situate(view).situation.memory
    first = memory.sightings[0]
    there = identified(
        FightView(enemies=(fighter(first.cell, "griffin"),)), memory.sightings, memory.believed
    )
    assert [(one.id, one.kind) for one in there] == [(first.id, first.kind)]
    free = next(cell for cell in range(CELLS) if cell not in {one.cell for one in memory.sightings})
    elsewhere = identified(FightView(enemies=(fighter(free, "griffin"),)), memory.sightings, memory.believed)
    assert elsewhere[0].kind == "griffin"
    assert elsewhere[0].id not in {one.id for one in memory.sightings}


def test_cards_of_a_kind_go_by_life_and_then_by_the_order_believed():
    known = (sighting(1, 10, life=1.0), sighting(2, 20, life=0.2), sighting(3, 30, "owl"))

    def card(kind, life, current=False):
        return CardSeen(BOX, "enemy", current, Seen(life, 1.0), kind=kind)

    own = CardSeen(BOX, "own", False, kind="ember")
    cards = (card("boar", 0.2), own, card("owl", 0.5, current=True), card("boar", 1.0))
    assert owners(cards, known, (0, 1, 2, 3)) == ((2, 0, 3, 1), 3)
    alike = (card("boar", 0.6), card("boar", 0.6))
    assert owners(alike, known, (2, 1))[0] == (2, 1)
    assert owners((card("bear", 1.0),), known, ()) == ((), None)

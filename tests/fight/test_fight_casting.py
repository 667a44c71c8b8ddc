"""Every condition of a spell refuses by its name; areas reach whom they should."""

import random

import pytest
from fights import OPEN, fight, fighter, spell, with_cell

from botapp.fight.actions import Cast
from botapp.fight.board import distance, in_line, neighbours, on_diagonal, to_cell, to_xy
from botapp.fight.ranges import castable_cells, covered_cells, target_cells
from botapp.fight.rules import IllegalAction, apply, expected, legal_actions
from botapp.fight.sheet import max_range
from botapp.fight.spells import Effect, EffectKind, Shape, Stats
from botapp.fight.state import CellFlag

dice = random.Random(0)
CENTRE = 286
X, Y = to_xy(CENTRE)


def at(dx, dy):
    return to_cell(X + dx, Y + dy)


def refused(state, key, cell):
    with pytest.raises(IllegalAction) as caught:
        apply(state, Cast(key, cell), dice)
    assert Cast(key, cell) not in legal_actions(state)
    return caught.value.condition


def duel_with(spells, enemy=None, cells=OPEN, **changes):
    enemy_cell = at(3, 0) if enemy is None else enemy
    return fight(fighter(0, 0, CENTRE, spells, **changes), fighter(1, 1, enemy_cell), cells=cells)


def test_range_grows_only_where_it_may_and_never_below_the_nearest():
    ranged = fighter(0, 0, CENTRE, stats=Stats(range=2))
    assert max_range(ranged, spell(max_range=5, boostable_range=True)) == 7
    assert max_range(ranged, spell(max_range=5)) == 5
    clumsy = fighter(0, 0, CENTRE, stats=Stats(range=-9))
    assert max_range(clumsy, spell(min_range=2, max_range=5, boostable_range=True)) == 2


@pytest.mark.parametrize(
    ("flags", "allowed"),
    [
        ({"in_line": True}, in_line),
        ({"on_diagonal": True}, on_diagonal),
        ({"in_line": True, "on_diagonal": True}, lambda a, b: in_line(a, b) or on_diagonal(a, b)),
    ],
)
def test_directions_are_kept(flags, allowed):
    state = duel_with([spell(**flags)])
    seen, unseen = castable_cells(state, state.actor, state.actor.spells[0])
    assert seen | unseen == {c for c in range(560) if 1 <= distance(CENTRE, c) <= 5 and allowed(CENTRE, c)}
    assert refused(state, "jab", at(1, 2)) == "line"


def test_walls_and_fighters_in_between_are_named_and_the_cells_told_apart():
    state = duel_with([spell()], enemy=at(2, 0))
    assert refused(state, "jab", at(4, 0)) == "sight"
    seen, unseen = castable_cells(state, state.actor, state.actor.spells[0])
    assert at(2, 0) in seen
    assert at(4, 0) in unseen
    assert not seen & unseen


def test_a_spell_over_walls_sees_all_in_range():
    state = duel_with([spell(needs_sight=False)], enemy=at(2, 0))
    seen, unseen = castable_cells(state, state.actor, state.actor.spells[0])
    assert at(4, 0) in seen
    assert not unseen
    assert apply(state, Cast("jab", at(4, 0)), dice).actor.ap == 3


def test_free_and_taken_cells():
    state = duel_with([spell("free", needs_free_cell=True), spell("taken", needs_taken_cell=True)])
    assert refused(state, "free", at(3, 0)) == "free-cell"
    assert refused(state, "taken", at(2, 0)) == "taken-cell"
    assert apply(state, Cast("free", at(2, 0)), dice).actor.ap == 3
    assert apply(state, Cast("taken", at(3, 0)), dice).actor.ap == 3


def test_casts_per_turn_and_per_target_run_out_and_come_back():
    state = duel_with([spell(ap=1, casts_per_turn=2, casts_per_target=1)])
    once = apply(state, Cast("jab", at(3, 0)), dice)
    assert refused(once, "jab", at(3, 0)) == "casts-per-target"
    twice = apply(once, Cast("jab", at(2, 0)), dice)
    assert refused(twice, "jab", at(1, 0)) == "casts-per-turn"
    end = legal_actions(twice)[-1]
    again = apply(apply(twice, end, dice), end, dice)
    assert Cast("jab", at(3, 0)) in legal_actions(again)


def test_a_cooldown_counts_the_casters_own_turns():
    state = duel_with([spell(cooldown=2)])
    end = legal_actions(state)[-1]
    cast = apply(state, Cast("jab", at(3, 0)), dice)
    assert cast.actor.cooldowns == (("jab", 2),)
    assert refused(cast, "jab", at(3, 0)) == "cooldown"
    second = apply(apply(cast, end, dice), end, dice)
    assert refused(second, "jab", at(3, 0)) == "cooldown"
    third = apply(apply(second, end, dice), end, dice)
    assert third.actor.cooldowns == ()
    assert Cast("jab", at(3, 0)) in legal_actions(third)


def test_an_interval_of_one_is_once_a_turn():
    state = duel_with([spell(ap=1, cooldown=1)])
    cast = apply(state, Cast("jab", at(3, 0)), dice)
    assert refused(cast, "jab", at(3, 0)) == "cooldown"
    end = legal_actions(cast)[-1]
    assert Cast("jab", at(3, 0)) in legal_actions(apply(apply(cast, end, dice), end, dice))


def test_a_spell_may_be_aimed_at_its_caster_where_the_range_starts_at_nought():
    state = duel_with([spell(min_range=0, max_range=0, needs_taken_cell=True)])
    assert target_cells(state, state.actor, state.actor.spells[0]) == {CENTRE}


def test_what_a_spell_covers_is_floor_under_any_of_its_effects():
    both = (
        Effect(EffectKind.DAMAGE, 5, 5, shape=Shape.CROSS, radius=1),
        Effect(EffectKind.HEAL, 5, 5, shape=Shape.LINE, radius=2),
    )
    state = duel_with([spell(effects=both)], cells=with_cell(OPEN, at(2, 1), CellFlag.SIGHT))
    covered = covered_cells(state, state.actor, state.actor.spells[0], at(2, 0))
    assert covered == {at(1, 0), at(2, 0), at(3, 0), at(4, 0), at(2, -1)}


def test_harm_spares_the_caster_and_help_spares_the_others():
    near = neighbours(CENTRE)
    harm = spell("harm", (Effect(EffectKind.DAMAGE, 5, 5, shape=Shape.CIRCLE, radius=2),))
    help = spell("help", (Effect(EffectKind.HEAL, 5, 5, shape=Shape.CIRCLE, radius=2),))
    state = fight(
        fighter(0, 0, CENTRE, [harm, help]),
        fighter(1, 0, near[0]),
        fighter(2, 1, near[1]),
        fighter(3, 1, near[2], hp=0),
    )
    assert set(expected(state, Cast("harm", CENTRE))) == {1, 2}
    assert set(expected(state, Cast("help", CENTRE))) == {0, 1}

"""States of its caster change a spell: cost, range, limits and conditions; what is said of it agrees."""

import random
from dataclasses import replace

import pytest
from fights import fight, fighter, spell
from hypothesis import given
from hypothesis import strategies as st

from botapp.fight.actions import Cast
from botapp.fight.board import to_cell
from botapp.fight.ranges import castable_cells
from botapp.fight.rules import apply, legal_actions
from botapp.fight.sheet import as_changed, max_range
from botapp.fight.spells import Buff, SpellChange, Stats
from botapp.fight.state import FightState

dice = random.Random(0)
CENTRE = 286
NUMBERS = ("ap", "min_range", "max_range", "crit", "casts_per_turn", "casts_per_target")
CONDITIONS = ("needs_sight", "needs_free_cell", "needs_taken_cell")

added = st.builds(SpellChange, st.just(""), st.sampled_from(NUMBERS), st.integers(-3, 3))
made = st.builds(SpellChange, st.just(""), st.sampled_from(NUMBERS), st.integers(0, 6), st.just(value=True))
asked = st.builds(
    SpellChange, st.just(""), st.sampled_from(CONDITIONS), st.integers(0, 1), st.just(value=True)
)
changes = st.lists(added | made | asked, max_size=5).map(
    lambda found: tuple(replace(one, state=f"#{place}") for place, one in enumerate(found))
)
spells = st.builds(
    spell,
    ap=st.integers(1, 5),
    min_range=st.integers(0, 2),
    max_range=st.integers(2, 6),
    boostable_range=st.booleans(),
    casts_per_turn=st.integers(0, 2),
    casts_per_target=st.integers(0, 2),
    crit=st.sampled_from((0, 100)),
    crit_bonus=st.just(5),
)


def duel(one, states) -> FightState:
    buffs = tuple(Buff(0, 3, state=state) for state in states)
    return fight(
        fighter(0, 0, CENTRE, [one], buffs=buffs, stats=Stats(range=1)),
        fighter(1, 1, to_cell(22, 1)),
        fighter(2, 1, CENTRE + 1),
    )


def changed(state, one) -> FightState:
    """The same fight, its actor's spell as it was changed put in its place."""
    first, *others = state.fighters
    return state.changed(fighters=(first.changed(spells=(one,)), *others))


@pytest.mark.slow
@given(spells, changes, st.sets(st.integers(0, 4)))
def test_a_changed_spell_is_cast_as_the_spell_that_it_has_become(one, found, held):
    states = [change.state for place, change in enumerate(found) if place in held]
    state = duel(replace(one, changes=found), states)
    plain = changed(state, as_changed(state.actor, state.actor.spells[0]))
    for _ in range(3):
        assert set(legal_actions(state)) == set(legal_actions(plain))
        assert castable_cells(state, state.actor, state.actor.spells[0]) == castable_cells(
            plain, plain.actor, plain.actor.spells[0]
        )
        assert max_range(state.actor, state.actor.spells[0]) == max_range(plain.actor, plain.actor.spells[0])
        casts = sorted((a for a in legal_actions(plain) if isinstance(a, Cast)), key=lambda cast: cast.target)
        if not casts:
            break
        state = apply(state, casts[0], random.Random(1))
        plain = apply(plain, casts[0], random.Random(1))
        assert [(f.ap, f.hp) for f in state.fighters] == [(f.ap, f.hp) for f in plain.fighters]


def test_a_state_that_comes_later_changes_the_spell_from_then_on():
    far = spell(max_range=2, changes=(SpellChange("#far", "max_range", 3),))
    state = duel(far, ())
    assert max_range(state.actor, far) == 2
    first, *others = state.fighters
    later = state.changed(fighters=(first.changed(buffs=(Buff(0, 1, state="#far"),)), *others))
    assert max_range(later.actor, far) == 5


def test_what_has_no_limit_gets_none_and_the_longest_range_is_the_nearest_at_least():
    one = spell(
        min_range=1,
        max_range=2,
        changes=(SpellChange("#a", "casts_per_turn", 1), SpellChange("#a", "min_range", 4)),
    )
    state = duel(one, ("#a",))
    now = as_changed(state.actor, one)
    assert (now.casts_per_turn, now.min_range, now.max_range) == (0, 5, 5)

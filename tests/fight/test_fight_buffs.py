"""Buffs and states: they count while they last, end when they should, and leave nothing behind."""

import random

import pytest
from arrays import arrays, walks
from fights import fight, fighter, spell
from hypothesis import given
from hypothesis import strategies as st
from inner import call

from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import neighbours, to_cell, to_xy
from botapp.fight.core.buffs import give_stat, give_state, lose
from botapp.fight.core.content import STAT_NUMBERS
from botapp.fight.core.fight import BUFF_BY
from botapp.fight.core.pack import unpack
from botapp.fight.rules import IllegalAction, apply, apply_expected, expected, legal_actions
from botapp.fight.sheet import full_ap, full_mp
from botapp.fight.spells import BUFF_STATS, Affects, Buff, Effect, EffectKind, Shape, State, Stats

dice = random.Random(0)
HERE, THERE = 286, 315
END = EndTurn()
HIT = Effect(EffectKind.DAMAGE, 20, 20)


def buff(stat, amount, turns=1, **more):
    return Effect(EffectKind.BUFF, amount, amount, stat=stat, turns=turns, **more)


def state_of(state, turns=1, **more):
    return Effect(EffectKind.STATE, state=state, turns=turns, **more)


def duel(*effects, enemy=None, others=(), **changes):
    spells = [spell("cast", effects, min_range=0, ap=1), spell("hit", (HIT,), min_range=0, ap=1)]
    return fight(
        fighter(0, 0, HERE, spells, **changes), fighter(1, 1, THERE, spells, **(enemy or {})), *others
    )


def on(fighter_cell, *effects, **changes):
    return apply(duel(*effects, **changes), Cast("cast", fighter_cell), dice)


def round_of(state):
    for _ in state.order:
        state = apply(state, END, dice)
    return state


def test_a_stat_is_raised_at_once_and_lowered_again_when_the_casters_turn_comes():
    after = on(HERE, buff("strength", 50, turns=2))
    assert after.fighter(0).stats.strength == 50
    assert after.fighter(0).buffs == (Buff(0, 2, "strength", 50),)
    later = round_of(after)
    assert (later.fighter(0).stats.strength, later.fighter(0).buffs[0].turns) == (50, 1)
    assert round_of(later).fighter(0) == duel(buff("strength", 50, turns=2)).fighter(0)


def test_a_curse_lasts_through_the_targets_whole_turn():
    cursed = on(THERE, buff("damage", -8))
    assert cursed.fighter(1).stats.damage == -8
    theirs = apply(cursed, END, dice)
    assert (theirs.actor.id, theirs.actor.stats.damage) == (1, -8)
    assert apply(theirs, Cast("hit", HERE), dice).fighter(0).hp == 100 - 12
    assert apply(theirs, END, dice).fighter(1).stats.damage == 0


def test_without_turns_it_has_no_end():
    after = on(HERE, buff("lock", 5, turns=0))
    for _ in range(5):
        after = round_of(after)
    assert after.fighter(0).stats.lock == 5


class Bearer:
    """Somebody who is given buffs by six others, and loses them again."""

    def __init__(self, one):
        others = (fighter(number, 1, number) for number in range(1, 7))
        self.arrays = arrays(fight(one, *others))

    def take(self, caster, stat, amount):
        call(
            give_stat,
            self.arrays.fight,
            self.arrays.fighters[0],
            caster,
            1,
            STAT_NUMBERS[stat],
            amount,
            0,
            0,
            0,
        )
        return self.now

    def lose(self, caster):
        call(lose, self.arrays.fight, self.arrays.fighters[0], BUFF_BY, caster)
        return self.now

    @property
    def now(self):
        return unpack(self.arrays.packed, self.arrays.s).fighters[0]


@pytest.mark.inner
@pytest.mark.parametrize("stat", BUFF_STATS)
def test_every_stat_can_be_changed_and_comes_back(stat):
    before = fighter(0, 0, HERE, stats=Stats(resistance=(1, 2, 3, 4, 5)))
    bearer = Bearer(before)
    raised = bearer.take(1, stat, 2)
    assert raised.buffs == (Buff(1, 1, stat, 2),)
    assert raised != before.changed(buffs=raised.buffs)
    assert bearer.lose(1) == before


@pytest.mark.inner
def test_one_resistance_or_all_of_them():
    bearer = Bearer(fighter(0, 0, HERE))
    assert bearer.take(1, "fire_resistance", -10).stats.resistance == (0, 0, -10, 0, 0)
    assert bearer.take(1, "resistance", 5).stats.resistance == (5, 5, -5, 5, 5)


def test_ap_and_mp_count_at_once_and_for_the_turns_that_begin_meanwhile():
    after = on(HERE, buff("ap", 2, turns=2), buff("mp", -1, turns=2, affects=Affects.CASTER))
    assert (after.fighter(0).ap, after.fighter(0).mp) == (6 - 1 + 2, 2)
    later = round_of(after)
    assert (later.fighter(0).ap, later.fighter(0).mp, later.fighter(0).base_ap) == (8, 2, 6)
    ended = round_of(later)
    assert (ended.fighter(0).ap, ended.fighter(0).mp) == (6, 3)


def test_ap_and_mp_stop_at_what_there_can_be_and_at_nought():
    after = on(HERE, buff("ap", 9), buff("mp", 9), base_ap=8, ap=8)
    assert (after.fighter(0).ap, after.fighter(0).mp) == (12 - 1, 6)
    strong = on(HERE, buff("mp", 1), base_mp=8, mp=8)
    assert strong.fighter(0).mp == 8
    drained = apply(on(THERE, buff("ap", -9)), END, dice)
    assert drained.actor.ap == 0
    assert apply(drained, END, dice).fighter(1).ap == 6


@pytest.mark.inner
@given(
    st.lists(st.tuples(st.sampled_from(["ap", "mp", "range", "resistance"]), st.integers(-9, 9)), max_size=5),
    st.integers(0, 6),
    st.integers(0, 12),
    st.randoms(use_true_random=False),
)
def test_buffs_may_end_in_any_order_and_never_leave_their_bounds(given, left, base, rng):
    start = fighter(0, 0, HERE, ap=left, base_ap=base)
    bearer = Bearer(start)
    for caster, (stat, amount) in enumerate(given, 1):
        bearer.take(caster, stat, amount)
    for caster in rng.sample(range(1, len(given) + 1), len(given)):
        assert 0 <= bearer.now.ap <= max(12, base)
        assert 0 <= bearer.now.mp <= 6
        bearer.lose(caster)
    ended = bearer.now
    assert ended.stats == start.stats
    assert (full_ap(ended), full_mp(ended), ended.buffs) == (base, 3, ())


def test_range_buffs_move_the_reach_of_spells():
    far = spell("far", max_range=3, boostable_range=True)
    eager = fighter(0, 0, HERE, [far, spell("look", (buff("range", 2),), min_range=0, ap=1)])
    x, y = to_xy(HERE)
    target = to_cell(x + 5, y)
    state = fight(eager, fighter(1, 1, target))
    assert Cast("far", target) not in legal_actions(state)
    assert Cast("far", target) in legal_actions(apply(state, Cast("look", HERE), dice))


def test_good_things_go_to_the_own_side_and_bad_things_to_the_others():
    assert on(THERE, buff("power", 5)).fighter(1).buffs == ()
    assert on(HERE, buff("power", -5)).fighter(0).buffs == ()
    assert on(THERE, state_of(State.INVISIBLE)).fighter(1).buffs == ()
    assert on(HERE, state_of(State.PACIFIED)).fighter(0).buffs == ()
    assert on(THERE, buff("power", 5, affects=Affects.ENEMIES)).fighter(1).stats.power == 5


@pytest.mark.parametrize(
    ("affects", "reached"),
    [
        (Affects.ENEMIES, {2}),
        (Affects.ALLIES, {1}),
        (Affects.TEAM, {0, 1}),
        (Affects.OTHERS, {1, 2}),
        (Affects.ALL, {0, 1, 2}),
        (Affects.CASTER, {0}),
        (Affects.DEFAULT, {0, 1}),
    ],
)
def test_whom_an_effect_reaches(affects, reached):
    effect = buff("power", 5, affects=affects, shape=Shape.CIRCLE, radius=9)
    near = neighbours(HERE)
    caster = fighter(0, 0, HERE, [spell(effects=(effect,), min_range=0)])
    state = fight(caster, fighter(1, 0, near[0]), fighter(2, 1, near[1]), fighter(3, 1, near[2], hp=0))
    after = apply(state, Cast("jab", HERE), dice)
    assert {f.id for f in after.fighters if f.buffs} == reached
    assert set(expected(state, Cast("jab", HERE))) == reached


def test_buffs_end_with_whoever_gave_them():
    cursed = on(THERE, buff("power", -40, turns=9), state_of(State.ROOTED, turns=9))
    third = fighter(2, 1, 40)
    fragile = cursed.changed(
        fighters=(cursed.fighter(0).changed(hp=5), cursed.fighter(1), third, fighter(3, 0, 60)),
        order=(0, 1, 2, 3),
    )
    free = apply(apply(fragile, END, dice), Cast("hit", HERE), dice)
    assert free.fighter(0).hp == 0
    assert (free.fighter(1).stats.power, free.fighter(1).buffs) == (0, ())


@pytest.mark.inner
def test_a_state_given_twice_lasts_the_longer_time():
    once = on(HERE, state_of(State.FOCUSED, turns=1), state_of(State.FOCUSED, turns=3))
    assert once.fighter(0).buffs == (Buff(0, 3, state=State.FOCUSED),)
    assert once.fighter(0).states == {State.FOCUSED}
    a = arrays(once)
    call(give_state, a.fight, a.fighters[0], 0, 0, list(State).index(State.FOCUSED), 0, 0)
    assert unpack(a.packed, a.s).fighter(0).buffs == (Buff(0, 0, state=State.FOCUSED),)


def test_foresight_gives_buffs_their_mean():
    wild = Effect(EffectKind.BUFF, 1, 9, stat="power")
    state = duel(wild, state_of(State.FOCUSED))
    assert apply_expected(state, Cast("cast", HERE)).fighter(0).stats.power == 5
    assert [b.amount for b in expected(state, Cast("cast", HERE))[0].buffs] == [5, 0]


def refused(state, cast):
    assert cast not in legal_actions(state)
    with pytest.raises(IllegalAction) as caught:
        apply(state, cast, dice)
    return caught.value


def test_spells_that_need_a_state_or_are_barred_by_one():
    keen = spell("keen", ap=1, required_states=(State.FOCUSED,))
    calm = spell("calm", ap=1, forbidden_states=(State.FOCUSED,))
    focus = spell("focus", (state_of(State.FOCUSED),), ap=1, min_range=0)
    state = fight(fighter(0, 0, HERE, [keen, calm, focus]), fighter(1, 1, THERE))
    missing = refused(state, Cast("keen", THERE))
    assert missing.condition == "required-state"
    assert "focused" in str(missing)
    focused = apply(state, Cast("focus", HERE), dice)
    assert Cast("keen", THERE) in legal_actions(focused)
    assert refused(focused, Cast("calm", THERE)).condition == "forbidden-state"


def in_state(one, state):
    return one.changed(buffs=(Buff(one.id, 9, state=state),))


def test_the_pacified_cannot_deal_damage_but_can_do_all_else():
    state = duel(buff("power", 5))
    calm = state.changed(fighters=(in_state(state.fighter(0), State.PACIFIED), state.fighter(1)))
    assert refused(calm, Cast("hit", THERE)).condition == "pacified"
    assert Cast("cast", HERE) in legal_actions(calm)


def test_the_invulnerable_take_no_damage_and_can_still_be_weakened():
    state = duel(buff("power", -5))
    safe = state.changed(fighters=(state.fighter(0), in_state(state.fighter(1), State.INVULNERABLE)))
    assert apply(safe, Cast("hit", THERE), dice).fighter(1).hp == 100
    assert expected(safe, Cast("hit", THERE))[1].damage == 0
    assert apply(safe, Cast("cast", THERE), dice).fighter(1).stats.power == -5


def test_a_teleport_takes_the_caster_to_a_free_cell_unless_gravity_holds_it():
    jump = spell("jump", (Effect(EffectKind.TELEPORT),), max_range=9)
    state = fight(fighter(0, 0, HERE, [jump]), fighter(1, 1, THERE))
    far = 300
    assert apply(state, Cast("jump", far), dice).fighter(0).cell == far
    assert expected(state, Cast("jump", far))[0].cell == far
    assert refused(state, Cast("jump", THERE)).condition == "free-cell"
    heavy = state.changed(fighters=(in_state(state.fighter(0), State.GRAVITY), state.fighter(1)))
    assert refused(heavy, Cast("jump", far)).condition == "gravity"


@pytest.mark.inner
@pytest.mark.parametrize("state", [State.ROOTED, State.UNLOCKABLE, State.INVISIBLE])
def test_some_states_slip_out_of_every_grip(state):
    enemy = neighbours(HERE)[0]
    held = fight(fighter(0, 0, HERE, mp=4), fighter(1, 1, enemy))
    free = held.changed(fighters=(in_state(held.fighter(0), state), held.fighter(1)))
    away = next(c for c in neighbours(HERE) if c != enemy)
    assert walks(held)[away].mp < 3
    assert (walks(free)[away].mp, walks(free)[away].ap) == (3, 6)
    assert apply(free, Move((away,)), dice).fighter(0).mp == 3


def hidden():
    x, y = to_xy(HERE)
    near, behind = to_cell(x + 2, y), to_cell(x + 4, y)
    spells = [spell("jab", needs_taken_cell=True), spell("land", (Effect(EffectKind.TELEPORT),))]
    other = in_state(fighter(1, 1, near, [spell("hit")]), State.INVISIBLE)
    return fight(fighter(0, 0, HERE, spells), other, fighter(2, 1, behind)), near, behind


def test_nobody_aims_at_the_invisible_and_they_hide_nothing():
    state, near, behind = hidden()
    assert refused(state, Cast("jab", near)).condition == "taken-cell"
    assert Cast("jab", behind) in legal_actions(state)
    assert refused(state, Cast("land", near)).condition == "free-cell"
    friend = state.changed(fighters=(state.fighter(0).changed(team=1), *state.fighters[1:]))
    friend = friend.changed(fighters=(*friend.fighters, fighter(3, 0, 20)), order=(0, 1, 2, 3))
    assert Cast("jab", near) in legal_actions(friend)


@pytest.mark.inner
def test_the_invisible_hold_nobody_and_still_stand_in_the_way():
    enemy = neighbours(HERE)[0]
    state = fight(fighter(0, 0, HERE, mp=4), in_state(fighter(1, 1, enemy), State.INVISIBLE))
    found = walks(state)
    assert enemy not in found
    assert all(walk.mp == 4 - len(walk.path) for walk in found.values())


def test_an_attack_ends_invisibility_and_nothing_else_does():
    state = duel(state_of(State.INVISIBLE, turns=5), buff("power", 1))
    gone = apply(state, Cast("cast", HERE), dice)
    assert gone.fighter(0).has(State.INVISIBLE)
    assert apply(gone, END, dice).fighter(0).has(State.INVISIBLE)
    back = apply(gone, Cast("hit", THERE), dice).fighter(0)
    assert not back.has(State.INVISIBLE)
    assert [b.stat for b in back.buffs] == ["power"]

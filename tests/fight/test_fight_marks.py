"""Glyphs act on who begins a turn in them, traps on who comes in; both end as they should."""

import random

import pytest
from fights import fight, fighter, spell

from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import to_cell, to_xy
from botapp.fight.marks import observation
from botapp.fight.rules import apply, apply_expected, expected, legal_actions, winner
from botapp.fight.spells import Affects, Buff, Effect, EffectKind, Shape, State
from botapp.fight.state import Mark, MarkKind

dice = random.Random(0)
HERE = 286
X, Y = to_xy(HERE)
END = EndTurn()
BURN = Effect(EffectKind.DAMAGE, 10, 10)


def at(dx, dy):
    return to_cell(X + dx, Y + dy)


def lay(kind, *payload, turns=3, radius=0, **more):
    return Effect(kind, turns=turns, shape=Shape.CIRCLE, radius=radius, payload=payload or (BURN,), **more)


def laid(effect, cell, enemy, *others, **changes):
    caster = fighter(0, 0, HERE, [spell("lay", (effect,), min_range=0, max_range=9)], **changes)
    return apply(fight(caster, enemy, *others), Cast("lay", cell), dice)


def test_a_glyph_acts_on_who_begins_its_turn_in_it_and_on_nobody_else():
    enemy = fighter(1, 1, at(3, 0))
    after = laid(lay(EffectKind.GLYPH, radius=1), at(2, 0), enemy)
    assert [(m.kind, m.owner, len(m.cells), m.turns) for m in after.marks] == [(MarkKind.GLYPH, 0, 5, 3)]
    assert after.fighter(1).hp == 100
    assert apply(after, END, dice).fighter(1).hp == 90
    assert apply_expected(after, END).fighter(1).hp == 90
    away = laid(lay(EffectKind.GLYPH, radius=1), at(2, 0), fighter(1, 1, at(5, 0)))
    assert apply(away, END, dice).fighter(1).hp == 100


def test_a_glyph_is_walked_over_freely():
    after = apply(laid(lay(EffectKind.GLYPH), at(2, 0), fighter(1, 1, at(3, 0))), END, dice)
    walked = apply(after, Move((at(2, 0), at(1, 0))), dice)
    assert (walked.fighter(1).hp, walked.fighter(1).cell) == (100, at(1, 0))


def test_a_glyph_lasts_so_many_turns_of_its_owner():
    state = laid(lay(EffectKind.GLYPH, turns=2), at(3, 0), fighter(1, 1, at(3, 0)))
    hp = []
    for _ in range(3):
        state = apply(apply(state, END, dice), END, dice)
        hp.append(state.fighter(1).hp)
    assert hp == [90, 80, 80]
    assert state.marks == ()


def test_the_oldest_mark_goes_where_there_is_no_room_for_one_more():
    marks = tuple(Mark(MarkKind.GLYPH, 1, cell, (cell,), 0, (BURN,)) for cell in range(100, 228))
    caster = fighter(0, 0, HERE, [spell("lay", (lay(EffectKind.GLYPH),), min_range=0, max_range=9)])
    state = fight(caster, fighter(1, 1, at(3, 0))).changed(marks=marks)
    after = apply(state, Cast("lay", at(2, 0)), dice)
    assert after.marks[:-1] == marks[1:]
    assert (after.marks[-1].cell, after.marks[-1].owner) == (at(2, 0), 0)


def test_a_glyph_acts_on_whom_it_is_meant_for():
    soothe = Effect(EffectKind.HEAL, 5, 5)
    drain = Effect(EffectKind.REMOVE_MP, 3, 3, affects=Affects.ENEMIES)
    state = laid(lay(EffectKind.GLYPH, soothe, drain, radius=3), HERE, fighter(1, 1, at(2, 0), hp=50), hp=50)
    theirs = apply(state, END, dice)
    assert theirs.fighter(1).hp == 50
    assert theirs.fighter(1).mp < 3
    own = apply(theirs, END, dice)
    assert (own.fighter(0).hp, own.fighter(0).mp) == (55, 3)


def test_a_glyph_that_kills_passes_the_turn_on():
    weak, third = fighter(1, 1, at(3, 0), hp=5), fighter(2, 1, at(9, 0))
    state = laid(lay(EffectKind.GLYPH), at(3, 0), weak, third)
    after = apply(state, END, dice)
    assert (after.fighter(1).hp, after.actor.id) == (0, 2)
    last = apply(laid(lay(EffectKind.GLYPH), at(3, 0), weak), END, dice)
    assert winner(last) == 0


def test_marks_go_with_their_owner():
    state = laid(lay(EffectKind.GLYPH), at(3, 0), fighter(1, 1, at(3, 0), [spell()]), hp=5)
    mate = state.changed(fighters=(*state.fighters, fighter(2, 0, 30)), order=(0, 1, 2))
    dead = apply(apply(mate, END, dice), Cast("jab", HERE), dice)
    assert dead.fighter(0).hp == 0
    assert dead.marks == ()


def trap(*payload, radius=0, turns=0, **more):
    return lay(EffectKind.TRAP, *payload, radius=radius, turns=turns, **more)


def walked_into(effect, enemy_start=(4, 0), path=((3, 0), (2, 0), (1, 0)), **changes):
    state = laid(effect, at(2, 0), fighter(1, 1, at(*enemy_start), **changes))
    return apply(apply(state, END, dice), Move(tuple(at(*step) for step in path)), dice)


def test_a_trap_ends_the_walk_acts_once_and_is_gone():
    after = walked_into(trap())
    assert (after.fighter(1).cell, after.fighter(1).mp, after.fighter(1).hp) == (at(2, 0), 1, 90)
    assert after.marks == ()


def test_a_wide_trap_springs_at_its_rim():
    after = walked_into(trap(radius=1))
    assert (after.fighter(1).cell, after.fighter(1).hp) == (at(3, 0), 90)


def test_a_traps_blast_reaches_all_around_its_centre_and_falls_off():
    blast = Effect(EffectKind.DAMAGE, 20, 20, shape=Shape.CIRCLE, radius=2)
    near = fighter(2, 1, at(2, 2))
    state = laid(trap(blast), at(2, 0), fighter(1, 1, at(3, 0)), near, fighter(3, 1, at(2, 3)))
    after = apply(apply(state, END, dice), Move((at(2, 0),)), dice)
    assert [after.fighter(i).hp for i in range(4)] == [100, 80, 84, 100]


def test_the_own_side_springs_traps_too_but_walks_around_those_it_knows():
    state = laid(trap(), at(1, 0), fighter(1, 1, at(9, 0)), mp=3)
    moves = {a.target: a.path for a in legal_actions(state) if isinstance(a, Move)}
    assert moves[at(1, 0)] == (at(1, 0),)
    assert all(at(1, 0) not in path[:-1] for path in moves.values())
    assert at(3, 0) not in moves
    mate = state.changed(fighters=(state.fighter(0).changed(ap=6), *state.fighters[1:]))
    sprung = apply(mate, Move((at(1, 0), at(2, 0))), dice)
    assert sprung.fighter(0).cell == at(1, 0)
    assert sprung.fighter(0).hp == 100
    assert sprung.marks == ()


def test_enemies_plan_through_traps_they_cannot_see():
    state = apply(laid(trap(), at(2, 0), fighter(1, 1, at(4, 0))), END, dice)
    moves = {a.target: a.path for a in legal_actions(state) if isinstance(a, Move)}
    assert moves[at(1, 0)] == (at(3, 0), at(2, 0), at(1, 0))
    assert [mark.cells for mark in state.marks] == [(at(2, 0),)]
    assert observation(state, 1).marks == ()
    assert observation(state, 0) == state


def test_who_is_pushed_into_a_trap_stops_in_it():
    shove = spell("shove", (Effect(EffectKind.PUSH, 4, 4),), ap=1)
    caster = fighter(0, 0, HERE, [spell("lay", (trap(),), ap=1, max_range=9, needs_sight=False), shove])
    state = apply(fight(caster, fighter(1, 1, at(1, 0))), Cast("lay", at(3, 0)), dice)
    after = apply(state, Cast("shove", at(1, 0)), dice)
    assert (after.fighter(1).cell, after.fighter(1).hp, after.marks) == (at(3, 0), 90, ())
    assert expected(state, Cast("shove", at(1, 0)))[1].moved == 2


def test_a_trap_may_push_into_the_next_one():
    away = Effect(EffectKind.PUSH, 2, 2, shape=Shape.CIRCLE, radius=1)
    spells = [
        spell(key, (effect,), ap=1, max_range=9, needs_sight=False)
        for key, effect in (("one", trap(away, radius=1)), ("two", trap()))
    ]
    caster = fighter(0, 0, HERE, spells)
    state = apply(fight(caster, fighter(1, 1, at(4, 0))), Cast("one", at(2, 0)), dice)
    state = apply(state, Cast("two", at(5, 0)), dice)
    after = apply(apply(state, END, dice), Move((at(3, 0),)), dice)
    assert (after.fighter(1).cell, after.fighter(1).hp, after.marks) == (at(5, 0), 90, ())


def test_a_trap_that_kills_the_walker_passes_its_turn_on():
    after = walked_into(trap(), hp=5)
    assert winner(after) == 0
    state = laid(trap(), at(2, 0), fighter(1, 1, at(3, 0), hp=5), fighter(2, 1, at(0, 5)))
    dead = apply(apply(state, END, dice), Move((at(2, 0),)), dice)
    assert (dead.fighter(1).hp, dead.actor.id) == (0, 2)


def test_a_teleport_and_a_summons_arrival_spring_traps():
    jump = spell("jump", (Effect(EffectKind.TELEPORT),), max_range=9)
    state = laid(trap(), at(2, 0), fighter(1, 1, at(4, 0), [jump]))
    after = apply(apply(state, END, dice), Cast("jump", at(2, 0)), dice)
    assert (after.fighter(1).hp, after.marks) == (90, ())


def test_a_payload_for_the_owner_reaches_it_wherever_it_is():
    focus = Effect(EffectKind.STATE, state=State.FOCUSED, affects=Affects.CASTER, turns=2)
    after = walked_into(trap(focus))
    assert after.fighter(0).buffs == (Buff(0, 2, state=State.FOCUSED),)
    assert after.fighter(1).buffs == ()


@pytest.mark.parametrize("kind", [EffectKind.GLYPH, EffectKind.TRAP])
def test_what_is_laid_is_foreseen_and_expected(kind):
    caster = fighter(0, 0, HERE, [spell("lay", (lay(kind),), min_range=0)])
    state = fight(caster, fighter(1, 1, at(3, 0)))
    cast = Cast("lay", at(2, 0))
    assert expected(state, cast)[0].marks == 1
    assert apply_expected(state, cast) == apply(state, cast, dice)

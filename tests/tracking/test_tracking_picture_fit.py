"""One request tries all that may have been done, and judges it as if each had been done by itself."""

import random
from dataclasses import replace

import pytest

from botapp.arena.scenarios import outcome, team
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import CELLS, distance
from botapp.fight.ranges import reachable
from botapp.fight.rules import apply, apply_expected, legal_actions
from botapp.fight.spells import Affects, Buff, Effect, EffectKind, Shape, Spell, State, Stats, Summon
from botapp.fight.state import Fighter, FightState, Mark, MarkKind
from botapp.tracking.belief import follow
from botapp.tracking.picture import Picture
from botapp.tracking.picture_fit import PictureFit, Tried


def picture_of(state: FightState, **more) -> Picture:
    """A flawless picture of a state for fighter 0."""
    alive = [f for f in state.fighters if f.alive or f.id == 0]
    shown = tuple(f if f.id == 0 else f.changed(cooldowns=(), casts=(), buffs=()) for f in alive)
    bars = {f.id: f.hp / f.max_hp for f in alive}
    shields = {f.id: f.shield / f.max_hp for f in alive}
    seen = replace(state, fighters=shown)
    return Picture(seen, 0, bars, mine=state.actor.id == 0, shields=shields, **more)


def states(seed: int, count: int) -> list[FightState]:
    rng, state, found = random.Random(seed), team(seed, 2), []
    while len(found) < count and outcome(state) is None and state.fighter(0).alive:
        found.append(state)
        state = apply(state, rng.choice(legal_actions(state)), rng)
    return found


def pairs(seed: int) -> list[tuple[FightState, PictureFit]]:
    """States, each with a picture of what the fight has come to three actions later."""
    met = states(seed, 30)
    return [(before, PictureFit(picture_of(after))) for before, after in zip(met, met[3:], strict=False)][::4]


def brought_on(state: FightState, picture: Picture) -> FightState | None:
    """The state after as many ends of turns as lead to the picture's turn."""
    for _ in state.order:
        if state.turn == picture.state.turn and (state.actor.id == 0) == picture.mine:
            return state
        if outcome(state) is not None or state.turn > picture.state.turn:
            return None
        state = apply_expected(state, EndTurn())
    return None


@pytest.mark.parametrize("seed", (1, 2, 3))
def test_every_legal_cast_is_tried_and_judged_as_what_comes_of_it(seed):
    for before, witness in pairs(seed):
        casts = [action for action in legal_actions(before) if isinstance(action, Cast)]
        tried = witness.attempts(before, Tried.CASTS, on=False)
        assert [attempt.cast for attempt in tried] == casts
        for attempt in tried[::7]:
            assert attempt.mismatch == witness.mismatch(apply_expected(before, attempt.cast))


@pytest.mark.parametrize("seed", (1, 2, 3))
def test_what_never_comes_to_the_turn_that_is_seen_is_left_out(seed):
    for before, witness in pairs(seed):
        casts = [action for action in legal_actions(before) if isinstance(action, Cast)]
        after = [brought_on(apply_expected(before, cast), witness.picture) for cast in casts]
        fitting = [(cast, witness.mismatch(state)) for cast, state in zip(casts, after, strict=True) if state]
        assert [(a.cast, a.mismatch) for a in witness.attempts(before, Tried.CASTS)] == fitting


@pytest.mark.slow
def test_a_walk_to_where_somebody_is_seen_is_tried_alone_and_after_each_cast():
    walked = cast_then_walked = 0
    for before in states(4, 40):
        for cell, path in list(reachable(before, before.actor).items())[:2]:
            after = apply_expected(before, Move(path))
            witness = PictureFit(picture_of(after))
            if after.actor.id != before.actor.id or after.actor.cell != cell:
                continue
            (walk,) = witness.attempts(before, Tried.WALK, on=False)
            assert (walk.cast, walk.walks, walk.penalty) == (None, True, 0.0)
            assert walk.mismatch == witness.mismatch(after)
            walked += 1
            for attempt in witness.attempts(before, Tried.CASTS_AND_WALK, on=False):
                between = apply_expected(before, attempt.cast)
                way = reachable(between, between.actor).get(cell)
                assert (attempt.penalty == 0) == (way is not None)
                if way is not None:
                    assert attempt.mismatch == witness.mismatch(apply_expected(between, Move(way)))
                    cast_then_walked += 1
    assert walked > 10 and cast_then_walked > 10


def test_a_walk_that_the_rules_refuse_is_odd_and_none_is_too_far():
    state = team(5, 2)
    actor = state.actor
    tired = state.changed(fighters=tuple(f.changed(mp=0) if f is actor else f for f in state.fighters))
    near, *_, far = reachable(state, actor)

    def seen_at(cell: int, mp: int) -> list:
        there = tuple(f.changed(cell=cell) if f.id == actor.id else f for f in tired.fighters)
        base = tired.changed(
            fighters=tuple(f.changed(base_mp=mp) if f.id == actor.id else f for f in tired.fighters)
        )
        return PictureFit(picture_of(tired.changed(fighters=there))).attempts(base, Tried.WALK, on=False)

    (walk,) = seen_at(near, 3)
    assert walk.walks and walk.penalty > 10
    assert seen_at(far, -3) == []
    assert seen_at(actor.cell, 3) == []


def other_than_player(state: FightState) -> Fighter:
    return next(f for f in state.fighters if f.id != 0)


def with_other(state: FightState, **changes) -> FightState:
    other = other_than_player(state)
    return state.changed(fighters=tuple(f.changed(**changes) if f is other else f for f in state.fighters))


def test_a_state_is_what_its_picture_shows_until_something_differs():
    state = team(6, 2)
    witness = PictureFit(picture_of(state))
    other = other_than_player(state)
    assert witness.mismatch(state) == 0
    assert witness.mismatch(with_other(state, cell=next(iter(reachable(state, other))))) >= 100
    assert 0 < witness.mismatch(with_other(state, hp=other.hp - 5)) < 10
    assert witness.mismatch(with_other(state, hp=other.hp // 2)) > 10
    assert 0 < witness.mismatch(with_other(state, shield=9)) < 20
    assert witness.mismatch(with_other(state, hp=0)) >= 10
    gone = PictureFit(picture_of(with_other(state, hp=0)))
    assert gone.mismatch(state) == 25
    hidden = Buff(other.id, 2, "", 0, State.INVISIBLE)
    assert gone.mismatch(with_other(state, buffs=(hidden,))) == 0


def test_marks_count_where_they_can_be_seen():
    state = team(6, 2)
    cell = max(range(CELLS), key=lambda cell: min(distance(cell, f.cell) for f in state.fighters))
    laid = state.changed(marks=(Mark(MarkKind.GLYPH, 0, cell, (cell,), 3, (), "Glyph"),))
    seen = PictureFit(picture_of(state, glyphs=frozenset({cell})))
    assert seen.mismatch(state) == 25 and seen.mismatch(laid) == 0
    bare = picture_of(state, glyphs=frozenset())
    assert PictureFit(bare).mismatch(laid) == 25
    assert PictureFit(picture_of(state)).mismatch(laid) == 0
    underfoot = state.actor.cell
    stood_on = state.changed(marks=(replace(laid.marks[0], cell=underfoot, cells=(underfoot,)),))
    assert PictureFit(bare).mismatch(stood_on) == 0


BEAST = Summon("witness-beast", "Beast", level=1, hp=30, ap=2, mp=2, stats=Stats(), spells=())
TRACES = {
    "damage": (Effect(EffectKind.DAMAGE, 30, 30),),
    "steal": (Effect(EffectKind.STEAL, 24, 24),),
    "shield": (Effect(EffectKind.SHIELD, 40, 40, affects=Affects.CASTER),),
    "push": (Effect(EffectKind.PUSH, 2, 2),),
    "pull": (Effect(EffectKind.PULL, 1, 1),),
    "teleport": (Effect(EffectKind.TELEPORT),),
    "area": (Effect(EffectKind.DAMAGE, 20, 20, shape=Shape.CIRCLE, radius=2),),
    "poisoned ground": (
        Effect(
            EffectKind.GLYPH,
            shape=Shape.CIRCLE,
            radius=1,
            turns=3,
            payload=(Effect(EffectKind.DAMAGE, 10, 10),),
        ),
        Effect(EffectKind.DAMAGE, 15, 15, shape=Shape.CIRCLE, radius=2),
    ),
    "summon": (Effect(EffectKind.SUMMON, summon=BEAST),),
    "swap": (Effect(EffectKind.SWAP),),
    "harm and delayed harm": (
        Effect(EffectKind.DAMAGE, 25, 25),
        Effect(EffectKind.DAMAGE, 12, 12, delay=1),
    ),
    "harm and a buff": (
        Effect(EffectKind.DAMAGE, 25, 25),
        Effect(EffectKind.BUFF, -20, -20, turns=2, stat="power"),
        Effect(EffectKind.STATE, turns=2, state=State.ROOTED),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("effects", TRACES.values(), ids=TRACES.keys())
def test_a_cast_is_known_by_whatever_trace_its_effects_leave(effects):
    """Be it seen by its harm, by where somebody is now, by what lies on the ground or who is new."""
    spell = Spell("witness-spell", "Spell", 3, 0, 8, effects, needs_sight=False, cooldown=4)
    found = 0
    for seed in range(8):
        state = team(seed, 1)
        if state.actor.id == 0:
            continue
        caster = state.actor.changed(spells=(spell,), cooldowns=(), casts=())
        state = state.changed(fighters=tuple(caster if f.id == caster.id else f for f in state.fighters))
        foe = state.fighter(0)
        near = next(c for c in (foe.cell + 42, foe.cell - 42, foe.cell + 44, foe.cell - 40) if 0 <= c < 560)
        state = state.changed(
            fighters=tuple(f if f.id == 0 else f.changed(cell=near) for f in state.fighters)
        )
        for cast in [action for action in legal_actions(state) if isinstance(action, Cast)]:
            after = apply_expected(state, cast)
            picture = picture_of(after, glyphs=frozenset(c for m in after.marks for c in m.cells))
            if PictureFit(picture).mismatch(state) < 1:
                continue
            believed = follow(state, picture)
            assert believed.fighter(caster.id).casts[-1][0] == spell.key
            assert believed.fighter(caster.id).cooldowns == ((spell.key, 4),)
            assert [f.buffs for f in believed.fighters] == [f.buffs for f in after.fighters]
            assert [(f.id, f.cell, f.kind) for f in believed.fighters] == [
                (f.id, f.cell, f.kind) for f in after.fighters
            ]
            found += 1
            break
    assert found >= 2

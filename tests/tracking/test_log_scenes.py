"""A cast is of the one who was at turn as the log told of it, from where it stood then."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flawless import view_of
from test_tracking_belief import line_of, picture_of

from botapp.arena.scenarios import adventure, team
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.rules import apply_expected, legal_actions
from botapp.fight.spells import Effect, EffectKind, Element
from botapp.fight.state import FightState, Mark, MarkKind
from botapp.tracking.belief import follow
from botapp.tracking.inference import walked_since
from botapp.tracking.picture import KEPT_NS, CastMoments, News, Scene, followed, moments_of
from botapp.tracking.picture_fit import PictureFit
from botapp.tracking.state_tracker import StateTracker
from vision.view import Seen


def _after(state: FightState, *actions: Action) -> FightState:
    for action in actions:
        state = apply_expected(state, action)
    return state


def _at_turn_of(state: FightState, number: int) -> FightState:
    while state.actor.id != number:
        state = apply_expected(state, EndTurn())
    return state


def _casts(state: FightState) -> Iterator[Cast]:
    tried = set()
    for action in legal_actions(state):
        if isinstance(action, Cast) and action.spell not in tried:
            tried.add(action.spell)
            yield action


def _cooldowns(state: FightState) -> list[tuple[int, tuple[tuple[str, int], ...]]]:
    return [(f.id, tuple(sorted(f.cooldowns))) for f in state.fighters]


@pytest.mark.slow
def test_of_two_of_a_kind_the_one_at_turn_then_has_cast() -> None:
    told, guessed = 0, 0
    for opening in (team(seed, 3) for seed in range(12)):
        order, kinds = opening.order, [opening.fighter(number).kind for number in opening.order]
        twins = [n for n in order if n and kinds.count(opening.fighter(n).kind) == 2]
        if len(twins) != 2 or order.index(0) < order.index(twins[1]):
            continue
        first, second = twins
        state = _at_turn_of(opening, first)
        for cast in _casts(state):
            after = _at_turn_of(_after(state, cast), second)
            line = replace(line_of(state, cast), aimed=False, target=None)
            picture = replace(picture_of(after), news=News((line,), logged=True), playing=second)
            guessed += _cooldowns(follow(state, picture)) == _cooldowns(after)
            known = follow(state, replace(picture, news=News((line,), (CastMoments((first,)),), logged=True)))
            assert _cooldowns(known) == _cooldowns(after), cast
            told += 1
    assert told > guessed > 0


def _trap(state: FightState, cell: int) -> Mark:
    """Returns a trap of the player's side that pushes and hurts who steps on it."""
    effects = (
        Effect(EffectKind.DAMAGE, low=30, high=30, element=Element.AIR),
        Effect(EffectKind.PUSH, low=2, high=2),
    )
    return Mark(MarkKind.TRAP, 0, cell, (cell,), 0, effects)


def test_a_caster_whom_a_trap_has_thrown_on_has_cast_before() -> None:
    """It had the wind at its back where it stood first; the trap has thrown it where it is seen."""
    told, guessed = 0, 0
    for opening in (team(seed, 3) for seed in range(60)):
        gale = next((f for f in opening.fighters if f.id and f.kind == "gale" and f.team == 1), None)
        if gale is None:
            continue
        state = _at_turn_of(opening, gale.id)
        for walk in (one for one in legal_actions(state) if isinstance(one, Move) and len(one.path) == 3):
            trapped = state.changed(marks=(_trap(state, walk.target),))
            cast = Cast("tailwind", gale.cell)
            here = _after(trapped, cast, walk)
            late = _after(trapped, walk)
            if here.actor.id != gale.id or here.actor.cell == walk.target or late.actor.id != gale.id:
                continue
            buffs = [f.buffs for f in here.fighters]
            if buffs == [f.buffs for f in _after(late, Cast("tailwind", late.actor.cell)).fighters]:
                continue
            line = replace(line_of(state, cast), aimed=False, target=None)
            stood = tuple((gale.id, cell) for cell in (gale.cell, walk.target, here.actor.cell))
            picture = replace(picture_of(here), news=News((line,), stood=stood, logged=True))
            guessed += [f.buffs for f in follow(trapped, picture).fighters] == buffs
            where = CastMoments((gale.id,), ((gale.id, gale.cell),))
            known = follow(trapped, replace(picture, news=News((line,), (where,), stood=stood, logged=True)))
            assert [f.buffs for f in known.fighters] == buffs
            assert known.fighter(gale.id).hp == here.fighter(gale.id).hp
            told += 1
            break
    assert told > 3


def test_turns_that_are_over_are_no_less_likely_than_a_cast_that_leaves_no_trace() -> None:
    """A magpie can take MP of its own side; where nothing is seen of that, it has not."""
    passed = 0
    for seed in range(1017, 1060):
        state = adventure(seed, "gale")
        if state.actor.kind != "magpie" or state.order[1] != 0:
            continue
        after = apply_expected(state, EndTurn())
        believed = follow(state, replace(picture_of(after), news=News()))
        assert [(f.ap, f.mp, f.buffs) for f in believed.fighters] == [
            (f.ap, f.mp, f.buffs) for f in after.fighters
        ]
        passed += 1
    assert passed


def test_a_cast_where_a_walk_has_led_that_is_told_there() -> None:
    """Told where the caster has arrived, the cast was made there though it could be made before as well."""
    told, guessed = 0, 0
    for opening in (team(seed, 3) for seed in range(60)):
        gale = next((f for f in opening.fighters if f.id and f.kind == "gale"), None)
        if gale is None:
            continue
        state = _at_turn_of(opening, gale.id)
        for walk in (one for one in legal_actions(state) if isinstance(one, Move) and len(one.path) == 3):
            cast = Cast("tailwind", walk.target)
            here = _after(state, walk, cast)
            buffs = [f.buffs for f in here.fighters]
            early = _after(state, Cast("tailwind", gale.cell), walk)
            if buffs == [f.buffs for f in early.fighters]:
                continue
            line = replace(line_of(_after(state, walk), cast), aimed=False, target=None)
            stood = ((gale.id, walk.target),)
            picture = replace(picture_of(here), news=News((line,), stood=stood, logged=True))
            guessed += [f.buffs for f in follow(state, picture).fighters] == buffs
            moments = (CastMoments((gale.id,), stood),)
            known = follow(state, replace(picture, news=News((line,), moments, stood=stood, logged=True)))
            assert [f.buffs for f in known.fighters] == buffs
            told += 1
            break
    assert told > 3 and guessed < told


def test_whoever_is_at_turn_up_to_the_picture_may_have_walked_since() -> None:
    """What was told of two turns ago is not held against the cells of those who have walked since."""
    state = team(1, 3)
    then = state
    for _ in range(2):
        then = apply_expected(then, EndTurn())
    walk = next(one for one in legal_actions(then) if isinstance(one, Move))
    there = apply_expected(then, walk)
    assert walked_since(state, PictureFit(picture_of(then))) == 0
    assert walked_since(state, PictureFit(replace(picture_of(there), playing=there.actor.id))) == 1
    pushed = state.order[4]
    moved = tuple(f.changed(cell=walk.target) if f.id == pushed else f for f in then.fighters)
    elsewhere = replace(picture_of(then.changed(fighters=moved)), playing=then.actor.id)
    assert walked_since(state, PictureFit(elsewhere)) == 0


def test_scenes_are_kept_while_they_can_still_be_told_of() -> None:
    scenes: tuple[Scene, ...] = ()
    for second in range(30):
        scenes = followed(scenes, second * 10**9, second // 10, [(1, 100 + second // 10)])
    assert [one.captured_ns for one in scenes] == [10 * 10**9, 20 * 10**9]
    assert KEPT_NS < 10 * 10**9
    assert followed(scenes, 31 * 10**9, 2, [(1, 102)]) == scenes
    later = followed(scenes, 31 * 10**9, 3, [(2, 7)])
    assert moments_of(later, 31 * 10**9 + 1) == CastMoments((3, 2), ((1, 102), (2, 7)))
    assert moments_of(later, 30 * 10**9) == CastMoments((2,), ((1, 102),))
    assert moments_of((), 5) == CastMoments()


def test_a_line_is_about_the_picture_that_has_shown_it_first() -> None:
    """Read two seconds late, when another fighter plays, a line is still about the one who played then."""
    state = team(1, 3)
    tracker = StateTracker()
    for at_s, number in enumerate(state.order[:3]):
        state = _at_turn_of(state, number)
        cards = tuple(_card(f, f.id == number) for f in map(state.fighter, state.order))
        view = replace(view_of(state, 0), order=cards, fighters_shown=Seen(6, 1.0), log=())
        for more in (0.0, 0.1):
            tracker.situate(replace(view, captured_ns=round((at_s + more) * 1e9)))
    who = state.fighter(state.order[0])
    line = replace(line_of(state, Cast(who.spells[0].key, who.cell)), caster=who.kind, captured_ns=10**8)
    memory = tracker.situate(
        replace(view, log=(line,), log_told=1, captured_ns=2_300_000_000)
    ).situation.memory
    known = {f.cell: f.id for f in memory.believed.fighters}
    assert [one.playing for one in memory.log.news.moments] == [(known[who.cell],)]


def _card(fighter, current: bool):
    from vision.view import CardSeen

    side = "own" if fighter.id == 0 else "ally" if fighter.team == 0 else "enemy"
    return CardSeen(None, side, current, Seen(fighter.hp / fighter.max_hp, 1.0), "", fighter.kind)

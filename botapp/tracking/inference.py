"""Finds the actions, allowed by the rules, that lead from one picture to the next.

Whoever is at turn may have walked and cast. Where the screen has a log, exactly the casts that it lists were
made. Next hop: `botapp.tracking.belief`.
"""

from collections.abc import Iterator

from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.rules import IllegalAction, apply_expected, legal_actions, winner
from botapp.fight.state import FightState
from botapp.tracking.mismatch import mismatch
from botapp.tracking.picture import Picture
from vision.view import ChronicleLine

_WAYS = 16
"""How many ways in which the casts told may have gone are followed at once."""
_LIKELY_ENOUGH = 45.0
_ODD_WALK, _SPARE_MP = 15.0, 3
_NOBODYS_DOING = 40.0
"""How unlikely it is that HP changed though nobody acted."""
_PASSED = 2
"""Fighters that two actions are tried for; more would take too long."""


def explained(passed: list[FightState], picture: Picture) -> FightState | None:
    """Returns the state after what explains a picture best, None where nothing does.

    One action is tried before two.

    Args:
        passed: the states in which somebody may have acted, the likeliest first.
        picture: the picture.
    """
    for futures in (_after_one(passed, picture), _after_two(passed[:_PASSED], picture)):
        best, least = None, _LIKELY_ENOUGH
        for unlikely, state in futures:
            away = unlikely + mismatch(state, picture)
            if away < least:
                best, least = state, away
                if away < 1:
                    break
        if best is not None:
            return best
    return None


def explained_by_log(believed: FightState, picture: Picture) -> FightState | None:
    """Returns the state after the casts that the log tells of, at the targets that explain a picture best."""
    ways = [(0.0, believed)]
    for line in picture.told or ():
        after = [
            (unlikely + odd, cast)
            for unlikely, state in ways
            for odd, cast in _cast_as_told(state, line, picture)
        ]
        after.sort(key=lambda way: way[0] + mismatch(way[1], picture))
        ways = after[:_WAYS] or ways
    ends = [
        (unlikely + odd + mismatch(end, picture), end)
        for unlikely, state in ways
        for odd, end in _since_then(state, picture)
    ]
    return min(ends, key=lambda way: way[0])[1] if ends else None


def passed_on(believed: FightState, picture: Picture) -> list[FightState]:
    """Returns the states after nobody, one, two and so on have ended their turns, which is not seen.

    Then those with each other fighter at turn: whoever was believed to be may not have been.
    """
    states = [believed]
    for _ in believed.order:
        try:
            state = apply_expected(states[-1], EndTurn())
        except IllegalAction:
            break
        if winner(state) is not None or state.turn > picture.state.turn:
            break
        states.append(state)
    played = {state.actor.id for state in states}
    for place, number in enumerate(believed.order):
        if number not in played and believed.fighter(number).alive:
            states.append(believed.changed(current=place, turn=picture.state.turn))
    return states


def at_turn(state: FightState, picture: Picture) -> bool:
    """Tells whether it is the turn that a picture shows, of whom it shows at turn."""
    playing = state.order[state.current]
    if picture.playing is not None and playing != picture.playing:
        return False
    return (playing == picture.player) == picture.mine and state.turn == picture.state.turn


def _cast_as_told(
    state: FightState, line: ChronicleLine, picture: Picture
) -> Iterator[tuple[float, FightState]]:
    """Yields the states after a cast that was told of, each with how odd the way there is."""
    casters = [before for before in passed_on(state, picture) if before.actor.kind == line.caster]
    for turns, before in enumerate(casters):
        for odd, stood in ((0.0, before), *_walks(before, picture)):
            for action in legal_actions(stood):
                if isinstance(action, Cast) and action.spell in line.spells:
                    hit = next((f.kind for f in stood.fighters if f.alive and f.cell == action.target), None)
                    if hit == line.target:
                        yield turns + odd, apply_expected(stood, action)


def _walks(before: FightState, picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields the states after the current actor has walked to where it is seen, where it is not there."""
    if winner(before) is None:
        for _, odd, walked in _acts(before, picture, Move):
            yield 1.0 + odd, walked


def _since_then(state: FightState, picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields the states at the picture's turn, somebody having walked by then or nobody."""
    if winner(state) is not None:
        yield 0.0, state
        return
    for turns, before in enumerate(passed_on(state, picture)):
        for odd, walked in ((0.0, before), *_walks(before, picture)):
            after = _at_its_turn(walked, picture)
            if after is not None:
                yield turns + odd, after


def _after_one(passed: list[FightState], picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields states in which nobody or somebody has acted, each with how unlikely it is."""
    for turns, state in enumerate(passed):
        if at_turn(state, picture):
            yield turns + (0.0 if mismatch(state, picture) < 1 else _NOBODYS_DOING), state
    for turns, before in enumerate(passed):
        for _, odd, acted in _acts(before, picture):
            after = _at_its_turn(acted, picture)
            if after is not None:
                yield turns + 0.5 + odd, after


def _after_two(passed: list[FightState], picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields states in which somebody has walked and cast a spell, or cast one and walked."""
    for turns, before in enumerate(passed):
        for walked, odd, between in _acts(before, picture):
            if winner(between) is not None or between.actor.id != before.actor.id:
                continue
            for _, odd_then, acted in _acts(between, picture, Cast if walked else Move):
                after = _at_its_turn(acted, picture)
                if after is not None:
                    yield turns + 2.0 + odd + odd_then, after


def _at_its_turn(state: FightState, picture: Picture) -> FightState | None:
    """Returns the state once it is the turn that a picture shows; None where it never is."""
    for _ in state.order:
        if at_turn(state, picture):
            return state
        if winner(state) is not None or state.turn > picture.state.turn:
            return None
        state = apply_expected(state, EndTurn())
    return None


def _acts(
    state: FightState, picture: Picture, kinds: type[Cast] | type[Move] | None = None
) -> Iterator[tuple[bool, float, FightState]]:
    """Yields what the current actor may have done: any cast, and the walk to where it is seen.

    Each is told by whether it is a walk, how odd it is, and what comes of it. A walk that the rules refuse is
    odd, but a fighter that is seen elsewhere has come there somehow.

    Args:
        state: the state before.
        picture: what is seen now.
        kinds: casts or walks alone, None for both.
    """
    actor = state.actor
    seen = next((f for f in picture.state.fighters if f.id == actor.id), None)
    walked_to = seen.cell if seen is not None and seen.cell != actor.cell else None
    allowed = False
    if kinds is Move and walked_to is None:
        return
    for action in legal_actions(state):
        if isinstance(action, Move) and action.target != walked_to:
            continue
        if isinstance(action, Cast) and picture.told is not None:
            continue
        if isinstance(action, kinds or Cast | Move):
            allowed |= isinstance(action, Move)
            yield isinstance(action, Move), 0.0, apply_expected(state, action)
    if (
        kinds is not Cast
        and walked_to is not None
        and not allowed
        and distance(actor.cell, walked_to) <= actor.base_mp + _SPARE_MP
    ):
        there = actor.changed(cell=walked_to, mp=max(0, actor.mp - distance(actor.cell, walked_to)))
        moved = tuple(there if fighter is actor else fighter for fighter in state.fighters)
        yield True, _ODD_WALK, state.changed(fighters=moved)

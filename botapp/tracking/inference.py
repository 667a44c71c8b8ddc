"""Finds the actions, allowed by the rules, that lead from one picture to the next.

The fighter at turn may have walked and cast. Where the screen has a log, exactly the casts that it lists
were made.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from botapp.fight.actions import EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.core import watching as seen_as
from botapp.fight.ranges import reachable, way_to
from botapp.fight.rules import IllegalAction, apply_expected, winner
from botapp.fight.spells import EffectKind
from botapp.fight.state import FightState
from botapp.fight.workspace import with_turn
from botapp.tracking.picture import CastMoments, Picture, was_cast
from botapp.tracking.picture_fit import Attempt, PictureFit, Tried
from vision.view import ChronicleLine

_WAYS = 16  # How many ways in which the logged casts may have gone are followed at once
_LIKELY_ENOUGH = 45.0  # A change without a cause (below) still explains a picture, after up to five turns
_NO_CAUSE = 40.0  # How unlikely it is that HP changed though no fighter acted
_MISSED_TURN = 20.0  # How unlikely it is that the player's own turn went by without being seen
_AIMLESS = 5.0
"""How much less likely a cast at an empty cell is than one at a fighter: as much as dice make of a hit."""
_OTHERS_TURN = 20.0  # How unlikely a cast is by a fighter that was not at turn as its line came
_ELSEWHERE, _JUST_BEFORE = 5.0, 0.5
"""How much less likely a cast is from where its caster did not stand then, and from where it did before."""
_MOST_ROUNDS = 3  # So many rounds more may have gone by while nothing could be read
_PASSED = 2  # Fighters that two actions are tried for; more would take too long


class _Way(NamedTuple):
    """Something that may have happened."""

    unlikely: float  # How unlikely it is by itself
    before: FightState
    attempt: Attempt
    walks_on: float = 0.0  # What the picture takes off for the cells of those who may have walked since

    @property
    def away(self) -> float:
        """How unlikely it is by what the picture shows."""
        return self.unlikely + self.attempt.mismatch


def explained(believed: FightState, fit: PictureFit) -> FightState | None:
    """Returns the state after what explains a picture best, None where nothing does.

    One action is tried before two. Where there is a log, it would have told of a cast; one just found may
    have told of it before.
    """
    passed = costed(believed, fit.picture)
    quiet = fit.picture.news.logged
    tries, casts = Tried.WALK if quiet else Tried.WALK | Tried.CASTS, () if quiet else passed[:_PASSED]
    for ways in (_with_one_action(passed, fit, tries), _with_two_actions(casts, fit)):
        best, least = None, _LIKELY_ENOUGH
        for way in ways:
            away = way.away
            if away < least and _is_listed(way, fit.picture):
                best, least = way, away
                if away < 1:
                    break
        if best is not None:
            return _at_its_turn(_after(best, fit), fit.picture)
    return None


def _is_listed(way: _Way, picture: Picture) -> bool:
    """Tells whether a cast is one of those that stood in the log when it was found, True for no cast."""
    cast = way.attempt.cast
    return cast is None or was_cast(cast.spell, way.before.actor.kind, picture.news.past)


def explained_by_log(believed: FightState, fit: PictureFit) -> FightState | None:
    """Returns the state after the casts that the log tells of, at the targets that explain a picture best."""
    ways = [(0.0, believed)]
    news = fit.picture.news
    for line, moments in zip(news.casts, news.moments or [CastMoments()] * len(news.casts), strict=True):
        after = sorted(_after_line(ways, line, moments, fit), key=lambda way: way.away - way.walks_on)
        ways = [(way.unlikely, _after(way, fit)) for way in after[:_WAYS]] or ways
    ends: list[_Way] = []
    for stops in (False, True):
        if not any(end.away < 1 for end in ends):
            ends += [
                way._replace(unlikely=unlikely + way.unlikely)
                for unlikely, state in ways
                for way in _since_then(state, fit, stops)
            ]
    if not ends:
        return None
    return _at_its_turn(_after(min(ends, key=lambda way: way.away), fit), fit.picture)


def passed_on(believed: FightState, picture: Picture) -> list[FightState]:
    """Returns the states after no, one, two and more turns have ended, which is not seen.

    Then those with each other fighter at turn: the one believed to be at turn may not have been.
    """
    states = [believed]
    rounds = 1 + min(_MOST_ROUNDS, max(0, picture.state.turn - believed.turn - 1))
    for _ in range(rounds * len(believed.order)):
        try:
            state = _ended(states[-1])
        except IllegalAction:
            break
        if winner(state) is not None or state.turn > picture.state.turn:
            break
        states.append(state)
    played = {state.actor.id for state in states}
    for place, number in enumerate(believed.order):
        if number not in played and believed.fighter(number).alive:
            states.append(with_turn(believed, place, picture.state.turn))
    return states


def costed(believed: FightState, picture: Picture) -> list[tuple[float, FightState]]:
    """Returns the states of `passed_on`, each with how unlikely it is: the more turns, the less likely."""
    ways_found, missed_turn = [], 0.0
    for turns, state in enumerate(passed_on(believed, picture)):
        ways_found.append((turns + missed_turn, state))
        if turns and state.order[state.current] == picture.player:
            missed_turn = _MISSED_TURN
    return ways_found


def at_turn(state: FightState, picture: Picture) -> bool:
    """Tells whether it is the turn that a picture shows, of the fighter that it shows at turn."""
    playing = state.order[state.current]
    if picture.playing is not None and playing != picture.playing:
        return False
    return (playing == picture.player) == picture.mine and state.turn == picture.state.turn


def _after_line(
    ways: Sequence[tuple[float, FightState]], line: ChronicleLine, moments: CastMoments, fit: PictureFit
) -> list[_Way]:
    """Returns the casts that a line may tell of; those made on the way only where there are no others."""
    ways_found: list[_Way] = []
    for log_casts in (_as_logged, _on_its_way):
        ways_found = ways_found or [
            way._replace(unlikely=unlikely + way.unlikely)
            for unlikely, state in ways
            for way in log_casts(state, line, moments, fit)
        ]
    return ways_found


def _as_logged(
    state: FightState, line: ChronicleLine, moments: CastMoments, fit: PictureFit
) -> Iterator[_Way]:
    for turns, before in _casters(state, line, moments, fit):
        for penalty, stood in _stood(before, moments, fit):
            cells = {fighter.cell for fighter in stood.fighters if fighter.alive}
            placing = _placing_spells(stood)
            walks_on = seen_as.IMPOSSIBLE * walked_since(stood, fit)
            for attempt in _fitting(stood, line, fit):
                cast = attempt.cast
                aimless = cast is not None and cast.target not in cells and cast.spell not in placing
                yield _Way(turns + penalty + _AIMLESS * aimless, stood, attempt, walks_on)


def _on_its_way(
    state: FightState, line: ChronicleLine, moments: CastMoments, fit: PictureFit
) -> Iterator[_Way]:
    """Yields the casts of a line as made from the likeliest cell in between where they can be."""
    for turns, before in _casters(state, line, moments, fit):
        for stood in _between(before, fit):
            ways_found = _fitting(stood, line, fit)
            if ways_found:
                yield from (_Way(turns + 2.0, stood, attempt) for attempt in ways_found)
                return


def _casters(
    state: FightState, line: ChronicleLine, moments: CastMoments, fit: PictureFit
) -> list[tuple[float, FightState]]:
    ways_found = []
    for turns, before in costed(state, fit.picture):
        if before.actor.kind == line.caster:
            ways_found.append((turns + _odd_caster(before, moments), before))
    return ways_found


def _odd_caster(state: FightState, moments: CastMoments) -> float:
    """Returns how unlikely it is that the actor has made a cast, by who was at turn as its line came."""
    known = {fighter.id for fighter in state.fighters}
    if not moments.playing or not known.issuperset(moments.playing):
        return 0.0
    return 0.0 if state.order[state.current] in moments.playing else _OTHERS_TURN


def _place_penalty(state: FightState, moments: CastMoments) -> float:
    """Returns how unlikely it is that the actor has made a cast where it is, by where it stood then."""
    cell, cells = state.actor.cell, moments.cells_of(state.actor.id)
    if not cells or cell == cells[0]:
        return 0.0
    return _JUST_BEFORE if cell in cells else _ELSEWHERE


def _placing_spells(state: FightState) -> set[str]:
    """Returns the actor's spells that put something on a cell: a glyph, a trap, a summon, itself."""
    return {
        spell.key
        for spell in state.actor.spells
        for effect in spell.effects
        if effect.payload or effect.summon is not None or effect.kind is EffectKind.TELEPORT
    }


def walked_since(state: FightState, fit: PictureFit) -> int:
    """Returns how many of those at turn from a state up to the picture stand elsewhere on the picture."""
    picture, order = fit.picture, state.order
    shown = picture.player if picture.mine else picture.playing
    ways_found = set()
    for place in range(state.current, 2 * len(order)):
        number, turn = order[place % len(order)], state.turn + place // len(order)
        fighter = state.fighter(number)
        if fighter.alive and fit.cell_of(fighter, fighter.cell) != fighter.cell:
            ways_found.add(number)
        if turn > picture.state.turn or (number == shown and turn == picture.state.turn) or shown is None:
            break
    return len(ways_found)


def _fitting(stood: FightState, line: ChronicleLine, fit: PictureFit) -> list[Attempt]:
    kinds = {fighter.cell: fighter.kind for fighter in reversed(stood.fighters) if fighter.alive}
    return [
        attempt
        for attempt in fit.attempts(stood, Tried.CASTS, on=False)
        if attempt.cast
        and attempt.cast.spell in line.spells
        and (not line.aimed or kinds.get(attempt.cast.target) == line.target)
    ]


def _between(before: FightState, fit: PictureFit) -> Iterator[FightState]:
    """Yields the states after a walk to each cell in reach, those nearest to the way seen first."""
    actor = before.actor
    seen = fit.cell_of(actor, actor.cell)
    ways = reachable(before, actor)
    for cell in sorted(ways, key=lambda cell: distance(actor.cell, cell) + distance(cell, seen)):
        if ways[cell]:
            yield apply_expected(before, Move(ways[cell]))


def _walked(before: FightState, cell: int) -> FightState | None:
    """Returns the state once the actor has walked to a cell, None where no way leads to it."""
    path = way_to(before, before.actor, cell)
    return apply_expected(before, Move(path)) if path else None


def _stood(before: FightState, moments: CastMoments, fit: PictureFit) -> Iterator[tuple[float, FightState]]:
    yield _place_penalty(before, moments), before
    actor = before.actor
    tried = {actor.cell}
    for attempt in fit.attempts(before, Tried.WALK, on=False):
        tried.add(fit.cell_of(actor))
        after = _after(_Way(0.0, before, attempt), fit)
        yield 1.0 + attempt.penalty + _place_penalty(after, moments), after
    for cell in dict.fromkeys((*moments.cells_of(actor.id)[:1], *fit.picture.news.stops(actor.id))):
        there = None if cell in tried else _walked(before, cell)
        if there is not None:
            yield 1.0 + _place_penalty(there, moments), there


def _since_then(state: FightState, fit: PictureFit, stops: bool) -> Iterator[_Way]:
    """Yields what leads to the picture's turn, with a walk before it or without.

    Args:
        stops: whether the walk may pass a cell where the fighter was seen to stand, as on a trap.
    """
    if winner(state) is not None:
        yield from (_Way(0.0, state, attempt) for attempt in fit.attempts(state, Tried.NOTHING, on=False))
        return
    for turns, before in costed(state, fit.picture):
        for penalty, there in _stops(before, fit) if stops else [(0.0, before)]:
            for attempt in fit.attempts(there, Tried.NOTHING | Tried.WALK):
                yield _Way(
                    turns + penalty + (1.0 + attempt.penalty if attempt.walks else 0.0), there, attempt
                )


def _stops(before: FightState, fit: PictureFit) -> Iterator[tuple[float, FightState]]:
    for cell in fit.picture.news.stops(before.actor.id):
        after = _walked(before, cell)
        if after is not None and winner(after) is None and after.actor.id == before.actor.id:
            yield 1.0, after


def _with_one_action(
    passed: Sequence[tuple[float, FightState]], fit: PictureFit, kinds: Tried
) -> Iterator[_Way]:
    """Yields no action, then the actions that a fighter may have made.

    That the turns have ended which the picture shows to be over is no less likely than a cast in one of them.
    """
    shown = [(turns, state) for turns, state in passed if at_turn(state, fit.picture)]
    for turns, state in shown:
        for attempt in fit.attempts(state, Tried.NOTHING, on=False):
            penalty = 0.0 if attempt.mismatch < 1 else _NO_CAUSE
            yield _Way(turns - shown[0][0] + penalty, state, attempt)
    for turns, before in passed:
        for attempt in fit.attempts(before, kinds):
            yield _Way(turns + 0.5 + attempt.penalty, before, attempt)


def _with_two_actions(passed: Sequence[tuple[float, FightState]], fit: PictureFit) -> Iterator[_Way]:
    for turns, before in passed:
        for walk in fit.attempts(before, Tried.WALK, on=False):
            between = _after(_Way(0.0, before, walk), fit)
            if winner(between) is None and between.actor.id == before.actor.id:
                for attempt in fit.attempts(between, Tried.CASTS):
                    yield _Way(turns + 2.0 + walk.penalty, between, attempt)
        for attempt in fit.attempts(before, Tried.CASTS_AND_WALK):
            yield _Way(turns + 2.0 + attempt.penalty, before, attempt)


def _at_its_turn(state: FightState, picture: Picture) -> FightState:
    """Returns the state once it is the turn that a picture shows; as it is where the fight is over."""
    while winner(state) is None and not at_turn(state, picture):
        state = _ended(state)
    return state


def _ended(state: FightState) -> FightState:
    """Returns the state after the end of the current turn, worked out once: picture after picture asks."""
    return state.once("ended", lambda state: apply_expected(state, EndTurn()))


def _after(way: _Way, fit: PictureFit) -> FightState:
    state = way.before
    if way.attempt.cast is not None:
        state = apply_expected(state, way.attempt.cast, legal=True)
    if not way.attempt.walks:
        return state
    actor = state.actor
    cell = fit.cell_of(actor)
    walked = _walked(state, cell)
    if walked is not None:
        return walked
    there = actor.changed(cell=cell, mp=max(0, actor.mp - distance(actor.cell, cell)))
    return state.changed(fighters=tuple(there if f is actor else f for f in state.fighters))

"""The default policy of rollouts: greedily the cast of the largest expected gain, else a walk.

Every spell's effects come from the rules and are valued by one static evaluation, so that no kind of spell is
left out. Next hop: `botapp.search.rollouts`, and the `greedy` player.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.paths import UNREACHED, Reach, reach
from botapp.fight.sight import BITS, cells_of, mask_of, terrain
from botapp.fight.state import Fighter, FightState, Spell
from botapp.search.expected_casts import ExpectedCasts, Followers, Scales
from botapp.search.generation import Stand, sensible_casts, sides, spread, stands, use_of
from botapp.search.play_style import PlayStyle, blow_range, play_style_from_spells, preferred_distance
from botapp.search.static_evaluation import StaticEvaluation

_LEAST_GAIN = 0.5
"""Gain in HP below which a cast is not made."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A cast with its expected gain per AP; the walk that leads to it, where one is needed."""

    value: float
    cast: Cast
    strikes: bool
    walk: Move | None = None


class DefaultPolicy:
    """The default policy for the states that follow from one; what it has worked out is kept.

    Args:
        state: a state of the fight.
        play_style: tells how a fighter plays.
    """

    def __init__(
        self, state: FightState, play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells
    ) -> None:
        self._statics: dict[int, StaticEvaluation] = {}
        self._expected_casts = ExpectedCasts()
        self._play_styles: dict[int, tuple[PlayStyle, int]] = {}
        self._play_style_for = play_style
        self._first = state

    def action(self, state: FightState, followers: Followers | None = None) -> Action:
        """Returns the current actor's choice.

        Args:
            state: a state that follows from the first one.
            followers: what is known already of the states that casts lead to; what is found is added.
        """
        actor = state.actor
        static = self._statics.get(actor.team)
        if static is None:
            static = self._statics[actor.team] = StaticEvaluation(self._first, actor.team)
        play_style, distance_wanted = self._play_style(actor)
        ground = reach(state, actor)
        here = there = None
        if actor.ap:
            values = _CastValues(self._expected_casts, play_style, Scales(static, state))
            here = _best_cast(state, values, {} if followers is None else followers)
            if here and not ground.ways:
                return here.cast
            there = _best_stand(state, values, distance_wanted, ground)
        if there and (here is None or there.value > here.value or (there.strikes and not here.strikes)):
            assert there.walk is not None
            return there.walk
        if here:
            return here.cast
        return _step(state, play_style, distance_wanted, ground) or EndTurn()

    def _play_style(self, fighter: Fighter) -> tuple[PlayStyle, int]:
        known = self._play_styles.get(fighter.id)
        if known is None:
            play_style = self._play_style_for(fighter)
            known = self._play_styles[fighter.id] = play_style, preferred_distance(fighter, play_style)
        return known


@dataclass(slots=True)
class _CastValues:
    """How a fighter values the casts open to it in one state."""

    expected_casts: ExpectedCasts
    play_style: PlayStyle
    scales: Scales

    def gain(self, state: FightState, spell: Spell, cast: Cast, followers: Followers) -> float:
        """Returns the expected gain of a cast in HP, weighted by the play style."""
        after = self.expected_casts.score(state, spell, cast, self.scales, followers)
        return (after - self.scales.before) * self.play_style.preference(spell)


def _best_cast(state: FightState, values: _CastValues, followers: Followers) -> _Choice | None:
    """Returns the best of the current actor's casts from where it stands."""
    best: _Choice | None = None
    for spell, cast in sensible_casts(state):
        gain = values.gain(state, spell, cast, followers)
        value = gain / max(1, spell.ap)
        if gain > _LEAST_GAIN and (best is None or value > best.value):
            best = _Choice(value, cast, bool(use_of(spell).harms))
    return best


def _best_stand(
    state: FightState, values: _CastValues, distance_wanted: int, ground: Reach
) -> _Choice | None:
    """Returns the best cast after a walk; each spell is weighed once for each fighter it could reach."""
    if not ground.ways:
        return None
    actor = state.actor
    walkable = mask_of(ground.ways)
    within = [(stand, stand.origins & walkable) for stand in stands(state, actor)]
    useful = 0
    for _, origins in within:
        useful |= origins
    places = _places(state, actor, distance_wanted, ground, cells_of(useful))
    best: _Choice | None = None
    rank = (0.0, 0)
    for stand, origins in within:
        place = next((place for place in places if origins & BITS[place.cell]), None) if origins else None
        if place is None or place.ap < stand.spell.ap:
            continue
        choice = _from_there(state, values, stand, place, ground.ways[place.cell])
        if choice and (choice.value * place.ap, place.liking) > rank:
            best, rank = choice, (choice.value * place.ap, place.liking)
    return best


class _Place(NamedTuple):
    """A cell to walk to, the better one being the larger: the AP and MP left there, and how it is liked."""

    ap: int
    liking: int
    before: int
    cell: int
    mp: int


def _places(
    state: FightState, actor: Fighter, distance_wanted: int, ground: Reach, cells: Iterable[int]
) -> list[_Place]:
    """Returns places to cast from, the best first: AP left, then far from enemies or else near to walk to."""
    foes = sides(state, actor.team)[1]
    found = []
    for cell in cells:
        mp, ap = ground.points(actor, cell)
        liking = min((distance(cell, foe.cell) for foe in foes), default=0) if distance_wanted > 1 else mp
        found.append(_Place(ap, liking, -cell, cell, mp))
    found.sort(reverse=True)
    return found


def _from_there(
    state: FightState, values: _CastValues, stand: Stand, place: _Place, walk: Move
) -> _Choice | None:
    actor, spell = state.actor, stand.spell
    moved = actor.changed(cell=place.cell, mp=place.mp, ap=place.ap)
    there = state.changed(fighters=tuple([moved if f is actor else f for f in state.fighters]))
    cast = Cast(spell.key, place.cell if stand.aim is None else stand.aim)
    gain = values.gain(there, spell, cast, {})
    if gain <= _LEAST_GAIN:
        return None
    return _Choice(gain / max(1, spell.ap), cast, bool(use_of(spell).harms), walk)


def _step(state: FightState, play_style: PlayStyle, distance_wanted: int, ground: Reach) -> Move | None:
    """Returns the walk to where the fighter likes to stand, None where it stands no better elsewhere."""
    actor, ways = state.actor, ground.ways
    foes = sides(state, actor.team)[1]
    if not foes or not ways:
        return None
    near = spread(mask_of(foe.cell for foe in foes), terrain(state.map.cells).walkable)
    if play_style.flees:
        distance_wanted += actor.base_mp
    keeps_off = play_style.flees or (distance_wanted > 1 and _threatened(actor, foes))

    def discomfort(cell: int) -> int:
        nearest = next((steps for steps, cells in enumerate(near) if cells & BITS[cell]), UNREACHED)
        return abs(nearest - distance_wanted) if keeps_off else max(0, nearest - distance_wanted)

    here = discomfort(actor.cell)
    cell = min(ways, key=lambda c: (discomfort(c), -ground.points(actor, c)[0], c))
    return ways[cell] if discomfort(cell) < here else None


def _threatened(fighter: Fighter, foes: list[Fighter]) -> bool:
    """Tells whether an enemy stands close enough to strike the fighter within a turn."""
    return any(distance(foe.cell, fighter.cell) <= foe.mp + blow_range(foe) for foe in foes)

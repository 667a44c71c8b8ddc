"""The static evaluation after casts, each distinct cast at the same fighters worked out once.

Most casts only change the fighters they reach, and do the same to them wherever they are cast from: what
comes of them is kept by the caster and those reached, as far as it can matter. What pushes, summons, lays
something on the ground or kills is worked out each time. It is made for the states that follow from one.
Next hop: `botapp.search.greedy` weighs its casts by it.
"""

from botapp.fight.actions import Action, Cast
from botapp.fight.rules import apply_expected
from botapp.fight.shapes import area
from botapp.fight.spells import Affects, Effect, EffectKind, Shape, Spell, State
from botapp.fight.state import Fighter, FightState, MarkKind
from botapp.search.identity_cache import IdentityCache
from botapp.search.static_evaluation import StaticEvaluation

_BY_PLACE = frozenset(
    {EffectKind.PUSH, EffectKind.PULL, EffectKind.GLYPH, EffectKind.TRAP, EffectKind.SUMMON}
)
"""Effects that depend on where the fighters stand, or change more than those they reach."""

Followers = dict[Action, FightState]
"""The states that actions in one state lead to, dice at their means."""

_Struck = tuple[tuple[int, Fighter], ...]
"""Fighters changed, with their places among all."""


class Scales:
    """A side's static evaluation of one state that is still fought in.

    Attributes:
        static: the evaluation.
        before: the evaluation of the state as it is.
        terms: what it is the sum of, one term for each fighter; none where it matters where they stand, as
            it does to shields and to what lies on the ground.
    """

    __slots__ = ("before", "static", "terms")

    def __init__(self, static: StaticEvaluation, state: FightState) -> None:
        self.static = static
        self.terms: list[float] = []
        if state.marks or any(fighter.shield for fighter in state.fighters):
            self.before = static.score(state)
        else:
            actor = state.actor
            self.terms = [static.term(fighter, fighter is actor) for fighter in state.fighters]
            self.before = self.score(actor, ())

    def score(self, actor: Fighter, struck: _Struck) -> float:
        """Returns the evaluation with some fighters changed, none of them shielded."""
        terms = list(self.terms)
        for seat, fighter in struck:
            terms[seat] = self.static.term(fighter, fighter.id == actor.id)
        total = 0.0
        for term in terms:
            total += term
        return total


class _Scope:
    """What is to know of a spell before it can be told whether two casts of it come to the same.

    Attributes:
        plain: whether it only changes those it reaches, and where its caster stands.
        jumps: whether it moves its caster.
        itself: whether it changes its caster, wherever that stands.
        areas: the areas it covers besides its target cell, as (shape, radius).
    """

    __slots__ = ("areas", "itself", "jumps", "plain")

    def __init__(self, spell: Spell) -> None:
        kinds = {effect.kind for effect in spell.effects}
        self.plain = not kinds & _BY_PLACE
        self.jumps = EffectKind.TELEPORT in kinds
        self.itself = EffectKind.STEAL in kinds or any(e.affects is Affects.CASTER for e in spell.effects)
        self.areas = tuple(dict.fromkeys((e.shape, e.radius) for e in spell.effects if _spreads(e)))


def _spreads(effect: Effect) -> bool:
    return effect.affects is not Affects.CASTER and effect.shape is not Shape.POINT


class ExpectedCasts:
    """Tells what casts leave a side with; what it has worked out is kept."""

    def __init__(self) -> None:
        self._scopes: IdentityCache[int, _Scope] = IdentityCache()
        self._bodies: IdentityCache[int, int] = IdentityCache()
        self._numbers: IdentityCache[tuple[object, ...], int] = IdentityCache()
        self._struck: IdentityCache[tuple[object, ...], _Struck | None] = IdentityCache()

    def score(
        self, state: FightState, spell: Spell, cast: Cast, scales: Scales, followers: Followers
    ) -> float:
        """Returns `static.score` of the state that a legal cast of the current actor leads to.

        Args:
            state: a state still fought in.
            spell: the spell cast.
            cast: where.
            scales: what the side weighs by, for this state or one where the actor stands elsewhere.
            followers: what is known already of the states that casts lead to; what is worked out is added.
        """
        static = scales.static
        scope = self._scopes.get(id(spell)) or self._scopes.keep(id(spell), _Scope(spell), spell)
        if not scope.plain or (scope.jumps and _trapped(state, cast.target)):
            return static.score(_foreseen(state, cast, followers))
        caster = state.actor
        key = self._key(state, caster, scope, cast.target)
        try:
            struck = self._struck[key]
        except KeyError:
            follower = _foreseen(state, cast, followers)
            struck = self._struck.keep(key, self._changed(state, follower, caster), caster.stats)
        if struck is None:
            return static.score(_foreseen(state, cast, followers))
        if scales.terms and not any(fighter.shield for _, fighter in struck):
            return scales.score(caster, struck)
        if scope.jumps:
            there = caster.changed(cell=cast.target)
            state = state.changed(fighters=tuple([there if f is caster else f for f in state.fighters]))
        fighters = list(state.fighters)
        for seat, fighter in struck:
            fighters[seat] = fighter
        return static.score(state, fighters=fighters)

    def _key(self, state: FightState, caster: Fighter, scope: _Scope, target: int) -> tuple[object, ...]:
        """Returns what decides how a plain cast changes fighters, as far as it matters to their value."""
        changes = scope.itself or (bool(caster.buffs) and caster.has(State.INVISIBLE))
        who = self._number(caster) if changes else caster.id
        parts: list[object] = [scope, caster.team, id(caster.stats), changes, who]
        for fighter in state.fighters:
            if fighter.cell == target and fighter.hp > 0:
                parts += (self._number(fighter), fighter.ap, fighter.mp)
        for shape, radius in scope.areas:
            covered = area(shape, radius, caster.cell, target)
            parts.append(shape)
            for fighter in state.fighters:
                if fighter.cell in covered and fighter.hp > 0:
                    parts += (self._number(fighter), fighter.ap, fighter.mp, covered[fighter.cell])
        return tuple(parts)

    def _changed(self, state: FightState, follower: FightState, caster: Fighter) -> _Struck | None:
        """Returns the fighters that a cast has changed; None where somebody died of it.

        That the caster has spent AP does not matter in its own turn.
        """
        found = []
        for seat, (old, new) in enumerate(zip(state.fighters, follower.fighters, strict=True)):
            if new.hp <= 0 < old.hp:
                return None
            if new is not old and not (old is caster and self._number(new) == self._number(old)):
                found.append((seat, new))
        return tuple(found)

    def _number(self, fighter: Fighter) -> int:
        """Returns a number for what casts may change of a fighter, or depend on; AP, MP and cell left out.

        The numbers begin at 1, so that none is false.
        """
        known = self._bodies.get(id(fighter))
        if known is None:
            f, numbers = fighter, self._numbers
            who = (f.id, f.summoner, id(f.spells), id(f.stats), f.base_ap, f.base_mp)
            body = (*who, f.hp, f.max_hp, f.eroded, f.shield, f.buffs)
            number = numbers.get(body) or numbers.keep(body, len(numbers) + 1, f.spells, f.stats)
            known = self._bodies.keep(id(f), number, f)
        return known


def _foreseen(state: FightState, cast: Cast, followers: Followers) -> FightState:
    """Returns the state that a legal cast leads to, from those known already if it is there."""
    follower = followers.get(cast)
    if follower is None:
        follower = followers[cast] = apply_expected(state, cast, legal=True)
    return follower


def _trapped(state: FightState, cell: int) -> bool:
    return any(mark.kind is MarkKind.TRAP and cell in mark.cells for mark in state.marks)

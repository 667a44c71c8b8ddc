"""What casts leave a side with, the same blow at the same fighters foreseen once.

Most casts only change the fighters they reach, and do the same to them wherever they are cast from: what
comes of them is kept by the caster and those reached, as far as it can matter. What pushes, summons, lays
something on the ground or kills is foreseen each time. It is made for the states that follow from one.
Next hop: `botapp.arena.greedy` weighs its casts by it.
"""

from botapp.arena.worth import Worth
from botapp.fight.actions import Action, Cast
from botapp.fight.rules import foresee
from botapp.fight.shapes import area
from botapp.fight.spells import Affects, Effect, EffectKind, Shape, Spell
from botapp.fight.state import Fighter, FightState

_BY_PLACE = frozenset(
    {EffectKind.PUSH, EffectKind.PULL, EffectKind.GLYPH, EffectKind.TRAP, EffectKind.SUMMON}
)
"""Effects that depend on where the fighters stand, or change more than those they reach."""

Followers = dict[Action, FightState]
"""The states that actions in one state lead to, dice at their means."""

_Struck = tuple[tuple[int, Fighter], ...]


class _Scope:
    """What is to know of a spell before it can be told whether two casts of it come to the same.

    Attributes:
        plain: whether it only changes whom it reaches, and where its caster stands.
        jumps: whether it moves its caster.
        shields: whether it gives shields.
        areas: the areas it covers besides its target cell, as (shape, radius).
    """

    __slots__ = ("areas", "jumps", "plain", "shields", "spell")

    def __init__(self, spell: Spell) -> None:
        kinds = {effect.kind for effect in spell.effects}
        self.spell = spell
        self.plain = not kinds & _BY_PLACE
        self.jumps = EffectKind.TELEPORT in kinds
        self.shields = EffectKind.SHIELD in kinds
        self.areas = tuple(dict.fromkeys((e.shape, e.radius) for e in spell.effects if _spreads(e)))


def _spreads(effect: Effect) -> bool:
    return effect.affects is not Affects.CASTER and effect.shape is not Shape.POINT


class Foresight:
    """Tells what casts leave a side with; what it has worked out is kept.

    What is known by the id of an object is kept together with it, so that the id stays its own.
    """

    def __init__(self) -> None:
        self._scopes: dict[int, _Scope] = {}
        self._bodies: dict[int, tuple[Fighter, int]] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._struck: dict[tuple[object, ...], _Struck | None] = {}

    def balance(
        self, state: FightState, spell: Spell, cast: Cast, worth: Worth, followers: Followers
    ) -> float:
        """Returns `worth.balance` of the state that a legal cast of the current actor leads to.

        Args:
            state: a state still fought in.
            spell: the spell cast.
            cast: where.
            worth: the side's yardstick.
            followers: what is known already of the states that casts lead to; what is foreseen is added.
        """
        follower = followers.get(cast)
        if follower is not None:
            return worth.balance(follower)
        key = self._key(state, spell, cast.target)
        struck = self._struck.get(key) if key else None
        if struck is not None:
            fighters = list(state.fighters)
            for seat, fighter in struck:
                fighters[seat] = fighter
            return worth.balance(state, fighters=fighters)
        follower = followers[cast] = foresee(state, cast)
        if key and key not in self._struck:
            self._struck[key] = _struck(state, follower)
        return worth.balance(follower)

    def _key(self, state: FightState, spell: Spell, target: int) -> tuple[object, ...] | None:
        """Returns what settles how a cast changes fighters, as far as it matters to what they are worth.

        Where they stand matters only to shields and to what lies on the ground. None where the rest of the
        board has a say.
        """
        scope = self._scopes.get(id(spell)) or self._scopes.setdefault(id(spell), _Scope(spell))
        if not scope.plain:
            return None
        caster, placed = state.actor, scope.shields or bool(state.marks)
        reached: list[tuple[Fighter, int]] = []
        for fighter in state.fighters:
            if fighter.hp > 0:
                placed = placed or fighter.shield > 0
                if fighter.cell == target:
                    reached.append((fighter, 0))
        if placed and scope.jumps:
            return None
        for shape, radius in scope.areas:
            covered = area(shape, radius, caster.cell, target)
            reached += [(f, covered[f.cell]) for f in state.fighters if f.cell in covered and f.hp > 0]
        parts: list[object] = [id(spell), self._number(caster), len(reached)]
        for fighter, steps in reached:
            parts += (self._number(fighter), fighter.ap, fighter.mp, steps)
        if placed:
            parts += [fighter.cell for fighter, _ in reached]
            parts.append(caster.cell)
        return tuple(parts)

    def _number(self, fighter: Fighter) -> int:
        """Returns a number for what casts may change of a fighter, or depend on; AP, MP and cell left out."""
        known = self._bodies.get(id(fighter))
        if known is None:
            f = fighter
            who = (f.id, f.summoner, id(f.spells), id(f.stats), f.base_ap, f.base_mp)
            body = (*who, f.hp, f.max_hp, f.eroded, f.shield, f.buffs)
            known = self._bodies[id(f)] = f, self._numbers.setdefault(body, len(self._numbers))
        return known[1]


def _struck(state: FightState, follower: FightState) -> _Struck | None:
    """Returns the fighters that a cast has changed, with their places; None where somebody died of it."""
    pairs = zip(state.fighters, follower.fighters, strict=True)
    changed = tuple((seat, new) for seat, (old, new) in enumerate(pairs) if new is not old)
    return None if any(new.hp <= 0 for _, new in changed) else changed

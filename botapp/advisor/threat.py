"""Who can hurt whom, how much, from where: the rules' answers that the tokens carry as features.

An `Assault` is one fighter against one other: for every cell the first may stand on and every cell the second may
stand on, the most damage one turn's AP can do on average. Next hop: `botapp.advisor.candidates`.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from botapp.advisor.geometry import DISTANCE, IN_LINE, ON_DIAGONAL, Ints, Screen, matrix_sight
from botapp.fight.casting import max_range
from botapp.fight.damage import expected_amount
from botapp.fight.state import EffectKind, Fighter, Spell

Floats = npt.NDArray[np.float64]
Item = tuple[int, float, int]
"""A spell in a turn's plan: AP, mean damage in HP, casts at most."""

_HARMFUL = (EffectKind.DAMAGE, EffectKind.STEAL)


@lru_cache(maxsize=1 << 15)
def best_damage(items: tuple[Item, ...], ap: int) -> float:
    """Returns the most mean damage that `ap` buys out of `items`, in HP."""
    best = [0.0] * (ap + 1)
    for cost, damage, limit in items:
        if cost <= 0:
            best = [value + damage * limit for value in best]
            continue
        for _ in range(min(limit, ap // cost)):
            for have in range(ap, cost - 1, -1):
                best[have] = max(best[have], best[have - cost] + damage)
    return best[ap]


def spell_damage(spell: Spell, attacker: Fighter, target: Fighter) -> float:
    """Returns the mean damage of one cast whose area is centred on the target, in HP, shields left out."""
    return sum(
        expected_amount(effect, spell, attacker, target, 0) for effect in spell.effects if effect.kind in _HARMFUL
    )


def casts_left(fighter: Fighter, spell: Spell, target: Fighter) -> int:
    """Returns how often the fighter could still cast the spell at the target this turn, AP aside."""
    if any(key == spell.key and turns > 0 for key, turns in fighter.cooldowns):
        return 0
    limits = [99]
    if spell.cooldown:
        limits.append(1)
    if spell.casts_per_turn:
        limits.append(spell.casts_per_turn - sum(1 for key, _ in fighter.casts if key == spell.key))
    if spell.casts_per_target:
        limits.append(spell.casts_per_target - fighter.casts.count((spell.key, target.id)))
    return max(0, min(limits))


class Assault:
    """What one fighter can do to another in one turn.

    Attributes:
        masks: which of the spells in `usable` reach, as bits, (origins, places).
        usable: the spells that hurt the target and can be cast, with what they do.
    """

    def __init__(
        self, attacker: Fighter, target: Fighter, origins: Ints, places: Ints, screen: Screen
    ) -> None:
        """Works out which spell reaches from where.

        Args:
            attacker: who casts.
            target: who is hit.
            origins: cells the attacker may cast from.
            places: cells the target may stand on.
            screen: what is in the way; neither of the two fighters should be part of it where it moves.
        """
        self.attacker, self.target = attacker, target
        options = [(s, spell_damage(s, attacker, target), casts_left(attacker, s, target)) for s in attacker.spells]
        self.usable = [(s, d, n) for s, d, n in options if d > 0 and n > 0 and not s.needs_free_cell]
        far = DISTANCE[origins[:, None], places[None, :]]
        self.masks: Ints = np.zeros(far.shape, np.int64)
        sighted = [max_range(attacker, s) for s, _, _ in self.usable if s.needs_sight]
        seen = matrix_sight(screen, origins, places, max(sighted)) if sighted else None
        for bit, (spell, _, _) in enumerate(self.usable):
            reach = (far >= max(1, spell.min_range)) & (far <= max_range(attacker, spell))
            if spell.in_line or spell.on_diagonal:
                ways = np.zeros(far.shape, bool)
                if spell.in_line:
                    ways |= IN_LINE[origins[:, None], places[None, :]]
                if spell.on_diagonal:
                    ways |= ON_DIAGONAL[origins[:, None], places[None, :]]
                reach &= ways
            if spell.needs_sight and seen is not None:
                reach &= seen
            self.masks |= reach.astype(np.int64) << bit

    def items(self, mask: int, used: Spell | None = None) -> tuple[Item, ...]:
        """Returns the spells whose bits are set, one cast of `used` already taken off its limit."""
        return tuple(
            (spell.ap, damage, count - (used is not None and spell.key == used.key))
            for bit, (spell, damage, count) in enumerate(self.usable)
            if mask >> bit & 1
        )

    def damage(self, ap: int | Ints) -> Floats:
        """Returns the most mean damage by origin and place, (origins, places), with `ap` AP (by origin) to spend."""
        points = np.broadcast_to(np.asarray(ap), self.masks.shape[:1])
        keys = self.masks * 64 + np.maximum(points, 0)[:, None]
        unique, where = np.unique(keys, return_inverse=True)
        values = np.array([best_damage(self.items(int(k) >> 6), int(k) & 63) for k in unique])
        taken: Floats = values[where].reshape(self.masks.shape)
        return taken

    def follow_up(self, origins: Sequence[int] | slice, place: int, used: Spell, ap: int) -> float:
        """Returns the most mean damage after one cast of `used`, from any of the origins (indices), with `ap` left."""
        masks = np.unique(self.masks[origins, place])
        return max((best_damage(self.items(int(mask), used), ap) for mask in masks), default=0.0)


def full_damage(attacker: Fighter, target: Fighter, ap: int) -> float:
    """Returns the most mean damage of a whole turn where every spell reaches."""
    items = tuple(
        (s.ap, spell_damage(s, attacker, target), casts_left(attacker, s, target)) for s in attacker.spells
    )
    return best_damage(tuple(item for item in items if item[1] > 0 and item[2] > 0), ap)


def cells_array(cells: Iterable[int]) -> Ints:
    """Returns cell ids as an array."""
    return np.fromiter(cells, np.int64)

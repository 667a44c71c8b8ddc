"""Who can hurt whom, how much, from where: the rules' answers that the tokens carry as features.

An `Assault` is one fighter against one other: for every cell the first may stand on and every cell the second
may stand on, the most damage one turn's AP can do on average. Next hop: `botapp.advisor.candidates`.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from botapp.advisor.geometry import DISTANCE, IN_LINE, NEIGHBOURS, ON_DIAGONAL, Ints, Screen, matrix_sight
from botapp.fight.casting import max_range
from botapp.fight.damage import expected_amount
from botapp.fight.state import CellFlag, EffectKind, Fighter, Spell

Floats = npt.NDArray[np.float64]
Item = tuple[int, float, int]
"""A spell in a turn's plan: AP, mean damage in HP, casts at most."""

AFAR = 16
"""Steps that count as out of reach."""

_HARMFUL = (EffectKind.DAMAGE, EffectKind.STEAL)


@lru_cache(maxsize=1 << 12)
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
        expected_amount(effect, spell, attacker, target, 0)
        for effect in spell.effects
        if effect.kind in _HARMFUL
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
        options = [
            (s, spell_damage(s, attacker, target), casts_left(attacker, s, target)) for s in attacker.spells
        ]
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
        """Returns the most mean damage by origin and place, (origins, places), for `ap` AP (by origin)."""
        points = np.broadcast_to(np.asarray(ap), self.masks.shape[:1])
        keys = self.masks * 64 + np.maximum(points, 0)[:, None]
        unique, where = np.unique(keys, return_inverse=True)
        values = np.array([best_damage(self.items(int(k) >> 6), int(k) & 63) for k in unique])
        taken: Floats = values[where].reshape(self.masks.shape)
        return taken

    def follow_up(self, origins: Sequence[int] | slice, place: int, used: Spell, ap: int) -> float:
        """Returns the most mean damage after one cast of `used`, from any origin (index) with `ap` left."""
        masks = np.unique(self.masks[origins, place])
        return max((best_damage(self.items(int(mask), used), ap) for mask in masks), default=0.0)


class Prospect:
    """What the actor may hope for next turn, with fresh AP and MP, from wherever it ends this one.

    Attributes:
        ways: steps from each cell to the nearest one from which each spell hits each enemy, (E, S, 560),
            `AFAR` at most; enemies are taken to stay where they are.
    """

    def __init__(self, actor: Fighter, enemies: Sequence[Fighter], cells: bytes) -> None:
        self.actor, self.enemies = actor, enemies
        screen = Screen(cells, [])
        walkable = (np.frombuffer(cells, np.uint8) & CellFlag.WALKABLE) > 0
        spells = [
            s for s in actor.spells if any(e.kind in _HARMFUL for e in s.effects) and not s.needs_free_cell
        ]
        self._spells = [s for s in spells if not any(k == s.key and left > 1 for k, left in actor.cooldowns)]
        self._damage = [[spell_damage(s, actor, enemy) for s in self._spells] for enemy in enemies]
        firing = np.zeros((len(enemies), len(self._spells), len(walkable)), bool)
        farthest = max((max_range(actor, s) for s in self._spells), default=0)
        for index, enemy in enumerate(enemies):
            far = DISTANCE[enemy.cell]
            near = np.nonzero(walkable & (far <= farthest))[0]
            seen = np.zeros(len(walkable), bool)
            seen[near] = screen.sees(np.full(len(near), enemy.cell), near)
            for slot, spell in enumerate(self._spells):
                firing[index, slot] = walkable & _in_range(actor, spell, far, enemy.cell)
                if spell.needs_sight:
                    firing[index, slot] &= seen
        self.ways: Ints = spread(firing.reshape(-1, len(walkable)), walkable).reshape(firing.shape)

    def hope(self, cells: Ints, used: Spell | None = None) -> tuple[Floats, Floats]:
        """Returns next turn's damage on the likeliest enemy and the steps to the nearest place to hit from.

        Args:
            cells: where the actor may end its turn, (C,).
            used: a spell cast this turn, left out where it will still be cooling.

        Returns:
            Damage in HP and steps, (C,) each; damage too far off for one turn counts for less the farther it
            is.
        """
        best = np.zeros(len(cells))
        open_spells = [
            i for i, s in enumerate(self._spells) if used is None or s is not used or s.cooldown <= 1
        ]
        if not open_spells or not self.enemies:
            return best, np.full(len(cells), float(AFAR))
        ways = self.ways[:, :, cells][:, open_spells]
        mp, ap = self.actor.base_mp, self.actor.base_ap
        weights = (1 << np.arange(len(open_spells)))[:, None]
        for index in range(len(self.enemies)):
            items = [
                (self._spells[i].ap, self._damage[index][i], _per_target(self._spells[i]))
                for i in open_spells
            ]
            masks = ((ways[index] <= mp) * weights).sum(axis=0)
            unique, where = np.unique(masks, return_inverse=True)
            values = [
                best_damage(tuple(t for i, t in enumerate(items) if m >> i & 1), ap) for m in unique.tolist()
            ]
            whole = best_damage(tuple(items), ap)
            later = 0.8 * whole * mp / np.maximum(1, mp + ways[index].min(axis=0))
            best = np.maximum(best, np.maximum(np.array(values)[where], later))
        return best, ways.min(axis=(0, 1)).astype(float)


def spread(goals: npt.NDArray[np.bool_], walkable: npt.NDArray[np.bool_]) -> Ints:
    """Returns the steps from every cell to the nearest goal, (K, 560), `AFAR` at most.

    Args:
        goals: (K, 560).
        walkable: cells that can be walked on, (560,).
    """
    steps = np.full(goals.shape, AFAR, np.int64)
    edge = goals.copy()
    steps[edge] = 0
    open_cells = np.append(walkable, False)
    padded = np.zeros((len(goals), goals.shape[1] + 1), bool)
    for count in range(1, AFAR):
        padded[:, :-1] = edge
        edge = padded[:, NEIGHBOURS].any(axis=2) & open_cells[:-1] & (steps == AFAR)
        if not edge.any():
            break
        steps[edge] = count
    return steps


def _per_target(spell: Spell) -> int:
    """Returns how often the spell can be cast at one target in a fresh turn."""
    limits = [limit for limit in (spell.casts_per_turn, spell.casts_per_target) if limit]
    return 1 if spell.cooldown else min(limits, default=99)


def _in_range(
    attacker: Fighter, spell: Spell, far: npt.NDArray[np.int16], centre: int
) -> npt.NDArray[np.bool_]:
    """Tells for every cell whether the spell reaches from it to `centre`, sight aside; `far`: distances."""
    reach: npt.NDArray[np.bool_] = (far >= max(1, spell.min_range)) & (far <= max_range(attacker, spell))
    if spell.in_line or spell.on_diagonal:
        ways = np.zeros(far.shape, bool)
        if spell.in_line:
            ways |= IN_LINE[centre]
        if spell.on_diagonal:
            ways |= ON_DIAGONAL[centre]
        reach &= ways
    return reach


def full_damage(attacker: Fighter, target: Fighter, ap: int) -> float:
    """Returns the most mean damage of a whole turn where every spell reaches."""
    items = tuple(
        (s.ap, spell_damage(s, attacker, target), casts_left(attacker, s, target)) for s in attacker.spells
    )
    return best_damage(tuple(item for item in items if item[1] > 0 and item[2] > 0), ap)


def cells_array(cells: Iterable[int]) -> Ints:
    """Returns cell ids as an array."""
    return np.fromiter(cells, np.int64)

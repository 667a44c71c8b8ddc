"""Spells that take HP, in the hands of those who fight: how far they go, what they do, and from where.

It is made for one decision: what the map and the other fighters leave open is taken from the state it begins
with. Next hop: `botapp.search.heuristic` adds up what the next turns may bring.
"""

from botapp.fight.board import CELLS
from botapp.fight.shapes import ring
from botapp.fight.sheet import max_range
from botapp.fight.sight import BITS, mask_of, terrain
from botapp.fight.spells import Shape, Spell
from botapp.fight.state import Fighter, FightState
from botapp.search.generation import spread, use_of
from botapp.search.identity_cache import IdentityCache
from botapp.search.static_evaluation import damage, times_a_turn


class Blow:
    """A spell that takes HP, in a fighter's hands: how far it goes and how often."""

    __slots__ = ("high", "low", "radius", "spell", "times")

    def __init__(self, fighter: Fighter, spell: Spell) -> None:
        self.spell = spell
        self.times = times_a_turn(spell)
        self.radius = max(
            (radius for shape, radius in use_of(spell).harms if shape is not Shape.POINT), default=0
        )
        self.low = max(0, spell.min_range - self.radius)
        self.high = max_range(fighter, spell) + self.radius

    def origins(self, cell: int, seen: int) -> int:
        """Returns the set of cells from which it reaches a cell, `seen` being what is seen from there."""
        spell = self.spell
        found = ring(cell, self.low, self.high, spell.in_line, spell.on_diagonal)
        return found & seen if spell.needs_sight else found


class Blows:
    """Everybody's blows during one turn.

    Args:
        state: the fight as it is at the decision.
    """

    def __init__(self, state: FightState) -> None:
        actor = state.actor
        self._ground = terrain(state.map.cells)
        self._between = mask_of(f.cell for f in state.fighters if f.hp > 0 and f.id != actor.id)
        self._of: IdentityCache[tuple[int, int], list[Blow]] = IdentityCache()
        self._damages: IdentityCache[tuple[int, int, int, bool], float] = IdentityCache()
        self._reaches: dict[tuple[int, int, int], int] = {}
        self._origins: dict[tuple[Blow, int], int] = {}
        self._levels: dict[tuple[Blow, int], list[int]] = {}

    def of(self, fighter: Fighter) -> list[Blow]:
        """Returns the fighter's spells that take HP."""
        key = (id(fighter.spells), fighter.stats.range)
        known = self._of.get(key)
        if known is None:
            found = [Blow(fighter, spell) for spell in fighter.spells if use_of(spell).hurts]
            known = self._of.keep(key, found, fighter.spells)
        return known

    def damage(self, caster: Fighter, spell: Spell, target: Fighter) -> float:
        """Returns the mean damage of a cast."""
        key = (id(caster.stats), id(spell), id(target.stats), target.player)
        known = self._damages.get(key)
        if known is None:
            mean = damage(caster, spell, target)
            known = self._damages.keep(key, mean, caster.stats, spell, target.stats)
        return known

    def seen_from(self, cell: int) -> int:
        """Returns the set of cells seen from a cell, nobody being in the way."""
        return self._ground.seen_from(cell)

    def reach(self, fighter: Fighter) -> int:
        """Returns the set of cells that a fighter can walk to, nobody being in its way."""
        key = (fighter.id, fighter.cell, fighter.mp)
        reach = self._reaches.get(key)
        if reach is None:
            reach = self._reaches[key] = spread(BITS[fighter.cell], self._ground.walkable, fighter.mp)[-1]
        return reach

    def now(self, blow: Blow, cell: int) -> int:
        """Returns the set of cells from which one of the actor's blows reaches a cell at present."""
        key = (blow, cell)
        origins = self._origins.get(key)
        if origins is None:
            seen = self._ground.view(cell, self._between & ~BITS[cell])
            origins = self._origins[key] = blow.origins(cell, seen)
        return origins

    def ways(self, blow: Blow, goal: int) -> list[int]:
        """Returns the sets of cells within 0, 1, 2 ... steps of where a blow reaches the cell `goal`."""
        key = (blow, goal)
        levels = self._levels.get(key)
        if levels is None:
            walkable = self._ground.walkable
            origins = blow.origins(goal, self._ground.seen_from(goal)) & walkable
            levels = self._levels[key] = spread(origins, walkable)
        return levels

    @staticmethod
    def way(levels: list[int], cell: int) -> int:
        """Returns the steps from a cell to the first of the sets."""
        bit = BITS[cell]
        for steps, level in enumerate(levels):
            if level & bit:
                return steps
        return CELLS

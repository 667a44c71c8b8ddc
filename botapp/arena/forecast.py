"""What the next turns may bring, estimated without playing them: the enemies' blows, the actor's prospects.

It is made for one decision and scores the states that come up within that turn; who can strike whom from
where is worked out when it is first asked for. Next hop: `botapp.arena.search` picks by it the ends of turn
that it plays on.
"""

from collections.abc import Iterable

from botapp.arena.tactics import sides, spread, use_of
from botapp.arena.worth import Worth, damage, full_hp, life, times_a_turn, volley
from botapp.fight.board import CELLS
from botapp.fight.casting import max_range
from botapp.fight.rules import winner
from botapp.fight.shapes import ring
from botapp.fight.sight import BITS, mask_of, terrain
from botapp.fight.spells import Shape, Spell, State
from botapp.fight.state import Fighter, FightState

REPLY = 0.5
"""Which share of the blows that may come is counted."""

OUTLOOK = 0.5
"""Which share of next turn's damage is counted."""

PROMISE = 0.85
"""Which share of the damage that the AP left could do is counted."""

_LATER = 0.8
_LAST_ONE = 400.0
_SUMMON = 0.6


_Plan = tuple[float, int, int, list[int]]


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


def estimate(parts: tuple[float, float, float]) -> float:
    """Returns how good an end of turn is, in HP, from what `Forecast.parts` says of it."""
    balance, reply, hope = parts
    return balance - REPLY * reply + OUTLOOK * hope


class Forecast:
    """Scores states that come up during one turn, from the side of the fighter whose turn it is.

    Args:
        state: the fight as it is at the decision; all states scored must follow from it within the turn.
    """

    def __init__(self, state: FightState) -> None:
        actor = state.actor
        self.worth = Worth(state, actor.team)
        self._actor_id = actor.id
        self._team = actor.team
        self._ground = terrain(state.map.cells)
        self._blows: dict[tuple[int, int], tuple[Fighter, list[Blow]]] = {}
        self._pairs: dict[tuple[int, int], tuple[Fighter, Fighter, float]] = {}
        self._strikes: dict[tuple[object, ...], float] = {}
        self._walks: dict[tuple[int, int, int], int] = {}
        self._hopes: dict[tuple[object, ...], float] = {}
        self._plans: dict[tuple[object, ...], tuple[Fighter, Fighter, list[_Plan], float]] = {}
        self._levels: dict[tuple[int, int], list[int]] = {}
        self._origins: dict[tuple[int, int], int] = {}
        self._damages: dict[tuple[int, int, int, bool], tuple[Fighter, Spell, Fighter, float]] = {}
        self._between = mask_of(f.cell for f in state.fighters if f.hp > 0 and f.id != actor.id)

    def leaf(self, state: FightState) -> float:
        """Returns how good it is to end the turn in this state, in HP; more is better for the actor."""
        return estimate(self.parts(state))

    def parts(self, state: FightState) -> tuple[float, float, float]:
        """Returns what `leaf` is made of, each in HP.

        Returns:
            How much better off the own side is; what the enemies' next turns are expected to take from it;
            the damage the actor may hope to do next turn.
        """
        balance = self.worth.balance(state, fleeting=False)
        if winner(state) is not None:
            return balance, 0.0, 0.0
        own, foes = sides(state, self._team)
        actor = next((fighter for fighter in own if fighter.id == self._actor_id), None)
        return balance, self._reply(own, foes), self.hope(actor, foes, own) if actor else 0.0

    def promise(self, state: FightState) -> float:
        """Returns what the actor's remaining AP could still do from where it stands, in HP."""
        actor = state.actor
        if not actor.ap or actor.id != self._actor_id:
            return 0.0
        best = 0.0
        closed = {key for key, turns in actor.cooldowns if turns > 0}
        for foe in state.fighters:
            if foe.hp <= 0 or foe.team == self._team or (foe.buffs and foe.has(State.INVULNERABLE)):
                continue
            options = []
            for index, blow in enumerate(self.blows(actor)):
                spell = blow.spell
                if spell.ap > actor.ap or spell.key in closed:
                    continue
                if self._now(index, blow, foe.cell) & BITS[actor.cell]:
                    left = blow.times - sum(1 for key, _ in actor.casts if key == spell.key)
                    if left > 0:
                        options.append((self._damage(actor, spell, foe), spell.ap, left))
            if options:
                lost = max(0.0, volley(tuple(options), actor.ap) - foe.shield)
                best = max(best, self.loss(foe, lost))
        return PROMISE * best

    def hope(self, actor: Fighter, foes: Iterable[Fighter], own: Iterable[Fighter] = ()) -> float:
        """Returns the damage the actor may hope to do next turn from where it stands, heals included."""
        best = 0.0
        for foe in foes:
            key = (actor.cell, id(actor.stats), actor.cooldowns, foe.id, foe.cell, id(foe.stats))
            hope = self._hopes.get(key)
            if hope is None:
                hope = self._hopes[key] = self._hope(actor, foe)
            best = max(best, hope)
        return best

    def blows(self, fighter: Fighter) -> list[Blow]:
        """Returns the fighter's spells that take HP."""
        key = (id(fighter.spells), fighter.stats.range)
        known = self._blows.get(key)
        if known is None:
            found = [Blow(fighter, spell) for spell in fighter.spells if use_of(spell).hurts]
            known = self._blows[key] = fighter, found
        return known[1]

    def _now(self, index: int, blow: Blow, cell: int) -> int:
        """Returns the set of cells from which one of the actor's blows reaches a cell at present."""
        key = (index, cell)
        origins = self._origins.get(key)
        if origins is None:
            seen = self._ground.view(cell, self._between & ~BITS[cell])
            origins = self._origins[key] = blow.origins(cell, seen)
        return origins

    def _damage(self, caster: Fighter, spell: Spell, target: Fighter) -> float:
        """Returns the mean damage of a cast; what is known by its id is kept: the id stays its own."""
        key = (id(caster.stats), id(spell), id(target.stats), target.player)
        known = self._damages.get(key)
        if known is None:
            known = self._damages[key] = caster, spell, target, damage(caster, spell, target)
        return known[3]

    def loss(self, fighter: Fighter, lost: float) -> float:
        """Returns what it is worth that a fighter loses HP."""
        if fighter.summoner is not None:
            return _SUMMON * min(lost, fighter.hp)
        full = full_hp(fighter)
        return life(fighter.hp, full) - life(fighter.hp - lost, full)

    def _reply(self, own: list[Fighter], foes: list[Fighter]) -> float:
        """Returns what the enemies' next turns are expected to take, each at the one it hurts most."""
        suffered: dict[int, float] = {}
        for foe in foes:
            if foe.buffs and foe.has(State.PACIFIED):
                continue
            worst, victim = 0.0, -1
            for fighter in own:
                strike = self.strike(foe, fighter)
                if strike > worst:
                    worst, victim = strike, fighter.id
            if victim >= 0:
                suffered[victim] = suffered.get(victim, 0.0) + worst
        total = 0.0
        for fighter in own:
            lost = max(0.0, suffered.get(fighter.id, 0.0) - fighter.shield)
            if lost:
                total += self.loss(fighter, lost)
        return total

    def strike(self, foe: Fighter, target: Fighter) -> float:
        """Returns the damage of an enemy's best turn at one target, walking there included.

        Most states share most of their fighters: those are known by their ids, being kept so that the ids
        stay their own.
        """
        known = self._pairs.get((id(foe), id(target)))
        if known is None:
            known = self._pairs[id(foe), id(target)] = foe, target, self._strike(foe, target)
        return known[2]

    def _strike(self, foe: Fighter, target: Fighter) -> float:
        if target.buffs and target.has(State.INVULNERABLE):
            return 0.0
        hidden = bool(target.buffs) and target.has(State.INVISIBLE)
        key = (
            foe.id, foe.cell, foe.ap, foe.mp, id(foe.stats), foe.cooldowns,
            target.cell, id(target.stats), hidden,
        )  # fmt: skip
        strike = self._strikes.get(key)
        if strike is None:
            closed = {name for name, turns in foe.cooldowns if turns > 0}
            reach = self._reach(foe)
            seen = self._ground.seen_from(target.cell)
            options = tuple(
                (self._damage(foe, blow.spell, target), blow.spell.ap, blow.times)
                for blow in self.blows(foe)
                if blow.spell.key not in closed
                and not (hidden and blow.spell.needs_taken_cell)
                and blow.origins(target.cell, seen) & reach
            )
            strike = self._strikes[key] = volley(options, foe.ap) if options else 0.0
        return strike

    def _reach(self, foe: Fighter) -> int:
        """Returns the set of cells that an enemy can walk to, nobody being in its way."""
        key = (foe.id, foe.cell, foe.mp)
        reach = self._walks.get(key)
        if reach is None:
            reach = self._walks[key] = spread(BITS[foe.cell], self._ground.walkable, foe.mp)[-1]
        return reach

    def _hope(self, actor: Fighter, foe: Fighter) -> float:
        options, whole = self._plan(actor, foe)
        if not options:
            return 0.0
        ways = [self._way(levels, actor.cell) for *_, levels in options]
        within = tuple(
            (hurt, ap, times)
            for (hurt, ap, times, _), way in zip(options, ways, strict=True)
            if way <= actor.base_mp
        )
        later = _LATER * whole * actor.base_mp / max(1, actor.base_mp + min(ways))
        return max(volley(within, actor.base_ap), later)

    def _plan(self, actor: Fighter, foe: Fighter) -> tuple[list[_Plan], float]:
        """Returns the blows the actor may strike at an enemy next turn, and what all of them together do.

        Each is told as its damage, its cost in AP, how often, and from within how many steps (`spread`).
        """
        key = (id(actor.stats), actor.cooldowns, foe.cell, id(foe.stats), foe.player)
        known = self._plans.get(key)
        if known is None:
            waiting = {spell for spell, turns in actor.cooldowns if turns > 1}
            options = [
                (
                    self._damage(actor, blow.spell, foe),
                    blow.spell.ap,
                    blow.times,
                    self._ways(index, blow, foe.cell),
                )
                for index, blow in enumerate(self.blows(actor))
                if blow.spell.key not in waiting
            ]
            whole = volley(tuple((hurt, ap, times) for hurt, ap, times, _ in options), actor.base_ap)
            known = self._plans[key] = actor, foe, options, whole
        return known[2], known[3]

    def _ways(self, index: int, blow: Blow, goal: int) -> list[int]:
        """Returns the sets of cells within 0, 1, 2 ... steps of where a blow reaches the cell `goal`."""
        levels = self._levels.get((index, goal))
        if levels is None:
            walkable = self._ground.walkable
            origins = blow.origins(goal, self._ground.seen_from(goal)) & walkable
            levels = self._levels[index, goal] = spread(origins, walkable)
        return levels

    @staticmethod
    def _way(levels: list[int], cell: int) -> int:
        """Returns the steps from a cell to the first of the sets."""
        bit = BITS[cell]
        for steps, level in enumerate(levels):
            if level & bit:
                return steps
        return CELLS

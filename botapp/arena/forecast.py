"""What the next turns may bring, estimated without playing them: the enemies' blows, the actor's prospects.

It is made for one decision and scores the states that come up within that turn; who can strike whom from
where (`botapp.arena.blows`) is worked out when it is first asked for, once for all states that agree in it.
Next hop: `botapp.arena.search` picks by it the ends of turn that it plays on.
"""

from collections.abc import Iterable, Iterator, Sequence

from botapp.arena.blows import Blow, Blows
from botapp.arena.tactics import sides
from botapp.arena.worth import Worth, full_hp, life, volley
from botapp.fight.rules import winner
from botapp.fight.sight import BITS
from botapp.fight.spells import State
from botapp.fight.state import Fighter, FightState

REPLY = 0.5
"""Which share of the blows that may come is counted."""

OUTLOOK = 0.5
"""Which share of next turn's damage is counted."""

PROMISE = 0.85
"""Which share of the damage that the AP left could do is counted."""

_LATER = 0.8
_SUMMON = 0.6
_SHIELDING = (State.INVULNERABLE, State.INVISIBLE, State.PACIFIED)
"""States that change what blows somebody strikes or suffers."""

_Plan = tuple[float, int, int, list[int]]
_Stances = tuple[int, ...]
_Cooldowns = tuple[tuple[str, int], ...]


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
        self.blows = Blows(state)
        self._actor_id = actor.id
        self._team = actor.team
        self._stances: dict[int, tuple[Fighter, int]] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._strikes: dict[tuple[int, int], float] = {}
        self._worst: dict[tuple[_Stances, _Stances], dict[int, float]] = {}
        self._hopes: dict[tuple[int, _Cooldowns, int], float] = {}
        self._plans: dict[tuple[object, ...], tuple[Fighter, Fighter, list[_Plan], float]] = {}

    def leaf(self, state: FightState) -> float:
        """Returns how good it is to end the turn in this state, in HP; more is better for the actor."""
        return estimate(self.parts(state))

    def leaves(self, state: FightState, cells: Iterable[int]) -> Iterator[float]:
        """Yields the `leaf` of the state with its actor on each of the cells instead, the fight being on."""
        actor = state.actor
        own, foes = sides(state, self._team)
        place, seat = own.index(actor), state.fighters.index(actor)
        balance = self.worth.balance(state, fleeting=False)
        everyone = list(state.fighters)
        for cell in cells:
            own[place] = everyone[seat] = moved = actor.changed(cell=cell)
            if state.marks:
                balance = self.worth.balance(state.changed(fighters=tuple(everyone)), fleeting=False)
            yield estimate((balance, self._reply(own, foes), self.hope(moved, foes)))

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
        return balance, self._reply(own, foes), self.hope(actor, foes) if actor else 0.0

    def promise(self, state: FightState) -> float:
        """Returns what the actor's remaining AP could still do from where it stands, in HP."""
        actor = state.actor
        if not actor.ap or actor.id != self._actor_id:
            return 0.0
        best, bit = 0.0, BITS[actor.cell]
        ready = self._ready(actor)
        for foe in state.fighters if ready else ():
            if foe.hp <= 0 or foe.team == self._team or (foe.buffs and foe.has(State.INVULNERABLE)):
                continue
            options = tuple(
                [
                    (self.blows.damage(actor, blow.spell, foe), blow.spell.ap, left)
                    for blow, left in ready
                    if self.blows.now(blow, foe.cell) & bit
                ]
            )
            if options:
                lost = max(0.0, volley(options, actor.ap) - foe.shield)
                best = max(best, self.loss(foe, lost))
        return PROMISE * best

    def _ready(self, actor: Fighter) -> list[tuple[Blow, int]]:
        """Returns the blows that the actor can still strike in this turn, and how often."""
        closed = {key for key, turns in actor.cooldowns if turns > 0}
        done = [key for key, _ in actor.casts]
        return [
            (blow, left)
            for blow in self.blows.of(actor)
            if blow.spell.ap <= actor.ap
            and blow.spell.key not in closed
            and (left := blow.times - done.count(blow.spell.key)) > 0
        ]

    def hope(self, actor: Fighter, foes: Iterable[Fighter]) -> float:
        """Returns the damage the actor may hope to do next turn from where it stands, heals included."""
        best = 0.0
        stance, cooldowns = self._stance(actor), actor.cooldowns
        for foe in foes:
            key = (stance, cooldowns, self._stance(foe))
            hope = self._hopes.get(key)
            if hope is None:
                hope = self._hopes[key] = self._hope(actor, foe)
            best = max(best, hope)
        return best

    def loss(self, fighter: Fighter, lost: float) -> float:
        """Returns what it is worth that a fighter loses HP."""
        if fighter.summoner is not None:
            return _SUMMON * min(lost, fighter.hp)
        full = full_hp(fighter)
        return life(fighter.hp, full) - life(fighter.hp - lost, full)

    def _reply(self, own: Sequence[Fighter], foes: Sequence[Fighter]) -> float:
        """Returns what the enemies' next turns are expected to take, each at the one it hurts most."""
        key = tuple([self._stance(foe) for foe in foes]), tuple([self._stance(one) for one in own])
        worst = self._worst.get(key)
        if worst is None:
            worst = self._worst[key] = self._suffered(own, foes)
        total = 0.0
        for fighter in own if worst else ():
            lost = max(0.0, worst.get(fighter.id, 0.0) - fighter.shield)
            if lost:
                total += self.loss(fighter, lost)
        return total

    def _suffered(self, own: Sequence[Fighter], foes: Sequence[Fighter]) -> dict[int, float]:
        """Returns the damage that fighters of the own side are to expect, shields left out, by their ids."""
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
        return suffered

    def strike(self, foe: Fighter, target: Fighter) -> float:
        """Returns the damage of an enemy's best turn at one target, walking there included."""
        key = self._stance(foe), self._stance(target)
        strike = self._strikes.get(key)
        if strike is None:
            strike = self._strikes[key] = self._strike(foe, target)
        return strike

    def _stance(self, fighter: Fighter) -> int:
        """Returns a number for all of a fighter that matters to blows, its own and those it suffers.

        Most states share most of their fighters: those are known by their ids, being kept so that the ids
        stay their own.
        """
        known = self._stances.get(id(fighter))
        if known is None:
            means = (fighter.ap, fighter.mp, fighter.cooldowns) if fighter.team != self._team else ()
            states = tuple([fighter.has(state) for state in _SHIELDING]) if fighter.buffs else ()
            key = (fighter.id, fighter.cell, id(fighter.stats), means, states)
            number = self._numbers.setdefault(key, len(self._numbers))
            known = self._stances[id(fighter)] = fighter, number
        return known[1]

    def _strike(self, foe: Fighter, target: Fighter) -> float:
        if target.buffs and target.has(State.INVULNERABLE):
            return 0.0
        hidden = bool(target.buffs) and target.has(State.INVISIBLE)
        closed = {name for name, turns in foe.cooldowns if turns > 0}
        reach = self.blows.reach(foe)
        seen = self.blows.seen_from(target.cell)
        options = [
            (self.blows.damage(foe, blow.spell, target), blow.spell.ap, blow.times)
            for blow in self.blows.of(foe)
            if blow.spell.key not in closed
            and not (hidden and blow.spell.needs_taken_cell)
            and blow.origins(target.cell, seen) & reach
        ]
        return volley(tuple(options), foe.ap) if options else 0.0

    def _hope(self, actor: Fighter, foe: Fighter) -> float:
        options, whole = self._plan(actor, foe)
        if not options:
            return 0.0
        ways = [self.blows.way(levels, actor.cell) for *_, levels in options]
        within = tuple(
            [
                (hurt, ap, times)
                for (hurt, ap, times, _), way in zip(options, ways, strict=True)
                if way <= actor.base_mp
            ]
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
                    self.blows.damage(actor, blow.spell, foe),
                    blow.spell.ap,
                    blow.times,
                    self.blows.ways(blow, foe.cell),
                )
                for blow in self.blows.of(actor)
                if blow.spell.key not in waiting
            ]
            whole = volley(tuple((hurt, ap, times) for hurt, ap, times, _ in options), actor.base_ap)
            known = self._plans[key] = actor, foe, options, whole
        return known[2], known[3]

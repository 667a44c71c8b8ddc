"""The heuristic evaluation: the static one, the enemies' threat, and the actor's outlook for its next turn.

It is made for one decision and scores the states that come up within that turn; who can strike whom from
where (`botapp.search.strikes`) is worked out when it is first asked for, once for all states that agree in
it. Next hop: `botapp.search.tree` picks by it the ends of turn that rollouts begin at.
"""

from collections.abc import Iterable, Iterator, Sequence

from botapp.fight.rules import winner
from botapp.fight.sight import BITS
from botapp.fight.spells import State
from botapp.fight.state import Fighter, FightState
from botapp.search.generation import sides
from botapp.search.identity_cache import IdentityCache
from botapp.search.static_evaluation import StaticEvaluation, full_hp, life, volley
from botapp.search.strikes import Blow, Blows

THREAT = 0.5
"""Which share of the blows that may come is counted."""

OUTLOOK = 0.5
"""Which share of next turn's damage is counted."""

POTENTIAL = 0.85
"""Which share of the damage that the AP left could do is counted."""

_LATER = 0.8
_SUMMON = 0.6
_SHIELDING = (State.INVULNERABLE, State.INVISIBLE, State.PACIFIED)
"""States that change what blows somebody strikes or suffers."""

_Strike = tuple[float, int, int]
_Stances = tuple[int, ...]
_Cooldowns = tuple[tuple[str, int], ...]


class _Plan:
    """The blows somebody may strike at somebody else next turn.

    Attributes:
        blows: each as its damage, its cost in AP and how often.
        levels: for each, from within how many steps, see `Blows.ways`.
        whole: what all of them together do.
        outlooks: the outlook, by the steps to each blow.
    """

    __slots__ = ("blows", "levels", "outlooks", "whole")

    def __init__(self, base_ap: int, blows: list[_Strike], levels: list[list[int]]) -> None:
        self.blows, self.levels = blows, levels
        self.whole = volley(tuple(blows), base_ap)
        self.outlooks: dict[tuple[int, ...], float] = {}


def estimate(terms: tuple[float, float, float]) -> float:
    """Returns how good an end of turn is, in HP, from `HeuristicEvaluation.terms`."""
    score, threat, outlook = terms
    return score - THREAT * threat + OUTLOOK * outlook


class HeuristicEvaluation:
    """Scores states that come up during one turn, from the side of the fighter whose turn it is.

    Args:
        state: the fight as it is at the decision; all states scored must follow from it within the turn.
    """

    def __init__(self, state: FightState) -> None:
        actor = state.actor
        self.static = StaticEvaluation(state, actor.team)
        self.blows = Blows(state)
        self._actor_id = actor.id
        self._team = actor.team
        self._stances: IdentityCache[int, int] = IdentityCache()
        self._numbers: IdentityCache[tuple[object, ...], int] = IdentityCache()
        self._strikes: dict[tuple[int, int], float] = {}
        self._worst: dict[tuple[_Stances, _Stances], dict[int, float]] = {}
        self._outlooks: dict[tuple[int, _Cooldowns, _Stances], float] = {}
        self._places: IdentityCache[tuple[object, ...], dict[int, Fighter]] = IdentityCache()
        self._plans: IdentityCache[tuple[object, ...], _Plan] = IdentityCache()

    def heuristic_values(self, state: FightState, cells: Iterable[int]) -> Iterator[float]:
        """Yields the `estimate` of a state still fought in with its actor on each of the cells instead."""
        actor = state.actor
        own, foes = sides(state, self._team)
        place, seat = own.index(actor), state.fighters.index(actor)
        against = self._stances_of(foes)
        score = self.static.score(state, fleeting=False)
        everyone = list(state.fighters)
        for cell in cells:
            moved = own[place] = self._moved(actor, cell)
            if state.marks:
                everyone[seat] = moved
                score = self.static.score(state.changed(fighters=tuple(everyone)), fleeting=False)
            yield estimate((score, self._threat(own, foes, against), self._outlook_of(moved, foes, against)))

    def _moved(self, actor: Fighter, cell: int) -> Fighter:
        """Returns the actor on another cell: one object as long as only its AP, MP and casts differ."""
        key = (actor.hp, actor.max_hp, actor.shield, id(actor.buffs), id(actor.stats), actor.cooldowns)
        there = self._places.get(key)
        if there is None:
            there = self._places.keep(key, {}, actor.buffs, actor.stats)
        moved = there.get(cell)
        if moved is None:
            moved = there[cell] = actor.changed(cell=cell)
        return moved

    def terms(self, state: FightState) -> tuple[float, float, float]:
        """Returns what `estimate` is made of, each in HP.

        Returns:
            How much better off the own side is; what the enemies' next turns are expected to take from it;
            the damage the actor may hope to do next turn.
        """
        score = self.static.score(state, fleeting=False)
        if winner(state) is not None:
            return score, 0.0, 0.0
        own, foes = sides(state, self._team)
        actor = next((fighter for fighter in own if fighter.id == self._actor_id), None)
        against = self._stances_of(foes)
        outlook = self._outlook_of(actor, foes, against) if actor else 0.0
        return score, self._threat(own, foes, against), outlook

    def potential(self, state: FightState) -> float:
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
        return POTENTIAL * best

    def _ready(self, actor: Fighter) -> list[tuple[Blow, int]]:
        """Returns the blows that the actor can still strike in this turn, and how often."""
        closed = {key for key, turns in actor.cooldowns if turns > 0} if actor.cooldowns else ()
        done = [key for key, _ in actor.casts]
        return [
            (blow, left)
            for blow in self.blows.of(actor)
            if blow.spell.ap <= actor.ap
            and blow.spell.key not in closed
            and (left := blow.times - done.count(blow.spell.key)) > 0
        ]

    def outlook(self, actor: Fighter, foes: Sequence[Fighter]) -> float:
        """Returns the damage the actor may hope to do next turn from where it stands, heals included."""
        return self._outlook_of(actor, foes, self._stances_of(foes))

    def _outlook_of(self, actor: Fighter, foes: Sequence[Fighter], against: _Stances) -> float:
        """Returns what `outlook` does, `against` being the enemies' stances."""
        key = (self._stance(actor), actor.cooldowns, against)
        best = self._outlooks.get(key)
        if best is None:
            best = self._outlooks[key] = max((self._outlook(actor, foe) for foe in foes), default=0.0)
        return best

    def threat(self, own: Sequence[Fighter], foes: Sequence[Fighter]) -> float:
        """Returns what the next turns of some enemies are expected to take from the own side, in HP."""
        return self._threat(own, foes, self._stances_of(foes)) if foes else 0.0

    def loss(self, fighter: Fighter, lost: float) -> float:
        """Returns the value of the HP that a fighter loses."""
        if fighter.summoner is not None:
            return _SUMMON * min(lost, fighter.hp)
        full = full_hp(fighter)
        return life(fighter.hp, full) - life(fighter.hp - lost, full)

    def _threat(self, own: Sequence[Fighter], foes: Sequence[Fighter], against: _Stances) -> float:
        """Returns what the enemies' next turns are expected to take, each at the one it hurts most."""
        key = against, self._stances_of(own)
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

    def _stances_of(self, fighters: Sequence[Fighter]) -> _Stances:
        stances = self._stances
        return tuple([stances.get(id(f)) or self._stand(f) for f in fighters])

    def _stance(self, fighter: Fighter) -> int:
        """Returns a number for all of a fighter that matters to blows, its own and those it suffers.

        Most states share most of their fighters: those are known by their ids. The numbers begin at 1, so
        that none is false.
        """
        return self._stances.get(id(fighter)) or self._stand(fighter)

    def _stand(self, fighter: Fighter) -> int:
        numbers = self._numbers
        means = (fighter.ap, fighter.mp, fighter.cooldowns) if fighter.team != self._team else ()
        states = tuple([fighter.has(state) for state in _SHIELDING]) if fighter.buffs else ()
        key = (fighter.id, fighter.cell, id(fighter.stats), means, states)
        number = numbers.get(key) or numbers.keep(key, len(numbers) + 1, fighter.stats)
        return self._stances.keep(id(fighter), number, fighter)

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

    def _outlook(self, actor: Fighter, foe: Fighter) -> float:
        plan = self._plan(actor, foe)
        if not plan.blows:
            return 0.0
        way = self.blows.way
        ways = tuple([way(levels, actor.cell) for levels in plan.levels])
        outlook = plan.outlooks.get(ways)
        if outlook is None:
            most = actor.base_mp
            within = [blow for blow, steps in zip(plan.blows, ways, strict=True) if steps <= most]
            later = _LATER * plan.whole * most / max(1, most + min(ways))
            outlook = plan.outlooks[ways] = max(volley(tuple(within), actor.base_ap), later)
        return outlook

    def _plan(self, actor: Fighter, foe: Fighter) -> _Plan:
        """Returns the blows the actor may strike at an enemy next turn."""
        key = (id(actor.stats), actor.cooldowns, foe.cell, id(foe.stats), foe.player)
        plan = self._plans.get(key)
        if plan is None:
            waiting = {spell for spell, turns in actor.cooldowns if turns > 1}
            open_to = [blow for blow in self.blows.of(actor) if blow.spell.key not in waiting]
            strikes = [(self.blows.damage(actor, b.spell, foe), b.spell.ap, b.times) for b in open_to]
            levels = [self.blows.ways(blow, foe.cell) for blow in open_to]
            plan = self._plans.keep(key, _Plan(actor.base_ap, strikes, levels), actor.stats, foe.stats)
        return plan

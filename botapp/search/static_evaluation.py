"""The static evaluation of a state for one side, in HP: life, deaths, buffs, states, summons and marks.

It values every kind of spell alike: by the difference between the states after and before a cast. Where the
fighters stand does not count, save for marks. Next hop: `botapp.search.greedy` picks the best cast,
`botapp.search.heuristic` adds what the next turns may bring.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from botapp.fight.board import distance
from botapp.fight.buffs import full_ap, full_mp
from botapp.fight.damage import expected_amount, mean_amount
from botapp.fight.rules import winner
from botapp.fight.spells import Buff, EffectKind, Spell
from botapp.fight.state import Fighter, FightState, Mark, MarkKind
from botapp.fight.targets import meant
from botapp.search.buff_values import POINT_AP, POINT_MP, Bearer, buff_value
from botapp.search.identity_cache import IdentityCache

HURTING = (EffectKind.DAMAGE, EffectKind.STEAL)
LIFE = 1.0
"""The value of being alive on top of the HP, as a share of the full HP; it shrinks with the root of the HP,
so that a wound weighs more on someone who is wounded already."""

WON = 3000.0
"""The value of a fight won, at the least; never less than all HP there are, so that nothing else counts."""
STEEPNESS = 10.0
"""How fast the share of winning grows with the evaluation; see LOG.md for the fit."""

_SUMMON_TURNS = 1.6
_SUMMON_LIFE = 0.35
_SHIELD = 0.45
_IDLE_SHIELD = 0.1
_ARM = 6
_TRAP_CHANCES = (0.0, 0.5, 0.45, 0.35, 0.3, 0.2, 0.15)
_NEAR_GLYPH = 0.1

_Options = tuple[tuple[float, int, int], ...]

_PLAIN = Fighter(-1, "", "", 1, 0, 1, 1, 1, 0, 0, 0, 0, ())
"""Somebody without resistances, to measure blows on."""


@lru_cache(maxsize=1 << 14)
def volley(options: _Options, ap: int) -> float:
    """Returns the most damage that `ap` action points buy.

    Args:
        options: what there is to cast, each as (damage in HP, cost in AP, how many times at most).
        ap: the action points to spend.
    """
    best = [0.0] * (max(0, ap) + 1)
    for damage, cost, times in options:
        for _ in range(min(times, ap // max(1, cost))):
            for budget in range(ap, cost - 1, -1):
                best[budget] = max(best[budget], best[budget - cost] + damage)
    return max(best)


def full_hp(fighter: Fighter) -> int:
    """Returns the maximum HP the fighter came with, before erosion."""
    return fighter.max_hp + fighter.eroded


def life(hp: float, full: int) -> float:
    """Returns the value of a fighter with `hp` of its `full` HP, in HP; 0 once it is dead."""
    return hp + LIFE * math.sqrt(hp * full) if hp > 0 else 0.0


def times_a_turn(spell: Spell) -> int:
    """Returns how often the spell can be cast at one target in a turn."""
    limits = [limit for limit in (spell.casts_per_turn, spell.casts_per_target) if limit]
    return 1 if spell.cooldown else min(limits, default=12)


def damage(caster: Fighter, spell: Spell, target: Fighter) -> float:
    """Returns the mean damage of one cast at the target, collisions and marks left out."""
    return sum(
        expected_amount(effect, spell, caster, target, 0)
        for effect in spell.effects
        if effect.kind in HURTING
    )


class StaticEvaluation:
    """Values the states of one fight from the side of a team.

    Args:
        state: a state of the fight; who fights and how strong they are is taken from it.
        team: the side.
    """

    def __init__(self, state: FightState, team: int) -> None:
        self.team = team
        self._powers: IdentityCache[tuple[int, int, int], float] = IdentityCache()
        self._values: IdentityCache[int, float] = IdentityCache()
        self._lacks: IdentityCache[int, float] = IdentityCache()
        self._buff_values: IdentityCache[tuple[int, int, int], float] = IdentityCache()
        self._marked: IdentityCache[tuple[int, int], IdentityCache[int, float]] = IdentityCache()
        self._payloads: IdentityCache[tuple[object, ...], float] = IdentityCache()
        alive = [f for f in state.fighters if f.hp > 0]
        self._incoming = {
            side: sum(self.power(f) for f in alive if f.team != side)
            / max(1, sum(1 for f in alive if f.team == side))
            for side in {f.team for f in alive}
        }
        self._total = max(1.0, sum(life(f.max_hp, full_hp(f)) for f in state.fighters if f.summoner is None))
        self._won = max(WON, self._total)

    def lead(self, score: float) -> float:
        """Returns an evaluation as a share of all that both sides have at full HP."""
        return score / self._total

    def share(self, score: float) -> float:
        """Returns the share of fights that a side with this evaluation wins, 0..1."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, STEEPNESS * self.lead(score)))))

    def power(self, fighter: Fighter) -> float:
        """Returns the damage of the fighter's best turn on somebody without resistances, in HP.

        Heals count for what they give back.
        """
        key = (id(fighter.spells), id(fighter.stats), fighter.base_ap)
        known = self._powers.get(key)
        if known is None:
            options = [
                (damage(fighter, spell, _PLAIN) + _healing(fighter, spell), spell.ap, times_a_turn(spell))
                for spell in fighter.spells
            ]
            value = volley(tuple(option for option in options if option[0] > 0), fighter.base_ap)
            known = self._powers.keep(key, value, fighter.spells, fighter.stats)
        return known

    def score(
        self, state: FightState, fleeting: bool = True, fighters: Sequence[Fighter] | None = None
    ) -> float:
        """Returns how much better off the side is than the other one, in HP.

        Args:
            state: a state of the fight.
            fleeting: whether shields, lost AP and lost MP count, which are gone after the next turn.
            fighters: who counts in place of the state's own fighters, each where that one stands; all
                that live are alive among them.
        """
        won = winner(state)
        if won is not None:
            return 0.0 if won < 0 else self._won if won == self.team else -self._won
        total = 0.0
        actor = state.order[state.current]
        fighters = state.fighters if fighters is None else fighters
        for place, fighter in zip(state.fighters, fighters, strict=True):
            if fighter.hp <= 0:
                continue
            value = self._values.get(id(fighter))
            if value is None:
                value = self._valued(fighter)
            if fleeting:
                if fighter.shield:
                    value += fighter.shield * (_SHIELD if _threatened(state, place) else _IDLE_SHIELD)
                if fighter.id != actor:
                    lack = self._lacks.get(id(fighter))
                    value -= self._lacking(fighter) if lack is None else lack
            total += value if fighter.team == self.team else -value
        for mark in state.marks:
            total += self._mark(state, fighters, mark)
        return total

    def _valued(self, fighter: Fighter) -> float:
        """Returns the value of a living fighter to its side, worked out once for each fighter object."""
        if fighter.summoner is None:
            value = life(fighter.hp, full_hp(fighter))
        else:
            wholeness = 0.5 + 0.5 * fighter.hp / max(1, full_hp(fighter))
            value = _SUMMON_LIFE * fighter.hp + _SUMMON_TURNS * self.power(fighter) * wholeness
        if fighter.buffs:
            value += self.buff_value(fighter)
        return self._values.keep(id(fighter), value, fighter)

    def buff_value(self, fighter: Fighter) -> float:
        """Returns the value of the fighter's buffs and states to its side, in HP."""
        if not fighter.buffs:
            return 0.0
        key = fighter.id, id(fighter.buffs), id(fighter.stats)
        known = self._buff_values.get(key)
        if known is None:
            bearer = self._bearer(fighter)
            value = sum(buff_value(buff, bearer) for buff in fighter.buffs)
            known = self._buff_values.keep(key, value, fighter.buffs, fighter.stats)
        return known

    def _lacking(self, fighter: Fighter) -> float:
        """Returns the value of the AP and MP that somebody lacks in its next turn, in HP; see `_valued`."""
        value = 0.0
        lost_ap, lost_mp = full_ap(fighter) - fighter.ap, full_mp(fighter) - fighter.mp
        if lost_ap > 0:
            value += POINT_AP * lost_ap * self.power(fighter) / max(1, fighter.base_ap)
        if lost_mp > 0:
            value += POINT_MP * lost_mp * full_hp(fighter) / 100
        return self._lacks.keep(id(fighter), value, fighter)

    def _bearer(self, fighter: Fighter) -> Bearer:
        incoming = self._incoming.get(fighter.team, 0.0)
        return Bearer(fighter.id, fighter.base_ap, self.power(fighter), incoming, full_hp(fighter) / 100)

    def term(self, fighter: Fighter, acts: bool) -> float:
        """Returns what `score` adds for a fighter without a shield; `acts` where it is its turn."""
        if fighter.hp <= 0:
            return 0.0
        value = self._values.get(id(fighter))
        if value is None:
            value = self._valued(fighter)
        if not acts:
            lack = self._lacks.get(id(fighter))
            value -= self._lacking(fighter) if lack is None else lack
        return value if fighter.team == self.team else -value

    def _mark(self, state: FightState, fighters: Sequence[Fighter], mark: Mark) -> float:
        """Returns the value of a mark to the side; `fighters` as in `score`."""
        owner = next((f for f in fighters if f.id == mark.owner), None)
        if owner is None:
            return 0.0
        key = id(mark), id(owner.stats)
        known = self._marked.get(key)
        if known is None:
            known = self._marked.keep(key, IdentityCache(), mark, owner.stats)
        total = 0.0
        for place, fighter in zip(state.fighters, fighters, strict=True):
            if fighter.hp > 0:
                found = known.get(id(fighter)) if place is fighter else None
                if found is None:
                    does = self._does(mark, owner, fighter, place.cell)
                    found = does if fighter.team == self.team else -does
                    if place is fighter:
                        known.keep(id(fighter), found, fighter)
                total += found
        return total

    def _does(self, mark: Mark, owner: Fighter, fighter: Fighter, cell: int) -> float:
        """Returns what a mark may be expected to do to a fighter on a cell, in HP: more is better for it.

        What the payload does is worked out once for all that it depends on.
        """
        chance = _chance(mark, owner, fighter.team, cell)
        if not chance:
            return 0.0
        whose = id(mark.payload), owner.id, owner.team, id(owner.stats)
        who = fighter.id, fighter.team, id(fighter.stats), id(fighter.spells)
        key = *whose, *who, fighter.hp, fighter.max_hp, fighter.eroded
        known = self._payloads.get(key)
        if known is None:
            payload = self._payload(mark, owner, fighter)
            held = mark.payload, owner.stats, fighter.stats, fighter.spells
            known = self._payloads.keep(key, payload, *held)
        return chance * known

    def _payload(self, mark: Mark, owner: Fighter, fighter: Fighter) -> float:
        """Returns what a mark does to someone it acts on, in HP: more is better for that one."""
        total, bulk = 0.0, full_hp(fighter) / 100
        for effect in mark.payload:
            if not meant(effect, owner, fighter):
                continue
            kind = effect.kind
            mean = mean_amount(effect, 0, 0, owner, fighter, 0)
            if kind in HURTING:
                total -= life(fighter.hp, full_hp(fighter)) - life(fighter.hp - mean, full_hp(fighter))
            elif kind is EffectKind.HEAL:
                total += min(mean, fighter.max_hp - fighter.hp)
            elif kind is EffectKind.SHIELD:
                total += _SHIELD * mean
            elif kind is EffectKind.BUFF or kind is EffectKind.STATE:
                given = Buff(owner.id, effect.turns, effect.stat, round(mean), effect.state)
                total += buff_value(given, self._bearer(fighter))
            else:
                total -= POINT_MP * bulk * mean
        return total


def _threatened(state: FightState, fighter: Fighter) -> bool:
    """Tells whether an enemy is close enough to strike the fighter within a turn, as far as one can guess."""
    cell, team = fighter.cell, fighter.team
    for foe in state.fighters:
        if foe.team != team and foe.hp > 0 and distance(foe.cell, cell) <= foe.base_mp + _ARM:
            return True
    return False


def _healing(fighter: Fighter, spell: Spell) -> float:
    return sum(
        0.6 * expected_amount(effect, spell, fighter, _PLAIN, 0)
        for effect in spell.effects
        if effect.kind is EffectKind.HEAL
    )


def _chance(mark: Mark, owner: Fighter, team: int, cell: int) -> float:
    """Returns how likely a mark is to act on someone of a team on a cell within its next turn."""
    if mark.kind is MarkKind.GLYPH:
        if cell in mark.cells:
            return 0.9
        return _NEAR_GLYPH if team != owner.team and distance(cell, mark.cell) <= 3 else 0.0
    if team == owner.team:
        return 0.0
    far = distance(cell, mark.cell)
    return _TRAP_CHANCES[far] if far < len(_TRAP_CHANCES) else 0.05

"""What a deliberation reads: the state once, and after every slice of search what came of it.

The columns are relations to the actor, worked out by the rules and by the search; no id, cell, class or
spell name is among them. Of the first actions the best `MOST` get a token, by their values before any
rollout.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from botapp.fight.actions import Cast, Move
from botapp.fight.board import XY
from botapp.fight.core.acts import spell_use
from botapp.fight.sheet import max_range
from botapp.fight.state import Fighter
from botapp.search.candidates import Candidate
from botapp.search.core.schedule import NOTHING
from botapp.search.core.static import STEEPNESS
from botapp.search.reading import Standings
from botapp.search.result import SearchResult
from botapp.search.tree import ENDS

Array = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]

MOST = 24  # Candidates with a token
MOST_FIGHTERS = 16

_PURPOSES = ("hurts", "harms", "helps", "itself", "jumps", "calls", "traps", "moves", "wide")
_TERMS = ("static", "threat", "outlook")
_ENEMY_SLOTS, _ALLY_SLOTS = 4, 3
_SLOTS = ("self", *(f"enemy{n}" for n in range(_ENEMY_SLOTS)), *(f"ally{n}" for n in range(_ALLY_SLOTS)))

CONTEXT = (
    "hp", "hp_size", "shield", "ap", "mp", "turn", "enemies", "allies", "summons", "enemy_summons", "team_hp",
    "chance", "end_chance", "best_gain", "second_gap", *_TERMS, "candidates", "left_out", "casts", "nodes",
    "marks", "nearest", "slice", "strike", "power",
)  # fmt: skip
FIGHTER = (
    "self", "ally", "enemy", "summon", "hp", "hp_size", "shield", "level", "ap", "mp", "distance", "adjacent",
    "next", "order", "power", "strike", "lethal", "longest", "cooling", "lock", "flee", "resistance",
    "eroded", "buffs", "assumed",
)  # fmt: skip
CANDIDATE = (
    "move", "cast", "end", "ap_spent", "mp_spent", "steps", "range", "cooldown", "limited", "crit",
    *_PURPOSES, "at_enemy", "at_ally", "at_self", "at_summon", "aim_hp", "aim_size", "aim_strike",
    "aim_distance", "gain", "gap", "chance_gap", "rank", "potential", "greedy", *_TERMS,
)  # fmt: skip
EVIDENCE = (
    "gap", "chance_gap", "rank", "best", "change", "last_change", "visits", "visits_behind", "ends_behind",
    "spread", "error", "second_gap", "has_second", "same_end", "looked", "looks",
    *(f"end_{t}" for t in _TERMS),
    *(f"{slot}_{what}" for slot in _SLOTS for what in ("lost", "fallen", "away")), "shields", "enemy_ap",
    "enemy_mp", "summoned", "marks",
)  # fmt: skip
PROGRESS = (
    "slices", "left", "price", "played", "chance", "second_gap", "changed", "since_change", "rollouts",
    "last_change", "by_schedule",
)  # fmt: skip

CHANCE = 0.1  # What differences of the chance of winning are counted in
_HIT = 0.4
_WALK = 20.0
_LARGEST = 6.0
_XY = np.array(XY)


@dataclass(frozen=True, slots=True)
class Facts:
    """What does not change while a decision is thought about, without a batch axis."""

    context: Array  # float32, (len(CONTEXT),)
    fighters: Array  # float32, (F, len(FIGHTER)), the actor first
    candidates: Array  # float32, (C, len(CANDIDATE)), ending the turn last


@dataclass(frozen=True, slots=True)
class EvidenceReading:
    """What is known after a slice, without a batch axis."""

    evidence: Array  # float32, (C, len(EVIDENCE))
    progress: Array  # float32, (len(PROGRESS),)
    odds: Numbers  # float64, the log odds of winning by each candidate's backed-up value, (C,)


class Deliberated:
    """The state, the candidates and the search of one decision, as they are read step by step.

    Args:
        found: the search, its turn expanded and without rollouts yet; its candidates get named.
        slices: how many slices there may be.
        slice_actions: actions of the others in one of them, about.
        price: what a slice costs, in percent points of winning.
        ends: how many ends of turn rollouts begin from, by the schedule.

    Attributes:
        shown: the places in `found.candidates` of those that have a token.
        facts: what does not change.
        done: slices done by the next reading.
    """

    def __init__(
        self, found: SearchResult, slices: int, slice_actions: float, price: float, ends: int = ENDS
    ) -> None:
        self.found, self.tree = found, found.tree
        self.slices, self.price = slices, price
        values = np.array(found.evaluations)
        last = len(values) - 1
        best = np.argsort(-values[:last], kind="stable")[: MOST - 1]
        self.shown = np.append(np.sort(best), last)
        self._options = [found.candidates[place] for place in self.shown]
        self._ends = ends
        self.name()
        self._prior = self.tree.standings().value
        state = self.tree.root.state
        self._actor = state.actor
        full = [f.max_hp + f.eroded for f in state.fighters if f.summoner is None]
        self._hp = sum(full) / max(1, len(full))
        self._hit = _HIT * self._hp
        self._roots = self.tree.fighters(np.zeros(1, np.int64), len(state.fighters), _FIELDS)[0]
        order = [number for number in state.order if state.fighter(number).hp > 0]
        place = order.index(self._actor.id) if self._actor.id in order else 0
        self._turns = {number: (n - place) % len(order) for n, number in enumerate(order)}
        slots = np.array(self._find_slots())
        places = np.flatnonzero(slots >= 0)
        self._there, self._lost = slots[places], 3 * places
        self._sides = np.where((places > 0) & (places <= _ENEMY_SLOTS), -1, 1)
        self._had = self._roots[self._there]
        self._strikes = self.tree.strikes(self.tree.root, self._actor.id)
        self._powers = self.tree.powers(self.tree.root)
        self.facts = Facts(
            _tame(self._context(slice_actions)), _tame(self._fighters()), _tame(self._candidates())
        )
        self._last = self.chances(self._prior)
        self._looks = np.zeros(len(self.shown))
        self._best, self._since, self.done = -1, 0, 0

    def name(self) -> None:
        """Names the candidates with a token to the search, which may know others by then."""
        self.tree.name([option.node for option in self._options], self._ends)

    def read(self, looked: int | None = None, go_on: Callable[[], object] = lambda: None) -> EvidenceReading:
        """Reads what is known now.

        Args:
            looked: the named candidate that the slice since the last reading was spent on, None for the
                schedule, or before the first slice.
            go_on: is called as soon as the search may go on in another thread: what changes with it is read.
        """
        standings = self.tree.standings()
        played, rollouts = self.tree.played_actions, self.tree.rollouts
        go_on()
        if looked is not None:
            self._looks[looked] += 1
        best = int(standings.value.argmax())
        changed = best != self._best and self._best >= 0
        self._since = 0 if changed else self._since + 1
        self._best = best
        chances = self.chances(standings.value)
        evidence = self._evidence(standings, chances, looked)
        two = np.sort(standings.value)[-2:].tolist()
        progress = np.array(
            [
                self.done / 8,
                (self.slices - self.done) / 8,
                math.log(self.price / 0.05),
                math.log1p(played) / 8,
                self.tree.share(two[-1]),
                (two[-1] - two[0]) / self._hit,
                float(changed),
                self._since / 8,
                math.log1p(rollouts) / 6,
                (chances[best] - self._last[best]) / CHANCE,
                float(looked is None and self.done > 0),
            ]
        )
        self._last = chances
        self.done += 1
        return EvidenceReading(
            _tame(evidence), _tame(progress), STEEPNESS * standings.value / self.tree.lead_unit
        )

    def chances(self, values: Numbers) -> Numbers:
        """Returns the chances of winning, 0..1, that values in HP stand for."""
        found: Numbers = 1 / (1 + np.exp(-np.clip(STEEPNESS * values / self.tree.lead_unit, -30, 30)))
        return found

    def _find_slots(self) -> list[int]:
        """Returns the numbers of the fighters that `_SLOTS` are about, -1 for none."""
        fighters = self.tree.root.state.fighters
        sides: tuple[list[int], list[int]] = [], []
        for number, fighter in enumerate(fighters):
            if fighter.hp > 0 and fighter.id != self._actor.id:
                sides[fighter.team == self._actor.team].append(number)
        found = [next(n for n, f in enumerate(fighters) if f.id == self._actor.id)]
        for numbers, room in zip(sides, (_ENEMY_SLOTS, _ALLY_SLOTS), strict=True):
            numbers.sort(
                key=lambda n: (fighters[n].summoner is not None, self._turns.get(fighters[n].id, 99))
            )
            found += (numbers + [-1] * room)[:room]
        return found

    def _context(self, slice_actions: float) -> Numbers:
        state, actor = self.tree.root.state, self._actor
        alive = [f for f in state.fighters if f.hp > 0]
        enemies = [f for f in alive if f.team != actor.team]
        own = [f for f in alive if f.team == actor.team]
        enemy_hp, team_hp = (sum(f.hp + f.shield for f in side) for side in (enemies, own))
        values = np.sort(self._prior)[::-1]
        near = min((_apart(actor.cell, f.cell) for f in enemies), default=0)
        second = values[1] if len(values) > 1 else values[0]
        return np.array(
            [
                actor.hp / max(1, actor.max_hp),
                actor.hp / self._hp,
                actor.shield / self._hit,
                actor.ap / 10,
                actor.mp / 6,
                min(state.turn, 40) / 20,
                sum(f.summoner is None for f in enemies) / 4,
                sum(f.summoner is None for f in own) / 4,
                sum(f.summoner is not None for f in own) / 3,
                sum(f.summoner is not None for f in enemies) / 3,
                team_hp / max(1, team_hp + enemy_hp),
                self.tree.share(float(values[0])),
                self.tree.share(float(self._prior[-1])),
                (values[0] - self._prior[-1]) / self._hit,
                (values[0] - second) / self._hit,
                *(term / self._hit for term in self.tree.root.terms),
                len(self.shown) / 20,
                (len(self.found.candidates) - len(self.shown)) / 20,
                sum(option.spell is not None for option in self._options) / 10,
                np.log1p(self.tree.nodes) / 8,
                len(state.marks) / 3,
                near / _WALK,
                np.log1p(max(0.0, slice_actions)) / 8,
                sum(self._strikes[f.id] for f in enemies) / max(1, actor.hp),
                self._powers[actor.id] / self._hit,
            ]
        )

    def _fighters(self) -> Numbers:
        actor, state = self._actor, self.tree.root.state
        alive = [f for f in state.fighters if f.hp > 0 and f.id != actor.id]
        alive.sort(key=lambda f: (f.summoner is not None, f.team == actor.team, self._turns.get(f.id, 99)))
        return np.array([self._fighter(fighter) for fighter in [actor, *alive][:MOST_FIGHTERS]])

    def _fighter(self, fighter: Fighter) -> list[float]:
        actor = self._actor
        enemy = fighter.team != actor.team
        strike = self._strikes[fighter.id] if enemy else 0.0
        apart = _apart(actor.cell, fighter.cell)
        turns = self._turns.get(fighter.id, 0)
        return [
            float(fighter.id == actor.id),
            float(not enemy and fighter.id != actor.id),
            float(enemy),
            float(fighter.summoner is not None),
            fighter.hp / max(1, fighter.max_hp),
            fighter.hp / self._hp,
            fighter.shield / self._hit,
            fighter.level / max(1, actor.level) - 1,
            fighter.ap / 10,
            fighter.mp / 6,
            apart / _WALK,
            float(apart == 1),
            float(turns == 1),
            turns / max(1, len(self._turns)),
            self._powers[fighter.id] / self._hit,
            strike / max(1, actor.hp),
            float(strike >= actor.hp + actor.shield),
            max((max_range(fighter, spell) for spell in fighter.spells), default=0) / 10,
            sum(left > 0 for _, left in fighter.cooldowns) / 6,
            fighter.stats.lock / 20,
            fighter.stats.flee / 20,
            sum(fighter.stats.resistance) / 250,
            fighter.eroded / max(1, fighter.max_hp + fighter.eroded),
            len(fighter.buffs) / 5,
            float(bool(fighter.assumed)),
        ]

    def _candidates(self) -> Numbers:
        tree = self.tree
        nodes = np.array([option.node.index for option in self._options])
        rows = np.zeros((len(nodes), len(CANDIDATE)))
        kinds = CANDIDATE.index("gain")
        rows[:, :kinds] = [self._kind(option) for option in self._options]
        actor = self._there[0]
        left = tree.fighters(nodes, actor + 1, ("ap", "mp"))[:, -1]
        rows[:, 3:5] = (self._had[0, _AP : _MP + 1] - left) / 6
        best = self._prior.max()
        chances = self.chances(self._prior)
        rows[:, kinds] = (self._prior - self._prior[-1]) / self._hit
        rows[:, kinds + 1] = (best - self._prior) / self._hit
        rows[:, kinds + 2] = (chances.max() - chances) / CHANCE
        rows[:, kinds + 3] = 1 / (1 + _ranks(self._prior))
        rows[:, kinds + 4] = tree.potentials(nodes) / self._hit
        greedy = tree.default_action
        rows[:, kinds + 5] = [
            option.action == greedy if greedy is not None else option.node is tree.root
            for option in self._options
        ]
        rows[:, kinds + 6 :] = self._terms(nodes)
        return rows

    def _kind(self, option: Candidate) -> list[float]:
        """Returns what an action is, and what it is aimed at: the columns before `gain`.

        Those for the AP and MP spent are left 0.
        """
        action, spell, own = option.action, option.spell, self._actor
        steps = len(action.path) / 6 if isinstance(action, Move) else 0
        found = [isinstance(action, Move), spell is not None, option.node.index == 0, 0, 0, steps]
        if spell is None or not isinstance(action, Cast):
            return found + [0] * (CANDIDATE.index("gain") - len(found))
        use = spell_use(spell)
        limited = bool(spell.casts_per_turn or spell.casts_per_target)
        found += [max_range(own, spell) / 10, spell.cooldown / 5, limited, spell.crit / 50]
        found += [use >> bit & 1 for bit in range(len(_PURPOSES))]
        state = self.tree.root.state
        at = next((f for f in state.fighters if f.cell == action.target and f.hp > 0), None)
        if at is None:
            found += [0] * 7
        else:
            enemy, strike = at.team != own.team, self._strikes[at.id] / max(1, own.hp)
            found += [enemy, not enemy and at.id != own.id, at.id == own.id, at.summoner is not None]
            found += [at.hp / max(1, at.max_hp), at.hp / self._hp, strike if enemy else 0]
        return [*found, _apart(own.cell, action.target) / 10]

    def _terms(self, nodes: Any) -> Numbers:
        """Returns by how much the evaluation's terms change from the root to some nodes, (nodes, 3)."""
        changes: Numbers = (self.tree.terms(nodes) - np.array(self.tree.root.terms)) / self._hit
        return changes

    def _evidence(self, standings: Standings, chances: Numbers, looked: int | None) -> Numbers:
        values, hit = standings.value, self._hit
        rows = np.zeros((len(values), len(EVIDENCE)))
        ranks = _ranks(values)
        second = standings.behind[:, 3]
        known = second > NOTHING
        rows[:, 0] = (values.max() - values) / hit
        rows[:, 1] = (chances.max() - chances) / CHANCE
        rows[:, 2] = 1 / (1 + ranks)
        rows[:, 3] = ranks == 0
        rows[:, 4] = (values - self._prior) / hit
        rows[:, 5] = (chances - self._last) / CHANCE
        rows[:, 6] = np.log1p(standings.visits) / 3
        rows[:, 7] = np.log1p(standings.behind[:, 0]) / 4
        rows[:, 8] = np.log1p(standings.behind[:, 1]) / 3
        rows[:, 9] = standings.spread / hit
        rows[:, 10] = standings.spread / np.sqrt(np.maximum(standings.visits, 1)) / hit
        rows[:, 11] = np.where(known, (values - np.where(known, second, 0)) / hit, 0)
        rows[:, 12] = known
        rows[:, 13] = standings.end == standings.end[values.argmax()]
        if looked is not None:
            rows[looked, 14] = 1
        rows[:, 15] = self._looks / 4
        rows[:, 16:19] = self._terms(standings.end)
        rows[:, _OF_SLOTS:] = self._at_the_end(standings.end)
        return rows

    def _at_the_end(self, ends: Any) -> Numbers:
        tree, had, hit = self.tree, self._had, self._hit
        left = tree.fighters(ends, len(self._roots), _FIELDS)[:, self._there]
        hp = left[:, :, _HP]
        xy = _XY[np.clip(left[:, :, _CELL], 0, len(_XY) - 1)]
        centre = np.repeat(xy[:, :1], len(self._there), axis=1)
        centre[:, 0] = _XY[self._actor.cell]
        rows = np.zeros((len(ends), len(EVIDENCE) - _OF_SLOTS))
        rows[:, self._lost] = (had[:, _HP] - np.maximum(hp, 0)) / hit
        rows[:, self._lost + 1] = (hp <= 0) & (had[:, _HP] > 0)
        rows[:, self._lost + 2] = np.abs(xy - centre).sum(-1) / _WALK
        rows[:, -5] = (left[:, :, _SHIELD] - had[:, _SHIELD]) @ self._sides / hit
        foes = self._sides < 0
        rows[:, -4:-2] = (had[foes, _AP : _MP + 1] - left[:, foes, _AP : _MP + 1]).sum(1) / 3
        rows[:, -2] = tree.fighter_counts(ends) - len(self._roots)
        rows[:, -1] = tree.mark_counts(ends) - len(tree.root.state.marks)
        return rows


_FIELDS = ("cell", "hp", "ap", "mp", "shield")
_CELL, _HP, _AP, _MP, _SHIELD = range(len(_FIELDS))
_OF_SLOTS = EVIDENCE.index("self_lost")


def _apart(one: int, other: int) -> int:
    (ax, ay), (bx, by) = XY[one], XY[other]
    return abs(ax - bx) + abs(ay - by)


def _ranks(values: Numbers) -> Numbers:
    """Returns the place of each value, 0 for the highest; equals keep their order."""
    ranks = np.empty(len(values))
    ranks[np.argsort(-values, kind="stable")] = np.arange(len(values))
    return ranks


def _tame(values: Numbers) -> Array:
    """Keeps features within what the model was made for, whatever the fight."""
    tamed: Array = np.clip(values, -_LARGEST, _LARGEST).astype(np.float32)
    tamed[np.isnan(tamed)] = 0
    return tamed

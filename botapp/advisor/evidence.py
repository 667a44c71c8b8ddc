"""What a deliberation reads: the state once, and after every slice of search what came of it.

The columns of both are relations to the actor (`botapp.advisor.facts`). Of the first actions the best `MOST`
get a token, by their values before any rollout.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from botapp.advisor.facts import (
    CHANCE,
    TERMS,
    WALK,
    Array,
    FactReader,
    Numbers,
    chances,
    changed_terms,
    ranks,
    tame,
)
from botapp.fight.board import XY
from botapp.search.core.schedule import NOTHING
from botapp.search.core.static import STEEPNESS
from botapp.search.reading import Standings
from botapp.search.result import SearchResult
from botapp.search.room import IntArray
from botapp.search.tree import ENDS, TurnSearch

MOST = 24  # Candidates with a token

_ENEMY_SLOTS, _ALLY_SLOTS = 4, 3
_SLOTS = ("self", *(f"enemy{n}" for n in range(_ENEMY_SLOTS)), *(f"ally{n}" for n in range(_ALLY_SLOTS)))

EVIDENCE = (
    "gap", "chance_gap", "rank", "best", "change", "last_change", "visits", "visits_behind", "ends_behind",
    "spread", "error", "second_gap", "has_second", "same_end", "looked", "looks",
    *(f"end_{t}" for t in TERMS),
    *(f"{slot}_{what}" for slot in _SLOTS for what in ("lost", "fallen", "away")), "shields", "enemy_ap",
    "enemy_mp", "summoned", "marks",
)  # fmt: skip
PROGRESS = (
    "slices", "left", "price", "played", "chance", "second_gap", "changed", "since_change", "rollouts",
    "last_change", "by_schedule",
)  # fmt: skip

_FIELDS = ("cell", "hp", "ap", "mp", "shield")
_CELL, _HP, _AP, _MP, _SHIELD = range(len(_FIELDS))
_OF_SLOTS = EVIDENCE.index("self_lost")
_XY = np.array(XY)


@dataclass(frozen=True, slots=True)
class EvidenceReading:
    """What is known after a slice, without a batch axis."""

    evidence: Array  # float32, (C, len(EVIDENCE))
    progress: Array  # float32, (len(PROGRESS),)
    odds: Numbers  # float64, the log odds of winning by each candidate's backed-up value, (C,)


class _SlotChanges:
    """What becomes of the actor and those who play next by an end of turn; counted from the root.

    Args:
        turns: how many turns from now each fighter plays, by id.
        hit: what differences of HP are counted in.
    """

    def __init__(self, tree: TurnSearch, turns: Mapping[int, int], hit: float) -> None:
        self._tree, self._hit = tree, hit
        self._roots = tree.fighters(np.zeros(1, np.int64), len(tree.root.state.fighters), _FIELDS)[0]
        slots = np.array(_find_slots(tree, turns))
        places = np.flatnonzero(slots >= 0)
        self._there, self._lost = slots[places], 3 * places
        self._sides = np.where((places > 0) & (places <= _ENEMY_SLOTS), -1, 1)

    def read(self, ends: IntArray) -> Numbers:
        """Returns the columns from `self_lost` on for turns that end in some nodes, a row each."""
        tree, hit = self._tree, self._hit
        had = self._roots[self._there]
        left = tree.fighters(ends, len(self._roots), _FIELDS)[:, self._there]
        hp = left[:, :, _HP]
        xy = _XY[np.clip(left[:, :, _CELL], 0, len(_XY) - 1)]
        centre = np.repeat(xy[:, :1], len(self._there), axis=1)
        centre[:, 0] = _XY[tree.root.state.actor.cell]
        rows = np.zeros((len(ends), len(EVIDENCE) - _OF_SLOTS))
        rows[:, self._lost] = (had[:, _HP] - np.maximum(hp, 0)) / hit
        rows[:, self._lost + 1] = (hp <= 0) & (had[:, _HP] > 0)
        rows[:, self._lost + 2] = np.abs(xy - centre).sum(-1) / WALK
        rows[:, -5] = (left[:, :, _SHIELD] - had[:, _SHIELD]) @ self._sides / hit
        foes = self._sides < 0
        rows[:, -4:-2] = (had[foes, _AP : _MP + 1] - left[:, foes, _AP : _MP + 1]).sum(1) / 3
        rows[:, -2] = tree.fighter_counts(ends) - len(self._roots)
        rows[:, -1] = tree.mark_counts(ends) - len(tree.root.state.marks)
        return rows


def _find_slots(tree: TurnSearch, turns: Mapping[int, int]) -> list[int]:
    """Returns the numbers of the fighters that `_SLOTS` are about, -1 for none."""
    fighters, actor = tree.root.state.fighters, tree.root.state.actor
    sides: tuple[list[int], list[int]] = [], []
    for number, fighter in enumerate(fighters):
        if fighter.hp > 0 and fighter.id != actor.id:
            sides[fighter.team == actor.team].append(number)
    slots = [next(n for n, f in enumerate(fighters) if f.id == actor.id)]
    for numbers, room in zip(sides, (_ENEMY_SLOTS, _ALLY_SLOTS), strict=True):
        numbers.sort(key=lambda n: (fighters[n].summoner is not None, turns.get(fighters[n].id, 99)))
        slots += (numbers + [-1] * room)[:room]
    return slots


class Deliberated:
    """The state, the candidates and the search of one decision, as they are read step by step.

    Args:
        search: its turn expanded and without rollouts yet; its candidates get named.
        slices: how many slices there may be.
        slice_actions: actions of the others in one of them, about.
        price: what a slice costs, in percent points of winning.
        ends: how many ends of turn rollouts begin from, by the schedule.

    Attributes:
        shown: the places in `search.candidates` of those that have a token.
        facts: what does not change.
        done: slices done by the next reading.
    """

    def __init__(
        self, search: SearchResult, slices: int, slice_actions: float, price: float, ends: int = ENDS
    ) -> None:
        self.search, self.tree = search, search.tree
        self.slices, self._price, self._ends = slices, price, ends
        values = np.array(search.evaluations)
        last = len(values) - 1
        best = np.argsort(-values[:last], kind="stable")[: MOST - 1]
        self.shown = np.append(np.sort(best), last)
        self.name()
        reader = FactReader(self.tree, [search.candidates[place] for place in self.shown])
        self._prior, self._hit = reader.prior, reader.hit
        self._slot_changes = _SlotChanges(self.tree, reader.turns, reader.hit)
        self.facts = reader.read(len(values) - len(self.shown), slice_actions)
        self._last = chances(self.tree, self._prior)
        self._looks = np.zeros(len(self.shown))
        self._best, self._since, self.done = -1, 0, 0

    def name(self) -> None:
        """Names the candidates with a token to the search, which may know others by then."""
        self.tree.name([self.search.candidates[place].node for place in self.shown], self._ends)

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
        chance = chances(self.tree, standings.value)
        evidence = self._evidence(standings, chance, looked)
        two = np.sort(standings.value)[-2:].tolist()
        progress = np.array(
            [
                self.done / 8,
                (self.slices - self.done) / 8,
                math.log(self._price / 0.05),
                math.log1p(played) / 8,
                self.tree.share(two[-1]),
                (two[-1] - two[0]) / self._hit,
                float(changed),
                self._since / 8,
                math.log1p(rollouts) / 6,
                (chance[best] - self._last[best]) / CHANCE,
                float(looked is None and self.done > 0),
            ]
        )
        self._last = chance
        self.done += 1
        return EvidenceReading(
            tame(evidence), tame(progress), STEEPNESS * standings.value / self.tree.lead_unit
        )

    def _evidence(self, standings: Standings, chance: Numbers, looked: int | None) -> Numbers:
        values, hit = standings.value, self._hit
        rows = np.zeros((len(values), len(EVIDENCE)))
        rank = ranks(values)
        second = standings.behind[:, 3]
        known = second > NOTHING
        rows[:, 0] = (values.max() - values) / hit
        rows[:, 1] = (chance.max() - chance) / CHANCE
        rows[:, 2] = 1 / (1 + rank)
        rows[:, 3] = rank == 0
        rows[:, 4] = (values - self._prior) / hit
        rows[:, 5] = (chance - self._last) / CHANCE
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
        rows[:, 16:19] = changed_terms(self.tree, standings.end) / hit
        rows[:, _OF_SLOTS:] = self._slot_changes.read(standings.end)
        return rows

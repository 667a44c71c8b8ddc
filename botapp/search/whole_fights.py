"""Whole fights played in compiled code, tens to hundreds a second on a core, from any state on.

The same state, policies and seed are the same fight, whichever thread plays it; threads play at the same
time, as the interpreter's lock is not held. `FightDice` are the same dice for a fight that is played in
Python.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.core.capacity import numbers_of
from botapp.fight.core.compiler import INTERPRETED, WordList, decimals, long_numbers, whole_numbers
from botapp.fight.core.fight import ROLLS, SCRATCH, STATE, Fight
from botapp.fight.core.pack import load
from botapp.fight.core.packed import Packed
from botapp.fight.core.unpack import unpack
from botapp.fight.ranges import way_to
from botapp.fight.refusals import IllegalAction
from botapp.fight.rules import DRAW, apply, observation, winner
from botapp.fight.state import Fighter, FightState
from botapp.search.core import requests as ask_for
from botapp.search.core.bouts import (
    CROWDED,
    END_TURN,
    MOST_LOGGED,
    OUTGROWN,
    OVER,
    REFUSED,
    STOPPED,
    STYLES_AT_WORK,
    STYLES_OF_SIDES,
    STYLES_TO_PLANT,
    Bout,
)
from botapp.search.core.evaluation import Evaluation
from botapp.search.core.graph import CODE_CELLS, WALK_SLOT
from botapp.search.core.styles import styles_of
from botapp.search.desk import SearchDesk, lend, write_weights
from botapp.search.learned import LearnedEvaluation
from botapp.search.play_style import CLOSE_BLOWS, PlayStyle, play_style_from_spells
from botapp.search.reading import taken_apart
from botapp.search.tree import ALL_TURNS, ENDS, PASSES, ROUNDS, WALKS

_SIDES = 2
_LOG = Bout.word("log")


class FightDesk(SearchDesk):
    """Room for one whole fight; what a search's desk has is used for each turn's search.

    Args:
        nodes: see `SearchDesk`.
    """

    def __init__(self, nodes: int) -> None:
        super().__init__(nodes)
        self._t = whole_numbers(2 * STATE)
        self.true = Fight(self._t, STATE)
        self._bout = long_numbers(Bout.SIZE)
        self.bout = Bout(self._bout)
        self._evaluation = long_numbers(_SIDES * Evaluation.SIZE)
        self.evaluation = Evaluation(self._evaluation)

    def begin(self, book: Any, styles: Sequence[Any], judges: Sequence[LearnedEvaluation | None]) -> None:
        """Takes a fight's book, its play styles and what judges for each side.

        Args:
            styles: tables of play styles of one length: by which turns are planted, those of both sides.
            judges: the learned evaluation of each side, None for the hand-made one.
        """
        self._book = book
        # what an evaluation has worked out before must not tell in the next fight: a tag of `known_damage`
        # lacks HP and distance, which the damage of some spells depends on (docs/log/search.md)
        self._evaluation[:] = WordList([0] * len(self._evaluation)) if INTERPRETED else 0
        for side, judge in enumerate(judges):
            first = side * Evaluation.SIZE
            write_weights(Evaluation(self._evaluation, first), self._evaluation, first, judge)
        words = len(styles[0])
        self._styles = decimals(words * (1 + len(styles)))
        for place, table in zip((STYLES_TO_PLANT, *range(STYLES_OF_SIDES, 4)), styles, strict=True):
            self._styles[place * words : (place + 1) * words] = table
        assert STYLES_AT_WORK == 0
        self.bout.style_words = words

    def take(self, packed: Packed, seed: int, dice: int) -> None:
        """Takes a state to play on from, its dice rolled from a seed of 1 to 2**31 - 2."""
        load(packed.parts, self._s)
        self._t[STATE : STATE + SCRATCH] = self._s[:SCRATCH]
        self.true.dice, self.true.seed = dice, seed
        self.bout.turn = -1

    def show(self) -> Any:
        """Makes the fight's state the one that is worked on, and returns its array."""
        self._s[:SCRATCH] = self._t[STATE : STATE + SCRATCH]
        return self._s

    def play(self) -> int:
        """Plays on; returns why no further, see `botapp.search.core.bouts`."""
        self.bout.taken = 0
        return self._ask(ask_for.PLAY_BOUT)

    def logged(self) -> list[int]:
        """Returns the codes of the actions that the last call took."""
        return numbers_of(self._bout, _LOG, int(self.bout.taken))


spare: dict[int, list[FightDesk]] = {}


def borrow(nodes: int, borrower: object) -> FightDesk:
    """Returns room for fights whose searches have so many nodes, as long as the borrower lives.

    Raises:
        ValueError: no search is that large.
    """
    return lend(FightDesk, spare, nodes, borrower)


_MODULUS, _FACTOR = 2**31 - 1, 48271  # The dice's generator, `botapp.fight.core.state.draw`
_MIX, _MIX_AGAIN, _LANE = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 2**64 - 1


def first_throw(seed: int) -> int:
    """Returns the state, 1 to 2**31 - 2, that the dice of a seed begin in: seeds side by side have nothing in
    common."""
    mixed = (seed + 0x9E3779B97F4A7C15) & _LANE  # splitmix64 (G. Steele and others, 2014)
    mixed = ((mixed ^ mixed >> 30) * _MIX) & _LANE
    mixed = ((mixed ^ mixed >> 27) * _MIX_AGAIN) & _LANE
    return (mixed ^ mixed >> 31) % (_MODULUS - 1) + 1


class FightDice(random.Random):
    """The dice of compiled fights for `botapp.fight.rules.apply`; only `random` gives what they give."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.thrown = first_throw(seed)

    def random(self) -> float:
        """Returns the next throw, 0..1."""
        self.thrown = self.thrown * _FACTOR % _MODULUS
        return self.thrown / _MODULUS

    def getstate(self) -> Any:
        return self.thrown

    def setstate(self, state: Any) -> None:
        self.thrown = state


@dataclass(frozen=True, slots=True)
class Policy:
    """How a side plays."""

    # States evaluated of each turn beside those of its first actions; None for the default policy, which
    # searches nothing
    states: int | None = None
    actions: int = 0  # What the others may take in rollouts, 0 for no rollouts
    replies: int = 0  # States evaluated for each of their turns in rollouts, 0 for the default policy
    ends: int = ENDS  # Ends of turn that rollouts begin from at first; `learned` judges some for each of them
    # What judges ends of turn beside the heuristic evaluation, None for nothing
    learned: LearnedEvaluation | None = None
    # Tells how a fighter plays, in rollouts too
    play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells

    def __post_init__(self) -> None:
        if min(self.states or 0, self.actions, self.replies) < 0 or self.ends < 2:
            raise ValueError("a policy's states, actions and replies are 0 or more, its ends 2 or more")


Ending = Literal["won", "rounds", "stopped", "outgrown"]
"""A team has won, or no fighter is left; the last round is over; it was stopped; it has outgrown the rules'
room."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a fight went."""

    winner: int  # The team that has won, `DRAW` for none
    rounds: int
    actions: int
    ending: Ending


class WholeFight:
    """A fight between two policies, from a state on; it can be played any number of times.

    Args:
        state: where it begins; places have been chosen.
        red, blue: how team 0 and team 1 play.
        rounds: the last round that is played; a fight still on after it is a draw.

    Attributes:
        actions: the codes of the actions of the last play so far, see `botapp.search.core.bouts`.
    """

    def __init__(self, state: FightState, red: Policy, blue: Policy, rounds: int = 50) -> None:
        self._first = self._packed = taken_apart(state)
        self._policies, self._rounds = (red, blue), rounds
        self._tables = self._styles_of(self._first)
        self._desk = borrow(max(red.states or 0, blue.states or 0), self)
        self._stopped = False
        self.actions: list[int] = []

    def play(self, seed: int) -> Played:
        """Plays the fight from its beginning, dice thrown by a seed.

        Raises:
            IllegalAction: a policy did what the rules refuse.
        """
        self._begin(seed)
        return self._played(self._until(OVER, STOPPED, OUTGROWN))

    def stop(self) -> None:
        """Ends the fight that another thread plays, within a millisecond or a few, and those to come."""
        self._stopped = True
        self._desk.bout.stopping = 1

    @property
    def state(self) -> FightState:
        return unpack(self._packed, self._desk.show())

    def _begin(self, seed: int) -> None:
        desk, bout = self._desk, self._desk.bout
        self._packed, self.actions = self._first, []
        desk.begin(self._first.book, self._tables, [policy.learned for policy in self._policies])
        desk.take(self._first, first_throw(seed), ROLLS)
        bout.rounds, bout.most = self._rounds, MOST_LOGGED
        bout.close_blows = CLOSE_BLOWS
        for side, policy in enumerate(self._policies):
            player = bout.sides[side]
            player.searches, player.looks = int(policy.states is not None), policy.states or 0
            player.actions, player.replies, player.ends = policy.actions, policy.replies, policy.ends
            player.walks, player.passes, player.turns, player.rounds = WALKS, PASSES, ALL_TURNS, ROUNDS
        bout.stopping = 0
        if self._stopped:  # looked at after that: a stop meanwhile is not lost
            bout.stopping = 1

    def _styles_of(self, packed: Packed) -> list[Any]:
        """Returns the tables of play styles of a state, as `FightDesk.begin` takes them."""
        styles = [play_style_from_spells, *(policy.play_style for policy in self._policies)]
        tables = {style: styles_of(packed, style, to_the_end=True) for style in dict.fromkeys(styles)}
        return [tables[style] for style in styles]

    def _until(self, *reasons: int) -> int:
        """Plays on until a call returns for one of these reasons."""
        while True:
            why = self._desk.play()
            self.actions += self._desk.logged()
            if why in reasons:
                return why
            if why == REFUSED:
                raise IllegalAction("policy", f"a policy chose {self._chosen(self.state)}, which is refused")
            if why == CROWDED:
                self._act_in_python()

    def _act_in_python(self) -> None:
        """Takes the action chosen by the rules for Python, which forget summons that have died."""
        code, dice, state = int(self._desk.bout.chosen), FightDice(0), self.state
        dice.thrown = int(self._desk.true.seed)
        after = taken_apart(apply(state, self._chosen(state), dice))
        self._packed = after
        turn = int(self._desk.bout.turn), int(self._desk.bout.current)
        self._desk.begin(after.book, self._styles_of(after), [policy.learned for policy in self._policies])
        self._desk.take(after, dice.thrown, ROLLS)
        self._desk.bout.turn, self._desk.bout.current = turn
        self.actions.append(code)

    def _chosen(self, state: FightState) -> Action:
        code = int(self._desk.bout.chosen)
        if code == END_TURN:
            return EndTurn()
        slot, cell = code // CODE_CELLS - 1, code % CODE_CELLS
        if slot != WALK_SLOT:
            return Cast(state.actor.spells[slot].key, cell)
        return Move(way_to(observation(state, state.actor.team), state.actor, cell))

    def _played(self, why: int) -> Played:
        state = self.state
        won = winner(state)
        ending = _ENDINGS[why] if why != OVER or won is not None else "rounds"
        result = DRAW if won is None or why == OUTGROWN else won
        return Played(result, state.turn, len(self.actions), ending)


_ENDINGS: dict[int, Ending] = {OVER: "won", STOPPED: "stopped", OUTGROWN: "outgrown"}

"""Whole fights played in compiled code, tens to hundreds a second on a core, from any state on.

The same state, policies and seed are the same fight, whichever thread plays it; threads play at the same
time, as the interpreter's lock is not held. `FightDice` are the same dice for a fight that is played in
Python.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.core.fight import ROLLS
from botapp.fight.core.packed import Packed
from botapp.fight.core.unpack import unpack
from botapp.fight.ranges import way_to
from botapp.fight.refusals import IllegalAction
from botapp.fight.rules import DRAW, apply, observation, winner
from botapp.fight.state import Fighter, FightState
from botapp.search.core.bouts import (
    CROWDED,
    END_TURN,
    MOST_LOGGED,
    OUTGROWN,
    OVER,
    REFUSED,
    STOPPED,
)
from botapp.search.core.graph import CODE_CELLS, WALK_SLOT
from botapp.search.core.styles import styles_of
from botapp.search.fight_desk import borrow
from botapp.search.learned import LearnedEvaluation
from botapp.search.play_style import CLOSE_BLOWS, PlayStyle, play_style_from_spells
from botapp.search.reading import taken_apart
from botapp.search.tree import ALL_TURNS, ENDS, PASSES, ROUNDS, WALKS

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
        """Returns what `setstate` takes."""
        return self.thrown

    def setstate(self, state: Any) -> None:
        self.thrown = state


@dataclass(frozen=True, slots=True)
class Policy:
    """How a side plays.

    Attributes:
        states: states evaluated of each turn beside those of its first actions; None for the default policy,
            which searches nothing.
        actions: what the others may take in rollouts, 0 for no rollouts.
        replies: states evaluated for each of their turns in rollouts, 0 for the default policy.
        ends: ends of turn that rollouts begin from at first; `learned` judges some for each of them.
        learned: what judges ends of turn beside the heuristic evaluation, None for nothing.
        play_style: tells how a fighter plays, in rollouts too.
    """

    states: int | None = None
    actions: int = 0
    replies: int = 0
    ends: int = ENDS
    learned: LearnedEvaluation | None = None
    play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells

    def __post_init__(self) -> None:
        """Refuses what is no policy."""
        if min(self.states or 0, self.actions, self.replies) < 0 or self.ends < 2:
            raise ValueError("a policy's states, actions and replies are 0 or more, its ends 2 or more")


Ending = Literal["won", "rounds", "stopped", "outgrown"]
"""A team has won, or no fighter is left; the last round is over; it was stopped; it has outgrown the rules'
room."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a fight went.

    Attributes:
        winner: the team that has won, `DRAW` for none.
    """

    winner: int
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
        found = DRAW if won is None or why == OUTGROWN else won
        return Played(found, state.turn, len(self.actions), ending)


_ENDINGS: dict[int, Ending] = {OVER: "won", STOPPED: "stopped", OUTGROWN: "outgrown"}

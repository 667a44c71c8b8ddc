"""One decision's search: the states that the actor's turn can lead to, and rollouts from the best ends of it.

The turn is expanded best first, dice at their means; a state that is reached in different ways is one node.
Each end of turn is valued by the heuristic evaluation, then the turns of the others are played with the
default policy from the best ends; the values are backed up to the first actions. All of it is compiled
(`botapp.search.core`) and done in slices, between which the clock is looked at; the search can be read at any
time. Next hop: `botapp.search.turn` scores all legal actions with it, `botapp.search.result` the first ones.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.core.layout import FIGHTER, FIRST, NOBODY, WAY
from botapp.fight.core.pack import load, parts_of
from botapp.fight.core.packed import Packed, Parts
from botapp.fight.core.unpack import unpack
from botapp.fight.core.words import numbers_of
from botapp.fight.refusals import IllegalAction
from botapp.fight.rules import apply_expected, winner
from botapp.fight.state import Fighter, FightState
from botapp.search.arrays import FloatArray, SearchArrays, borrow
from botapp.search.budget import Budget
from botapp.search.core import requests as ask_for
from botapp.search.core import tree_layout as at
from botapp.search.core.evaluation_layout import TOTAL
from botapp.search.core.named import FACTS
from botapp.search.core.static import STEEPNESS
from botapp.search.core.styles import styles_of
from botapp.search.learned import LearnedEvaluation
from botapp.search.node import SearchNode
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.rollout_pass import RolloutPass

_ROLLOUT_SHARE = 0.5
"""Which part of a budget goes into rollouts."""
_STATES_AN_ACTION = 12
"""How many states an action of a rollout counts for where a budget is in states."""
_LEAST_ACTIONS = 16
"""Actions that rollouts need for each of the others whose turn is played: two turns from each of several ends
tell more than a whole round from one."""
_FEWEST = 2
"""Turns of the others in a rollout, at the least."""
ROUNDS = 1
"""Rounds of the actor's that a rollout goes on for."""
WALKS = 2
"""Walks tried of those that open up the same casts."""
ENDS = 16
"""Ends of turn that rollouts begin at, at first."""
_PASSES = 6
"""Passes of a cycle of rollouts, each with the better half of the ends before."""
_ALL = 99
"""More turns than there are others."""
_NODE_SLICE, _ACTION_SLICE = (2, 1) if INTERPRETED else (48, 12)
"""States evaluated, and actions of the others, between two looks at the clock."""
IntArray = npt.NDArray[np.int64]

Saved = tuple[tuple[tuple[int, Any], ...], Any]

_MOST_NODES = 16384
"""Nodes of a search whose only bound is the time."""


def taken_apart(state: FightState) -> Packed:
    """Returns what a state's arrays are made of, worked out once for each state object."""
    parts: Parts | None = state.memo.get("parts")
    if parts is None:
        parts = state.memo["parts"] = parts_of(state)
    return Packed(parts, None)


@dataclass(frozen=True, slots=True)
class Standings:
    """What is known of each of C named candidates.

    Attributes:
        value: its backed-up value, in HP, (C,).
        end: the node in which its principal variation ends the turn, (C,).
        visits, mean, spread: rollouts from there, their mean and standard deviation in HP, (C,).
        behind: `botapp.search.core.named.FACTS` of all ends behind it, (C, FACTS).
    """

    value: FloatArray
    end: IntArray
    visits: IntArray
    mean: FloatArray
    spread: FloatArray
    behind: FloatArray


def turns_within(actions: float) -> int:
    """Returns how many turns of the others a rollout plays where all of them may take so many actions."""
    return _ALL if actions == inf else max(_FEWEST, int(actions) // _LEAST_ACTIONS)


def taken(array: Any, places: IntArray) -> Any:
    """Returns what stands at some places of an array, which is a list where the rules are interpreted."""
    if isinstance(array, list):
        return np.array([array[place] for place in places.ravel().tolist()]).reshape(places.shape)
    return array[places]


class TurnSearch:
    """One decision's graph of states within the actor's turn.

    Args:
        state: the fight, enemies' traps taken out.
        nodes: how many states of the turn there may be, beside the first actions.
        play_style: tells how a fighter plays in rollouts.
        walks: how many walks are tried of those that open up the same casts.
        learned: what judges the ends of rollouts in place of the heuristic evaluation.
        replies: states evaluated for the turn of each of the others in a rollout; 0 where the default policy
            plays it.
        threads: how many of them run rollouts by the schedule.

    Attributes:
        learned: what judges the ends of rollouts, None for the heuristic evaluation.
        k, v: the search's arrays, see `botapp.search.core.tree_layout`.
        stopping: set from another thread, ends rollouts after the ones under way.
        assisted: whether another thread may `assist`.
    """

    def __init__(
        self,
        state: FightState,
        nodes: int = _MOST_NODES,
        play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells,
        walks: int = WALKS,
        learned: LearnedEvaluation | None = None,
        replies: int = 0,
        threads: int = 1,
    ) -> None:
        self.stopping = self.assisted = False
        self._pass: RolloutPass | None = None
        self._guest: SearchArrays | None = None
        self._threads = 1 if INTERPRETED else threads
        self._begun = perf_counter()
        self._arrays = borrow(nodes, self)
        self._arrays.judge_by(learned)
        self.learned = learned
        self.k, self.v = self._arrays.k, self._arrays.v
        self.k[at.WALKS], self.k[at.DICE_SHIFT], self.k[at.REPLY_LOOKS] = walks, 0, replies
        self._named = np.zeros(0, np.int64)
        self._packed = taken_apart(state)
        self._book = self._packed.book
        self._nodes: WeakValueDictionary[int, SearchNode] = WeakValueDictionary()
        self._actions: dict[int, Action] = {}
        self._rollout_styles = styles_of(self._packed, play_style)
        own_styles = styles_of(self._packed)
        self._state = state
        load(self._packed.parts, self._arrays.s)
        self._ask(ask_for.PREPARE, state.actor.team)
        self._arrays.ask(ask_for.PLANT, self._book, own_styles)
        self._planted = int(self.k[at.LOOKS])
        self._total = float(self._arrays.e[TOTAL])

    @property
    def nodes(self) -> int:
        """States of the turn evaluated so far, cells that a walk could end on included."""
        return int(self.k[at.LOOKS])

    @property
    def rollouts(self) -> int:
        """Rollouts run so far."""
        return int(self.k[at.PLAYED])

    @property
    def plan_unseen(self) -> bool:
        """Tells whether there is a turn planned before whose end was not played on from yet."""
        end = int(self.k[at.PLANNED_END])
        return end > 0 and not self.node(end).rollouts[1]

    @property
    def default_action(self) -> Action | None:
        """The first action of the turn that the default policy would play, None for ending it."""
        code = int(self.k[at.DEFAULT_ACTION])
        return self._action(0, code) if code else None

    @property
    def lead_unit(self) -> float:
        """All that both sides have at full HP, in HP: what `lead` counts in."""
        return self._total

    @property
    def root(self) -> SearchNode:
        """The state itself; its children are the first actions tried."""
        return self.node(0)

    def lead(self, value: float) -> float:
        """Returns a value in HP as a share of all that both sides have at full HP."""
        return value / self._total

    def share(self, value: float) -> float:
        """Returns a value in HP as the share of fights that a side with this evaluation wins, 0..1."""
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, STEEPNESS * self.lead(value)))))

    def node(self, index: int) -> SearchNode:
        """Returns a node by its number, the same object as long as somebody holds it.

        A node holds the search. Were it the other way round too, each search would hold its room until
        Python looks for circles, and hundreds of megabytes would wait for that.
        """
        found = self._nodes.get(index)
        if found is None:
            found = self._nodes[index] = SearchNode(self, index)
        return found

    def state_of(self, index: int) -> FightState:
        """Returns the state of a node."""
        if index == 0:
            return self._state
        self._ask(ask_for.LOAD, index)
        return unpack(self._packed, self._arrays.s)

    def about(self, what: int, node: SearchNode, fighter_id: int | None = None) -> dict[int, float]:
        """Returns what the evaluation says of each fighter in a node's state, by their ids, in HP.

        Args:
            what: `POWERS`, the damage of its best turn on somebody without resistances; `BUFF_VALUES`, what
                its buffs and states are worth; `STRIKES`, the damage of an enemy's best turn at one fighter.
            node: the node.
            fighter_id: that one fighter.
        """
        fighters = node.state.fighters
        number = next((n for n, fighter in enumerate(fighters) if fighter.id == fighter_id), 0)
        return dict(
            zip((f.id for f in fighters), self._answers(what, node, number, len(fighters)), strict=True)
        )

    def inputs(self) -> tuple[FloatArray, FloatArray]:
        """Returns what the learned evaluation sees of the root, see `SearchArrays.inputs`."""
        self._ask(ask_for.LOAD, 0)
        return self._arrays.inputs(self._book, self._rollout_styles)

    def inputs_of_end(self, node: int) -> tuple[FloatArray, FloatArray] | None:
        """Returns what the learned evaluation sees if the turn ends in a node, None where the fight does."""
        if self._ask(ask_for.LOAD_END, node) != NOBODY:
            return None
        return self._arrays.inputs(self._book, self._rollout_styles)

    def log_odds(self, team: int) -> float:
        """Returns the logarithm of the odds that a team wins from the root, by the learned evaluation."""
        self._ask(ask_for.LOAD, 0)
        answers = self._arrays.answers
        self._ask(ask_for.LOG_ODDS_OF, team, answers)
        return float(self.v[answers])

    def potential(self, node: SearchNode) -> float:
        """Returns what the AP left in a node may still do, in HP."""
        return self._answers(ask_for.POTENTIAL_OF, node, 0, 1)[0]

    def _answers(self, what: int, node: SearchNode, number: int, count: int) -> list[float]:
        answers = self._arrays.answers
        self._ask(ask_for.LOAD, node.index)
        self._ask(what, number, answers)
        return [float(value) for value in self.v[answers : answers + count]]

    def step(self, parent: int, edge: int) -> tuple[Action, SearchNode]:
        """Returns the action of an edge and the node it leads to."""
        place = self.k[at.EDGES_AT] + edge * at.EDGE
        action = self._actions.get(edge)
        if action is None:
            action = self._actions[edge] = self._action(parent, int(self.k[place + at.CODE]))
        return action, self.node(int(self.k[place + at.CHILD]))

    def matters(self, node: SearchNode) -> bool:
        """Tells whether a node differs from the root in more than the AP that its actor has spent."""
        return bool(self._ask(ask_for.MATTERS, node.index))

    def after(self, node: SearchNode, action: Action) -> SearchNode:
        """Returns the node for the state a legal action leads to, the node itself for the end of the turn."""
        if isinstance(action, EndTurn):
            return node
        slot, cell = at.WALK_SLOT, action.target
        if isinstance(action, Cast):
            slot = self._slot(action.spell)
        assert cell is not None
        return self.node(self._ask(ask_for.TRY, node.index, (slot + 1) * at.CODE_CELLS + cell))

    def follow(self, planned: Sequence[Action]) -> None:
        """Adds the states of a turn planned before, as far as it is legal.

        Its end is judged and played on from with the first.

        Args:
            planned: the actions from the root on, the end of the turn left out or last.
        """
        state, node = self._state, self.root
        for action in planned:
            if isinstance(action, EndTurn):
                break
            try:
                state = apply_expected(state, action)
            except IllegalAction:
                break
            after = self.after(node, action)
            if after.index < 0:  # there is no room for another state
                break
            node = after
            if state.actor.id != self._state.actor.id or winner(state) is not None:
                break
        self.k[at.PLANNED_END] = node.index

    def grow(self, looks: int, deadline: float = inf) -> None:
        """Expands the turn and backs the values up.

        Args:
            looks: states evaluated at most, beside those of the first actions and of the greedy turn.
            deadline: when to stop, in seconds of `time.perf_counter`.
        """
        most = self._planted + looks
        while self.nodes < most and perf_counter() < deadline:
            until = most if deadline == inf else min(most, self.nodes + _NODE_SLICE)
            if not self._ask(ask_for.GROW, until):
                break
        self._ask(ask_for.BACK_UP)

    def play_on(
        self,
        actions: float,
        deadline: float = inf,
        turns: int | None = None,
        rounds: int = ROUNDS,
        ends: int = ENDS,
    ) -> None:
        """Runs rollouts from the best ends and backs the values up again.

        Args:
            actions: what the others may take in all, as far as there is time.
            deadline: in seconds of `time.perf_counter`.
            turns: turns of the others in a rollout; None for as many as the actions are enough for.
            rounds: how many rounds of the actor's a rollout goes on for at most.
            ends: how many ends of turn the first cycle of rollouts begins with.
        """
        if actions < _LEAST_ACTIONS and turns is None:
            return
        if turns is None:
            turns = turns_within(actions)
        self.k[at.FIRST_ENDS], self.k[at.PASSES] = ends, _PASSES
        self._play(ask_for.PLAY_ON, actions, deadline, turns, rounds)

    def name(self, nodes: Sequence[SearchNode], ends: int = ENDS) -> None:
        """Names candidates, by the nodes they lead to, so that `look` and `standings` know them.

        To be called once the turn is expanded; a learned evaluation judges the best ends first.

        Args:
            nodes: what they lead to; the root stands for ending the turn.
            ends: see `play_on`.

        Raises:
            ValueError: they are more than `MOST_NAMED`.
        """
        if len(nodes) > at.MOST_NAMED:
            raise ValueError(f"at most {at.MOST_NAMED} candidates can be named, not {len(nodes)}")
        self.k[at.FIRST_ENDS] = ends
        place = int(self.k[at.NAMED_AT])
        for number, node in enumerate(nodes):
            self.k[place + number] = node.index
        self._named = np.array([node.index for node in nodes])
        self._ask(ask_for.NAME, len(nodes))
        self._ask(ask_for.BACK_UP)

    def look(
        self,
        behind: int | None,
        actions: float,
        deadline: float = inf,
        turns: int = _ALL,
        rounds: int = ROUNDS,
        ends: int = ENDS,
    ) -> bool:
        """Spends a slice of rollouts behind one named candidate, or where the schedule would; backs up.

        Slices by the schedule do what one `play_on` would. Where there is no end left to play on from behind
        the candidate, the slice goes by the schedule.

        Args:
            behind: the candidate's place in `name`, None for the schedule.
            actions: what the others may have taken by then in the whole search.
            deadline, turns, rounds, ends: see `play_on`.

        Returns:
            Whether anything is left to be played on from.
        """
        self.k[at.FIRST_ENDS], self.k[at.PASSES] = ends, _PASSES
        if behind is not None:
            self.k[at.BEHIND] = behind
        if behind is not None and self._play(ask_for.PLAY_BEHIND, actions, deadline, turns, rounds):
            return True
        return self._play(ask_for.PLAY_ON, actions, deadline, turns, rounds)

    def _play(self, what: int, actions: float, deadline: float, turns: int, rounds: int) -> bool:
        """Plays on; returns whether anything is left that could be played on from."""
        if what == ask_for.PLAY_ON and (self._threads > 1 or self.assisted):
            return self._play_in_threads(actions, deadline, turns, rounds)
        played, left = self.played_actions, True
        while left and played < actions and perf_counter() < deadline and not self.stopping:
            until = math.ceil(actions if deadline == inf else min(actions, played + _ACTION_SLICE))
            left = bool(self._arrays.ask(what, self._book, self._rollout_styles, turns, rounds, until))
            played = self.played_actions
        self._ask(ask_for.BACK_UP)
        return left

    def _play_in_threads(self, actions: float, deadline: float, turns: int, rounds: int) -> bool:
        """Does the same in several threads: the ends of a pass do not depend on each other.

        Rollouts are recorded in the order in which one thread would run them, so that without a deadline the
        number of threads changes nothing.
        """
        rooms = [self._arrays.beside(self._book) for _ in range(self._threads - 1)]
        if self.assisted:
            self._guest = self._arrays.beside(self._book)

        def roll(room: SearchArrays, place: int) -> int:
            return room.ask(ask_for.ROLL_OUT, self._book, self._rollout_styles, place, turns, rounds)

        def go_on() -> bool:
            return perf_counter() < deadline and not self.stopping

        left = True
        with ThreadPoolExecutor(max(1, len(rooms))) as threads:
            while left and self.played_actions < actions and go_on():
                left = self._ask(ask_for.ENDS_LEFT) > 0
                if not left:
                    break
                wanted = actions - self.played_actions
                ends = int(self.k[at.NEXT_END]), int(self.k[at.ENDS])
                self._pass = RolloutPass(*ends, wanted, go_on, roll)
                at_work = [threads.submit(self._pass.work, room) for room in rooms]
                self._pass.work(self._arrays)
                for one in at_work:
                    one.result()
                for taken in self._pass.close():
                    if self.played_actions < actions:
                        self._ask(ask_for.RECORD, taken)
        self._arrays.take_back(rooms)
        self._ask(ask_for.BACK_UP)
        return left

    def assist(self) -> int:
        """Runs rollouts in the calling thread while another one plays on; returns how many there were."""
        current, room = self._pass, self._guest
        return 0 if current is None or room is None else current.join(room)

    @property
    def played_actions(self) -> int:
        """Actions that the others have taken in rollouts so far."""
        return int(self.k[at.PLAYED_ACTIONS])

    def saved(self) -> Saved:
        """Returns all that rollouts change, for `restore`."""
        nodes, count, ends = int(self.k[at.NODES_AT]), int(self.k[at.NODES]), int(self.k[at.ENDS_AT])
        kept = slice(nodes, nodes + count * at.NODE), slice(ends, ends + 2 * at.MOST_ENDS)
        parts = [slice(0, at.HEAD), *kept]
        words = tuple((part.start, self.k[part].copy()) for part in parts)
        return words, self.v[: count * at.NODE_VALUES].copy()

    def restore(self, saved: Saved) -> None:
        """Forgets the rollouts since `saved`; the turn must not have been expanded further since."""
        words, values = saved
        for begin, part in words:
            self.k[begin : begin + len(part)] = part
        self.v[: len(values)] = values

    def throw_other_dice(self, shift: int) -> None:
        """Makes rollouts from now on throw dice that a search without, or with another shift never throws."""
        self.k[at.DICE_SHIFT] = shift

    def standings(self) -> "Standings":
        """Returns what is known of each named candidate by now."""
        count, answers = len(self._named), self._arrays.answers
        self._ask(ask_for.SUM_UP, count, answers)
        nodes = np.array(self._named)
        facts = np.array(self.v[answers : answers + count * FACTS]).reshape(count, FACTS)
        ends = np.where(nodes == 0, 0, self.words(nodes, at.PV_END))
        values = np.where(nodes == 0, self.values(nodes, at.HERE), self.values(nodes, at.VALUE))
        visits = self.words(ends, at.VISITS)
        return Standings(
            value=values,
            end=ends,
            visits=visits,
            mean=self.values(ends, at.MEAN),
            spread=np.sqrt(self.values(ends, at.SPREAD) / np.maximum(visits - 1, 1)),
            behind=facts,
        )

    def words(self, nodes: IntArray, field: int) -> IntArray:
        """Returns a whole number of each of some nodes."""
        places = int(self.k[at.NODES_AT]) + nodes * at.NODE + field
        found: IntArray = taken(self.k, places)
        return found

    def values(self, nodes: IntArray, field: int) -> FloatArray:
        """Returns a decimal of each of some nodes."""
        found: FloatArray = taken(self.v, nodes * at.NODE_VALUES + field)
        return found

    def fields(self, nodes: IntArray, fighters: int, fields: Sequence[int]) -> IntArray:
        """Returns fields of the first fighters of some nodes' states: (nodes, fighters, fields)."""
        places = self.words(nodes, at.STATE_AT)[:, None, None] + FIRST
        places = places + (np.arange(fighters) * FIGHTER)[:, None] + np.array(fields)
        found: IntArray = taken(self._arrays.q, places)
        return found

    def heads(self, nodes: IntArray, field: int) -> IntArray:
        """Returns a word of the head of some nodes' states."""
        found: IntArray = taken(self._arrays.q, self.words(nodes, at.STATE_AT) + field)
        return found

    def run(self, budget: Budget) -> None:
        """Searches until a budget is spent, rollouts included."""
        if budget.seconds is not None:
            self.grow(_MOST_NODES, self._begun + (1 - _ROLLOUT_SHARE) * budget.seconds)
            self.play_on(inf, self._begun + budget.seconds)
            return
        states = budget.states or 0
        self.grow(int((1 - _ROLLOUT_SHARE) * states))
        left = max(0, states - (self.nodes - self._planted))
        self.play_on(left // _STATES_AN_ACTION, turns=_ALL)

    def _action(self, parent: int, code: int) -> Action:
        slot, cell = code // at.CODE_CELLS - 1, code % at.CODE_CELLS
        if slot != at.WALK_SLOT:
            return Cast(self._state.actor.spells[slot].key, cell)
        self._ask(ask_for.LOAD, parent)
        length = self._ask(ask_for.PATH, cell)
        return Move(tuple(numbers_of(self._arrays.s, WAY + 1, length)))

    def _slot(self, key: str) -> int:
        spells = self._state.actor.spells
        return next(slot for slot, spell in enumerate(spells) if spell.key == key)

    def _ask(self, what: int, x: int = 0, y: int = 0, z: int = 0) -> int:
        return self._arrays.ask(what, self._book, self._rollout_styles, x, y, z)

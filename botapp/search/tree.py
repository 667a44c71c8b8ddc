"""One decision's search: the states that the actor's turn can lead to, and rollouts from the best ends of it.

The turn is expanded best first, dice at their means; a state that is reached in different ways is one node.
Each end of turn is valued by the heuristic evaluation, then the turns of the others are played with the
default policy from the best ends; the values are backed up to the first actions. All of it is compiled
(`botapp.search.core`) and done in slices, between which the clock is looked at; the search can be read at any
time. Next hop: `botapp.search.turn` scores all legal actions with it, `botapp.search.result` the first ones.
"""

import math
from collections.abc import Callable
from functools import cached_property
from math import inf
from time import perf_counter
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.core.layout import MOST_FIGHTERS, WAY
from botapp.fight.core.pack import load, parts_of
from botapp.fight.core.packed import Packed, Parts
from botapp.fight.core.unpack import unpack
from botapp.fight.core.words import numbers_of
from botapp.fight.state import Fighter, FightState
from botapp.search.arrays import borrow
from botapp.search.budget import Budget
from botapp.search.core import requests as ask_for
from botapp.search.core import tree_layout as at
from botapp.search.core.evaluation_layout import INPUT, INPUT_ROWS, PAIR, PAIRS, TOTAL
from botapp.search.core.static import STEEPNESS
from botapp.search.core.styles import styles_of
from botapp.search.learned import LearnedEvaluation
from botapp.search.play_style import PlayStyle, play_style_from_spells

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
_MOST_NODES = 16384
"""Nodes of a search whose only bound is the time."""


def taken_apart(state: FightState) -> Packed:
    """Returns what a state's arrays are made of, worked out once for each state object."""
    parts: Parts | None = state.memo.get("parts")
    if parts is None:
        parts = state.memo["parts"] = parts_of(state)
    return Packed(parts, None)


class SearchNode:
    """A state within the turn, read out of the search's arrays.

    Attributes:
        index: its number in the search.
    """

    __slots__ = ("__dict__", "__weakref__", "_tree", "index")

    def __init__(self, tree: "TurnSearch", index: int) -> None:
        self._tree = tree
        self.index = index

    @cached_property
    def state(self) -> FightState:
        """The state."""
        return self._tree.state_of(self.index)

    @property
    def heuristic_value(self) -> float:
        """How good it is to end the turn here by the heuristic evaluation, in HP."""
        return self._value(at.ESTIMATE)

    @property
    def terms(self) -> tuple[float, float, float]:
        """What it is made of, in HP: the static evaluation, the enemies' threat, the actor's outlook."""
        return self._value(at.STATIC), self._value(at.DANGER), self._value(at.HOPE)

    @property
    def potential(self) -> float:
        """What the AP left may bring on top of it, in HP."""
        return self._value(at.POTENTIAL)

    @property
    def here(self) -> float:
        """The backed-up value of ending the turn here."""
        return self._value(at.HERE)

    @property
    def value(self) -> float:
        """The backed-up value of the best end of turn behind it."""
        return self._value(at.VALUE)

    @property
    def rollouts(self) -> tuple[float, int]:
        """The value of ending the turn here by rollouts, in HP, and how many began here."""
        return self._value(at.MEAN), self._word(at.VISITS)

    @property
    def ends_turn(self) -> bool:
        """Tells whether the turn is over here."""
        return not self._word(at.OPEN)

    @property
    def tried(self) -> int:
        """How many actions were tried here."""
        return self._word(at.EDGE_COUNT)

    @property
    def children(self) -> list[tuple[Action, "SearchNode"]]:
        """The actions tried here, with the nodes they lead to."""
        found = []
        edge = self._word(at.FIRST_EDGE)
        k = self._tree.k
        while edge >= 0:
            found.append(self._tree.step(self.index, edge))
            edge = int(k[k[at.EDGES_AT] + edge * at.EDGE + at.NEXT])
        return found

    @property
    def pv_end(self) -> "SearchNode":
        """The end of turn that the principal variation leads to."""
        return self._tree.node(self._word(at.PV_END))

    @property
    def pv_step(self) -> "tuple[Action, SearchNode] | None":
        """The principal variation's first action, and the node it leads to; None where the turn ends here."""
        edge = self._word(at.PV_EDGE)
        return None if edge < 0 else self._tree.step(self.index, edge)

    def _value(self, field: int) -> float:
        return float(self._tree.v[self.index * at.NODE_VALUES + field])

    def _word(self, field: int) -> int:
        k = self._tree.k
        return int(k[k[at.NODES_AT] + self.index * at.NODE + field])


class TurnSearch:
    """One decision's graph of states within the actor's turn.

    Args:
        state: the fight, enemies' traps taken out.
        nodes: how many states of the turn there may be, beside the first actions.
        play_style: tells how a fighter plays in rollouts.
        walks: how many walks are tried of those that open up the same casts.
        learned: what judges the ends of rollouts in place of the heuristic evaluation.

    Attributes:
        learned: what judges the ends of rollouts, None for the heuristic evaluation.
        k, v: the search's arrays, see `botapp.search.core.tree_layout`.
    """

    def __init__(
        self,
        state: FightState,
        nodes: int = _MOST_NODES,
        play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells,
        walks: int = WALKS,
        learned: LearnedEvaluation | None = None,
    ) -> None:
        self._begun = perf_counter()
        self._arrays = borrow(nodes, self)
        self._arrays.judge_by(learned)
        self.learned = learned
        self.k, self.v = self._arrays.k, self._arrays.v
        self.k[at.WALKS] = walks
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
    def default_action(self) -> Action | None:
        """The first action of the turn that the default policy would play, None for ending it."""
        code = int(self.k[at.DEFAULT_ACTION])
        return self._action(0, code) if code else None

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

    def inputs(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Returns what the learned evaluation sees of the root.

        Returns:
            The rows, [fighters alive, `INPUT`]; what each says of the others, [alive, alive, `PAIR`].
        """
        self._ask(ask_for.LOAD, 0)
        count = self._ask(ask_for.INPUTS_OF)
        e = self._arrays.e
        rows = np.array(e[INPUT_ROWS : INPUT_ROWS + count * INPUT], np.float64).reshape(count, INPUT)
        pairs = np.array(e[PAIRS : PAIRS + count * MOST_FIGHTERS * PAIR], np.float64)
        return rows, pairs.reshape(count, MOST_FIGHTERS, PAIR)[:, :count]

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
            turns = _ALL if actions == inf else max(_FEWEST, int(actions) // _LEAST_ACTIONS)
        self.k[at.FIRST_ENDS], self.k[at.PASSES] = ends, _PASSES
        played = 0
        while played < actions and perf_counter() < deadline:
            until = actions if deadline == inf else min(actions, played + _ACTION_SLICE)
            self._arrays.ask(ask_for.PLAY_ON, self._book, self._rollout_styles, turns, rounds, int(until))
            played = int(self.k[at.PLAYED_ACTIONS])
        self._ask(ask_for.BACK_UP)

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

"""One decision's search: the states that the actor's turn can lead to, and rollouts from the best ends of it.

The turn is expanded best first, dice at their means; a state that is reached in different ways is one node.
Each end of turn is valued by the heuristic evaluation, then the turns of the others are played with the
default policy from the best ends; the values are backed up to the first actions. All of it is compiled
(`botapp.search.core`) and done in slices, between which the clock is looked at; the search can be read at any
time.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf
from time import perf_counter
from weakref import WeakValueDictionary

import numpy as np

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.core.fight import NOBODY
from botapp.fight.core.pack import parts_of
from botapp.fight.core.packed import Packed, Parts
from botapp.fight.core.unpack import unpack
from botapp.fight.refusals import IllegalAction
from botapp.fight.rules import apply_expected, winner
from botapp.fight.state import Fighter, FightState
from botapp.search.budget import Budget
from botapp.search.core import requests as ask_for
from botapp.search.core.graph import CODE_CELLS, MOST_NAMED, WALK_SLOT, Node
from botapp.search.core.schedule import NOTHING
from botapp.search.core.static import STEEPNESS
from botapp.search.core.styles import styles_of
from botapp.search.desk import FloatArray, IntArray, Outset, Saved, SearchDesk, borrow
from botapp.search.learned import LearnedEvaluation
from botapp.search.node import SearchNode
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.rollout_pass import Rollout, RolloutPass

__all__ = [
    "ENDS",
    "NOTHING",
    "ROUNDS",
    "STEEPNESS",
    "WALKS",
    "Outset",
    "Saved",
    "Standings",
    "TurnSearch",
    "taken_apart",
    "turns_within",
]

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


@dataclass(frozen=True, slots=True)
class Standings:
    """What is known of each of C named candidates.

    Attributes:
        value: its backed-up value, in HP, (C,).
        end: the node in which its principal variation ends the turn, (C,).
        visits, mean, spread: rollouts from there, their mean and standard deviation in HP, (C,).
        behind: `FACTS` of all ends behind it, (C, FACTS).
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
        outset: what the search of an earlier state of the turn has valued ends by, so that the same end has
            the same value in both; None for this state's own.

    Attributes:
        outset: what ends of turn are valued by, beside their own state.
        learned: what judges the ends of rollouts, None for the heuristic evaluation.
        plan_next: the node that the next action of a turn planned before leads to, 0 for none.
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
        outset: Outset | None = None,
    ) -> None:
        self.stopping = self.assisted = False
        self._threads = 1 if INTERPRETED else threads
        self._pass: RolloutPass | None = None
        self._guest: SearchDesk | None = None
        self._begun = perf_counter()
        self._desk = borrow(nodes, self)
        self._desk.judge_by(learned)
        self.learned = learned
        graph = self._desk.graph
        graph.walks, graph.dice_shift, graph.reply_looks = walks, 0, replies
        self._named = np.zeros(0, np.int64)
        self._packed = taken_apart(state)
        self._nodes: WeakValueDictionary[int, SearchNode] = WeakValueDictionary()
        self._actions: dict[int, Action] = {}
        self._state = state
        self._desk.use(self._packed.book, styles_of(self._packed))
        self._desk.load(self._packed.parts)
        self._desk.prepare(state.actor.team)
        if outset is not None:
            self._desk.outset = outset
        self.outset = outset or self._desk.outset
        self._planned: int | None = None
        self.plan_next = 0
        self._desk.plant()
        self._desk.use(self._packed.book, styles_of(self._packed, play_style))
        self._planted = int(graph.looks)
        self._total = float(self._desk.evaluation.total)

    @property
    def nodes(self) -> int:
        """States of the turn evaluated so far, cells that a walk could end on included."""
        return int(self._desk.graph.looks)

    @property
    def rollouts(self) -> int:
        """Rollouts run so far."""
        return int(self._desk.graph.played)

    @property
    def planned(self) -> SearchNode | None:
        """Where the turn planned before ends; None for none, and where it cannot be played any more."""
        return None if self._planned is None else self.node(self._planned)

    @property
    def plan_unseen(self) -> bool:
        """Tells whether the schedule has yet to play on from the end of a turn planned before.

        One that ends at once is nothing that the schedule begins with.
        """
        end = self.planned_end
        return end > 0 and not self.node(end).rollouts[1]

    @property
    def default_action(self) -> Action | None:
        """The first action of the turn that the default policy would play, None for ending it."""
        code = int(self._desk.graph.default_action)
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
        """Returns a node by its number, the same object as long as it is in use.

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
        self._desk.load_node(index)
        return unpack(self._packed, self._desk.words)

    def record(self, index: int) -> Node:
        """Returns what the search has noted of a node."""
        return self._desk.node(index)

    def powers(self, node: SearchNode) -> dict[int, float]:
        """Returns the damage of each fighter's best turn on a target without resistances, in HP, by its
        id."""
        return self._about(ask_for.POWERS, node)

    def strikes(self, node: SearchNode, fighter_id: int) -> dict[int, float]:
        """Returns the damage of each enemy's best turn at one fighter, in HP, by the enemy's id."""
        return self._about(ask_for.STRIKES, node, fighter_id)

    def _about(self, what: int, node: SearchNode, fighter_id: int | None = None) -> dict[int, float]:
        fighters = node.state.fighters
        number = next((n for n, fighter in enumerate(fighters) if fighter.id == fighter_id), 0)
        self._desk.load_node(node.index)
        found = self._desk.answers(what, len(fighters), number)
        return dict(zip((fighter.id for fighter in fighters), found, strict=True))

    def inputs(self) -> tuple[FloatArray, FloatArray]:
        """Returns what the learned evaluation sees of the root, see `SearchDesk.inputs`."""
        self._desk.load_node(0)
        return self._desk.inputs()

    def inputs_of_end(self, node: int) -> tuple[FloatArray, FloatArray] | None:
        """Returns what the learned evaluation sees if the turn ends in a node, None where the fight does."""
        return None if self._desk.load_end(node) != NOBODY else self._desk.inputs()

    def log_odds(self, team: int) -> float:
        """Returns the logarithm of the odds that a team wins from the root, by the learned evaluation."""
        self._desk.load_node(0)
        return self._desk.log_odds(team)

    def potential(self, node: SearchNode) -> float:
        """Returns what the AP left in a node may still do, in HP."""
        self._desk.load_node(node.index)
        return self._desk.answers(ask_for.POTENTIAL_OF, 1)[0]

    def step(self, parent: int, edge: int) -> tuple[Action, SearchNode]:
        """Returns the action of an edge and the node it leads to."""
        return self._edge_action(parent, edge), self.node(int(self._desk.edge(edge).child))

    def line(self, node: int, most: int) -> tuple[list[Action], int]:
        """Returns the principal variation from a node on, so many actions at most, and where it leads to."""
        found: list[Action] = []
        while len(found) < most and (edge := int(self._desk.node(node).pv_edge)) >= 0:
            found.append(self._edge_action(node, edge))
            node = int(self._desk.edge(edge).child)
        return found, node

    def ends_turn(self, node: int) -> bool:
        """Tells whether the turn is over in a node."""
        return not int(self._desk.node(node).open)

    def _edge_action(self, parent: int, edge: int) -> Action:
        action = self._actions.get(edge)
        if action is None:
            action = self._actions[edge] = self._action(parent, int(self._desk.edge(edge).code))
        return action

    def next_edge(self, edge: int) -> int:
        """Returns the next edge from the same node, -1 for none."""
        return int(self._desk.edge(edge).next)

    def matters(self, node: SearchNode) -> bool:
        """Tells whether a node differs from the root in more than the AP that its actor has spent."""
        return self._desk.matters(node.index)

    def after(self, node: SearchNode, action: Action) -> SearchNode:
        """Returns the node for the state a legal action leads to, the node itself for the end of the turn."""
        if isinstance(action, EndTurn):
            return node
        slot, cell = WALK_SLOT, action.target
        if isinstance(action, Cast):
            slot = self._slot(action.spell)
        assert cell is not None
        return self.node(self._desk.try_action(node.index, (slot + 1) * CODE_CELLS + cell))

    def follow(self, planned: Sequence[Action]) -> None:
        """Adds the states of a turn planned before, as far as it is legal.

        Its end is judged and played on from with the first.

        Args:
            planned: the actions from the root on, the end of the turn left out or last.
        """
        state, node, whole = self._state, self.root, bool(planned)
        self.plan_next = 0
        for action in planned:
            if isinstance(action, EndTurn):
                break
            try:
                state = apply_expected(state, action)
            except IllegalAction:
                whole = False
                break
            after = self.after(node, action)
            if after.index < 0:  # there is no room for another state
                whole = False
                break
            node = after
            self.plan_next = self.plan_next or node.index
            if state.actor.id != self._state.actor.id or winner(state) is not None:
                break
        self._desk.graph.planned_end = node.index
        self._planned = node.index if whole else None

    def grow(self, looks: int, deadline: float = inf) -> None:
        """Expands the turn and backs the values up.

        Args:
            looks: states evaluated at most, beside those of the first actions and of the greedy turn.
            deadline: when to stop, in seconds of `time.perf_counter`.
        """
        most = self._planted + looks
        while self.nodes < most and perf_counter() < deadline:
            until = most if deadline == inf else min(most, self.nodes + _NODE_SLICE)
            if not self._desk.expand(until):
                break
        self._desk.back_up()

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
        self._schedule(ends)
        self._play(None, actions, deadline, turns, rounds)

    def name(self, nodes: Sequence[SearchNode], ends: int = ENDS) -> None:
        """Names candidates, by the nodes they lead to, so that `look` and `standings` know them.

        To be called once the turn is expanded; a learned evaluation judges the best ends first.

        Args:
            nodes: what they lead to; the root stands for ending the turn.
            ends: see `play_on`.

        Raises:
            ValueError: they are more than `MOST_NAMED`.
        """
        if len(nodes) > MOST_NAMED:
            raise ValueError(f"at most {MOST_NAMED} candidates can be named, not {len(nodes)}")
        self._desk.graph.first_ends = ends
        self._named = np.array([node.index for node in nodes])
        self._desk.name([node.index for node in nodes])
        self._desk.back_up()

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
        self._schedule(ends)
        if behind is not None and self._play(behind, actions, deadline, turns, rounds):
            return True
        return self._play(None, actions, deadline, turns, rounds)

    def _schedule(self, ends: int) -> None:
        self._desk.graph.first_ends, self._desk.graph.passes = ends, _PASSES

    def _play(self, behind: int | None, actions: float, deadline: float, turns: int, rounds: int) -> bool:
        """Plays on; returns whether anything is left that could be played on from."""
        if behind is None and (self._threads > 1 or self.assisted):
            return self._play_in_threads(actions, deadline, turns, rounds)
        played, left = self.played_actions, True
        while left and played < actions and perf_counter() < deadline and not self.stopping:
            until = math.ceil(actions if deadline == inf else min(actions, played + _ACTION_SLICE))
            left = self._desk.roll_out(turns, rounds, until, behind)
            played = self.played_actions
        self._desk.back_up()
        return left

    def _play_in_threads(self, actions: float, deadline: float, turns: int, rounds: int) -> bool:
        """Does the same in several threads: the ends of a pass do not depend on each other.

        Rollouts are recorded in the order in which one thread would run them, so that without a deadline the
        number of threads changes nothing.
        """
        desk, graph = self._desk, self._desk.graph
        desks = [desk.beside() for _ in range(self._threads - 1)]
        if self.assisted:
            self._guest = self._guest or desk.beside()

        def roll(desk: SearchDesk, place: int) -> Rollout:
            return desk.roll_out_from(place, turns, rounds)

        def go_on() -> bool:
            return perf_counter() < deadline and not self.stopping

        left = True
        with ThreadPoolExecutor(max(1, len(desks))) as threads:
            while left and self.played_actions < actions and go_on():
                left = desk.ends_left() > 0
                if not left:
                    break
                wanted = actions - self.played_actions
                self._pass = RolloutPass(int(graph.next_end), int(graph.end_count), wanted, go_on, roll)
                at_work = [threads.submit(self._pass.work, one) for one in desks]
                self._pass.work(desk)
                for one in at_work:
                    one.result()
                for rollout in self._pass.close():
                    if self.played_actions < actions:
                        desk.record(*rollout)
        desk.take_back(desks)
        desk.back_up()
        return left

    def assist(self) -> int:
        """Runs rollouts in the calling thread while another one plays on; returns how many there were."""
        current, desk = self._pass, self._guest
        return 0 if current is None or desk is None else current.join(desk)

    @property
    def played_actions(self) -> int:
        """Actions that the others have taken in rollouts so far."""
        return int(self._desk.graph.played_actions)

    def saved(self) -> Saved:
        """Returns all that rollouts change, for `restore`."""
        return self._desk.saved()

    def restore(self, saved: Saved) -> None:
        """Forgets the rollouts since `saved`; the turn must not have been expanded further since."""
        self._desk.restore(saved)

    def throw_other_dice(self, shift: int) -> None:
        """Makes rollouts from now on throw dice that a search without, or with another shift never throws."""
        self._desk.graph.dice_shift = shift

    def standings(self) -> "Standings":
        """Returns what is known of each named candidate by now."""
        nodes, column = self._named, self._desk.column
        facts = self._desk.sum_up(len(nodes))
        ends = self.ends(nodes)
        visits = column(ends, "visits")
        mean, spread = self._desk.columns(ends, ("mean", "spread")).T
        return Standings(
            value=self.values(nodes),
            end=ends,
            visits=visits,
            mean=mean,
            spread=np.sqrt(spread / np.maximum(visits - 1, 1)),
            behind=facts,
        )

    @property
    def all_nodes(self) -> IntArray:
        """The numbers of all nodes."""
        return np.arange(int(self._desk.graph.nodes))

    @property
    def planned_end(self) -> int:
        """The node in which the turn planned before ends, 0 for none."""
        return int(self._desk.graph.planned_end)

    def hashes(self, nodes: IntArray) -> IntArray:
        """Returns the hashes of the states of some nodes."""
        found: IntArray = self._desk.column(nodes, "hash")
        return found

    def values(self, nodes: IntArray) -> FloatArray:
        """Returns the value in HP of the best turn through each of some nodes; the root's is its end."""
        here, value = self._desk.columns(nodes, ("here", "value")).T
        found: FloatArray = np.where(nodes == 0, here, value)
        return found

    def ends(self, nodes: IntArray) -> IntArray:
        """Returns the node in which the best turn through each of some nodes ends; the root's is itself."""
        found: IntArray = np.where(nodes == 0, 0, self._desk.column(nodes, "pv_end"))
        return found

    def visits(self, nodes: IntArray) -> IntArray:
        """Returns how many rollouts began at each of some nodes."""
        found: IntArray = self._desk.column(nodes, "visits")
        return found

    def means(self, nodes: IntArray) -> FloatArray:
        """Returns the value by rollouts of each of some nodes, in HP."""
        found: FloatArray = self._desk.column(nodes, "mean")
        return found

    def potentials(self, nodes: IntArray) -> FloatArray:
        """Returns what the AP left in each of some nodes may bring, in HP."""
        found: FloatArray = self._desk.column(nodes, "potential")
        return found

    def terms(self, nodes: IntArray) -> FloatArray:
        """Returns what the evaluations of some nodes are made of, (nodes, 3), see `SearchNode.terms`."""
        return self._desk.columns(nodes, ("static", "danger", "hope"))

    def fighters(self, nodes: IntArray, count: int, fields: tuple[str, ...]) -> IntArray:
        """Returns fields of the first fighters in the states of some nodes: (nodes, fighters, fields).

        Args:
            nodes: the nodes' numbers.
            count: how many fighters.
            fields: names of fields of `botapp.fight.core.fight.Fighter`.
        """
        return self._desk.fighters(nodes, count, fields)

    def fighter_counts(self, nodes: IntArray) -> IntArray:
        """Returns how many fighters there are in the states of some nodes, the dead among them."""
        return self._desk.heads(nodes, "fighter_count")

    def mark_counts(self, nodes: IntArray) -> IntArray:
        """Returns how many glyphs and traps there are in the states of some nodes."""
        return self._desk.heads(nodes, "mark_count")

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
        slot, cell = code // CODE_CELLS - 1, code % CODE_CELLS
        if slot != WALK_SLOT:
            return Cast(self._state.actor.spells[slot].key, cell)
        self._desk.load_node(parent)
        return Move(self._desk.path(cell))

    def _slot(self, key: str) -> int:
        spells = self._state.actor.spells
        return next(slot for slot, spell in enumerate(spells) if spell.key == key)

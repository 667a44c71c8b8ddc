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
from math import inf
from time import perf_counter

import numpy as np

from botapp.fight.actions import Action, Cast, EndTurn
from botapp.fight.core.compiler import HURRIED, INTERPRETED
from botapp.fight.refusals import IllegalAction
from botapp.fight.rules import apply_expected, winner
from botapp.fight.state import Fighter, FightState
from botapp.search.budget import Budget
from botapp.search.core.graph import CODE_CELLS, MOST_NAMED, WALK_SLOT
from botapp.search.core.styles import styles_of
from botapp.search.desk import Baseline, SearchDesk, borrow
from botapp.search.learned import LearnedEvaluation
from botapp.search.node import SearchNode
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.reading import SearchReading
from botapp.search.rollout_pass import Rollout, RolloutPass
from botapp.search.room import Saved

_ROLLOUT_SHARE = 0.5  # Which part of a budget goes into rollouts
_STATES_AN_ACTION = 12  # How many states an action of a rollout counts for where a budget is in states
_LEAST_ACTIONS = 16
"""Actions that rollouts need for each of the others whose turn is played: two turns from each of several ends
tell more than a whole round from one."""
_FEWEST = 2  # Turns of the others in a rollout, at the least
ROUNDS = 1  # Rounds of the actor's that a rollout goes on for
WALKS = 2  # Walks tried of those that open up the same casts
ENDS = 16  # Ends of turn that rollouts begin at, at first
PASSES = 6  # Passes of a cycle of rollouts, each with the better half of the ends before
ALL_TURNS = 99  # More turns than there are others
_NODE_SLICE, _ACTION_SLICE = (2, 1) if HURRIED else (48, 12)
"""States evaluated, and actions of the others, between two looks at the clock."""

_MOST_NODES = 16384  # Nodes of a search whose only bound is the time


def turns_within(actions: float) -> int:
    """Returns how many turns of the others a rollout plays where all of them may take so many actions."""
    return ALL_TURNS if actions == inf else max(_FEWEST, int(actions) // _LEAST_ACTIONS)


class TurnSearch(SearchReading):
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
        baseline: what the search of an earlier state of the turn has valued ends by, so that the same end has
            the same value in both; None for this state's own.

    Attributes:
        baseline: what ends of turn are valued by, beside their own state.
        learned: what judges the ends of rollouts, None for the heuristic evaluation.
        plan_next: the next action of a turn planned before, with the node it leads to; () for none.
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
        baseline: Baseline | None = None,
    ) -> None:
        self.stopping = self.assisted = False
        self._threads = 1 if INTERPRETED else threads
        self._pass: RolloutPass | None = None
        self._guest: SearchDesk | None = None
        self._begun = perf_counter()
        super().__init__(state, borrow(nodes, self))
        self.desk.judge_by(learned)
        self.learned = learned
        graph = self.desk.graph
        graph.walks, graph.dice_shift, graph.reply_looks = walks, 0, replies
        self.desk.use(self._packed.book, styles_of(self._packed))
        self.desk.load(self._packed.parts)
        self.desk.prepare(state.actor.team)
        if baseline is not None:
            self.desk.baseline = baseline
        self.baseline = baseline or self.desk.baseline
        self._planned: int | None = None
        self.plan_next: tuple[tuple[Action, SearchNode], ...] = ()
        self.desk.plant()
        self.desk.use(self._packed.book, styles_of(self._packed, play_style))
        self._planted = int(graph.looks)
        self._total = float(self.desk.evaluation.total)

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

    def after(self, node: SearchNode, action: Action) -> SearchNode:
        """Returns the node for the state a legal action leads to, the node itself for the end of the turn."""
        if isinstance(action, EndTurn):
            return node
        slot, cell = WALK_SLOT, action.target
        if isinstance(action, Cast):
            slot = self._slot(action.spell)
        assert cell is not None
        return self.node(self.desk.try_action(node.index, (slot + 1) * CODE_CELLS + cell))

    def follow(self, planned: Sequence[Action]) -> None:
        """Adds the states of a turn planned before, as far as it is legal.

        Its end is judged and played on from with the first.

        Args:
            planned: the actions from the root on, the end of the turn left out or last.
        """
        state, node, whole = self._state, self.root, bool(planned)
        self.plan_next = ()
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
            self.plan_next = self.plan_next or ((action, node),)
            if state.actor.id != self._state.actor.id or winner(state) is not None:
                break
        self.desk.graph.planned_end = node.index
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
            if not self.desk.expand(until):
                break
        self.desk.back_up()

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
        self.desk.graph.first_ends = ends
        self._named = np.array([node.index for node in nodes])
        self.desk.name([node.index for node in nodes])
        self.desk.back_up()

    def look(
        self,
        behind: int | None,
        actions: float,
        deadline: float = inf,
        turns: int = ALL_TURNS,
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
        self.desk.graph.first_ends, self.desk.graph.passes = ends, PASSES

    def _play(self, behind: int | None, actions: float, deadline: float, turns: int, rounds: int) -> bool:
        """Plays on; returns whether anything is left that could be played on from."""
        if behind is None and (self._threads > 1 or self.assisted):
            return self._play_in_threads(actions, deadline, turns, rounds)
        played, left = self.played_actions, True
        while left and played < actions and perf_counter() < deadline and not self.stopping:
            until = math.ceil(actions if deadline == inf else min(actions, played + _ACTION_SLICE))
            left = self.desk.roll_out(turns, rounds, until, behind)
            played = self.played_actions
        self.desk.back_up()
        return left

    def _play_in_threads(self, actions: float, deadline: float, turns: int, rounds: int) -> bool:
        """Does the same in several threads: the ends of a pass do not depend on each other.

        Rollouts are recorded in the order in which one thread would run them, so that without a deadline the
        number of threads changes nothing.
        """
        desk, graph = self.desk, self.desk.graph
        lent = [desk.beside() for _ in range(self._threads - 1 + self.assisted)]
        desks = lent[: self._threads - 1]
        self._guest = lent[-1] if self.assisted else None

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
                at_work = [threads.submit(self._pass.work, task) for task in desks]
                self._pass.work(desk)
                for task in at_work:
                    task.result()
                for rollout in self._pass.close():
                    if self.played_actions < actions:
                        desk.record(*rollout)
        self._pass = self._guest = None  # the pass holds this search: kept, both would wait for the collector
        desk.take_back(lent)
        desk.back_up()
        return left

    def assist(self) -> int:
        """Runs rollouts in the calling thread while another one plays on; returns how many there were."""
        current, desk = self._pass, self._guest
        return 0 if current is None or desk is None else current.join(desk)

    def saved(self) -> Saved:
        return self.desk.room.saved()

    def restore(self, saved: Saved) -> None:
        """Forgets the rollouts since `saved`; the turn must not have been expanded further since."""
        self.desk.room.restore(saved)

    def throw_other_dice(self, shift: int) -> None:
        """Makes rollouts from now on throw dice that a search without, or with another shift never throws."""
        self.desk.graph.dice_shift = shift

    def run(self, budget: Budget) -> None:
        """Searches until a budget is spent, rollouts included."""
        if budget.seconds is not None:
            self.grow(_MOST_NODES, self._begun + (1 - _ROLLOUT_SHARE) * budget.seconds)
            self.play_on(inf, self._begun + budget.seconds)
            return
        states = budget.states or 0
        self.grow(int((1 - _ROLLOUT_SHARE) * states))
        left = max(0, states - (self.nodes - self._planted))
        self.play_on(left // _STATES_AN_ACTION, turns=ALL_TURNS)

    def _slot(self, key: str) -> int:
        spells = self._state.actor.spells
        return next(slot for slot, spell in enumerate(spells) if spell.key == key)

"""The player `search`: a search of whole turns with rollouts, which also labels states for training."""

import random
from collections.abc import Iterator
from time import perf_counter

from botapp.arena.players.base import milliseconds, player, text, whole
from botapp.content.play_styles import play_style_of
from botapp.fight.actions import Action, EndTurn, Ready
from botapp.fight.rules import observation
from botapp.fight.state import FightState
from botapp.search.budget import Budget
from botapp.search.learned import named
from botapp.search.policy_fight import DefaultPolicy
from botapp.search.tree import ALL_TURNS, ENDS, TurnSearch
from botapp.search.turn import Scored, evaluate_candidates
from botapp.search.whole_fights import Policy


@player("search", states=whole(0), ms=milliseconds)
class SearchPlayer:
    """Plays the best whole turn it finds, and searches again once the dice fall otherwise.

    Args:
        states: how many states a decision may evaluate besides those after each first action.
        ms: milliseconds of wall time for a whole turn, instead of a number of states.
    """

    def __init__(self, states: int = 800, ms: float | None = None) -> None:
        if states < 0:
            raise ValueError(f"the budget is a number of states, 0 or more, got {states}")
        if ms is not None and ms <= 0:
            raise ValueError(f"the time for a turn is more than 0 ms, got {ms:g}")
        self._states = states
        self._seconds = None if ms is None else ms / 1000
        self._turn = (-1, -1)
        self._left = 0.0
        self._plan: list[tuple[FightState, Action]] = []

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the first action of the best turn found; it never needs the dice."""
        if state.placing:
            return Ready()
        begun = perf_counter()
        known = observation(state, state.actor.team)
        if (state.turn, state.current) != self._turn:
            self._turn, self._plan = (state.turn, state.current), []
            self._left = self._seconds or 0.0
        if not self._plan or not alike(self._plan[0][0], known):
            self._plan = list(self._search(known))
            self._left = max(0.0, self._left - (perf_counter() - begun))
        return self._plan.pop(0)[1]

    def evaluate_candidates(self, state: FightState) -> Scored:
        """Scores every legal action within the budget of a decision, see the function of this name."""
        return evaluate_candidates(state, self._allowance(), play_style_of)

    def _allowance(self) -> Budget:
        """Returns the budget of the next decision: of a turn's time the first one gets the larger part."""
        if self._seconds is None:
            return Budget(states=self._states)
        return Budget(seconds=0.6 * (self._left or self._seconds))

    def _search(self, state: FightState) -> Iterator[tuple[FightState, Action]]:
        if self._seconds is not None and not self._left:
            yield state, DefaultPolicy(state, play_style_of).action(state)
            return
        node = self._searched(state).root
        while node.pv_step is not None:
            action, child = node.pv_step
            yield node.state, action
            node = child
        yield node.state, EndTurn()

    def _searched(self, state: FightState) -> TurnSearch:
        search = TurnSearch(state, play_style=play_style_of)
        search.run(self._allowance())
        return search


@player("quick", states=whole(0), actions=whole(0), replies=whole(0), ends=whole(2), evaluation=text)
class QuickPlayer(SearchPlayer):
    """Plays the best turn of a small search, without rollouts unless asked; it has a compiled twin.

    Args:
        states: how many states a decision evaluates besides those after each first action.
        actions: what the others may take in rollouts, 0 for no rollouts.
        replies: states evaluated for each of their turns there, 0 for the default policy.
        ends: see `botapp.search.whole_fights.Policy`.
        evaluation: a word for `botapp.search.learned.named`.
    """

    def __init__(
        self, states: int = 60, actions: int = 0, replies: int = 0, ends: int = ENDS, evaluation: str = "none"
    ) -> None:
        super().__init__(states)
        self.policy = Policy(states, actions, replies, ends, named(evaluation), play_style_of)

    def _searched(self, state: FightState) -> TurnSearch:
        how = self.policy
        search = TurnSearch(state, how.states or 0, how.play_style, learned=how.learned, replies=how.replies)
        search.grow(how.states or 0)
        if how.actions:
            search.play_on(how.actions, turns=ALL_TURNS, ends=how.ends)
        elif how.learned is not None:
            search.name((), how.ends)
        return search


def alike(planned: FightState, known: FightState) -> bool:
    """Tells whether a state is the one that a turn was planned for; cooldowns may be listed in any order."""
    if planned == known:
        return True
    if len(planned.fighters) != len(known.fighters):
        return False
    sides = (
        tuple(fighter.changed(cooldowns=tuple(sorted(fighter.cooldowns))) for fighter in state.fighters)
        for state in (planned, known)
    )
    first, second = sides
    return planned.changed(fighters=first) == known.changed(fighters=second)

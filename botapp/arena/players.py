"""Who plays in the arena: at random, greedily, by search, or by the model's advice.

Next hop: `botapp.arena.match` lets two of them fight, the arena's window gives one the monsters.
"""

import math
import random
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

from botapp.content.play_styles import play_style_of
from botapp.fight.actions import Action, EndTurn, Ready
from botapp.fight.rules import legal_actions, observation
from botapp.fight.state import FightState
from botapp.search.budget import Budget
from botapp.search.greedy import DefaultPolicy
from botapp.search.tree import TurnSearch
from botapp.search.turn import Scored, evaluate_candidates

PLAYERS = ("random", "greedy", "search", "hrm", "lite", "full")
MODELS = ("hrm", "lite", "full")
"""Those that play by a model's advice; they take weights, a device, a precision and a number of steps."""

TIMED = ("search", *MODELS)
"""Those that can be given a time for a turn, in milliseconds, as the option `ms`."""

_SHARE, _SMALLEST_SHARE = 0.4, 0.1
"""Of what is left of a turn's time, and of the whole of it, for a model's next decision."""
_LEAST_MS = 1.0

__all__ = [
    "PLAYERS",
    "AdvisorPlayer",
    "GreedyPlayer",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "make_player",
]


class Player(Protocol):
    """Someone who can say what the current actor should do."""

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns a legal action for the current actor; the state is not changed."""
        ...


class RandomPlayer:
    """Takes any legal action, each as likely as the others, the end of the turn among them."""

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns a legal action at random."""
        return rng.choice(legal_actions(state))


class GreedyPlayer:
    """Looks one action ahead: the cast worth most per AP, here or after a walk, else a better place."""

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action that looks best by itself; it never needs the dice."""
        if state.placing:
            return Ready()
        known = observation(state, state.actor.team)
        return DefaultPolicy(known, play_style_of).action(known)


class SearchPlayer:
    """Plays the best whole turn it finds, and finds another one once the dice fall otherwise.

    Args:
        budget: how many states a decision may look at besides those after each first action.
        ms: milliseconds of a core for a whole turn, instead of a number of states.
    """

    def __init__(self, budget: int = 800, ms: float | None = None) -> None:
        if budget < 0:
            raise ValueError(f"the budget is a number of states, 0 or more, got {budget}")
        if ms is not None and ms <= 0:
            raise ValueError(f"the time for a turn is more than 0 ms, got {ms:g}")
        self._budget = budget
        self._seconds = None if ms is None else ms / 1000
        self._turn = (-1, -1)
        self._left = 0.0
        self._plan: list[tuple[FightState, Action]] = []

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the first action of the best turn found; it never needs the dice."""
        if state.placing:
            return Ready()
        begun = time.perf_counter()
        known = observation(state, state.actor.team)
        if (state.turn, state.current) != self._turn:
            self._turn, self._plan = (state.turn, state.current), []
            self._left = self._seconds or 0.0
        if not self._plan or self._plan[0][0] != known:
            self._plan = list(self._search(known))
            self._left = max(0.0, self._left - (time.perf_counter() - begun))
        return self._plan.pop(0)[1]

    def evaluate_candidates(self, state: FightState) -> Scored:
        """Returns what the function of this name does, within the budget of a decision."""
        return evaluate_candidates(state, self._allowance(), play_style_of)

    def _allowance(self) -> Budget:
        """Returns the budget of the next decision: of a turn's time the first one gets the larger part."""
        if self._seconds is None:
            return Budget(states=self._budget)
        return Budget(seconds=0.6 * (self._left or self._seconds))

    def _search(self, state: FightState) -> Iterator[tuple[FightState, Action]]:
        """Yields the best turn found, each action with the state it is taken in."""
        if self._seconds is not None and not self._left:
            yield state, DefaultPolicy(state, play_style_of).action(state)
            return
        search = TurnSearch(state, self._allowance(), play_style_of)
        search.expand(search.root)
        search.run()
        node = search.root
        while node.pv_step is not None:
            action, child = node.pv_step
            yield node.state, action
            node = child
        yield node.state, EndTurn()


class AdvisorPlayer:
    """Plays the model's advice.

    Args:
        advisor: what `botapp.create_advisor` returns.
        ms: milliseconds for a whole turn; each decision gets two fifths of what is left, and a tenth of the
            turn at the least while that much is left. None is as long as it takes, so that the same seed is
            the same fight.
    """

    def __init__(self, advisor: Any, ms: float | None = None) -> None:
        self._advisor = advisor
        self._ms = ms
        self._turn = (-1, -1)
        self._left = 0.0

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action advised; the enemies' traps are not shown to the model.

        Before the fight it takes the place it has.
        """
        if state.placing:
            return Ready()
        begun = time.perf_counter()
        if self._ms is not None and (state.turn, state.current) != self._turn:
            self._turn, self._left = (state.turn, state.current), self._ms
        self._advisor.budget_ms = 0.0 if self._ms is None else self._share(self._ms)
        action: Action = self._advisor.decide_action(observation(state, state.actor.team)).action
        self._left -= (time.perf_counter() - begun) * 1000
        return action

    def _share(self, whole: float) -> float:
        """Returns the milliseconds for the next decision of a turn of so many."""
        return max(_SHARE * self._left, min(_SMALLEST_SHARE * whole, self._left), _LEAST_MS)


@lru_cache(maxsize=4)
def _advisor(device: str, precision: str, options: tuple[tuple[str, Any], ...]) -> Any:
    """Returns an advisor, which is slow to make and keeps nothing of a fight; it plays whatever it meets.

    It runs on plain torch, whatever a benchmark found faster on this computer.

    Raises:
        ValueError: the device or the precision asked for cannot be had; the text says why.
    """
    from botapp.advisor.advisor import create_advisor  # noqa: PLC0415 - torch is loaded only where the model plays
    from hrm.backends import choose  # noqa: PLC0415

    placed = choose("auto", device, precision)
    if device not in ("auto", placed.device) or precision not in ("auto", placed.precision):
        raise ValueError(f"the model cannot play on {device} in {precision}: {placed.reason}")
    return create_advisor(**{"withholds": False, "placement": placed, **dict(options)})


def _model(
    ms: float | None = None,
    device: str = "auto",
    precision: str = "auto",
    early_exit: bool = True,
    **options: Any,
) -> AdvisorPlayer:
    """Returns the model as a player; `options` are those of `create_advisor`.

    Args:
        ms: milliseconds for a turn, None for as long as it takes.
        device: where it runs, "auto" for the best there is.
        precision: what it computes in, "auto" for the device's best.
        early_exit: False to take every step, however sure the model is.
    """
    if not early_exit:
        options["halt_threshold"] = math.inf
    return AdvisorPlayer(_advisor(device, precision, tuple(sorted(options.items()))), ms)


def _full(**options: Any) -> AdvisorPlayer:
    if "weights" in options:
        return _model(**options)
    folder = Path(str(files("resources").joinpath("weights")))
    weights = sorted(folder.glob("advisor-full*.safetensors"))
    if not weights:
        raise ValueError(
            f"the full model's weights are not there ({folder / 'advisor-full*.safetensors'}). "
            "Play lite instead, or fetch them."
        )
    return _model(weights=str(weights[0]), **options)


_MAKERS: dict[str, Callable[..., Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "search": SearchPlayer,
    "hrm": _model,
    "lite": _model,
    "full": _full,
}


def make_player(name: str, **options: Any) -> Player:
    """Returns a fresh player of this name, one of `PLAYERS`; `options` go to its constructor.

    Raises:
        ValueError: there is no player of this name, an option makes no sense, or its weights are missing.
    """
    if name not in _MAKERS:
        raise ValueError(f"no player {name!r}; there are {', '.join(PLAYERS)}")
    return _MAKERS[name](**options)

"""The advisor without a model: it takes the candidate that the search values highest.

`BareAdvisor` is what a model is measured against: the same search with the best settings there are and the
hand-made evaluation, unless it is given another one. `SearchAdvisor` is the app's. Neither needs torch.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np

from botapp.advisor.decision import Decision, reading
from botapp.advisor.expectations import expectations
from botapp.advisor.levelling import SHOWN, level
from botapp.advisor.search_stage import TimeReserve
from botapp.advisor.turn_advisor import TurnAdvisor, heat, scored_actions, simplest, since
from botapp.fight.actions import Action
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.state import FightState
from botapp.host.message import error_text
from botapp.search.candidates import Candidate
from botapp.search.learned import LearnedEvaluation, load, named
from botapp.search.options import NODE_BUDGET, REPLY_LOOKS, SearchOptions
from botapp.search.result import SearchResult
from botapp.search.room import FloatArray
from botapp.search.simplest import least_worth
from botapp.search.tree import ENDS, WALKS, turns_within

_log = logging.getLogger(__name__)

ROLLOUT_ACTIONS = 96
"""Actions of the others that rollouts take without a time budget, as many as for the model `full`."""

_UNLIMITED = 10**9
_AS_GOOD = 0.005
_MOST_NODES = NODE_BUDGET if INTERPRETED else 40_000
_GROWING = 0.4  # The share of the time that goes into the turn itself; rollouts have the rest
_BREADTHS = ((6000, 64, 8), (300, 32, 4), (0, ENDS, WALKS))
"""How broadly it searches: from so many rollout actions on, so many ends and walks (docs/log/advisor.md)."""
_TIMED_ACTIONS = 300
_RESERVED = 0.1  # The share of the time that is kept for words and numbers after the search


class BareAdvisor(TurnAdvisor):
    """Advises by the search alone.

    A decision's `confidence` is the chance of winning after the candidate, as the search values it:
    the candidates' confidences do not add up to one. There is no trace, and the reflex is the advice itself.

    Args:
        budget_ms: wall time for a whole decision, which rollouts fill as long as there is an end of the turn
            that they have not begun at; 0 for no limit.
        learned: what judges the ends of rollouts, None for the heuristic evaluation.
        simplest: whether of turns that are worth the same the one with fewest actions is taken.
        given: fields of `SearchOptions` that are not as usual: without a time budget `ROLLOUT_ACTIONS`, the
            usual node budget, and a breadth that goes by the rollout actions; with one, what there is time
            for.

    Raises:
        ValueError: a number is negative.
    """

    def __init__(
        self,
        budget_ms: float = 0.0,
        learned: LearnedEvaluation | None = None,
        *,
        simplest: bool = True,
        **given: int,
    ) -> None:
        if min(given.values(), default=0) < 0:
            raise ValueError("nodes and rollout_actions are 0 or more")
        fields: dict[str, Any] = dict(given)
        usual = replace(_broad_enough(given.get("rollout_actions", ROLLOUT_ACTIONS)), learned=learned)
        broad = replace(_broad_enough(_TIMED_ACTIONS), learned=learned)
        timed = replace(broad, nodes=_MOST_NODES, growing=_GROWING, replies=REPLY_LOOKS)
        super().__init__(
            budget_ms,
            replace(usual, **fields),
            replace(timed, **({"rollout_actions": _UNLIMITED} | fields)),
        )
        self._reserve = TimeReserve(_RESERVED)
        self.simplest = simplest

    def _choose(
        self, state: FightState, search: SearchResult, begun: float
    ) -> tuple[Decision, dict[str, float]]:
        started = perf_counter()
        self._level(search, lambda: ranked(search), begun)
        levelled = perf_counter()
        decision = by_value(state, search, simple=self.simplest)
        return decision, {"level": (levelled - started) * 1000, "decode": since(levelled)}

    def _level(
        self,
        search: SearchResult,
        order: Callable[[], Sequence[Candidate]],
        begun: float,
        turns: int | None = None,
        also: Action | None = None,
    ) -> None:
        options = self.timed_options if self.budget_ms > 0 else self.options
        if self.budget_ms <= 0 and turns is None:
            turns = turns_within(options.rollout_actions)
        level(search, order, options, self._deadline(begun), turns, also)


def ranked(search: SearchResult) -> list[Candidate]:
    """Returns a search's candidates by their values, the best first."""
    return [search.candidates[place] for place in order(search.values())]


def as_good(chance: float, best: float) -> bool:
    """Tells whether an action that is shown keeps its place beside one that is likelier to win.

    Less than half a point lies between the two then, both read the same in percent, and the likelier one is
    not certain to win while this one is not.
    """
    certain = best == 1 and chance < 1
    return best - chance < _AS_GOOD and reading(chance) >= reading(best) and not certain


def order(values: FloatArray) -> list[int]:
    places: list[int] = np.argsort(-values, kind="stable").tolist()
    return places


def by_value(
    state: FightState, search: SearchResult, prefer: Action | None = None, *, simple: bool = True
) -> Decision:
    """Returns the decision for the candidate that a search values highest.

    Args:
        prefer: an action that is advised if none is better by half a point of winning.
        simple: whether of turns that are worth the same the simplest is taken.
    """
    places = order(search.values())
    shown = near(search, places) if simple else ()
    valued = scored_actions(state, search, search.chances(), shown)
    scored = [replace(choice, confidence=choice.chance) for choice in valued]
    best_place = places[0]
    preferred = next((place for place, choice in enumerate(scored) if choice.action == prefer), None)
    if preferred is not None and as_good(scored[preferred].chance, scored[best_place].chance):
        best_place = preferred
    elif simple:
        best_place = simplest(search, scored, best_place)
    best = scored[best_place]
    others = (scored[place] for place in places if place != best_place)
    candidates = (best, *sorted(others, key=lambda choice: -choice.chance))
    only = len(candidates) == 1
    return Decision(
        choices=candidates[:SHOWN],
        reflex=best,
        value=2 * best.confidence - 1,
        trace=(),
        stop="only-choice" if only else "searched",
        heat=heat(candidates[:SHOWN]),
        expected=expectations(state, best.action),
        candidates=candidates,
        adviser="search",
    )


def near(search: SearchResult, places: Sequence[int]) -> list[int]:
    """Returns the places of the candidates whose turns are shown: the best, and those worth as much."""
    values = search.values()
    least = least_worth(search, float(values[places[0]]))
    return [place for rank, place in enumerate(places) if rank < SHOWN or values[place] >= least]


def bare_advisor(*, evaluation: str = "none", simplest: bool = True, **options: int) -> BareAdvisor:
    """Returns the search with an evaluation by its name: "none", "learned" or a file of weights."""
    return BareAdvisor(learned=named(evaluation), simplest=simplest, **options)


class SearchAdvisor(BareAdvisor):
    """The advisor without a model that the app advises by: `own_evaluation` judges.

    Args:
        budget_ms: see `BareAdvisor`.
        threads: how many of them run rollouts.
    """

    def __init__(self, budget_ms: float = 0.0, threads: int = 1) -> None:
        super().__init__(budget_ms, own_evaluation(), threads=threads)


def own_evaluation() -> LearnedEvaluation | None:
    """Returns the app's learned evaluation; None where it cannot be read, and the log says why."""
    try:
        return load()
    except ValueError as error:
        _log.warning(error_text(error))
        return None


def _broad_enough(actions: int) -> SearchOptions:
    ends, walks = next((ends, walks) for least, ends, walks in _BREADTHS if actions >= least)
    return SearchOptions(actions, ends=ends, walks=walks)

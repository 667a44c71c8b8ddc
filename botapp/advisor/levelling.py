"""Brings what people are shown of a search to one depth: each of the best candidates is played on from.

A search in a hurry plays on from few ends of turn, and the chance of winning after the others is a guess
from before any reply. Such a guess is not shown beside what was played on.
"""

from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter

import numpy as np

from botapp.fight.actions import Action
from botapp.search.candidates import Candidate
from botapp.search.options import SearchOptions
from botapp.search.result import SearchResult
from botapp.search.tree import turns_within

SHOWN = 5  # Candidates that a person sees at most
_TRIES = 3 * SHOWN


def level(
    search: SearchResult,
    order: Callable[[], Sequence[Candidate]],
    options: SearchOptions,
    deadline: float = inf,
    turns: int | None = None,
    also: Action | None = None,
) -> None:
    """Plays on from the best end behind each of the best candidates that none was played on from.

    The very best one, and the turn planned before, are played on from even when the time is over: what was
    promised is looked at again before anything else is said.

    Args:
        order: returns the candidates, the best first, by all that is known by then.
        options: how broadly the search goes.
        deadline: when to stop, in seconds of `time.perf_counter`.
        turns: turns of the others in a rollout; None for all.
        also: an action that is shown beside the best ones, the first answer.
    """
    tree = search.tree
    turns = turns_within(inf) if turns is None else turns
    planned = tree.planned
    if planned is not None and not planned.rollouts[1]:
        at_once = planned is tree.root
        if at_once:
            tree.name([planned], options.ends)
        tree.look(
            0 if at_once else None,
            tree.played_actions + 1,
            turns=turns,
            rounds=options.rounds,
            ends=options.ends,
        )
    for _ in range(_TRIES):
        ranked = order()
        best = [*ranked[:SHOWN], *(candidate for candidate in ranked[SHOWN:] if candidate.action == also)]
        visits = tree.visits(tree.ends(np.array([candidate.node.index for candidate in best])))
        unvisited = next((place for place, count in enumerate(visits.tolist()) if not count), None)
        if unvisited is None or (unvisited > 0 and perf_counter() >= deadline):
            return
        tree.name([candidate.node for candidate in best], options.ends)
        tree.look(unvisited, tree.played_actions + 1, turns=turns, rounds=options.rounds, ends=options.ends)

"""Scores every legal action by a search of the whole turn and of rollouts from its best ends.

Scores are shares of fights won, 0..1.
"""

from collections.abc import Callable

from botapp.fight.actions import Action
from botapp.fight.rules import legal_actions, observation
from botapp.fight.state import Fighter, FightState
from botapp.search.budget import Budget
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.tree import TurnSearch

__all__ = ["Budget", "Scored", "evaluate_candidates"]

Scored = list[tuple[Action, float]]


def evaluate_candidates(
    state: FightState, budget: Budget, play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells
) -> Scored:
    """Returns every legal action with its score, in the order of `legal_actions`.

    A score is the share of winning, 0..1, of the best turn found that begins with the action, so the
    difference of two scores is what it costs to take the one for the other. The same state and number of
    states give the same scores.
    """
    if state.placing:
        return [(action, 0.5) for action in legal_actions(state)]
    search = TurnSearch(observation(state, state.actor.team), play_style=play_style)
    root = search.root
    first = [(action, search.after(root, action)) for action in legal_actions(root.state)]
    search.run(budget)
    return [(action, search.share(root.here if node is root else node.value)) for action, node in first]

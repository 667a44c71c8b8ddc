"""What the learned evaluation says of the ends of a turn, before any is played on from.

Next hop: `botapp.search.core.ends` chooses among them.
"""

from typing import Any

from botapp.fight.core.actions import end
from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import CURRENT, DICE, MEANS, NOBODY, ORDER, TEAM
from botapp.fight.core.states import fighter_at, winner
from botapp.search.core.evaluation_layout import TOTAL
from botapp.search.core.network import log_odds
from botapp.search.core.static import STEEPNESS
from botapp.search.core.tree import load_state, node_at
from botapp.search.core.tree_layout import DECIDER, ESTIMATE, MEAN, NODE_VALUES, NODES, VISITS


@compiled
def in_hp(e: Any, odds: float) -> float:
    """Returns log odds in HP: as many as the heuristic evaluation needs for the same odds."""
    return odds * e[TOTAL] / STEEPNESS


@compiled
def judge_ends(k: Any, v: Any, q: Any, s: Any, b: Any, e: Any) -> None:
    """Puts the learned evaluation in the place of the heuristic one in all nodes not played on from."""
    number = k[DECIDER]
    team = s[fighter_at(number) + TEAM]
    for node in range(k[NODES]):
        if k[node_at(k, node) + VISITS] == 0:
            load_state(k, q, s, node)
            s[DICE] = MEANS
            if s[ORDER + s[CURRENT]] == number and winner(s) == NOBODY:
                end(s, b)
            if winner(s) == NOBODY:
                values = node * NODE_VALUES
                v[values + ESTIMATE] = in_hp(e, log_odds(s, b, e, team))
                v[values + MEAN] = v[values + ESTIMATE]

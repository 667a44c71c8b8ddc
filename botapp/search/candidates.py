"""The first actions a turn may sensibly begin with: none without effect, no two that lead to the same state.

The action that a turn planned before goes on with stays, without effect or one of several that lead to the
same state: a person has been shown that turn and its chance of winning, and both hold.

They come from the expanded turn (`botapp.search.tree`), which also has what may follow each.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.spells import Spell
from botapp.search.node import SearchNode
from botapp.search.tree import TurnSearch


@dataclass(frozen=True, slots=True)
class Candidate:
    """A first action of the turn."""

    action: Action
    # The state it leads to, dice at their means, and what may follow; the root for the turn's end
    node: SearchNode
    spell: Spell | None = None  # The spell cast, None for other actions


def candidates(
    search: TurnSearch, room: int, shown: Sequence[tuple[Action, SearchNode]] = ()
) -> tuple[Candidate, ...]:
    """Returns the first actions to choose from: casts, then moves, the end of the turn last.

    Args:
        room: how many at most; those whose turns have the lowest values are left out.
        shown: actions that a person has been shown already, with the nodes they lead to: they are in any
            case, and stand for others that lead to the same state.
    """
    root = search.root
    spells = {spell.key: spell for spell in root.state.actor.spells}
    by_node: dict[SearchNode, Candidate] = {}
    known = {action for action, _ in shown}
    named = known | {action for action, _ in search.plan_next}
    for action, node in (*shown, *search.plan_next, *root.children):
        if node is root or node in by_node:
            continue
        spell = spells[action.spell] if isinstance(action, Cast) else None
        if spell is None or action in named or search.matters(node):
            by_node[node] = Candidate(action, node, spell)
    chosen = sorted(by_node.values(), key=lambda entry: (entry.action not in known, -entry.node.value))[
        : room - 1
    ]
    chosen.sort(key=lambda candidate: isinstance(candidate.action, Move))
    return (*chosen, Candidate(EndTurn(), root))

"""The first actions a turn may sensibly begin with: none without effect, no two that lead to the same state.

An action without effect that a turn planned before goes on with stays: a person has been shown that turn and
its chance of winning, and both hold.

They come from the expanded turn (`botapp.search.tree`), which also has what may follow each.
"""

from dataclasses import dataclass

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.state import Spell
from botapp.search.node import SearchNode
from botapp.search.tree import TurnSearch


@dataclass(frozen=True, slots=True)
class Candidate:
    """A first action of the turn.

    Attributes:
        action: the action.
        node: the state it leads to, dice at their means, and what may follow; the root for the turn's end.
        spell: the spell cast, None for other actions.
    """

    action: Action
    node: SearchNode
    spell: Spell | None = None


def candidates(search: TurnSearch, room: int) -> tuple[Candidate, ...]:
    """Returns the first actions to choose from: casts, then moves, the end of the turn last.

    Args:
        search: an expanded turn.
        room: how many at most; those whose turns have the lowest values are left out.
    """
    root = search.root
    spells = {spell.key: spell for spell in root.state.actor.spells}
    kept: dict[SearchNode, Candidate] = {}
    for action, node in root.children:
        if node is root or node in kept:
            continue
        spell = spells[action.spell] if isinstance(action, Cast) else None
        if spell is None or node.index == search.plan_next or search.matters(node):
            kept[node] = Candidate(action, node, spell)
    found = sorted(kept.values(), key=lambda candidate: -candidate.node.value)[: room - 1]
    found.sort(key=lambda candidate: isinstance(candidate.action, Move))
    return (*found, Candidate(EndTurn(), root))

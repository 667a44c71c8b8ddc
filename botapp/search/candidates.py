"""What the actor may do, cut down to what is worth thinking about: no action without effect, no two the same.

The first actions come from a glance at the turn (`botapp.search.tree`), which also tells what may follow
each. Next hop: `botapp.advisor.tokens` writes one token for each.
"""

from dataclasses import dataclass

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.state import Fighter, FightState, Spell
from botapp.search.budget import Budget
from botapp.search.tree import SearchNode, TurnSearch

NODE_BUDGET = 240
"""Estimates made beside those of the first actions, shared out by fighters: more of them make each dearer."""

_FEW = 3
"""Fights of fewer fighters look as often as those of so many: a duel's options are soon all seen."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One action to weigh.

    Attributes:
        action: the action.
        node: the state it leads to, dice at their means, and what may follow; the root for the turn's end.
        spell: the spell cast, None for other actions.
    """

    action: Action
    node: SearchNode
    spell: Spell | None = None


def expand_turn(state: FightState) -> TurnSearch:
    """Looks through the actor's turn, dice at their means and nobody replying."""
    search = TurnSearch(state, Budget(states=0))
    search.expand_turn(NODE_BUDGET // max(_FEW, sum(fighter.hp > 0 for fighter in state.fighters)))
    return search


def candidates(search: TurnSearch, room: int) -> tuple[Candidate, ...]:
    """Returns the actions worth weighing: casts, then moves, the end of the turn last.

    Args:
        search: a glance at the turn.
        room: how many at most; those whose turns are worth least go first.
    """
    root = search.root
    spells = {spell.key: spell for spell in root.state.actor.spells}
    kept: dict[int, Candidate] = {}
    for action, node in root.children:
        if node is root or id(node) in kept:
            continue
        spell = spells[action.spell] if isinstance(action, Cast) else None
        if spell is None or _matters(root.state, node.state):
            kept[id(node)] = Candidate(action, node, spell)
    found = sorted(kept.values(), key=lambda candidate: -candidate.node.value)[: room - 1]
    found.sort(key=lambda candidate: isinstance(candidate.action, Move))
    return (*found, Candidate(EndTurn(), root))


def value(search: TurnSearch, option: Candidate) -> float:
    """Returns what the best turn that begins with an action is worth by now, in HP."""
    return search.root.here if option.node is search.root else option.node.value


def _matters(before: FightState, after: FightState) -> bool:
    """Tells whether a cast did anything beside costing its caster AP."""
    if before.marks != after.marks or len(before.fighters) != len(after.fighters):
        return True
    if before.order[before.current] != after.order[after.current]:
        return True
    actor = before.actor.id
    return any(
        old is not new and _body(old, old.id != actor) != _body(new, new.id != actor)
        for old, new in zip(before.fighters, after.fighters, strict=True)
    )


def _body(fighter: Fighter, with_ap: bool) -> tuple[object, ...]:
    points = (fighter.ap if with_ap else 0, fighter.mp)
    return fighter.cell, fighter.hp, fighter.max_hp, fighter.shield, fighter.buffs, points

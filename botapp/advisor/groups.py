"""Actions that are worth about the same, put together: cells among which it does not matter, and what one
turn may begin with in another order.

The list of best actions, the words for them and how sure the choice is all go by these groups.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from botapp.advisor.decision import Decision, ScoredAction, reading
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.state import Fighter, FightState

ALIKE = 0.01  # How much less likely winning may be after an action that counts as worth the same


@dataclass(frozen=True, slots=True)
class AlikeGroup:
    """Actions of one kind that are worth about the same, the best first."""

    choices: tuple[ScoredAction, ...]
    orders: tuple[ScoredAction, ...] = ()  # Other first actions of the turn that begins with the best of them

    @property
    def chance(self) -> float:
        """The chance of winning after the best of them, 0..1."""
        return self.best.chance

    @property
    def best(self) -> ScoredAction:
        return self.choices[0]

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(choice.action.target for choice in self.choices if choice.action.target is not None)


def grouped(
    decision: Decision, state: FightState | None, *, first_apart: bool = True
) -> tuple[AlikeGroup, ...]:
    """Returns all candidates in groups, the advised action's first.

    Each cast on a fighter has a row of its own, by its target. Of the first actions of one turn in several
    orders, which lead to the same, the one that the search has first stands for all. With `first_apart` the
    first answer has a row to itself where another answer followed, so that its words and figure are the same
    wherever it is named.
    """
    first = decision.reflex.action
    alone = first if first_apart and len(decision.trace) > 1 and first != decision.action else None
    heads: list[list[ScoredAction]] = []
    turns: dict[Hashable, ScoredAction] = {_turn(decision.best, state): decision.best}
    orders: dict[Action, list[ScoredAction]] = {}
    for choice in decision.candidates or decision.choices:
        if choice.action == alone:
            heads.append([choice])
            continue
        turn = _turn(choice, state)
        known = turns.setdefault(turn, choice) if turn is not None else choice
        if known.action != choice.action:
            orders.setdefault(known.action, []).append(choice)
            continue
        fitting = (head for head in heads if head[0].action != alone)
        head = next((head for head in fitting if _alike(head[0], choice, state)), None)
        if head is None:
            heads.append([choice])
        else:
            head.append(choice)
    groups = [AlikeGroup(tuple(head), tuple(orders.get(head[0].action, ()))) for head in heads]
    return tuple(sorted(groups, key=lambda group: (group.best != decision.best, *standing(group.best))))


def listed(groups: Sequence[AlikeGroup], decision: Decision, most: int) -> tuple[AlikeGroup, ...]:
    """Returns the groups that a list of so many rows shows: the best ones, and the first answer's among
    them."""
    first = next((group for group in groups if group.best.action == decision.reflex.action), None)
    if len(decision.trace) < 2 or first is None or first in groups[:most]:
        return tuple(groups[:most])
    return (*groups[: most - 1], first)


def standing(choice: ScoredAction) -> tuple[float, ...]:
    """Returns what actions are ranked by, the lowest first: the chance of winning as it is shown, and between
    those that win alike what else differs: own turns until the win, kills, the lead, the AP and the spells
    that are left.
    """
    left = choice.prospect
    if left is None:
        return -reading(choice.chance), -choice.chance
    turns = left.turns if left.turns is not None else math.inf
    return -reading(choice.chance), turns, -left.kills, -left.lead, -left.ap, left.cooldown


def _turn(choice: ScoredAction, state: FightState | None) -> Hashable | None:
    """Returns a key that turns with the same result share: each spell with its target, where it ends, what it
    leaves; on which free cell something is cast does not matter then.

    None where a turn is not known, or is one action alone.
    """
    left = choice.prospect
    if left is None or state is None or len(choice.line) < 2:
        return None
    own, at = state.actor.id, state.actor.cell
    casts = []
    for action in choice.line:
        if isinstance(action, Move):
            at = action.target
        elif isinstance(action, Cast):
            target = None if action.target == at else occupant(state, action.target)
            casts.append((action.spell, own if action.target == at else target.id if target else -1))
    return (
        tuple(sorted(casts)),
        at,
        round(choice.chance, 3),
        left.turns,
        left.kills,
        round(left.lead),
        left.ap,
    )


def occupant(state: FightState | None, cell: int) -> Fighter | None:
    if state is None:
        return None
    return next((f for f in state.fighters if f.alive and f.cell == cell), None)


def _alike(first: ScoredAction, second: ScoredAction, state: FightState | None) -> bool:
    if first.value is None or second.value is None or abs(first.value - second.value) > ALIKE:
        return False
    if (
        first.prospect is not None
        and second.prospect is not None
        and first.prospect.kills != second.prospect.kills
    ):
        return False
    kinds = [_kind(choice, state) for choice in (first, second)]
    return kinds[0] is not None and kinds[0] == kinds[1]


def _kind(choice: ScoredAction, state: FightState | None) -> str | None:
    """Returns the action of a group of equal targets; None for an action that is alone."""
    action = choice.action
    if isinstance(action, Cast):
        return action.spell if occupant(state, action.target) is None else None
    return None if isinstance(action, EndTurn) else ""

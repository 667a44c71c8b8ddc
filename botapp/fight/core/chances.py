"""Which effects of a spell happen where chance has a say: one group of several, or each by its own chance.

Next hop: `botapp.fight.core.resolving`.
"""

from typing import Any

from botapp.fight.core.compiler import compiled
from botapp.fight.core.layout import CHANCE_OF, DICE, GROUP, MEANS
from botapp.fight.core.states import draw


@compiled
def takes_place(s: Any, b: Any, effect: int, picked: int) -> bool:
    """Tells whether an effect happens, being in the group picked or as its own chance will have it.

    On means what is likelier happens.
    """
    group, percent = b[effect + GROUP], b[effect + CHANCE_OF]
    if group:
        return group == picked
    if percent == 0:
        return True
    return percent >= 50 if s[DICE] == MEANS else draw(s) * 100 < percent


@compiled
def _weight(b: Any, effects: int, count: int, group: int) -> int:
    """Returns the weight of a group among `count` effects, that of all groups where `group` is 0."""
    weight = 0
    for index in range(effects, effects + count):
        of = b[b[index] + GROUP]
        if of and (group == 0 or of == group):
            weight += b[b[index] + CHANCE_OF]
    return weight


@compiled
def pick_group(s: Any, b: Any, effects: int, count: int) -> int:
    """Returns which group of `count` effects happens, 0 where there are none; on means the heaviest."""
    total = _weight(b, effects, count, 0)
    if total == 0:
        return 0
    picked, heaviest = 0, 0
    left = 0.0
    if s[DICE] != MEANS:
        left = draw(s) * total
    for index in range(effects, effects + count):
        group = b[b[index] + GROUP]
        if group == 0:
            continue
        if s[DICE] == MEANS:
            weight = _weight(b, effects, count, group)
            if weight > heaviest:
                picked, heaviest = group, weight
        elif left >= 0:
            left -= b[b[index] + CHANCE_OF]
            picked = group
    return picked

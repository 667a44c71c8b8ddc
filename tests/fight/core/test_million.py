"""A million random actions: nothing in the rules ever leaves its bounds."""

from itertools import count

import pytest
from random_fights import RandomFight, first_state

_ACTIONS = 1_000_000
_LONGEST = 2_000
"""Actions after which a fight that does not end is left for the next one."""


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_million_random_actions_break_nothing():
    played, too_large = 0, 0
    for number in count():
        fight = RandomFight(first_state(number), number)
        for _ in range(_LONGEST):
            if played >= _ACTIONS:
                break
            if not fight.play():
                break
            played += 1
            if fight.is_too_large:
                too_large += 1
                break
            fight.hold()
        if played >= _ACTIONS:
            break
    print(f"{played} actions in {number + 1} fights, {too_large} of which grew too large")
    assert too_large < 0.02 * number

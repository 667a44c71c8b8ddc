"""A million random actions: nothing in the rules ever leaves its bounds."""

import pytest
from random_fights import RandomFight, first_state

_ACTIONS = 1_000_000
_LONGEST = 2_000
"""Actions after which a fight that does not end is left for the next one."""


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_million_random_actions_break_nothing():
    played = too_large = fights = 0
    while played < _ACTIONS:
        fight = RandomFight(first_state(fights), fights)
        fights += 1
        for _ in range(_LONGEST):
            if not fight.play():
                break
            played += 1
            if fight.is_too_large:
                too_large += 1
                break
            fight.hold()
    print(f"{played} actions in {fights} fights, {too_large} of which outgrew the rules")
    assert fights > 100

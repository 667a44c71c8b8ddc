"""Whose turn comes when: each side by initiative, the sides taking turns, the quickest of all first."""

from collections.abc import Iterable
from itertools import zip_longest

from botapp.fight.state import Fighter


def turn_order(fighters: Iterable[Fighter]) -> tuple[int, ...]:
    """Returns the fighters' ids in the order of their turns; equal initiatives go by id.

    Where one side has more fighters its last ones follow each other.
    """
    by_team: dict[int, list[Fighter]] = {}
    for fighter in sorted(fighters, key=lambda f: (-f.stats.initiative, f.id)):
        by_team.setdefault(fighter.team, []).append(fighter)
    return tuple(f.id for row in zip_longest(*by_team.values()) for f in row if f is not None)

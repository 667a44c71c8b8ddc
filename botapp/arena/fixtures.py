"""Which fight a tournament's seed stands for. Next hop: `botapp.arena.tournament` lets players fight it."""

from collections.abc import Sequence

from botapp.arena.content import classes
from botapp.arena.scenarios import adventure, duel
from botapp.fight.state import FightState

SCENARIOS = ("duel", "adventure")
Size = tuple[int, int]
"""Fighters of the red and of the blue side."""


def begin(scenario: str, seed: int, sizes: Sequence[Size] = (), unseen: bool = False) -> FightState:
    """Returns the fight of a seed at its beginning.

    Args:
        scenario: one of `SCENARIOS`.
        seed: picks the map, who fights and where.
        sizes: what to choose from by seed; none leaves it to the scenario.
        unseen: only the classes and maps that no model has been trained on.

    Raises:
        ValueError: there is no such scenario, or it has not these sizes, or nothing unseen.
    """
    if scenario not in SCENARIOS:
        raise ValueError(f"no scenario {scenario!r}; there are {', '.join(SCENARIOS)}")
    if sizes or unseen:
        raise ValueError(f"the scenario {scenario} leaves no choice of sizes or of what is unseen")
    if scenario == "duel":
        return duel(seed)
    kinds = sorted(classes())
    return adventure(seed, kinds[seed % len(kinds)])

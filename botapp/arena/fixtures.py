"""Which fight a tournament's seed stands for."""

from collections.abc import Sequence

from botapp.arena.scenarios import FIRST_TRAINING_SEED, LARGEST_TEAM, Pool, adventure, duel, team
from botapp.fight.state import FightState

SCENARIOS = ("duel", "team", "adventure")
POOLS = ("seen", "drawn", "unseen", "hour-veil")
"""What tournaments are fought with, see `botapp.arena.scenarios.Pool`; no training uses the seeds of `drawn`
ones, nor anything of the last two."""


def begin(scenario: str, seed: int, sizes: Sequence[int] = (), pool: Pool = "seen") -> FightState:
    """Returns the fight of a seed at its beginning.

    Args:
        scenario: one of `SCENARIOS`.
        seed: picks the map, who fights and where.
        sizes: fighters of a team, taken in turn by seed; none leaves the scenario its choice.
        pool: where fighters and maps come from, one of `POOLS` in a tournament.

    Raises:
        ValueError: there is no such scenario, it does not have these sizes, or the fight may have been
            trained on.
    """
    if scenario not in SCENARIOS:
        raise ValueError(f"no scenario {scenario!r}; there are {', '.join(SCENARIOS)}")
    if sizes and scenario != "team":
        raise ValueError(f"the scenario {scenario} leaves no choice of sizes; team does")
    if pool == "drawn" and seed >= FIRST_TRAINING_SEED:
        raise ValueError(f"seed: drawn fights from {FIRST_TRAINING_SEED} on are trained on, got {seed}")
    if scenario == "duel":
        return duel(seed, pool=pool)
    if scenario == "adventure":
        return adventure(seed, pool=pool)
    return team(seed, sizes[seed % len(sizes)] if sizes else None, pool=pool)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Reads sizes such as "1v1", "1v1,3v3" or "1v1..4v4".

    Raises:
        ValueError: the text says something else, or teams that do not exist; it names the part.
    """
    sizes: list[int] = []
    for part in filter(None, text.split(",")):
        first, dots, last = part.partition("..")
        low = _size(first)
        sizes += range(low, (_size(last) if dots else low) + 1)
    return tuple(sizes)


def _size(text: str) -> int:
    red, _, blue = text.strip().partition("v")
    if red != blue or not red.isdecimal() or not 1 <= int(red) <= LARGEST_TEAM:
        raise ValueError(f"{text!r} is no size of teams; there are 1v1 to {LARGEST_TEAM}v{LARGEST_TEAM}")
    return int(red)

"""How much stronger one player is than another, and how sure that is: Elo out of mirrored fights.

The two fights of a seed share a map and the fighters on it, so their results hang together: a seed is one
observation, worth 0 to 1 points in steps of a quarter (what chess programs' testers call the pentanomial
model).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_Z = 1.959963984540054  # Two-sided 95 % of the normal distribution

_ROUNDS = 2000
_PRIOR_DRAWS = 0.5


@dataclass(frozen=True, slots=True)
class Strength:
    """How a player did against another; the bounds are those of a 95 % interval.

    Attributes:
        share, low, high: points per fight, 0..1, a draw being half a point.
        elo, elo_low, elo_high: the same as a difference of Elo ratings; None where it has no end.
    """

    share: float
    low: float
    high: float

    @property
    def elo(self) -> float | None:
        return difference(self.share)

    @property
    def elo_low(self) -> float | None:
        return difference(self.low)

    @property
    def elo_high(self) -> float | None:
        return difference(self.high)


def difference(share: float) -> float | None:
    """Returns the Elo difference at which a player is expected to take this share of the points.

    The logistic curve of A. Elo, The Rating of Chessplayers (1978): share = 1 / (1 + 10^(-difference / 400)).
    None where the share is 0 or 1, for which no difference is large enough.
    """
    return None if not 0 < share < 1 else 400 * math.log10(share / (1 - share))


def strength(seeds: Sequence[float]) -> Strength:
    """Returns a player's share of the points with its interval, from its points per fight by seed.

    The interval is Wilson's (E. B. Wilson, 1927), which stays within 0..1 and has a width even when every
    fight was won. Its sample size is the effective one, `share * (1 - share) / variance of the mean over
    seeds` (E. L. Korn and B. I. Graubard, 1998), at most the four quarters of a seed times the seeds.

    Raises:
        ValueError: there is no seed.
    """
    count = len(seeds)
    if not count:
        raise ValueError("no fights: there is nothing to rate")
    share = sum(seeds) / count
    spread = share * (1 - share)
    size = float(count)
    if spread > 0:
        variance = sum((points - share) ** 2 for points in seeds) / max(1, count - 1) / count
        size = min(4.0 * count, spread / variance) if variance > 0 else 4.0 * count
    scale = 1 + _Z**2 / size
    centre = (share + _Z**2 / (2 * size)) / scale
    half = _Z / scale * math.sqrt(spread / size + _Z**2 / (4 * size**2))
    return Strength(share, max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


def ratings(points: Mapping[tuple[str, str], tuple[float, int]]) -> dict[str, float]:
    """Returns an Elo rating for each player of a round robin, the mean of all being 0.

    The Bradley-Terry model by D. R. Hunter's minorisation-maximisation (2004); half a drawn fight is added
    to each pairing, so that a player that won everything gets a number too.

    Args:
        points: for each pairing (first, second), the first one's points and the fights there were.
    """
    names = sorted({name for pair in points for name in pair})
    scored = dict.fromkeys(names, 0.0)
    met: list[tuple[str, str, float]] = []
    for (first, second), (won, fights) in points.items():
        scored[first] += won + _PRIOR_DRAWS / 2
        scored[second] += fights - won + _PRIOR_DRAWS / 2
        met.append((first, second, fights + _PRIOR_DRAWS))
    power = dict.fromkeys(names, 1.0)
    for _ in range(_ROUNDS):
        shares = dict.fromkeys(names, 0.0)
        for first, second, played in met:
            both = played / (power[first] + power[second])
            shares[first] += both
            shares[second] += both
        power = {name: scored[name] / shares[name] for name in names}
        middle = math.exp(sum(map(math.log, power.values())) / len(names))
        power = {name: value / middle for name, value in power.items()}
    return {name: 400 * math.log10(power[name]) for name in names}

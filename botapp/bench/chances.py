"""How often the search alone wins the fights of which it says a chance, playing both sides to the end.

    python -m botapp.bench.chances [--fights 100] [--seed 1] [--kind team|unseen|hour-veil|adventure] [--bare]

With `--bare` the heuristic evaluation judges, else the learned one, as in the app.

Without a clock, so that the same seeds give the same figures: with as many actions of the others, who
reply, as there is time for in about 20 ms.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
import typer

from botapp.advisor.bare import BareAdvisor, own_evaluation
from botapp.arena.match import play
from botapp.arena.scenarios import LARGEST_TEAM, adventure, team
from botapp.fight.actions import Action
from botapp.fight.state import FightState
from botapp.learning.reliability import calibration_error, reliability
from botapp.search.options import REPLY_LOOKS

_SEARCHED: dict[str, Any] = {"nodes": 4000, "rollout_actions": 300}

KINDS: Mapping[str, Callable[[int], FightState]] = {
    "team": lambda seed: team(seed, 1 + seed % LARGEST_TEAM),
    "unseen": lambda seed: team(seed, 1 + seed % LARGEST_TEAM, pool="unseen"),
    "hour-veil": lambda seed: team(seed, 1 + seed % LARGEST_TEAM, pool="hour-veil"),
    "adventure": adventure,
}


class Teller:
    """Plays as the search alone advises, and keeps what it said."""

    def __init__(self, advisor: BareAdvisor) -> None:
        self._advisor = advisor
        self.said: list[tuple[int, float]] = []

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action advised; notes whose it is and that side's chance of winning."""
        decision = self._advisor.decide(state)
        self.said.append((state.actor.team, decision.chance))
        return decision.action


def chances_and_results(fights: int, seed: int, kind: str, bare: bool = False) -> list[tuple[float, bool]]:
    """Returns each chance that was said with whether that side won; drawn fights are left out.

    Args:
        fights: how many.
        seed: of the first one.
        kind: a key of `KINDS`.
    """
    learned = None if bare else own_evaluation()
    advisor = BareAdvisor(learned=learned, replies=REPLY_LOOKS, **_SEARCHED)
    pairs: list[tuple[float, bool]] = []
    for number in range(seed, seed + fights):
        teller = Teller(advisor)
        winner = play(KINDS[kind](number), {0: teller, 1: teller}, random.Random(number)).winner
        if winner >= 0:
            pairs += [(chance, side == winner) for side, chance in teller.said]
    return pairs


def main(
    fights: int = 100,
    seed: int = 1,
    kind: Literal["team", "unseen", "hour-veil", "adventure"] = "team",
    bare: bool = False,
) -> None:
    """Prints the error of calibration, and the chances said and what came of them by tenths."""
    pairs = chances_and_results(fights, seed, kind, bare)
    said, won = (np.array(column, np.float64) for column in zip(*pairs, strict=True))
    print(f"{fights} fights, {len(pairs)} decisions: off by {calibration_error(said, won):.3f}")
    for bucket in reliability(said, won):
        print(
            f"said {bucket.confidence:6.1%}  won {bucket.right:6.1%}  ({bucket.share:.1%} of the decisions)"
        )


if __name__ == "__main__":
    typer.run(main)

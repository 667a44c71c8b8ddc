"""One fight between players, from its first turn to its end."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from botapp.arena.players import Player
from botapp.arena.scenarios import outcome
from botapp.fight.rules import apply
from botapp.fight.state import FightState


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a fight went: the winning team (-1 for a draw), rounds begun, and actions taken."""

    winner: int
    turns: int
    actions: int


def play(state: FightState, players: Mapping[int, Player], rng: random.Random) -> MatchResult:
    """Plays a fight to its end; past the round limit it is a draw.

    Args:
        state: the fight's beginning.
        players: who plays each team.
        rng: the dice of the fight and of the players.

    Raises:
        IllegalAction: a player did what the rules refuse.
    """
    actions = 0
    while (won := outcome(state)) is None:
        state = apply(state, players[state.actor.team].choose(state, rng), rng)
        actions += 1
    return MatchResult(won, state.turn, actions)

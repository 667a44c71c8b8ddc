"""One fight between players, from its first turn to its end."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from botapp.arena.players.base import Player
from botapp.arena.scenarios import outcome
from botapp.fight.rules import apply
from botapp.fight.state import FightState


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a fight went."""

    winner: int  # The winning team, -1 for a draw
    turns: int
    actions: int
    played: int = 0  # Turns that fighters had, summons among them
    idle: int = 0  # Those of them after which their enemies had no fewer HP together than before
    hp_left: int = 0  # Percent of its first HP that the winning team has left, summons left out; 0 for a draw


def play(state: FightState, players: Mapping[int, Player], rng: random.Random) -> MatchResult:
    """Plays a fight to its end; past the round limit it is a draw.

    Args:
        players: who plays each team.

    Raises:
        IllegalAction: a player did what the rules refuse.
    """
    first = state
    actions = played = idle = 0
    while (won := outcome(state)) is None:
        side, actor, turn = state.actor.team, state.actor.id, state.turn
        before = _hp(state, 1 - side)
        while outcome(state) is None and (state.actor.id, state.turn) == (actor, turn):
            state = apply(state, players[side].choose(state, rng), rng)
            actions += 1
        played += 1
        idle += _hp(state, 1 - side) >= before
    own = [fighter.id for fighter in first.fighters if fighter.team == won]
    left = sum(state.fighters[id].hp for id in own)
    full = sum(first.fighters[id].hp for id in own)
    return MatchResult(won, state.turn, actions, played, idle, round(100 * left / full) if own else 0)


def _hp(state: FightState, side: int) -> int:
    return sum(fighter.hp for fighter in state.fighters if fighter.team == side)

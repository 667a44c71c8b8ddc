"""The simplest players: at random, greedily, and greedily with slips."""

import random

from botapp.arena.players.base import player
from botapp.content.play_styles import play_style_of
from botapp.fight.actions import Action, EndTurn, Ready
from botapp.fight.rules import legal_actions, observation
from botapp.fight.state import Fighter, FightState
from botapp.search.play_style import MELEE, PlayStyle
from botapp.search.policy_fight import DefaultPolicy
from botapp.search.whole_fights import Policy


@player("random")
class RandomPlayer:
    """Takes any legal action, each as likely as the others, the end of the turn among them."""

    def choose(self, state: FightState, rng: random.Random) -> Action:
        return rng.choice(legal_actions(state))


@player("greedy")
class GreedyPlayer:
    """Plays the default policy of rollouts: the cast of the highest gain per AP, else a better place."""

    policy = Policy(play_style=play_style_of)

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action of the highest expected gain; it never needs the dice."""
        if state.placing:
            return Ready()
        known = observation(state, state.actor.team)
        return DefaultPolicy(known, self.policy.play_style).action(known)


def _charging(_: Fighter) -> PlayStyle:
    return MELEE


@player("monster")
class MonsterPlayer(GreedyPlayer):
    """Plays as the game's plainer monsters do: it walks up to its nearest enemy and hits, casts greedily."""

    policy = Policy(play_style=_charging)


@player("easy")
class EasyPlayer(GreedyPlayer):
    """Plays greedily, but slips now and then: any legal action then, or the end of its turn."""

    slips = 0.2

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the greedy action, or one at random where it slips."""
        if not state.placing and rng.random() < self.slips:
            return rng.choice([EndTurn(), rng.choice(legal_actions(state))])
        return super().choose(state, rng)

"""Who plays in the arena: at random, greedily, by search, or by the model's advice.

Next hop: `botapp.arena.match` lets two of them fight, the arena's window gives one the monsters.
"""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from botapp.arena.search import SearchPlayer
from botapp.arena.worth import HURTING, best_cast, threatened
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.casting import HELPFUL, max_range
from botapp.fight.paths import Walk, walking_distances, walks
from botapp.fight.rules import legal_actions
from botapp.fight.sight import terrain
from botapp.fight.state import Fighter, FightState

PLAYERS = ("random", "greedy", "search", "hrm")


class Player(Protocol):
    """Someone who can say what the current actor should do."""

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns a legal action for the current actor; the state is not changed."""
        ...


class RandomPlayer:
    """Takes any legal action, each as likely as the others, the end of the turn among them."""

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns a legal action at random."""
        return rng.choice(legal_actions(state))


class GreedyPlayer:
    """Looks one action ahead: hurt someone, else walk to where that goes, else help, else stand better."""

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action that looks best by itself; it never needs the dice."""
        actor = state.actor
        cast = best_cast(state)[1]
        if cast and not _only_helps(actor, cast):
            return cast
        ways = walks(state, actor)
        return (
            self._step_to_cast(state, actor, ways)
            or cast
            or self._step_to_stand(state, actor, ways)
            or EndTurn()
        )

    def _step_to_cast(self, state: FightState, actor: Fighter, ways: dict[int, Walk]) -> Move | None:
        """Returns the walk to where the best cast is; among equals far off for archers, short for others."""
        if not ways or actor.ap < min((spell.ap for spell in actor.spells), default=actor.ap + 1):
            return None
        far_off = preferred_distance(actor) > 1
        best, chosen = (0.0, 0.0), None
        for cell, walk in ways.items():
            there = replace(actor, cell=cell, mp=walk.mp, ap=walk.ap)
            fighters = tuple(there if f.id == actor.id else f for f in state.fighters)
            value, cast = best_cast(replace(state, fighters=fighters))
            liking = float(
                min(distance(cell, e.cell) for e in enemies_of(state, actor)) if far_off else walk.mp
            )
            rank = (value * walk.ap, liking)
            if cast and rank > best and not _only_helps(actor, cast):
                best, chosen = rank, Move(walk.path)
        return chosen

    def _step_to_stand(self, state: FightState, actor: Fighter, ways: dict[int, Walk]) -> Move | None:
        """Returns the walk to where the fighter likes to stand, None where it stands no better elsewhere."""
        ground = terrain(state.map.cells)
        wish = preferred_distance(actor)
        away = [walking_distances(ground, enemy.cell) for enemy in enemies_of(state, actor)]
        if not away:
            return None

        def discomfort(cell: int) -> int:
            nearest = min(distances[cell] for distances in away)
            too_near = wish > 1 and threatened(state, actor)
            return abs(nearest - wish) if too_near else max(0, nearest - wish)

        here = discomfort(actor.cell)
        cell = min(ways, key=lambda c: (discomfort(c), -ways[c].mp), default=actor.cell)
        return Move(ways[cell].path) if cell in ways and discomfort(cell) < here else None


def enemies_of(state: FightState, fighter: Fighter) -> list[Fighter]:
    """Returns the living fighters of the other team."""
    return [other for other in state.fighters if other.hp > 0 and other.team != fighter.team]


def preferred_distance(fighter: Fighter) -> int:
    """Returns how far from its enemies the fighter likes to stand, in cells: 1 for close combat."""
    spans = sorted(
        max_range(fighter, spell)
        for spell in fighter.spells
        if any(effect.kind in HURTING for effect in spell.effects)
    )
    if not spans:
        return 6
    middle = spans[len(spans) // 2]
    return middle if middle > 3 else 1


def _only_helps(fighter: Fighter, cast: Cast) -> bool:
    effects = next(spell.effects for spell in fighter.spells if spell.key == cast.spell)
    return all(effect.kind in HELPFUL for effect in effects)


class AdvisorPlayer:
    """Plays the model's advice; `advisor` is what `botapp.create_advisor` returns."""

    def __init__(self, advisor: Any) -> None:
        self._advisor = advisor

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action advised."""
        action: Action = self._advisor.decide_action(state).action
        return action


def _advisor_player(**options: Any) -> AdvisorPlayer:
    from botapp import create_advisor  # noqa: PLC0415 - torch is loaded only where the model plays

    return AdvisorPlayer(create_advisor(**options))


_MAKERS: dict[str, Callable[..., Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
    "search": SearchPlayer,
    "hrm": _advisor_player,
}


def make_player(name: str, **options: Any) -> Player:
    """Returns the player of this name, one of `PLAYERS`; `options` go to its constructor.

    Raises:
        ValueError: there is no player of this name.
    """
    if name not in _MAKERS:
        raise ValueError(f"no player {name!r}; there are {', '.join(PLAYERS)}")
    return _MAKERS[name](**options)

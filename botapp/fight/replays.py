"""Plays a turn again and again with dice, on the arrays alone: outcomes are not unpacked into states."""

import random
from collections.abc import Sequence

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.core import requests as ask_for
from botapp.fight.core.fight import NOBODY, ROLLS
from botapp.fight.state import FightState
from botapp.fight.workspace import Workspace, open_workspace

_MOST_SEED = 2**31 - 2


def rolled(state: FightState, actions: Sequence[Action], times: int) -> list[dict[int, int]]:
    """Returns each time the HP of all fighters after the actor's actions, by their ids; 0 of the dead.

    What an earlier action has made impossible is left out, and so is the rest where the turn or the fight is
    over. The same state and actions always come to the same.

    Args:
        state: before the first action.
        times: how often they are done, each time with other dice.

    Raises:
        CapacityError: there is more in the state than the arrays can hold.
    """
    desk = open_workspace(state)
    fight, rng = desk.fight, random.Random(0)
    rolls = []
    for _ in range(times):
        desk.begin_again()
        fight.dice, fight.seed = ROLLS, rng.randint(1, _MOST_SEED)
        _play(desk, actions)
        rolls.append(
            {
                fighter: max(0, int(fight.fighters[number].hp))
                for fighter, number in desk.parts.numbers.items()
            }
        )
    return rolls


def _play(desk: Workspace, actions: Sequence[Action]) -> None:
    fight, actor = desk.fight, desk.parts.state.actor
    slots = desk.parts.book.content.slots[id(actor.spells)]
    number = desk.number(actor)
    for action in actions:
        if isinstance(action, Move):
            desk.walk(action.path)
        elif isinstance(action, EndTurn):
            desk.ask(ask_for.END)
        elif isinstance(action, Cast) and not desk.ask(
            ask_for.REFUSAL, number, slots[action.spell], action.target
        ):
            desk.ask(ask_for.CAST, slots[action.spell], action.target)
        if fight.fault or fight.order[fight.current] != number or desk.ask(ask_for.WINNER) != NOBODY:
            return

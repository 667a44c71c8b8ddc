"""What the app or the game calls fighters, in place of the names that people gave them."""

import re
from typing import NamedTuple

from botapp.content.knowledge.base import knowledge
from botapp.content.library import classes, monsters
from botapp.fight.state import Fighter, FightState


class Called(NamedTuple):
    """A fighter's kind and name."""

    kind: str
    name: str


SOMEONE = Called("someone", "Someone")


def called(fighter: Fighter) -> Called:
    """Returns what the app or the game calls a fighter; a person's own character is of its class."""
    template = classes().get(fighter.kind) or monsters().get(fighter.kind)
    name, kind = template.name if template is not None else "", fighter.kind
    game = knowledge().game
    if not name and game is not None:
        name = game.name_of_kind(kind)
        if not name:
            number = game.class_of(fighter)
            game_class = next(
                (candidate for candidate in game.classes if candidate.names.number == number), None
            )
            kind, name = (game_class.key, game_class.names.name) if game_class is not None else ("", "")
    if not name:
        return Called(SOMEONE.kind, f"{SOMEONE.name} {fighter.id}")
    numbered = re.fullmatch(re.escape(name) + r" [0-9]{1,3}", fighter.name)
    return Called(kind, fighter.name if numbered else name)


def without_names(state: FightState) -> FightState:
    """Returns the state with each fighter called as the app or the game calls it."""
    return state.changed(
        fighters=tuple(fighter.changed(**called(fighter)._asdict()) for fighter in state.fighters)
    )

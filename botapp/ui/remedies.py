"""What a person can do about it where there is no advice: the words of a button, and what it opens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from botapp.advisor.grounds import guesses
from botapp.fight.state import FightState
from botapp.host.message import is_message
from botapp.runtime.messages import Snapshot
from botapp.runtime.watch import NO_GAME, OTHER_CLIENT
from botapp.tracking.doubts import UNFIT
from botapp.tracking.sheet_fit import is_misfit
from botapp.tracking.state_tracker import NO_CLASS
from botapp.ui.translation import mark

RemedyKind = Literal["arena", "pick", "class", "character", "board", "start", "portraits"]

CONFIRM = mark("Confirm the board's position")


@dataclass(frozen=True, slots=True)
class Remedy:
    """A way out: what it opens, and the words of its button, to be translated."""

    kind: RemedyKind
    words: str


ARENA = Remedy("arena", mark("Open the practice arena"))
PICK = Remedy("pick", mark("Pick the game's window"))
CLASS = Remedy("class", mark("Choose your class"))
CHARACTER = Remedy("character", mark("Choose your class"))
DATA = Remedy("character", mark("Bring the game's data"))
BOARD = Remedy("board", CONFIRM)
_FOR_CHANCE: Mapping[str, Remedy] = {
    "class": CHARACTER,
    "level": Remedy("start", mark("Confirm your level")),
    "fighters": Remedy("portraits", mark("Say who the others are")),
}


def remedies_for_chance(state: FightState | None) -> list[Remedy]:
    """Returns what brings a chance of winning where none may be told in a state."""
    return [_FOR_CHANCE[guess.remedy] for guess in guesses(state)] if state is not None else []


def remedy(snapshot: Snapshot, target: str, has_game: bool = True) -> Remedy | None:
    """Returns the way out of what a snapshot says, None where there is none to offer."""
    if snapshot.capture == "no-window":
        why = snapshot.reason.template if is_message(snapshot.reason) else ""
        return ARENA if why == NO_GAME or (target == "arena" and why != OTHER_CLIENT) else PICK
    if snapshot.reason == NO_CLASS or is_misfit(snapshot.reason):
        if target == "arena":
            return CLASS
        return CHARACTER if has_game else DATA
    if snapshot.reason == UNFIT and target != "arena":
        return BOARD
    return None

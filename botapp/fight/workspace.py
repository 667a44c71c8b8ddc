"""Where the compiled rules are asked about a `FightState`: its arrays, in room of each thread's own.

Next hop: `botapp.fight.rules` and `botapp.fight.ranges` ask, `botapp.fight.core` answers.
"""

import threading
from typing import Any, NamedTuple

from botapp.fight.core.compiler import whole_numbers
from botapp.fight.core.layout import STATE
from botapp.fight.core.pack import load, parts_of
from botapp.fight.core.packed import Parts
from botapp.fight.core.states import fighter_at
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter, FightState


class Workspace(NamedTuple):
    """A state as arrays, until the same thread asks for the next one.

    Attributes:
        parts: what leads back to the state.
        s, b: its arrays.
    """

    parts: Parts
    s: Any
    b: Any

    def fighter(self, fighter_id: int) -> int:
        """Returns the place of a fighter's fields.

        Raises:
            KeyError: nobody in the fight has this id.
        """
        return fighter_at(self.parts.numbers[fighter_id])

    def slot(self, fighter: Fighter, spell: Spell) -> int:
        """Returns the slot of one of a fighter's spells.

        Raises:
            KeyError: the fighter does not have it.
        """
        return self.parts.book.content.slots[id(fighter.spells)][spell.key]


class _Room(threading.local):
    """The array that a thread works in."""

    def __init__(self) -> None:
        self.s = whole_numbers(STATE)


_room = _Room()


def open_workspace(state: FightState) -> Workspace:
    """Returns a state as arrays; what was opened before in the same thread is no longer valid.

    Raises:
        CapacityError: there is more in the state than the arrays can hold.
    """
    parts: Parts | None = state.memo.get("parts")
    if parts is None:
        parts = state.memo["parts"] = parts_of(state)
    load(parts, _room.s)
    return Workspace(parts, _room.s, parts.book.b)

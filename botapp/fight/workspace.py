"""Where the compiled rules are asked about a `FightState`: its arrays, in room of each thread's own."""

import threading
from array import array
from typing import Any, NamedTuple

from botapp.fight.board import CELLS
from botapp.fight.core import requests as ask_for
from botapp.fight.core.actions import NO_PATH
from botapp.fight.core.capacity import numbers_of, put_words
from botapp.fight.core.compiler import decimals, whole_numbers
from botapp.fight.core.expected import OUTCOME
from botapp.fight.core.fight import LONGEST_WAY, MEANS, MOST_FIGHTERS, SCRATCH, STATE, Fight
from botapp.fight.core.pack import load, parts_of
from botapp.fight.core.packed import Parts
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter, FightState

_WAY, _QUEUE = Fight.word("way"), Fight.word("queue")


class _Room(threading.local):
    """What a thread works with.

    Attributes:
        s, t: the array that the rules work on, and one for the outcome.
        e: numbers with decimals.
        parts, start: the state asked about last, and its array, which stays as it is.
        made, after: the same of the state that came of it last, likely to be asked about next.
    """

    def __init__(self) -> None:
        self.s, self.t = whole_numbers(STATE), whole_numbers(STATE)
        self.e = decimals(MOST_FIGHTERS * OUTCOME)
        self.start, self.after = whole_numbers(SCRATCH), whole_numbers(SCRATCH)
        self.parts: Parts | None = None
        self.made: Parts | None = None


_room = _Room()


class Workspace(NamedTuple):
    """A state as arrays, until the same thread asks for the next one.

    Attributes:
        s, b, e: its arrays.
    """

    parts: Parts
    s: Any
    b: Any
    e: Any

    @property
    def fight(self) -> Fight:
        return Fight(self.s)

    def ask(self, what: int, x: int = 0, y: int = 0, z: int = 0) -> int:
        """Asks the compiled rules for something, see `botapp.fight.core.requests.ask`."""
        answer = int(ask_for.ask(what, self.s, self.s, self.b, self.e, self.s, x, y, z))
        if answer == ask_for.NOT_THERE:
            raise IndexError(f"the rules were asked about {x}, {y}, {z}, which is not there (request {what})")
        return answer

    def walk(self, path: tuple[int, ...]) -> int:
        """Lets the actor walk where all steps are allowed; returns the condition that one fails, else 0."""
        if len(path) > LONGEST_WAY:
            return NO_PATH
        cells = [cell if 0 <= cell < CELLS else -1 for cell in path]
        put_words(self.s, _WAY, array("i", [len(cells), *cells]))
        return self.ask(ask_for.WALK)

    def attempt(self, seen: Any, answers: Any, kinds: int, on: bool) -> int:
        """Tries what may have been done against what is seen, see `botapp.fight.core.watching`."""
        return int(ask_for.ask(ask_for.TRY, self.s, _room.t, self.b, answers, seen, int(kinds), int(on), 0))

    def begin_again(self) -> None:
        """Makes the arrays those of the state again, with what was done to them undone."""
        ask_for.ask(ask_for.START, self.s, _room.start, self.b, self.e, self.s, 0, 0, 0)

    def keep(self, made: Parts) -> None:
        """Keeps the arrays as they are now for when the state that they are taken for is opened."""
        self.fight.dice = MEANS
        ask_for.ask(ask_for.START, _room.after, self.s, self.b, self.e, self.s, 0, 0, 0)
        _room.made = made

    def number(self, fighter: Fighter) -> int:
        """Returns a fighter's number.

        Raises:
            KeyError: no fighter has its id.
        """
        return self.parts.numbers[fighter.id]

    def slot(self, fighter: Fighter, spell: Spell) -> int:
        """Returns the slot of one of a fighter's spells.

        Raises:
            KeyError: the fighter does not have it.
        """
        return self.parts.book.content.slots[id(fighter.spells)][spell.key]

    def cells(self, m: int) -> list[int]:
        """Returns the cells of the set at the word `m` of the fight in ascending order."""
        return numbers_of(self.s, _QUEUE, self.ask(ask_for.LIST, m))


def with_turn(state: FightState, current: int, turn: int) -> FightState:
    """Returns the state with another fighter at turn, and what is known of it taken over."""
    other = state.changed(current=current, turn=turn)
    parts: Parts | None = state.memo.get("parts")
    if parts is not None:
        other.memo["parts"] = parts._replace(state=other)
    return other


def open_workspace(state: FightState) -> Workspace:
    """Returns a state as arrays; what was opened before in the same thread is no longer valid.

    Raises:
        CapacityError: there is more in the state than the arrays can hold.
    """
    parts = state.once("parts", parts_of)
    room = _room
    if room.made is parts:
        room.parts, room.made = parts, room.parts
        room.start, room.after = room.after, room.start
    elif room.parts is not parts:
        load(parts, room.start)
        room.parts = parts
    desk = Workspace(parts, room.s, parts.book.b, room.e)
    desk.begin_again()
    return desk

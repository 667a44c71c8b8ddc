"""The default policy of rollouts as a player of its own: greedily the cast of the largest gain, else a
walk."""

from collections.abc import Callable

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.state import Fighter, FightState
from botapp.search.core.policy import CAST_SPELL, WALK
from botapp.search.core.styles import styles_of
from botapp.search.desk import borrow
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.tree import taken_apart


class DefaultPolicy:
    """The default policy for the states that follow from one.

    Args:
        state: a state of the fight; who fights and how strong they are is taken from it.
        play_style: tells how a fighter plays.
    """

    def __init__(
        self, state: FightState, play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells
    ) -> None:
        self._first = taken_apart(state)
        self._desk = borrow(0, self)
        self._styles = styles_of(self._first, play_style)

    def action(self, state: FightState) -> Action:
        """Returns the current actor's choice in a state that follows from the first one."""
        desk = self._desk
        desk.use(self._first.book, self._styles)
        desk.load(self._first.parts)
        desk.prepare(state.actor.team)
        packed = taken_apart(state)
        desk.use(packed.book, self._styles)
        desk.load(packed.parts)
        kind, slot, cell = desk.choose()
        if kind == CAST_SPELL:
            return Cast(state.actor.spells[slot].key, cell)
        if kind == WALK:
            return Move(desk.path(cell))
        return EndTurn()

"""The default policy of rollouts as a player of its own, and in fights that it plays alone for all sides."""

from collections.abc import Callable

from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.core.fight import NOBODY
from botapp.fight.state import Fighter, FightState
from botapp.search.core.policy import CAST_SPELL, WALK
from botapp.search.core.styles import styles_of
from botapp.search.desk import borrow
from botapp.search.learned import LearnedEvaluation
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.reading import taken_apart
from botapp.search.room import FloatArray


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


class PolicyFight:
    """A fight under way.

    Args:
        state: how it begins.
        play_style: tells how a fighter plays.
        learned: what `log_odds` goes by.
    """

    def __init__(
        self,
        state: FightState,
        play_style: Callable[[Fighter], PlayStyle] = play_style_from_spells,
        learned: LearnedEvaluation | None = None,
    ) -> None:
        packed = taken_apart(state)
        self._desk = borrow(0, self)
        self._desk.judge_by(learned)
        self._desk.use(packed.book, styles_of(packed, play_style))
        self._desk.load(packed.parts)
        self._prepare()

    @property
    def round(self) -> int:
        return int(self._desk.fight.turn)

    def inputs(self) -> tuple[FloatArray, FloatArray]:
        return self._desk.inputs()

    def log_odds(self, team: int) -> float:
        """Returns the logarithm of the odds that a team wins from here, by the learned evaluation."""
        return self._desk.log_odds(team)

    def play_turn(self, seed: int) -> int | None:
        """Plays the actor's turn, with dice thrown by a seed.

        Returns:
            The team that has won then, `botapp.fight.rules.DRAW` where none is left, None while it is on.
        """
        won = self._desk.play_turn(seed)
        if won != NOBODY:
            return won
        self._prepare()
        return None

    def _prepare(self) -> None:
        fight = self._desk.fight
        self._desk.prepare(int(fight.fighters[int(fight.order[fight.current])].team))

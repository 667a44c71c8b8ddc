"""A fight that the default policy plays by itself for all sides, hundreds of fights a second.

Next hop: `botapp.learning.quick_fights` learns from how they end,
`botapp.search.places` compares places by how they begin.
"""

from collections.abc import Callable

from botapp.fight.core.layout import CURRENT, FIGHTER, FIRST, NOBODY, ORDER, TEAM, TURN
from botapp.fight.core.pack import load
from botapp.fight.state import Fighter, FightState
from botapp.search.arrays import FloatArray, borrow
from botapp.search.core import requests as ask_for
from botapp.search.core.styles import styles_of
from botapp.search.learned import LearnedEvaluation
from botapp.search.play_style import PlayStyle, play_style_from_spells
from botapp.search.tree import taken_apart


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
        self._book = packed.book
        self._arrays = borrow(0, self)
        self._arrays.judge_by(learned)
        self._styles = styles_of(packed, play_style)
        load(packed.parts, self._arrays.s)
        self._prepare()

    @property
    def round(self) -> int:
        """The round that is played."""
        return int(self._arrays.s[TURN])

    def inputs(self) -> tuple[FloatArray, FloatArray]:
        """Returns what the learned evaluation sees, see `SearchArrays.inputs`."""
        return self._arrays.inputs(self._book, self._styles)

    def log_odds(self, team: int) -> float:
        """Returns the logarithm of the odds that a team wins from here, by the learned evaluation."""
        answers = self._arrays.answers
        self._arrays.ask(ask_for.LOG_ODDS_OF, self._book, self._styles, team, answers)
        return float(self._arrays.v[answers])

    def play_turn(self, seed: int) -> int | None:
        """Plays the turn of whoever has it, with dice thrown by a seed.

        Returns:
            The team that has won then, `botapp.fight.rules.DRAW` where nobody is left, None while it is on.
        """
        won = self._arrays.ask(ask_for.PLAY_TURN, self._book, self._styles, seed)
        if won != NOBODY:
            return won
        self._prepare()
        return None

    def _prepare(self) -> None:
        s = self._arrays.s
        actor = FIRST + int(s[ORDER + int(s[CURRENT])]) * FIGHTER
        self._arrays.ask(ask_for.PREPARE, self._book, self._styles, int(s[actor + TEAM]))

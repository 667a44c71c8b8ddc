"""The player's level before it is confirmed: what the screen writes, else a guess by the maximum HP.

Used for a class of the imported game; a character of the player's own has its level from the player.
"""

from dataclasses import dataclass
from typing import Literal

from botapp.content.game.sheets import usual_sheet
from vision.view import FightView, Phase

LevelFrom = Literal["screen", "hp", "none"]

HIGHEST = 200  # The game's last level
FOREIGN_MAXIMUM = 1.5
"""HP of so many times the maximum held tell that the latter was a summon's, or eroded far."""


@dataclass(frozen=True, slots=True)
class LevelGuess:
    """A level that the player has not confirmed."""

    level: int = HIGHEST  # 1 to 200; 200 where nothing tells
    source: LevelFrom = "none"  # The level written on the screen, the maximum HP, or nothing


NO_GUESS = LevelGuess()  # Where nothing shows the level


def level_by_hp(most: int) -> int:
    """Returns the highest level whose usual maximum HP are not above `most`, 1 where there is none."""
    return max((level for level in range(1, HIGHEST + 1) if usual_sheet(level)[0] <= most), default=1)


class LevelFollower:
    """Holds one guess through a fight.

    A level read off the screen overrides one guessed from the HP. The first maximum HP that two pictures in
    a row show are held until the next fight: erosion lowers them and spells raise them, while the level
    stays. A first reading counts at once, and is replaced by the next one if that differs.
    """

    def __init__(self) -> None:
        self._who = ""
        self._max_hp: int | None = None
        self._sure = False
        self._higher: int | None = None
        self._guess = NO_GUESS

    @property
    def guess(self) -> LevelGuess:
        return self._guess

    def follow(self, view: FightView, on_screen: int | None, who: str = "") -> LevelGuess:
        """Takes in a view; returns the guess by then.

        Args:
            view: what was read; a summon's turn tells nothing.
            on_screen: the level written on the screen, None where it was not read.
            who: the player's character, "" where it is not known; nothing is kept from one to another.
        """
        if who and who != self._who:
            known, self._who = self._who, who
            if known:
                self._forget()
        if view.phase.value in (Phase.FIGHT, Phase.PLACEMENT) and view.played == "own":
            self._take(None if "max_hp" in view.remembered else view.max_hp.value)
        if on_screen is not None:
            self._guess = LevelGuess(on_screen, "screen")
        elif self._max_hp is not None:
            self._guess = LevelGuess(level_by_hp(self._max_hp), "hp")
        return self._guess

    def next_fight(self) -> None:
        """Lets the next fight's HP tell anew; until they are read the guess stays."""
        self._sure, self._higher = False, None

    def change_window(self) -> None:
        """Forgets everything: another character may be played there."""
        self._who = ""
        self._forget()

    def _forget(self) -> None:
        self._max_hp, self._guess = None, NO_GUESS
        self.next_fight()

    def _take(self, most: int | None) -> None:
        if not most:
            return
        if not self._sure:
            self._sure = most == self._max_hp
            self._max_hp = most
        elif self._max_hp is not None and most >= FOREIGN_MAXIMUM * self._max_hp:
            if most == self._higher:
                self._max_hp = most
            self._higher = most
        else:
            self._higher = None

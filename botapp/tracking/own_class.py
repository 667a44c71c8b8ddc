"""Whose spells the player casts: those of a sheet, or of a class of the game or of the arena."""

from collections.abc import Iterable
from dataclasses import replace

from botapp.content.game.data import GameClass
from botapp.host.message import say
from botapp.tracking.levels import LevelFollower, LevelGuess
from botapp.tracking.names import Names
from botapp.tracking.picture_names import spells_on_bar
from botapp.tracking.player_profile import ARENA, PlayerProfile
from botapp.tracking.spellbook import (
    Spellbook,
    class_called,
    is_of_the_arena,
    of_the_game,
    preset,
    presets,
    read_sheet,
)
from vision.view import FightView


class OwnClass:
    """Follows which class one player plays.

    Attributes:
        game_class: the class's name in the title of the game's window, "" where it has none.
        book: the spells that the last state was made with; None where the class was not known.
        shown: key of the class that the arena shows, "" where it shows none.
        levels: the player's level by the screen, whether it is confirmed or not.
    """

    def __init__(self) -> None:
        self.game_class = self.shown = ""
        self.book: Spellbook | None = None
        self.levels = LevelFollower()
        self._sheet: Spellbook | None = None
        self._bar = self._bar_of_book = frozenset[int]()

    def next_fight(self) -> None:
        self.levels.next_fight()
        self.shown = ""

    def change_window(self) -> None:
        """Forgets whose level and spell bar were seen."""
        self.levels.change_window()
        self._bar = frozenset()

    def read_again(self) -> None:
        """Has the sheet read again, as the profile may have another."""
        self.book = self._sheet = None

    def follow(
        self, view: FightView, names: Names, profile: PlayerProfile, level: int | None, who: str
    ) -> Spellbook | None:
        """Returns the class that the arena shows, else the player's sheet or class, else that seen before.

        The arena's fighters are its own: a class chosen for the game does not play there. A class of the
        imported game is taken at the level that the screen tells, see `levels`.

        Args:
            level: the one written on the screen, None where it was not read.
            who: the player's character, "" where it is not known.

        Raises:
            ValueError: the sheet cannot be used, or no class is called so; the text is for a person.
        """
        known = presets()
        shown = view.player.kind.value if view.player is not None else None
        if profile.client == ARENA and shown in known:
            self.shown = shown or ""
        if profile.sheet is not None:
            sheet = self._sheet = self._sheet or read_sheet(profile.sheet)
            if self.shown in ("", sheet.key):
                self.book = sheet
                return sheet
        wanted = self.shown or profile.player_class or class_called(self.game_class)
        if not wanted and shown in known:
            wanted = shown or ""
        if wanted and wanted not in known:
            raise ValueError(
                say(
                    'No class is called "{name}". Choose one in the settings: {names}.',
                    name=wanted,
                    names=", ".join(known),
                )
            )
        game_class = of_the_game(wanted) if wanted else None
        guess = self.levels.follow(view, level, who)
        if game_class is not None:
            self.use(game_class, guess, spells_on_bar(view, names))
        elif wanted and (self.book is None or wanted != self.book.key):
            example = profile.client != ARENA and is_of_the_arena(wanted)
            self.book = replace(preset(wanted), example=example)
        return self.book

    def use(self, game_class: GameClass, guess: LevelGuess, on_bar: Iterable[int | None]) -> None:
        """Takes over the spellbook of a class of the game.

        A spell that was on the bar counts until another of its pair is there.
        """
        before, now = self.book, frozenset(number for number in on_bar if number is not None)
        of_class = frozenset(number for pair in game_class.pairs for number in pair)
        notes = frozenset(number for pair in game_class.pairs if now & set(pair) for number in pair)
        self._bar = (now | (self._bar - notes)) & of_class
        same = before is not None and (before.key, before.guess) == (game_class.key, guess)
        if same and self._bar == self._bar_of_book:
            return
        self.book, self._bar_of_book = preset(game_class.key, guess, self._bar), self._bar

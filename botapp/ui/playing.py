"""Who is played, by the class that the window's title names: the person's character of it, or a question.

Only a title that names another class than before has a say, so that what the person chooses by hand stays;
one is heard again once the game's data have come in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from PySide6.QtCore import QObject, Signal

from botapp.content.game.names import plain
from botapp.content.knowledge.base import KnowledgeBase, knowledge
from botapp.content.knowledge.entry import EntryKind
from botapp.content.templates import FighterTemplate
from botapp.host.settings import Settings
from botapp.runtime.messages import Snapshot
from botapp.tracking.levels import LevelFrom, LevelGuess
from botapp.ui.translation import language, mark, tr
from botapp.ui.window import MainWindow
from vision import profiles
from vision.window.titles import class_in

Verdict = Literal["switch", "ask", "usual"]
"""Play the person's character; ask, as there is none of this class; the class itself is played."""


_AT_FIRST = mark("The window's title says {game_class}: advice is for the usual {called} of your level.")
_USUAL: Mapping[LevelFrom, str] = {
    "screen": mark(
        "The window's title says {game_class}: advice is for the usual {called} of level {level}, which the "
        "screen shows."
    ),
    "hp": mark(
        "The window's title says {game_class}: advice is for the usual {called} of level {level}, guessed "
        "from your maximum HP."
    ),
    "none": mark(
        "The window's title says {game_class}: advice is for the usual {called} of level {level}, as the "
        "screen does not tell yours."
    ),
}


@dataclass(frozen=True, slots=True)
class TitleSays:
    """What a title says of who is played."""

    verdict: Verdict
    key: str
    game_class: str
    called: str
    playing: str = ""  # The name of the character played so far, "" for none


class PlayedByTitle(QObject):
    """Remembers which character of each class was played last, and says what a title changes.

    Signals:
        chosen: the key of the class to play.
        character_asked: the person wants to make a character of the class with this key.
    """

    chosen = Signal(str)
    character_asked = Signal(str)

    def __init__(self, window: Callable[[], MainWindow], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window = window
        self._heard: tuple[str, bool] = "", False
        self._shown: tuple[str, str] = "", ""
        self._playing = ""
        self._last: dict[int, str] = {}
        self._usual: TitleSays | None = None
        self._level: LevelGuess | None = None

    def offer(self, snapshot: Snapshot, settings: Settings) -> None:
        """Takes in the newest snapshot: goes by the class in its window's title, and says so."""
        if snapshot.window is None:
            return
        playing = settings.advisor.player_class
        self._tell_shown(snapshot.shown_class, playing)
        if playing != self._playing:
            self._playing = playing
            self._window().notice.settle("character")
        said = self.says(snapshot.window.title, settings.capture.target, playing)
        if said is None:
            self._tell_level(snapshot.level)
            return
        self._usual = said if said.verdict == "usual" else None
        seen = {"called": said.called, "game_class": said.game_class, "playing": said.playing}
        if said.verdict == "switch":
            self._playing = said.key
            self.chosen.emit(said.key)
            text = tr('The window\'s title says {game_class}: you play "{called}" now.', **seen)
            action = tr("Undo"), partial(self.chosen.emit, playing)
        elif said.verdict == "ask":
            text = tr('The window\'s title says {game_class}, but the advice is for "{playing}".', **seen)
            action = tr("Play {called}", **seen), partial(self.chosen.emit, said.key)
        else:
            self._say_usual(said, snapshot.level)
            return
        level = "warn" if said.verdict == "ask" else "info"
        self._window().notice.say(text, level, action=action, cause="character")

    def _tell_shown(self, shown: str, playing: str) -> None:
        if not shown or not playing or shown == playing or self._shown == (shown, playing):
            return
        self._shown = shown, playing
        base = knowledge()
        text = tr(
            'The practice arena plays its own {shown}: the advice is for that class. "{playing}" is for '
            "your game.",
            shown=_called(base.fighter(shown)),
            playing=_called(base.fighter(playing)) or playing,
        )
        self._window().notice.say(text, "info", cause="arena-class")

    def _tell_level(self, level: LevelGuess | None) -> None:
        """Says anew for which level the advice is, where that has changed and the notice is still there."""
        there = self._window().notice.cause == "character"
        if self._usual is not None and there and level is not None and level != self._level:
            self._say_usual(self._usual, level)

    def _say_usual(self, said: TitleSays, level: LevelGuess | None) -> None:
        self._level = level
        seen = {"game_class": said.game_class, "called": said.called}
        text = tr(_USUAL[level.source], level=level.level, **seen) if level else tr(_AT_FIRST, **seen)
        action = tr("Confirm your level"), partial(self.character_asked.emit, said.key)
        self._window().notice.say(text, "info", action=action, cause="character")

    def says(self, title: str, client: str, playing: str) -> TitleSays | None:
        """Takes in a window's title; returns what it changes, None for nothing.

        `playing` is the key of the class in the settings, "" for the one that is seen.
        """
        written = class_in(title, profiles.load(client).titles)
        base = knowledge()
        heard = written, base.game is not None
        if not written or heard == self._heard:
            return None
        self._heard = heard
        return self._says(written, playing, base)

    def _says(self, written: str, playing: str, base: KnowledgeBase) -> TitleSays | None:
        number, of_game, own = _of_class(written, base)
        now = base.fighter(playing) if playing else None
        played = _number(base, playing, now)
        if played:
            self._last[played] = playing
        if playing in own or (playing and playing == of_game):
            return None
        name = _called(now)
        if own and played and played != number:
            key = self._last.get(number, own[0])
            return TitleSays("switch", key, written, _called(base.fighter(key)), name)
        if own or not of_game:
            return None
        called = _called(base.fighter(of_game))
        if not playing:
            return TitleSays("usual", of_game, written, called)
        return TitleSays("ask", of_game, written, called, name) if played else None


def _of_class(written: str, base: KnowledgeBase) -> tuple[int, str, tuple[str, ...]]:
    """Returns a class's number and key in the imported game, 0 and "" where it is not in it, and own keys."""
    wanted = plain(written)
    game = base.game
    known_class = next(
        (
            game_class
            for game_class in (game.classes if game is not None else ())
            if wanted in map(plain, (game_class.key, game_class.names.name, game_class.names.name_fr))
        ),
        None,
    )
    number = known_class.names.number if known_class is not None else 0
    own = tuple(
        entry.key
        for entry in base.entries(EntryKind.CLASS)
        if entry.own
        and (
            wanted in map(plain, (entry.key, entry.name, entry.name_fr))
            or (number and _number(base, entry.key, entry.value) == number)
        )
    )
    return number, known_class.key if known_class is not None else "", own


def _number(base: KnowledgeBase, key: str, fighter: object) -> int:
    if base.game is None or not isinstance(fighter, FighterTemplate):
        return 0
    game_class = base.game.class_called(key)
    return game_class.names.number if game_class is not None else base.game.class_of(fighter)


def _called(fighter: FighterTemplate | None) -> str:
    if fighter is None:
        return ""
    return fighter.name_fr if language() == "fr" else fighter.name

"""Before the first advice: is this the board, is this your level, and what is not sure, with what it costs.

What the screen and the window's title tell is filled in; the player says yes. Class and level can be said
before a game is open, while the arena is watched.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QWidget,
)

from botapp.content.game.data import GameClass
from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import EntryKind, KnowledgeError
from botapp.content.templates import FighterTemplate
from botapp.host.message import error_text
from botapp.runtime.messages import FrameSeen
from botapp.tracking import first_fight
from botapp.tracking.first_fight import Confirmed, Doubt
from botapp.tracking.names import Names
from botapp.tracking.picture_names import spells_on_bar
from botapp.ui.game.board import BoardTab
from botapp.ui.game.character import profile_key
from botapp.ui.game.questions import DoubtsCard, Title, WhoCard
from botapp.ui.remedies import DATA
from botapp.ui.translation import language, mark, tr, tr_counted
from botapp.ui.widgets.boxes import Column, column_of, flow_of, row_of
from botapp.ui.widgets.canvas import FrameCanvas
from botapp.ui.widgets.labels import button, card_of, label, scrolled
from vision.frame import bgra
from vision.view import CellKind, FighterSeen, FightView, Phase, Seen

_BESIDE, _BESIDE_MOST = 300, 560
_PICTURE_LEAST = 64
"""The page is whole on a screen of 1280x720 at 200 % with a picture no lower than this, in logical pixels."""
_AROUND = 1.5  # How many cells' width of the picture are shown around the board
_NO_FIGHT = mark("Start a fight in your game: it is looked at by itself.")
_FROM = {
    "screen": mark("Read below your spell bar."),
    "hp": mark("Guessed from your maximum HP: correct it if it is wrong."),
    "none": mark("Not on the screen: enter yours."),
}


def around_board(pixels: npt.NDArray[np.uint8], view: FightView) -> tuple[npt.NDArray[np.uint8], FightView]:
    """Returns the part of a picture with the board, and what of the view is drawn on it, at its place there.

    The whole picture where the board's cells are not known.

    Args:
        pixels: BGR, uint8, shape (height, width, 3).
    """
    lattice, cells = view.lattice.value, np.flatnonzero(view.cells != CellKind.OUTSIDE)
    left = top = 0
    if lattice is not None and 0 < len(cells) < len(view.cells):
        centres = np.array([lattice.centre(int(cell)) for cell in cells])
        room = _AROUND * lattice.cell_w
        height, width = pixels.shape[:2]
        left, top = (max(0, int(least - room)) for least in centres.min(axis=0))
        right, bottom = (int(most + room) for most in centres.max(axis=0))
        pixels = pixels[top : min(height, bottom), left : min(width, right)]
        lattice = replace(lattice, origin_px=(lattice.origin_px[0] - left, lattice.origin_px[1] - top))

    def moved(fighter: FighterSeen) -> FighterSeen:
        return replace(fighter, px=(fighter.px[0] - left, fighter.px[1] - top))

    shown = FightView(
        client=view.client,
        lattice=Seen(lattice, 1.0),
        cells=view.cells,
        player=moved(view.player) if view.player is not None else None,
        allies=tuple(map(moved, view.allies)),
        enemies=tuple(map(moved, view.enemies)),
    )
    return pixels, shown


class _Beside(Column):
    """As high as its words want to be: the least height takes some pixels off long ones."""

    def heightForWidth(self, width: int) -> int:
        """Returns the height at which nothing is cut."""
        return self.box.heightForWidth(width)


class StartTab(QWidget):
    """Two questions and a list.

    Signals:
        chosen: the key of the character to play.
        learnt: something was said that the worker has to read anew.
        place_asked: the part of My game where a doubt can be put right.
        answered: the player has said yes to what was left of the questions.
    """

    chosen = Signal(str)
    learnt = Signal()
    place_asked = Signal(str)
    answered = Signal()

    def __init__(self, base: KnowledgeBase, board: BoardTab, playing: str, title: Title) -> None:
        """Shows nothing yet; `board` knows where the board lies and keeps what is confirmed."""
        super().__init__()
        self.base, self.board, self.playing = base, board, playing
        self._title = title
        self.seen, self.names = FrameSeen(None, None, ""), Names()
        self._waits = board.client == "arena"  # no game is open yet: the arena needs none of this
        self.canvas = FrameCanvas()
        self.canvas.setMinimumHeight(_PICTURE_LEAST)
        self.headline = label("", "accent", scale=1.15, wrap=True)
        self.bring = button(tr(DATA.words), lambda: self.place_asked.emit("character"), role="primary")
        self.yes_board = button(tr("Yes, this is the board"), self._confirm_board, role="primary")
        self.move_board = button(tr("Move it"), lambda: self.place_asked.emit("board"))
        self.who = WhoCard(base, title)
        self.who.edited.connect(self.refresh)
        self.who.agreed.connect(self._confirm_level)
        self.who.own_asked.connect(lambda: self.place_asked.emit("character"))
        self.unsure = DoubtsCard()
        self.unsure.place_asked.connect(self.place_asked)
        self._lay_out()
        self.canvas.show_message(tr(_NO_FIGHT))
        self.refresh()

    @property
    def confirmed(self) -> Confirmed:
        return Confirmed(self.board.is_confirmed, self._own_level() is not None)

    @property
    def in_fight(self) -> bool:
        """Whether the picture that is shown is of a fight in the game."""
        view = self.seen.view
        return not self._waits and view is not None and view.phase.value in (Phase.FIGHT, Phase.PLACEMENT)

    def show_frame(self, seen: FrameSeen, names: Names) -> None:
        """Shows a picture, `names` being what is known of its icons and portraits."""
        self.seen, self.names = seen, names
        view = seen.view or FightView()
        if not self.who.entered:
            level, source = self._own_level(), "kept"
            if level is None:
                level, source = seen.guess.level, seen.guess.source
            self.who.show_level(level, tr(_FROM[source]) if source in _FROM else "")
        if seen.pixels is None or not self.in_fight:
            why = "" if self._waits else tr(seen.reason)
            self.canvas.show_message(why or tr(_NO_FIGHT))
        else:
            pixels, shown = around_board(seen.pixels, replace(view, lattice=Seen(self.board.lattice, 1.0)))
            height, width = pixels.shape[:2]
            self.canvas.show_reading(bgra(pixels), shown, (width, height))
        self.refresh()

    @Slot()
    def refresh(self, playing: str | None = None) -> None:
        self.playing = self.playing if playing is None else playing
        if self.who.classes.count() == 0:
            self.who.list_classes(self.playing)
        game_class, done = self.who.game_class, self.confirmed
        self.yes_board.setEnabled(self.in_fight and self.board.lattice is not None and not done.board)
        self.yes_board.setText(tr("The board is confirmed") if done.board else tr("Yes, this is the board"))
        self.move_board.setEnabled(self.in_fight)
        settled = done.character and self._own_level() == self.who.level.value() and not self.who.entered
        self.who.show_known(self._spells_known(game_class), settled=settled)
        self.bring.setVisible(self.base.game is None)
        self.headline.setText(self._question(game_class, done))
        self.unsure.show_doubts(self._doubts(game_class, done), in_fight=self.in_fight)

    def _question(self, game_class: GameClass | None, done: Confirmed) -> str:
        if self.base.game is None:
            return tr("Bring the game's data first, under My character.")
        if self._waits and game_class is not None and done.character:
            return tr("You are ready: open your game and start a fight. Then the board is left to confirm.")
        if self._waits:
            return tr("Choose your class and level now; the board is asked for in your first fight.")
        if not self.in_fight and not done.board:
            return tr("Start a fight in your game. Then two questions are left.")
        left = [
            tr("Is this the board? The lines must follow the edges of the tiles."),
            tr("Is this your class and level?") if game_class is not None else tr("Choose your class."),
        ]
        asked = [text for text, said in zip(left, (done.board, done.character), strict=True) if not said]
        return "  ".join(asked) or tr("That is all: there is advice in each of your turns.")

    def _own_level(self) -> int | None:
        """Returns the level of the character that is played, None where it is none of the player's own."""
        game, game_class = self.base.game, self.who.game_class
        try:
            entry = self.base.get(EntryKind.CLASS, self.playing) if self.playing else None
        except KnowledgeError:
            return None
        if entry is None or not entry.own or not isinstance(entry.value, FighterTemplate):
            return None
        same = game is None or game_class is None or game.class_of(entry.value) == game_class.names.number
        return entry.value.level if same else None

    def _spells_known(self, game_class: GameClass | None) -> str:
        game, view = self.base.game, self.seen.view
        if game_class is None or game is None:
            return ""
        bar = spells_on_bar(view, self.names) if view is not None else []
        count = len(game.spells_with(game_class, self.who.level.value(), bar))
        if not bar:
            return tr_counted(
                count, "{count} spell at this level.", "{count} spells at this level.", count=count
            )
        known = len(bar) - bar.count(None)
        return tr_counted(
            count,
            "{count} spell at this level; {known} of {all} icons on the bar recognised.",
            "{count} spells at this level; {known} of {all} icons on the bar recognised.",
            count=count,
            known=known,
            all=len(bar),
        )

    @Slot()
    def _confirm_board(self) -> None:
        before = self.confirmed
        self.board.confirm()
        self.refresh()
        self._tell_answered(before)

    @Slot()
    def _confirm_level(self) -> None:
        game, game_class = self.base.game, self.who.game_class
        if game is None or game_class is None:
            return
        before = self.confirmed
        name = self._title.character or game_class.names.called(language())
        view = self.seen.view or FightView()
        table = first_fight.character_table(game, game_class, name, self.who.level.value(), view, self.names)
        key = profile_key(self.base, name)
        try:
            self.base.save(self.base.draft(EntryKind.CLASS, key, table))
        except (KnowledgeError, OSError) as error:
            self.who.trouble.setText(tr(error_text(error)))
            return
        self.who.confirm()
        self.playing = key
        self.chosen.emit(key)
        self.learnt.emit()
        self.refresh()
        self._tell_answered(before)

    def _tell_answered(self, before: Confirmed) -> None:
        if before != self.confirmed == Confirmed(board=True, character=True):
            self.answered.emit()

    def _doubts(self, game_class: GameClass | None, done: Confirmed) -> list[Doubt]:
        game, view, words = self.base.game, self.seen.view, self.seen.words
        if game is None or view is None:
            return []
        log: dict[str, bool | str] = {"found": words.log, "problem": words.problem}
        level = self.who.level.value()
        return first_fight.doubts(
            view, self.names, game, game_class, level, done, log, language(), self.seen.guess
        )

    def _lay_out(self) -> None:
        board = card_of((self.canvas, 1), flow_of(self.yes_board, self.move_board), spacing=8)
        right = _Beside(spacing=10)
        right.box.setContentsMargins(0, 0, 0, 0)
        right.box.addWidget(self.who)
        right.box.addWidget(self.unsure)
        right.box.addStretch()
        beside = scrolled(right)
        beside.setMinimumWidth(_BESIDE)
        beside.setMaximumWidth(_BESIDE_MOST)
        columns = row_of((board, 3), (beside, 2), spacing=12)
        top = row_of((self.headline, 1), self.bring)
        column_of(top, (columns, 1), into=self, margins=(12, 12, 12, 8), spacing=10)

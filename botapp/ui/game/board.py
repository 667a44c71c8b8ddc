"""The calibration of the board: the lattice that was found, put right by the person once for each layout."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from botapp.host.message import unwritten
from botapp.runtime.messages import FrameSeen
from botapp.tracking import boards
from botapp.ui.game.lattice import LatticeEditor
from botapp.ui.translation import tr
from botapp.ui.widgets.boxes import column_of, flow_of
from botapp.ui.widgets.labels import Note, button, label
from botapp.ui.widgets.undo import UndoLine
from vision.calibration import BoardCalibration, BoardCalibrations
from vision.frame import Rect
from vision.view import Lattice


class BoardTab(QWidget):
    """Signals: `learnt` when a layout was accepted or forgotten."""

    learnt = Signal()

    def __init__(self, client: str) -> None:
        super().__init__()
        self.client = client
        self._seen = FrameSeen(None, None, "")
        self.editor = LatticeEditor()
        self.editor.moved.connect(self._moved)
        self.state = label("", "muted", wrap=True)
        self.undo = UndoLine()
        self.trouble = Note("bad")
        self.accept = button(tr("Confirm this position"), self.confirm, role="primary")
        self.back = button(tr("Back to what was detected"), self._back)
        self.forget = button(tr("Forget this position"), self._forget)
        line = column_of(self.state, flow_of(self.forget, self.back, self.accept, right=True), spacing=6)
        text = tr(
            "The lines must follow the edges of the tiles, and the yellow frame must surround the whole "
            "board. Drag, or use the arrow keys (one cell), Shift and arrows (one pixel), + and - (size)."
        )
        parts = label(text, "muted", wrap=True), (self.editor, 1), self.undo, self.trouble, line
        column_of(*parts, into=self, margins=(12, 12, 12, 8), spacing=10)
        self.show_frame(self._seen)

    def show_frame(self, seen: FrameSeen) -> None:
        """Shows a picture, with the lattice that was accepted for its layout or else the one found on it."""
        self._seen = seen
        nothing = tr(seen.reason) or tr("No picture yet: open the game, then press Refresh.")
        self.editor.show_picture(seen.pixels, self.lattice, nothing)
        self._tell()

    @property
    def area(self) -> Rect | None:
        """The game's client area in the picture, None where it was not found."""
        return self._seen.view.client if self._seen.view is not None else None

    @property
    def is_confirmed(self) -> bool:
        return self._kept() is not None

    @property
    def lattice(self) -> Lattice | None:
        """Where the board lies: as confirmed, else as found; None where it was not found."""
        stored = self._kept()
        if stored is not None and self.area is not None:
            return stored.placed(self.area)
        return self._seen.view.lattice.value if self._seen.view is not None else None

    def _kept(self) -> BoardCalibration | None:
        return self._load().find(self.client, self.area) if self.area is not None else None

    def _load(self) -> BoardCalibrations:
        recalled = boards.load()
        if recalled.messages:
            self._fail(recalled.messages)
        return recalled.value

    @Slot()
    def _moved(self) -> None:
        self.state.setText(tr("Moved, not confirmed yet."))

    @Slot()
    def confirm(self) -> None:
        if self.area is not None and self.editor.lattice is not None:
            accepted = BoardCalibration.accepted(self.client, self.area, self.editor.lattice)
            self._save(self._load().remember(accepted))

    @Slot()
    def _back(self) -> None:
        lattice = self._seen.view.lattice.value if self._seen.view is not None else None
        self.editor.show_picture(self._seen.pixels, lattice, "")
        self._moved()

    @Slot()
    def _forget(self) -> None:
        stored, stored_all = self._kept(), self._load()
        if stored is not None:
            rest = tuple(layout for layout in stored_all.layouts if layout is not stored and layout != stored)
            self._put(replace(stored_all, layouts=rest))
            self.undo.offer(tr("The position was forgotten."), partial(self._put, stored_all))

    def _put(self, calibrations: BoardCalibrations) -> None:
        self._save(calibrations)
        self.show_frame(self._seen)

    def _save(self, calibrations: BoardCalibrations) -> None:
        try:
            boards.save(calibrations)
        except OSError as error:
            self._fail([tr("This could not be saved: {error}.", error=unwritten(error))])
            return
        self.trouble.setText("")
        self.learnt.emit()
        self._tell()

    def _tell(self) -> None:
        stored = self._kept()
        ready = self.area is not None and self._seen.pixels is not None
        self.accept.setEnabled(ready and self.editor.lattice is not None and self.client != "arena")
        self.back.setEnabled(ready)
        self.forget.setEnabled(stored is not None)
        if self.client == "arena":
            text = tr("The practice arena's board is always where it should be.")
        elif stored is not None:
            text = tr(
                "You confirmed this position ({width}×{height}).", width=stored.size[0], height=stored.size[1]
            )
        elif ready and self.editor.lattice is None:
            text = tr("The board was not found in this picture: press Refresh during a fight.")
        elif ready:
            text = tr("This position has not been confirmed yet: cells may be off by one.")
        else:
            text = ""
        self.state.setText(text)

    def _fail(self, texts: Iterable[str]) -> None:
        self.trouble.setText("\n".join(map(tr, texts)))

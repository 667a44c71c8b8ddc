"""The Vision panel: the frame that was read, with the reading drawn on it, so that a wrong one shows."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PySide6.QtWidgets import QToolButton

from botapp.runtime.messages import Snapshot
from botapp.ui import words
from botapp.ui.panels.base import Panel, panel
from botapp.ui.samples import History
from botapp.ui.translation import mark, tr, tr_counted
from botapp.ui.widgets.boxes import row_of
from botapp.ui.widgets.canvas import FrameCanvas
from botapp.ui.widgets.labels import label
from vision.view import FightView, Phase

Picture = tuple[int, npt.NDArray[np.uint8]]
_PHASES = {
    Phase.FIGHT: mark("fight"),
    Phase.PLACEMENT: mark("placement"),
    Phase.NOT_FIGHT: mark("no fight"),
    Phase.UNKNOWN: mark("unknown"),
}
_TURNS = {"mine": mark("your turn"), "other": mark("the other's turn")}


@panel
class VisionPanel(Panel):
    """The picture, marks that can be switched, and a line on what was read.

    Attributes:
        picture: returns the newest picture that was captured, and asks for the next ones; it is told whether
            the scores of cells are wanted too.
    """

    key = "vision"
    title = mark("Vision")
    order = 30
    place = "upper"
    sentences = (
        (
            mark("Cells"),
            mark("How sure the reading of the board's cells is, over all cells."),
        ),
        (
            mark("Scores"),
            mark(
                "How likely the network takes a fighter's ring to be under each cell, in percent. The "
                "outline tells whether a fighter is shown there, or withheld: its ring is seen, but whose it "
                "is or how many there are is not sure."
            ),
        ),
        (
            mark("Milliseconds in the picture's line"),
            mark("How long it took to read the picture."),
        ),
    )
    interval_ms = 200
    resting_ms = 500

    def __init__(self, history: History, picture: Callable[[bool], Picture | None] = lambda _: None) -> None:
        super().__init__(history)
        self.picture = picture
        self.canvas = FrameCanvas()
        self.canvas.show_message(tr("The engine is starting."))
        self.summary = label(tr("Nothing was captured yet."), "muted", wrap=True)
        self.box.setContentsMargins(8, 8, 8, 8)
        self.box.setSpacing(6)
        bar = row_of(None, spacing=4)
        for key, text in (
            ("cells", tr("Cells")),
            ("highlights", tr("Highlights")),
            ("fighters", tr("Fighters")),
            ("scores", tr("Scores")),
        ):
            button = QToolButton()
            button.setObjectName("flat")
            button.setText(text)
            button.setCheckable(True)
            button.setChecked(key in self.canvas.shown)
            if key == "scores":
                button.setToolTip(
                    tr(
                        "How likely the network takes a fighter's ring to be under each cell, and whether "
                        "one is shown there."
                    )
                )
            button.setProperty("layer", key)
            button.toggled.connect(self._switch)
            bar.addWidget(button)
        self.box.addWidget(self.canvas, 1)
        self.box.addWidget(self.summary)
        self.box.addLayout(bar)

    def render_snapshot(self, snapshot: Snapshot) -> None:
        view = snapshot.view
        if view is None:
            reason = words.explain(snapshot.capture, snapshot.advice, words.reason(snapshot.reason))
            self.canvas.show_message(reason)
            self.summary.setText(tr(words.CAPTURE[snapshot.capture][0]))
            return
        asked = self.picture("scores" in self.canvas.shown)  # asks for the next ones too
        preview = asked if snapshot.preview_seq >= 0 else None
        size = (snapshot.window.rect.width, snapshot.window.rect.height) if snapshot.window else None
        self.canvas.show_reading(preview[1] if preview else None, view, size)
        self.summary.setText(_summary(view))

    def _switch(self, shown: bool) -> None:
        button = self.sender()
        if isinstance(button, QToolButton):
            self.canvas.show_layer(str(button.property("layer")), shown)


def _summary(view: FightView) -> str:
    phase = view.phase.value or Phase.UNKNOWN
    parts = [tr(_PHASES[phase])]
    if view.turn.value is not None:
        parts.append(tr(_TURNS[view.turn.value]))
    if view.lattice.value is not None:
        parts.append(tr("cells {share}", share=words.percent(view.cell_confidence)))
        count = len(view.allies) + len(view.enemies) + (view.player is not None)
        parts.append(tr_counted(count, "{number} fighter", "{number} fighters", number=count))
    parts.append(words.milliseconds(view.elapsed_ms))
    if view.reason:
        parts.append(words.reason(view.reason))
    return "  ·  ".join(parts)

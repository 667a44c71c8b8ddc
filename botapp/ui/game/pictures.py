"""A list of small pictures from the screen, each with a choice of what it shows: portraits, or spell icons.

A choice is kept at once (`botapp.tracking.names`).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage, QPixmap, QResizeEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QWidget,
)

from botapp.tracking.names import Kind, Names
from botapp.tracking.spellbook import without_grade
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.boxes import column_of
from botapp.ui.widgets.labels import Empty, card_of, label
from vision.frame import Rect
from vision.signature import SAME, likeness

UNCLEAR = mark(
    "Pictures are in view, but none is clear enough to be known again. Enlarge the game's window, then press "
    "Refresh the picture."
)
Pixels = npt.NDArray[np.uint8]
SIZE = 52
_ROW_LEAST = 480  # What a picture with its choice takes at least, in logical pixels


@dataclass(frozen=True, slots=True)
class PictureItem:
    """One picture: its signature, where it is in the frame, and a word on where it stands."""

    signature: str
    box: Rect
    where: str


class Pictures(QWidget):
    """Signals: `named` carries a signature and the key chosen for it, "" for none."""

    named = Signal(str, str)

    def __init__(self, kind: Kind, intro: str, nothing: str) -> None:
        super().__init__()
        self.kind = kind
        self.choices: dict[str, QComboBox] = {}
        self.grades: dict[str, QComboBox] = {}
        self._nothing = nothing
        self._rows: list[QWidget] = []
        self._options = QStandardItemModel(self)
        self._grades: Callable[[str], list[tuple[str, str]]] = lambda _: []
        self.empty = Empty("layers" if kind == "icons" else "target")
        self.note = self.empty.text
        inner = QWidget()
        self._columns = 0
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        column_of(self._grid, None, into=inner, margins=(0, 0, 8, 0))
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidget(inner)
        self.intro = label(intro, "muted", wrap=True)
        parts = self.intro, (self.empty, 1), (self._scroll, 1)
        column_of(*parts, into=self, margins=(12, 12, 6, 8), spacing=10)
        self.show_pictures(None, (), Names(), ())

    def show_pictures(
        self,
        pixels: Pixels | None,
        shown: Iterable[PictureItem],
        names: Names,
        options: Iterable[tuple[str, str]],
        grades: Callable[[str], list[tuple[str, str]]] = lambda _: [],
        nothing: str = "",
    ) -> None:
        """Shows the pictures of a frame.

        Args:
            pixels: the frame, BGR, shape (height, width, 3); None for none.
            shown: what to name; pictures that are alike are shown once.
            names: what is known.
            options: what a picture may be called: key and words.
            grades: what a key may be told more exactly: keys and words, the first being the least exact;
                nothing for most.
            nothing: what is said where there is nothing to name, in place of the tab's own words.
        """
        given = list(options)
        graded = {without_grade(key): key for key, _ in given} if self.kind == "icons" else {}
        self._options = self._listed(given)
        self._grades = grades
        self.choices.clear()
        self.grades.clear()
        for row in self._rows:
            self._grid.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows.clear()
        items = list(shown)
        for picture in _distinct(items) if pixels is not None else ():
            match = names.find(self.kind, picture.signature)
            assert pixels is not None
            key = match[0] if match else ""
            row = self._row(pixels, picture, graded.get(key, key))
            self._rows.append(row)
        self._place(anew=True)
        self.intro.setVisible(not nothing)
        known = tr(nothing or self._nothing)
        if pixels is not None and items and not self.choices:
            known = tr(UNCLEAR)
        self.note.setText(known)
        self.empty.setVisible(not self.choices)
        self._scroll.setVisible(bool(self.choices))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self, *, anew: bool = False) -> None:
        columns = max(1, self.width() // _ROW_LEAST) if self.kind == "icons" else 1
        if columns == self._columns and not anew:
            return
        self._columns = columns
        for index, row in enumerate(self._rows):
            self._grid.addWidget(row, index // columns, index % columns)

    def _row(self, pixels: Pixels, picture: PictureItem, key: str) -> QWidget:
        line = QGridLayout()
        line.setHorizontalSpacing(14)
        line.setColumnStretch(1, 1)
        face = QLabel()
        face.setFixedSize(QSize(SIZE, SIZE))
        face.setPixmap(_cut(pixels, picture.box))
        face.setAlignment(Qt.AlignmentFlag.AlignCenter)
        line.addWidget(face, 0, 0)
        line.addWidget(label(picture.where), 0, 1)
        grades = self._grades(key)
        if grades:
            line.addWidget(self._grade(picture.signature, key, grades), 0, 2)
        line.addWidget(self._choice(picture.signature, grades[0][0] if grades else key), 0, 3)
        return card_of(line)

    def _listed(self, options: Iterable[tuple[str, str]]) -> QStandardItemModel:
        """Returns the options as one list for all pictures: a game has thousands of monsters."""
        model = QStandardItemModel(self)
        model.appendRow(_option("", tr("Not named yet")))
        for key, words in options:
            model.appendRow(_option(key, words))
        return model

    def _grade(self, signature: str, key: str, grades: list[tuple[str, str]]) -> QComboBox:
        combo = QComboBox()
        for value, words in grades:
            combo.addItem(words, value)
        combo.setCurrentIndex(max(0, combo.findData(key)))
        combo.setAccessibleName(tr("Its level"))
        combo.activated.connect(lambda index: self.named.emit(signature, combo.itemData(index)))
        self.grades[signature] = combo
        return combo

    def _choice(self, signature: str, key: str) -> QComboBox:
        combo = QComboBox()
        combo.setMinimumWidth(280)
        combo.setEditable(True)
        combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        combo.setModel(self._options)
        if combo.findData(key) < 0:
            self._options.appendRow(_option(key, tr("{key} (no longer known)", key=key)))
        combo.setCurrentIndex(combo.findData(key))
        completer = combo.completer()
        assert completer is not None
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        combo.setAccessibleName(tr("What this picture shows"))
        combo.activated.connect(lambda index: self.named.emit(signature, combo.itemData(index)))
        self.choices[signature] = combo
        return combo


def _option(key: str, words: str) -> QStandardItem:
    item = QStandardItem(words)
    item.setData(key, Qt.ItemDataRole.UserRole)
    return item


def _distinct(shown: Iterable[PictureItem]) -> list[PictureItem]:
    distinct: list[PictureItem] = []
    for picture in shown:
        if picture.signature and all(likeness(picture.signature, k.signature) < SAME for k in distinct):
            distinct.append(picture)
    return distinct


def _cut(pixels: Pixels, box: Rect) -> QPixmap:
    height, width = pixels.shape[:2]
    left, top = max(0, box.x), max(0, box.y)
    part = np.ascontiguousarray(pixels[top : min(height, box.bottom), left : min(width, box.right)])
    if not part.size:
        return QPixmap()
    image = QImage(part.data, part.shape[1], part.shape[0], part.strides[0], QImage.Format.Format_BGR888)
    return QPixmap.fromImage(image).scaled(
        SIZE, SIZE, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )

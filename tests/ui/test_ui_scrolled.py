"""What scrolls finds a size in the end, whatever its content does with more or less width."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from botapp.ui.widgets.boxes import Column, settle
from botapp.ui.widgets.labels import Headline, label, scrolled


class Swing(QWidget):
    """Higher where it is wide than where it is narrow, as a line in a larger size is."""

    def __init__(self, from_width: int) -> None:
        super().__init__()
        self.from_width, self.resized = from_width, 0

    def minimumSizeHint(self) -> QSize:
        return QSize(100, 400 if self.width() >= self.from_width else 50)

    def resizeEvent(self, event) -> None:
        self.resized += 1
        self.updateGeometry()


def test_content_that_is_low_only_beside_the_bar_is_not_resized_for_ever(qtbot):
    inner = Swing(300)
    area = scrolled(inner)
    qtbot.addWidget(area)
    area.show()
    for width in range(290, 330):
        area.resize(width, 200)
        inner.resized = 0
        settle()
        assert inner.resized < 50


@pytest.mark.slow
@pytest.mark.parametrize(("across", "down"), [(13, 11), pytest.param(9, 5, marks=pytest.mark.long)])
@pytest.mark.parametrize("text", ["Cast Plant Sapling 1 cell up right", "End the turn"])
def test_a_headline_in_a_low_column_takes_a_size_and_keeps_it(qtbot, text, across, down):
    """Where it fits in a large size without the bar, and beside the bar in a small one."""
    column, headline = Column(), Headline()
    column.box.addWidget(headline)
    column.box.addWidget(label("The search looked at 240 turns and at what the enemies would do.", wrap=True))
    area = scrolled(column)
    qtbot.addWidget(area)
    area.show()
    for width in range(200, 460, across):
        for height in range(50, 220, down):
            area.resize(width, height)
            headline.setText("")
            headline.setText(text)
            settle()
            size = headline.font().pointSizeF()
            settle()
            assert headline.font().pointSizeF() == size

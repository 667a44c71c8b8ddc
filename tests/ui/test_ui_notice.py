"""The line above the panels shows all of its words, however narrow the window is."""

import pytest
from PySide6.QtWidgets import QLabel, QMainWindow

from botapp.ui.widgets.notice import Notice

LONG = "The window's title says Locksmith: advice is for the usual Locksmith of level 23, by your HP."


@pytest.mark.parametrize("width", [380, 420, 520, 1400])
def test_all_words_have_room(qtbot, width):
    window = QMainWindow()
    qtbot.addWidget(window)
    notice = Notice(window)
    window.addToolBar(notice)
    window.setCentralWidget(QLabel("the panels"))
    window.resize(1000, 400)
    window.show()
    notice.say(LONG, action=("Confirm your level", print))
    window.resize(width, 400)
    text = notice.text
    qtbot.waitUntil(lambda: text.height() >= text.heightForWidth(text.width()))
    notice.say("Short.")
    qtbot.waitUntil(lambda: notice.height() <= 60)

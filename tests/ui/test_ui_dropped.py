"""What is dropped on the windows or pasted into their fields is taken as text or not at all."""

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QWidget
from ui_factories import feed, snapshot


def _mime(kind):
    data = QMimeData()
    if kind == "files":
        names = ("/dev/zero", "/", "/no/such\nfile.png", "/tmp/" + "x" * 4000, "/tmp/\x1b[2J%s{0}.zip")
        data.setUrls([QUrl.fromLocalFile(name) for name in names] + [QUrl("http://localhost:9/a.png")])
    elif kind == "picture":
        data.setImageData(QImage(4000, 3000, QImage.Format.Format_RGB32))
    elif kind == "bytes":
        data.setData("text/plain", bytes(range(256)) * 40)
        data.setData("text/html", b"<img src='file:///dev/zero'>" * 100)
    elif kind == "numbers":
        data.setText("-1e999 nan \u0663\u0664 1,5")
    else:
        data.setText("\ud800\0\n" + "x" * 1_000_000)
    return data


KINDS = ("files", "picture", "bytes", "numbers", "text")


def _drop(widget, data):
    at, copy = QPointF(5, 5), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(widget, QDragEnterEvent(at.toPoint(), copy, data, left, none))
    QApplication.sendEvent(widget, QDropEvent(at, copy, data, left, none))


@pytest.mark.long
def test_whatever_is_dropped_or_pasted_breaks_nothing(start, qtbot):
    app, (worker,) = start()
    feed(qtbot, app, worker, snapshot(1))
    app.pages.open_settings()
    app.pages.open_game()
    app.pages.open_review()
    tried = 0
    for kind in KINDS:
        for widget in [one for top in QApplication.topLevelWidgets() for one in top.findChildren(QWidget)]:
            if widget.acceptDrops() and widget.isEnabled():
                _drop(widget, _mime(kind))
                tried += 1
            if isinstance(widget, QLineEdit) and widget.isEnabled() and not widget.isReadOnly():
                QGuiApplication.clipboard().setMimeData(_mime(kind))
                widget.paste()
                assert len(widget.text()) <= 32767
                tried += 1
            if isinstance(widget, QAbstractSpinBox):
                widget.interpretText()
    QGuiApplication.clipboard().clear()
    assert tried > 40, "few fields are left to drop on: this test tries nothing"
    feed(qtbot, app, worker, snapshot(2))
    assert app.window.isVisible()
    assert not app.window.notice.isVisible(), app.window.notice.text.text()

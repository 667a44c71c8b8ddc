"""A window that shows a picture: `python gamewindow.py TITLE PICTURE X Y`. It ends with stdin."""

import sys

from PySide6.QtCore import QSocketNotifier, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QLabel


def main() -> None:
    title, file, x, y = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    app = QApplication(sys.argv[:1])
    window = QLabel()
    window.setWindowTitle(title)
    window.setWindowFlag(Qt.WindowType.FramelessWindowHint)
    picture = QPixmap(file)
    picture.setDevicePixelRatio(window.devicePixelRatio())
    window.setPixmap(picture)
    window.setFixedSize(window.sizeHint())
    window.move(x, y)
    window.show()
    told = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    told.activated.connect(app.quit)
    print("shown", flush=True)
    app.exec()


if __name__ == "__main__":
    main()

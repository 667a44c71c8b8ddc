"""Takes a picture of the page My game for the README: `python -m botapp.ui.game OUT.png`.

The game on it is a screen of our own drawing (`vision.synthetic`), read as a real one would be.
"""

import argparse
import os
import sys

_SIZE = (1120, 780)


def main(arguments: list[str] | None = None) -> int:
    """Writes the picture; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m botapp.ui.game", description=__doc__)
    parser.add_argument("out", help="where the picture goes")
    parser.add_argument("--client", default="dofus-unity", choices=("dofus-unity", "dofus-2"))
    parser.add_argument("--tab", default="board", choices=("board", "reading"))
    parser.add_argument("--seed", type=int, default=4)
    asked = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication  # noqa: PLC0415 (the platform is chosen first)

    from botapp.content.knowledge.base import knowledge  # noqa: PLC0415
    from botapp.host.settings import Settings  # noqa: PLC0415
    from botapp.runtime.messages import FrameSeen  # noqa: PLC0415
    from botapp.ui import theme  # noqa: PLC0415
    from botapp.ui.game.page import GamePage  # noqa: PLC0415
    from vision import profiles  # noqa: PLC0415
    from vision.extract import Reader  # noqa: PLC0415
    from vision.frame import Frame, bgra  # noqa: PLC0415
    from vision.synthetic import screen  # noqa: PLC0415

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    theme.apply(application, "dark")
    pixels, _ = screen.draw(asked.seed, asked.client)
    view = Reader(profiles.load(asked.client)).read(Frame.still(bgra(pixels)))
    page = GamePage(Settings().changed("capture.target", asked.client), knowledge())
    page.show_frame(FrameSeen(pixels, view))
    page.tabs.setCurrentWidget(getattr(page, asked.tab))
    page.resize(*_SIZE)
    page.show()
    application.processEvents()
    saved = page.grab().save(asked.out)
    page.close()
    return 0 if saved else 1


if __name__ == "__main__":
    sys.exit(main())

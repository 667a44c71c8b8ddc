"""The practice arena's own window, the only part of the arena that needs Qt.

`main` opens it and returns when it is closed.
"""

import signal
import sys

from PySide6.QtWidgets import QApplication

from botapp.arena.options import ArenaOptions
from botapp.arena.window.journal import Journal
from botapp.arena.window.link import Link
from botapp.arena.window.widget import TITLE, ArenaWidget
from botapp.host import display_libraries
from botapp.host.children import end_with_parent

__all__ = ["TITLE", "ArenaWidget", "main"]


def main(options: ArenaOptions) -> int:
    """Opens the arena's window and plays until it is closed; returns the exit code.

    An option that cannot be met (no such class, a log that cannot be written) is reported on standard error.
    """
    display_libraries.check()
    app = QApplication.instance() or QApplication(["botapp-arena"])
    assert isinstance(app, QApplication)
    problem = display_libraries.too_few_colours(app.primaryScreen().depth())
    if problem:
        print(f"arena: {problem}", file=sys.stderr)
        return 2
    app.setApplicationName("botapp-arena")
    app.setQuitOnLastWindowClosed(True)
    journal = None
    try:
        if options.log is not None:
            journal = Journal(options.log)
        window = ArenaWidget(options, journal)
    except OSError as error:
        print(f"arena: the log {options.log} cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    except (KeyError, ValueError) as error:
        print(f"arena: {error.args[0]}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if options.link:
        end_with_parent()
        link = Link(window.bout, sys.stdin, sys.stdout, window)
        link.obeyed.connect(window.refresh)
        link.ended.connect(window.close)
        link.start()
    window.show()
    code = app.exec()
    if journal is not None:
        journal.close()
    return code

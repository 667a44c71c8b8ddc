"""Reads in a thread, right after the start, what the pages need when they are first opened.

Each of these would hold up the window for 60 to 150 ms at the click that opens a page.
"""

import logging
from importlib import import_module
from threading import Thread

from botapp.content.knowledge.base import knowledge
from botapp.host.licences import dependencies
from botapp.host.settings import Settings
from vision import profiles

_log = logging.getLogger(__name__)


def read_ahead(settings: Settings) -> Thread:
    """Reads the knowledge base, the watched client's profile, the licences and what draws plots."""
    thread = Thread(target=_read, args=(settings.capture.target,), name="read-ahead", daemon=True)
    thread.start()
    return thread


def _read(target: str) -> None:
    plots = "botapp.ui.widgets.plot_area"
    for read in (knowledge, lambda: profiles.load(target), dependencies, lambda: import_module(plots)):
        try:
            read()
        except Exception:  # the page that needs it says so
            _log.debug("reading ahead failed", exc_info=True)

"""Back to the defaults: every setting and the panels' places, with copies of both, undone in one click."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from botapp.host.files import set_aside
from botapp.host.message import error_text
from botapp.host.settings import Settings
from botapp.host.settings_file import settings_path
from botapp.ui.layout import DockLayout, Keeper
from botapp.ui.pages import Pages
from botapp.ui.translation import tr
from botapp.ui.window import MainWindow


class Resetting:
    """What *Reset to defaults* does.

    Args:
        put: takes over settings with a layout of the panels, None for the one at first.
        held: settings that this run goes by whatever the file says; they stay.
    """

    def __init__(
        self,
        window: Callable[[], MainWindow],
        settings: Callable[[], Settings],
        keeper: Keeper,
        pages: Pages,
        put: Callable[[Settings, DockLayout | None], object],
        fixed: tuple[str, ...],
    ) -> None:
        self._window, self._settings, self._keeper = window, settings, keeper
        self._pages, self._put, self._fixed = pages, put, fixed

    def reset(self) -> None:
        """Resets all that differs; where nothing does, says so."""
        before, layout = self._settings(), self._window().packed()
        after = Settings()
        for key in self._fixed:
            after = after.changed(key, before.value(key))
        if after == before and not layout.own:
            self._pages.offer_undo(lambda: tr("Everything is at its defaults already."), None)
            return
        try:
            copies = self._copies(layout)
        except OSError as error:
            problem = error_text(error)
            self._pages.say_trouble(
                tr("The settings before could not be copied: {problem}.", problem=problem)
            )
            return
        self._put(after, None)
        self._pages.offer_undo(partial(_done_text, copies), partial(self._put, before, layout))

    def _copies(self, layout: DockLayout) -> list[Path]:
        """Copies the file of the settings and that of the panels; returns the copies.

        Raises:
            OSError: one cannot be copied.
        """
        self._keeper.save(layout)
        files = (settings_path(), self._keeper.layout_file)
        return [set_aside(file, move=False) for file in files if file.exists()]


def _done_text(copies: list[Path]) -> str:
    text = tr("All settings and the panels are back to their defaults.")
    if copies:
        files = ", ".join(copy.name for copy in copies)
        text += " " + tr("What was before is kept in {files}.", files=files)
    return text

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


def reset(
    window: MainWindow,
    before: Settings,
    keeper: Keeper,
    pages: Pages,
    put: Callable[[Settings, DockLayout | None], object],
    overridden: tuple[str, ...],
) -> None:
    """Resets all that differs; where nothing does, says so.

    Args:
        put: takes over settings with a layout of the panels, None for the one at first.
        overridden: settings that this run goes by whatever the file says; they stay.
    """
    layout, after = window.packed(), Settings()
    for key in overridden:
        after = after.changed(key, before.value(key))
    if after == before and not layout.own:
        pages.offer_undo(lambda: tr("Everything is at its defaults already."), None)
        return
    try:
        keeper.save(layout)
        files = [file for file in (settings_path(), keeper.layout_file) if file.exists()]
        copies = [set_aside(file, move=False) for file in files]
    except OSError as error:
        problem = error_text(error)
        pages.say_trouble(tr("The settings before could not be copied: {problem}.", problem=problem))
        return
    put(after, None)
    pages.offer_undo(partial(_done_text, copies), partial(put, before, layout))


def _done_text(copies: list[Path]) -> str:
    text = tr("All settings and the panels are back to their defaults.")
    if copies:
        files = ", ".join(copy.name for copy in copies)
        text += " " + tr("What was before is kept in {files}.", files=files)
    return text

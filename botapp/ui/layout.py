"""What the app keeps between runs beside the settings: the docks' layout, and a marker of an unclean exit.

The marker is written at the start and removed at an orderly end; found at the start, it means that the last
run was cut short, and the layout is left out once. Next hop: `botapp.ui.window` restores the layout.
"""

import base64
import json
import os
from dataclasses import dataclass
from pathlib import Path

import psutil

LAYOUT_FILE = "layout.json"
MARKER_FILE = "running"


@dataclass(frozen=True, slots=True)
class DockLayout:
    """The main window's geometry and docks, as Qt packs them."""

    geometry: bytes
    docks: bytes


class Keeper:
    """Reads and writes both files in one folder; a folder that cannot be written keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def begin(self) -> bool:
        """Sets the marker; tells whether the last run ended without removing its own.

        A marker of an app that is still running is no sign of an unclean exit.
        """
        marker = self._folder / MARKER_FILE
        unclean = marker.exists() and not _still_runs(marker)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            marker.write_text(str(os.getpid()), encoding="ascii")
        except OSError:
            return False
        return unclean

    def end(self) -> None:
        """Removes the marker."""
        try:
            (self._folder / MARKER_FILE).unlink(missing_ok=True)
        except OSError:
            return

    def load(self) -> DockLayout | None:
        """Returns the layout kept, None where there is none or it cannot be read."""
        try:
            kept = json.loads((self._folder / LAYOUT_FILE).read_text(encoding="utf-8"))
            return DockLayout(base64.b64decode(kept["geometry"]), base64.b64decode(kept["docks"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save(self, layout: DockLayout) -> None:
        """Keeps a layout."""
        kept = {
            "geometry": base64.b64encode(layout.geometry).decode("ascii"),
            "docks": base64.b64encode(layout.docks).decode("ascii"),
        }
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / LAYOUT_FILE).write_text(json.dumps(kept), encoding="utf-8")
        except OSError:
            return

    def forget(self) -> None:
        """Drops the layout kept."""
        try:
            (self._folder / LAYOUT_FILE).unlink(missing_ok=True)
        except OSError:
            return


def _still_runs(marker: Path) -> bool:
    try:
        pid = int(marker.read_text(encoding="ascii"))
        return pid != os.getpid() and "botapp" in " ".join(psutil.Process(pid).cmdline())
    except (OSError, ValueError, psutil.Error):
        return False

"""What the app keeps between runs beside the settings: the docks' layout, and a marker of an unclean exit.

The marker is written at the start and removed at an orderly end; found at the start, it means that the last
run was cut short, and the layout is left out once.
"""

import base64
import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from botapp.host.files import write_whole
from botapp.host.message import mark, say
from botapp.host.own_files import OwnFile, quoted

_log = logging.getLogger(__name__)

LAYOUT_FILE = "layout.json"
COMPACT_FILE = "compact.json"
MARKER_FILE = "running"
_FAR = 1_000_000  # No screen reaches so far, in pixels; Qt takes no larger place


@dataclass(frozen=True, slots=True)
class DockLayout:
    """The main window's geometry and docks, as Qt packs them.

    `own` tells whether a person has moved panels: else they are arranged for the window's size.
    """

    geometry: bytes
    docks: bytes
    own: bool = True


@dataclass(frozen=True, slots=True)
class CompactPlace:
    """Where the small window stands, in logical pixels, and whether it is open."""

    x: int
    y: int
    open: bool


class Keeper:
    """Reads and writes both files in one folder; a folder that cannot be written keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @property
    def layout_file(self) -> Path:
        return self._folder / LAYOUT_FILE

    def begin(self) -> bool:
        """Sets the marker; tells whether the last run ended without removing its own.

        A marker of an app that is still running is no sign of an unclean exit.
        """
        marker = self._folder / MARKER_FILE
        unclean = marker.is_file() and not _still_runs(marker)
        try:
            write_whole(marker, str(os.getpid()))
        except OSError:
            return False
        return unclean

    def end(self) -> None:
        with suppress(OSError):
            (self._folder / MARKER_FILE).unlink(missing_ok=True)

    def load(self) -> DockLayout | None:
        """Returns the layout kept, None where there is none; what was wrong with it goes to the log."""
        recalled = _LAYOUT.read(self.layout_file)
        for message in recalled.messages:
            _log.warning(message)
        return recalled.value

    def save(self, layout: DockLayout) -> None:
        with suppress(OSError):
            _LAYOUT.save(self.layout_file, layout)

    def load_compact(self) -> CompactPlace | None:
        """Returns where the small window stood, None where that is not known."""
        recalled = _COMPACT.read(self._folder / COMPACT_FILE)
        for message in recalled.messages:
            _log.warning(message)
        return recalled.value

    def save_compact(self, place: CompactPlace) -> None:
        with suppress(OSError):
            _COMPACT.save(self._folder / COMPACT_FILE, place)

    def forget(self) -> None:
        with suppress(OSError):
            self.layout_file.unlink(missing_ok=True)


def _still_runs(marker: Path) -> bool:
    try:
        pid = int(marker.read_text(encoding="ascii"))
        return pid != os.getpid() and "botapp" in " ".join(psutil.Process(pid).cmdline())
    except (OSError, ValueError, OverflowError, psutil.Error):
        return False


def _accepted(raw: Mapping[str, Any]) -> tuple[DockLayout | None, list[str]]:
    if not raw:
        return None, []
    parts = {}
    for name in ("geometry", "docks"):
        try:
            parts[name] = base64.b64decode(raw.get(name, ""), validate=True)
        except (TypeError, ValueError):
            return None, [say("{field} = {found} is no layout of docks", field=name, found=quoted(raw[name]))]
    return DockLayout(parts["geometry"], parts["docks"], own=raw.get("own") is not False), []


def _write(path: Path, layout: DockLayout | None) -> None:
    fields = {} if layout is None else {"geometry": layout.geometry, "docks": layout.docks}
    packed: dict[str, str | bool] = {
        name: base64.b64encode(data).decode("ascii") for name, data in fields.items()
    }
    if layout is not None:
        packed["own"] = layout.own
    write_whole(path, json.dumps(packed))


_LAYOUT = OwnFile(_accepted, _write, mark("Or arrange the panels again."), parse=json.loads)


def _accepted_place(raw: Mapping[str, Any]) -> tuple[CompactPlace | None, list[str]]:
    if not raw:
        return None, []
    x, y, is_open = (raw.get(name) for name in ("x", "y", "open"))
    if isinstance(x, int) and isinstance(y, int) and abs(x) + abs(y) < _FAR:
        return CompactPlace(x, y, is_open is True), []
    return None, [say("{field} = {found} is no place on a screen", field="x, y", found=quoted((x, y)))]


def _write_place(path: Path, place: CompactPlace | None) -> None:
    write_whole(path, json.dumps(asdict(place) if place is not None else {}))


_COMPACT = OwnFile(_accepted_place, _write_place, mark("Or move the small window again."), parse=json.loads)

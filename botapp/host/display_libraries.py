"""What a window needs of the system: libraries, looked for before Qt would end the process, and colours."""

import ctypes
import os
import re
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from botapp.host.message import say

PACKAGES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
}
"""What Qt and its plugin for X11 are linked with, and Debian's package of each."""

_NAMED = re.compile(r"lib[\w.+-]+?\.so[.\d]*")
_PLUGIN = "Qt/plugins/platforms/libqxcb.so"


_LEAST_BITS = 15  # Of a pixel: on a screen of fewer Qt draws nothing, and says so at each stroke


class MissingLibraries(Exception):
    """No window can be opened; the text says which packages to install."""


def too_few_colours(bits: int) -> str:
    """Returns why no window can be drawn on a screen of so many bits a pixel, "" where one can."""
    if bits >= _LEAST_BITS:
        return ""
    return say("No window can be drawn on a screen of {bits} bits of colour. Set it to 16 or 24.", bits=bits)


def check(
    load: Callable[[str], object] = ctypes.CDLL,
    environ: Mapping[str, str] | None = None,
    plugin: Path | None = None,
) -> None:
    """Looks whether Qt's plugin for X11 can be loaded, where it will be.

    Raises:
        MissingLibraries: a library of the system is missing.
    """
    env = os.environ if environ is None else environ
    wanted = env.get("QT_QPA_PLATFORM", "")
    if not sys.platform.startswith("linux") or not env.get("DISPLAY") or wanted not in ("", "xcb"):
        return
    if env.get("WAYLAND_DISPLAY") and not wanted:
        return
    path = plugin or plugin_file()
    if path is None or not path.is_file():
        return
    problem = _problem(load, str(path))
    named = _NAMED.search(problem)
    if named is None:
        return
    missing = {name for name in PACKAGES if _problem(load, name)} | {named[0]}
    packages = sorted({PACKAGES[name] for name in missing if name in PACKAGES})
    libraries = ", ".join(sorted(missing))
    if not packages:
        raise MissingLibraries(
            say(
                "No window can be opened, as the library {library} is missing. Install your system's package "
                "that has it.",
                library=libraries,
            )
        )
    raise MissingLibraries(
        say(
            "No window can be opened, as the library {library} is missing. Install it: sudo apt-get install "
            "{packages} (Debian and Ubuntu; elsewhere your system's package that has it).",
            library=libraries,
            packages=" ".join(packages),
        )
    )


def package_of(problem: str) -> str:
    """Returns Debian's package of the library that an error of the loader names, "" for none known."""
    named = _NAMED.search(problem)
    return PACKAGES.get(named[0], "") if named else ""


def plugin_file() -> Path | None:
    spec = find_spec("PySide6")
    folders = spec.submodule_search_locations if spec else None
    return Path(next(iter(folders))) / _PLUGIN if folders else None


def _problem(load: Callable[[str], object], library: str) -> str:
    try:
        load(library)
    except OSError as error:
        return str(error)
    return ""

"""The folder of compiled code is the user's own: what another user could write there would run as this one.

Looked at before the rules are loaded, whatever the environment names. Outside of `core`, whose every file
counts for the name of what is compiled.
"""

import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from botapp.fight.core.cache import FOLDER_VARIABLE, INTERPRETED_VARIABLE, base_folder

_BY_GROUP, _BY_OTHERS = 0o020, 0o002  # The rights to write in a file's mode
_log = logging.getLogger(__name__)


def choose() -> None:
    """Names another folder for compiled code where the one that would be used is not the user's own."""
    if not hasattr(os, "getuid") or os.environ.get(INTERPRETED_VARIABLE):
        return  # Windows' folder lies in the user's profile; interpreted rules need none
    if why := _refusal(base_folder()):
        folder = next((place for place in _others() if not _refusal(place)), None)
        os.environ[FOLDER_VARIABLE] = str(folder or tempfile.mkdtemp(prefix="botapp-compiled-"))
        _log.warning("%s: compiled code is kept in %s", why, os.environ[FOLDER_VARIABLE])


def _others() -> Iterator[Path]:
    if os.environ.pop(FOLDER_VARIABLE, None):
        yield base_folder()
    yield Path(tempfile.gettempdir()) / f"botapp-compiled-{os.getuid()}"


def _refusal(folder: Path) -> str:
    """Returns why a folder is not one that this user alone can write to; one that is not there is made.

    Its group loses the right to write: on many systems new files have it, for a group of that user alone.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in (folder, *folder.rglob("*")):
            entry = path.stat() if path == folder else path.lstat()
            if entry.st_uid != os.getuid():
                return f"{path} belongs to another user"
            if entry.st_mode & _BY_OTHERS and not path.is_symlink():
                return f"any user can write to {path} (chmod -R go-w {folder})"
            if entry.st_mode & _BY_GROUP and not path.is_symlink():
                path.chmod(entry.st_mode & 0o7755)
    except OSError:
        pass  # nothing can be kept or read there: `core.compiler` says so
    return ""

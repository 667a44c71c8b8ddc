"""Files that a person's own data lie in: written whole or not at all, set aside instead of overwritten.

Next hop: `botapp.host.settings_file` (settings), `botapp.tracking.names` (names),
`botapp.content.knowledge.shelf` (entries).
"""

import os
import shutil
import tempfile
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Writes a text file through a temporary one in the same folder, so that no half of it is ever there.

    Raises:
        OSError: the folder cannot be written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def set_aside(path: Path, *, move: bool) -> Path:
    """Keeps a file as .bak, .bak1, ... without ever overwriting one, and returns the new path.

    Raises:
        OSError: it cannot be copied or renamed.
    """
    number = 0
    while (kept := path.with_name(f"{path.name}.bak{number or ''}")).exists():
        number += 1
    if move:
        path.rename(kept)
    else:
        shutil.copy2(path, kept)
    return kept

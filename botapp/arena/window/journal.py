"""The arena's log: one JSON line for each change of the picture, each action and each fight's end.

What it says never reaches `vision`; it is what readings are measured against.
"""

import json
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from botapp.host.message import error_text


class Journal:
    """Writes lines to a file, each stamped with `time.monotonic_ns()`.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8", buffering=1)
        self._last: dict[str, Any] | None = None

    def shown(self, description: dict[str, Any]) -> None:
        """Writes what the picture shows, if it differs from what it showed before."""
        if description != self._last:
            self._last = description
            self.tell(description)

    def tell(self, event: dict[str, Any]) -> None:
        if self._file.closed:
            return
        line = {"t_ns": time.monotonic_ns(), **event}
        try:
            self._file.write(json.dumps(line, separators=(",", ":")) + "\n")
        except OSError as error:
            print(f"arena: the log ends here: {error_text(error)}", file=sys.stderr)
            self.close()

    def close(self) -> None:
        """Closes the file; what there is no room for is lost."""
        with suppress(OSError):
            self._file.close()

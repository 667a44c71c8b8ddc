"""The Python that this runs in, as a person types it: a remedy's command must reach the same environment."""

import sys


def this_python() -> str:
    """Returns the interpreter's path for a terminal, in quotes where it has blanks."""
    path = sys.executable or "python"
    return f'"{path}"' if " " in path else path

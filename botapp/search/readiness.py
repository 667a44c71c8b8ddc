"""Why the search runs as plain Python, in words with what to do about it; "" where it runs compiled."""

import sys

from botapp.fight.core import cache, compiler
from botapp.host.message import say
from botapp.search.preparing import prepared


def obstacle() -> str:
    """Returns what keeps the search from being compiled on this computer, "" where nothing does."""
    if compiler.FAULT == "numba":
        return say(
            "The search is slow and looks less far here, as numba cannot be used ({problem}). "
            "Install it: {python} -m pip install --force-reinstall numba",
            problem=compiler.WHY_INTERPRETED,
            python=sys.executable,
        )
    if compiler.FAULT == "folder":
        return say(
            "The search is slow and looks less far here, as nothing can be kept in the folder {folder} "
            "({problem}). Make it writable, or name another one in the environment variable {variable}.",
            folder=str(cache.base_folder()),
            problem=compiler.WHY_INTERPRETED,
            variable=cache.FOLDER_VARIABLE,
        )
    if compiler.FAULT == "asked":
        return say(
            "The search is slow and looks less far here, as {problem}. "
            "Take that variable out of the environment.",
            problem=compiler.WHY_INTERPRETED,
        )
    return ""


def advice() -> str:
    """Returns the same, and else what to do where the search has not been prepared; "" where it is ready."""
    if not obstacle() and not prepared():
        return say(
            "The search is not prepared for this computer yet: the app does that at its next start, "
            "`botapp compile` at once."
        )
    return obstacle()

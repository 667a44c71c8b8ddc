"""The first start: as long as the search is not compiled for this computer, the worker runs it interpreted.

What a process runs is settled when it imports the rules, so it is said in the environment that the worker
inherits.
"""

import os

from botapp.fight.core.cache import INTERPRETED_VARIABLE, MEANWHILE, folder, is_damaged, is_ready


def settle() -> None:
    """Settles how the rules run from now on, in this process if it has not imported them and in those that it
    starts: compiled if all is there, else as plain Python for the time being.

    Without, each process that asks the rules something would compile them for itself. A wish of the person's
    in the environment holds.
    """
    if INTERPRETED_VARIABLE in os.environ:
        return
    try:
        ready = is_ready(folder())
    except (ImportError, OSError):
        ready = False
    if not ready:
        os.environ[INTERPRETED_VARIABLE] = MEANWHILE


def begin() -> None:
    """Does the same for the processes that this one starts; in this one, which asks the rules nothing, they
    run as plain Python. To be called before anything imports them.
    """
    if INTERPRETED_VARIABLE in os.environ:
        return
    os.environ[INTERPRETED_VARIABLE] = MEANWHILE
    import botapp.fight.core.compiler  # noqa: F401, PLC0415 - settles it for this process

    end()
    settle()


def damaged() -> bool:
    """Tells whether it has been compiled before, and the code has been damaged since."""
    try:
        return is_damaged(folder())
    except (ImportError, OSError):
        return False


def pending() -> bool:
    return os.environ.get(INTERPRETED_VARIABLE) == MEANWHILE


def end() -> None:
    """Makes processes started from now on run the search compiled."""
    if pending():
        del os.environ[INTERPRETED_VARIABLE]

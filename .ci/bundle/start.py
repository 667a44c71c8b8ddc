"""What the bundled program runs: botapp, or Python where botapp starts a child of its own.

A bundle has no interpreter beside it: `sys.executable` is this program. So it takes what botapp gives its
children, as Python would: `-P`, `-I` and `-S` (a bundle is closed anyway), `-m MODULE` and `-c CODE`.
"""

import multiprocessing
import os
import runpy
import sys

_LIBRARIES = "LD_LIBRARY_PATH"


def give_back_libraries() -> None:
    """Has other programs, such as a display server, load the system's libraries in place of the bundle's."""
    before = os.environ.pop(f"{_LIBRARIES}_ORIG", None)
    if before:
        os.environ[_LIBRARIES] = before
    else:
        os.environ.pop(_LIBRARIES, None)


def main(given: list[str]) -> int:
    """Runs what the command line asks for; returns the exit code."""
    while given and given[0] in ("-P", "-I", "-S"):
        given = given[1:]
    if len(given) < 2 or given[0] not in ("-m", "-c"):
        from botapp.commands.cli import main as botapp  # noqa: PLC0415 - a child that ties another needs none of it

        return botapp()
    if given[0] == "-c":
        sys.argv = ["-c", *given[2:]]
        exec(compile(given[1], "<string>", "exec"), {"__name__": "__main__"})
        return 0
    sys.argv = given[1:]
    try:
        runpy.run_module(given[1], run_name="__main__", alter_sys=True)
    except ImportError as error:
        if error.name not in (given[1], None):
            raise
        print(
            f"botapp: this bundle has no {given[1]} and nothing can be added to it. "
            "Install botapp with pipx to choose its packages, see README.md.",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    if getattr(sys, "frozen", False):
        give_back_libraries()
    multiprocessing.freeze_support()
    sys.exit(main(sys.argv[1:]))

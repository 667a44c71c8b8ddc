"""Tests that need a Python of their own: another environment, a virtual display, or nothing imported yet."""

import multiprocessing
import os
import subprocess
import sys
from functools import cache
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any

WORKERS = ("played_workers", "faulty_workers")
"""What the tests' workers do, in `tests/runtime` and in `tests/ui`."""


@cache
def forks() -> BaseContext:
    """Returns how to start the tests' workers: as forks of one process that has loaded what they need.

    A worker of its own, as the app starts one, loads for two seconds; where there are no forks it is that.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing import forkserver

    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(["pytest", *WORKERS])
    before = os.environ.get("PYTHONPATH")
    rooms = [str(Path(__file__).parent / room) for room in ("runtime", "ui")]
    os.environ["PYTHONPATH"] = os.pathsep.join([*rooms, *sys.path])
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before
    return made


def run_python(*arguments: str, **options: Any) -> str:
    """Runs Python with these arguments, which must end well; returns what it printed.

    Args:
        arguments: of Python.
        options: of `subprocess.run`.
    """
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        **({"timeout": 150} | options),
    )
    assert done.returncode == 0, done.stderr
    return done.stdout

"""Tests that need a Python of their own: another environment, a virtual display, or nothing imported yet."""

import subprocess
import sys
from typing import Any


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

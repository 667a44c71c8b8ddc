"""Runs a module in a child process with a time limit, since a faulty driver can crash the process.

The child answers with JSON on its last line of output.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hrm.backends.faults import Fault, describe_exit, fault_of_exit
from hrm.children import hold, tied
from hrm.message import one_line, say, unpack

_TAIL = 2000
ROOT = str(Path(__file__).resolve().parents[3])
"""The package's folder, in which children run: any file may lie in the current one, under a module's name."""


@dataclass(frozen=True, slots=True)
class ChildResult:
    """How a child ended."""

    answer: dict[str, Any] | None  # Its JSON, None if it printed none that could be read
    # As `subprocess` gives it, negative for a signal; None if it was ended for its time limit
    returncode: int | None
    how: str  # The same as a text, such as "SIGSEGV (11)"
    timed_out: bool
    output: str
    seconds: float  # How long it ran

    @property
    def fault(self) -> Fault | None:
        """The fault, None if the child succeeded with an answer."""
        if self.timed_out:
            return Fault("hang", self.how)
        if self.returncode:
            return fault_of_exit(self.returncode)
        return None if self.answer is not None else Fault("error", say("it gave no answer"))


def child_environment() -> dict[str, str]:
    """Returns the environment for a child that finds this package, and imports nothing from its folder."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    folders = [folder for folder in given if Path(folder).is_absolute()]
    if Path(ROOT).name not in (
        "site-packages",
        "dist-packages",
    ):  # found without; first, it would hide Python's own
        folders.insert(0, ROOT)
    path = os.pathsep.join(folders)
    # by the names of now, then each by itself: another thread may take a variable away meanwhile, as the
    # start of the worker does with those that it sets for that moment
    own = {name: value for name in list(os.environ) if (value := os.environ.get(name)) is not None}
    return {**own, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}


def run_child(
    module: str,
    arguments: Sequence[str] = (),
    limit_s: float = 60.0,
    env: Mapping[str, str] | None = None,
) -> ChildResult:
    """Runs `python -P -m module arguments`, ending it if it takes longer than `limit_s`. Never raises.

    Args:
        limit_s: seconds it may take.
        env: variables to set in the child besides this process's own, such as HIP_VISIBLE_DEVICES: they are
            there before torch is imported.
    """
    begun = time.monotonic()
    command = [sys.executable, "-P", "-m", module, *arguments]
    environment = {**child_environment(), **(env or {})}
    try:
        with subprocess.Popen(
            tied(command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=ROOT
        ) as child:
            hold(child.pid)
            try:
                output, errors = child.communicate(timeout=limit_s)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                raise
            except BaseException:
                child.kill()
                raise
    except subprocess.TimeoutExpired as late:
        said = (late.stderr or b"").decode("utf-8", "replace")[-_TAIL:]
        took = time.monotonic() - begun
        how = say("no answer within {time} s", time=f"{limit_s:g}")
        return ChildResult(None, None, how, True, said, took)
    except OSError as error:
        how = say("it could not be started: {problem}", problem=one_line(error))
        return ChildResult(None, 1, how, False, "", time.monotonic() - begun)
    return ChildResult(
        answer=_answer(output),
        returncode=child.returncode,
        how=describe_exit(child.returncode),
        timed_out=False,
        output=errors.decode("utf-8", "replace")[-_TAIL:],
        seconds=time.monotonic() - begun,
    )


def _answer(output: bytes) -> dict[str, Any] | None:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    try:
        said = unpack(json.loads(lines[-1])) if lines else None
    except (ValueError, KeyError):
        return None
    return said if isinstance(said, dict) else None

"""Tries operators on the cards torch reaches, each in a child of its own, and writes down how each ended.

Next hop: `botapp.doctor.faults.running` judges it, `hrm.backends.safe` keeps off the card what crashed.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from botapp.doctor.faults.running import OPERATORS
from botapp.doctor.machine import Machine, Trial

RUNGS = "hrm.backends.rungs"
_LIMIT_S = 60.0

Run = Callable[..., Any]
"""As `hrm.backends.children.run_child`."""


def tried(machine: Machine, run: Run | None = None) -> Machine:
    """Returns the machine with how each operator ended on each card; without cards, as it was.

    Args:
        machine: what was seen so far.
        run: runs a child; None for `hrm.backends.children.run_child`.
    """
    count = len((machine.torch.devices if machine.torch else None) or ())
    if count == 0:
        return machine
    if run is None:
        from hrm.backends.children import run_child  # noqa: PLC0415

        run = run_child
    devices = [f"cuda:{number}" for number in range(count)]
    trials = tuple(_trial(name, device, run) for device in devices for name in OPERATORS)
    return replace(machine, trials=(*machine.trials, *trials))


def _trial(name: str, device: str, run: Run) -> Trial:
    ended = run(RUNGS, [name, json.dumps({"device": device})], _LIMIT_S)
    fault = ended.fault
    if fault is None:
        answer = ended.answer or {}
        return Trial(name, device, bool(answer.get("ok", True)), str(answer.get("reason", "")), ended.output)
    return Trial(name, device, False, str(ended.how or fault.detail), ended.output)

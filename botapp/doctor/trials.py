"""The probe's checks of the cards, each run in a child process, in the form that the doctor's detectors read.

A child that crashed, one that raised and one with wrong numbers are distinguished.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from botapp.doctor.faults.running import OPERATORS
from botapp.doctor.machine import Machine, ProvedPlacement, Trial

if TYPE_CHECKING:
    from hrm.backends.probing.report import ProbeCheck, ProbeReport

DIRECTML = "DmlExecutionProvider"


def tried(machine: Machine, probe: "Callable[[], ProbeReport] | None" = None) -> Machine:
    """Returns the machine with what the probe found on its cards; without cards, as it was.

    Args:
        probe: returns the report; None for `hrm.backends.probing.probe.probe_all`, which caches it.
    """
    reached = bool(machine.torch and machine.torch.devices)
    if not reached and not (machine.adapters and "onnxruntime-directml" in machine.packages):
        return machine
    if probe is None:
        from hrm.backends.probing.probe import probe_all  # noqa: PLC0415

        probe = probe_all
    checks = [check for check in probe().checks if check.device not in ("", "cpu")]
    return replace(
        machine,
        trials=(*machine.trials, *trials_of(checks)),
        placements=(*machine.placements, *placements_of(checks)),
    )


def trials_of(checks: "Iterable[ProbeCheck]") -> tuple[Trial, ...]:
    """Returns a trial for each operator and device, and one for each precision that gave wrong numbers."""
    found: dict[tuple[str, str], Trial] = {}
    for check in checks:
        trial = _trial(check)
        if trial is None:
            continue
        known = found.get((trial.name, trial.device))
        if known is None or known.ok:
            found[trial.name, trial.device] = trial
    return tuple(found.values())


def placements_of(checks: "Iterable[ProbeCheck]") -> tuple[ProvedPlacement, ...]:
    """Returns where ONNX Runtime put the nodes of a step that was to run on a card."""
    return tuple(
        ProvedPlacement(
            DIRECTML,
            tuple(check.answer["operators_by_provider"]),
            dict(check.answer["operators_by_provider"]),
        )
        for check in checks
        if check.engine == "onnx" and check.answer.get("operators_by_provider")
    )


def _trial(check: "ProbeCheck") -> Trial | None:
    if not check.ok and "error_share" in check.answer:
        what = f"{check.precision or 'fp32'} in {check.name}"
        return Trial(
            what, check.device, False, check.reason, answered=True, error=check.answer["error_share"]
        )
    if check.name in OPERATORS:
        return Trial(check.name, check.device, check.ok, check.reason, answered="what" in check.answer)
    return None

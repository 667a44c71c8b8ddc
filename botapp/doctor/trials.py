"""What the probe tried on the cards, each rung in a child of its own, as the doctor's detectors read it.

A child that died, one that raised and one whose numbers were wrong are told apart. Next hop:
`botapp.doctor.faults.running` judges it; `hrm.backends.engines.cpu_fallback` keeps off the card what crashed.
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
        machine: what was seen so far.
        probe: asks the probe; None for `hrm.backends.probing.probe.probe_all`, whose answer is cached.
    """
    reached = bool(machine.torch and machine.torch.devices)
    if not reached and not (machine.adapters and "onnxruntime-directml" in machine.packages):
        return machine
    if probe is None:
        from hrm.backends.probing.probe import probe_all  # noqa: PLC0415

        probe = probe_all
    rungs = [rung for rung in probe().checks if rung.device not in ("", "cpu")]
    return replace(
        machine,
        trials=(*machine.trials, *trials_of(rungs)),
        placements=(*machine.placements, *placements_of(rungs)),
    )


def trials_of(rungs: "Iterable[ProbeCheck]") -> tuple[Trial, ...]:
    """Returns a trial for each operator and device, and one for each precision that gave wrong numbers."""
    found: dict[tuple[str, str], Trial] = {}
    for rung in rungs:
        trial = _trial(rung)
        if trial is None:
            continue
        known = found.get((trial.name, trial.device))
        if known is None or known.ok:
            found[trial.name, trial.device] = trial
    return tuple(found.values())


def placements_of(rungs: "Iterable[ProbeCheck]") -> tuple[ProvedPlacement, ...]:
    """Returns where ONNX Runtime put the nodes of a step that was to run on a card."""
    return tuple(
        ProvedPlacement(DIRECTML, tuple(rung.answer["placed"]), dict(rung.answer["placed"]))
        for rung in rungs
        if rung.engine == "onnx" and rung.answer.get("placed")
    )


def _trial(rung: "ProbeCheck") -> Trial | None:
    if not rung.ok and "error_share" in rung.answer:
        what = f"{rung.precision or 'fp32'} in {rung.name}"
        return Trial(what, rung.device, False, rung.reason, answered=True, error=rung.answer["error_share"])
    if rung.name in OPERATORS:
        return Trial(rung.name, rung.device, rung.ok, rung.reason, answered="what" in rung.answer)
    return None

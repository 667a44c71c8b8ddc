"""What shows while a card works: crashes, full memory, a quiet fall back to the CPU, wrong numbers."""

from dataclasses import replace

import pytest
from machines import (
    AMD_DEVICE,
    full_6600,
    geforce,
    healthy_7800xt,
    names,
    nan_6800,
    overridden_5700xt,
    rocm_torch,
    windows_override,
)

from botapp.doctor.faults import diagnose
from botapp.doctor.machine import ProvedPlacement, Trial


def test_a_crash_names_operator_signal_kernel_line_and_what_worked() -> None:
    finding = next(f for f in diagnose(overridden_5700xt) if f.fault == "crash")
    seen = "\n".join(finding.evidence)
    for words in ("conv2d on cuda:0: SIGABRT (6)", "page fault", "matmul, attention on cuda:0: fine"):
        assert words in seen
    assert finding.severity == "warning"


def test_a_card_that_cannot_multiply_is_an_error() -> None:
    trials = (Trial("matmul", "cuda:0", False, "no answer within 60 s"),)
    finding = diagnose(replace(healthy_7800xt, trials=trials))[0]
    assert (finding.fault, finding.severity) == ("crash", "error")
    trials = (Trial("conv2d", "cuda:0", False, "SIGSEGV (11)"),)
    finding = diagnose(replace(healthy_7800xt, trials=trials))[0]
    assert finding.severity == "warning"
    assert "lets the CPU do conv2d" in finding.fix[0]


def test_torch_dying_of_the_aperture_fault_is_a_crash() -> None:
    said = "Queue 0x7f aborting with error : HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION"
    machine = replace(healthy_7800xt, torch=rocm_torch(AMD_DEVICE, error=said), trials=())
    assert names(machine) == {"crash"}


def test_memory_is_judged_by_share_and_by_spill() -> None:
    finding = next(f for f in diagnose(full_6600) if f.fault == "memory-full")
    assert "spills" in finding.title
    filled = {**geforce.outputs, "nvidia-smi": "00000000:01:00.0, RTX 3060, 580.95.05, 12288, 12000, 20\n"}
    (finding,) = diagnose(replace(geforce, outputs=filled))
    assert "nearly full" in finding.title
    adapter = {**windows_override.adapters[0], "used": windows_override.adapters[0]["memory"]}
    finding = diagnose(replace(windows_override, environment={}, adapters=(adapter,)))[0]
    assert "nearly full" in finding.title


def test_nodes_that_landed_on_the_cpu_are_counted() -> None:
    placement = ProvedPlacement(
        "DmlExecutionProvider",
        ("DmlExecutionProvider", "CPUExecutionProvider"),
        {"DmlExecutionProvider": 90, "CPUExecutionProvider": 10},
    )
    machine = replace(windows_override, environment={}, placements=(placement,))
    (finding,) = diagnose(machine)
    assert "10 of 100 nodes run on CPUExecutionProvider" in finding.evidence
    whole = replace(placement, nodes={"DmlExecutionProvider": 100})
    assert names(replace(machine, placements=(whole,))) == set()
    wanted_cpu = ProvedPlacement("CPUExecutionProvider", ("CPUExecutionProvider",))
    other = ProvedPlacement("MIGraphXExecutionProvider", ("CPUExecutionProvider",))
    assert names(replace(machine, placements=(wanted_cpu,))) == set()
    assert names(replace(machine, placements=(other,))) == {"silent-fallback"}


@pytest.mark.parametrize(("asked", "named"), [("rocm", True), ("auto", False), ("cpu", False), ("", False)])
def test_a_backend_asked_for_and_not_got_is_told(asked: str, named: bool) -> None:
    chosen = {"asked": asked, "backend": "cpu", "reason": "rocm cannot be used: no card"}
    assert ("silent-fallback" in names(replace(healthy_7800xt, chosen=chosen))) is named


def test_wrong_numbers_are_told_with_how_wrong() -> None:
    first, second = (f for f in diagnose(nan_6800) if f.fault == "precision")
    assert "no numbers" in first.title
    assert any("3.5" in line for line in second.evidence)

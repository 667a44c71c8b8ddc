"""The doctor names what is wrong with a machine, all of it and nothing else, with a way out for each."""

import pytest
from machines import MACHINES, names, overridden_5700xt

from botapp.doctor.faults import DETECTORS, diagnose

TWELVE = {
    "wrong-torch",
    "device-nodes",
    "no-code",
    "crash",
    "integrated-first",
    "override",
    "wsl",
    "versions",
    "memory-full",
    "silent-fallback",
    "precision",
    "clashing-packages",
}
CASES = [(name, fault) for name, (_, faults) in MACHINES.items() for fault in sorted(faults)]


@pytest.mark.parametrize("name", MACHINES)
def test_each_machines_faults_are_named_and_no_others(name: str) -> None:
    machine, faults = MACHINES[name]
    assert names(machine) == faults


@pytest.mark.parametrize(("name", "fault"), CASES)
def test_without_its_detector_a_fault_goes_unnamed(name: str, fault: str) -> None:
    machine, faults = MACHINES[name]
    others = {key: detect for key, detect in DETECTORS.items() if key != fault}
    assert {finding.fault for finding in diagnose(machine, others)} == faults - {fault}


def test_every_one_of_the_twelve_faults_is_had_by_a_machine() -> None:
    assert {fault for _, fault in CASES} >= TWELVE
    assert set(DETECTORS) >= TWELVE
    assert len(MACHINES) >= 10


@pytest.mark.parametrize("name", MACHINES)
def test_a_finding_has_evidence_a_fix_and_a_command_that_verifies_it(name: str) -> None:
    for finding in diagnose(MACHINES[name][0]):
        assert finding.evidence, finding
        assert all(finding.evidence)
        assert all(finding.fix)
        assert finding.fix
        assert finding.verify
        assert "None" not in "".join((*finding.fix, finding.title))
        assert finding.to_json()["evidence"] == list(finding.evidence)


def test_the_worst_comes_first() -> None:
    order = [finding.severity for finding in diagnose(overridden_5700xt)]
    assert order == sorted(order, key=("error", "warning", "note").index)

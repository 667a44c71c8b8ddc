"""The doctor names what is wrong with a machine, all of it and nothing else, with a way out for each."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from machines import MACHINES, healthy_7800xt, names, overridden_5700xt

import botapp.doctor.faults
from botapp.doctor.examination import of_card
from botapp.doctor.faults import FAULTS, PAGE, detectors, diagnose


@pytest.mark.parametrize("name", MACHINES)
def test_each_machines_faults_are_named_and_no_others(name: str) -> None:
    machine, faults = MACHINES[name]
    assert names(machine) == faults


def test_every_fault_is_had_by_a_machine() -> None:
    assert set(detectors()) == {fault for _, faults in MACHINES.values() for fault in faults}


@pytest.mark.parametrize("name", MACHINES)
def test_a_finding_has_evidence_a_fix_and_a_place_in_the_docs(name: str) -> None:
    for finding in diagnose(MACHINES[name][0]):
        assert finding.evidence, finding
        assert all(finding.evidence)
        assert all(finding.fix)
        assert finding.fix
        assert "None" not in "".join((*finding.fix, finding.title))
        assert finding.to_json()["evidence"] == list(finding.evidence)


def test_the_page_that_findings_name_has_a_heading_for_each() -> None:
    page = Path(__file__).parents[2] / PAGE
    assert set(detectors()) <= set(re.findall(r"^### (\S+)$", page.read_text("utf-8"), re.MULTILINE))


def test_the_worst_comes_first() -> None:
    order = [finding.severity for finding in diagnose(overridden_5700xt)]
    assert order == sorted(order, key=("error", "warning", "note").index)


HOT = """
from botapp.doctor.faults import Finding, fault
from botapp.host.message import say


@fault("hot")
def hot(machine):
    if machine.environment.get("ROOM") == "40":
        yield Finding(say("Too warm"), "error", ("ROOM=40",), (say("Open a window."),))
"""


def test_a_check_is_one_file(made_up) -> None:
    made_up(botapp.doctor.faults, FAULTS, "hot", HOT)
    warm = replace(healthy_7800xt, environment={"ROOM": "40"})
    assert names(healthy_7800xt) == set()
    assert [one["fault"] for one in of_card(warm)["findings"]] == ["hot"]
    assert list(detectors())[-1] == "hot", "behind those that the app has"

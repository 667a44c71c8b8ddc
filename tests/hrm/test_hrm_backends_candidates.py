"""The benchmark measures every precision of a card, and captures graphs only where that was proved."""

import pytest

from hrm.backends.bench.candidates import candidates
from hrm.backends.placement import BackendInfo, DeviceInfo
from hrm.backends.probing.proof import NO_PROOF, Proof


def on_card(chip: str, backend: str = "rocm", proof: Proof = NO_PROOF):
    info = BackendInfo(backend, True, "", (DeviceInfo("cuda:0", "a card", chip, 16 << 30),))
    return [way for way in candidates([info], cores=1, proof=proof) if way.device_plan.backend == backend]


@pytest.mark.parametrize(
    ("chip", "precisions", "best"),
    [
        ("gfx1101", {"fp32", "bf16", "fp16"}, "bf16"),
        ("gfx1030", {"fp32", "fp16"}, "fp16"),
        ("gfx1010", {"fp32", "fp16"}, "fp16"),
        ("sm_75", {"fp32", "fp16"}, "fp16"),
        ("sm_90", {"fp32", "bf16", "fp16"}, "bf16"),
        ("gfx9999", {"fp32", "fp16"}, "fp16"),
    ],
)
def test_a_card_is_measured_in_every_precision_it_has(chip: str, precisions: set[str], best: str) -> None:
    ways = on_card(chip)
    assert {way.device_plan.precision for way in ways} == precisions
    assert {way.device_plan.precision for way in ways if way.device_plan.level != "conservative"} == {best}
    assert {way.device_plan.level for way in ways} == {"conservative", "balanced", "aggressive"}
    assert {way.device_plan.architecture for way in ways} == {chip}


def test_a_graph_is_captured_on_an_amd_card_only_where_that_was_proved() -> None:
    assert not any(way.device_plan.hip_graphs for way in on_card("gfx1101"))
    proof = Proof({"cuda:0": "bf16"}, graphs=frozenset({"cuda:0"}), flash=frozenset({("cuda:0", "bf16")}))
    ways = on_card("gfx1101", proof=proof)
    assert all(way.device_plan.hip_graphs for way in ways)
    assert {way.device_plan.precision for way in ways if way.device_plan.hip_flash} == {"bf16"}

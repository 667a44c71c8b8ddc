"""After a fault the model runs on the next plan that can work, and the reason lists every failure."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hrm.backends import (
    BackendInfo,
    DeviceInfo,
    DevicePlan,
    Fault,
    Ladder,
    choose,
    fault_of_error,
    fault_of_exit,
)
from hrm.backends.architectures import (
    ARCHITECTURES,
    architecture,
    half_precision,
    shares_memory,
    unproved_precision,
)
from hrm.backends.errors import (
    ConfigurationError,
    DeviceError,
    InferenceError,
    KernelCompilationError,
    NotAvailableError,
    OutOfMemoryError,
    PrecisionError,
    sort_error,
)
from hrm.backends.faults import describe_exit
from hrm.backends.levels import plan

CPU = BackendInfo("cpu", True, "", (DeviceInfo("cpu", "CPU"),))
CARD = DeviceInfo("cuda:0", "RX 7800 XT", "gfx1101", 16 << 30)
OTHER = DeviceInfo("cuda:1", "RX 7600", "gfx1102", 8 << 30)
KINDS = ("crash", "hang", "out-of-memory", "precision", "library", "error")


def _ladder(batch: int = 1, *, cards: tuple[DeviceInfo, ...] = (CARD,), **changes: object) -> Ladder:
    values = {"precision": "bf16", "level": "balanced", "architecture": "gfx1101", **changes}
    device_plan = DevicePlan("auto auto auto", "rocm", "cuda:0", reason="", batch=batch, **values)  # type: ignore[arg-type]
    return Ladder.of(device_plan, [BackendInfo("rocm", True, "", cards), CPU])


def _where(ladder: Ladder | None) -> tuple[str, str, str]:
    assert ladder is not None
    return ladder.current.engine, ladder.current.device, ladder.current.precision


def test_after_a_crash_comes_the_conservative_plan_on_the_same_card_then_the_cpu() -> None:
    safe = _ladder().after(Fault("crash", "SIGSEGV (11)"))
    assert _where(safe) == ("torch", "cuda:0", "fp32")
    assert safe is not None
    assert (safe.current.attention, safe.current.level) == ("math", "conservative")
    onnx = safe.after(Fault("crash", "SIGSEGV (11)"))
    assert _where(onnx) == ("onnx", "cpu", "fp32")
    assert onnx is not None
    last = onnx.after(Fault("library", "no onnxruntime"))
    assert _where(last) == ("torch", "cpu", "fp32")
    assert last is not None
    assert last.after(Fault("crash")) is None


def test_another_card_comes_before_the_cpu() -> None:
    ladder = _ladder(cards=(CARD, OTHER)).after(Fault("hang"))
    assert ladder is not None
    assert _where(ladder.after(Fault("hang"))) == ("torch", "cuda:1", "fp32")


def test_out_of_memory_halves_the_batch_then_lowers_the_precision_on_the_same_card() -> None:
    ladder = _ladder(batch=4, precision="fp32")
    seen = []
    for _ in range(3):
        following = ladder.after(Fault("out-of-memory"))
        assert following is not None
        ladder = following
        seen.append((ladder.current.device, ladder.current.batch, ladder.current.precision))
    assert seen == [("cuda:0", 2, "fp32"), ("cuda:0", 1, "fp32"), ("cuda:0", 1, "bf16")]
    assert _where(ladder.after(Fault("out-of-memory")))[1] == "cpu"


def test_a_missing_library_skips_all_that_needs_it() -> None:
    ladder = _ladder(cards=(CARD, OTHER)).after(Fault("library", "libamdhip64.so"))
    assert _where(ladder) == ("onnx", "cpu", "fp32")


def test_after_a_wrong_precision_comes_fp32_on_the_same_card() -> None:
    assert _where(_ladder().after(Fault("precision", "NaN"))) == ("torch", "cuda:0", "fp32")


def test_the_reason_names_what_failed_and_where_it_runs_now() -> None:
    ladder = _ladder().after(Fault("crash", "SIGSEGV (11)"))
    assert ladder is not None
    assert ladder.current.reason == "cuda:0 in bf16 crashed (SIGSEGV (11)); now cuda:0 in fp32"
    assert ladder.current.asked == "auto auto auto"


@given(st.lists(st.sampled_from(KINDS), max_size=14), st.integers(1, 8), st.booleans())
def test_a_ladder_ends_tries_nothing_twice_and_crosses_a_process(kinds, batch, two) -> None:
    ladder: Ladder | None = _ladder(batch, cards=(CARD, OTHER) if two else (CARD,))
    seen = set()
    for kind in kinds:
        assert ladder is not None
        current = ladder.current
        place = (current.engine, current.device, current.precision, current.batch, current.attention)
        assert place not in seen
        seen.add(place)
        assert pickle.loads(pickle.dumps(ladder)) == ladder
        ladder = ladder.after(Fault(kind))
        if ladder is None:
            break
    for _ in range(20):
        ladder = ladder and ladder.after(Fault("crash"))
    assert ladder is None


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (-11, "crash", "SIGSEGV (11)"),
        (-6, "crash", "SIGABRT (6)"),
        (-9, "out-of-memory", "SIGKILL (9)"),
        (0xC0000005, "crash", "access violation"),
        (0xC0000135, "library", "DLL was not found"),
        (0xC0000017, "out-of-memory", "no memory"),
        (0xC0DEAD00, "crash", "unknown status"),
        (1, "error", "exit code 1"),
    ],
)
def test_how_a_process_ended_is_decoded(code: int, kind: str, words: str) -> None:
    fault = fault_of_exit(code)
    assert fault.kind == kind
    assert words in str(fault)


def test_a_signal_without_a_name_has_its_number() -> None:
    assert describe_exit(-250) == "signal 250"


@pytest.mark.parametrize(
    ("error", "sort", "kind"),
    [
        (RuntimeError("HIP out of memory. Tried to allocate 2.00 GiB"), OutOfMemoryError, "out-of-memory"),
        (MemoryError(), OutOfMemoryError, "out-of-memory"),
        (RuntimeError("HIP error: invalid device function"), NotAvailableError, "library"),
        (RuntimeError("CUDA error: no kernel image is available"), NotAvailableError, "library"),
        (OSError("libamdhip64.so.6: cannot open shared object file"), NotAvailableError, "library"),
        (ImportError("DLL load failed while importing torch"), NotAvailableError, "library"),
        (RuntimeError("TorchMemorySource not compiled with CUDA enabled"), NotAvailableError, "library"),
        (RuntimeError("\"addmm\" not implemented for 'Half'"), PrecisionError, "precision"),
        (RuntimeError("backend='inductor' raised: C++ compile error"), KernelCompilationError, "error"),
        (RuntimeError("HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION"), DeviceError, "error"),
        (ValueError("there is no such thing"), ConfigurationError, "error"),
        (OutOfMemoryError("ours"), OutOfMemoryError, "out-of-memory"),
    ],
)
def test_what_libraries_raise_is_sorted_with_a_remedy(error, sort, kind) -> None:
    found = sort_error(error)
    assert type(found) is sort
    assert found.remedy in str(found)
    assert isinstance(found, InferenceError)
    assert fault_of_error(error).kind == kind


def test_a_chip_is_in_one_family_and_its_defaults_are_what_its_unit_computes() -> None:
    chips = [chip for found in ARCHITECTURES for chip in found.chips]
    assert len(chips) == len(set(chips))
    for found in ARCHITECTURES:
        assert {found.default, found.proved} <= {"fp32", *found.fast}
        assert (found.head_dim > 0) == found.flash
        assert not (found.graphs and found.vendor == "AMD")


NAMED = [
    "gfx906",
    "gfx90a",
    "gfx942",
    "gfx950",
    "gfx1100",
    "gfx1101",
    "gfx1102",
    "gfx1103",
    "gfx1150",
    "gfx1151",
    "gfx1200",
    "gfx1201",
]


@pytest.mark.parametrize("chip", NAMED)
def test_an_amd_chip_begins_with_what_its_family_says_and_why(chip: str) -> None:
    found = architecture(chip)
    assert found is not None
    card = DeviceInfo("cuda:0", "a card", chip, 16 << 30)
    picked = choose("rocm", backends=[BackendInfo("rocm", True, "", (card,)), CPU])
    assert picked.precision == found.default
    assert found.why in picked.reason
    speed = plan(found.level, "rocm", chip)
    assert speed.measures.attention == "math"
    assert not speed.measures.graph


def test_chips_in_processors_share_the_computers_memory() -> None:
    assert [chip for chip in NAMED if shares_memory(chip)] == ["gfx1103", "gfx1150", "gfx1151"]
    assert shares_memory("gfx1151:xnack-")
    assert not shares_memory("gfx000")


@pytest.mark.parametrize(
    ("chip", "unproved", "half"),
    [
        ("gfx1101", "bf16", "bf16"),
        ("gfx1030", "fp32", "fp16"),
        ("gfx1010", "fp32", "fp16"),
        ("gfx942:sramecc+:xnack-", "fp32", "bf16"),
        ("gfx1199", "bf16", "fp16"),
        ("sm_75", "fp16", "fp16"),
        ("sm_90", "bf16", "bf16"),
        ("sm_130", "bf16", "bf16"),
        ("sm_35", "fp16", "fp16"),
    ],
)
def test_precisions_follow_the_chip_known_or_not(chip: str, unproved: str, half: str) -> None:
    assert unproved_precision(chip) == unproved
    assert half_precision(chip) == half


def test_a_chip_is_found_with_its_flags_on() -> None:
    found = architecture("gfx90a:sramecc+:xnack-")
    assert found is not None
    assert found.family == "CDNA 2"
    assert architecture("gfx000") is None

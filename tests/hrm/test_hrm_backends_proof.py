"""The choice of a device follows the last probe: failed devices and precisions are not chosen."""

from pathlib import Path

import pytest

from hrm.backends import Ladder, choose
from hrm.backends.json_cache import JsonCache
from hrm.backends.placement import BackendInfo, DeviceInfo
from hrm.backends.probing import choosing, probe
from hrm.backends.probing.cached import cached_report
from hrm.backends.probing.probe import probe_all
from hrm.backends.probing.proof import NO_PROOF, Proof, working
from hrm.backends.probing.report import ProbeCheck, ProbeReport

GREEN = DeviceInfo("cuda:0", "RX 7800 XT", "gfx1101", 16 << 30)
SMALL = DeviceInfo("cuda:1", "RX 7600", "gfx1102", 8 << 30)
CPU = BackendInfo("cpu", True, "always works", (DeviceInfo("cpu", "CPU"),))


def there(*cards: DeviceInfo) -> list[BackendInfo]:
    rocm = BackendInfo("rocm", True, "torch reaches it", cards)
    return [BackendInfo("auto", True, "takes rocm here", cards), rocm, CPU]


def crashed(device: str) -> Proof:
    return Proof(failed={(device, "fp32"): "crashed (SIGSEGV (11))"})


def check(name: str, precision: str = "", attention: str = "", *, ok: bool, reason: str = "") -> ProbeCheck:
    answer = {"p50_ms": 1.0} if name == "step" and ok else {}
    return ProbeCheck(name, "cuda:0", precision, attention, "", ok, reason, answer, 1.0)


def test_a_card_on_which_nothing_works_is_not_chosen_again() -> None:
    chosen = choose(backends=there(GREEN), proof=crashed("cuda:0"))
    assert chosen.backend == "cpu"
    assert choose(backends=there(GREEN), proof=NO_PROOF).backend == "rocm"


def test_not_even_when_it_is_asked_for_and_the_reason_says_why() -> None:
    by_backend = choose("rocm", backends=there(GREEN), proof=crashed("cuda:0"))
    assert by_backend.backend == "cpu"
    assert "rocm cannot be used: a probe found it unusable (crashed (SIGSEGV (11)))" in by_backend.reason
    assert "Probe again" in by_backend.reason
    by_device = choose("rocm", "cuda:0", backends=there(GREEN, SMALL), proof=crashed("cuda:0"))
    assert by_device.device == "cuda:1"
    assert "a probe found cuda:0 unusable (crashed (SIGSEGV (11))); using cuda:1" in by_device.reason


def test_a_precision_that_failed_is_not_used_though_asked_for() -> None:
    proof = Proof({"cuda:0": "fp32"}, {("cuda:0", "bf16"): "it is 0.4 away from the right answer"})
    chosen = choose(precision="bf16", backends=there(GREEN), proof=proof)
    assert (chosen.device, chosen.precision) == ("cuda:0", "fp32")
    assert "0.4 away" in chosen.reason
    assert choose(precision="fp16", backends=there(GREEN), proof=proof).precision == "fp16"


def test_one_precision_that_fails_leaves_the_card_its_others() -> None:
    checks = (
        check("allocate", ok=True),
        check("matmul", "fp32", ok=True),
        check("step", "fp32", ok=True),
        check("matmul", "bf16", ok=False, reason="crashed (SIGSEGV (11))"),
        check("conv2d", ok=False, reason="crashed (SIGSEGV (11))"),
    )
    proof = ProbeReport("key", checks, 0.0).proof
    assert proof.best == {"cuda:0": "fp32"}
    assert proof.failed == {("cuda:0", "bf16"): "crashed (SIGSEGV (11))"}
    assert proof.failure_of("cuda:0") == ""
    assert proof.failure_of("cuda:7") == ""


def test_the_fallback_ladder_leaves_out_what_is_known_to_fail() -> None:
    chosen = choose(backends=there(GREEN, SMALL), proof=crashed("cuda:1"))
    below = Ladder.of(chosen, working(there(GREEN, SMALL), crashed("cuda:1")))
    assert chosen.device == "cuda:0"
    assert "cuda:1" not in {option.device for option in below.options}
    assert "cuda:1" in {option.device for option in Ladder.of(chosen, there(GREEN, SMALL)).options}


def test_what_is_taken_by_itself_is_said_anew_without_the_bad_card() -> None:
    auto, rocm, cpu = working(there(GREEN), crashed("cuda:0"))
    assert (auto.reason, auto.devices) == ("takes cpu here", cpu.devices)
    assert not rocm.usable
    assert working(there(GREEN), NO_PROOF) == there(GREEN)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real probe's cache on a computer whose every card crashes."""
    folder = tmp_path_factory.mktemp("probe")

    def run(module: str, arguments, limit_s: float):
        if arguments[0] in ("system", "import"):
            return probe.run_child(module, arguments, limit_s)
        return probe.ChildResult(None, -11, "SIGSEGV (11)", False, "", 0.1)

    probe_all(folder=folder, run=run)
    return folder / "probe.json"


@pytest.fixture
def probed(found: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, in which the card of a made-up computer hung."""
    monkeypatch.setenv("HRM_CACHE_DIR", str(tmp_path))
    path = tmp_path / "probe.json"
    stored = JsonCache(found).read()
    stored["checks"].append(
        dict(
            zip(
                ProbeCheck.__slots__,
                ["step", "cuda:0", "fp32", "", "", False, "hung", {}, 1.0, ""],
                strict=True,
            )
        )
    )
    JsonCache(path).write(stored)
    return path


@pytest.mark.long
def test_a_later_start_finds_what_was_proved_and_tries_nothing(probed: Path, monkeypatch) -> None:
    def forbidden(*_args, **_options):
        raise AssertionError("something was tried")

    monkeypatch.setattr(probe, "run_child", forbidden)
    monkeypatch.setattr(probe.probe_check, "__defaults__", ("cpu", forbidden))
    report = cached_report()
    assert report is not None
    assert report.cached
    assert report.proof.failure_of("cuda:0") == "hung"
    monkeypatch.setattr(choosing, "available", lambda: there(GREEN))
    assert choose().backend == "cpu"
    assert choose("rocm").backend == "cpu"
    assert {option.device for option in Ladder.of(choose()).options} == {"cpu"}


@pytest.mark.slow
def test_other_circumstances_make_it_unknown_again(probed: Path, monkeypatch) -> None:
    monkeypatch.setenv("HSA_OVERRIDE_GFX_VERSION", "10.3.0")
    assert cached_report() is None
    monkeypatch.setattr(choosing, "available", lambda: there(GREEN))
    assert choose().backend == "rocm"


@pytest.mark.parametrize("content", [None, "{ not json"])
def test_without_a_cache_or_with_a_damaged_one_nothing_is_known(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "probe.json").write_text(content, encoding="utf-8")
    assert cached_report(tmp_path) is None


def test_a_computer_without_a_card_does_not_look_for_a_cache(monkeypatch) -> None:
    monkeypatch.setattr(choosing, "available", lambda: [CPU])
    monkeypatch.setattr(choosing, "cached_report", lambda: pytest.fail("it looked"))
    assert choose().backend == "cpu"

"""A probe runs every check in a child: a crash, a hang or a wrong answer fails that check and no other."""

import json
import os
import sys
from pathlib import Path

import pytest
import torch

from hrm.backends import choose, json_cache
from hrm.backends.__main__ import main
from hrm.backends.compile_caches import caches, clear, places
from hrm.backends.errors import ConfigurationError
from hrm.backends.probing import checks, probe
from hrm.backends.probing.child import ChildResult, run_child
from hrm.backends.probing.probe import probe_all, probe_check
from hrm.backends.probing.report import text

CARD = {"name": "cuda:0", "title": "RX 7800 XT", "architecture": "gfx1101", "memory": 16 << 30}
CPU = {"name": "cpu", "title": "CPU", "architecture": "", "memory": None}
BACKENDS = [
    {"name": "auto", "usable": True, "reason": "", "devices": [CARD]},
    {"name": "rocm", "usable": True, "reason": "", "devices": [CARD]},
    {"name": "directml", "usable": False, "reason": "Windows only", "devices": []},
    {"name": "cpu", "usable": True, "reason": "", "devices": [CPU]},
]


def _ended(answer=None, returncode: int | None = 0, *, timed_out: bool = False, how: str = "") -> ChildResult:
    return ChildResult(answer, returncode, how, timed_out, "", 0.1)


class Machine:
    """Stands for the children of one computer; `faults` are how some of the checks end there."""

    def __init__(self, faults=None) -> None:
        self.faults = faults or {}
        self.driver = "6.12"
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, module: str, arguments, limit_s: float) -> ChildResult:
        assert module == "hrm.backends.probing.checks"
        assert limit_s > 0
        name, options = arguments[0], json.loads(arguments[1])
        about = (name, options["device"], options.get("precision", ""), options.get("attention", ""))
        self.asked.append(about)
        for key in (about, about[:3], about[:2], name):
            if key in self.faults:
                return self.faults[key]
        if name == "system":
            return _ended({"ok": True, "drivers": {"amdgpu": self.driver}})
        if name == "enumerate":
            return _ended({"ok": True, "backends": BACKENDS})
        speed = {"bf16": 1.0, "int8": 2.0}.get(options.get("precision", ""), 4.0)
        return _ended({"ok": True, "p50_ms": speed, "p95_ms": speed})

    def steps(self) -> list[tuple[str, str]]:
        return [(about[1], about[2]) for about in self.asked if about[0] == "step"]


def test_a_computer_where_all_works_proves_its_fastest_precisions(tmp_path: Path) -> None:
    said: list[str] = []
    report = probe_all(folder=tmp_path, run=Machine(), progress=said.append)
    assert report.proved == {"cuda:0": "bf16", "cpu": "int8"}
    assert not report.failed()
    assert [info.name for info in report.backends if info.usable] == ["auto", "rocm", "cpu"]
    assert any("step cuda:0 bf16" in words for words in said)
    assert report.proof.best == {"cuda:0": "bf16"}
    assert report.proof.failed == {}
    assert "probed now" in text(report)
    chosen = choose(backends=report.backends, proof=report.proof)
    assert (chosen.device, chosen.precision) == ("cuda:0", "bf16")
    assert "a probe found bf16 correct" in chosen.reason
    assert chosen.hip_graphs and chosen.hip_flash and chosen.probed
    unknown = choose(backends=report.backends)
    assert not (unknown.hip_graphs or unknown.hip_flash or unknown.probed)


def test_a_crash_in_one_precision_leaves_the_other_and_the_cpu(tmp_path: Path) -> None:
    machine = Machine({("matmul", "cuda:0", "bf16"): _ended(None, -11)})
    report = probe_all(folder=tmp_path, run=machine)
    assert ("cuda:0", "bf16") not in machine.steps()
    assert report.proved == {"cuda:0": "fp32", "cpu": "int8"}
    (failed,) = report.failed()
    assert "SIGSEGV (11)" in failed.reason
    assert "SIGSEGV (11)" in text(report)


def test_a_card_without_working_memory_is_not_checked_further(tmp_path: Path) -> None:
    hung = _ended(None, None, timed_out=True, how="no answer within 45 s")
    machine = Machine({("allocate", "cuda:0"): hung})
    report = probe_all(folder=tmp_path, run=machine)
    assert machine.steps() == [("cpu", "fp32"), ("cpu", "fp32"), ("cpu", "int8")]
    assert report.failed()[0].reason == "hung (no answer within 45 s)"


def test_wrong_flash_attention_leaves_plain_attention_usable(tmp_path: Path) -> None:
    lies = _ended({"ok": False, "what": "it is 0.4 away from the right answer"})
    machine = Machine({("attention", "cuda:0", "bf16", "fast"): lies})
    report = probe_all(folder=tmp_path, run=machine)
    assert report.proved["cuda:0"] == "bf16"
    assert "0.4 away" in report.failed()[0].reason
    assert report.proof.flash == {("cuda:0", "fp32")}
    assert not choose(backends=report.backends, proof=report.proof).hip_flash


@pytest.mark.parametrize("name", ["import", "enumerate"])
def test_a_torch_that_cannot_be_imported_ends_the_probe_with_its_reason(tmp_path: Path, name: str) -> None:
    broken = _ended({"ok": False, "what": "libamdhip64.so.6: cannot open shared object file"})
    report = probe_all(folder=tmp_path, run=Machine({name: broken}))
    assert report.backends == []
    assert report.proved == {}
    assert "libamdhip64" in text(report)


def test_a_directml_card_is_probed_through_onnx_runtime(tmp_path: Path) -> None:
    device = {"name": "dml:0", "title": "a card", "architecture": "", "memory": None}
    listed = [{"name": "directml", "usable": True, "reason": "", "devices": [device]}]
    machine = Machine({"enumerate": _ended({"ok": True, "backends": listed})})
    assert "dml:0" in probe_all(folder=tmp_path, run=machine).proved
    assert machine.steps() == [("dml:0", "fp32"), ("dml:0", "fp16")]


def test_a_probe_is_cached_until_something_changes_or_a_person_asks(tmp_path: Path, monkeypatch) -> None:
    machine = Machine()
    first = probe_all(folder=tmp_path, run=machine)
    tried = len(machine.asked)
    again = probe_all(folder=tmp_path, run=machine)
    assert again.cached
    assert again.checks == first.checks
    assert len(machine.asked) == tried + 2
    assert "from the cache" in text(again)
    assert not probe_all(force=True, folder=tmp_path, run=machine).cached
    monkeypatch.setenv("HSA_OVERRIDE_GFX_VERSION", "11.0.0")
    assert not probe_all(folder=tmp_path, run=machine).cached
    machine.driver = "6.13"
    assert not probe_all(folder=tmp_path, run=machine).cached


@pytest.mark.parametrize("content", ["{ not json", "[]", '{"format": 4}', "\x00\xff"])
def test_a_corrupt_cache_is_set_aside_and_said_so(tmp_path: Path, content: str) -> None:
    path = tmp_path / "probe.json"
    path.write_text(content, encoding="utf-8")
    report = probe_all(folder=tmp_path, run=Machine())
    assert report.proved
    assert "could not be read" in report.message
    assert path.with_suffix(".json.bak").read_text(encoding="utf-8") == content
    assert probe_all(folder=tmp_path, run=Machine()).cached


def test_a_folder_that_cannot_be_written_costs_only_the_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert probe_all(folder=tmp_path / "file" / "below", run=Machine()).proved


def test_where_the_cache_lies_can_be_said(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HRM_CACHE_DIR", str(tmp_path))
    assert json_cache.cache_folder() == tmp_path
    monkeypatch.delenv("HRM_CACHE_DIR")
    assert json_cache.cache_folder().name == "hrm"


@pytest.fixture(scope="module")
def script(tmp_path_factory) -> str:
    """A module for children, which ends as its argument says."""
    folder = tmp_path_factory.mktemp("child")
    code = (
        "import json, os, signal, sys, time\n"
        "how = sys.argv[1]\n"
        "if how == 'sleep': time.sleep(600)\n"
        "if how == 'fail': print('nothing of use'); sys.exit(3)\n"
        "if how == 'crash': os.kill(os.getpid(), signal.SIGSEGV)\n"
        "if how == 'mute': sys.exit(0)\n"
        "print('noise'); print(json.dumps({'said': os.environ.get('HIP_VISIBLE_DEVICES')}))\n"
    )
    (folder / "hrm_child_of_a_test.py").write_text(code)
    return str(folder)


def test_a_child_answers_with_the_environment_it_was_given(script: str, monkeypatch) -> None:
    monkeypatch.setenv("PYTHONPATH", script)
    ended = run_child("hrm_child_of_a_test", ["answer"], 60, {"HIP_VISIBLE_DEVICES": "1"})
    assert ended.answer == {"said": "1"}
    assert ended.fault is None


@pytest.mark.slow
def test_a_child_imports_nothing_from_the_current_folder(tmp_path: Path, script: str, monkeypatch) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "argparse.py").write_text("open('was-run', 'w'); raise SystemExit(7)")
    (tmp_path / "here" / "hrm_child_of_a_test.py").write_text("open('was-run', 'w'); raise SystemExit(7)")
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", ".", script]))
    assert run_child("hrm_child_of_a_test", ["answer"], 60).answer == {"said": None}
    assert run_child("hrm.backends.probing.checks", ["system"], 60).fault is None
    assert sorted(path.name for path in Path.cwd().iterdir()) == ["argparse.py", "hrm_child_of_a_test.py"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.parametrize(
    ("how", "limit_s", "kind", "words"),
    [
        ("crash", 60, "crash", "SIGSEGV"),
        ("fail", 60, "error", "exit code 3"),
        ("mute", 60, "error", "no answer"),
        ("sleep", 0.5, "hang", "no answer within 0.5 s"),
    ],
)
def test_each_kind_of_end_of_a_child_is_reported(script: str, monkeypatch, how, limit_s, kind, words) -> None:
    monkeypatch.setenv("PYTHONPATH", script)
    ended = run_child("hrm_child_of_a_test", [how], limit_s)
    assert ended.fault is not None
    assert ended.fault.kind == kind
    assert words in str(ended.fault)


def test_a_missing_python_is_reported(monkeypatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    ended = run_child("json", [], 5)
    assert ended.fault is not None
    assert "could not be started" in ended.how


@pytest.mark.long
def test_a_real_child_takes_a_real_step_on_the_cpu(monkeypatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    check = probe_check("step", "cpu", tokens=8, repeats=3, precision="fp32")
    assert check.ok, check.reason
    assert check.answer["p50_ms"] > 0
    assert check.answer["error_share"] < 1e-4


@pytest.mark.parametrize("name", ["import", "enumerate", "allocate", "matmul", "attention", "conv2d"])
def test_every_check_passes_on_the_cpu(name: str) -> None:
    answer = checks.CHECKS[name]({"device": "cpu", "precision": "fp32", "megabytes": 1})
    assert answer.get("ok", True)


@pytest.mark.long
@pytest.mark.parametrize("engine", ["torch", "onnx"])
def test_a_step_is_judged_on_either_engine(engine: str) -> None:
    answer = checks.step({"device": "cpu", "engine": engine, "tokens": 6, "repeats": 2})
    assert answer["ok"]
    assert (answer["operators_by_provider"] == {}) == (engine == "torch")


def test_nan_and_wrong_results_fail_a_check() -> None:
    right = torch.ones(3).double()
    assert not checks.compared(right * float("nan"), right, 1.0)["ok"]
    assert "off by 0.5" in checks.compared(right * 1.5, right, 0.1)["what"]


def test_cards_are_found_by_pci_without_torch(tmp_path: Path) -> None:
    for address, kind in (("0000:03:00.0", "0x030000"), ("0000:04:00.0", "0x020000")):
        (tmp_path / address).mkdir()
        for name, value in (("class", kind), ("vendor", "0x1002"), ("device", "0x747e")):
            (tmp_path / address / name).write_text(value + "\n")
    (card,) = checks.system({"pci": str(tmp_path)})["cards"]
    assert card == {"address": "0000:03:00.0", "vendor": "0x1002", "device": "0x747e", "driver": ""}
    assert checks.system({"pci": str(tmp_path / "none")})["cards"] == []


def test_an_exception_of_a_check_is_its_answer(capsys) -> None:
    assert checks.main(["allocate", '{"device": "nonsense"}']) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["ok"] is False
    assert said["remedy"]


def test_compile_caches_are_found_measured_and_emptied(tmp_path: Path) -> None:
    moved = {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "inductor")}
    (tmp_path / "inductor" / "deep").mkdir(parents=True)
    (tmp_path / "inductor" / "deep" / "kernel.so").write_bytes(b"x" * 1000)
    found = {cache.name: cache for cache in caches(moved, tmp_path)}
    assert (found["inductor"].files, found["inductor"].size) == (1, 1000)
    assert found["triton"].path == tmp_path / ".triton" / "cache"
    assert clear("inductor", moved, tmp_path).size == 1000
    assert {cache.size for cache in caches(moved, tmp_path)} == {0}
    assert clear("inductor", moved, tmp_path).files == 0


def test_no_more_than_a_cache_is_ever_emptied(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no cache"):
        clear("documents", {}, tmp_path)
    for folder in ("/", str(Path.home())):
        with pytest.raises(ConfigurationError, match="more than a cache"):
            clear("triton", {"TRITON_CACHE_DIR": folder}, tmp_path)


def test_the_command_line_probes_and_measures_and_clears_caches(tmp_path: Path, monkeypatch, capsys) -> None:
    machine = Machine()
    monkeypatch.setattr(probe, "run_child", machine)
    monkeypatch.setattr(probe.probe_all, "__defaults__", (False, tmp_path, machine, None))
    assert main(["probe", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proved"]["cuda:0"] == "bf16"
    for name, variable in (("t", "TRITON_CACHE_DIR"), ("i", "TORCHINDUCTOR_CACHE_DIR")):
        monkeypatch.setenv(variable, str(tmp_path / name))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("MIOPEN_CUSTOM_CACHE_DIR", str(tmp_path / "m"))
    monkeypatch.setenv("MIOPEN_USER_DB_PATH", str(tmp_path / "u"))
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "kernel").write_bytes(b"12345678")
    assert main(["caches"]) == 0
    assert "triton" in capsys.readouterr().out
    assert main(["caches", "--clear", "all"]) == 0
    assert "cleared triton" in capsys.readouterr().out
    assert not (tmp_path / "t").exists()
    assert main(["caches", "--clear", "documents"]) == 2
    assert "no cache 'documents'" in capsys.readouterr().err


def test_where_caches_lie_follows_the_environment(tmp_path: Path) -> None:
    assert places({"TRITON_HOME": "/somewhere"}, tmp_path)["triton"] == Path("/somewhere/.triton/cache")
    assert os.sep in str(places({}, tmp_path)["inductor"])

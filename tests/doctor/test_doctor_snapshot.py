"""The doctor's look at a computer: its files, nodes, commands and torch, whatever they say."""

import errno
import json
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from machines import AMD_DEVICE, RX7800XT, RX7800XT_NODES, healthy_7800xt, parameters, rocm_torch

from botapp.doctor import snapshot
from botapp.doctor.cards import cards
from botapp.doctor.examination import examine
from botapp.doctor.faults import diagnose
from botapp.doctor.machine import InstalledTorch, Machine, ProvedPlacement, TorchDevice
from botapp.doctor.snapshot import VARIABLES, open_nodes, output, read_files, system_of, tried
from hrm.backends.probing.report import ProbeCheck, ProbeReport

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="these are Linux's files")


def tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def quiet(command: Sequence[str], limit_s: float) -> str:
    return ""


@linux
def test_a_machine_is_read_off_its_files(tmp_path: Path) -> None:
    root = tree(
        tmp_path, RX7800XT | RX7800XT_NODES | parameters() | {"/dev/kfd": "", "/dev/dri/renderD128": ""}
    )
    asked: list[str] = []

    def run(command: Sequence[str], limit_s: float) -> str:
        asked.append(command[0])
        if command[0] == "dmesg":
            return "usb 1-1: new device\namdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0)\n"
        return ""

    found = snapshot.look(root, run=run, environment={"HSA_OVERRIDE_GFX_VERSION": "11.0.0", "HOME": "/x"})
    assert found.system == "linux"
    assert [card.gfx for card in cards(found)] == ["gfx1101"]
    assert found.devices == {"/dev/kfd": "", "/dev/dri/renderD128": ""}
    assert found.environment == {"HSA_OVERRIDE_GFX_VERSION": "11.0.0"}
    assert found.outputs == {"dmesg": "amdgpu 0000:03:00.0: amdgpu: [gfxhub] page fault (src_id:0)"}
    assert {"rocminfo", "nvidia-smi", "dmesg", "ls"} <= set(asked)
    assert "numpy" in found.packages
    assert found.torch is not None
    assert found.torch.version


@linux
def test_without_a_card_nothing_is_run(tmp_path: Path) -> None:
    def run(command: Sequence[str], limit_s: float) -> str:
        raise AssertionError(command)

    found = snapshot.look(tree(tmp_path, parameters()), run=run, environment={})
    assert cards(found) == ()
    assert found.devices == {}
    assert diagnose(found) == []


@linux
def test_a_node_that_may_not_be_opened_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    root = tree(tmp_path, {"/dev/kfd": ""})
    monkeypatch.setattr(snapshot.os, "open", refused)
    assert open_nodes(root) == {"/dev/kfd": "EACCES"}


@linux
def test_nodes_are_opened_or_named_as_missing(tmp_path: Path) -> None:
    assert open_nodes(tmp_path) == {"/dev/kfd": "ENOENT"}
    root = tree(tmp_path, {"/dev/dri/renderD128": ""})
    (root / "dev/kfd").mkdir()
    assert open_nodes(root) == {"/dev/kfd": "EISDIR", "/dev/dri/renderD128": ""}
    assert stat.S_ISDIR((root / "dev/kfd").stat().st_mode)


@linux
def test_a_file_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    root = tree(tmp_path, {"/proc/version": "Linux"})
    (root / "proc/cmdline").mkdir()
    assert read_files(root) == {"/proc/version": "Linux"}


@pytest.mark.parametrize(
    ("platform", "kernel", "system"),
    [
        ("linux", "Linux version 6.14.0", "linux"),
        ("linux", "Linux version 6.6.87.2-microsoft-standard-WSL2", "wsl"),
        ("win32", "", "windows"),
        ("darwin", "", "other"),
    ],
)
def test_the_system_is_told(platform: str, kernel: str, system: str) -> None:
    assert system_of(platform, {"/proc/version": kernel}) == system


def test_windows_without_its_libraries_is_looked_at_all_the_same() -> None:
    found = snapshot.look(run=quiet, environment={}, platform_name="win32")
    assert (found.system, found.files, found.devices) == ("windows", {}, {})


def test_a_command_is_run_or_says_nothing() -> None:
    assert output([sys.executable, "-c", "print(5)"], 30).strip() == "5"
    assert output(["no-such-command-anywhere"], 1) == ""


def test_torch_in_a_child_tells_chips_and_devices() -> None:
    said = "a warning\n" + json.dumps(
        {"chips": ["gfx1101"], "devices": [["AMD Radeon RX 7800 XT", "gfx1101", "0000:03:00.0", 17]]}
    )
    known = InstalledTorch("2.13.0+rocm7.2", "7.2")
    found = snapshot.torch_said(known, said)
    assert found.chips == ("gfx1101",)
    assert found.devices == (TorchDevice("AMD Radeon RX 7800 XT", "gfx1101", "0000:03:00.0", 17),)
    assert found.error == "a warning"
    died = snapshot.torch_said(known, "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION\n")
    assert (died.chips, "APERTURE" in died.error) == (None, True)
    assert snapshot.torch_said(known, "").error


@pytest.mark.long
def test_the_question_put_to_torch_is_answered_by_this_torch() -> None:
    said = output([sys.executable, "-c", snapshot.ASK_TORCH], 60)
    assert snapshot.torch_said(InstalledTorch("2"), said).devices is not None


def test_a_torch_for_a_card_is_asked_and_one_for_cpus_is_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "version.py").write_text(
        "from typing import Optional\ncuda: Optional[str] = None\nhip: Optional[str] = '7.2.26015'\n"
    )

    class Installed:
        version = "2.13.0+rocm7.2"

        def locate_file(self, name: str) -> Path:
            return tmp_path / name

    monkeypatch.setattr(snapshot, "distribution", lambda name: Installed())
    found = snapshot.installed_torch(lambda command, limit: '{"chips": [], "devices": []}', ask=True)
    assert found == InstalledTorch("2.13.0+rocm7.2", "7.2.26015", "", (), ())
    assert snapshot.installed_torch(quiet, ask=False) == InstalledTorch("2.13.0+rocm7.2", "7.2.26015")

    def missing(name: str) -> None:
        raise snapshot.PackageNotFoundError

    monkeypatch.setattr(snapshot, "distribution", missing)
    assert snapshot.installed_torch(quiet, ask=True) is None


def test_only_variables_that_matter_are_kept() -> None:
    assert not {"HOME", "USER", "PATH", "HOSTNAME"} & set(VARIABLES)


def probe_check(
    name: str, ok: bool = True, reason: str = "", device: str = "cuda:0", **answer: Any
) -> ProbeCheck:
    precision = answer.pop("precision", "fp32")
    engine = answer.pop("engine", "")
    return ProbeCheck(name, device, precision, "", engine, ok, reason, answer, 1.0)


def test_the_probes_rungs_are_read_as_trials() -> None:
    checks = (
        probe_check("system", device=""),
        probe_check("step", device="cpu", ok=False, error_share=9.0),
        probe_check("allocate"),
        probe_check("matmul", error_share=1e-7),
        probe_check("matmul", ok=False, reason="NaN", precision="bf16", what="NaN", error_share=None),
        probe_check("attention", ok=False, reason="unsupported", what="unsupported", error="DeviceError"),
        probe_check("attention"),
        probe_check("conv2d", ok=False, reason="crash: SIGSEGV (11)"),
        probe_check("step", ok=False, reason="it is 0.3 away", precision="bf16", what="x", error_share=0.3),
    )
    machine = tried(Machine(torch=rocm_torch(AMD_DEVICE)), lambda: ProbeReport("key", checks, 0.0))
    assert [(t.name, t.ok, t.how, t.answered, t.error) for t in machine.trials] == [
        ("matmul", True, "", False, None),
        ("bf16 in matmul", False, "NaN", True, None),
        ("attention", False, "unsupported", True, None),
        ("conv2d", False, "crash: SIGSEGV (11)", False, None),
        ("bf16 in step", False, "it is 0.3 away", True, 0.3),
    ]
    titles = [finding.title for finding in diagnose(machine)]
    assert "conv2d ends its process on cuda:0" in titles
    assert "bf16 in matmul gives no numbers on cuda:0" in titles
    assert "bf16 in step gives other answers than fp32 on cuda:0" in titles


def test_an_operator_that_only_raises_is_said_to_fail() -> None:
    checks = (probe_check("conv2d", ok=False, reason="no kernel", what="no kernel"),)
    machine = tried(Machine(torch=rocm_torch(AMD_DEVICE)), lambda: ProbeReport("key", checks, 0.0))
    assert [finding.title for finding in diagnose(machine)] == ["conv2d fails on cuda:0"]


def test_where_directml_put_its_nodes_is_read_too() -> None:
    placed = {"DmlExecutionProvider": 40, "CPUExecutionProvider": 2}
    checks = (probe_check("step", device="dml:0", engine="onnx", operators_by_provider=placed),)
    machine = Machine(
        system="windows", adapters=({"vendor": 0x1002},), packages={"onnxruntime-directml": "1.24"}
    )
    found = tried(machine, lambda: ProbeReport("key", checks, 0.0))
    assert found.placements == (ProvedPlacement("DmlExecutionProvider", tuple(placed), placed),)


def test_without_a_card_nothing_is_tried() -> None:
    for torch in (None, InstalledTorch("2.13.0+cpu"), rocm_torch()):
        machine = Machine(torch=torch)
        assert tried(machine) is machine


@pytest.mark.slow
def test_the_whole_answer_is_plain_data(monkeypatch: pytest.MonkeyPatch) -> None:
    report = ProbeReport("key", (probe_check("conv2d", ok=False, reason="no kernel", what="no kernel"),), 0.0)
    monkeypatch.setattr("botapp.doctor.examination.look", lambda: healthy_7800xt)
    monkeypatch.setattr("hrm.backends.probing.probe.probe_all", lambda: report)
    found = examine()
    assert "conv2d fails on cuda:0" in {finding["title"] for finding in found["findings"]}
    assert json.loads(json.dumps(found))["cards"][0]["gfx"] == "gfx1101"

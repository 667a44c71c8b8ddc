"""The backends found here, and the device and precision chosen for each request."""

import sys
from types import SimpleNamespace

import pytest
import torch

from hrm.backends import BackendInfo, DeviceInfo, available, choose
from hrm.backends.memory.pdh import Adapter

H200 = DeviceInfo("cuda:0", "NVIDIA H200", "sm_90", 141 << 30)
TURING = DeviceInfo("cuda:1", "T4", "sm_75", 16 << 30)
CPU = BackendInfo("cpu", True, "always works", (DeviceInfo("cpu", "CPU", "x86_64"),))


def _machine(monkeypatch: pytest.MonkeyPatch, *, hip: str | None, cuda: str | None, devices: int) -> None:
    monkeypatch.setattr(torch.version, "hip", hip, raising=False)
    monkeypatch.setattr(torch.version, "cuda", cuda, raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: devices > 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: devices)
    properties = SimpleNamespace(
        name="AMD Radeon RX 7800 XT" if hip else "NVIDIA H200",
        gcnArchName="gfx1101:sramecc-",
        major=9,
        minor=0,
        total_memory=16 << 30,
    )
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda _: properties)


def test_a_computer_without_a_card_has_the_cpu_and_says_why_nothing_else(monkeypatch) -> None:
    _machine(monkeypatch, hip=None, cuda=None, devices=0)
    found = {info.name: info for info in available()}
    assert [info.name for info in available()] == ["auto", "rocm", "cuda", "directml", "cpu"]
    assert [name for name, info in found.items() if info.usable] == ["auto", "cpu"]
    assert "not built for ROCm" in found["rocm"].reason
    assert "Windows only" in found["directml"].reason
    assert choose().device == "cpu"
    assert choose().precision == "fp32"


def test_an_amd_card_is_found_under_rocm_with_its_gfx(monkeypatch) -> None:
    _machine(monkeypatch, hip="7.1", cuda=None, devices=1)
    rocm = next(info for info in available() if info.name == "rocm")
    assert rocm.usable
    assert rocm.devices[0].architecture == "gfx1101"
    picked = choose()
    assert (picked.backend, picked.device, picked.precision) == ("rocm", "cuda:0", "bf16")


def test_an_nvidia_card_is_found_under_cuda(monkeypatch) -> None:
    _machine(monkeypatch, hip=None, cuda="13.0", devices=2)
    picked = choose("cuda", "cuda:1")
    assert (picked.backend, picked.device, picked.precision) == ("cuda", "cuda:1", "bf16")


def test_a_build_without_its_card_and_a_failing_driver_are_told_apart(monkeypatch) -> None:
    _machine(monkeypatch, hip=None, cuda="13.0", devices=0)
    assert "no card" in next(info for info in available() if info.name == "cuda").reason

    def broken() -> bool:
        raise RuntimeError("driver too old")

    monkeypatch.setattr(torch.cuda, "is_available", broken)
    assert "driver too old" in next(info for info in available() if info.name == "cuda").reason


def test_on_windows_directml_is_not_said_to_be_of_another_system(monkeypatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    reason = next(info for info in available() if info.name == "directml").reason
    assert "Windows only" not in reason
    assert "pip install onnxruntime-directml" in reason


@pytest.mark.parametrize("backend", ["rocm", "directml", "abacus"])
def test_what_cannot_be_had_falls_back_to_the_cpu_with_the_reason(backend: str) -> None:
    infos = [
        BackendInfo("rocm", False, "no card"),
        BackendInfo("directml", False, "not in this version"),
        CPU,
    ]
    picked = choose(backend, backends=infos)
    assert picked.backend == "cpu"
    assert picked.asked.startswith(backend)
    assert f"{backend} cannot be used" in picked.reason


def test_a_device_that_is_not_there_gives_the_one_with_the_most_memory() -> None:
    infos = [BackendInfo("cuda", True, "", (TURING, H200)), CPU]
    picked = choose("cuda", "cuda:7", backends=infos)
    assert picked.device == "cuda:0"
    assert "no device cuda:7" in picked.reason


def test_a_card_of_its_own_comes_before_one_that_shares_the_computers_memory() -> None:
    apu = DeviceInfo("cuda:0", "Radeon 8060S", "gfx1151", 96 << 30, shared=True)
    card = DeviceInfo("cuda:1", "RX 7600", "gfx1102", 8 << 30)
    infos = [BackendInfo("rocm", True, "", (apu, card)), CPU]
    assert choose("rocm", backends=infos).device == "cuda:1"
    assert choose("rocm", "cuda:0", backends=infos).device == "cuda:0"


def test_directml_lists_windows_adapters_by_their_numbers(monkeypatch) -> None:
    listed = (
        Adapter("Intel UHD 770", 0x8086, 1, 1, 128 << 20, False, 16 << 30),
        Adapter("Basic Render Driver", 0x1414, 2, 2, 0, True, 16 << 30),
        Adapter("RX 7800 XT", 0x1002, 3, 3, 16 << 30, False, 16 << 30),
    )
    runtime = SimpleNamespace(
        get_available_providers=lambda: ["DmlExecutionProvider"], __version__="1.24", __spec__=object()
    )
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    monkeypatch.setattr("hrm.backends.memory.pdh.adapters", lambda: listed)
    found = next(info for info in available() if info.name == "directml")
    assert [(device.name, device.title) for device in found.devices] == [
        ("dml:0", "Intel UHD 770"),
        ("dml:2", "RX 7800 XT"),
    ]
    assert [device.shared for device in found.devices] == [True, False]
    assert found.devices[0].memory == (16 << 30) + (128 << 20)
    picked = choose("directml", backends=[found, CPU])
    assert (picked.device, picked.engine) == ("dml:2", "onnx")
    assert choose("auto", "dml:0", backends=[found, CPU]).device == "dml:0"
    monkeypatch.setattr("hrm.backends.memory.pdh.adapters", lambda: ())
    unknown = next(info for info in available() if info.name == "directml")
    assert [device.name for device in unknown.devices] == ["dml:0"]


@pytest.mark.parametrize("own", [0, 512 << 20, 4_293_918_720, 32 << 30, 96 << 30])
@pytest.mark.parametrize("chip_first", [True, False])
def test_directml_takes_the_card_whatever_memory_is_set_aside_for_the_chip(monkeypatch, own, chip_first):
    chip = Adapter("AMD Radeon 890M", 0x1002, 0x150E, 1, own, False, 32 << 30)
    card = Adapter("AMD Radeon RX 7800 XT", 0x1002, 0x747E, 2, 16 << 30, False, 32 << 30)
    runtime = SimpleNamespace(
        get_available_providers=lambda: ["DmlExecutionProvider"], __version__="1.24", __spec__=object()
    )
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    both = (chip, card) if chip_first else (card, chip)
    monkeypatch.setattr("hrm.backends.memory.pdh.adapters", lambda: both)
    found = next(info for info in available() if info.name == "directml")
    plan = choose(backends=[found, CPU])
    assert plan.device == f"dml:{both.index(card)}"
    assert chip.room == own + (32 << 30)


def test_naming_a_device_is_enough_to_name_its_backend() -> None:
    infos = [BackendInfo("cuda", True, "", (H200,)), CPU]
    assert choose("auto", "cpu", backends=infos).backend == "cpu"


@pytest.mark.parametrize(
    ("device", "asked", "got"),
    [
        (H200, "auto", "bf16"),
        (H200, "fp16", "fp16"),
        (H200, "fp32", "fp32"),
        (TURING, "auto", "fp16"),
        (TURING, "bf16", "fp16"),
    ],
)
def test_precision_on_cuda(device: DeviceInfo, asked: str, got: str) -> None:
    assert (
        choose("cuda", precision=asked, backends=[BackendInfo("cuda", True, "", (device,)), CPU]).precision
        == got
    )


@pytest.mark.parametrize("asked", ["auto", "fp16", "fp32"])
def test_a_cpu_computes_in_fp32(asked: str) -> None:
    assert choose("cpu", precision=asked, backends=[CPU]).precision == "fp32"


def test_a_cpu_computes_in_bf16_where_it_has_it_and_that_is_asked(monkeypatch) -> None:
    for there, got in ((True, "bf16"), (False, "fp32")):
        monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda there=there: there)
        monkeypatch.setattr(torch.cpu, "_is_amx_tile_supported", lambda: False)
        picked = choose("cpu", precision="bf16", backends=[CPU])
        assert picked.precision == got
        assert ("slower than fp32" in picked.reason) is not there


@pytest.mark.parametrize("card", [H200, DeviceInfo("cpu", "CPU")])
def test_a_precision_that_does_not_exist_is_said_so(card: DeviceInfo) -> None:
    backend = "cpu" if card.name == "cpu" else "cuda"
    picked = choose(backend, precision="int4", backends=[BackendInfo(backend, True, "", (card,)), CPU])
    assert picked.precision == ("fp32" if backend == "cpu" else "bf16")
    assert "there is no precision int4" in picked.reason


def test_an_unproved_amd_card_starts_in_fp32() -> None:
    card = DeviceInfo("cuda:0", "RX 6800", "gfx1030", 16 << 30)
    assert choose("rocm", backends=[BackendInfo("rocm", True, "", (card,)), CPU]).precision == "fp32"

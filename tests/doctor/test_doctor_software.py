"""What is installed is judged by the card: the build of torch, its code, versions, packages that clash."""

import sys
from dataclasses import replace

import pytest
from machines import (
    Machine,
    cpu_torch_7800xt,
    geforce,
    healthy_7800xt,
    names,
    old_driver_9070,
    rocm_torch,
    stock_5700xt,
    windows_two_onnx,
)

from botapp.doctor.faults import diagnose
from botapp.doctor.install import has_wheel, python_fits, torch_command
from botapp.doctor.machine import InstalledTorch, TorchDevice
from hrm.backends.architectures import shares_memory


def test_a_torch_for_cpus_gets_the_command_for_its_card() -> None:
    finding = diagnose(cpu_torch_7800xt)[0]
    assert finding.fix[0].startswith(f"{sys.executable} -m pip install ")
    assert '"torch[device-gfx1101]==2.13.0+rocm' in finding.fix[0]
    assert "--index-url https://" in finding.fix[0]
    old = diagnose(replace(cpu_torch_7800xt, python="3.9.2"))[0]
    assert "3.9.2" in old.fix[0]


def test_a_torch_for_nvidia_is_wrong_on_an_amd_machine_too() -> None:
    machine = replace(cpu_torch_7800xt, torch=InstalledTorch("2.13.0+cu130", "", "13.0"))
    assert "NVIDIA" in diagnose(machine)[0].title


def test_directml_makes_a_cpu_torch_less_of_a_fault() -> None:
    finding = next(f for f in diagnose(windows_two_onnx) if f.fault == "wrong-torch")
    assert finding.severity == "warning"
    assert any("DirectML" in line for line in finding.fix)


def test_a_chip_of_rdna_1_gets_amds_own_build() -> None:
    finding = diagnose(stock_5700xt)[0]
    assert finding.fix == [torch_command("gfx1010")]
    assert any("invalid device function" in line for line in finding.evidence)


def target_of(chip: str) -> int:
    """The driver's number for a chip: gfx1013 is 100103."""
    digits = chip.removeprefix("gfx")
    return int(digits[:-2]) * 10000 + int(digits[-2], 16) * 100 + int(digits[-1], 16)


@pytest.mark.parametrize(
    ("chip", "words"), [("gfx1013", "Nobody publishes"), ("gfx1153", "has not tried it")]
)
def test_a_chip_nobody_builds_for_or_tried_gets_the_truth(chip: str, words: str) -> None:
    nodes = {
        path: text.replace("gfx_target_version 100100", f"gfx_target_version {target_of(chip)}")
        for path, text in stock_5700xt.files.items()
    }
    finding = next(f for f in diagnose(replace(stock_5700xt, files=nodes)) if f.fault == "no-code")
    assert words in " ".join(finding.fix)


@pytest.mark.parametrize(
    ("chips", "named"),
    [
        (("gfx1101",), False),
        (("gfx1101:sramecc-:xnack-",), False),
        (("gfx11-generic",), False),
        (("gfx1100",), True),
        ((), True),
    ],
)
def test_code_for_a_chip_is_its_own_or_its_familys(chips: tuple[str, ...], named: bool) -> None:
    assert healthy_7800xt.torch is not None
    machine = replace(healthy_7800xt, torch=replace(healthy_7800xt.torch, chips=chips))
    assert ("no-code" in names(machine)) is named


def test_a_geforce_without_code_is_told_too() -> None:
    assert geforce.torch is not None
    said = "RuntimeError: CUDA error: no kernel image is available for execution on the device"
    machine = replace(geforce, torch=replace(geforce.torch, error=said))
    assert names(machine) == {"no-code"}


@pytest.mark.parametrize(
    ("module", "hip", "named"),
    [
        ("6.16.13", "7.2.0", False),
        ("6.16.13-2278356.24.04", "6.3.0", False),
        ("6.14.14", "10.0.0", False),
        ("6.12.12", "10.0.0", True),
        ("6.12.12", "7.1.0", False),
        ("6.10.5", "7.2.0", True),
        ("6.19.14", "6.4.0", True),
        ("6.19.18", "10.1.0", False),
        ("6.16.13", "6.0.0", True),
        ("5.0.0", "7.2.0", False),
    ],
)
def test_driver_and_torch_may_be_as_far_apart_as_amd_says(module: str, hip: str, named: bool) -> None:
    device = TorchDevice("AMD Radeon RX 9070 XT", "gfx1201", "0000:03:00.0", 1)
    files = old_driver_9070.files | {"/sys/module/amdgpu/version": module}
    machine = replace(old_driver_9070, files=files, torch=rocm_torch(device, hip=hip))
    assert ("versions" in names(machine)) is named


def test_libraries_of_another_rocm_in_front_are_told() -> None:
    machine = replace(
        healthy_7800xt,
        files=healthy_7800xt.files | {"/opt/rocm/.info/version": "6.4.1-83\n"},
        environment={"LD_LIBRARY_PATH": "/opt/rocm/lib"},
    )
    assert names(machine) == {"versions"}
    assert "6.4.1-83" in diagnose(machine)[0].title


@pytest.mark.parametrize(
    ("packages", "words"),
    [
        ({"torch": "2.13.0", "torch-directml": "0.2.5"}, "abandoned"),
        ({"opencv-python": "5.0", "opencv-python-headless": "5.0"}, "OpenCV"),
        ({"onnxruntime": "1.31", "onnxruntime-gpu": "1.31"}, "2 packages of ONNX Runtime"),
    ],
)
def test_packages_that_break_each_other_are_named(packages: dict[str, str], words: str) -> None:
    (finding,) = diagnose(replace(healthy_7800xt, packages=packages))
    assert words in finding.title


def test_old_torch_directml_with_its_own_torch_is_fine() -> None:
    packages = {"torch": "2.4.1", "torch-directml": "0.2.5"}
    assert names(replace(healthy_7800xt, packages=packages)) == set()


def test_install_commands_are_for_published_chips_only() -> None:
    assert "device-gfx1101" in torch_command("gfx1101")
    assert torch_command("gfx1013") == ""
    assert not has_wheel("")
    assert python_fits(Machine(python="3.13.1"))
    assert not python_fits(Machine(python="3.8.1"))
    assert shares_memory("gfx1036")
    assert not shares_memory("gfx1101")

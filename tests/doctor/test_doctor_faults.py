"""The doctor names what is wrong with a machine, all of it and nothing else, with a way out for each."""

from dataclasses import replace

import pytest
from machines import (
    AMD_DEVICE,
    MACHINES,
    Machine,
    container_7800xt,
    cpu_torch_7800xt,
    full_6600,
    geforce,
    healthy_7800xt,
    nan_6800,
    no_group_7800xt,
    old_driver_9070,
    overridden_5700xt,
    parameters,
    rocm_torch,
    stock_5700xt,
    two_gpus_7900xtx,
    windows_override,
    windows_two_onnx,
    wsl_7800xt,
)

from botapp.doctor.cards import amd, cards, gfx_name, is_integrated
from botapp.doctor.faults import DETECTORS, diagnose
from botapp.doctor.install import has_wheel, python_fits, torch_command
from botapp.doctor.machine import Placement, Torch, TorchDevice, Trial, version

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


def names(machine: Machine) -> set[str]:
    return {finding.fault for finding in diagnose(machine)}


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


def test_a_torch_for_cpus_gets_the_command_for_its_card() -> None:
    finding = diagnose(cpu_torch_7800xt)[0]
    assert 'torch[device-gfx1101]"' in finding.fix[0]
    assert "--index-url https://" in finding.fix[0]
    old = diagnose(replace(cpu_torch_7800xt, python="3.9.2"))[0]
    assert "3.9.2" in old.fix[0]


def test_a_torch_for_nvidia_is_wrong_on_an_amd_machine_too() -> None:
    machine = replace(cpu_torch_7800xt, torch=Torch("2.13.0+cu130", "", "13.0"))
    assert "NVIDIA" in diagnose(machine)[0].title


def test_directml_makes_a_cpu_torch_less_of_a_fault() -> None:
    finding = next(f for f in diagnose(windows_two_onnx) if f.fault == "wrong-torch")
    assert finding.severity == "warning"
    assert any("DirectML" in line for line in finding.fix)


def test_refused_device_nodes_need_a_login_and_a_container_its_options() -> None:
    refused = diagnose(no_group_7800xt)[0]
    assert refused.relogin
    assert any("render" in line for line in refused.evidence)
    boxed = diagnose(container_7800xt)[0]
    assert "--device=/dev/kfd" in boxed.fix[0]
    assert not boxed.relogin
    bare = replace(container_7800xt, files=healthy_7800xt.files)
    assert "modprobe" in diagnose(bare)[0].fix[0]


def test_a_chip_of_rdna_1_gets_amds_own_build() -> None:
    finding = diagnose(stock_5700xt)[0]
    assert finding.fix == (torch_command("gfx1010"),)
    assert any("invalid device function" in line for line in finding.evidence)


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


def target_of(chip: str) -> int:
    """The driver's number for a chip: gfx1013 is 100103."""
    digits = chip.removeprefix("gfx")
    return int(digits[:-2]) * 10000 + int(digits[-2], 16) * 100 + int(digits[-1], 16)


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


def test_a_crash_names_operator_signal_kernel_line_and_what_worked() -> None:
    finding = next(f for f in diagnose(overridden_5700xt) if f.fault == "crash")
    seen = "\n".join(finding.evidence)
    for words in (
        "conv2d on cuda:0: SIGABRT (6)",
        "APERTURE",
        "page fault",
        "matmul, attention on cuda:0: fine",
    ):
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


def test_the_bought_card_is_pointed_to_by_chip_and_number() -> None:
    finding = diagnose(two_gpus_7900xtx)[0]
    assert "cuda:1 (gfx1100)" in finding.fix[0]
    assert finding.fix[1] == "export HIP_VISIBLE_DEVICES=1"
    assert two_gpus_7900xtx.torch is not None
    alone = replace(two_gpus_7900xtx.torch, devices=two_gpus_7900xtx.torch.devices[:1])
    assert "integrated-first" not in names(replace(two_gpus_7900xtx, torch=alone))


@pytest.mark.parametrize(
    ("value", "words"),
    [("11.0.1", "not needed"), ("11.0.0", "not needed"), ("10.3.0", "another family, gfx1030")],
)
def test_overrides_are_judged_by_the_card(value: str, words: str) -> None:
    machine = replace(healthy_7800xt, environment={"HSA_OVERRIDE_GFX_VERSION": value})
    (finding,) = diagnose(machine)
    assert words in finding.title


def test_an_override_that_is_needed_is_left_alone() -> None:
    assert full_6600.environment["HSA_OVERRIDE_GFX_VERSION"] == "10.3.0"
    assert "override" not in names(full_6600)
    assert "never right" in diagnose(windows_override)[0].title


def test_wsl_is_told_the_variable_or_the_library() -> None:
    assert diagnose(wsl_7800xt)[0].fix == ("export HSA_ENABLE_DXG_DETECTION=1",)
    told = replace(wsl_7800xt, environment={"HSA_ENABLE_DXG_DETECTION": "1"})
    assert "librocdxg" in " ".join(diagnose(told)[0].fix)
    newer = replace(wsl_7800xt, torch=rocm_torch(hip="7.13.0"))
    assert "librocdxg" in " ".join(diagnose(newer)[0].fix)
    assert names(replace(wsl_7800xt, torch=rocm_torch(AMD_DEVICE))) == set()


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


def test_memory_is_judged_by_share_and_by_spill() -> None:
    finding = next(f for f in diagnose(full_6600) if f.fault == "memory-full")
    assert "spills" in finding.title
    assert finding.verify == "cat /sys/bus/pci/devices/0000:0b:00.0/mem_info_vram_used"
    filled = {**geforce.outputs, "nvidia-smi": "00000000:01:00.0, RTX 3060, 580.95.05, 12288, 12000, 20\n"}
    (finding,) = diagnose(replace(geforce, outputs=filled))
    assert (finding.verify, "nearly full" in finding.title) == ("nvidia-smi", True)
    adapter = {**windows_override.adapters[0], "used": windows_override.adapters[0]["memory"]}
    finding = diagnose(replace(windows_override, environment={}, adapters=(adapter,)))[0]
    assert "GPU Adapter Memory" in finding.verify


def test_nodes_that_landed_on_the_cpu_are_counted() -> None:
    placement = Placement(
        "DmlExecutionProvider",
        ("DmlExecutionProvider", "CPUExecutionProvider"),
        {"DmlExecutionProvider": 90, "CPUExecutionProvider": 10},
    )
    machine = replace(windows_override, environment={}, placements=(placement,))
    (finding,) = diagnose(machine)
    assert "10 of 100 nodes run on CPUExecutionProvider" in finding.evidence
    whole = replace(placement, nodes={"DmlExecutionProvider": 100})
    assert names(replace(machine, placements=(whole,))) == set()
    wanted_cpu = Placement("CPUExecutionProvider", ("CPUExecutionProvider",))
    other = Placement("MIGraphXExecutionProvider", ("CPUExecutionProvider",))
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


@pytest.mark.parametrize(
    ("noretry", "fragment", "severities"),
    [
        ("-1", "-1", []),
        ("1", "9", []),
        ("0", "-1", []),
        ("-1", "4", ["note"]),
        ("-1", "x", ["note"]),
    ],
)
def test_driver_parameters_are_judged(noretry: str, fragment: str, severities: list[str]) -> None:
    machine = replace(healthy_7800xt, files=healthy_7800xt.files | parameters(noretry, fragment))
    assert [finding.severity for finding in diagnose(machine)] == severities


def test_retry_faults_are_bad_for_navi_10_and_the_kernel_line_is_shown() -> None:
    finding = next(f for f in diagnose(overridden_5700xt) if f.fault == "kernel-parameters")
    assert "kernel line: amdgpu.noretry=0" in finding.evidence
    assert finding.relogin


def test_settings_of_rocm_do_not_matter_without_such_a_card() -> None:
    environment = dict(nan_6800.environment)
    assert names(replace(geforce, environment=environment)) == set()


@pytest.mark.parametrize(
    ("target", "gfx"),
    [
        (100100, "gfx1010"),
        (110001, "gfx1101"),
        (90010, "gfx90a"),
        (90402, "gfx942"),
        (120001, "gfx1201"),
        (100306, "gfx1036"),
    ],
)
def test_the_drivers_number_is_a_gfx_name(target: int, gfx: str) -> None:
    assert gfx_name(target) == gfx


def test_cards_are_known_by_chip_and_address() -> None:
    (found,) = cards(healthy_7800xt)
    assert (found.title, found.gfx, found.pci, found.power_w) == (
        "AMD Radeon RX 7800 XT",
        "gfx1101",
        "0000:03:00.0",
        31.0,
    )
    integrated, bought = cards(two_gpus_7900xtx)
    assert (integrated.integrated, bought.integrated) == (True, False)
    assert [card.gfx for card in amd(two_gpus_7900xtx)] == ["gfx1100"]
    (nvidia,) = cards(geforce)
    assert (nvidia.title, nvidia.total, nvidia.power_w) == ("NVIDIA GeForce RTX 3060", 12 << 30, 14.28)


def test_a_card_for_computing_alone_is_found_by_its_own_tool() -> None:
    h200 = "00000000:01:00.0, NVIDIA H200, 580.159.04, 143771, 0, 76.02\n"
    (found,) = cards(Machine(outputs={"nvidia-smi": h200}))
    assert (found.name, found.power_w) == ("NVIDIA H200 (0000:01:00.0)", 76.02)


def test_a_card_nobody_heard_of_is_named_by_its_numbers() -> None:
    files = {
        "/sys/class/drm/card0/device/vendor": "0x1002\n",
        "/sys/class/drm/card0/device/device": "0xffff\n",
        "/sys/class/drm/card1/device/vendor": "garbage\n",
        "/sys/class/drm/card1/device/device": "0x1\n",
    }
    first, second = cards(Machine(files=files))
    assert (first.title, first.gfx, first.pci) == ("AMD card 0xffff", "", "")
    assert second.vendor == "0x0000"
    microsoft = {"title": "Basic Render", "vendor": 0x1414}
    assert cards(Machine(system="windows", adapters=(microsoft,))) == ()


def test_install_commands_are_for_published_chips_only() -> None:
    assert "device-gfx1101" in torch_command("gfx1101")
    assert torch_command("gfx1013") == ""
    assert not has_wheel("")
    assert python_fits(Machine(python="3.13.1"))
    assert not python_fits(Machine(python="3.8.1"))
    assert is_integrated("gfx1036")
    assert not is_integrated("gfx1101")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("6.16.13-ubuntu", (6, 16, 13)),
        ("535.183.01", (535, 183, 1)),
        ("", ()),
        ("abc", ()),
        ("3.14rc1", (3, 14)),
    ],
)
def test_versions_are_their_leading_numbers(text: str, numbers: tuple[int, ...]) -> None:
    assert version(text) == numbers

"""What keeps a program from its card: device nodes, the wrong card first, overrides, WSL, settings."""

from dataclasses import replace

import pytest
from machines import (
    AMD_DEVICE,
    container_7800xt,
    full_6600,
    geforce,
    healthy_7800xt,
    names,
    nan_6800,
    no_group_7800xt,
    overridden_5700xt,
    parameters,
    rocm_torch,
    two_gpus_7900xtx,
    windows_override,
    wsl_7800xt,
)

from botapp.doctor.faults import diagnose


def test_refused_device_nodes_need_a_login_and_a_container_its_options() -> None:
    refused = diagnose(no_group_7800xt)[0]
    assert "Log out" in refused.fix[1]
    assert any("render" in line for line in refused.evidence)
    boxed = diagnose(container_7800xt)[0]
    assert "--device=/dev/kfd" in boxed.fix[0]
    bare = replace(container_7800xt, files=healthy_7800xt.files)
    assert "modprobe" in diagnose(bare)[0].fix[0]


def test_the_bought_card_is_pointed_to_by_chip_and_number() -> None:
    finding = diagnose(two_gpus_7900xtx)[0]
    assert "cuda:1 (gfx1100)" in finding.fix[0]
    assert finding.fix[1] == "export HIP_VISIBLE_DEVICES=1"
    assert two_gpus_7900xtx.torch is not None
    for device, named in (("cuda:0", True), ("cpu", True), ("cuda:1", False)):  # as botapp has chosen
        assert ("integrated-first" in names(replace(two_gpus_7900xtx, chosen={"device": device}))) is named
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
    assert "restart" in finding.fix[0]


def test_settings_of_rocm_do_not_matter_without_such_a_card() -> None:
    environment = dict(nan_6800.environment)
    assert names(replace(geforce, environment=environment)) == set()

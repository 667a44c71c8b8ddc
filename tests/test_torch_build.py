"""`make run TORCH=...`: which torch .ci/torch asks pip for, and what it does where that cannot be had."""

import importlib.machinery
import importlib.util
import subprocess
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def build(monkeypatch):
    """Runs the script with arguments on a made-up computer; returns its code and pip's commands."""
    loader = importlib.machinery.SourceFileLoader("torch_build", str(ROOT / ".ci" / "torch"))
    script = importlib.util.module_from_spec(importlib.util.spec_from_loader("torch_build", loader))
    loader.exec_module(script)

    def run(*arguments, there="", smi=None, pip_code=0, chip="", nodes=None, cards=None, pip_args=""):
        commands = []

        def pip(command, **_):
            commands.append(command)
            return subprocess.CompletedProcess(command, pip_code, "", "")

        monkeypatch.setattr(script, "installed", lambda: there)
        monkeypatch.setattr(script, "subprocess", SimpleNamespace(run=pip))
        monkeypatch.setattr(script.shutil, "which", lambda name: smi)
        monkeypatch.setattr(script, "NODES", nodes or ROOT / "nowhere")
        monkeypatch.setattr(script, "CARDS", cards or ROOT / "nowhere")
        monkeypatch.setenv("CHIP", chip)
        monkeypatch.setenv("PIP_ARGS", pip_args)
        monkeypatch.setattr(script.sys, "argv", ["torch", *arguments])
        return script.main(), commands

    return run


def test_a_fresh_folder_gets_the_build_for_its_card(build):
    code, (command,) = build()
    assert code == 0
    assert command[-2].endswith("/whl/cpu")
    assert command[-1] == "torch==2.13.0"
    assert "/whl/cu" in build(smi="/usr/bin/nvidia-smi")[1][0][-2]


def test_what_is_there_stays_until_another_is_named(build):
    assert build(there="rocm") == (0, [])
    assert build("cpu", there="cpu") == (0, [])
    assert "--force-reinstall" in build("cuda", there="cpu")[1][0]


def test_chosen_arguments_of_pip_choose_the_build(build):
    assert build(pip_args="--index-url https://example.org") == (0, [])


def test_rocm_takes_the_chip_that_the_driver_names(build, tmp_path):
    node = tmp_path / "1"
    node.mkdir()
    (node / "properties").write_text("cpu_cores_count 0\ngfx_target_version 110001\n")
    command = build("rocm", nodes=tmp_path)[1][0]
    assert command[-1].startswith("torch[device-gfx1101]==")
    assert build("rocm", chip="gfx90a")[1][0][-1].startswith("torch[device-gfx90a]==")


@pytest.fixture
def sysfs(tmp_path):
    """Makes the folder of a computer with such cards, each a pair of PCI ids."""

    def made(*cards):
        for number, ids in enumerate(cards):
            folder = tmp_path / f"card{number}" / "device"
            folder.mkdir(parents=True)
            for name, value in zip(("vendor", "device"), ids, strict=True):
                (folder / name).write_text(f"{value}\n")
        return tmp_path

    return made


@pytest.mark.parametrize(
    ("card", "told"),
    [
        (("0x1002", "0x747e"), "make run TORCH=rocm"),
        (("0x10de", "0x2684"), "make run TORCH=cuda"),
        (("0x1002", "0x67df"), "no build of torch is known"),
        (("0x8086", "0x4680"), ""),
    ],
)
def test_a_card_that_would_stay_idle_is_named_with_the_line_to_type(build, sysfs, capsys, card, told):
    assert build(there="cpu", cards=sysfs(card))[0] == 0
    found = capsys.readouterr().out
    assert told in found and bool(found) is bool(told)


def test_a_card_in_use_is_not_spoken_of(build, sysfs, capsys):
    assert build(there="rocm", cards=sysfs(("0x1002", "0x747e"))) == (0, [])
    assert capsys.readouterr().out == ""


def test_rocm_takes_the_chip_of_the_card_where_the_compute_driver_is_silent(build, sysfs):
    command = build("rocm", cards=sysfs(("0x1002", "0x747e")))[1][0]
    assert command[-1].startswith("torch[device-gfx1101]==")


def test_rocm_takes_the_card_before_the_processors_own_graphics(build, sysfs, tmp_path):
    nodes = tmp_path / "nodes"
    for number, target in enumerate((0, 100306, 110001)):  # the processor, its graphics, the card
        (nodes / str(number)).mkdir(parents=True)
        (nodes / str(number) / "properties").write_text(f"gfx_target_version {target}\n")
    both = sysfs(("0x1002", "0x164e"), ("0x1002", "0x747e"))
    assert build("rocm", nodes=nodes, cards=both)[1][0][-1].startswith("torch[device-gfx1101]==")
    alone = build("rocm", nodes=nodes)[1][0]
    assert alone[-1].startswith("torch[device-gfx1036]=="), "nothing tells the two apart: the driver's first"


def test_rocm_without_a_known_chip_says_what_to_type(build, capsys):
    assert build("rocm") == (1, [])
    assert "CHIP=" in capsys.readouterr().err
    assert build("rocm", chip="gfx803")[0] == 1


def test_an_index_out_of_reach_stops_only_what_was_named(build, capsys):
    assert build(pip_code=1)[0] == 0
    assert "plain build" in capsys.readouterr().out
    assert build("cuda", pip_code=1)[0] == 1
    assert build("metal")[0] == 1


def test_one_torch_is_pinned_everywhere():
    wheels = tomllib.loads((ROOT / "resources" / "rocm" / "wheels.toml").read_text("utf-8"))
    (pinned,) = (
        line.removeprefix("torch==")
        for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
        if line.startswith("torch==")
    )
    assert {wheels[name]["torch"].split("+")[0] for name in ("cpu", "nvidia", "amd")} == {pinned}

"""What a backend of torch lacks here is said with the command for the card that there is."""

from dataclasses import replace

from machines import CPU_TORCH, RX7800XT, RX7800XT_NODES, card, rocm_torch

from botapp.doctor import install
from botapp.doctor.builds import way, with_ways
from botapp.doctor.machine import Machine
from botapp.host.translation import Translator

MISSING = [
    {"name": "rocm", "usable": False, "reason": "the installed torch is not built for ROCm (AMD)"},
    {"name": "cuda", "usable": False, "reason": "the installed torch is not built for CUDA (NVIDIA)"},
    {"name": "directml", "usable": False, "reason": "it exists on Windows only"},
    {"name": "cpu", "usable": True, "reason": "always"},
]
AMD = Machine(
    system="linux", release="", python="3.12.3", files=RX7800XT | RX7800XT_NODES, devices={}, outputs={},
    environment={}, packages={}, adapters=(), torch=CPU_TORCH,
)  # fmt: skip


def spoken(text):
    return Translator("en").plain({"text": text})["text"]


def test_an_amd_card_gets_the_line_that_installs_its_torch():
    rocm, cuda, directml, cpu = with_ways(MISSING, AMD)
    told = spoken(rocm["reason"])
    assert "7800 XT" in told and install.torch_command("gfx1101") in told
    assert spoken(cuda["reason"]) == "there is no NVIDIA card here"
    assert (directml, cpu) == (MISSING[2], MISSING[3])


def test_an_nvidia_card_gets_the_line_for_cuda():
    files = card(0, "0x10de", "0x2684", "0000:01:00.0")
    told = spoken(way("cuda", replace(AMD, files=files)))
    assert install.cuda_command() in told
    assert spoken(way("rocm", replace(AMD, files=files))) == "there is no AMD card here"


def test_a_chip_without_a_build_is_said_to_have_none():
    files = card(0, "0x1002", "0x67df", "0000:01:00.0")
    assert "there is no build of torch for" in spoken(way("rocm", replace(AMD, files=files)))


def test_with_the_right_torch_its_own_words_stay():
    machine = replace(AMD, torch=rocm_torch())
    assert with_ways(MISSING[:1], machine) == MISSING[:1]

"""What a backend of torch lacks here is said with the command for the card that there is."""

from dataclasses import replace

from machines import CPU_TORCH, RX7800XT, RX7800XT_NODES, card, overridden_5700xt, rocm_torch, stock_5700xt

from botapp.doctor import install
from botapp.doctor.install import advice, way, with_ways
from botapp.doctor.machine import InstalledTorch, Machine
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


def test_the_owner_of_a_card_is_told_of_the_line_that_it_wants():
    (told,) = advice(AMD)
    assert "7800 XT" in told.card and told.command == install.torch_command("gfx1101")
    assert "not used yet" in spoken(told.words)
    (told,) = advice(replace(AMD, files=card(0, "0x10de", "0x2684", "0000:01:00.0")))
    assert told.command == install.cuda_command()


def test_a_card_that_has_what_it_wants_is_left_alone_and_one_without_a_build_is_told():
    (told,) = advice(replace(AMD, torch=rocm_torch()))
    assert not told.command and "installed" in spoken(told.words)
    (told,) = advice(replace(AMD, files=card(0, "0x1002", "0x67df", "0000:01:00.0")))
    assert not told.command and "no build" in spoken(told.words)
    assert advice(replace(AMD, files={})) == ()


def test_a_processors_own_graphics_beside_a_card_want_nothing():
    raphael = card(0, "0x1002", "0x164e", "0000:0f:00.0")
    (told,) = advice(replace(AMD, files=raphael | RX7800XT | RX7800XT_NODES))
    assert "7800 XT" in told.card and told.command == install.torch_command("gfx1101")
    cuda = InstalledTorch("2.13.0+cu130", cuda="13.0")
    (told,) = advice(replace(AMD, files=raphael | card(1, "0x10de", "0x2684", "0000:01:00.0"), torch=cuda))
    assert not told.command, "ROCm's build for the processor's graphics would take the card's away"
    (told,) = advice(replace(AMD, files=raphael))
    assert told.command == install.torch_command("gfx1036")


def test_a_card_for_which_the_installed_torch_has_no_code_is_not_told_that_all_is_there():
    (told,) = advice(stock_5700xt)
    assert "no code for it" in spoken(told.words) and told.command == install.torch_command("gfx1010")
    assert "the model runs on it" in spoken(advice(overridden_5700xt)[0].words), (
        "another chip's code is taken"
    )


def test_a_card_that_may_not_be_opened_has_the_line_for_that():
    ready = replace(AMD, torch=rocm_torch())
    (told,) = advice(replace(ready, devices={"/dev/kfd": "EACCES", "/dev/dri/renderD128": "EACCES"}))
    assert told.command == "sudo usermod -aG render,video $USER" and "may not use it" in spoken(told.words)
    (told,) = advice(replace(ready, devices={"/dev/kfd": "ENOENT"}))
    assert not told.command and "botapp doctor" in spoken(told.words)
    (told,) = advice(replace(ready, devices={"/dev/kfd": "", "/dev/dri/renderD128": ""}))
    assert "the model runs on it" in spoken(told.words)


def test_on_windows_a_card_that_is_no_nvidia_wants_directml():
    adapter = {"title": "AMD Radeon RX 6600", "vendor": 0x1002, "device": 0x73FF, "memory": 8 << 30}
    windows = replace(AMD, system="windows", files={}, adapters=(adapter,))
    (told,) = advice(windows)
    assert told.card == "AMD Radeon RX 6600" and told.command == install.directml_command()
    (told,) = advice(replace(windows, packages={"onnxruntime-directml": "1.22"}))
    assert not told.command

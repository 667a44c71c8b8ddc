"""Faults of what is installed: the build of torch, its code for the card, versions, packages that clash."""

import re
from collections.abc import Iterator

from botapp.doctor.cards import GraphicsCard, amd, cards, nvidia_driver
from botapp.doctor.faults import fault
from botapp.doctor.finding import Finding
from botapp.doctor.install import (
    SEES_PROVIDERS,
    cpu_command,
    cuda_command,
    driver,
    first_driver,
    has_wheel,
    is_untested,
    pip,
    python_fits,
    torch_command,
    wheels,
)
from botapp.doctor.machine import InstalledTorch, Machine, version
from botapp.host.message import mark, say
from hrm.interpreter import this_python

SEES_CARD = f'{this_python()} -c "import torch; print(torch.version.hip, torch.cuda.is_available())"'
SEES_CHIPS = f'{this_python()} -c "import torch; print(torch.cuda.get_arch_list())"'
_NO_CODE = ("hipErrorNoBinaryForGpu", "invalid device function", "no kernel image is available")
_ONNX = ("onnxruntime", "onnxruntime-directml", "onnxruntime-gpu", "onnxruntime-rocm", "onnxruntime-migraphx")


@fault("wrong-torch", 1)
def wrong_torch(machine: Machine) -> Iterator[Finding]:
    """A torch for CPUs or for CUDA on a machine whose card is AMD's."""
    found, torch = amd(machine), machine.torch
    if torch is None or torch.hip or not found or any(card.vendor == "NVIDIA" for card in cards(machine)):
        return
    card = next((card for card in found if has_wheel(card.gfx)), None)
    if card is None:
        return
    directml = "onnxruntime-directml" in machine.packages
    fix = [torch_command(card.gfx)]
    if not python_fits(machine):
        known = ", ".join(wheels()["amd"]["python"])
        words = mark("Make an environment with Python {known}: AMD has no wheels for {python}.")
        fix.insert(0, say(words, known=known, python=machine.python))
    if directml:
        fix.append(say("Or leave it: the app uses the card through DirectML."))
    words = mark("The installed torch cannot use the {card}: it is built for CPUs")
    if torch.cuda:
        words = mark("The installed torch cannot use the {card}: it is built for NVIDIA cards")
    yield Finding(
        "wrong-torch",
        say(words, card=card.title),
        "warning" if directml else "error",
        (
            say("card: {card}", card=card.name),
            say("torch {version}, torch.version.hip is None", version=torch.version),
        ),
        tuple(fix),
        SEES_CARD,
    )


@fault("no-code", 3)
def no_code(machine: Machine) -> Iterator[Finding]:
    """The installed torch holds no code for the card."""
    torch = machine.torch
    if torch is None or torch.chips is None:
        return
    said = next((line for line in _spoken(machine) if any(words in line for words in _NO_CODE)), "")
    for card in amd(machine):
        if lacks_code(card, machine):
            yield _no_code(card, torch, said)
    if torch.cuda and said and not torch.hip:
        title = say("The installed torch has no code for this NVIDIA card")
        yield Finding("no-code", title, "error", (_held(torch), said), (cuda_command(),), SEES_CHIPS)


def _no_code(card: GraphicsCard, torch: InstalledTorch, line: str) -> Finding:
    command = torch_command(card.gfx)
    words = mark("AMD builds for {gfx} but has not tried it on one: probe it before you rely on it.")
    untested = say(words, gfx=card.gfx)
    evidence = [say("card: {card}", card=card.name), _held(torch)]
    if command:
        fix: tuple[str, ...] = (command, untested) if is_untested(card.gfx) else (command,)
    else:
        words = mark(
            "Nobody publishes a torch for {gfx}: the app runs on the CPU. The table of options below "
            "says what else there is."
        )
        fix = (say(words, gfx=card.gfx), cpu_command())
    return Finding(
        "no-code",
        say("The installed torch has no code for {gfx}", gfx=card.gfx),
        "error",
        (*evidence, *([line] if line else [])),
        fix,
        SEES_CHIPS,
    )


def _held(torch: InstalledTorch) -> str:
    chips = " ".join(torch.chips or ()) or say("no card")
    return say("torch {version} holds code for {chips}", version=torch.version, chips=chips)


@fault("versions", 8)
def versions(machine: Machine) -> Iterator[Finding]:
    """A driver and a torch that do not fit each other."""
    torch = machine.torch
    if torch is None:
        return
    if torch.hip and machine.system == "linux":
        yield from _amd_versions(machine, torch)
    needed, there = first_driver(torch.cuda) if torch.cuda else "", nvidia_driver(machine)
    if needed and there and version(there) < version(needed):
        yield Finding(
            "versions",
            say(
                "NVIDIA's driver {there} is too old for a torch with CUDA {cuda}",
                there=there,
                cuda=torch.cuda,
            ),
            "error",
            (
                say("driver {there}", there=there),
                say("CUDA {cuda} needs {needed} or newer", cuda=torch.cuda, needed=needed),
            ),
            (say("Update the driver to {needed} or newer, then restart.", needed=needed),),
            "nvidia-smi",
            relogin=True,
        )


def _amd_versions(machine: Machine, torch: InstalledTorch) -> Iterator[Finding]:
    module = machine.file("/sys/module/amdgpu/version")
    there = driver(module) if module else None
    if there is not None and not there.fits(torch.hip):
        yield Finding(
            "versions",
            say(
                "AMD's driver {release} is too far from a torch for ROCm {rocm}",
                release=there.release,
                rocm=torch.hip,
            ),
            "warning",
            (
                say("amdgpu {module} is AMD's driver {release}", module=module, release=there.release),
                say("torch {version} is built for ROCm {rocm}", version=torch.version, rocm=torch.hip),
                say(
                    "AMD supports this driver with ROCm {oldest} to {newest}",
                    oldest=there.oldest,
                    newest=there.newest,
                ),
            ),
            (
                say("Install an amdgpu driver that fits the wheel's ROCm, or go back to the kernel's own:"),
                "sudo apt remove amdgpu-dkms && sudo reboot",
            ),
            "cat /sys/module/amdgpu/version; uname -r",
            relogin=True,
        )
    yield from _mixed(machine, torch)


def _mixed(machine: Machine, torch: InstalledTorch) -> Iterator[Finding]:
    path = machine.environment.get("LD_LIBRARY_PATH", "")
    installed = machine.file("/opt/rocm/.info/version") or ""
    if "/opt/rocm" in path and installed and version(installed)[:2] != version(torch.hip)[:2]:
        yield Finding(
            "versions",
            say(
                "Libraries of ROCm {installed} stand before those of torch's ROCm {rocm}",
                installed=installed,
                rocm=torch.hip,
            ),
            "warning",
            (f"LD_LIBRARY_PATH={path}", say("/opt/rocm holds ROCm {installed}", installed=installed)),
            ("unset LD_LIBRARY_PATH",),
            SEES_CARD,
        )


@fault("clashing-packages", 12)
def clashing_packages(machine: Machine) -> Iterator[Finding]:
    """Packages that break each other, or that this Python is too new for."""
    packages = machine.packages
    runtimes = [name for name in _ONNX if name in packages]
    if len(runtimes) > 1:
        keep = "onnxruntime-directml" if machine.system == "windows" else "onnxruntime"
        yield Finding(
            "clashing-packages",
            say("{count} packages of ONNX Runtime write over each other", count=len(runtimes)),
            "error",
            tuple(f"{name} {packages[name]}" for name in runtimes),
            (f"{pip()} uninstall -y {' '.join(runtimes)}", f"{pip()} install {keep}"),
            SEES_PROVIDERS,
        )
    if "torch-directml" in packages and "torch" in packages and version(packages["torch"]) > (2, 4, 1):
        yield Finding(
            "clashing-packages",
            say("torch-directml was abandoned at torch 2.4.1 and breaks with a newer one"),
            "error",
            (f"torch-directml {packages['torch-directml']}", f"torch {packages['torch']}"),
            (f"{pip()} uninstall -y torch-directml",),
            f'{this_python()} -c "import torch; print(torch.__version__)"',
        )
    if {"opencv-python", "opencv-python-headless"} <= set(packages):
        yield Finding(
            "clashing-packages",
            say("Two packages of OpenCV write over each other, and one brings Qt plugins of its own"),
            "warning",
            tuple(f"{name} {packages[name]}" for name in ("opencv-python", "opencv-python-headless")),
            (
                f"{pip()} uninstall -y opencv-python opencv-python-headless",
                f"{pip()} install opencv-python-headless",
            ),
            f'{this_python()} -c "import cv2; print(cv2.__file__)"',
        )
    newest = version(wheels()["amd"]["python"][-1])
    if machine.torch is None and version(machine.python)[:2] > newest:
        known, best = ", ".join(wheels()["amd"]["python"]), wheels()["amd"]["python"][-1]
        yield Finding(
            "clashing-packages",
            say("Python {version} is too new for torch", version=machine.python),
            "error",
            (
                f"Python {machine.python}",
                say("torch is not installed"),
                say("there are wheels for {known}", known=known),
            ),
            (say("Make an environment with Python {best} and install the app there.", best=best),),
            "python --version",
        )


def lacks_code(card: GraphicsCard, machine: Machine) -> bool:
    """Tells whether the torch that is installed is for AMD's cards, but not for this one's chip."""
    torch = machine.torch
    if torch is None or torch.chips is None or not torch.hip or not card.gfx:
        return False
    return not _holds(torch, card.gfx) and not machine.environment.get("HSA_OVERRIDE_GFX_VERSION")


def _holds(torch: InstalledTorch, gfx: str) -> bool:
    """Tells whether torch holds code for a chip: its own, or the generic code of its family."""
    plain = {chip.split(":", maxsplit=1)[0] for chip in torch.chips or ()}
    family = re.sub(r"[0-9a-f]{2}$", "", gfx)
    return gfx in plain or f"{family}-generic" in plain or f"{family[:-1]}-generic" in plain


def _spoken(machine: Machine) -> Iterator[str]:
    for text in (machine.torch.error if machine.torch else "", *(trial.output for trial in machine.trials)):
        yield from (line.strip() for line in text.splitlines())

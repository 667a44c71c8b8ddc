"""Faults of what is installed: the build of torch, its code for the card, versions, packages that clash."""

from collections.abc import Iterator

from botapp.doctor import install
from botapp.doctor.cards import amd, has_nvidia, nvidia_driver
from botapp.doctor.faults import Finding, Severity, fault
from botapp.doctor.machine import InstalledTorch, Machine, version
from botapp.host.message import mark, say

_NO_CODE = ("hipErrorNoBinaryForGpu", "invalid device function", "no kernel image is available")
_ONNX = ("onnxruntime", "onnxruntime-directml", "onnxruntime-gpu", "onnxruntime-rocm", "onnxruntime-migraphx")
_OPENCV = ("opencv-python", "opencv-python-headless")


@fault("wrong-torch", 1)
def wrong_torch(machine: Machine) -> Iterator[Finding]:
    """A torch for CPUs or for CUDA on a machine whose card is AMD's."""
    torch, card = machine.torch, next((card for card in amd(machine) if install.has_wheel(card.gfx)), None)
    if torch is None or torch.hip or not card or has_nvidia(machine):
        return
    fix = [install.torch_command(card.gfx)]
    if not install.python_fits(machine):
        known = ", ".join(install.wheels()["amd"]["python"])
        words = mark("Make an environment with Python {known}: AMD has no wheels for {python}.")
        fix.insert(0, say(words, known=known, python=machine.python))
    severity: Severity = "error"
    if "onnxruntime-directml" in machine.packages:
        severity = "warning"
        fix.append(say("Or leave it: the app uses the card through DirectML."))
    words = mark("The installed torch cannot use the {card}: it is built for CPUs")
    if torch.cuda:
        words = mark("The installed torch cannot use the {card}: it is built for NVIDIA cards")
    yield Finding(say(words, card=card.title), severity, (card.name, f"torch {torch.version}"), fix)


@fault("no-code", 3)
def no_code(machine: Machine) -> Iterator[Finding]:
    """The installed torch holds no code for the card."""
    torch = machine.torch
    if torch is None or torch.chips is None:
        return
    printed = [torch.error, *(trial.how for trial in machine.trials)]
    lines = [line.strip() for text in printed for line in text.splitlines()]
    refused = [line for line in lines if any(words in line for words in _NO_CODE)][:1]
    build = f"torch {torch.version}: {' '.join(torch.chips) or '-'}"
    for card in amd(machine):
        if not install.lacks_code(card, machine):
            continue
        fix = [install.torch_command(card.gfx)]
        if not fix[0]:
            words = mark("Nobody publishes a torch for {gfx}: the app runs on the CPU.")
            fix = [say(words, gfx=card.gfx), install.cpu_command()]
        elif install.is_untested(card.gfx):
            words = mark("AMD builds for {gfx} but has not tried it on one: probe it before you rely on it.")
            fix.append(say(words, gfx=card.gfx))
        title = say("The installed torch has no code for {gfx}", gfx=card.gfx)
        yield Finding(title, "error", (card.name, build, *refused), fix)
    if torch.cuda and refused and not torch.hip:
        title = say("The installed torch has no code for this NVIDIA card")
        yield Finding(title, "error", (build, *refused), (install.cuda_command(),))


@fault("versions", 8)
def versions(machine: Machine) -> Iterator[Finding]:
    """A driver and a torch that do not fit each other."""
    torch = machine.torch
    if torch is None:
        return
    if torch.hip and machine.system == "linux":
        yield from _amd_versions(machine, torch)
    needed = install.first_driver(torch.cuda) if torch.cuda else ""
    there = nvidia_driver(machine)
    if needed and there and version(there) < version(needed):
        words = mark("NVIDIA's driver {there} is too old for a torch with CUDA {cuda}")
        fix = say("Update the driver to {needed} or newer, then restart.", needed=needed)
        title = say(words, there=there, cuda=torch.cuda)
        yield Finding(title, "error", (f"torch {torch.version}",), (fix,))


def _amd_versions(machine: Machine, torch: InstalledTorch) -> Iterator[Finding]:
    module = machine.file("/sys/module/amdgpu/version")
    there = install.driver(module) if module else None
    if module and there is not None and not there.fits(torch.hip):
        words = mark("AMD supports this driver with ROCm {oldest} to {newest}")
        evidence = (f"amdgpu {module}", say(words, oldest=there.oldest, newest=there.newest))
        fix = say("Install an amdgpu driver that fits torch's ROCm, or the kernel's own, then restart.")
        words = mark("AMD's driver {release} is too far from a torch for ROCm {rocm}")
        yield Finding(say(words, release=there.release, rocm=torch.hip), "warning", evidence, (fix,))
    path = machine.environment.get("LD_LIBRARY_PATH", "")
    installed = machine.file("/opt/rocm/.info/version") or ""
    if "/opt/rocm" in path and installed and version(installed)[:2] != version(torch.hip)[:2]:
        words = mark("Libraries of ROCm {installed} stand before those of torch's ROCm {rocm}")
        title = say(words, installed=installed, rocm=torch.hip)
        yield Finding(title, "warning", (f"LD_LIBRARY_PATH={path}",), (machine.unset("LD_LIBRARY_PATH"),))


@fault("clashing-packages", 12)
def clashing_packages(machine: Machine) -> Iterator[Finding]:
    """Packages that break each other, or that this Python is too new for."""
    packages, pip = machine.packages, install.pip()
    runtimes = [name for name in _ONNX if name in packages]
    if len(runtimes) > 1:
        title = say("{count} packages of ONNX Runtime write over each other", count=len(runtimes))
        keep = "onnxruntime-directml" if machine.system == "windows" else "onnxruntime"
        fix = [f"{pip} uninstall -y {' '.join(runtimes)}", f"{pip} install {keep}"]
        yield Finding(title, "error", [f"{name} {packages[name]}" for name in runtimes], fix)
    old, torch = packages.get("torch-directml"), packages.get("torch")
    if old and torch and version(torch) > (2, 4, 1):
        title = say("torch-directml was abandoned at torch 2.4.1 and breaks with a newer one")
        fix = [f"{pip} uninstall -y torch-directml"]
        yield Finding(title, "error", (f"torch-directml {old}", f"torch {torch}"), fix)
    if set(_OPENCV) <= set(packages):
        title = say("Two packages of OpenCV write over each other, and one brings Qt plugins of its own")
        fix = [f"{pip} uninstall -y {' '.join(_OPENCV)}", f"{pip} install opencv-python-headless"]
        yield Finding(title, "warning", [f"{name} {packages[name]}" for name in _OPENCV], fix)
    best = install.wheels()["amd"]["python"][-1]
    if machine.torch is None and version(machine.python)[:2] > version(best):
        title = say("Python {version} is too new for torch", version=machine.python)
        words = say("Make an environment with Python {best} and install the app there.", best=best)
        yield Finding(title, "error", (f"Python {machine.python}",), (words,))

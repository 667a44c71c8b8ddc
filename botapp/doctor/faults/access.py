"""Faults on the way to the card: device nodes, the wrong card first, overrides, WSL."""

from collections.abc import Iterator

from botapp.doctor.cards import amd, cards
from botapp.doctor.faults import fault
from botapp.doctor.faults.software import SEES_CARD
from botapp.doctor.finding import Finding, Severity
from botapp.doctor.machine import Machine, version
from botapp.host.message import Message, mark, say
from hrm.backends.architectures import shares_memory
from hrm.interpreter import this_python

ACCESS = "sudo usermod -aG render,video $USER"  # What lets a user open the device nodes
_OPEN_NODES = f"{this_python()} -c \"open('/dev/kfd', 'r+b'); print('opened')\""
_REPLACED = {
    "gfx1031": "10.3.0", "gfx1032": "10.3.0", "gfx1033": "10.3.0", "gfx1034": "10.3.0", "gfx1035": "10.3.0",
    "gfx1036": "10.3.0", "gfx1101": "11.0.0", "gfx1102": "11.0.0", "gfx1103": "11.0.0", "gfx90c": "9.0.0",
    "gfx902": "9.0.0",
}  # fmt: skip
"""Chips that run the code of another one of their family, and the override that makes torch try."""


@fault("device-nodes", 2)
def device_nodes(machine: Machine) -> Iterator[Finding]:
    """The compute driver's device nodes cannot be opened; found out by opening, not by groups' names."""
    if machine.system != "linux" or not amd(machine):
        return
    refused = [path for path, why in sorted(machine.devices.items()) if why == "EACCES"]
    missing = machine.devices.get("/dev/kfd") == "ENOENT"
    if refused:
        evidence = tuple(say("opening {path}: permission denied", path=path) for path in refused)
        listed = [machine.outputs.get("ls", "")] if machine.outputs.get("ls") else []
        yield Finding(
            "device-nodes",
            say("This user may not open the card's device nodes"),
            "error",
            (*evidence, *(line for text in listed for line in text.splitlines())),
            (ACCESS, say("Log out and in again, or restart.")),
            _OPEN_NODES,
            relogin=True,
        )
    if missing:
        container = bool(
            machine.file("/run/.containerenv") is not None or machine.file("/.dockerenv") is not None
        )
        fix: tuple[str, ...] = (
            "sudo modprobe amdgpu",
            say("If that fails, remove amdgpu from /etc/modprobe.d and restart."),
        )
        if container:
            options = "--device=/dev/kfd --device=/dev/dri --security-opt seccomp=unconfined"
            fix = (say("Start the container with {options}", options=options),)
        yield Finding(
            "device-nodes",
            say("The card's compute device is not there"),
            "error",
            (
                say("/dev/kfd does not exist"),
                say("inside a container") if container else say("the amdgpu driver is not loaded"),
            ),
            fix,
            _OPEN_NODES,
            relogin=not container,
        )


@fault("integrated-first", 5)
def integrated_first(machine: Machine) -> Iterator[Finding]:
    """The processor's own graphics are device 0, before the card one bought, which is not taken."""
    devices = (machine.torch.devices if machine.torch else None) or ()
    bought = [number for number, device in enumerate(devices) if not shares_memory(device.chip)]
    if not bought or bought[0] == 0 or machine.chosen.get("device") in [f"cuda:{n}" for n in bought]:
        return
    better = bought[0]
    card = devices[better]
    yield Finding(
        "integrated-first",
        say("The processor's own graphics come before the {card}", card=card.title),
        "warning",
        tuple(
            f"cuda:{number}: {device.title} ({device.chip}{', ' + device.pci if device.pci else ''})"
            for number, device in enumerate(devices)
        ),
        (
            say(
                "Choose {device} ({chip}) under Settings, Thinking; or hide the other one:",
                device=f"cuda:{better}",
                chip=card.chip,
            ),
            ("set" if machine.system == "windows" else "export") + f" HIP_VISIBLE_DEVICES={better}",
        ),
        f'{this_python()} -c "import torch; print(torch.cuda.get_device_name(0))"',
    )


@fault("override", 6)
def override(machine: Machine) -> Iterator[Finding]:
    """HSA_OVERRIDE_GFX_VERSION is wrong for the card, not needed, or set on Windows."""
    value = machine.environment.get("HSA_OVERRIDE_GFX_VERSION", "")
    found = [card for card in amd(machine) if card.gfx]
    if not value or not (found or machine.system == "windows"):
        return
    claimed = _claimed(value)
    verdict = _told(machine, value, claimed, found[0].gfx if found else "")
    if verdict is not None:
        title, severity = verdict
        yield Finding(
            "override",
            title,
            severity,
            (
                f"HSA_OVERRIDE_GFX_VERSION={value} ({claimed})",
                *(say("card: {card}", card=card.name) for card in found),
            ),
            (
                "set HSA_OVERRIDE_GFX_VERSION="
                if machine.system == "windows"
                else "unset HSA_OVERRIDE_GFX_VERSION",
                say("Take it out of where it is set: ~/.profile, or the system's environment variables."),
            ),
            SEES_CARD,
        )


def _claimed(value: str) -> str:
    """Returns the chip an override stands for: 10.3.0 is gfx1030, 9.0.10 is gfx90a."""
    major, *rest = version(value) or (0,)
    return f"gfx{major}" + "".join(f"{number:x}" for number in rest)


def _told(machine: Machine, value: str, claimed: str, gfx: str) -> tuple[Message, Severity] | None:
    chips = (machine.torch.chips if machine.torch else None) or ()
    if machine.system == "windows":
        return say("HSA_OVERRIDE_GFX_VERSION is set on Windows, where it is never right"), "warning"
    if _REPLACED.get(gfx) != value and claimed[:-1] != gfx[:-1]:
        words = mark("HSA_OVERRIDE_GFX_VERSION={value} makes {gfx} run the code of another family, {claimed}")
        return say(words, value=value, gfx=gfx, claimed=claimed), "error"
    if claimed == gfx or gfx in {chip.split(":", maxsplit=1)[0] for chip in chips}:
        words = mark("HSA_OVERRIDE_GFX_VERSION={value} is not needed: torch holds code for {gfx} itself")
        return say(words, value=value, gfx=gfx), "warning"
    return None


@fault("wsl", 7)
def wsl(machine: Machine) -> Iterator[Finding]:
    """Inside WSL the card is behind /dev/dxg, and ROCm before 7.13 looks there only when told to."""
    if machine.system != "wsl" or "/dev/dxg" not in machine.devices or "/dev/kfd" in machine.devices:
        return
    torch = machine.torch
    if (
        torch is None
        or not torch.hip
        or torch.devices
        or any(card.vendor == "NVIDIA" for card in cards(machine))
    ):
        return
    told = machine.environment.get("HSA_ENABLE_DXG_DETECTION") == "1"
    if not told and version(torch.hip) < (7, 13):
        fix: tuple[str, ...] = ("export HSA_ENABLE_DXG_DETECTION=1",)
        words = mark(
            "ROCm {version} looks at /dev/dxg only with HSA_ENABLE_DXG_DETECTION=1, which is not set"
        )
        why = say(words, version=torch.hip)
    else:
        fix = (
            say("Update the driver on Windows (AMD Software: Adrenalin Edition)."),
            say(
                "Install librocdxg, ROCm's library for WSL, as AMD's guide for WSL says; then: sudo ldconfig"
            ),
        )
        why = say(
            "ROCm looks at /dev/dxg and finds no card: the Windows driver or librocdxg is missing or too old"
        )
    yield Finding(
        "wsl",
        say("Inside WSL, ROCm does not see the card"),
        "error",
        (say("/dev/dxg is there, /dev/kfd is not"), why),
        fix,
        "rocminfo | grep gfx",
    )

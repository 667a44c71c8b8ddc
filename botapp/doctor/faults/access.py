"""Faults on the way to the card: device nodes, the wrong card first, overrides, WSL."""

from collections.abc import Iterator

from botapp.doctor.cards import amd, cards
from botapp.doctor.faults import fault
from botapp.doctor.finding import Finding, Severity
from botapp.doctor.machine import Machine, version
from botapp.host.message import Message, mark, say
from hrm.backends.architectures import shares_memory

ACCESS = "sudo usermod -aG render,video $USER"  # What lets a user open the device nodes
_CONTAINER = "--device=/dev/kfd --device=/dev/dri --security-opt seccomp=unconfined"
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
    if refused:
        evidence: list[str] = [say("opening {path}: permission denied", path=path) for path in refused]
        evidence += machine.outputs.get("ls", "").splitlines()
        title = say("This user may not open the card's device nodes")
        again = say("Log out and in again, or restart.")
        yield Finding("device-nodes", title, "error", tuple(evidence), (ACCESS, again))
    if machine.devices.get("/dev/kfd") == "ENOENT":
        boxed = any(machine.file(path) is not None for path in ("/run/.containerenv", "/.dockerenv"))
        title, fix = say("The card's compute device is missing: amdgpu is not loaded"), "sudo modprobe amdgpu"
        if boxed:
            title = say("The container was started without the card's compute device")
            fix = say("Start the container with {options}", options=_CONTAINER)
        yield Finding("device-nodes", title, "error", ("/dev/kfd: ENOENT",), (fix,))


@fault("integrated-first", 5)
def integrated_first(machine: Machine) -> Iterator[Finding]:
    """The processor's own graphics are device 0, before the card one bought, which is not taken."""
    devices = (machine.torch.devices if machine.torch else None) or ()
    bought = [number for number, device in enumerate(devices) if not shares_memory(device.chip)]
    if not bought or bought[0] == 0 or machine.chosen.get("device") in [f"cuda:{n}" for n in bought]:
        return
    card, name = devices[bought[0]], f"cuda:{bought[0]}"
    words = mark("Choose {device} ({chip}) under Settings, Thinking; or hide the other one:")
    hide = ("set" if machine.system == "windows" else "export") + f" HIP_VISIBLE_DEVICES={bought[0]}"
    yield Finding(
        "integrated-first",
        say("The processor's own graphics come before the {card}", card=card.title),
        "warning",
        tuple(
            f"cuda:{number}: {device.title} ({device.chip}{', ' + device.pci if device.pci else ''})"
            for number, device in enumerate(devices)
        ),
        (say(words, device=name, chip=card.chip), hide),
    )


@fault("override", 6)
def override(machine: Machine) -> Iterator[Finding]:
    """HSA_OVERRIDE_GFX_VERSION is wrong for the card, not needed, or set on Windows."""
    value = machine.environment.get("HSA_OVERRIDE_GFX_VERSION", "")
    found = [card for card in amd(machine) if card.gfx]
    if not value or not (found or machine.system == "windows"):
        return
    judged = _judged(machine, value, found[0].gfx if found else "")
    if judged is not None:
        evidence = (f"HSA_OVERRIDE_GFX_VERSION={value}", *(card.name for card in found))
        yield Finding("override", *judged, evidence, (machine.unset("HSA_OVERRIDE_GFX_VERSION"),))


def _judged(machine: Machine, value: str, gfx: str) -> tuple[Message, Severity] | None:
    major, *rest = version(value) or (0,)
    claimed = f"gfx{major}" + "".join(f"{number:x}" for number in rest)  # 10.3.0 is gfx1030, 9.0.10 gfx90a
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
    torch = machine.torch
    if machine.system != "wsl" or "/dev/dxg" not in machine.devices or "/dev/kfd" in machine.devices:
        return
    if not torch or not torch.hip or torch.devices or any(card.vendor == "NVIDIA" for card in cards(machine)):
        return
    fix: str = say("Update the driver on Windows (AMD Software: Adrenalin Edition) and install librocdxg.")
    if machine.environment.get("HSA_ENABLE_DXG_DETECTION") != "1" and version(torch.hip) < (7, 13):
        fix = "export HSA_ENABLE_DXG_DETECTION=1"
    evidence = (say("/dev/dxg is there, /dev/kfd is not"), f"ROCm {torch.hip}")
    yield Finding("wsl", say("Inside WSL, ROCm does not see the card"), "error", evidence, (fix,))


@fault("rdna1", 15)
def rdna1(machine: Machine) -> Iterator[Finding]:
    """RDNA 1 (gfx1010 to gfx1013): what there is to choose stands on the page."""
    found = tuple(card.name for card in amd(machine) if card.gfx.startswith("gfx101"))
    if found:
        title = say("For RDNA 1 only AMD itself builds a torch, and convolutions have crashed such cards")
        fix = say(
            "You need do nothing: only what a test proves on this card runs on it, the rest on the CPU."
        )
        yield Finding("rdna1", title, "note", found, (fix,))

"""Faults on the way to the card: device nodes, the wrong card first, overrides, WSL, driver settings."""

import re
from collections.abc import Iterator

from botapp.doctor.cards import amd, has_nvidia
from botapp.doctor.faults import Finding, Severity, fault
from botapp.doctor.install import ACCESS
from botapp.doctor.machine import Machine, version
from botapp.host.message import Message, mark, say
from hrm.backends.architectures import shares_memory

_CONTAINER = "--device=/dev/kfd --device=/dev/dri --security-opt seccomp=unconfined"
_REPLACED = {
    "gfx1031": "10.3.0", "gfx1032": "10.3.0", "gfx1033": "10.3.0", "gfx1034": "10.3.0", "gfx1035": "10.3.0",
    "gfx1036": "10.3.0", "gfx1101": "11.0.0", "gfx1102": "11.0.0", "gfx1103": "11.0.0", "gfx90c": "9.0.0",
    "gfx902": "9.0.0",
}  # fmt: skip
"""Chips that run the code of another one of their family, and the override that makes torch try."""
_OVERRIDE = "HSA_OVERRIDE_GFX_VERSION"
_FOLDER = "/sys/module/amdgpu/parameters"
_PARAMETERS = "noretry", "vm_fragment_size"
_RETRY_OFF = ("gfx906", "gfx1010", "gfx1012")
"""Chips that the driver runs without retry faults by itself: with them, its own tests fail."""
_SEGMENTS = say("Expandable segments can hang the card")
_TUNING = say("Tuning of operators makes the first run take minutes")
_ATTENTION = say("Experimental flash attention is on; it has had faults of accuracy")
_VARIABLES: tuple[tuple[str, str, Severity, Message], ...] = (
    ("PYTORCH_HIP_ALLOC_CONF", "(?i).*expandable_segments:true.*", "warning", _SEGMENTS),
    ("PYTORCH_ALLOC_CONF", "(?i).*expandable_segments:true.*", "warning", _SEGMENTS),
    ("PYTORCH_TUNABLEOP_ENABLED", "1", "note", _TUNING),
    ("TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL", "1", "note", _ATTENTION),
)
"""Variables, the values that are faults, how bad each is, and why."""


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
        yield Finding(title, "error", evidence, (ACCESS, say("Log out and in again, or restart.")))
    if machine.devices.get("/dev/kfd") == "ENOENT":
        title, fix = say("The card's compute device is missing: amdgpu is not loaded"), "sudo modprobe amdgpu"
        if any(machine.file(path) is not None for path in ("/run/.containerenv", "/.dockerenv")):
            title = say("The container was started without the card's compute device")
            fix = say("Start the container with {options}", options=_CONTAINER)
        yield Finding(title, "error", ("/dev/kfd: ENOENT",), (fix,))


@fault("integrated-first", 5)
def integrated_first(machine: Machine) -> Iterator[Finding]:
    """The processor's own graphics are device 0, before the card one bought, which is not taken."""
    devices = (machine.torch.devices if machine.torch else None) or ()
    bought = [number for number, device in enumerate(devices) if not shares_memory(device.chip)]
    if not bought or bought[0] == 0 or machine.chosen.get("device") in [f"cuda:{n}" for n in bought]:
        return
    first = bought[0]
    title = say("The processor's own graphics come before the {card}", card=devices[first].title)
    evidence = [
        f"cuda:{number}: {device.title} ({device.chip}{', ' + device.pci if device.pci else ''})"
        for number, device in enumerate(devices)
    ]
    words = mark("Choose {device} ({chip}) under Settings, Thinking; or hide the other one:")
    hide = ("set" if machine.system == "windows" else "export") + f" HIP_VISIBLE_DEVICES={first}"
    steps = say(words, device=f"cuda:{first}", chip=devices[first].chip), hide
    yield Finding(title, "warning", evidence, steps)


@fault("override", 6)
def override(machine: Machine) -> Iterator[Finding]:
    """HSA_OVERRIDE_GFX_VERSION is wrong for the card, not needed, or set on Windows."""
    value = machine.environment.get(_OVERRIDE, "")
    cards = [card for card in amd(machine) if card.gfx]
    if not value or not (cards or machine.system == "windows"):
        return
    judged = _judged(machine, value, cards[0].gfx if cards else "")
    if judged is not None:
        evidence = (f"{_OVERRIDE}={value}", *(card.name for card in cards))
        yield Finding(*judged, evidence, (machine.unset(_OVERRIDE),))


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
    torch, nodes = machine.torch, machine.devices
    if machine.system != "wsl" or "/dev/dxg" not in nodes or "/dev/kfd" in nodes or has_nvidia(machine):
        return
    if not torch or not torch.hip or torch.devices:
        return
    fix: str = say("Update the driver on Windows (AMD Software: Adrenalin Edition) and install librocdxg.")
    if machine.environment.get("HSA_ENABLE_DXG_DETECTION") != "1" and version(torch.hip) < (7, 13):
        fix = "export HSA_ENABLE_DXG_DETECTION=1"
    evidence = (say("/dev/dxg is there, /dev/kfd is not"), f"ROCm {torch.hip}")
    yield Finding(say("Inside WSL, ROCm does not see the card"), "error", evidence, (fix,))


@fault("rdna1", 15)
def rdna1(machine: Machine) -> Iterator[Finding]:
    """RDNA 1 (gfx1010 to gfx1013): what there is to choose stands on the page."""
    names = [card.name for card in amd(machine) if card.gfx.startswith("gfx101")]
    if names:
        title = say("For RDNA 1 only AMD itself builds a torch, and convolutions have crashed such cards")
        words = mark(
            "You need do nothing: only what a test proves on this card runs on it, the rest on the CPU."
        )
        yield Finding(title, "note", names, (say(words),))


def parameters(machine: Machine) -> dict[str, str]:
    """Returns the driver's parameters that matter, by name."""
    values = {name: machine.file(f"{_FOLDER}/{name}") for name in _PARAMETERS}
    return {name: value for name, value in values.items() if value is not None}


@fault("kernel-parameters", 13)
def kernel_parameters(machine: Machine) -> Iterator[Finding]:
    """Judges `noretry` (retry faults) and `vm_fragment_size` (the size of pages) of the amdgpu driver."""
    cards, values = amd(machine), parameters(machine)
    chips = ", ".join(card.gfx for card in cards if card.gfx in _RETRY_OFF)
    if values.get("noretry") == "0" and chips:
        words = mark("amdgpu.noretry=0 switches retry faults on, which {chips} does not support")
        yield _parameter(machine, "noretry", say(words, chips=chips), "warning")
    size = values.get("vm_fragment_size", "-1")
    if cards and size not in ("-1", "9"):
        words = mark(
            "amdgpu.vm_fragment_size={value} is not the driver's own 9, which needs the fewest look-ups"
        )
        yield _parameter(machine, "vm_fragment_size", say(words, value=size), "note")


def _parameter(machine: Machine, name: str, title: Message, severity: Severity) -> Finding:
    line = (machine.file("/proc/cmdline") or "").split()
    evidence = [f"{_FOLDER}/{name}: {machine.file(f'{_FOLDER}/{name}')}"]
    evidence += [say("kernel line: {part}", part=part) for part in line if part.startswith(f"amdgpu.{name}=")]
    words = mark("Take {name} out of the kernel's command line or of /etc/modprobe.d, then restart.")
    return Finding(title, severity, evidence, (say(words, name=f"amdgpu.{name}"),))


@fault("environment", 14)
def environment(machine: Machine) -> Iterator[Finding]:
    """Judges variables that are known to hang, to slow the first run or to give wrong numbers."""
    if not amd(machine) and not (machine.torch and machine.torch.hip):
        return
    for name, bad, severity, title in _VARIABLES:
        value = machine.environment.get(name, "")
        if re.fullmatch(bad, value):
            yield Finding(title, severity, (f"{name}={value}",), (machine.unset(name),))

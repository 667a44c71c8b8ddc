"""Settings of AMD's kernel driver and of ROCm's environment that matter to a card."""

import re
from collections.abc import Iterator

from botapp.doctor.cards import amd
from botapp.doctor.faults import fault
from botapp.doctor.finding import Finding, Severity
from botapp.doctor.machine import Machine
from botapp.host.message import Message, say

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


def parameters(machine: Machine) -> dict[str, str]:
    """Returns the driver's parameters that matter, by name."""
    found = {name: machine.file(f"{_FOLDER}/{name}") for name in _PARAMETERS}
    return {name: value for name, value in found.items() if value is not None}


@fault("kernel-parameters", 13)
def kernel_parameters(machine: Machine) -> Iterator[Finding]:
    """Judges `noretry` (retry faults) and `vm_fragment_size` (the size of pages) of the amdgpu driver."""
    found, values = amd(machine), parameters(machine)
    chips = ", ".join(card.gfx for card in found if card.gfx in _RETRY_OFF)
    if values.get("noretry") == "0" and chips:
        title = say("amdgpu.noretry=0 switches retry faults on, which {chips} does not support", chips=chips)
        yield _parameter(machine, "noretry", title, "warning")
    fragment = values.get("vm_fragment_size", "-1")
    if found and fragment not in ("-1", "9"):
        title = say(
            "amdgpu.vm_fragment_size={value} is not the driver's own 9, which needs the fewest look-ups",
            value=fragment,
        )
        yield _parameter(machine, "vm_fragment_size", title, "note")


def _parameter(machine: Machine, name: str, title: Message, severity: Severity) -> Finding:
    line = (machine.file("/proc/cmdline") or "").split()
    evidence = [f"{_FOLDER}/{name}: {machine.file(f'{_FOLDER}/{name}')}"]
    evidence += [say("kernel line: {part}", part=part) for part in line if part.startswith(f"amdgpu.{name}=")]
    fix = say(
        "Take {name} out of the kernel's command line or of /etc/modprobe.d, then restart.",
        name=f"amdgpu.{name}",
    )
    return Finding("kernel-parameters", title, severity, tuple(evidence), (fix,))


@fault("environment", 14)
def environment(machine: Machine) -> Iterator[Finding]:
    """Judges variables that are known to hang, to slow the first run or to give wrong numbers."""
    if not amd(machine) and not (machine.torch and machine.torch.hip):
        return
    for name, bad, severity, title in _VARIABLES:
        value = machine.environment.get(name, "")
        if re.fullmatch(bad, value):
            yield Finding("environment", title, severity, (f"{name}={value}",), (machine.unset(name),))

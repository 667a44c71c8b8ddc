"""Settings of AMD's kernel driver and of ROCm's environment that matter to a card, read and judged."""

from collections.abc import Iterator

from botapp.doctor.cards import amd
from botapp.doctor.faults import fault
from botapp.doctor.finding import Finding, Severity
from botapp.doctor.machine import Machine
from botapp.host.message import Message, say
from hrm.interpreter import this_python

_FOLDER = "/sys/module/amdgpu/parameters"
_RETRY_OFF = ("gfx906", "gfx1010", "gfx1012")
"""Chips that the driver runs without retry faults unless told otherwise: with them, its own tests fail."""


@fault("kernel-parameters", 13)
def kernel_parameters(machine: Machine) -> Iterator[Finding]:
    """Judges `noretry` (retry faults) and `vm_fragment_size` (the size of pages) of the amdgpu driver."""
    found = amd(machine)
    if not found:
        return
    noretry = machine.file(f"{_FOLDER}/noretry")
    if noretry == "0" and any(card.gfx in _RETRY_OFF for card in found):
        chips = ", ".join(card.gfx for card in found if card.gfx in _RETRY_OFF)
        yield _parameter(
            machine,
            say("amdgpu.noretry=0 switches retry faults on, which {chips} does not support", chips=chips),
            "warning",
            "noretry",
            say("-1 lets the driver choose by chip; it chooses 1 (off) for these since late 2020"),
        )
    fragment = machine.file(f"{_FOLDER}/vm_fragment_size")
    if fragment in (None, "-1", "9"):
        return
    pages = say("an unknown size")
    if fragment and fragment.isdigit():
        pages = say("{pages} pages of 4 KiB", pages=f"2^{fragment}")
    yield _parameter(
        machine,
        say(
            "amdgpu.vm_fragment_size={value} splits the card's memory into fragments of {pages}",
            value=fragment,
            pages=pages,
        ),
        "note",
        "vm_fragment_size",
        say(
            "9 (2 MiB, the driver's own choice with -1 on these cards) needs the fewest look-ups; some set 4 "
            "(64 KiB) because an integrated GPU was steadier with it"
        ),
    )


def judged(machine: Machine) -> dict[str, str]:
    """Returns the driver's parameters that matter, each with what its value means."""
    meanings = {
        "noretry": {
            "-1": say("the driver chooses by chip (its default)"),
            "0": say("retry faults on"),
            "1": say("retry faults off"),
        },
        "vm_fragment_size": {
            "-1": say("the driver chooses by chip (its default)"),
            "9": say("2 MiB fragments"),
        },
    }
    found: dict[str, str] = {}
    for name, values in meanings.items():
        value = machine.file(f"{_FOLDER}/{name}")
        if value is not None:
            meaning = values.get(value, say("set by hand"))
            found[name] = say("{value}: {meaning}", value=value, meaning=meaning)
    return found


@fault("environment", 14)
def environment(machine: Machine) -> Iterator[Finding]:
    """Judges variables that are known to hang, to slow the first run or to give wrong numbers."""
    values = machine.environment
    unset = "set {}=" if machine.system == "windows" else "unset {}"
    if not amd(machine) and not (machine.torch and machine.torch.hip):
        return
    for name in ("PYTORCH_HIP_ALLOC_CONF", "PYTORCH_ALLOC_CONF"):
        if "expandable_segments:true" in values.get(name, "").lower():
            yield Finding(
                "environment",
                say("Expandable segments can hang the card"),
                "warning",
                (f"{name}={values[name]}",),
                (unset.format(name),),
                f"echo ${name}",
            )
    if values.get("PYTORCH_TUNABLEOP_ENABLED") == "1":
        yield Finding(
            "environment",
            say("Tuning of operators makes the first run take minutes"),
            "note",
            ("PYTORCH_TUNABLEOP_ENABLED=1",),
            (unset.format("PYTORCH_TUNABLEOP_ENABLED"),),
            "echo $PYTORCH_TUNABLEOP_ENABLED",
        )
    if values.get("TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL") == "1":
        yield Finding(
            "environment",
            say("Experimental flash attention is on; it has had faults of accuracy"),
            "note",
            ("TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL=1",),
            (
                say(
                    "The app uses it only where it agrees with plain attention. To be sure of other programs:"
                ),
                unset.format("TORCH_ROCM_AOTRITON_ENABLE_EXPERIMENTAL"),
            ),
            f"{this_python()} -m hrm.backends probe --again",
        )


def _parameter(machine: Machine, title: Message, severity: Severity, name: str, why: Message) -> Finding:
    line = machine.file("/proc/cmdline") or ""
    set_there = [part for part in line.split() if part.startswith(f"amdgpu.{name}=")]
    return Finding(
        "kernel-parameters",
        title,
        severity,
        (
            f"{_FOLDER}/{name}: {machine.file(f'{_FOLDER}/{name}')}",
            why,
            *(say("kernel line: {part}", part=part) for part in set_there),
        ),
        (
            say(
                "Take {name} out of the kernel's command line or of /etc/modprobe.d, then restart.",
                name=f"amdgpu.{name}",
            ),
        ),
        f"cat {_FOLDER}/{name}",
        relogin=True,
    )

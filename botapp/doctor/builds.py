"""What the graphics cards of this computer lack to be used: the build of torch for them, with its command."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from botapp.doctor import install
from botapp.doctor.cards import GraphicsCard, amd, cards
from botapp.doctor.faults.access import ACCESS
from botapp.doctor.faults.software import lacks_code
from botapp.doctor.machine import Machine
from botapp.host.message import join, say

_BACKENDS = {"AMD": "rocm", "NVIDIA": "cuda"}  # The backend of torch for a vendor's cards


def with_ways(backends: Sequence[Mapping[str, Any]], machine: Machine) -> list[dict[str, Any]]:
    """Returns backends as `hrm.backends.working` has them, with what those that do not work want here."""
    has = _built_for(machine)
    return [
        dict(entry)
        if entry["usable"] or has.get(entry["name"], True)
        else dict(entry) | {"reason": way(str(entry["name"]), machine)}
        for entry in backends
    ]


def way(backend: str, machine: Machine) -> str:
    """Returns what a backend of torch ("rocm" or "cuda") wants on a machine, in words with the command."""
    if backend == "cuda":
        found = [card for card in cards(machine) if card.vendor == "NVIDIA"]
        return _line(found[0].name, install.cuda_command()) if found else say("there is no NVIDIA card here")
    ours = amd(machine)
    if not ours:
        return say("there is no AMD card here")
    best = next((card for card in ours if install.has_wheel(card.gfx)), None)
    if best is None:
        return say("there is no build of torch for {card}", card=ours[0].name)
    return _with_warning(_line(best.name, install.torch_command(best.gfx)), best)


@dataclass(frozen=True, slots=True)
class CardAdvice:
    """What there is to say of a graphics card to its owner.

    Attributes:
        words: whether the model can use it, and what would be better.
        command: the line that installs what it wants, "" where there is nothing to install.
    """

    card: str
    words: str
    command: str = ""


def advice(machine: Machine) -> tuple[CardAdvice, ...]:
    """Returns what would be better for each graphics card of a machine; nothing for a machine without any.

    A processor's own graphics beside a card want nothing: torch is built for one vendor and chip, the card's.
    """
    found = cards(machine)
    own = [card for card in found if not card.integrated]
    return tuple(CardAdvice(card.title, *_advice(card, machine)) for card in own or found)


def _advice(card: GraphicsCard, machine: Machine) -> tuple[str, str]:
    """Returns words and command."""
    ours, on_windows = card.vendor == "AMD", machine.system == "windows"
    built = _built_for(machine).get(_BACKENDS.get(card.vendor, ""), False)
    no_code = built and ours and not on_windows and lacks_code(card, machine)
    by_directml = on_windows and card.vendor != "NVIDIA"
    if (built and not no_code) or (by_directml and "onnxruntime-directml" in machine.packages):
        if ours and "EACCES" in machine.devices.values():
            return say(
                "What it needs is installed, but you may not use it yet. Run the line below, then log out "
                "and in."
            ), ACCESS
        if ours and machine.devices.get("/dev/kfd") == "ENOENT":
            return say(
                "What it needs is installed, but its driver does not answer: `botapp doctor` says what to do."
            ), ""
        return say("What it needs is installed: the model runs on it where it can."), ""
    command = install.cuda_command() if card.vendor == "NVIDIA" else install.torch_command(card.gfx)
    if by_directml:
        command = install.directml_command()
    if not command:
        return say("The model has no build for it and runs on the processor."), ""
    words: str = say(
        "It is not used yet: what is installed is for the processor. Close botapp, run the line below once, "
        "then start botapp again."
    )
    if no_code:
        words = say(
            "What is installed has no code for it. Close botapp, run the line below once, then start botapp "
            "again."
        )
    return (_with_warning(words, card) if ours and not on_windows else words), command


def _built_for(machine: Machine) -> dict[str, bool]:
    built = machine.torch
    return {"rocm": bool(built and built.hip), "cuda": bool(built and built.cuda)}


def _with_warning(words: str, card: GraphicsCard) -> str:
    """Returns words about an AMD card's build of torch, with a warning where AMD has not tested it."""
    if not install.is_untested(card.gfx):
        return words
    return join((words, say("AMD has not tried that build on this chip")))


def _line(card: str, command: str) -> str:
    return say(
        "for {card} install its build of torch, then start botapp again:  {command}",
        card=card,
        command=command,
    )

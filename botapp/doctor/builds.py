"""What the graphics cards of this computer lack to be used: the build of torch for them, with its command."""

from collections.abc import Mapping, Sequence
from typing import Any

from botapp.doctor import install
from botapp.doctor.cards import amd, cards
from botapp.doctor.machine import Machine
from botapp.host.message import join, say


def with_ways(backends: Sequence[Mapping[str, Any]], machine: Machine) -> list[dict[str, Any]]:
    """Returns backends as `hrm.backends.working` has them, with what those that do not work want here."""
    built = machine.torch
    has = {"rocm": bool(built and built.hip), "cuda": bool(built and built.cuda)}
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
    fitting = [card for card in ours if install.has_wheel(card.gfx)]
    if not fitting:
        return say("there is no build of torch for {card}", card=ours[0].name)
    best = fitting[0]
    line = _line(best.name, install.torch_command(best.gfx))
    if not install.is_untested(best.gfx):
        return line
    return join((line, say("AMD has not tried that build on this chip")))


def _line(card: str, command: str) -> str:
    return say(
        "for {card} install its build of torch, then start botapp again:  {command}",
        card=card,
        command=command,
    )

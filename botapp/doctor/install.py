"""Which build of torch a card wants, whether it has it, and the command that installs it.

Addresses and limits are data (`resources/rocm/wheels.toml`). An extra of a package cannot choose an index, so
the doctor prints the command, for the environment that it runs in itself.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from botapp.doctor.cards import GraphicsCard, amd, cards
from botapp.doctor.machine import Machine, version
from botapp.host.message import join, mark, say
from hrm.interpreter import this_python

ACCESS = "sudo usermod -aG render,video $USER"  # What lets a user open the device nodes
_BACKENDS = {"AMD": "rocm", "NVIDIA": "cuda"}  # The backend of torch for a vendor's cards


@cache
def wheels() -> dict[str, Any]:
    return tomllib.loads((files("resources") / "rocm" / "wheels.toml").read_text("utf-8"))


def has_wheel(gfx: str) -> bool:
    return gfx in wheels()["amd"]["gfx"]


def is_untested(gfx: str) -> bool:
    """Tells whether AMD publishes a torch for a chip that it has not tried on one."""
    return gfx in wheels()["amd"]["untested"]


def torch_command(gfx: str) -> str:
    """Returns the command that installs torch for an AMD chip, "" where none is published."""
    return _torch("amd", f"[device-{gfx}]") if has_wheel(gfx) else ""


def cpu_command() -> str:
    return _torch("cpu")


def cuda_command() -> str:
    return _torch("nvidia")


def directml_command() -> str:
    """Returns the command that puts ONNX Runtime for Windows' graphics cards in place of the processor's."""
    return f"{pip()} uninstall -y onnxruntime && {pip()} install --force-reinstall onnxruntime-directml"


def pip() -> str:
    """Returns the pip of the Python that this runs in, as it is typed."""
    return f"{this_python()} -m pip"


def _torch(maker: str, extra: str = "") -> str:
    build = wheels()[maker]
    wanted = f"torch{extra}=={build['torch']}"
    return f'{pip()} install --force-reinstall --index-url {build["index"]} "{wanted}"'


def python_fits(machine: Machine) -> bool:
    return any(version(machine.python)[:2] == version(known) for known in wheels()["amd"]["python"])


def lacks_code(card: GraphicsCard, machine: Machine) -> bool:
    """Tells whether the torch that is installed is for AMD's cards, but not for this one's chip."""
    torch = machine.torch
    if torch is None or torch.chips is None or not torch.hip or not card.gfx:
        return False
    plain = {chip.split(":", maxsplit=1)[0] for chip in torch.chips}
    family = re.sub(r"[0-9a-f]{2}$", "", card.gfx)  # a family's generic code runs on all of its chips
    chips = plain & {card.gfx, f"{family}-generic", f"{family[:-1]}-generic"}
    return not chips and not machine.environment.get("HSA_OVERRIDE_GFX_VERSION")


@dataclass(frozen=True, slots=True)
class Driver:
    """A release of AMD's out-of-tree driver, and the oldest and newest ROCm that AMD supports on it."""

    release: str
    oldest: str
    newest: str

    def fits(self, rocm: str) -> bool:
        """Tells whether AMD supports a ROCm on it; a ROCm newer than AMD's table is taken to be."""
        release, last = version(rocm)[:2], version(wheels()["driver"][-1]["newest"])
        if release > last and version(self.newest) == last:
            return True
        return version(self.oldest) <= release <= version(self.newest)


def driver(module: str) -> Driver | None:
    """Returns the release of AMD's driver that a module's version belongs to, None where unknown."""
    older = [entry for entry in wheels()["driver"] if version(module) >= version(entry["module"])]
    return Driver(*(str(older[-1][name]) for name in ("release", "oldest", "newest"))) if older else None


def first_driver(cuda: str) -> str:
    """Returns the first NVIDIA driver that a CUDA runs on, "" where unknown."""
    return str(wheels()["cuda"].get(cuda.split(".", maxsplit=1)[0], ""))


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
    words = mark("for {card} install its build of torch, then start botapp again:  {command}")
    if backend == "cuda":
        names = [card.name for card in cards(machine) if card.vendor == "NVIDIA"]
        if not names:
            return say("there is no NVIDIA card here")
        return say(words, card=names[0], command=cuda_command())
    ours = amd(machine)
    if not ours:
        return say("there is no AMD card here")
    best = next((card for card in ours if has_wheel(card.gfx)), None)
    if best is None:
        return say("there is no build of torch for {card}", card=ours[0].name)
    return _with_warning(say(words, card=best.name, command=torch_command(best.gfx)), best)


@dataclass(frozen=True, slots=True)
class CardAdvice:
    """What there is to say of a graphics card to its owner."""

    card: str
    words: str  # Whether the model can use it, and what would be better
    command: str = ""  # The line that installs what it wants, "" where there is nothing to install


def advice(machine: Machine) -> tuple[CardAdvice, ...]:
    """Returns what would be better for each graphics card of a machine; nothing for a machine without any.

    A processor's own graphics beside a card want nothing: torch is built for one vendor and chip, the card's.
    """
    every_card = cards(machine)
    own = [card for card in every_card if not card.integrated]
    return tuple(CardAdvice(card.title, *_advice(card, machine)) for card in own or every_card)


def _advice(card: GraphicsCard, machine: Machine) -> tuple[str, str]:
    """Returns words and command."""
    ours, on_windows = card.vendor == "AMD", machine.system == "windows"
    built = _built_for(machine).get(_BACKENDS.get(card.vendor, ""), False)
    no_code = built and ours and not on_windows and lacks_code(card, machine)
    by_directml = on_windows and card.vendor != "NVIDIA"
    if (built and not no_code) or (by_directml and "onnxruntime-directml" in machine.packages):
        if ours and "EACCES" in machine.devices.values():
            words = mark(
                "What it needs is installed, but you may not use it yet. Run the line below, then log out "
                "and in."
            )
            return say(words), ACCESS
        words = mark("What it needs is installed: the model runs on it where it can.")
        if ours and machine.devices.get("/dev/kfd") == "ENOENT":
            words = mark(
                "What it needs is installed, but its driver does not answer: `botapp doctor` says what to do."
            )
        return say(words), ""
    command = cuda_command() if card.vendor == "NVIDIA" else torch_command(card.gfx)
    if by_directml:
        command = directml_command()
    if not command:
        return say("The model has no build for it and runs on the processor."), ""
    words = mark(
        "It is not used yet: what is installed is for the processor. Close botapp, run the line below once, "
        "then start botapp again."
    )
    if no_code:
        words = mark(
            "What is installed has no code for it. Close botapp, run the line below once, then start botapp "
            "again."
        )
    return (_with_warning(say(words), card) if ours and not on_windows else say(words)), command


def _built_for(machine: Machine) -> dict[str, bool]:
    built = machine.torch
    return {"rocm": bool(built and built.hip), "cuda": bool(built and built.cuda)}


def _with_warning(words: str, card: GraphicsCard) -> str:
    """Returns words about an AMD card's build of torch, with a warning where AMD has not tried it."""
    if not is_untested(card.gfx):
        return words
    return join((words, say("AMD has not tried that build on this chip")))

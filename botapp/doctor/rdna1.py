"""RDNA 1 (gfx1010 to gfx1013), told honestly: what happens there, what others tried, what there is to choose.

PyTorch's wheels have never had these chips; AMD's own have since 2026 (`resources/rocm/README.md`).
"""

from dataclasses import asdict, dataclass

from botapp.doctor.cards import GraphicsCard, cards
from botapp.doctor.machine import Machine
from botapp.host.message import say

STORY = (
    say(
        "PyTorch's own wheels hold no code for gfx101x. AMD's do since 2026, and AMD lists these chips as "
        "tried; we have run them on none."
    ),
    say(
        "Before that others told such a card to run another chip's code (HSA_OVERRIDE_GFX_VERSION): torch "
        "starts, and simple operators work; convolutions then end the process with SIGSEGV or "
        "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION. Memory formats, a preloaded shim, builds from source "
        "and containers were tried against it; none is known to hold."
    ),
    say(
        "So the app trusts nothing here that a probe on this very card has not proved: each operator is "
        "tried in a process of its own, and what crashes is kept off the card. If nothing holds it runs on "
        "the CPU, or through DirectML on Windows. The DOFUS network has no convolution and is small; what "
        "the CPU takes is in `botapp bench`."
    ),
)


@dataclass(frozen=True, slots=True)
class CardOption:
    """A way out."""

    name: str
    price: str
    gain: str
    advice: str


OPTIONS = (
    CardOption(
        say("Stay on the CPU"),
        say("nothing"),
        say("stable; about 10 times slower than a card that works"),
        say("the default"),
    ),
    CardOption(
        say("AMD's own wheel for the chip"),
        say("a download of about 1 GB; not run by us"),
        say("the card itself, in fp32 or fp16, no override; one report has image models run on an RX 5600M"),
        say("try it: the doctor prints the line once no override is set; then Probe again"),
    ),
    CardOption(
        say("DirectML (Windows)"),
        say("nothing; needs Windows 10 or 11"),
        say("the card is used through ONNX Runtime, without ROCm; not run on hardware by us"),
        say("try it: `botapp bench --compare`"),
    ),
    CardOption(
        say("The CPU for the failing operator alone"),
        say("nothing; each such call crosses the bus twice"),
        say("the rest stays on the card"),
        say("done by itself where a crash test fails"),
    ),
    CardOption(
        "HSA_OVERRIDE_GFX_VERSION=10.3.0",
        say("crashes, sometimes of the whole desktop"),
        say("matrix products may work"),
        say("no"),
    ),
    CardOption(
        say("A hosted GPU"),
        say(
            "about 0.35 to 0.90 USD an hour for an RTX 4090 (2026), and the model's input "
            "leaves your computer"
        ),
        say("any model at full speed; for training rather than for playing"),
        say("for training"),
    ),
    CardOption(
        say("Another card"),
        say("what one costs: an RX 6600 or newer, used or new"),
        say("RX 7000 and 9000: bf16 on matrix units, in AMD's wheels for Linux and Windows"),
        say("the surest way"),
    ),
)


def concerned(machine: Machine) -> tuple[GraphicsCard, ...]:
    """Returns the machine's RDNA 1 cards."""
    return tuple(card for card in cards(machine) if card.gfx.startswith("gfx101"))


def to_json(machine: Machine) -> dict[str, object] | None:
    """Returns story and options as plain values, None where no such card is."""
    found = concerned(machine)
    if not found:
        return None
    return {
        "cards": [card.name for card in found],
        "story": list(STORY),
        "options": [asdict(option) for option in OPTIONS],
    }

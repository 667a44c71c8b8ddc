"""RDNA 1 (gfx1010 to gfx1013), told honestly: what happens there, what others tried, what there is to choose.

ROCm has never had these chips. Next hop: `botapp.doctor.report` and the UI's page, where such a card is.
"""

from dataclasses import asdict, dataclass

from botapp.doctor.cards import Card, cards
from botapp.doctor.machine import Machine

STORY = (
    "ROCm does not support this card and never has: AMD's wheels hold no code for gfx101x.",
    "Told to run another chip's code (HSA_OVERRIDE_GFX_VERSION), torch starts, and simple operators work; "
    "convolutions then end the process with SIGSEGV or HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION.",
    "Others tried overrides, memory formats, a preloaded shim, builds from source and containers; none is "
    "known to hold.",
    "So the app does not try: it runs on the CPU, or through DirectML on Windows, and keeps what crashes off "
    "the card. The DOFUS network has no convolution and is small; what the CPU takes is in `botapp bench`.",
)


@dataclass(frozen=True, slots=True)
class Option:
    """A way out.

    Attributes:
        name: what one would do.
        price: what it costs, in money or trouble; money is a rough figure of autumn 2026.
        gain: what it brings.
        advice: what the doctor thinks of it.
    """

    name: str
    price: str
    gain: str
    advice: str


OPTIONS = (
    Option(
        "Stay on the CPU", "nothing", "steady; about 10 times slower than a card that works", "the default"
    ),
    Option(
        "DirectML (Windows)",
        "nothing; needs Windows 10 or 11",
        "the card is used through ONNX Runtime, without ROCm; not run on hardware by us",
        "try it: `botapp bench --compare`",
    ),
    Option(
        "The CPU for the failing operator alone",
        "nothing; each such call crosses the bus twice",
        "the rest stays on the card, if a torch can be made to start there at all",
        "done by itself where a crash test fails",
    ),
    Option(
        "HSA_OVERRIDE_GFX_VERSION=10.3.0",
        "crashes, sometimes of the whole desktop",
        "matrix products may work",
        "no",
    ),
    Option(
        "Build ROCm and torch from source for gfx1010",
        "a day, 100 GB of disk, again at every release",
        "some report hangs gone with a patched kernel, others do not",
        "only for the fun of it",
    ),
    Option(
        "A hosted GPU",
        "about 0.20 to 0.60 EUR an hour, and the model's input leaves the house",
        "any model at full speed; for training rather than for playing",
        "for training",
    ),
    Option(
        "Another card",
        "about 150 to 250 EUR used (RX 6600 to RX 7600), 400 to 500 EUR new (RX 7800 XT)",
        "RX 7000 and 9000: bf16 on matrix units, in AMD's wheels for Linux and Windows",
        "the only full cure",
    ),
)


def concerned(machine: Machine) -> tuple[Card, ...]:
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

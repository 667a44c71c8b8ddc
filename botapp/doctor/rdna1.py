"""RDNA 1 (gfx1010 to gfx1013), told honestly: what happens there, what others tried, what there is to choose.

PyTorch's wheels have never had these chips; AMD's own have since 2026 (`resources/rocm/README.md`). Next hop:
`botapp.doctor.report` and the UI's page, where such a card is.
"""

from dataclasses import asdict, dataclass

from botapp.doctor.cards import Card, cards
from botapp.doctor.machine import Machine

STORY = (
    "PyTorch's own wheels hold no code for gfx101x. AMD's do since 2026, and AMD lists these chips as tried; "
    "we have run them on none.",
    "Before that others told such a card to run another chip's code (HSA_OVERRIDE_GFX_VERSION): torch "
    "starts, and simple operators work; convolutions then end the process with SIGSEGV or "
    "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION. Memory formats, a preloaded shim, builds from source and "
    "containers were tried against it; none is known to hold.",
    "So the app trusts nothing here that a probe on this very card has not proved: each operator is tried in "
    "a process of its own, and what crashes is kept off the card. If nothing holds it runs on the CPU, or "
    "through DirectML on Windows. The DOFUS network has no convolution and is small; what the CPU takes is "
    "in `botapp bench`.",
)


@dataclass(frozen=True, slots=True)
class Option:
    """A way out.

    Attributes:
        name: what one would do.
        price: what it costs, in money or trouble.
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
        "AMD's own wheel for the chip",
        "a download of about 1 GB; not run by us",
        "the card itself, in fp32 or fp16, no override; one report has image models run on an RX 5600M",
        "try it: the doctor prints the line once no override is set; then Probe again",
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
        "the rest stays on the card",
        "done by itself where a crash test fails",
    ),
    Option(
        "HSA_OVERRIDE_GFX_VERSION=10.3.0",
        "crashes, sometimes of the whole desktop",
        "matrix products may work",
        "no",
    ),
    Option(
        "A hosted GPU",
        "about 0.35 to 0.90 USD an hour for an RTX 4090 (2026), and the model's input leaves the house",
        "any model at full speed; for training rather than for playing",
        "for training",
    ),
    Option(
        "Another card",
        "what one costs: an RX 6600 or newer, used or new",
        "RX 7000 and 9000: bf16 on matrix units, in AMD's wheels for Linux and Windows",
        "the surest way",
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

"""What a migration has to know of the computer; `botapp migrate` has it from the doctor."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """A card of AMD's: its name for a person, its model, its chip as ROCm calls it ("" where unknown)."""

    name: str
    title: str
    gfx: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What keeps a card from being used; `name` is the doctor's, `fix` what to do, step by step."""

    name: str
    title: str
    evidence: Sequence[str]
    fix: Sequence[str]


@dataclass(frozen=True, slots=True)
class Trial:
    """How an operator ended that was tried on a device."""

    name: str
    device: str
    ok: bool
    how: str


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer."""

    cards: Sequence[Card] = ()
    faults: Sequence[Fault] = ()
    for_rocm: bool = False  # Whether the installed torch is built for ROCm
    install: str = ""  # The command that installs torch for the first card, "" where there is none
    # Tries operators on the cards; nothing where torch reaches none
    trials: Callable[[], Sequence[Trial]] = tuple

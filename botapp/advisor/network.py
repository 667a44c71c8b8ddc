"""What thinks beside the search, as the advisor sees it: tokens of a state in, a step out.

HRM is one such network (`networks/hrm.py`). Another is a module of `botapp/advisor/networks` that loads its
own weights under `@network`; a file of weights names the network it is for.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from torch import Tensor

from botapp.advisor import weights_file
from botapp.advisor.calibration import Calibration
from botapp.advisor.evidence import EvidenceReading
from botapp.advisor.facts import Array, Facts
from botapp.advisor.own_weights import REMEDY
from botapp.host.message import say
from botapp.host.registry import Registry
from hrm.act import Outputs
from hrm.backends import DevicePlan
from hrm.model import Carry
from hrm.tensor_file import CheckpointError, read_metadata

_LOOK_MARGIN = 0.02
"""How many percent points of winning a look must promise beyond the schedule's slice to be taken."""


class Answer(NamedTuple):
    """What the network says after a step, B states of C candidates."""

    correction: Tensor  # Added to the logits that the search's standing gives, (B, C)
    # What a slice on each candidate is expected to bring beyond the schedule's, in percent points of winning,
    # (B, C)
    looks: Tensor
    trust: Tensor  # Logits for a difference of one in the log odds of winning by the search, (B,)

    def best_look(self) -> int | None:
        """Returns the candidate of the first state to spend the next slice on, None for the schedule's."""
        gains = self.looks[0]
        best = int(gains.argmax())
        return best if float(gains[best]) > _LOOK_MARGIN else None

    def logits(self, odds: Tensor, share: float) -> Tensor:
        """Returns the logits of the candidates, given the log odds of winning by their values, (B, C).

        Args:
            share: of the correction, see `Calibration.correction`.
        """
        best = odds.amax(-1, keepdim=True)
        return (odds - best) * self.trust[:, None].to(odds.dtype) + share * self.correction.to(odds.dtype)


def answer_of(outputs: tuple[Tensor, ...], candidates: int) -> Answer:
    correction, looks, trust = outputs
    return Answer(correction[:, 1 : 1 + candidates], looks[:, 1 : 1 + candidates], trust)


class ThinkingNetwork(Protocol):
    """A network that thinks about one state at a time."""

    calibration: Calibration
    placement: DevicePlan  # Where it runs

    @property
    def precision(self) -> str: ...

    @property
    def measures(self) -> tuple[str, ...]:
        """What was done for speed where it runs, in words."""
        ...

    @property
    def left_out(self) -> tuple[str, ...]:
        """What of the level was not done, each with the reason."""
        ...

    def warm_up(self) -> None:
        """Does what makes the first step slow, so that no decision waits for it."""
        ...

    def tokens(self, facts: Facts) -> tuple[Array, Tensor]:
        """Returns the tokens of what does not change, (P, width), and which are real, (1, P)."""
        ...

    def with_evidence(self, tokens: Array, reading: EvidenceReading) -> Tensor:
        """Returns the tokens as a step takes them, with what is known by now, (1, P, width)."""
        ...

    def start(self, length: int) -> Carry:
        """Returns what the first step on so many tokens begins with."""
        ...

    def step(self, carry: Carry, x: Tensor, mask: Tensor | None) -> tuple[Carry, Tensor, Outputs]:
        """Takes a step.

        Returns:
            What the next step begins with, which that may overwrite; the logits of halting and of going on,
            (1, 2); what `answer` reads.
        """
        ...

    def answer(self, outputs: Outputs, candidates: int) -> Answer:
        """Returns what a step's outputs say of so many candidates."""
        ...

    def close(self) -> None:
        """Gives back what it holds; it cannot be used any more."""
        ...


Loader = Callable[[Path, DevicePlan, int], ThinkingNetwork]
"""Loads weights where a plan says, within so many bytes of the device's memory, 0 for no cap."""
NETWORKS: Registry[Loader] = Registry("botapp.advisor.networks")
OWN = "hrm"  # The network of files that name none


def network(name: str) -> Callable[[Loader], Loader]:
    """Registers what loads a network, by the name that its files have under `network` in their metadata."""

    def register(load: Loader) -> Loader:
        NETWORKS.add(name, load)
        return load

    return register


def load_network(file: Path, placement: DevicePlan, memory_cap: int = 0) -> ThinkingNetwork:
    """Loads the network that a file of weights is for.

    Raises:
        CheckpointError: the file is missing or damaged, or of a network that is not there.
        hrm.backends.errors.InferenceError: it cannot run there; which kind says why.
    """
    try:
        name = read_metadata(weights_file.find(file, REMEDY)).get("network", OWN)
    except CheckpointError:
        name = OWN  # whose loader says what is wrong with the file
    loaders = NETWORKS.all()
    if name not in loaders:
        problem = say("{file} is of the network {name}, not of {names}; {remedy}",
            file=str(file), name=repr(name), names=", ".join(loaders), remedy=REMEDY)  # fmt: skip
        raise CheckpointError(problem)
    return loaders[name](file, placement, memory_cap)

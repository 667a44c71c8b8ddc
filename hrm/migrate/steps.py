"""The plan of a migration: nine phases, their steps in order, what each is for and how long it takes."""

from dataclasses import dataclass
from typing import Literal

from hrm.message import mark

Kind = Literal["by hand", "rewrite", "check"]
"""by hand: a person runs commands, the planner looks; rewrite: files change; check: things are tried."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step."""

    name: str  # Such as code_001
    phase: str  # Which of the nine phases it is part of
    title: str
    minutes: int
    kind: Kind
    restart: bool = False  # Whether the computer must be restarted after it


STEPS = (
    Step("backup_001", mark("Backup"), mark("Keep a copy of every file that may be changed"), 5, "check"),
    Step("rocm_001", mark("ROCm"), mark("The driver: there, and fitting the card"), 25, "by hand"),
    Step(
        "rocm_002", mark("ROCm"), mark("Permissions and settings of the driver"), 15, "by hand", restart=True
    ),
    Step("pytorch_001", mark("PyTorch"), mark("A torch that is built for the card"), 20, "by hand"),
    Step("flash_001", mark("FlashAttention"), mark("Find where FlashAttention is used"), 10, "check"),
    Step("flash_002", mark("FlashAttention"), mark("Put torch's own attention in its place"), 20, "rewrite"),
    Step(
        "code_001",
        mark("Code"),
        mark("Calls and device names that insist on a CUDA card; kernels to HIP"),
        15,
        "rewrite",
    ),
    Step(
        "code_002", mark("Code"), mark("NCCL to RCCL where there is a card, to Gloo elsewhere"), 10, "rewrite"
    ),
    Step("opt_001", mark("Optimisation"), mark("Variables for ROCm, in a file of their own"), 10, "rewrite"),
    Step(
        "opt_002",
        mark("Optimisation"),
        mark("Which precision and which attention suit the card"),
        15,
        "check",
    ),
    Step(
        "test_001",
        mark("Tests"),
        mark("Everything compiles, and nothing insists on CUDA any more"),
        20,
        "check",
    ),
    Step("test_002", mark("Tests"), mark("Operators on the card, each in a child"), 30, "check"),
    Step("integration_001", mark("Integration"), mark("The project's own tests"), 25, "check"),
    Step("deploy_001", mark("Deployment"), mark("Write down what was done and how to run it"), 15, "check"),
)
REWRITES = tuple(step.name for step in STEPS if step.kind == "rewrite")


def index(name: str) -> int:
    """Returns a step's place in the plan.

    Raises:
        KeyError: there is no such step.
    """
    for place, step in enumerate(STEPS):
        if step.name == name:
            return place
    raise KeyError(name)

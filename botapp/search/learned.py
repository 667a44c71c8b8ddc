"""The weights of the learned evaluation, from their file to where the compiled search has them."""

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open

from botapp.host.message import say
from botapp.search.core.evaluation import INPUT_NAMES, LAYERS, PAIR_NAMES, WEIGHT_COUNT

SHIPPED = Path(__file__).parents[2] / "resources" / "weights" / "evaluation.safetensors"
INPUTS, SHARE = "inputs", "share"
"""In a file's metadata: the names of the inputs, its weight beside the heuristic evaluation."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnedEvaluation:
    """Weights for `botapp.search.core.network`."""

    weights: npt.NDArray[np.float64]  # All of them, `WEIGHT_COUNT` decimals
    share: float = 1.0  # Its weight beside the heuristic evaluation, above 0 up to 1


@lru_cache(maxsize=4)
def load(path: Path = SHIPPED) -> LearnedEvaluation:
    """Returns the weights of a file.

    Raises:
        ValueError: the file cannot be read, or its weights are for another network, no numbers or all 0; the
            text says which.
    """
    try:
        with safe_open(path, framework="numpy") as file:
            about = file.metadata() or {}
            names = tuple(about.get(INPUTS, "").split(" "))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
    except (OSError, SafetensorError) as error:
        raise ValueError(say("{path} cannot be read: {problem}", path=path, problem=str(error))) from error
    if (
        names != INPUT_NAMES + PAIR_NAMES
        or {name: tensor.shape for name, tensor in tensors.items()} != LAYERS
    ):
        raise ValueError(say("{path} has weights for another version of the evaluation", path=path))
    if any(tensor.dtype.kind != "f" for tensor in tensors.values()):
        raise ValueError(say("{path} has weights that are no numbers", path=path))
    weights = np.concatenate([tensors[name].astype(np.float64).ravel() for name in LAYERS])
    share = _number(about.get(SHARE, "1"))
    if not np.isfinite(weights).all() or not 0 < share <= 1:
        raise ValueError(say("{path} has weights that are no numbers", path=path))
    if not weights.any():
        raise ValueError(
            say("{file}: all weights are 0; {remedy}", file=path, remedy=say("fetch or train it again"))
        )
    assert weights.size == WEIGHT_COUNT
    return LearnedEvaluation(weights, share)


def named(word: str) -> LearnedEvaluation | None:
    """Returns the weights that a word names.

    Args:
        word: "learned" for those that the app has, "none" for none, else a file.

    Raises:
        ValueError: see `load`.
    """
    if word == "none":
        return None
    return load() if word == "learned" else load(Path(word))


def _number(text: str) -> float:
    """Returns the number that a text says, not a number where it says none."""
    try:
        return float(text)
    except ValueError:
        return math.nan

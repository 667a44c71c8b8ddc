"""The weights of the learned evaluation, from their file to where the compiled search has them.

Next hop: `botapp.search.tree` takes them along, `botapp.search.core.network` computes with them.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open

from botapp.fight.state import FightState
from botapp.host.message import say
from botapp.search.core.evaluation_layout import LAYERS, WEIGHT_COUNT
from botapp.search.core.inputs import INPUT_NAMES, PAIR_NAMES

SHIPPED = Path(__file__).parents[2] / "resources" / "weights" / "evaluation.safetensors"
INPUTS, KINDS = "inputs", "kinds"
"""In a file's metadata: the names of the inputs, the classes and monsters that the fights were between."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnedEvaluation:
    """Weights for `botapp.search.core.network`.

    Attributes:
        weights: all of them, `WEIGHT_COUNT` decimals.
        kinds: classes and monsters that it has learnt from.
    """

    weights: npt.NDArray[np.float64]
    kinds: frozenset[str] = frozenset()

    def knows(self, state: FightState) -> bool:
        """Tells whether it has learnt from everybody in a fight, summons left out.

        Against others it is no better than the heuristic evaluation, see `botapp/learning/LOG.md`.
        """
        return all(fighter.kind in self.kinds for fighter in state.fighters if fighter.summoner is None)


@lru_cache(maxsize=4)
def load(path: Path = SHIPPED) -> LearnedEvaluation:
    """Returns the weights of a file.

    Raises:
        ValueError: the file cannot be read, or its weights are for another network; the text says which.
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
    weights = np.concatenate([tensors[name].astype(np.float64).ravel() for name in LAYERS])
    if not np.isfinite(weights).all():
        raise ValueError(say("{path} has weights that are no numbers", path=path))
    assert weights.size == WEIGHT_COUNT
    return LearnedEvaluation(weights, frozenset(about.get(KINDS, "").split()))

"""An advisor with the model, ready to think, from a file of weights and a wish where to run."""

from pathlib import Path

import torch

from botapp.advisor import own_weights
from botapp.advisor.bare import own_evaluation
from botapp.advisor.deliberating import DeliberatingAdvisor, Thinking
from botapp.advisor.device import place
from botapp.advisor.network import load_network
from botapp.search.learned import named
from hrm.backends import DevicePlan

_CPU_THREADS = 1
"""A second thread saves a fifth on idle cores, and costs tenfold while the game and the app want them too."""


def create_advisor(
    weights: str | Path | None = None,
    placement: DevicePlan | None = None,
    budget_ms: float = 50.0,
    thinking: Thinking | None = None,
    *,
    memory_cap: int = 0,
    evaluation: str = "learned",
    simplest: bool = True,
) -> DeliberatingAdvisor:
    """Makes an advisor that is ready to think.

    Args:
        weights: a safetensors file, None for the one that comes with the app for where it runs.
        placement: where to run, see `botapp.advisor.device.place`; None for the best there is.
        budget_ms: time for a whole decision, 0 for no limit.
        memory_cap: bytes of the device's memory that may be taken, 0 for no cap.
        evaluation: a file of weights for the search's evaluation, "learned" for the app's own, "none" for the
            heuristic evaluation alone.
        simplest: see `BareAdvisor`.

    Raises:
        hrm.tensor_file.CheckpointError: the weights are missing or damaged; the text names the file and the
        remedy.
        hrm.backends.errors.InferenceError: the model cannot run where it should; which kind says why.
        ValueError: a setting makes no sense.
    """
    given = None if weights is None else Path(weights)
    placement = placement or place("auto", "auto", "auto", given)
    file = given or own_weights.weights_for(placement.backend)
    if placement.device == "cpu" and torch.get_num_threads() > _CPU_THREADS:
        torch.set_num_threads(_CPU_THREADS)
    return DeliberatingAdvisor(
        load_network(file, placement, memory_cap),
        budget_ms,
        thinking,
        learned=own_evaluation() if evaluation == "learned" else named(evaluation),
        simplest=simplest,
    )

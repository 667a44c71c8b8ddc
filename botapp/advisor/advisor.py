"""An advisor with the model, ready to think, from a file of weights and a wish where to run."""

from pathlib import Path

import torch

from botapp.advisor import own_weights
from botapp.advisor.bare import own_evaluation
from botapp.advisor.deliberating import MODEL_SHARE, SLICES, DeliberatingAdvisor, Looks
from botapp.advisor.device import place
from botapp.advisor.network import load_network
from botapp.search.learned import named
from hrm.backends import DevicePlan

_CPU_THREADS = 1
"""A second thread saves a fifth on idle cores, and costs tenfold while the game and the app want them too."""


def create_advisor(
    weights: str | Path | None = None,
    device: str = "auto",
    precision: str = "auto",
    max_steps: int | None = None,
    budget_ms: float = 50.0,
    halt_threshold: float = 0.5,
    *,
    backend: str = "auto",
    memory_cap: int = 0,
    placement: DevicePlan | None = None,
    looks: Looks = "model",
    price: float | None = None,
    evaluation: str = "learned",
    beside: bool = False,
    threads: int = 1,
    model_share: float = MODEL_SHARE,
    simplest: bool = True,
) -> DeliberatingAdvisor:
    """Makes an advisor that is ready to think.

    Args:
        weights: a safetensors file, None for the one that comes with the app for where it runs.
        device: "auto", or a name such as "cpu" or "cuda:1".
        precision: "auto", "fp32", "bf16" or "fp16".
        max_steps: ACT steps at most, None for as many as the weights were trained with.
        budget_ms: time for a whole decision, 0 for no limit.
        halt_threshold: see `DeliberatingAdvisor`.
        backend: "auto", "rocm", "cuda", "directml" or "cpu".
        memory_cap: bytes of the device's memory that may be taken, 0 for no cap.
        placement: where to run, in place of `backend`, `device` and `precision`.
        looks, price, model_share, simplest: see `DeliberatingAdvisor`.
        evaluation: a file of weights for the search's evaluation, "learned" for the app's own, "none" for the
            heuristic evaluation alone.
        beside: see `DeliberatingAdvisor`.
        threads: how many of them think and search in all; two at the least where `beside`.

    Raises:
        hrm.tensor_file.CheckpointError: the weights are missing or damaged; the text names the file and the
        remedy.
        hrm.backends.errors.InferenceError: the model cannot run where it should; which kind says why.
        ValueError: a setting makes no sense.
    """
    given = None if weights is None else Path(weights)
    placement = placement or place(backend, device, precision, given)
    file = given or own_weights.weights_for(placement.backend)
    if placement.device == "cpu" and torch.get_num_threads() > _CPU_THREADS:
        torch.set_num_threads(_CPU_THREADS)
    return DeliberatingAdvisor(
        load_network(file, placement, memory_cap),
        max_steps or SLICES + 1,
        budget_ms,
        halt_threshold,
        looks=looks,
        price=price,
        learned=own_evaluation() if evaluation == "learned" else named(evaluation),
        beside=beside,
        threads=threads,
        model_share=model_share,
        simplest=simplest,
    )

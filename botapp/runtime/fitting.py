"""Whether the model fits into the memory of where it is to run, said before its weights are loaded."""

from pathlib import Path
from typing import NamedTuple

import psutil

from botapp.advisor.device import stored_config
from botapp.advisor.embedding import LENGTHS
from botapp.host.message import mark, say
from hrm.backends import DevicePlan
from hrm.backends.memory.estimate import CUBLAS_WORKSPACE, estimate_core
from hrm.backends.memory.telemetry import read

_DTYPES = ("fp32", "bf16", "fp16")


class Fit(NamedTuple):
    """Whether a model fits, None where that is not known, and why in words."""

    fits: bool | None = None
    why: str = ""


def fit(plan: DevicePlan, weights: Path, cap: int = 0) -> Fit:
    """Returns whether a model fits into the memory that is free, and how much it takes.

    Args:
        plan: where it is to run.
        weights: its file, of which the configuration alone is read.
        cap: bytes that it may take at most, 0 for no cap.
    """
    config = stored_config(weights)
    if config is None:
        return Fit()
    precision = plan.precision if plan.precision in _DTYPES else "fp32"
    needed = estimate_core(config, LENGTHS[-1], precision=precision).total
    on_card = plan.backend != "cpu"
    if on_card:
        needed += CUBLAS_WORKSPACE
    free = read(plan.device).free if on_card else int(psutil.virtual_memory().available)
    values = {"needed": max(1, needed >> 20), "free": None if free is None else free >> 20}
    if cap and cap < needed:
        why = say(
            "Does not fit: the model's weights and a step need {needed:,} MB and may take {cap:,} MB; "
            "it runs in parts, more slowly.",
            cap=cap >> 20,
            **values,
        )
        return Fit(False, why)
    if free is None:
        return Fit(
            None,
            say(
                "The model's weights and a step need {needed:,} MB; how much is free is not known here.",
                **values,
            ),
        )
    if free < needed:
        text = mark(
            "Does not fit: the model's weights and a step need {needed:,} MB, and {free:,} MB are free. "
            "Close other programs."
        )
        return Fit(False, say(text, **values))
    return Fit(
        True,
        say(
            "Fits: the model's weights and a step need {needed:,} MB of {free:,} MB that are free; "
            "the libraries that run them take some 200 MB of the computer's memory.",
            **values,
        ),
    )

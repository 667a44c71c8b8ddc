"""Where the advisor's model runs: as the settings wish, and on the CPU as a benchmark here found best.

A benchmark (`botapp bench engines`, or the settings page's button) remembers what was fastest with the same
answers; without one the CPU runs plain torch. Next hop: `botapp.advisor.advisor` loads the model there.
"""

from pathlib import Path

from botapp.advisor import own_weights
from hrm.backends import DevicePlan, choose
from hrm.backends.bench.tuning import remembered
from hrm.backends.placement import Level
from hrm.checkpoint import CheckpointError, read_metadata
from hrm.config import Config


def place(
    backend: str, device: str, precision: str, weights: Path | None = None, level: Level = "balanced"
) -> DevicePlan:
    """Chooses where the model of these weights runs; a precision that was asked for is kept.

    Args:
        backend: "auto", "rocm", "cuda", "directml" or "cpu".
        device: "auto", or a name such as "cpu" or "cuda:1".
        precision: "auto", "fp32", "bf16", "fp16" or "int8".
        weights: a safetensors file, None for the one that comes with the app.
        level: how much is to be done for speed; see `hrm.backends.levels`.
    """
    return as_measured(choose(backend, device, precision, level=level), precision, weights)


def as_measured(choice: DevicePlan, precision: str, weights: Path | None = None) -> DevicePlan:
    """Returns a choice as a benchmark here found best for the model of these weights, if one did."""
    if precision != "auto":
        return choice
    config = stored_config(weights or own_weights.DEFAULT_WEIGHTS)
    return choice if config is None else remembered(config, choice)


def stored_config(weights: Path) -> Config | None:
    """Returns the configuration in a file of weights; None if it cannot be read."""
    try:
        return Config.from_json(read_metadata(weights)["config"])
    except (CheckpointError, KeyError, ValueError, TypeError):
        return None

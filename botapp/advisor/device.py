"""Where the advisor's model runs: as the settings wish, and on the CPU as a benchmark here found best.

A benchmark (`botapp bench engines`, or the settings page's button) remembers what was fastest with the same
answers. Without one the CPU runs ONNX Runtime: a step of the small model takes a quarter to a half of what it
takes torch (see docs/log/advisor.md).
"""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from botapp.advisor import own_weights
from botapp.host.message import join, say
from hrm.backends import DevicePlan, choose
from hrm.backends.bench.tuning import remembered
from hrm.backends.placement import Level
from hrm.config import Config
from hrm.tensor_file import CheckpointError, read_metadata

_WIDE = 256
"""Width from which on a model gains by half precision: a narrower one's step takes as long as its launches.
In bf16 the shipped one's confidence was off by 0.08 and 0.34 in one of 40 states, on a card and a CPU."""


def place(
    backend: str, device: str, precision: str, weights: Path | None = None, level: Level = "balanced"
) -> DevicePlan:
    """Chooses where the model of these weights runs; a precision that was asked for is kept.

    Args:
        backend: "auto", "rocm", "cuda", "directml" or "cpu".
        device: "auto", or a name such as "cpu" or "cuda:1".
        precision: "auto", "fp32", "bf16", "fp16" or "int8".
        weights: a safetensors file, None for the one that comes with the app for that backend.
        level: how much is to be done for speed; see `hrm.backends.levels`.
    """
    return suited(choose(backend, device, precision, level=level), precision, weights)


def suited(choice: DevicePlan, precision: str, weights: Path | None = None) -> DevicePlan:
    """Returns a choice as suits the model of these weights, unless a precision was asked for.

    On the CPU that is what a benchmark here found best, if one did; on a card fp32 where the model is small.
    """
    config = stored_config(weights or own_weights.weights_for(choice.backend))
    choice = quicker(choice)
    if precision != "auto" or config is None:
        return choice
    return remembered(config, exact(choice, config))


def quicker(choice: DevicePlan) -> DevicePlan:
    """Returns a choice of the CPU in fp32 with ONNX Runtime, where it is installed, on one thread."""
    if choice.backend != "cpu" or choice.precision != "fp32" or find_spec("onnxruntime") is None:
        return choice
    return replace(choice, engine="onnx", threads=1)


def exact(choice: DevicePlan, config: Config) -> DevicePlan:
    """Returns a choice in fp32 where half precision would cost a small model its answers and gain nothing."""
    if choice.precision not in ("bf16", "fp16") or config.hidden_size >= _WIDE:
        return choice
    why = say("fp32: half precision would change the answers of so small a model, and gain next to nothing")
    return replace(choice, precision="fp32", reason=join((choice.reason, why)), hip_flash=False)


def stored_config(weights: Path) -> Config | None:
    """Returns the configuration in a file of weights; None if it cannot be read."""
    try:
        return Config.from_json(read_metadata(weights)["config"])
    except (CheckpointError, KeyError, ValueError, TypeError):
        return None

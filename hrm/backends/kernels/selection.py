"""Selects the kernels for a step: the single launch where it was verified, else the fused ones.

On an H200 the single launch was correct, and faster than the fused kernels, wherever both were timed
(docs/log/hrm.md). The fused kernels run elsewhere, and where the single launch cannot be compiled or
started or gives NaN, which its programs write if their barrier times out.
"""

import logging
from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from hrm.act import Stepper
from hrm.backends.errors import sort_error
from hrm.backends.kernels.tiles import tile_for
from hrm.backends.levels import fits_kernels

CAPABILITY = (9, 0)  # NVIDIA's compute capability of the H200 (and of the H100 and GH200)

LENGTHS = range(64, 129)  # Positions, batch 1: checked at 64, 70, 100 and 128

WIDTHS = range(128, 513)  # Hidden widths: checked at 128 and 512

HEAD = 64  # Width of an attention head

Step = Callable[..., tuple[Tensor, ...]]

_log = logging.getLogger(__name__)


def fuse(stepper: Stepper, chip: str = "") -> Step | None:
    """Returns a model's step in our kernels, in one launch where that was verified, or None.

    Args:
        chip: the card's, which decides the blocks' sizes.

    Raises:
        ImportError: Triton is not installed.
    """
    if not fits_kernels(stepper.core.config):
        return None
    from hrm.backends.kernels.fused import FusedStep, fits  # noqa: PLC0415 (Triton is not everywhere)

    if not fits(stepper):
        return None
    fused = FusedStep(stepper, tiles=partial(tile_for, chip=chip))
    if not single_launch_checked(stepper):
        return fused
    from hrm.backends.kernels.persistent import PersistentStep  # noqa: PLC0415 (as above)

    return SingleLaunchStep(PersistentStep(stepper), fused)


def single_launch_checked(stepper: Stepper) -> bool:
    """Whether the one launch was checked for models like this on the card where its weights are."""
    device = next(stepper.core.parameters()).device
    return (
        device.type == "cuda"
        and torch.version.hip is None
        and torch.cuda.get_device_capability(device) == CAPABILITY
        and fits_single_launch(stepper)
    )


def fits_single_launch(stepper: Stepper) -> bool:
    """Whether a model is like those that the one launch was checked for."""
    core = stepper.core
    return (
        core.dtype == torch.bfloat16
        and core.config.hidden_size in WIDTHS
        and core.config.head_dim == HEAD
        and not core.config.shared
    )


class SingleLaunchStep:
    """A step in one launch at the lengths it was verified at, after a trial run on this card; else fused."""

    def __init__(self, one_launch: Step, fused: Step) -> None:
        """Takes both variants of the step, called as `Stepper.forward` is."""
        self._one_launch = one_launch
        self._fused = fused
        self._chosen: dict[tuple[object, ...], Step] = {}

    def __call__(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, ...]:
        """Takes a step: (z_H, z_L, q, *outputs); the first one of its shape is a trial."""
        kind = (tuple(x.shape), mask is None)
        if kind not in self._chosen:
            z_H, z_L = z_H.clone(), z_L.clone()  # the trial overwrites states that it returned before
            self._chosen[kind] = self._one_launch if self._runs(z_H, z_L, x, mask) else self._fused
        return self._chosen[kind](z_H, z_L, x, mask)

    def _runs(self, z_H: Tensor, z_L: Tensor, x: Tensor, mask: Tensor | None) -> bool:
        """Whether the single launch supports this shape, and gives finite results here."""
        batch, length = x.shape[:2]
        if batch != 1 or length not in LENGTHS:
            return False
        try:
            states = self._one_launch(z_H, z_L, x, mask)[:2]
            if all(bool(state.isfinite().all()) for state in states):
                return True
            why = "it gives NaN"
        except Exception as error:  # compilers and drivers raise exceptions of any class
            why = sort_error(error).what
        _log.warning("a step of %d positions in one launch: %s; the fused kernels take it", length, why)
        return False

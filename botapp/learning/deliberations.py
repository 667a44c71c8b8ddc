"""Recorded deliberations as tensors: all of a data set, and batches of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from botapp.learning.recorded import FAR
from botapp.learning.shards import read_all

HELD_OUT = 0.1  # The share of the fights, by their beginnings, that is kept for grading
_MIXER = 2654435761


@dataclass(frozen=True, slots=True)
class Records:
    """M states and K deliberations of each, on one device; see `botapp.learning.recorded.record`."""

    arrays: dict[str, Tensor]

    def __len__(self) -> int:
        return len(self.arrays["fight"])

    def rows(self, index: Tensor) -> "Records":
        return Records({key: array[index] for key, array in self.arrays.items()})

    @property
    def held_out(self) -> Tensor:
        """Whether a state is kept for grading, (M,) bool; fights with one beginning go together."""
        mixed = (self.arrays["fight"] // 2 * _MIXER) % 1000
        return mixed < HELD_OUT * 1000


def load(folders: Sequence[Path], device: torch.device) -> Records:
    """Reads the shards of some folders.

    Args:
        folders: where they are.
        device: where the arrays go.

    Raises:
        ValueError: see `botapp.learning.shards.read_all`.
    """
    parts = read_all(folders)
    modes = max(part["mode"].shape[1] for part in parts)
    whole = {key: np.concatenate([_widened(part, key, modes) for part in parts]) for key in parts[0]}
    return Records({key: torch.from_numpy(array).to(device) for key, array in whole.items()})


def _widened(part: Mapping[str, Any], key: str, most: int) -> Any:
    array, count = part[key], part["mode"].shape[1]
    if key not in ("evidence", "progress", "odds", "looked", "gains", "mode") or count == most:
        return array
    return np.concatenate([array, np.repeat(array[:, -1:], most - count, axis=1)], axis=1)


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """B deliberations.

    Attributes:
        context, candidates, fighters: what does not change.
        mask: (B, 1 + C + F) bool, which tokens are real.
        evidence: (B, R, C, ...); progress: (B, R, ...); odds: (B, R, C) fp32.
        gains: (B, R, C), what looks bring, NaN where it was not tried.
        regrets: (B, C), percent points of winning lost against the deep search's best, 100 for padding.
        mode: (B,).
    """

    context: Tensor
    candidates: Tensor
    fighters: Tensor
    mask: Tensor
    evidence: Tensor
    progress: Tensor
    odds: Tensor
    gains: Tensor
    regrets: Tensor
    mode: Tensor

    @property
    def real(self) -> Tensor:
        return self.mask[:, 1 : 1 + self.candidates.shape[1]]


def batch_of(records: Records, states: Tensor, which: Tensor, far: float = FAR) -> RecordBatch:
    """Returns one deliberation of each of some states: (B,) numbers of states and of deliberations."""
    a = records.arrays
    device = states.device
    candidates, fighters = a["candidates"][states].float(), a["fighters"][states].float()
    counts, places = a["candidate_count"][states].long(), torch.arange(candidates.shape[1], device=device)
    real = places < counts[:, None]
    there = torch.arange(fighters.shape[1], device=device) < a["fighter_count"][states].long()[:, None]
    odds = a["deep"][states].double().lerp(a["far"][states].double(), far)
    chances = torch.sigmoid(odds.clamp(-30, 30)).float()
    best = chances.masked_fill(~real, -1).amax(-1)
    return RecordBatch(
        context=a["context"][states].float(),
        candidates=candidates,
        fighters=fighters,
        mask=torch.cat((torch.ones_like(real[:, :1]), real, there), dim=1),
        evidence=a["evidence"][states, which].float(),
        progress=a["progress"][states, which].float(),
        odds=a["odds"][states, which],
        gains=a["gains"][states, which],
        regrets=(100 * (best[:, None] - chances)).masked_fill(~real, 100.0),
        mode=a["mode"][states, which].long(),
    )

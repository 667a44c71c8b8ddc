"""Training data in memory: shards read, split by fight, padded by size so that a batch wastes little.

Next hop: `botapp.advisor.train`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError
from safetensors.numpy import load_file
from torch import Tensor

SIZES = (16, 32, 64, 124)
_FIGHTER_SLOTS = (4, 8, 16)
NEVER = 1e9
"""The regret of a padded option."""


@dataclass(frozen=True, slots=True)
class Batch:
    """States with equally many slots; see `botapp.advisor.model.AdvisorModel.embed` for the first five.

    Attributes:
        regrets: HP lost against the teacher's best, (B, N) fp32, `NEVER` for padding.
        outcomes: -1, 0 or 1 for the actor's team, (B,) fp32.
    """

    context: Tensor
    fighters: Tensor
    fighter_mask: Tensor
    options: Tensor
    option_mask: Tensor
    regrets: Tensor
    outcomes: Tensor

    def __len__(self) -> int:
        return len(self.context)

    def rows(self, index: Tensor) -> "Batch":
        """Returns the rows that `index` picks."""
        return Batch(*(getattr(self, name)[index] for name in self.__dataclass_fields__))

    def to(self, device: torch.device | str) -> "Batch":
        """Returns the batch on another device."""
        return Batch(*(getattr(self, name).to(device) for name in self.__dataclass_fields__))

    @property
    def inputs(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """What the model takes, features in fp32."""
        return (
            self.context.float(),
            self.fighters.float(),
            self.fighter_mask,
            self.options.float(),
            self.option_mask,
        )


class DataError(ValueError):
    """A folder of shards that cannot be trained on; the text says which and why."""


def load(folder: Path, held_out: float) -> tuple[list[Batch], list[Batch]]:
    """Reads all shards: states to train on and states of held-out fights, one batch for each size there is.

    Args:
        folder: where `botapp.advisor.dataset` wrote.
        held_out: share of the fights that is kept for evaluation.

    Raises:
        DataError: there is no shard, or one is damaged.
    """
    paths = sorted(folder.glob("shard-*.safetensors"))
    if not paths:
        raise DataError(f"{folder} has no shards; write some with python -m botapp.advisor.dataset")
    parts: dict[bool, dict[int, list[Batch]]] = {False: {}, True: {}}
    for path in paths:
        try:
            arrays = load_file(path)
        except (SafetensorError, OSError) as error:
            raise DataError(f"{path} is damaged ({error}); delete it and run the generation again") from error
        kept = _is_held_out(arrays["fights"], held_out)
        for held in (False, True):
            for size, batch in _padded(arrays, kept == held):
                parts[held].setdefault(size, []).append(batch)
    joined = {
        held: [_joined(batches) for _, batches in sorted(sizes.items())] for held, sizes in parts.items()
    }
    if not joined[False] or not joined[True]:
        raise DataError(f"{folder} has too few fights to train on some and test on others; generate more")
    return joined[False], joined[True]


def _is_held_out(fights: npt.NDArray[np.int32], share: float) -> npt.NDArray[np.bool_]:
    mixed = (fights.astype(np.int64) * 2654435761) % 1000
    chosen: npt.NDArray[np.bool_] = mixed < share * 1000
    return chosen


def _padded(
    arrays: dict[str, npt.NDArray[Any]], wanted: npt.NDArray[np.bool_]
) -> Iterator[tuple[int, Batch]]:
    counts, fighter_counts = arrays["option_counts"], arrays["fighter_counts"]
    option_at = np.concatenate(([0], np.cumsum(counts)))
    fighter_at = np.concatenate(([0], np.cumsum(fighter_counts)))
    slots = next(s for s in _FIGHTER_SLOTS if s >= max(_FIGHTER_SLOTS[0], int(fighter_counts.max())))
    lower = 0
    for size in SIZES:
        rows = np.nonzero(wanted & (counts > lower) & (counts <= size))[0]
        lower = size
        if not len(rows):
            continue
        options = np.zeros((len(rows), size, arrays["options"].shape[1]), np.float16)
        fighters = np.zeros((len(rows), slots, arrays["fighters"].shape[1]), np.float16)
        regrets = np.full((len(rows), size), NEVER, np.float32)
        for index, row in enumerate(rows):
            span = slice(option_at[row], option_at[row + 1])
            options[index, : counts[row]] = arrays["options"][span]
            regrets[index, : counts[row]] = arrays["regrets"][span]
            span = slice(fighter_at[row], fighter_at[row + 1])
            fighters[index, : fighter_counts[row]] = arrays["fighters"][span]
        yield (
            size,
            Batch(
                context=torch.from_numpy(arrays["context"][rows]),
                fighters=torch.from_numpy(fighters),
                fighter_mask=torch.from_numpy(np.arange(slots) < fighter_counts[rows][:, None]),
                options=torch.from_numpy(options),
                option_mask=torch.from_numpy(np.arange(size) < counts[rows][:, None]),
                regrets=torch.from_numpy(regrets),
                outcomes=torch.from_numpy(arrays["outcomes"][rows]),
            ),
        )


def _joined(batches: list[Batch]) -> Batch:
    widest = max(batch.fighters.shape[1] for batch in batches)
    same = [_widened(batch, widest) for batch in batches]
    return Batch(*(torch.cat([getattr(b, name) for b in same]) for name in Batch.__dataclass_fields__))


def _widened(batch: Batch, slots: int) -> Batch:
    more = slots - batch.fighters.shape[1]
    if not more:
        return batch
    pad = torch.nn.functional.pad
    return Batch(
        batch.context,
        pad(batch.fighters, (0, 0, 0, more)),
        pad(batch.fighter_mask, (0, more)),
        batch.options,
        batch.option_mask,
        batch.regrets,
        batch.outcomes,
    )

"""Training data in memory: ragged as it was written, on one device, padded only where a batch is drawn.

States are grouped by the shape they are padded to, so that a compiled model sees few shapes and little of a
batch is padding. Next hop: `botapp.learning.imitation`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import torch
from torch import Tensor

from botapp.advisor.tokens import BUCKETS, FIGHTER_SLOTS, REGISTERS
from botapp.learning.shards import Arrays, joined, paths, read

TOKENS = tuple(sorted({48, *BUCKETS}))
"""Sizes that states are padded to: the app's, and one more where most states are."""

NEVER = 1e9
"""The regret of a padded option."""

_MIXER, _HALVER = 2654435761, 2246822519


class DataError(ValueError):
    """A folder of shards that cannot be trained on; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Batch:
    """States with equally many slots; see `botapp.advisor.model.AdvisorModel.embed` for the first five.

    Attributes:
        regrets: percent points of winning lost against the search's best, (B, N) fp32, `NEVER` for padding.
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

    @property
    def inputs(self) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """What the model takes."""
        return self.context, self.fighters, self.fighter_mask, self.options, self.option_mask


@dataclass(frozen=True, slots=True)
class Group:
    """States (by number) that are padded alike: to `slots` fighters, and `tokens` in all."""

    tokens: int
    slots: int
    rows: Tensor


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSamples:
    """M states; those of their fighters and options lie one after the other.

    Attributes:
        context: (M, len(GLOBAL)) fp16.
        fighters: (all fighters, len(FIGHTER)) fp16.
        fighter_at: (M + 1,) where each state's fighters begin.
        options: (all options, len(CANDIDATE)) fp16.
        option_at: (M + 1,) where each state's options begin.
        regrets: (all options,) fp32, percent points of winning.
        outcomes: (M,) fp32.
        fights: (M,) int64, the fight each state is from.
        kinds: (M,) int64, the kind of that fight, an index of `botapp.learning.fights.KINDS`.
    """

    context: Tensor
    fighters: Tensor
    fighter_at: Tensor
    options: Tensor
    option_at: Tensor
    regrets: Tensor
    outcomes: Tensor
    fights: Tensor
    kinds: Tensor

    def __len__(self) -> int:
        return len(self.context)

    def to(self, device: torch.device | str) -> "TrainingSamples":
        """Returns the samples on another device."""
        return TrainingSamples(*(getattr(self, field.name).to(device) for field in fields(self)))

    def held(self, share: float) -> Tensor:
        """Returns the numbers of the states whose fights are kept for grading, a share of all fights.

        A fight is held out by its id alone, so that a later round holds out the same ones.

        Raises:
            DataError: there is none.
        """
        rows = (self._mixed() < share * 1000).nonzero()[:, 0]
        if not len(rows):
            raise DataError("there are too few fights to train on some and test on others; generate more")
        return rows

    def split(self, held_out: float) -> tuple[Tensor, Tensor]:
        """Returns the numbers of the states to train on, and of the held-out ones.

        Raises:
            DataError: one of the two has no state.
        """
        held = self.held(held_out)
        training = (self._mixed() >= held_out * 1000).nonzero()[:, 0]
        if not len(training):
            raise DataError("there are too few fights to train on some and test on others; generate more")
        return training, held

    def halves(self, rows: Tensor) -> Tensor:
        """Tells of each of these states which half its fight falls into, (len(rows),) bool."""
        return self.fights[rows] * _HALVER % 1009 % 2 == 0

    def groups(self, rows: Tensor) -> list[Group]:
        """Sorts states by the shape they are padded to."""
        fighters, options = (at.diff()[rows] for at in (self.fighter_at, self.option_at))
        device = rows.device
        steps = torch.tensor(FIGHTER_SLOTS, device=device)
        slots = steps[torch.searchsorted(steps, fighters)]
        sizes = torch.tensor(TOKENS, device=device)
        tokens = sizes[torch.searchsorted(sizes, REGISTERS + slots + options)]
        found = []
        for token, slot in torch.unique(torch.stack((tokens, slots), 1), dim=0).tolist():
            found.append(Group(token, slot, rows[(tokens == token) & (slots == slot)]))
        return found

    def batch(self, group: Group, rows: Tensor) -> Batch:
        """Pads states (by number) to a group's shape."""
        fighters, fighter_mask = _span(self.fighter_at, rows, group.slots)
        options, option_mask = _span(self.option_at, rows, group.tokens - REGISTERS - group.slots)
        return Batch(
            context=self.context[rows].float(),
            fighters=self.fighters[fighters].float() * fighter_mask[..., None],
            fighter_mask=fighter_mask,
            options=self.options[options].float() * option_mask[..., None],
            option_mask=option_mask,
            regrets=self.regrets[options].masked_fill(~option_mask, NEVER),
            outcomes=self.outcomes[rows],
        )

    def batches(self, rows: Tensor, largest: int) -> Iterator[tuple[Tensor, Batch]]:
        """Yields all of these states once, with their numbers, at most `largest` at a time."""
        for group in self.groups(rows):
            for some in torch.split(group.rows, largest):
                yield some, self.batch(group, some)

    def _mixed(self) -> Tensor:
        return (self.fights * _MIXER) % 1000


def _span(at: Tensor, rows: Tensor, size: int) -> tuple[Tensor, Tensor]:
    """Returns where the entries of these states lie, (B, size), and which of them are real."""
    begin = at[rows][:, None]
    where = begin + torch.arange(size, device=rows.device)
    real = where < at[rows + 1][:, None]
    return torch.where(real, where, 0), real


def load(folders: Sequence[Path]) -> TrainingSamples:
    """Reads all shards of some folders.

    Raises:
        DataError: a folder has no shard, or there is no state at all.
        ShardError: a shard is damaged, or of other features than this version's.
    """
    parts: list[Arrays] = []
    for folder in folders:
        found = paths(folder)
        if not found:
            raise DataError(f"{folder} has no shards; write some with python -m botapp.learning.generate")
        parts += map(read, found)
    whole = joined(parts)
    if not whole:
        raise DataError(f"the shards in {', '.join(map(str, folders))} have no state; generate more fights")
    arrays = {name: torch.from_numpy(array) for name, array in whole.items()}
    return TrainingSamples(
        context=arrays["context"],
        fighters=arrays["fighters"],
        fighter_at=_starts(arrays["fighter_counts"]),
        options=arrays["options"],
        option_at=_starts(arrays["option_counts"]),
        regrets=arrays["regrets"].float(),
        outcomes=arrays["outcomes"].float(),
        fights=arrays["fights"].long(),
        kinds=arrays["kind"].long(),
    )


def _starts(counts: Tensor) -> Tensor:
    return torch.nn.functional.pad(counts.long().cumsum(0), (1, 0))

"""Judged states as files, format 2: `shard-SEED-NUMBER.safetensors`, written whole, each some fights.

The arrays have one entry a state (S of them), one a living fighter of those states (all states' fighters one
after another) or one a candidate (likewise):

    context         fp16 (S, len(GLOBAL))
    fighters        fp16 (sum of fighter_counts, len(FIGHTER)), of each state the actor first
    fighter_counts  int32 (S,)
    options         fp16 (sum of option_counts, len(CANDIDATE)), those with a regret only
    option_counts   int32 (S,), 2 or more
    regrets         fp32 (sum of option_counts,), percent points of winning lost against the best of all legal
                    actions by the search's judgement; 0 for the best unless that is no candidate
    outcomes        fp32 (S,), 1 where the actor's team won the fight, -1 where it lost, 0 for a draw
    fights          int32 (S,), the fight's number, its seed: no two fights of all rounds have the same
    sizes           int8 (S, 2), fighters alive of the actor's side and of the other, summons left out
    kind            int8 (S,), index of `botapp.learning.fights.KINDS`

The metadata (strings): `format`, `features` (JSON, the names behind the columns), `plan` (JSON, what the
fights have in common) and `fights` (JSON, the numbers of all fights in it, also of those without a state).
Next hop: `botapp.learning.samples`.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load_file, save

from botapp.advisor.features import CANDIDATE, FIGHTER, GLOBAL, current_names
from botapp.host.files import write_whole
from botapp.learning.fights import Sample

FORMAT = 2
Arrays = dict[str, npt.NDArray[Any]]

_FEATURES = {"context": GLOBAL, "fighters": FIGHTER, "options": CANDIDATE}
_FORMER_KEYS = {"teacher_states": "search_states", "replies": "rollout_actions"}
"""Keys of the plan in shards of versions before 0.2, and what they are called now."""

_REMEDY = "delete it and generate again"


class ShardError(ValueError):
    """A file of states that cannot be used; the text names it, says why and what to do."""


@dataclass(frozen=True, slots=True)
class About:
    """What a shard says of itself: what its fights have in common, and their numbers."""

    plan: dict[str, Any]
    fights: tuple[int, ...]


def pack(samples: Sequence[Sample]) -> Arrays:
    """Returns the arrays of some states; {} for none."""
    if not samples:
        return {}
    encoded = [sample.label.encoded for sample in samples]
    scored = [sample.label.scored for sample in samples]
    pairs = list(zip(encoded, scored, strict=True))
    return {
        "context": np.stack([e.context for e in encoded]).astype(np.float16),
        "fighters": np.concatenate([e.fighters[e.fighter_mask] for e in encoded]).astype(np.float16),
        "fighter_counts": np.array([e.fighter_mask.sum() for e in encoded], np.int32),
        "options": np.concatenate([e.options[: len(s)][s] for e, s in pairs]).astype(np.float16),
        "option_counts": np.array([s.sum() for s in scored], np.int32),
        "regrets": np.concatenate([sample.label.regrets[sample.label.scored] for sample in samples]),
        "outcomes": np.array([sample.outcome for sample in samples], np.float32),
        "fights": np.array([sample.fight for sample in samples], np.int32),
        "sizes": np.array([sample.sizes for sample in samples], np.int8),
        "kind": np.array([sample.kind for sample in samples], np.int8),
    }


def joined(parts: Iterable[Arrays]) -> Arrays:
    """Returns the arrays of several parts one after another; {} where all are empty."""
    filled = [part for part in parts if part]
    return {name: np.concatenate([part[name] for part in filled]) for name in filled[0]} if filled else {}


def path_of(folder: Path, seed: int, number: int) -> Path:
    """Returns where a shard goes."""
    return folder / f"shard-{seed}-{number:05d}.safetensors"


def paths(folder: Path, seed: int | None = None) -> list[Path]:
    """Returns the shards in a folder, those of one seed only where it is given."""
    return sorted(folder.glob(f"shard-{'*' if seed is None else seed}-*.safetensors"))


def write(path: Path, arrays: Arrays, about: About) -> None:
    """Writes a shard: afterwards it is there whole, or not at all."""
    metadata = {
        "format": str(FORMAT),
        "features": json.dumps(_FEATURES),
        "plan": json.dumps(about.plan, sort_keys=True),
        "fights": json.dumps(about.fights),
    }
    write_whole(path, save(arrays, metadata))


def about(path: Path) -> About:
    """Reads what a shard says of itself, not its arrays.

    Raises:
        ShardError: it is damaged, or of another format or other features.
    """
    try:
        with safe_open(path, "numpy") as shard:
            metadata = shard.metadata() or {}
    except (SafetensorError, OSError) as error:
        raise ShardError(f"{path} is damaged ({error}); {_REMEDY}") from error
    if metadata.get("format") != str(FORMAT):
        raise ShardError(f"{path} is of format {metadata.get('format', '1')}, not {FORMAT}; {_REMEDY}")
    try:
        features = json.loads(metadata["features"])
        plan = {_FORMER_KEYS.get(key, key): value for key, value in json.loads(metadata["plan"]).items()}
        found = About(plan, tuple(json.loads(metadata["fights"])))
    except (KeyError, ValueError, AttributeError) as error:
        raise ShardError(f"{path} says nothing of itself ({error!r}); {_REMEDY}") from error
    for name, wanted in _FEATURES.items():
        if current_names(features.get(name, ())) != tuple(wanted):
            raise ShardError(f"{path} has other {name} features than this version; {_REMEDY}")
    return found


def read(path: Path) -> Arrays:
    """Reads a shard's arrays; {} where none of its fights had a state.

    Raises:
        ShardError: it is damaged, or of another format or other features.
    """
    about(path)
    try:
        return load_file(path)
    except (SafetensorError, OSError) as error:
        raise ShardError(f"{path} is damaged ({error}); {_REMEDY}") from error

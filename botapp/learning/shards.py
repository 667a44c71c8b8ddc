"""Shards: the records of many states in one compressed file, with a manifest of what was recorded.

A shard is an .npz file packed by LZMA, some 1.3 KB a state. Shards can be copied from one machine to another
and put into one folder, whatever fights they hold.
"""

import hashlib
import io
import json
import lzma
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from botapp.advisor.evidence import EVIDENCE, PROGRESS
from botapp.advisor.facts import CANDIDATE, CONTEXT, FIGHTER
from botapp.learning.recorded import Arrays, RecordingPlan, joined

_PER_SHARD = 1024
_PRESET = 2
_FEATURES_FIRST = "evidence", "candidates", "fighters"
"""Arrays whose last axis, the features, is stored first: that halves their size."""
_THREADS = 16


def features_digest() -> str:
    """Returns a digest of the names of all features; records of other features cannot be mixed."""
    names = "|".join(" ".join(part) for part in (CONTEXT, FIGHTER, CANDIDATE, EVIDENCE, PROGRESS))
    return hashlib.sha256(names.encode()).hexdigest()[:16]


class ShardWriter:
    """Writes the records of fights into a folder, on from where a recording before it ended.

    Args:
        folder: made where it is not there.
        first: number of the first fight; it names the shards and their manifest.

    Raises:
        ValueError: the folder holds fights from `first` on that were recorded otherwise.
    """

    def __init__(self, folder: Path, plan: RecordingPlan, first: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._first = folder, first
        self._path = folder / f"manifest-{first}.json"
        self._waiting: list[Arrays] = []
        self._fights = 0
        self._manifest: dict[str, Any] = {
            "features": features_digest(),
            "plan": _described(plan),
            "first_fight": first,
            "next_fight": first,
            "fights": 0,
            "states": 0,
            "shards": [],
        }
        if self._path.exists():
            index = json.loads(self._path.read_text(encoding="utf-8"))
            for key in ("features", "plan"):
                if index[key] != self._manifest[key]:
                    raise ValueError(
                        f"{self._path} was recorded with another {key}: choose another folder or seed"
                    )
            self._manifest = index
        self.next_fight = int(self._manifest["next_fight"])

    def add(self, fight: int, arrays: Arrays) -> int:
        """Takes a fight's records, none of them too; returns how many states they are of."""
        self._fights += 1
        self.next_fight = max(self.next_fight, fight + 1)
        if not arrays:
            return 0
        self._waiting.append(arrays)
        if sum(len(part["fight"]) for part in self._waiting) >= _PER_SHARD:
            self.flush()
        return len(arrays["fight"])

    def flush(self) -> None:
        shards = self._manifest["shards"]
        if self._waiting:
            name = f"records-{self._first}-{len(shards):05d}.npz.xz"
            shards.append({"file": name, "states": write(self._folder / name, self._waiting)})
            self._manifest["states"] += shards[-1]["states"]
            self._waiting = []
        self._manifest["fights"] += self._fights
        self._manifest["next_fight"], self._fights = self.next_fight, 0
        temporary = self._path.with_suffix(".tmp")
        temporary.write_text(json.dumps(self._manifest, indent=1), encoding="utf-8")
        temporary.replace(self._path)


def write(path: Path, parts: Sequence[Arrays]) -> int:
    """Writes records as a shard; returns how many states they are of."""
    whole = joined(list(parts))
    packed = {
        key: np.ascontiguousarray(np.moveaxis(array, -1, 0)) if key in _FEATURES_FIRST else array
        for key, array in whole.items()
    }
    content = io.BytesIO()
    np.savez(content, **packed)  # type: ignore[arg-type]
    temporary = path.with_suffix(".tmp")
    temporary.write_bytes(lzma.compress(content.getbuffer(), preset=_PRESET))
    temporary.replace(path)
    return len(whole["fight"])


def read(path: Path) -> Arrays:
    """Reads a shard.

    Raises:
        ValueError: it is damaged.
    """
    try:
        with np.load(io.BytesIO(lzma.decompress(path.read_bytes()))) as shard:
            return {
                key: np.moveaxis(shard[key], 0, -1) if key in _FEATURES_FIRST else shard[key]
                for key in shard.files
            }
    except (lzma.LZMAError, EOFError, OSError) as error:
        raise ValueError(f"{path} is damaged ({error}): delete it, or copy it again") from error


def read_all(folders: Sequence[Path]) -> list[Mapping[str, npt.NDArray[Any]]]:
    """Reads the shards of some folders, several at a time.

    Args:
        folders: where they are.

    Raises:
        ValueError: there is none, one is damaged, or a manifest tells of other features.
    """
    paths = [path for folder in folders for path in sorted(folder.glob("records-*.npz.xz"))]
    if not paths:
        raise ValueError(f"{folders[0]} has no records; make some with python -m botapp.learning.record")
    for manifest in (path for folder in folders for path in folder.glob("manifest-*.json")):
        if json.loads(manifest.read_text(encoding="utf-8"))["features"] != features_digest():
            raise ValueError(f"{manifest}: these records have other features than this version reads")
    with ThreadPoolExecutor(_THREADS) as pool:
        return list(pool.map(read, paths))


def _described(plan: RecordingPlan) -> dict[str, Any]:
    """Returns a plan for a manifest; weights by their digest."""
    facts = {field.name: getattr(plan, field.name) for field in fields(plan)}
    weights = facts.pop("weights")
    return {**facts, "weights": None if weights is None else hashlib.sha256(weights).hexdigest()[:16]}

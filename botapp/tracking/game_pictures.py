"""The database's pictures as signatures: the spell of an icon on the screen, the monster of a portrait.

Signatures do not depend on a picture's size or on how dark it is drawn. Those of all pictures are worked
out once, after a download, and kept beside them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from botapp.content.game.grammar import monster_kind
from botapp.content.game.pictures import PictureReport, Wanted, picture_path
from botapp.content.game.store import GameStore
from botapp.host.files import open_regular, write_whole
from botapp.host.message import say
from vision.capture.image_file import ImageFileError, decode_image
from vision.signature import SAME, signature

INDEX = "signatures.json"
_VERSION = 1  # Of the index's form
_LARGEST = 64 << 20  # Bytes of an index: four signatures of 192 letters for each of 70,000 pictures
_PARTS: Mapping[str, tuple[tuple[float, float, float, float], ...]] = {
    "icons": tuple(
        (low, low, high, high) for low, high in ((0.25, 0.8), (0.21, 0.84), (0.29, 0.76), (0.18, 0.73))
    ),
    "portraits": ((0.0, 0.0, 1.0, 1.0), (0.06, 0.06, 0.94, 0.94), (0.12, 0.04, 0.94, 0.8)),
}
"""The parts of a picture that a screen may show of it, as shares of its sides: left, top, right, bottom."""
_MARGIN = 0.03  # By so much a picture must be likelier than those of any other spell or monster
_RIM_SAME, _RIM_MARGIN = 0.9, 0.08
"""The same of the rim alone, which is left of an icon where a number of turns to wait is written over it."""
_LIGHT, _TINT, _LIGHT_SHARE = 64, 32, 0.6
"""A signature as `vision.signature` writes it: 8x8 of light, twice 4x4 of tint, and how much light counts."""


def _rim(side: int) -> npt.NDArray[np.bool_]:
    inside = np.zeros((side, side), np.bool_)
    inside[1:-1, 1:-1] = True
    return ~inside.ravel()


_LIGHT_RIM = _rim(8)
_TINT_RIM = np.repeat(_rim(4), 2)


@dataclass(frozen=True)
class GamePictures:
    """Signatures by what they show; see `find`."""

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    vectors: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    rims: Mapping[str, npt.NDArray[np.float32]] = field(default_factory=dict)
    _answers: dict[tuple[str, str], tuple[str, float] | None] = field(default_factory=dict)

    def find(self, kind: str, wanted: str) -> tuple[str, float] | None:
        """Returns what a signature shows and how like it is (0..1); None where no picture is clearly likest.

        Args:
            kind: "icons" or "portraits".
        """
        key = (kind, wanted)
        if key not in self._answers:
            if len(self._answers) > 2000:
                self._answers.clear()
            self._answers[key] = self._likest(kind, wanted)
        return self._answers[key]

    def _likest(self, kind: str, wanted: str) -> tuple[str, float] | None:
        vectors = self.vectors.get(kind)
        values = _values(wanted)
        if vectors is None or not len(vectors) or values is None:
            return None
        answer = self._clearly(kind, vectors @ _unit(values), SAME, _MARGIN)
        if answer is None and kind == "icons":
            rims = self.rims[kind]
            answer = self._clearly(kind, rims @ _unit(values, rim=True), _RIM_SAME, _RIM_MARGIN)
        return answer

    def _clearly(
        self, kind: str, alike: npt.NDArray[np.float32], least: float, margin: float
    ) -> tuple[str, float] | None:
        """Returns the likest where it is like enough, and likelier than what shows anything else."""
        best = int(alike.argmax())
        name = self.keys[kind][best]
        second = max(
            (alike[at] for at, name_there in enumerate(self.keys[kind]) if name_there != name), default=0.0
        )
        if alike[best] < least or alike[best] - second < margin:
            return None
        return name, float(min(1.0, alike[best]))


def _values(text: str) -> npt.NDArray[np.float32] | None:
    """Returns a picture's signature as numbers, None for that of a name or for none."""
    values = np.frombuffer(bytes.fromhex(text), np.int8).astype(np.float32)
    return values if values.size == _LIGHT + _TINT else None


def _unit(values: npt.NDArray[np.float32], *, rim: bool = False) -> npt.NDArray[np.float32]:
    """Returns a signature as a vector whose product with another's is their likeness.

    Of whole pictures it is `vision.signature.likeness`; with `rim` the middle is left out.
    """
    light, tint = values[:_LIGHT], values[_LIGHT:]
    if rim:
        light, tint = light[_LIGHT_RIM] - light[_LIGHT_RIM].mean(), tint[_TINT_RIM]
    parts = (
        light * (np.sqrt(_LIGHT_SHARE) / max(1e-6, float(np.linalg.norm(light)))),
        tint * (np.sqrt(1 - _LIGHT_SHARE) / max(1e-6, float(np.linalg.norm(tint)))),
    )
    return np.asarray(np.concatenate(parts), np.float32)


def index_pictures(folder: Path, store: GameStore) -> int:
    """Works out the signatures of all pictures that have come; returns how many pictures there are.

    A picture that is damaged is left out.

    Raises:
        OSError: the folder cannot be written to.
    """
    answer: dict[str, list[tuple[str, str]]] = {"icons": [], "portraits": []}
    pictures = 0
    for kind, table in (("icons", "spell"), ("portraits", "monster")):
        for number, picture in store.pictures(table):
            signs = _signatures(picture_path(folder, Wanted(table, picture)), _PARTS[kind])
            pictures += bool(signs)
            key = f"game-{number}" if table == "spell" else monster_kind(number)
            answer[kind] += [(key, sign) for sign in signs]
    write_whole(folder / INDEX, json.dumps({"version": _VERSION, **answer}))
    load_pictures.cache_clear()
    return pictures


def brought_line(report: PictureReport, pictures: int) -> str:
    return say(
        "Pictures: {came} came, {absent} are not there; {pictures} spells and monsters can be recognised.",
        came=report.came,
        absent=report.absent,
        pictures=pictures,
    )


def _signatures(path: Path, parts: Iterable[tuple[float, float, float, float]]) -> list[str]:
    try:
        with open_regular(path) as file:
            picture = decode_image(file.read(4 << 20), path.name)[..., :3]
    except (OSError, ImageFileError):
        return []
    height, width = picture.shape[:2]
    made = []
    for left, top, right, bottom in parts:
        part = picture[
            round(top * height) : round(bottom * height), round(left * width) : round(right * width)
        ]
        made.append(signature(np.ascontiguousarray(part)))
    return [sign for sign in dict.fromkeys(made) if sign]


@lru_cache(maxsize=4)
def load_pictures(folder: Path, changed: int = 0) -> GamePictures:
    """Returns the signatures of a folder of pictures; none where there is no index that can be read.

    Args:
        changed: when the index was written, in nanoseconds, so that a newer one is read anew.
    """
    try:
        with open_regular(folder / INDEX) as file:
            raw: Any = json.loads(file.read(_LARGEST))
        if raw["version"] != _VERSION:
            return GamePictures()
        keys = {kind: tuple(str(key) for key, _ in raw[kind]) for kind in _PARTS}
        rows = {
            kind: [vector for _, sign in raw[kind] if (vector := _values(sign)) is not None]
            for kind in _PARTS
        }
        whole = {kind: of for kind, of in rows.items() if of and len(of) == len(raw[kind])}
        vectors = {kind: np.stack([_unit(vector) for vector in of]) for kind, of in whole.items()}
        rims = {kind: np.stack([_unit(vector, rim=True) for vector in of]) for kind, of in whole.items()}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return GamePictures()
    return GamePictures({kind: keys[kind] for kind in vectors}, vectors, rims)


def known_pictures(folder: Path) -> GamePictures:
    """Returns the signatures of a folder of pictures as they are now."""
    try:
        changed = (folder / INDEX).stat().st_mtime_ns
    except OSError:
        return GamePictures()
    return load_pictures(folder, changed)

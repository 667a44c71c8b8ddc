"""Robustness tests: damaged screens and invalid pictures (crops, noise, truncated files, odd formats).

None may raise, take long, or be read as a fight where none is visible.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import profiles
from vision.capture.image_file import ImageFileError, decode_image
from vision.extract import Reader
from vision.frame import Frame
from vision.synthetic import screen
from vision.synthetic.scenery import Dice
from vision.view import FightView, Phase

Pixels = npt.NDArray[Any]
Way = Callable[[Dice, npt.NDArray[np.uint8]], Pixels | bytes]

LARGE = 10_000_000  # Pixels above which a picture may take `SLOW_S`

QUICK_S, SLOW_S = 1.0, 3.0
_FIGHT = (Phase.FIGHT, Phase.PLACEMENT)


@dataclass(frozen=True, slots=True)
class Damaged:
    """One input: its seed, the kind of damage, bytes of a file or pixels, whether no fight is left in it."""

    seed: int
    client: str
    way: str
    content: Pixels | bytes
    empty: bool


@dataclass(frozen=True, slots=True)
class DamageOutcome:
    """The outcome of one input: CPU time, wall time, and the `fault`, "" for none."""

    way: str
    seconds: float
    clock_s: float
    pixels: int
    fault: str


def inputs(seed: int, count: int) -> Iterator[Damaged]:
    """Yields damaged inputs, the same ones for the same seed; a new screen is drawn for every twelfth."""
    source = np.zeros((0, 0, 3), np.uint8)
    names = list(WAYS)
    for index in range(seed, seed + count):
        dice = np.random.default_rng((index, 15485863))
        if not source.size or index % 12 == 0:
            source = screen.draw(index)[0]
        way = names[int(dice.integers(len(names)))]
        client = screen.CLIENTS[int(dice.integers(len(screen.CLIENTS)))]
        yield Damaged(index, client, way, WAYS[way](dice, source), way in EMPTY)


def opened(content: Pixels | bytes) -> Pixels | None:
    """Returns the pixels of a file's bytes as the app opens them, None where they are no picture."""
    if not isinstance(content, bytes):
        return content
    try:
        return decode_image(content, "input")
    except ImageFileError:
        return None


def attempt(damaged: Damaged) -> DamageOutcome:
    """Reads one input with a fresh reader."""
    begun, started = time.thread_time(), time.perf_counter()
    pixels, view, fault = None, None, ""
    try:
        pixels = opened(damaged.content)
        if pixels is not None:
            frame = Frame.still(pixels)
            begun, started = time.thread_time(), time.perf_counter()
            view = Reader(profiles.load(damaged.client)).read(frame)
    except Exception as error:  # what is counted here is any fault at all
        fault = f"{type(error).__name__}: {error}"
    seconds, clock_s = time.thread_time() - begun, time.perf_counter() - started
    count = 0 if pixels is None else int(np.prod(pixels.shape[:2]))
    return DamageOutcome(
        damaged.way, seconds, clock_s, count, fault or fault_of(damaged, view, seconds, count)
    )


def fault_of(damaged: Damaged, view: FightView | None, seconds: float, pixels: int) -> str:
    """Returns what is wrong with the reading of a damaged picture, in words; "" where nothing is."""
    if seconds > (SLOW_S if pixels > LARGE else QUICK_S):
        return "late"
    if damaged.empty and view is not None and view.phase.value in _FIGHT:
        return "a fight where there is none"
    return ""


def run(seed: int, count: int) -> dict[str, Any]:
    """Reads damaged inputs; returns counts by kind of damage, the faults, and the times."""
    ways: Counter[str] = Counter()
    faults: list[str] = []
    small, large, clock = [0.0], [0.0], [0.0]
    for damaged in inputs(seed, count):
        outcome = attempt(damaged)
        ways[outcome.way] += 1
        (large if outcome.pixels > LARGE else small).append(outcome.seconds)
        clock.append(outcome.clock_s)
        if outcome.fault:
            faults.append(
                f"{damaged.seed} {damaged.client} {outcome.way}: {outcome.fault} ({outcome.seconds:.2f} s)"
            )
    return {
        "count": count,
        "seed": seed,
        "ways": dict(ways),
        "slowest_s": round(max(small), 3),
        "p99_s": round(float(np.percentile(small, 99)), 3),
        "slowest_above_10_mp_s": round(max(large), 3),
        "slowest_by_the_clock_s": round(max(clock), 3),
        "faults": faults,
    }


def _crop(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    tall, wide = image.shape[:2]
    top, left = int(dice.integers(0, tall - 1)), int(dice.integers(0, wide - 1))
    return image[top : top + int(dice.integers(1, tall)), left : left + int(dice.integers(1, wide))]


def _noise(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    height, width = int(dice.integers(200, 1200)), int(dice.integers(300, 2000))
    kind = dice.integers(3)
    if kind == 0:
        return dice.integers(0, 256, (height, width, 3), np.uint8)
    small = dice.integers(0, 256, (height // int(dice.integers(2, 60)) + 2, width // 20 + 2, 3), np.uint8)
    way = cv2.INTER_NEAREST if kind == 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(small, (width, height), interpolation=way), np.uint8)


def _flat(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    shape = (int(dice.integers(1, 1500)), int(dice.integers(1, 2500)), 3)
    return np.full(shape, dice.integers(0, 256, 3), np.uint8)


def _shuffled(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    """Shuffled tiles of 16 pixels: every colour of a fight and none of its shapes."""
    size = 16
    rows, columns = image.shape[0] // size, image.shape[1] // size
    tiles = image[: rows * size, : columns * size].reshape(rows, size, columns, size, 3).swapaxes(1, 2)
    mixed = tiles.reshape(rows * columns, size, size, 3)[dice.permutation(rows * columns)]
    return np.ascontiguousarray(
        mixed.reshape(rows, columns, size, size, 3).swapaxes(1, 2).reshape(rows * size, -1, 3)
    )


def _noisy(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    grain = dice.normal(0, float(dice.uniform(10, 90)), image.shape)
    return np.clip(image + grain, 0, 255).astype(np.uint8)


def _struck(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    hurt = image.copy()
    tall, wide = image.shape[:2]
    for _ in range(int(dice.integers(1, 40))):
        left, top = int(dice.integers(0, wide)), int(dice.integers(0, tall))
        colour = tuple(int(value) for value in dice.integers(0, 256, 3))
        cv2.rectangle(
            hurt,
            (left, top),
            (left + int(dice.integers(1, wide // 2)), top + int(dice.integers(1, tall // 3))),
            colour,
            -1,
        )
    return hurt


def _cut(dice: Dice, image: npt.NDArray[np.uint8]) -> bytes:
    """A file that ends too early."""
    suffix = (".png", ".jpg", ".bmp", ".webp")[int(dice.integers(4))]
    data = bytes(cv2.imencode(suffix, image[::2, ::2])[1])
    return data[: int(dice.integers(0, len(data)))]


def _bitten(dice: Dice, image: npt.NDArray[np.uint8]) -> bytes:
    """A file with some of its bytes changed."""
    data = bytearray(bytes(cv2.imencode(".jpg", image[::2, ::2])[1]))
    for place in dice.integers(0, len(data), 20):
        data[int(place)] = int(dice.integers(0, 256))
    return bytes(data)


def _other_file(dice: Dice, image: npt.NDArray[np.uint8]) -> bytes:
    """Bytes that are no picture."""
    heads = (b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a", b"RIFF0000WEBP", b"%PDF-1.4", b"{}")
    return heads[int(dice.integers(len(heads)))] + dice.bytes(int(dice.integers(0, 4000)))


def _animated(dice: Dice, image: npt.NDArray[np.uint8]) -> bytes:
    frames = cv2.Animation()
    frames.frames = [np.ascontiguousarray(image[offset::4, offset::4][:150, :250]) for offset in range(3)]
    frames.durations = [100, 100, 100]
    return bytes(cv2.imencodeanimation(".gif", frames)[1])


def _deep(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    return image.astype(np.uint16) * np.uint16(257)


def _grey(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def _alpha(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    return np.dstack([image, dice.integers(0, 256, image.shape[:2], np.uint8)])


def _odd(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    """Arrays of types and shapes that are no pictures."""
    part = image[:400, :600]
    shapes: tuple[Pixels, ...] = (
        part.astype(np.float32),
        part.astype(np.float64) / 255,
        part[..., :2],
        part[..., None],
        part.astype(np.int32),
        part > 100,
        np.zeros((0, 0, 3), np.uint8),
        part[0],
        part[::-1, ::-1],
        np.asfortranarray(part),
        part[..., :1],
        np.dstack([part, part]),
    )
    return shapes[int(dice.integers(len(shapes)))]


def _tiny(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    tall, wide = (int(n) for n in dice.choice([1, 2, 3, 8, 40, 200], 2))
    return np.asarray(cv2.resize(image, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8)


def _strip(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    size = (int(dice.integers(2000, 6000)), int(dice.integers(1, 60)))
    return np.asarray(cv2.resize(image, size if dice.random() < 0.5 else size[::-1]), np.uint8)


def _huge(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    """8K and beyond, one in four times; else a little above ten million pixels."""
    size = (7680, 4320) if dice.random() < 0.25 else (4200, 2400)
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _turned(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    return np.ascontiguousarray(np.rot90(image, int(dice.integers(1, 4))))


def _negative(dice: Dice, image: npt.NDArray[np.uint8]) -> Pixels:
    return 255 - image


WAYS: dict[str, Way] = {
    "crop": _crop,
    "noise": _noise,
    "flat": _flat,
    "shuffled": _shuffled,
    "noisy": _noisy,
    "struck": _struck,
    "cut file": _cut,
    "bitten file": _bitten,
    "other file": _other_file,
    "animated": _animated,
    "16 bits": _deep,
    "grey": _grey,
    "alpha": _alpha,
    "odd array": _odd,
    "tiny": _tiny,
    "strip": _strip,
    "huge": _huge,
    "turned": _turned,
    "negative": _negative,
}
EMPTY = {"noise", "flat", "shuffled", "other file", "tiny", "strip"}
"""Kinds of damage that leave nothing of a fight."""

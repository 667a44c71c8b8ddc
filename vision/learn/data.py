"""Draws training data: canvases of drawn screens and the ring under each of their cells."""

import multiprocessing
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import profiles
from vision.extract.dofus.grounds_seen import PAINTS
from vision.extract.dofus.rings_seen import CELL, COLUMNS, RINGS, ROWS, SHAPE, SIZE, STEP, canvas
from vision.frame import Rect
from vision.learn import LAYERS
from vision.synthetic import clients, screen
from vision.view import CELLS, Lattice, Team

Picture = npt.NDArray[np.uint8]
Labels = npt.NDArray[np.uint8]
Dice = np.random.Generator

IGNORED = 255  # The label of scores that are no cell's, and of cells of which nothing may be known

_ELSEWHERE = 10
"""One screen in so many shows no fight: people stand about there, and nothing has a ring. One in 20 was too
few: two of twelve real ones had a ring after training on boards without figures."""
_SMALL = (27.0, 48.0)
"""Width of a cell, in pixels, in pictures that are made smaller: windows of 500 to 900 pixels."""
_SHRUNK, _WINDOWED = 0.4, 0.35
_BOARDS = 3
"""Of so many screens all but one have boards as other players' look, which is where the network is weak."""
_EACH = 8  # Screens in one file
_STARTS = {"blue_start": "range", "red_start": "area"}
"""What start cells look like, in every client's colours that we know."""


def truth(label: Mapping[str, Any], size: tuple[int, int]) -> Labels:
    """Returns the class of each cell of a drawn screen in each of `LAYERS`, shape (layers, 560).

    Args:
        size: width and height of its picture; cells outside it and those below the board are `IGNORED`.
    """
    labels = np.full((len(LAYERS), CELLS), IGNORED, np.uint8)
    labels[0] = 0
    rules = profiles.load(label["client"]).screen
    assert rules is not None
    own = label.get("player_cell")
    sides: dict[Team, Collection[int]] = {
        "own": () if own is None else (own,),
        "ally": label.get("ally_cells") or (),
        "enemy": label.get("enemy_cells") or (),
    }
    for side, cells in sides.items():
        for cell in cells:
            labels[0, cell] = RINGS.index(rules.border.rings[side])
    kinds = label.get("cells")
    if kinds is not None:
        labels[1] = np.array(kinds, np.uint8) - 1  # CellKind.UNKNOWN becomes IGNORED
        labels[2] = 0
        for name, cells in label["highlights"].items():
            labels[2, cells] = PAINTS.index(_STARTS.get(name, name))
    left, top, wide, tall = label.get("client_px") or (0, 0, *size)
    end = top + tall * (1 - profiles.load(label["client"]).board.bottom)
    area = Rect(max(0, left), max(0, top), min(wide, size[0]), round(min(end, size[1]) - max(0, top)))
    place = lattice_of(label)
    middles = np.array([place.centre(cell) for cell in range(CELLS)])
    inside = (middles[:, 0] > area.x) & (middles[:, 0] < area.right)
    inside &= (middles[:, 1] > area.y) & (middles[:, 1] < area.bottom)
    return np.where(inside, labels, IGNORED).astype(np.uint8)


def lattice_of(label: Mapping[str, Any]) -> Lattice:
    """Returns where the cells of a drawn screen lie; where they would, on one without a fight."""
    known = label.get("lattice")
    if known is not None:
        return Lattice(tuple(known["origin_px"]), known["cell_w"], known["cell_h"])
    width, height = label["size"]
    return profiles.load(label["client"]).lattice(Rect(0, 0, width, height))


def drawn(seed: int) -> tuple[Picture, dict[str, Any]]:
    if seed % _ELSEWHERE == _ELSEWHERE - 1:
        return screen.draw_elsewhere(seed)
    return screen.draw(seed, unlike=seed % 2 == 0, boards=seed % _BOARDS > 0)


def examples(seed: int, picture: Picture, label: Mapping[str, Any]) -> Iterator[tuple[Picture, Labels]]:
    """Yields canvases and their labels, shape (layers, *SHAPE), of one drawn screen: as it is, and worse."""
    dice = np.random.default_rng((seed, 86028121))
    size = (picture.shape[1], picture.shape[0])
    known, place = truth(label, size), lattice_of(label)
    for worse in (False, True):
        seen, at = picture, place
        if worse:
            seen, at = _worse(dice, picture, place)
        image = canvas(seen, at)
        labels = np.full((len(LAYERS), *SHAPE), IGNORED, np.uint8)
        labels[:, ROWS, COLUMNS] = known
        if dice.random() < _WINDOWED:
            _window(dice, image, labels)
        yield image, labels


def _worse(dice: Dice, picture: Picture, place: Lattice) -> tuple[Picture, Lattice]:
    """Returns a screen as a small window or a video may show it, and its lattice."""
    if dice.random() < _SHRUNK:
        share = min(1.0, float(dice.uniform(*_SMALL)) / place.cell_w)
        way = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC)[int(dice.integers(3))]
        picture = np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=way), np.uint8)
        origin = (place.origin_px[0] * share, place.origin_px[1] * share)
        place = Lattice(origin, place.cell_w * share, place.cell_h * share)
    if dice.random() < 0.3:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), float(dice.uniform(0.3, 1.0))), np.uint8)
    if dice.random() < 0.6:
        quality = int(dice.integers(35, 96))
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return picture, place


def _window(dice: Dice, image: Picture, labels: Labels) -> None:
    """Draws a window with lines of text over a part of a canvas; what is under it has no ring."""
    wide, tall = (int(n) for n in dice.integers((2 * CELL[0], 2 * CELL[1]), (8 * CELL[0], 12 * CELL[1])))
    x, y = int(dice.integers(0, SIZE[0] - wide)), int(dice.integers(0, SIZE[1] - tall))
    colour = dice.integers(0, 90, 3) if dice.random() < 0.7 else dice.integers(60, 256, 3)
    part = image[y : y + tall, x : x + wide]
    share = float(dice.uniform(0.75, 1.0)) if dice.random() < 0.4 else 1.0
    part[:] = (part * (1 - share) + colour * share).astype(np.uint8)
    ink = tuple(int(n) for n in np.clip(colour + dice.integers(60, 200), 0, 255))
    for row in range(y + 6, y + tall - 3, int(dice.integers(7, 15))):
        left = x + 5
        while left < x + wide - 10:
            run = int(dice.integers(3, 24))
            if dice.random() < 0.8:
                cv2.line(
                    image, (left, row), (min(left + run, x + wide - 4), row), ink, int(dice.integers(1, 4))
                )
            left += run + int(dice.integers(2, 8))
    if dice.random() < 0.7:
        cv2.rectangle(image, (x, y), (x + wide - 1, y + tall - 1), ink, 1)
    rows = np.arange(SHAPE[0])[:, None] * STEP[1]
    columns = np.arange(SHAPE[1])[None] * STEP[0]
    apart = np.maximum(
        np.maximum(x - columns, columns - (x + wide)) / STEP[0],
        np.maximum(y - rows, rows - (y + tall)) / STEP[1],
    )
    known, under, beside = labels != IGNORED, apart <= -0.6, np.abs(apart) < 0.6
    ring, ground, lit = labels
    ring[known[0] & under] = 0
    ring[known[0] & beside & (ring > 0)] = IGNORED
    ground[known[1] & under] = LAYERS["ground"].index("covered")
    ground[known[1] & beside] = IGNORED
    lit[known[2] & (under | beside)] = IGNORED


def write(
    work: Sequence[tuple[Path, int, int]], jobs: int, end: float, also: Sequence[Path] = ()
) -> Iterator[int]:
    """Draws screens in several processes, and yields how many each file that is written holds.

    Args:
        work: folder, first seed and count of screens of each file.
        end: when to stop, on the clock of `time.time()`; files begun are written with what they have then.
        also: drawings of clients that do not come with the app, see `vision.synthetic.clients.add`.
    """
    for folder in {folder for folder, _, _ in work}:
        folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(jobs, _ready, (also,)) as pool:
        yield from pool.imap_unordered(partial(_file, end), work)


def files(folder: Path, first: int, count: int) -> list[tuple[Path, int, int]]:
    """Returns the files of a folder for screens of so many seeds, for `write`."""
    seeds = range(first, first + count, _EACH)
    return [(folder, seed, min(_EACH, first + count - seed)) for seed in seeds]


def _ready(also: Sequence[Path]) -> None:
    cv2.setNumThreads(1)
    for file in also:
        clients.add(file)


def _file(end: float, work: tuple[Path, int, int]) -> int:
    """Writes one file, whole under its name or not at all; returns how many screens it holds."""
    folder, first, count = work
    images, labels, seeds, whose = [], [], [], []
    for seed in range(first, first + count):
        if time.time() >= end:
            break
        picture, said = drawn(seed)
        for image, label in examples(seed, picture, said):
            images.append(image)
            labels.append(label)
            seeds.append(seed)
            whose.append(said["client"])
    if images:
        part = folder / f"{first}.part"
        with part.open("wb") as file:
            np.savez(
                file, x=np.stack(images), y=np.stack(labels), seed=np.array(seeds), client=np.array(whose)
            )
        part.rename(folder / f"{first}.npz")
    return len(images) // 2

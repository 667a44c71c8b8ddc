"""Compares the fighters that the reader finds with those that the network alone does, on the same screens."""

import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import profiles
from vision.extract import Reader
from vision.extract.dofus.rings_seen import RINGS, Network, RingReader
from vision.extract.dofus.scored import rings_of
from vision.frame import Frame, Rect
from vision.synthetic import screen
from vision.view import CELLS, SURE, FightView, Lattice, Team

Picture = npt.NDArray[np.uint8]
Screens = Iterable[tuple[str, Picture, Mapping[str, Any]]]


@dataclass(slots=True)
class Tally:
    """What one way of reading found of the fighters of some screens."""

    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, known: Mapping[int, str], read: Mapping[int, str], near: set[int]) -> None:
        """Adds a screen.

        Args:
            near: cells on which a fighter is neither right nor wrong.
        """
        for cell, side in known.items():
            seen = read.get(cell)
            outcome = "missed" if seen is None else "right" if seen == side else "other side"
            self.counts[outcome] += 1
            if outcome != "right":
                self.notes.append(f"{name}: {side} on {cell} {outcome}")
        for cell in read.keys() - known.keys() - near:
            self.counts["elsewhere"] += 1
            self.notes.append(f"{name}: {read[cell]} on {cell}, where none is known of")

    def __str__(self) -> str:
        names = ("right", "other side", "missed", "elsewhere")
        return ", ".join(f"{name} {self.counts[name]}" for name in names)


@dataclass(slots=True)
class Compared:
    """Both ways of reading on one client's screens; `unplaced` are those on which no lattice is found."""

    screens: int = 0
    unplaced: list[str] = field(default_factory=list)
    reader: Tally = field(default_factory=Tally)
    network: Tally = field(default_factory=Tally)
    ms: list[float] = field(default_factory=list)

    def time(self) -> str:
        """Returns how long the network takes for a whole picture, on one thread."""
        return f"a picture {statistics.median(self.ms):.1f} ms" if self.ms else "no picture timed"


def real(labels: Path) -> Iterator[tuple[str, Picture, Mapping[str, Any]]]:
    """Yields the screens of fights of a file of labels.

    Raises:
        OSError: the labels cannot be read.
    """
    for label in json.loads(labels.read_text(encoding="utf-8"))["screens"]:
        picture = cv2.imread(str(labels.parent / label["file"]))
        if picture is not None and label["phase"] == "fight" and not label.get("placement"):
            yield label["file"], np.asarray(picture, np.uint8), label


def drawn(
    first: int, count: int, boards: bool = False, client: str = ""
) -> Iterator[tuple[str, Picture, Mapping[str, Any]]]:
    """Yields drawn screens of fights, of other players every second one; `boards` draws their boards too.

    Those of one client, of any client if `client` is "".
    """
    for seed in range(first, first + count):
        picture, label = screen.draw(seed, client, unlike=seed % 2 == 0, boards=boards)
        if label["phase"] == "fight":
            yield str(seed), picture, label


def compare(screens: Screens, weights: Path | None) -> dict[str, Compared]:
    """Returns the tallies of the reader and of the network alone, by client."""
    model = Network(weights)
    compared: dict[str, Compared] = {}
    for name, picture, label in screens:
        client = label["client"]
        row = compared.setdefault(client, Compared())
        row.screens += 1
        view = _read(picture, client)
        lattice = view.lattice.value
        if lattice is None:
            row.unplaced.append(name)
            continue
        known = dict(_known(label, lattice))
        near = {cell for cell in range(CELLS) if _is_near(lattice, cell, known)}
        begun = time.thread_time()
        scores = RingReader(model).read(picture, lattice)
        row.ms.append(1000 * (time.thread_time() - begun))
        row.reader.add(name, known, _by_reader(view), near)
        row.network.add(name, known, dict(_by_network(scores, lattice, _board(view, client), client)), near)
    return compared


def _read(picture: Picture, client: str) -> FightView:
    """Returns the reading of one picture by a reader that has seen nothing before."""
    bgra = np.ascontiguousarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)
    frame = Frame(bgra, Rect(0, 0, picture.shape[1], picture.shape[0]), time.monotonic_ns(), 0)
    return Reader(profiles.load(client)).read(frame)


def _known(label: Mapping[str, Any], lattice: Lattice) -> Iterator[tuple[int, str]]:
    for name, side in (("player_px", "own"), ("allies_px", "own"), ("enemies_px", "enemy")):
        places = label.get(name) or []
        for place in [places] if name == "player_px" and places else places:
            cell = lattice.cell_at(*place)
            if cell is not None:
                yield cell, side


def _is_near(lattice: Lattice, cell: int, known: Mapping[int, str]) -> bool:
    """Returns whether a cell touches one with a fighter: labels by eye may be a cell off."""
    x, y = lattice.centre(cell)
    places = (lattice.centre(other) for other in known)
    return any(abs(x - a) / lattice.cell_w + abs(y - b) / lattice.cell_h < 0.6 for a, b in places)


def _board(view: FightView, client: str) -> Rect:
    area = view.client
    assert area is not None
    return area._replace(height=round(area.height * (1 - profiles.load(client).board.bottom)))


def _by_reader(view: FightView) -> dict[int, str]:
    own = (*((view.player,) if view.player is not None else ()), *view.allies)
    sides = [(fighter, "own") for fighter in own] + [(fighter, "enemy") for fighter in view.enemies]
    return {fighter.cell: side for fighter, side in sides if fighter.cell is not None}


def _by_network(
    scores: npt.NDArray[np.float32], lattice: Lattice, area: Rect, client: str
) -> Iterator[tuple[int, str]]:
    rules = profiles.load(client).screen
    assert rules is not None
    sides: tuple[Team, ...] = ("own", "enemy")
    for side in sides:
        chances = scores[:, [RINGS.index(ring) for ring in rings_of(rules.border, side)]].sum(axis=1)
        for cell in np.flatnonzero(chances >= SURE).tolist():
            x, y = lattice.centre(cell)
            if area.x < x < area.right and area.y < y < area.bottom:
                yield cell, side

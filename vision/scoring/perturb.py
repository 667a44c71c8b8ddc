"""Scores a client's reader on labelled pictures, unchanged and perturbed as screens differ.

    python -m vision.scoring.perturb LABELS FOLDER [--ways NAME ...] [--json]

A picture is scaled, compressed, cut to the client, put on a desktop or given panels of another size; its
labels move along. A field counts as right, wrong or withheld. LABELS is JSON: {"screens": [{"file", "client",
"size", "phase", "turn", "hp", ..., "player_px", "enemies_px"}]}. Measures `vision.extract`; see `WAYS`.
"""

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision import profiles
from vision.capture.image_file import open_image
from vision.extract import Reader
from vision.extract.dofus.client import find_client
from vision.frame import Frame, Rect
from vision.scoring.score import FieldOutcome, off_centre
from vision.view import FightView, Phase

Picture = npt.NDArray[np.uint8]
Label = Mapping[str, Any]
Change = Callable[[Picture, Label], tuple[Picture, dict[str, Any]]]

NUMBERS = ("hp", "max_hp", "ap", "mp", "timer_s")
EXTRAS = {"shield": "shield", "fight_turn": "turn_number"}
"""Labels that some screens have besides, and what they are called in a `FightView`."""

NEAR = 0.022
"""The largest distance of a fighter from its label, in heights of the picture (half a cell)."""

_QUARTER = 0.25
_BAR = 38
_DESK = (92, 110, 64)
_PANELS = 0.15


def scaled(share: float) -> Change:
    """Returns the change that scales a picture."""

    def change(bgr: Picture, label: Label) -> tuple[Picture, dict[str, Any]]:
        how = cv2.INTER_AREA if share < 1 else cv2.INTER_CUBIC
        image = np.asarray(cv2.resize(bgr, None, fx=share, fy=share, interpolation=how), np.uint8)
        return image, _moved(label, image, share, (0, 0))

    return change


def compressed(quality: int) -> Change:
    """Returns the change that saves a picture as JPEG and opens it again."""

    def change(bgr: Picture, label: Label) -> tuple[Picture, dict[str, Any]]:
        data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8), dict(label)

    return change


def cropped(bgr: Picture, label: Label) -> tuple[Picture, dict[str, Any]]:
    """Cuts a picture to the client area, as far as that is found."""
    client = _client(bgr, label)
    image = np.ascontiguousarray(bgr[client.y : client.bottom, client.x : client.right])
    return image, _moved(label, image, 1, (-client.x, -client.y))


def padded(bgr: Picture, label: Label) -> tuple[Picture, dict[str, Any]]:
    """Puts the client area into a window with a title bar on a desktop with a taskbar."""
    part, own = cropped(bgr, label)
    tall, wide = part.shape[:2]
    left, top, right, bottom = wide // 9, tall // 11, wide // 14, tall // 9
    image = np.full((tall + top + bottom + _BAR, wide + left + right, 3), _DESK, np.uint8)
    image[top : top + _BAR, left : left + wide] = 238
    cv2.circle(image, (left + _BAR // 2, top + _BAR // 2), _BAR // 4, (40, 140, 60), -1)
    image[top + _BAR : top + _BAR + tall, left : left + wide] = part
    image[-_BAR:] = (44, 36, 32)
    return image, _moved(own, image, 1, (left, top + _BAR))


def panels(share: float) -> Change:
    """Returns the change that scales the panels along the client's bottom edge, and nothing else.

    What smaller panels uncover is filled with the row of pixels above them.
    """

    def change(bgr: Picture, label: Label) -> tuple[Picture, dict[str, Any]]:
        client = _client(bgr, label)
        image = bgr.copy()
        top = client.bottom - round(_PANELS * client.height)
        strip = bgr[top : client.bottom, client.x : client.right]
        how = cv2.INTER_AREA if share < 1 else cv2.INTER_CUBIC
        new = np.asarray(cv2.resize(strip, None, fx=share, fy=share, interpolation=how), np.uint8)
        tall, wide = min(new.shape[0], client.height), min(new.shape[1], client.width)
        off = (new.shape[1] - wide) // 2
        left = client.x + (client.width - wide) // 2
        image[top : client.bottom, client.x : client.right] = bgr[top - 1, client.x : client.right]
        image[client.bottom - tall : client.bottom, left : left + wide] = new[-tall:, off : off + wide]
        return image, dict(label)

    return change


def unchanged(bgr: Picture, label: Label) -> tuple[Picture, dict[str, Any]]:
    """Changes nothing."""
    return bgr, dict(label)


WAYS: Mapping[str, Change] = {
    "as it is": unchanged,
    "60 %": scaled(0.6),
    "80 %": scaled(0.8),
    "125 %": scaled(1.25),
    "150 %": scaled(1.5),
    "JPEG 60": compressed(60),
    "client only": cropped,
    "on a desktop": padded,
    "panels 85 %": panels(0.85),
    "panels 115 %": panels(1.15),
}
"""The changes by name."""


def judge(view: FightView, label: Label) -> list[tuple[str, FieldOutcome]]:
    """Returns the outcome of every field that a label has; fighters count one by one.

    Args:
        view: what was read.
        label: what the picture shows.
    """
    phase = view.phase.value or Phase.UNKNOWN
    fight = phase in (Phase.FIGHT, Phase.PLACEMENT)
    found: list[tuple[str, FieldOutcome]] = [
        ("phase", _same(None if phase is Phase.UNKNOWN else fight, label))
    ]
    wanted = {name: name for name in ("turn", *NUMBERS)} | EXTRAS
    for name, field in wanted.items():
        if label.get(name) is not None:
            seen = getattr(view, field).value
            found.append((name, _outcome(seen, label[name])))
    return found + (_board(view, label) if label["phase"] == "fight" else [])


def measure(labels: Path, folder: Path, ways: Mapping[str, Change]) -> dict[str, Any]:
    """Returns, by way: how many fields were right, wrong and withheld, and which were not right.

    Raises:
        OSError: the labels cannot be opened.
        ValueError: the labels are not as they should be, or a picture cannot be read.
    """
    screens = json.loads(labels.read_text(encoding="utf-8"))["screens"]
    counts: dict[str, Counter[str]] = {way: Counter() for way in ways}
    faults: dict[str, list[str]] = {way: [] for way in ways}
    for label in screens:
        bgr = np.ascontiguousarray(open_image(folder / label["file"]).pixels[..., :3])
        for way, change in ways.items():
            image, moved = change(bgr, label)
            for field, outcome in judge(_read(image, label["client"]), moved):
                counts[way][outcome] += 1
                if outcome != "right":
                    faults[way].append(f"{label['file']}: {field} {outcome}")
    return {way: {"counts": dict(counts[way]), "faults": faults[way]} for way in ways}


def _read(bgr: Picture, client: str) -> FightView:
    return Reader(profiles.load(client)).read(Frame.still(bgr))


def _client(bgr: Picture, label: Label) -> Rect:
    whole = Rect(0, 0, bgr.shape[1], bgr.shape[0])
    return find_client(bgr, profiles.load(label["client"])) or whole


def _moved(label: Label, image: Picture, share: float, by: tuple[int, int]) -> dict[str, Any]:
    """Returns a label whose places are scaled, then moved, to those of a changed picture."""

    def place(point: list[float] | None) -> list[float] | None:
        return None if point is None else [point[0] * share + by[0], point[1] * share + by[1]]

    return dict(label) | {
        "size": [image.shape[1], image.shape[0]],
        "cell_px": label.get("cell_px", NEAR * label["size"][1]) * share,
        "player_px": place(label["player_px"]),
        "enemies_px": [place(point) for point in label["enemies_px"]],
    }


def _same(fight: bool | None, label: Label) -> FieldOutcome:
    return _outcome(fight, label["phase"] == "fight")


def _outcome(seen: object, wanted: object) -> FieldOutcome:
    if seen is None:
        return "withheld"
    return "right" if seen == wanted else "wrong"


def _board(view: FightView, label: Label) -> list[tuple[str, FieldOutcome]]:
    near = label.get("cell_px", NEAR * label["size"][1])
    found: list[tuple[str, FieldOutcome]] = []
    player = None if view.player is None else math.dist(view.player.px, label["player_px"]) <= near
    found.append(("player", _outcome(player, True)))
    left = [fighter.px for fighter in view.enemies]
    for place in label["enemies_px"]:
        hit = next((px for px in left if math.dist(px, place) <= near), None)
        if hit is not None:
            left.remove(hit)
        found.append(("enemies", "right" if hit is not None else "withheld"))
    found += [("enemies", "wrong")] * len(left)
    grid = view.lattice.value
    feet = [label["player_px"], *label["enemies_px"]]
    fits = None if grid is None else all(off_centre(grid, place) <= _QUARTER for place in feet)
    return [*found, ("lattice", _outcome(fits, True))]


def main(arguments: list[str] | None = None) -> int:
    """Prints a line for each way; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m vision.scoring.perturb", description=__doc__)
    parser.add_argument("labels", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ways", nargs="+", choices=tuple(WAYS), default=tuple(WAYS), metavar="NAME")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    try:
        found = measure(asked.labels, asked.folder, {way: WAYS[way] for way in asked.ways})
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"{asked.labels}: {error}")
    if asked.json:
        print(json.dumps(found, indent=1))
        return 0
    print(f"{'way':>13} {'fields':>6} {'right':>8} {'wrong':>8} {'withheld':>8}")
    for way, row in found.items():
        counts = Counter(row["counts"])
        total = max(1, counts.total())
        shares = (f"{counts[outcome] / total:>8.1%}" for outcome in ("right", "wrong", "withheld"))
        print(f"{way:>13} {total:>6}", *shares)
    for way, row in found.items():
        for fault in row["faults"]:
            print(f"{way}: {fault}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Writes the report that a player can send when the game is misread: a reduced picture and the reading."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from botapp.host.files import write_whole
from botapp.host.versions import versions
from vision import report
from vision.view import FightView

_ABOUT = """What botapp read off one picture of a game's window, for mending what it read wrongly.

picture.png   the game's area; what was not read is smeared, chat and names with it.
              Look at it before you send it.
reading.json  every field with how sure the reader is (0 to 1), the client's profile, and the versions.

No window title, account, character's name or path is in here.
"""


def save(path: Path, pixels: npt.NDArray[np.uint8], view: FightView, client: str) -> None:
    """Writes a report.

    Args:
        pixels: the picture, BGR or BGRA, uint8, shape (height, width, 3 or 4).

    Raises:
        OSError: the file cannot be written.
    """
    write_whole(path, packed(pixels, view, client))


def packed(pixels: npt.NDArray[np.uint8], view: FightView, client: str) -> bytes:
    """Returns a report as the bytes of a zip file, see `save`."""
    picture = report.cut_down(pixels, view)
    encoded = cv2.imencode(".png", picture)[1].tobytes()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("picture.png", encoded)
        file.writestr("reading.json", json.dumps(reading(pixels, view, client), indent=1))
        file.writestr("about.txt", _ABOUT)
    return buffer.getvalue()


def reading(pixels: npt.NDArray[np.uint8], view: FightView, client: str) -> dict[str, Any]:
    """Returns what a report says of a reading, as plain values; boxes are places in the cut-down picture."""
    area = view.client
    left, top = (area.x, area.y) if area is not None else (0, 0)
    lattice = view.lattice.value
    return {
        "client": client,
        "versions": versions(),
        "picture": [int(pixels.shape[1]), int(pixels.shape[0])],
        "client_area": None if area is None else list(area),
        "reason": str(view.reason),
        "played": view.played,
        "lattice": None
        if lattice is None
        else {
            "origin_px": [lattice.origin_px[0] - left, lattice.origin_px[1] - top],
            "cell_w": lattice.cell_w,
            "cell_h": lattice.cell_h,
        },
        "fields": [
            {
                "name": field.name,
                "value": field.value,
                "confidence": round(field.confidence, 4),
                "box": None
                if field.box is None
                else [field.box.x - left, field.box.y - top, field.box.width, field.box.height],
            }
            for field in report.fields(view)
        ],
    }

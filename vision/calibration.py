"""The board's place in a client's window, confirmed by the player once and stored as TOML.

All cells are alike, so a detected lattice may be off by whole cells. The player moves it into place once
for each layout: client, window size and interface. `vision.extract.Reader` then numbers the cells by it, in
windows of the same shape at any scale.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter

from vision.frame import Rect
from vision.profiles import fields
from vision.profiles.fields import ProfileError, within
from vision.view import Lattice

_SAME_SHAPE = 0.005
_HEADER = (
    "# Where the board lies in the game's window, accepted by the person. Pixels from the window's inside.\n"
)


@dataclass(frozen=True, slots=True)
class BoardCalibration:
    """A lattice that the player accepted."""

    client: str
    size: tuple[int, int]  # Width and height of the client area it was accepted in, in pixels
    lattice: Lattice  # Where the cells lie, in pixels of the client area
    ui: str = ""  # The player's name for this layout of the interface, "" for the usual one

    @classmethod
    def accepted(cls, client: str, area: Rect, lattice: Lattice, ui: str = "") -> "BoardCalibration":
        """Makes a calibration of a lattice in pixels of a frame in which the client area lies at `area`."""
        x, y = lattice.origin_px
        inside = Lattice((x - area.x, y - area.y), lattice.cell_w, lattice.cell_h)
        return cls(client, (area.width, area.height), inside, ui)

    def fits(self, client: str, area: Rect, ui: str = "") -> bool:
        """Returns whether a client area has this calibration's client, interface and shape."""
        shape, wanted = area.width / max(1, area.height), self.size[0] / self.size[1]
        return (client, ui) == (self.client, self.ui) and abs(shape / wanted - 1) <= _SAME_SHAPE

    def placed(self, area: Rect) -> Lattice:
        """Returns the lattice in pixels of the frame for a client area of its layout, at any scale."""
        scale = area.height / self.size[1]
        x, y = self.lattice.origin_px
        origin = (area.x + x * scale, area.y + y * scale)
        return Lattice(origin, self.lattice.cell_w * scale, self.lattice.cell_h * scale)


@dataclass(frozen=True, slots=True)
class BoardCalibrations:
    """All accepted calibrations, one for each layout."""

    layouts: tuple[BoardCalibration, ...] = ()

    def find(self, client: str, area: Rect, ui: str = "") -> BoardCalibration | None:
        """Returns the calibration for a client area, the one accepted at the most similar size; or None."""
        fitting = [layout for layout in self.layouts if layout.fits(client, area, ui)]
        return min(fitting, key=lambda layout: abs(layout.size[1] - area.height), default=None)

    def remember(self, calibration: BoardCalibration) -> "BoardCalibrations":
        """Returns the calibrations with one added, or replaced if it is for the same layout."""
        area = Rect(0, 0, *calibration.size)
        others = (
            layout for layout in self.layouts if not layout.fits(calibration.client, area, calibration.ui)
        )
        return BoardCalibrations((*others, calibration))


def dumps(calibrations: BoardCalibrations) -> str:
    parts = [_HEADER]
    for number, layout in enumerate(calibrations.layouts, 1):
        x, y = layout.lattice.origin_px
        parts.append(
            f"\n[layout-{number}]\n"
            f"client = {json.dumps(layout.client)}\n"
            f"ui = {json.dumps(layout.ui)}\n"
            f"size = [{layout.size[0]}, {layout.size[1]}]\n"
            f"origin = [{x:.3f}, {y:.3f}]\n"
            f"cell = [{layout.lattice.cell_w:.4f}, {layout.lattice.cell_h:.4f}]\n"
        )
    return "".join(parts)


def accepted(tables: Mapping[str, Any]) -> tuple[BoardCalibrations, list[str]]:
    """Returns the calibrations of a TOML file's tables, and what is wrong with those that are left out.

    Args:
        tables: what `dumps` wrote, perhaps edited, by name.
    """
    layouts, problems = [], []
    for name, table in tables.items():
        try:
            layouts.append(fields.checked(_adapter(), {name: table})[name].calibration())
        except ProfileError as error:
            problems.append(error.message)
    return BoardCalibrations(tuple(layouts)), problems


@dataclass(frozen=True, slots=True)
class _Layout:
    """One table of the file."""

    size: Annotated[tuple[float, float], within(100, 32000)]
    cell: Annotated[tuple[float, float], within(4, 4000)]
    origin: Annotated[tuple[float, float], within(-32000, 32000)]
    client: str
    ui: str = ""

    def calibration(self) -> BoardCalibration:
        size = (round(self.size[0]), round(self.size[1]))
        return BoardCalibration(self.client, size, Lattice(self.origin, *self.cell), self.ui)


@cache
def _adapter() -> TypeAdapter[dict[str, _Layout]]:
    return TypeAdapter(dict[str, _Layout])

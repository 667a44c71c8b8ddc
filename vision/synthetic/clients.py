"""How the drawn clients differ from each other: one value a client, which all that draws looks up."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from vision.synthetic import dofus2, retro, unity
from vision.synthetic.canvas import RGB
from vision.synthetic.hud_sample import Area, Life


@dataclass(frozen=True, slots=True)
class TeamRing:
    """The ring under a fighter: its width and line in cell widths, and the colours of both sides."""

    width: float
    line: float
    own: RGB
    enemy: RGB


@dataclass(frozen=True, slots=True)
class DrawnClient:
    """What is drawn in a client's own way.

    Attributes:
        hud: draws its HUD: dice, canvas, area, what it says, scale, whether it is folded.
        last_row: the board's last row that it shows.
        opacity: of highlighted cells, 0..1.
        joint: how bright the joints between floor tiles are, of the place's own.
        ring: under fighters; None where they stand on borders of a cell's shape.
        figures: whether fighters may be drawn as persons.
        life: what its heart shows where the player has chosen nothing else.
        shape: width of its area by the height, None where it fills the window.
    """

    hud: Callable[..., None]
    last_row: int
    opacity: float
    joint: float
    ring: TeamRing | None
    figures: bool
    life: Life
    shape: float | None = None

    def area(self, width: int, height: int) -> Area:
        """Returns its area in a window, in pixels; black borders are beside it where it keeps its shape."""
        across = width if self.shape is None else round(height * self.shape)
        return Area((width - across) // 2, 0, across, height)


CLIENTS: Mapping[str, DrawnClient] = {
    "dofus-unity": DrawnClient(unity.draw, 36, 0.92, 1.0, None, figures=True, life="rows"),
    "dofus-2": DrawnClient(
        dofus2.draw,
        36,
        0.55,
        1.0,
        TeamRing(0.525, 0.033, (250, 8, 8), (6, 6, 245)),
        figures=False,
        life="number",
    ),
    "dofus-retro": DrawnClient(
        retro.draw,
        31,
        0.5,
        1.9,
        TeamRing(0.7, 0.055, (236, 48, 34), (0, 0, 230)),
        figures=True,
        life="number",
        shape=742 / 556,
    ),
}

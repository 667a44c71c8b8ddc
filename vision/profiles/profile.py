"""One client as data: its window, the place of its board, its colours, and the rules for its screen."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from vision.frame import Rect
from vision.profiles.arena import FightRules
from vision.profiles.board import ScreenRules
from vision.profiles.fields import Colours, pattern, within
from vision.profiles.hud import HudRules, widened
from vision.view import Lattice


@dataclass(frozen=True, slots=True)
class BoardRule:
    """Where the lattice lies, in units of S or of cells."""

    cell_w: Annotated[float, within(0.01, 0.5)]
    ratio: Annotated[float, within(0.3, 0.7)]
    columns: Annotated[float, within(1, 40)]
    rows: Annotated[float, within(1, 40)]
    bottom: Annotated[float, within(-0.5, 0.5)]


@dataclass(frozen=True, slots=True)
class Profile:
    """One client."""

    aspect: Annotated[float, within(0.5, 4)]  # S = min(height, width / aspect)
    board: BoardRule  # Where the lattice lies
    # How far (Euclidean, 0..441) a colour may be from one of its palette
    tolerance: Annotated[float, within(1, 128)]
    palette: Mapping[str, Colours]  # Colours by meaning
    label: str  # What players call it
    order: int = 100  # Clients with a lower number come first in the settings
    name: str = ""  # The file's name, as in `--client`
    title: str = ""  # Part of the window's title
    process: str = ""  # Part of the process name
    # Patterns of the whole titles that the client writes, see `vision.window.titles`
    titles: tuple[Annotated[str, AfterValidator(pattern)], ...] = ()
    fight: FightRules | None = None  # How to read the arena's fights, None for a real client
    screen: ScreenRules | None = None  # How to read a real client's board, None for the arena
    # How to read a real client's HUD, None for the arena
    hud: Annotated[HudRules, BeforeValidator(widened)] | None = None

    def unit(self, client: Rect) -> float:
        """Returns S in pixels for a client area."""
        return min(client.height, client.width / self.aspect)

    def lattice(self, client: Rect) -> Lattice:
        """Returns where the board lies in a client area, by the profile alone."""
        s = self.unit(client)
        cell_w = self.board.cell_w * s
        cell_h = cell_w * self.board.ratio
        x = client.x + client.width / 2 - (self.board.columns - 1) / 2 * cell_w
        y = client.bottom - self.board.bottom * s - (self.board.rows - 0.5) * cell_h
        return Lattice((x, y), cell_w, cell_h)

"""What is drawn in a client's own way; the modules beside this one have a `CLIENT` each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vision.synthetic.board import DrawnFighter
from vision.synthetic.board_looks import BoardLook, BoardShares
from vision.synthetic.canvas import RGB, Drawing, Point, tone
from vision.synthetic.hud_sample import USUAL, Area, Life, Look
from vision.synthetic.scenery import Dice
from vision.view import Lattice

RingPainter = Callable[[Dice, Drawing, Point, tuple[float, float], DrawnFighter, BoardLook], None]
"""Draws what lies under a fighter: dice, canvas, its feet and a cell's size in pixels, who it is, how the
board looks."""


@dataclass(frozen=True, slots=True)
class TeamRing:
    """Draws ovals: their width and line in cell widths, and the colours of both sides."""

    width: float
    line: float
    own: RGB
    enemy: RGB

    def __call__(
        self,
        dice: Dice,
        canvas: Drawing,
        at: Point,
        cell: tuple[float, float],
        fighter: DrawnFighter,
        look: BoardLook,
    ) -> None:
        colour = self.enemy if fighter.team == "enemy" else self.own
        size, line = self.width * float(dice.uniform(0.95, 1.05)), self.line * look.line * cell[0]
        across = (size * cell[0], size * cell[1])
        if look.inside:
            canvas.oval(at, across, colour, look.inside)
        canvas.oval(at, (across[0] * 0.8, across[1] * 0.8), (40, 20, 30), 0.15)
        canvas.ring(at, across, (230, 230, 230), line + 2.2 * look.rim, 0.25 * look.rim)
        canvas.ring(at, across, tone(dice, colour, 4), line)


_USUAL_BOARDS = BoardShares()


@dataclass(frozen=True, slots=True)
class HudStyle:
    """How a client's HUD is drawn."""

    draw: Callable[..., None]  # With dice, canvas, area, what it says, scale, whether it is folded
    life: Life  # What its heart shows where the player has chosen nothing else
    look: Callable[[Dice], Look] = lambda _: USUAL  # Draws how another player's interface looks
    later_look: Callable[[Dice, Look], Look] = lambda _, look: look  # Draws what was added to that later
    # How often dead fighters have cards, 0..1: an option of most; from memory, no real picture has one
    with_dead: float = 0.15
    keeps_dead: bool = False  # Whether the cards of the dead stay for the rest of a fight
    top: tuple[float, float] = (0.8, 0.88)  # Where it begins, in heights of the client: a strip may be left
    width: float = 0.0  # At the usual scale, in heights of the client; 0 where it always fits
    long_lives: bool = False  # Whether lives have up to five figures
    plays_summons: bool = True  # Whether the player plays its summons
    points_placing: bool = True  # Whether AP and MP are shown while places are chosen
    tells: frozenset[str] = frozenset()  # Which of "shield", "timer_s" and "fight_turn" it shows


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """How a client's boards and the fighters on them are drawn."""

    last_row: int  # The board's last row that is shown
    opacity: float  # Of highlighted cells, 0..1
    joint: float  # How bright the joints between floor tiles are, of the place's own
    ring: RingPainter
    figures: bool  # Whether fighters may be drawn as persons
    looks: BoardShares = _USUAL_BOARDS  # How often other players' boards look otherwise
    cell_w: float = 0.0865  # Width of a cell, in heights of the client
    foot: float = 0.112  # The room below the board, in heights of the client
    # Draws where its cells lie in an area and whether it is zoomed in; None for the middle above `foot`
    lattice: Callable[[Dice, Area], tuple[Lattice, bool]] | None = None
    checked: bool = False  # Whether light and dark tiles take turns along both diagonals; else by rows
    whole_maps: bool = False  # Whether its boards always fill nearly all of the map; else one in ten does
    # How often at least its maps are black, 0 for never, None for as often as any other place
    black_maps: float | None = None
    jagged: float = (
        0.0  # How often another player's enemies stand on jagged rings in place of their own, 0..1
    )
    opaque_starts: float = 0.0  # How often start cells of other players' maps are opaque, 0..1


@dataclass(frozen=True, slots=True)
class DrawnClient:
    """What is drawn in a client's own way."""

    name: str
    colours: Mapping[str, RGB]
    hud: HudStyle
    board: BoardStyle
    shape: float | None = None  # Width of its area by the height, None where it fills the window
    share: float = 0.0  # How many of screens drawn of any client are its own, beside the others' shares

    def area(self, width: int, height: int) -> Area:
        """Returns its area in a window, in pixels; black borders are beside it where it keeps its shape."""
        across = width if self.shape is None else round(height * self.shape)
        return Area((width - across) // 2, 0, across, height)


def chosen(dice: Dice, shares: Sequence[tuple[Life, float]]) -> Life:
    """Returns one of several forms, each taken with its share."""
    chance = dice.random()
    for form, share in shares:
        chance -= share
        if chance < 0:
            return form
    return shares[-1][0]

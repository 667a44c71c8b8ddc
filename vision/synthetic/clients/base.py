"""What is drawn in a client's own way; the modules beside this one have a `CLIENT` each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from vision.synthetic.board_looks import BoardShares
from vision.synthetic.canvas import RGB
from vision.synthetic.hud_sample import USUAL, Area, Life, Look
from vision.synthetic.scenery import Dice


@dataclass(frozen=True, slots=True)
class TeamRing:
    """The ring under a fighter: its width and line in cell widths, and the colours of both sides."""

    width: float
    line: float
    own: RGB
    enemy: RGB


_USUAL_BOARDS = BoardShares()


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
        share: how many of screens drawn of any client are its own, 0..1.
        look: draws how another player's interface looks.
        with_dead: how often dead fighters have cards, 0..1.
        keeps_dead: whether the cards of the dead stay for the rest of a fight.
        hud_top: where the HUD begins, in heights of the client: a strip of it may be left.
        boards: how often other players' boards look otherwise.
        cell_w, foot: width of a cell, and the room below the board, in heights of the client.
    """

    name: str
    colours: Mapping[str, RGB]
    hud: Callable[..., None]
    last_row: int
    opacity: float
    joint: float
    ring: TeamRing | None
    figures: bool
    life: Life
    shape: float | None = None
    share: float = 0.0
    look: Callable[[Dice], Look] = lambda _: USUAL
    with_dead: float = 0.15  # an option of most; from memory: no real picture at hand shows one
    keeps_dead: bool = False
    hud_top: tuple[float, float] = (0.8, 0.88)
    cell_w: float = 0.0865
    foot: float = 0.112
    boards: BoardShares = _USUAL_BOARDS

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

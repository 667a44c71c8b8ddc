"""Line of sight as the rules' description tells it, cell by cell: what the quick ways are held against."""

from botapp.fight.board import XY, to_cell
from botapp.fight.state import CellFlag


def between(a, b):
    """The cells tested on the walk between two cell centres, ends left out; corners test neither side."""
    (from_x, from_y), (to_x, to_y) = XY[a], XY[b]
    right, down = abs(to_x - from_x), abs(to_y - from_y)
    step_x, step_y = (1 if to_x > from_x else -1), (1 if to_y > from_y else -1)
    x, y, tested = 0, 0, []
    while (x, y) != (right, down):
        next_x, next_y = (2 * x + 1) * down, (2 * y + 1) * right
        x, y = x + (next_x <= next_y), y + (next_y <= next_x)
        tested.append(to_cell(from_x + step_x * x, from_y + step_y * y))
    return tuple(cell for cell in tested[:-1] if cell is not None)


def sees(flags, taken, a, b):
    """Whether a cell sees another on a map, with somebody on the cells `taken`."""
    if a == b:
        return True
    return bool(flags[b] & CellFlag.SIGHT) and all(
        flags[cell] & CellFlag.SIGHT and cell not in taken for cell in between(a, b)
    )

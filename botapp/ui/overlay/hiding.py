"""How much of a drawn turn a box would hide, for whatever has several places to stand. No Qt in here."""

from collections.abc import Iterable

Box = tuple[float, float, float, float]  # Left, top, width and height
_WRITTEN = 3.0  # What a hidden part of a number or a note counts beside one of a fighter


def shared(one: Box, other: Box) -> float:
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0.0, across) * max(0.0, down)


def hidden(ground: Box, bodies: Iterable[Box], written: Iterable[Box]) -> float:
    """Returns the area of fighters that a box hides, and three times that of numbers and notes.

    Rounded, so that places that hide the same are as good as each other and the first one is taken.
    """
    found = sum(shared(ground, body) for body in bodies)
    return round(found + _WRITTEN * sum(shared(ground, one) for one in written), 3)

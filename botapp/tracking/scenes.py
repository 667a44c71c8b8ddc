"""Who was at turn, and where everybody stood, in the last seconds: what a line of the log is about.

A cast may be concluded seconds after the log has told of it, when the next fighter plays and the caster
stands elsewhere. By then only this tells who made it, and from where.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

KEPT_NS = 8_000_000_000
"""How long scenes are kept: on a busy computer a line is read seconds after it was shown."""

_SHOWN_NS = 1_000_000_000
"""For how long a line may have stood in the log before the picture that it was first read from."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment.

    Attributes:
        playing: id of the fighter at turn, None where that was not seen.
        cells: (id, cell), where each fighter was seen to stand last.
    """

    captured_ns: int
    playing: int | None
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Telling:
    """The moments at which the log may have told of a cast, the last one first.

    Attributes:
        stood: (id, cell), where fighters stood.
    """

    playing: tuple[int, ...] = ()
    stood: tuple[tuple[int, int], ...] = ()

    def cells_of(self, number: int) -> tuple[int, ...]:
        """Returns the cells where a fighter stood, the last one first."""
        return tuple(cell for who, cell in self.stood if who == number)


def followed(
    scenes: Sequence[Scene], captured_ns: int, playing: int | None, standing: Iterable[tuple[int, int]]
) -> tuple[Scene, ...]:
    """Returns the scenes after one more picture.

    Args:
        playing: id of the fighter at turn in it, None where that was not seen.
        standing: (id, cell) of those who stand still in it.
    """
    before = scenes[-1] if scenes else Scene(captured_ns, None, ())
    cells = tuple(sorted({**dict(before.cells), **dict(standing)}.items()))
    if scenes and (playing, cells) == (before.playing, before.cells):
        return tuple(scenes)
    last = captured_ns - KEPT_NS
    ended = sum(one.captured_ns <= last for one in scenes[1:])
    return (*scenes[ended:], Scene(captured_ns, playing, cells))


def telling(scenes: Sequence[Scene], captured_ns: int) -> Telling:
    """Returns the moments that a line is about which a picture of that time has shown first."""
    until = [one for one in scenes if one.captured_ns <= captured_ns]
    ended = sum(one.captured_ns <= captured_ns - _SHOWN_NS for one in until[1:])
    late = until[ended:][::-1]
    playing = dict.fromkeys(one.playing for one in late if one.playing is not None)
    return Telling(tuple(playing), tuple(dict.fromkeys(pair for one in late for pair in one.cells)))

"""What one picture shows of a fight, without anything assumed, and what the last seconds showed.

A cast may be concluded seconds after the log has told of it, when the next fighter plays and the caster
stands elsewhere. By then only the scenes kept here tell who made it, and from where.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from botapp.fight.state import FightState
from vision.view import ChronicleLine, ToldChange

KEPT_NS = 8_000_000_000
"""How long scenes are kept: on a busy computer a line is read seconds after it was shown."""

_SHOWN_NS = 1_000_000_000
"""For how long a line may have stood in the log before the picture that it was first read from."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment."""

    captured_ns: int
    playing: int | None  # Id of the fighter at turn, None where that was not seen
    cells: tuple[tuple[int, int], ...]  # (id, cell), where each fighter was seen to stand last


@dataclass(frozen=True, slots=True)
class CastMoments:
    """The moments at which the log may have told of a cast, the last one first."""

    playing: tuple[int, ...] = ()
    stood: tuple[tuple[int, int], ...] = ()  # (id, cell), where fighters stood

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
    ended = sum(scene.captured_ns <= last for scene in scenes[1:])
    return (*scenes[ended:], Scene(captured_ns, playing, cells))


def moments_of(scenes: Sequence[Scene], captured_ns: int) -> CastMoments:
    """Returns the moments that a line is about which a picture of that time has shown first."""
    until = [scene for scene in scenes if scene.captured_ns <= captured_ns]
    ended = sum(scene.captured_ns <= captured_ns - _SHOWN_NS for scene in until[1:])
    late = until[ended:][::-1]
    playing = dict.fromkeys(scene.playing for scene in late if scene.playing is not None)
    return CastMoments(tuple(playing), tuple(dict.fromkeys(pair for scene in late for pair in scene.cells)))


def was_cast(spell: str, caster: str, past: tuple[ChronicleLine, ...] | None) -> bool:
    """Tells whether a kind's cast of a spell may be one of some lines, True where there are none at all."""
    return past is None or any(
        not line.spells or (spell in line.spells and line.caster in (None, caster)) for line in past
    )


@dataclass(frozen=True, slots=True)
class News:
    """What has come since the last conclusion."""

    casts: tuple[ChronicleLine, ...] = ()  # Those that the log has told of
    # For each of these who was at turn and where as its line came, empty where not known
    moments: tuple[CastMoments, ...] = ()
    changes: tuple[ToldChange, ...] = ()  # What the log has told of fighters
    stood: tuple[tuple[int, int], ...] = ()  # (id, cell) where fighters were seen to stand, in that order
    logged: bool = False  # Whether there is a log, which has told of all casts
    # Where the log was found but has nothing new yet, the casts that stood in it; else None
    past: tuple[ChronicleLine, ...] | None = None

    def stops(self, number: int) -> tuple[int, ...]:
        """Returns the cells where a fighter was seen to stand."""
        return tuple(cell for who, cell in self.stood if who == number)


@dataclass(frozen=True, slots=True)
class Picture:
    """What one picture shows, without anything assumed."""

    state: FightState  # The fight as one picture tells it; of others only team, kind and cell were seen
    player: int  # Id of the player's own fighter, whose HP, AP and MP are exact
    # By id, the share of HP that a bar shows, 0..1; fighters whose bar was not read are left out
    bars: Mapping[int, float]
    mine: bool
    glyphs: frozenset[int] | None = None  # Cells with a glyph, None where none could be seen
    shield: int | None = None  # The player's, None where it is not shown
    # By the player's spell keys, whether the spell bar shows it as usable; those not read left out
    usable: Mapping[str, bool] = field(default_factory=dict)
    # By id, the share of its maximum HP that a fighter's shield is worth; those not read left out
    shields: Mapping[int, float] = field(default_factory=dict)
    # Cells with a trap of the player's side; `traps_seen` those that ever showed one
    traps: frozenset[int] = frozenset()
    traps_seen: frozenset[int] = frozenset()
    news: News = News()
    own_glyphs: frozenset[int] = frozenset()  # Those of them in the tone of the player's side
    line: tuple[int, ...] = ()  # The ids of those alive in the order of play, empty where it is not seen
    playing: int | None = None  # Id of who is at turn, None where it is not seen

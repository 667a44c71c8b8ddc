"""What a screen shows of a fight.

Every field is a `Seen`: a value and the reader's confidence (0..1). A value that the reader is not
sure of is None; it is never guessed. Pixel positions are those of the frame the view was read from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from vision.frame import Rect

T = TypeVar("T")
CELLS = 560
ROW_LENGTH = 14


@dataclass(frozen=True, slots=True)
class Seen(Generic[T]):
    """A value read off the screen and its confidence (0..1); None where the reader is not sure."""

    value: T | None = None
    confidence: float = 0.0

    def __bool__(self) -> bool:
        return self.value is not None


SURE = 0.9
"""How sure a reading is that counts by itself: a digit, ring or kind of cell by a network, a card, a slot."""

MOST_SURE = 0.99
"""How sure anything is at most: what no reader has seen yet may look like it."""


class Phase(Enum):
    """The phase of the game that the screen shows."""

    PLACEMENT = "placement"
    FIGHT = "fight"
    NOT_FIGHT = "not-fight"
    UNKNOWN = "unknown"


class CellKind(IntEnum):
    """The kind of one cell of the board; UNKNOWN where it is hidden or ambiguous."""

    UNKNOWN = 0
    OUTSIDE = 1
    WALKABLE = 2
    OBSTACLE = 3
    HOLE = 4


Highlight = Literal["reachable", "tackled", "range", "no_sight", "area", "red_start", "blue_start"]
Team = Literal["own", "ally", "enemy"]
Turn = Literal["mine", "other"]
Played = Literal["own", "summon", "unsure"]
Sign = Literal["own_glyph", "enemy_glyph", "trap"]
Decided = Literal["shown", "withheld"]


@dataclass(frozen=True, slots=True)
class Lattice:
    """Where the board's cells lie in the frame."""

    origin_px: tuple[float, float]  # Centre of cell 0, in pixels of the frame
    cell_w: float  # Width of a cell's diamond in pixels
    cell_h: float  # Height of a cell's diamond in pixels

    def centre(self, cell: int) -> tuple[float, float]:
        """Returns the centre of a cell, in pixels."""
        row, col = divmod(cell, ROW_LENGTH)
        return (
            self.origin_px[0] + (col + (row % 2) * 0.5) * self.cell_w,
            self.origin_px[1] + row * 0.5 * self.cell_h,
        )

    def cell_at(self, x: float, y: float) -> int | None:
        """Returns the id of the cell whose diamond holds the pixel (x, y), or None off the board."""
        across = (x - self.origin_px[0]) / self.cell_w
        down = (y - self.origin_px[1]) / self.cell_h
        along, against = round(across + down), round(across - down)
        row = along - against
        col = (along + against - row % 2) // 2
        if 0 <= row < CELLS // ROW_LENGTH and 0 <= col < ROW_LENGTH:
            return row * ROW_LENGTH + col
        return None


@dataclass(frozen=True, slots=True)
class FighterSeen:
    """A fighter on the board: the place of its feet, its side, and the HP that its bar shows.

    `shield` is the HP that its shield is worth as a share of its maximum HP, 1 for that or more.
    `kind` is the profile's name for the fighter's kind (a key of the bestiary), None where not recognised.
    `portrait` is the signature (`vision.signature`) of its card's portrait, "" where its card is not known;
    `name` is that of the name written over it while the mouse is there, and `name_box` the name's place.
    """

    px: tuple[float, float]
    cell: int | None
    team: Team
    hp_fraction: Seen[float] = Seen()
    kind: Seen[str] = Seen()
    confidence: float = 0.0
    portrait: str = ""
    name: str = ""
    name_box: Rect | None = None
    shield: Seen[float] = Seen()


@dataclass(frozen=True, slots=True)
class SpellSlot:
    """One slot of the spell bar, counted from 0. `cooldown` is in turns, 0 for none.

    `icon` is the signature (`vision.signature`) of its icon, by which a spell is recognised; "" for an empty
    slot, and where the profile states the spell of each slot. `box` is its place in the frame.
    """

    index: int
    usable: Seen[bool] = Seen()
    cooldown: Seen[int] = Seen()
    icon: str = ""
    box: Rect | None = None


@dataclass(frozen=True, slots=True)
class ChronicleLine:
    """A line of the fight's log."""

    odd: bool  # Whether an odd number of lines came before it in the fight
    caster: str | None = None  # The kind of who cast a spell, None where it is no cast or not recognised
    # The profile's names for the spell cast, several where they look alike; empty for no cast
    spells: frozenset[str] = frozenset()
    # The kind of who stood on the target cell, None for an empty cell or one not recognised
    target: str | None = None
    # Whether the line tells the target; a log in words names the caster and the spell alone
    aimed: bool = True
    # When the picture was taken that has shown the line first; None where this one has
    captured_ns: int | None = None
    # Whether it says that the player's last action was taken back, as in the practice arena
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class ToldChange:
    """Something that a log in words tells of one fighter."""

    number: int  # Counts what the log has told
    kind: Literal["hp", "ap", "mp", "dies"]  # What has changed; "dies" for a death
    who: frozenset[str] = frozenset()  # The kinds that are called so; empty for the player
    own: bool = False
    amount: int = 0  # How much, below 0 for a loss


@dataclass(frozen=True, slots=True)
class CardSeen:
    """One card of the timeline: its portrait's box in the frame, its side, whether that fighter plays now.

    `team` is None on the card of a dead fighter, which does not show its side.

    `portrait` is the portrait's signature (`vision.signature`), by which it is recognised once named; `kind`
    the profile's name for the fighter where it has one.
    """

    box: Rect
    team: Team | None
    current: bool
    hp_fraction: Seen[float] = Seen()
    portrait: str = ""
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class CellScore:
    """What was made of the ring of a fighter under one cell."""

    # The likeliest ring by the network, a name of `vision.extract.dofus.rings_seen.RINGS`; "" where the
    # network says nothing
    ring: str
    chance: float  # Its probability, 0..1
    # Whether a fighter is shown there. "withheld" where the network was sure of one and none is, None where
    # it was not
    decided: Decided | None


@dataclass(frozen=True, slots=True)
class FightView:
    """All that was read off one frame."""

    client: Rect | None = None  # The game's client area in the frame, None where it was not found
    phase: Seen[Phase] = Seen(Phase.UNKNOWN, 0.0)
    turn: Seen[Turn] = Seen()
    lattice: Seen[Lattice] = Seen()
    # Other lattices that the picture allows, a cell away, likeliest first; empty where the numbering of the
    # cells is sure. Distances and directions are right on any of them
    lattice_ambiguous: tuple[Lattice, ...] = ()
    # `CellKind` by cell id, uint8, shape (560,)
    cells: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros(CELLS, np.uint8))
    cell_confidence: float = 0.0
    # Cells by the meaning of their highlight
    highlights: Mapping[Highlight, frozenset[int]] = field(default_factory=dict)
    # Cells by the glyph or trap on them; those under a fighter are not seen
    signs: Mapping[Sign, frozenset[int]] = field(default_factory=dict)
    player: FighterSeen | None = None
    allies: tuple[FighterSeen, ...] = ()
    enemies: tuple[FighterSeen, ...] = ()
    hp: Seen[int] = Seen()
    max_hp: Seen[int] = Seen()
    shield: Seen[int] = Seen()
    ap: Seen[int] = Seen()
    mp: Seen[int] = Seen()
    timer_s: Seen[int] = Seen()
    turn_number: Seen[int] = Seen()
    spells: tuple[SpellSlot, ...] = ()
    # How many fighters the timeline shows; with fewer on the board, one is hidden
    fighters_shown: Seen[int] = Seen()
    remembered: frozenset[str] = frozenset()  # Fields filled in from a recent frame, see `vision.track`
    # The timeline's cards of the living in the order of play, where each one was found
    timeline: tuple[CardSeen, ...] = ()
    dead: tuple[CardSeen, ...] = ()  # The cards of dead fighters among them, where the client keeps these
    # The same where the profile recognises the kind of every card; else empty
    order: tuple[CardSeen, ...] = ()
    # Cells of enemies out of sight that have not been at turn since they were seen there
    unmoved: frozenset[int] = frozenset()
    # The log's lines, newest last; None where it is hidden or ambiguous
    log: tuple[ChronicleLine, ...] | None = None
    changes: tuple[ToldChange, ...] = ()  # What the log has told of fighters, the last of it, newest last
    # The player's HP as a share of the maximum (0..1), where the client shows a percentage
    hp_share: Seen[float] = Seen()
    # The fighter that the player moves in this turn: the own one, one of its summons (whose HP, AP, MP and
    # spells the screen then shows; the view has none of them), or one of both
    played: Played = "own"
    # Where the HUD's numbers and the end-turn button ("button") were looked for, by field
    places: Mapping[str, Rect] = field(default_factory=dict)
    # Whether nothing of the client's HUD is seen: a fight may go on behind what is shown
    hud_hidden: bool = False
    log_told: int = 0  # How many casts a log in words has told of so far, the last of which are in `log`
    log_behind: bool = False  # Whether the log shows lines that have not been recognised yet
    # The casts of this round that stood in the log when it was found; any cast where a line has no spell. The
    # last of them may still be played; None once the log tells more, and without them
    log_past: tuple[ChronicleLine, ...] | None = None
    # Whether the line with which this round began stood before them, so that none is missing
    log_round: bool = False
    # Why the phase is unknown, a sentence (a `vision.message.Message`); "" where it is known
    reason: str = ""
    seq: int = 0
    captured_ns: int = 0
    elapsed_ms: float = 0.0  # How long the reading took
    # How cells were judged, by cell, where the reader was asked to explain itself; else None, and where no
    # network reads the board
    scores: Mapping[int, CellScore] | None = None

    @property
    def own_cell(self) -> int | None:
        """The player's cell, None where it or its cell is not seen."""
        return None if self.player is None else self.player.cell

    @property
    def others(self) -> tuple[FighterSeen, ...]:
        """The fighters but the player."""
        return (*self.allies, *self.enemies)

    @property
    def fighters(self) -> tuple[FighterSeen, ...]:
        """All fighters, the player first where it is seen."""
        return self.others if self.player is None else (self.player, *self.others)

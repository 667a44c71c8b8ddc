"""The readings of a real client's HUD and board.

`vision.extract.dofus.reader` combines them into one `FightView`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from vision.extract.dofus.cells import CellsSeen
from vision.extract.dofus.fighters import Sides
from vision.extract.dofus.phase import PhaseEvidence
from vision.frame import Rect
from vision.view import CELLS, SURE, CardSeen, Lattice, Phase, Seen, SpellSlot, Turn

UNREAD: Final[Seen[Any]] = Seen()
UNSURE: Final[Seen[Phase]] = Seen(Phase.UNKNOWN, 0.0)


@dataclass(frozen=True, slots=True)
class TimelineSeen:
    """The timeline's cards, boxes in the frame."""

    living: tuple[CardSeen, ...] = ()  # In the order of play; none where none of them is at turn
    waiting: tuple[CardSeen, ...] = ()  # The living of a timeline on which none is at turn
    dead: tuple[CardSeen, ...] = ()
    is_alone: bool = False  # Whether cards are seen without AP and MP

    @property
    def count(self) -> Seen[int]:
        """How many fighters live."""
        return Seen(len(self.living), SURE) if self.living else UNREAD

    @property
    def own(self) -> tuple[CardSeen, ...]:
        """The cards of the player's side among the living."""
        return tuple(card for card in self.living if card.team != "enemy")

    @property
    def enemies(self) -> tuple[CardSeen, ...]:
        return tuple(card for card in self.living if card.team == "enemy")

    @property
    def boxes(self) -> tuple[Rect, ...]:
        """The places of all cards."""
        return tuple(card.box for card in (*(self.living or self.waiting), *self.dead))


NO_CARDS: Final = TimelineSeen()


@dataclass(frozen=True, slots=True)
class HudSeen:
    """The reading of the HUD; fields that were not read with confidence have no value.

    `many_spells` tells whether the spell bar shows more spells than a summon has. `places` are those of
    numbers that were read or should be there, and the end-turn button's.
    """

    phase: Seen[Phase] = UNSURE
    evidence: Mapping[PhaseEvidence, float] = field(default_factory=dict)
    turn: Seen[Turn] = UNREAD
    hp: Seen[int] = UNREAD
    max_hp: Seen[int] = UNREAD
    hp_share: Seen[int] = UNREAD
    shield: Seen[int] = UNREAD
    ap: Seen[int] = UNREAD
    mp: Seen[int] = UNREAD
    timer_s: Seen[int] = UNREAD
    turn_number: Seen[int] = UNREAD
    row: TimelineSeen = NO_CARDS
    spells: tuple[SpellSlot, ...] = ()
    places: Mapping[str, Rect] = field(default_factory=dict)
    many_spells: bool = False
    reason: str = ""

    @property
    def has_vitals(self) -> bool:
        """Whether life, AP or MP are read, which prove that a HUD is this client's."""
        return bool(self.hp or self.ap or self.mp)

    @property
    def life(self) -> float | None:
        """The player's HP as a share of the maximum (0..1), in whichever form the heart shows them."""
        hp, most, percent = self.hp.value, self.max_hp.value, self.hp_share.value
        if hp is not None and most:
            return hp / most
        return None if percent is None else percent / 100


@dataclass(frozen=True, slots=True)
class DofusBoardSeen:
    """The reading of a real client's board."""

    lattice: Seen[Lattice]  # Where its cells lie
    ambiguous: tuple[Lattice, ...]  # Other possible lattices, a cell away; none where the numbering is sure
    sides: Sides  # The fighters on it
    fight: float  # The confidence (0..1) that this is a fight
    cells: CellsSeen  # The kinds and highlights of the cells
    numbered: bool  # Whether the cells' ids are known, up to the lattices in `ambiguous`
    empty: npt.NDArray[np.bool_]  # Cells that show their floor, so that no fighter stands there, shape (560,)
    # Cells under a window, shape (560,)
    covered: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(CELLS, bool))
    # Cells on which the network is sure of a ring, where it was asked to explain itself
    likely: frozenset[int] = frozenset()
    # The probability of each ring on each cell, shape (560, rings), where they were asked for
    scores: npt.NDArray[np.float32] | None = None

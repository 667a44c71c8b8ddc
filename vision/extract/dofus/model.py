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
from vision.view import CELLS, CardSeen, Lattice, Phase, Seen, SpellSlot, Turn

UNREAD: Final[Seen[Any]] = Seen()
UNSURE: Final[Seen[Phase]] = Seen(Phase.UNKNOWN, 0.0)


@dataclass(frozen=True, slots=True)
class HudSeen:
    """The reading of the HUD; fields that were not read with confidence have no value.

    `timeline` and `waiting`, the cards of a timeline on which none plays, are those of the living, `dead`
    those of the dead. `cards` tells whether a timeline is seen without AP and MP; `many_spells` whether the
    spell bar shows more spells than a summon has. `places` are those of numbers that were read or should be
    there, and the end-turn button's.
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
    fighters_shown: Seen[int] = UNREAD
    timeline: tuple[CardSeen, ...] = ()
    waiting: tuple[CardSeen, ...] = ()
    dead: tuple[CardSeen, ...] = ()
    spells: tuple[SpellSlot, ...] = ()
    places: Mapping[str, Rect] = field(default_factory=dict)
    cards: bool = False
    many_spells: bool = False
    reason: str = ""

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

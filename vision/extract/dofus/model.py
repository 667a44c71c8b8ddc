"""What the HUD of a real client shows, and the part of a fight that only the board shows.

`vision.extract.dofus.reader` puts both into one `FightView`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from vision.extract.dofus.phase import PhaseSign
from vision.view import CardSeen, Phase, Seen, SpellSlot, Turn

UNREAD: Final[Seen[Any]] = Seen()
UNSURE: Final[Seen[Phase]] = Seen(Phase.UNKNOWN, 0.0)


@dataclass(frozen=True, slots=True)
class HudSeen:
    """What was read off the HUD; every field is withheld unless it was read for sure."""

    phase: Seen[Phase] = UNSURE
    signs: Mapping[PhaseSign, float] = field(default_factory=dict)
    turn: Seen[Turn] = UNREAD
    hp: Seen[int] = UNREAD
    max_hp: Seen[int] = UNREAD
    shield: Seen[int] = UNREAD
    ap: Seen[int] = UNREAD
    mp: Seen[int] = UNREAD
    timer_s: Seen[int] = UNREAD
    turn_number: Seen[int] = UNREAD
    fighters_shown: Seen[int] = UNREAD
    timeline: tuple[CardSeen, ...] = ()
    spells: tuple[SpellSlot, ...] = ()
    reason: str = ""

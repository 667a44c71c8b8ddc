"""What one picture shows of a fight, without anything assumed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from botapp.fight.state import FightState
from botapp.tracking.scenes import Telling
from vision.view import ChronicleLine, ToldChange


def was_cast(spell: str, caster: str, past: tuple[ChronicleLine, ...] | None) -> bool:
    """Tells whether a kind's cast of a spell may be one of some lines, True where there are none at all."""
    return past is None or any(
        not line.spells or (spell in line.spells and line.caster in (None, caster)) for line in past
    )


@dataclass(frozen=True, slots=True)
class Picture:
    """What one picture shows, without anything assumed.

    Attributes:
        state: the fight as one picture tells it; of others only team, kind and cell were seen.
        player: id of the player's own fighter, whose HP, AP and MP are exact.
        bars: by id, the share of HP that a bar shows, 0..1; fighters whose bar was not read are left out.
        glyphs: cells with a glyph, None where none could be seen.
        own_glyphs: those of them in the tone of the player's side.
        shield: the player's, None where it is not shown.
        shields: by id, the share of its maximum HP that a fighter's shield is worth; those not read left out.
        traps: cells with a trap of the player's side; `traps_seen` those that ever showed one.
        told: the casts that a log has told of since the last conclusion, None where there is no log.
        tellings: for each of these who was at turn and where as it was told, empty where that is not known.
        past: where the log was found but has told nothing new yet, the casts that stood in it; else None.
        changes: what the log has told of fighters since then.
        stood: by id, the cells where a fighter was seen to stand since the last conclusion.
        line: the ids of those alive in the order of play, empty where it is not seen.
        playing: id of who is at turn, None where it is not seen.
        usable: by the player's spell keys, whether the spell bar shows it as usable; those not read left out.
    """

    state: FightState
    player: int
    bars: Mapping[int, float]
    mine: bool
    glyphs: frozenset[int] | None = None
    shield: int | None = None
    usable: Mapping[str, bool] = field(default_factory=dict)
    shields: Mapping[int, float] = field(default_factory=dict)
    traps: frozenset[int] = frozenset()
    traps_seen: frozenset[int] = frozenset()
    told: tuple[ChronicleLine, ...] | None = None
    tellings: tuple[Telling, ...] = ()
    past: tuple[ChronicleLine, ...] | None = None
    changes: tuple[ToldChange, ...] = ()
    own_glyphs: frozenset[int] = frozenset()
    stood: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    line: tuple[int, ...] = ()
    playing: int | None = None

"""Play styles: how far from its enemies a fighter stands, and which kinds of casts it prefers.

A monster's content names one; for all other fighters the spells suggest it.
"""

from dataclasses import dataclass

from botapp.fight.core.acts import spell_use
from botapp.fight.core.spellbook import USE_HURTS
from botapp.fight.sheet import max_range
from botapp.fight.spells import EffectKind, Spell
from botapp.fight.state import Fighter


@dataclass(frozen=True, slots=True)
class PlayStyle:
    """How one kind of fighter likes to fight."""

    name: str  # What a monster's `manner` says in content files
    distance_wanted: int | None  # Steps from the nearest enemy; None for as far as its blows go
    # Whether it keeps away until it strikes: at the distance wanted, and its MP on top of it
    flees: bool = False
    # Weights of the gain of casts that hurt, help, call or move, in this order
    preferences: tuple[float, float, float, float] = (1.0, 0.65, 1.0, 1.0)


MELEE = PlayStyle("melee", 1)
RANGED = PlayStyle("ranged", None)
HEALER = PlayStyle("healer", 5, preferences=(0.8, 1.4, 1.0, 1.0))
SUMMONER = PlayStyle("summoner", 6, preferences=(0.9, 0.7, 1.8, 1.0))
PUSHER = PlayStyle("pusher", 1, preferences=(1.0, 0.65, 1.0, 1.6))
COWARD = PlayStyle("coward", None, flees=True)
BY_NAME = {play_style.name: play_style for play_style in (MELEE, RANGED, HEALER, SUMMONER, PUSHER, COWARD)}


CLOSE_BLOWS = 3  # How far blows go, in cells, of those who fight close up: a turn's walk of most fighters


def blow_range(fighter: Fighter) -> int:
    """Returns how far the middle one of the fighter's blows goes, in cells; 6 where it has none."""
    spans = sorted(max_range(fighter, spell) for spell in _known(fighter.spells).blows)
    return spans[len(spans) // 2] if spans else 6


def play_style_from_spells(fighter: Fighter) -> PlayStyle:
    """Returns the play style that the fighter's spells suggest, apart from its kind."""
    style = _known(fighter.spells).style
    if style is None:
        return RANGED if blow_range(fighter) > CLOSE_BLOWS else MELEE
    return style


@dataclass(frozen=True, slots=True)
class _Spells:
    """What a list of spells tells by itself: the blows, and the play style unless their range decides."""

    spells: tuple[Spell, ...]
    blows: tuple[Spell, ...]
    style: PlayStyle | None


_MOST_KNOWN = 4096
_spells: dict[int, _Spells] = {}
"""By the identity of the list, which is kept with it: comparing spells takes longer than looking them up."""


def _known(spells: tuple[Spell, ...]) -> _Spells:
    known = _spells.get(id(spells))
    if known is None or known.spells is not spells:
        if len(_spells) >= _MOST_KNOWN:
            _spells.clear()
        blows = tuple(spell for spell in spells if spell_use(spell) & USE_HURTS)
        known = _spells[id(spells)] = _Spells(spells, blows, _suggested(spells))
    return known


def _suggested(spells: tuple[Spell, ...]) -> PlayStyle | None:
    """Returns the play style that spells suggest at any range, None where that decides."""
    blows = heals = pushes = 0
    for spell in spells:
        kinds = [effect.kind for effect in spell.effects]
        if EffectKind.SUMMON in kinds:
            return SUMMONER
        blows += bool(spell_use(spell) & USE_HURTS)
        heals += EffectKind.HEAL in kinds and spell.max_range > 0
        pushes += EffectKind.PUSH in kinds
    if heals and heals >= blows:
        return HEALER
    return PUSHER if pushes > 1 else None

"""What follows from a fighter's sheet and buffs alone, wherever it stands."""

from botapp.fight.core import buffs, casting, damage
from botapp.fight.core.compiler import plain
from botapp.fight.spell_changes import changed_by
from botapp.fight.spells import Spell
from botapp.fight.state import Fighter

_filled_up = plain(buffs.filled_up)
_longest_range = plain(casting.longest_range)
_eroded_by = plain(damage.eroded_by)


def full_ap(fighter: Fighter) -> int:
    """Returns the AP that a turn of the fighter begins with, its buffs counted in."""
    return _filled_up(fighter.base_ap, _given(fighter, "ap"), buffs.MOST_AP)


def full_mp(fighter: Fighter) -> int:
    """Returns the MP that a turn of the fighter begins with, its buffs counted in."""
    return _filled_up(fighter.base_mp, _given(fighter, "mp"), buffs.MOST_MP)


def _given(fighter: Fighter, stat: str) -> int:
    return sum(buff.amount for buff in fighter.buffs if buff.stat == stat)


def as_changed(fighter: Fighter, spell: Spell) -> Spell:
    """Returns what a spell is in the states that this fighter is in."""
    changes = [change for change in spell.changes if fighter.has(change.state)]
    return changed_by(changes, spell) if changes else spell


def max_range(fighter: Fighter, spell: Spell) -> int:
    """Returns the spell's longest range in cells in this fighter's hands."""
    spell = as_changed(fighter, spell)
    if not spell.boostable_range:
        return spell.max_range
    return _longest_range(spell.min_range, spell.max_range, fighter.stats.range)


def eroded_by(fighter: Fighter, lost_hp: int) -> int:
    """Returns how much maximum HP goes with `lost_hp` HP of a fighter."""
    return _eroded_by(lost_hp, fighter.stats.erosion)

"""HP lost, and what dies with somebody: its summons, its marks and the buffs it gave to others."""

from botapp.fight.core.buffs import has_buffs, lose
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import eroded_by
from botapp.fight.core.fight import BUFF_BY, HP, MAX_HP, SHIELD, Fight, Fighter
from botapp.fight.core.kinds import INVULNERABLE
from botapp.fight.core.marks import remove_marks_of
from botapp.fight.core.state import put


@compiled
def hurt(fight: Fight, fighter: Fighter, dose: int) -> int:
    """Takes HP off a fighter, its shield first, and erodes its maximum; returns the HP lost."""
    hp = fighter.hp
    if hp <= 0 or dose <= 0 or (fighter.states >> INVULNERABLE) & 1:
        return 0
    absorbed = min(fighter.shield, dose)
    lost = min(dose - absorbed, hp)
    eroded = eroded_by(lost, fighter.erosion)
    put(fight, fighter, HP, hp - lost)
    put(fight, fighter, SHIELD, fighter.shield - absorbed)
    put(fight, fighter, MAX_HP, fighter.max_hp - eroded)
    fighter.eroded += eroded
    if lost == hp:
        bury(fight, fighter)
    return lost


@compiled
def kill(fight: Fight, fighter: Fighter) -> None:
    """Lets a living fighter die."""
    put(fight, fighter, HP, 0)
    put(fight, fighter, SHIELD, 0)
    bury(fight, fighter)


@compiled
def bury(fight: Fight, fighter: Fighter) -> None:
    """Takes away what dies with a fighter, with its summons what dies with them, the eldest first."""
    waiting = 1
    fight.queue[0] = fighter.number
    first = True
    while waiting > 0:
        waiting -= 1
        dead = fight.queue[waiting]
        at = fight.fighters[dead]
        if not first:
            if at.hp <= 0:
                continue
            put(fight, at, HP, 0)
            put(fight, at, SHIELD, 0)
        first = False
        if fight.mark_count:
            remove_marks_of(fight, dead)
        for number in range(fight.fighter_count - 1, -1, -1):
            other = fight.fighters[number]
            if other.summoner == dead and other.hp > 0:
                fight.queue[waiting] = number
                waiting += 1
        if fight.buff_count:
            for number in range(fight.fighter_count):
                other = fight.fighters[number]
                if other.hp > 0 and has_buffs(fight, other):
                    lose(fight, other, BUFF_BY, dead)

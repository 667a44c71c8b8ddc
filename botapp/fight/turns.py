"""The turns of a fight: how one ends, how the next one begins, and when the fight is over.

A turn ends with AP and MP filled up and casts forgotten. The next one begins with the end of its shield; then
what its fighter has given to others and laid on the ground gets a turn older; then the glyphs act in which it
stands. Next hop: `botapp.fight.rules`.
"""

from collections.abc import Iterable

from botapp.fight.buffs import full_ap, full_mp, without
from botapp.fight.draft import Draft
from botapp.fight.effects import begin_in
from botapp.fight.marks import aged
from botapp.fight.spells import Buff
from botapp.fight.state import Fighter

DRAW = -1


def victor(fighters: Iterable[Fighter]) -> int | None:
    """Returns the only team with someone alive, summons left out; None while both fight on, -1 for none."""
    standing = DRAW
    for fighter in fighters:
        if fighter.hp > 0 and fighter.summoner is None:
            if standing == DRAW:
                standing = fighter.team
            elif standing != fighter.team:
                return None
    return standing


def end(draft: Draft) -> None:
    """Ends the current turn and begins the next one."""
    actor = draft.fighters[draft.order[draft.current]]
    cooldowns = actor.cooldowns
    if cooldowns:
        cooldowns = tuple((key, turns - 1) for key, turns in cooldowns if turns > 1)
    draft.put(actor.changed(ap=full_ap(actor), mp=full_mp(actor), casts=(), cooldowns=cooldowns))
    pass_on(draft)


def pass_on(draft: Draft) -> None:
    """Begins the turn of the next fighter alive, until one survives its glyphs or the fight is over."""
    while True:
        draft.current += 1
        if draft.current == len(draft.order):
            draft.current = 0
            draft.turn += 1
        upcoming = draft.fighters[draft.order[draft.current]]
        if upcoming.hp > 0:
            begin(draft, upcoming)
            if draft.fighters[upcoming.id].hp > 0 or victor(draft.fighters.values()) is not None:
                return


def begin(draft: Draft, fighter: Fighter) -> None:
    """Begins a fighter's turn."""
    if fighter.shield:
        draft.put(fighter.changed(shield=0))
    for other in draft.fighters.values():
        if other.buffs and other.hp > 0 and any(buff.caster == fighter.id for buff in other.buffs):
            draft.put(_older(other, fighter.id))
    if draft.marks:
        draft.marks = aged(draft.marks, fighter.id)
        begin_in(draft, fighter.id)


def _older(fighter: Fighter, caster: int) -> Fighter:
    """Returns the fighter with the buffs of one caster a turn older, those without turns left ended."""
    kept, ended = [], []
    for buff in fighter.buffs:
        if buff.caster != caster or not buff.turns:
            kept.append(buff)
        elif buff.turns > 1:
            kept.append(Buff(buff.caster, buff.turns - 1, buff.stat, buff.amount, buff.state))
        else:
            ended.append(buff)
    return without(fighter, tuple(kept), tuple(ended))

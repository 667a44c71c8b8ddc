"""Summons: how many a fighter may have, and how one takes its place on the board and in the order of turns.

Next hop: `botapp.fight.effects` calls them.
"""

from botapp.fight.draft import Draft
from botapp.fight.spells import EffectKind, Spell, Summon
from botapp.fight.state import Fighter, FightState


def full_up(state: FightState, fighter: Fighter, spell: Spell) -> bool:
    """Tells whether the spell would call more summons than the fighter may have at once."""
    wanted = sum(effect.kind is EffectKind.SUMMON for effect in spell.effects)
    if not wanted:
        return False
    living = sum(other.summoner == fighter.id and other.hp > 0 for other in state.fighters)
    return living + wanted > fighter.stats.summons


def call(draft: Draft, summoner: Fighter, summon: Summon, cell: int) -> Fighter:
    """Puts a new fighter on a free cell; its turn comes after its summoner's and its elder siblings'."""
    fresh = Fighter(
        id=max(draft.fighters) + 1,
        name=summon.name,
        kind=summon.kind,
        team=summoner.team,
        cell=cell,
        level=summon.level,
        hp=summon.hp,
        max_hp=summon.hp,
        ap=summon.ap,
        mp=summon.mp,
        base_ap=summon.ap,
        base_mp=summon.mp,
        spells=summon.spells,
        stats=summon.stats,
        cooldowns=tuple((s.key, s.initial_cooldown) for s in summon.spells if s.initial_cooldown),
        summoner=summoner.id,
    )
    siblings = {fighter.id for fighter in draft.fighters.values() if fighter.summoner == summoner.id}
    place = draft.order.index(summoner.id) + 1
    while place < len(draft.order) and draft.order[place] in siblings:
        place += 1
    draft.order = (*draft.order[:place], fresh.id, *draft.order[place:])
    if place <= draft.current:
        draft.current += 1
    draft.put(fresh)
    return fresh

"""What each kind of effect does: to the fighters it reaches, or to the board itself."""

from botapp.fight.core import kinds
from botapp.fight.core.buffs import (
    NO_STATE,
    dispel,
    end_tagged,
    give_stat,
    give_state,
    has_state,
    has_waiting,
    lose,
    most_ap,
    most_mp,
    source_of,
    wait_for,
)
from botapp.fight.core.cells import distance, has_cell
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import (
    amount,
    expected_removed,
    faces,
    hurt,
    kill,
    mean_amount,
    removed,
)
from botapp.fight.core.fight import AP, BUFF_STATE, CELL, HP, MEANS, MP, SHIELD, TRAP, Fight, Fighter
from botapp.fight.core.marks import lay
from botapp.fight.core.push import mirror, move, swap
from botapp.fight.core.spellbook import Book, Effect, summon_at
from botapp.fight.core.state import occupant, put, rolled
from botapp.fight.core.summons import add_summon
from botapp.fight.core.triggers import PAYLOAD_OF, let_strike, miss_states, push_task, spring_under, wounded
from botapp.fight.core.zones import holds, pick_group

LIKE_A_SPELL = TRAP
"""How a payload is done that is no mark's: an effect with an area strikes all in it, as a trap's does."""
MOST_MARK_KINDS = 4
"""The `how` of a payload's task is the kind of mark, plus this times the group of its effects that
happens."""


@compiled
def on_the_board(effect: Effect) -> bool:
    """Tells whether an effect acts on the cell aimed at, with or without a fighter there."""
    kind = effect.kind
    return (
        kind == kinds.TELEPORT
        or kind == kinds.GLYPH
        or kind == kinds.TRAP
        or kind == kinds.SUMMON
        or kind == kinds.CAST_ON_CELL
    )


@compiled
def change_board(fight: Fight, book: Book, effect: Effect, caster: Fighter, origin: int, centre: int) -> None:
    """Does what an effect does to the cell aimed at; nothing once its caster is dead.

    Its conditions are asked of the caster.
    """
    mask = effect.mask
    if caster.hp <= 0 or (mask and not holds(fight, book, mask, caster, caster)):
        return
    kind = effect.kind
    if kind == kinds.GLYPH or kind == kinds.TRAP:
        lay(fight, book, effect, caster, origin, centre)
    elif kind == kinds.CAST_ON_CELL:
        _do_payload(fight, book, effect, caster, centre, occupant(fight, centre))
    elif has_cell(book.walkable, centre) and occupant(fight, centre) < 0:
        if kind == kinds.TELEPORT:
            put(fight, caster, CELL, centre)
            spring_under(fight, caster)
            if has_waiting(fight, caster):
                let_strike(fight, book, caster, kinds.ON_TELEPORTED, caster.number, 0, NO_STATE)
        elif effect.summon:
            number = add_summon(fight, book, caster, summon_at(book, effect.summon), centre)
            if number >= 0:
                spring_under(fight, fight.fighters[number])
                if has_waiting(fight, caster):
                    let_strike(fight, book, caster, kinds.ON_SUMMONS, number, 0, NO_STATE)


@compiled
def _do_payload(fight: Fight, book: Book, effect: Effect, by: Fighter, centre: int, victim: int) -> None:
    """Lets a fighter do an effect's payload around a cell, as if it cast a spell; `victim` may be -1."""
    payload = effect.payload
    if payload:
        picked = pick_group(fight, book, payload + 1, book.all[payload])
        how = LIKE_A_SPELL + MOST_MARK_KINDS * picked
        push_task(fight, PAYLOAD_OF, payload + 1, by.number, centre, victim, book.all[payload], how)


@compiled
def strike_or_wait(
    fight: Fight,
    book: Book,
    effect: Effect,
    caster: Fighter,
    centre: int,
    target: Fighter,
    steps: int,
    bonus: int,
    chance: int,
    critical: int,
) -> None:
    """Lets an effect strike a fighter `steps` from the centre, or wait on it for its trigger or its time."""
    if target.hp <= 0:
        return
    if effect.trigger or effect.delay:
        if caster.hp > 0:
            wait_for(
                fight,
                book,
                effect,
                caster,
                target,
                _dose(fight, effect, caster, target, 0, bonus, chance, critical),
            )
    else:
        strike(fight, book, effect, caster, centre, target, steps, bonus, chance, critical)


@compiled
def strike(
    fight: Fight,
    book: Book,
    effect: Effect,
    caster: Fighter,
    centre: int,
    target: Fighter,
    steps: int,
    bonus: int,
    chance: int,
    critical: int,
) -> None:
    """Does what an effect does to one fighter; buffs last while who gave them lives: the dead give none."""
    kind = effect.kind
    if kind == kinds.DAMAGE or kind == kinds.STEAL:
        dose = _dose(fight, effect, caster, target, steps, bonus, chance, critical)
        lost = hurt(fight, target, dose)
        if kind == kinds.STEAL and caster.hp > 0:
            put(fight, caster, HP, min(caster.max_hp, caster.hp + lost // 2))
        if lost and fight.buff_count:
            wounded(fight, book, caster, target, lost, _damage_events(effect, caster, target))
    elif kind == kinds.HEAL:
        dose = _dose(fight, effect, caster, target, steps, bonus, chance, critical)
        put(fight, target, HP, min(target.max_hp, target.hp + dose))
        if has_waiting(fight, target):
            let_strike(fight, book, target, kinds.ON_HEALED, caster.number, 0, NO_STATE)
    elif kind == kinds.SHIELD:
        dose = _dose(fight, effect, caster, target, steps, bonus, chance, critical)
        put(fight, target, SHIELD, target.shield + dose)
    elif (
        kind == kinds.PUSH
        or kind == kinds.PULL
        or kind == kinds.RETREAT
        or kind == kinds.ADVANCE
        or kind == kinds.SHOVE
    ):
        cells = _dose(fight, effect, caster, target, 0, bonus, chance, critical)
        move(fight, book, kind, caster, target, centre, cells)
    elif kind == kinds.BUFF or kind == kinds.STATE:
        if caster.hp > 0:
            _give(fight, book, effect, caster, target, bonus, chance, critical)
    elif kind == kinds.SWAP:
        swap(fight, book, caster, target)
    elif kind == kinds.MIRROR_CASTER:
        mirror(fight, book, caster, target.cell)
    elif kind == kinds.MIRROR_TARGET:
        mirror(fight, book, target, caster.cell)
    elif kind == kinds.MIRROR_AROUND:
        mirror(fight, book, target, centre)
    elif kind == kinds.DISPEL or kind == kinds.END_TAGGED or kind == kinds.END_STATE:
        _end(fight, book, effect, caster, target)
    elif kind == kinds.KILL:
        if not (target.states >> kinds.INVULNERABLE) & 1:
            lost = target.hp
            kill(fight, target)
            wounded(fight, book, caster, target, lost, 0)
    elif kind == kinds.CAST:
        _do_payload(fight, book, effect, caster, target.cell, target.number)
    elif kind == kinds.CAST_BY:
        _do_payload(fight, book, effect, target, target.cell, target.number)
    elif kind == kinds.GIVE_AP or kind == kinds.GIVE_MP:
        dose = _dose(fight, effect, caster, target, 0, bonus, chance, critical)
        if kind == kinds.GIVE_AP:
            put(fight, target, AP, max(target.ap, min(most_ap(target), target.ap + dose)))
        else:
            put(fight, target, MP, max(target.mp, min(most_mp(target), target.mp + dose)))
    elif not on_the_board(effect):
        _remove(fight, book, effect, caster, target, bonus, chance, critical)


@compiled
def _damage_events(effect: Effect, caster: Fighter, target: Fighter) -> int:
    """Returns what damage triggers: by its element, its distance and its source."""
    near = distance(caster.cell, target.cell) <= 1
    events = (
        kinds.ON_DAMAGE | (kinds.ON_NEUTRAL << effect.element) | (kinds.ON_MELEE if near else kinds.ON_RANGED)
    )
    return events | (kinds.ON_FROM_ALLY if caster.team == target.team else kinds.ON_FROM_ENEMY)


@compiled
def _end(fight: Fight, book: Book, effect: Effect, caster: Fighter, target: Fighter) -> None:
    """Ends what a fighter bears, as far as the effect goes, and lets happen what waits for that."""
    kind = effect.kind
    if kind == kinds.DISPEL and has_waiting(fight, target):
        let_strike(fight, book, target, kinds.ON_DISPELLED, caster.number, 0, NO_STATE)
    states, more = target.states, target.more_states
    if kind == kinds.DISPEL:
        dispel(fight, book, target, effect.low)
    elif kind == kinds.END_TAGGED:
        end_tagged(fight, book, target, effect.tag)
    else:
        lose(fight, target, BUFF_STATE, effect.state)
    miss_states(fight, book, target, states, more)


@compiled
def _dose(
    fight: Fight,
    effect: Effect,
    caster: Fighter,
    target: Fighter,
    steps: int,
    bonus: int,
    chance: int,
    critical: int,
) -> int:
    """Returns an effect's amount on one target, rolled or as its rounded mean."""
    if fight.dice == MEANS:
        return round(mean_amount(fight, effect, bonus, chance, caster, target, steps))
    low, high = faces(effect, bonus, critical, caster.luck)
    return amount(fight, effect, rolled(fight, low, high), caster, target, steps, critical)


@compiled
def _give(
    fight: Fight,
    book: Book,
    effect: Effect,
    caster: Fighter,
    target: Fighter,
    bonus: int,
    chance: int,
    critical: int,
) -> None:
    """Gives a state, or changes a stat where that makes a difference."""
    by, turns = caster.number, effect.turns
    source = source_of(book, effect)
    if effect.kind == kinds.STATE:
        state = effect.state
        had = has_state(target, state)
        give_state(fight, target, by, turns, state, source, 0)
        if not had and has_waiting(fight, target):
            let_strike(fight, book, target, kinds.ON_STATE_GAINED, by, 0, state)
        return
    dose = _dose(fight, effect, caster, target, 0, bonus, chance, critical)
    if dose:
        give_stat(fight, target, by, turns, effect.stat, dose, source, 0, effect.stacks)


@compiled
def _remove(
    fight: Fight,
    book: Book,
    effect: Effect,
    caster: Fighter,
    target: Fighter,
    bonus: int,
    chance: int,
    critical: int,
) -> None:
    """Takes AP or MP away, for the caster where it steals."""
    kind = effect.kind
    of_ap = kind == kinds.REMOVE_AP or kind == kinds.STEAL_AP
    left, base = (target.ap, target.base_ap) if of_ap else (target.mp, target.base_mp)
    if fight.dice == MEANS:
        tries = mean_amount(fight, effect, bonus, chance, caster, target, 0)
        gone = round(expected_removed(tries, caster, target, left, base))
    else:
        low, high = faces(effect, bonus, critical, caster.luck)
        gone = removed(fight, rolled(fight, low, high), caster, target, left, base)
    points = AP if of_ap else MP
    put(fight, target, points, left - gone)
    if (kind == kinds.STEAL_AP or kind == kinds.STEAL_MP) and caster.hp > 0:
        have, most = (caster.ap, most_ap(caster)) if of_ap else (caster.mp, most_mp(caster))
        put(fight, caster, points, max(have, min(most, have + gone)))
    if gone and has_waiting(fight, target):
        let_strike(
            fight, book, target, kinds.ON_AP_LOST if of_ap else kinds.ON_MP_LOST, caster.number, 0, NO_STATE
        )

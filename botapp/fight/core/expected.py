"""What a cast may be expected to do to each fighter, without dice and without changing the state.

Each effect is looked at by itself, from the state as it is; what traps on the way do is left out.
"""

from botapp.fight.core import kinds
from botapp.fight.core.buffs import most_ap, most_mp
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import expected_amount, expected_removed, mean_amount
from botapp.fight.core.fight import FULL_BUFFS, MOST_BUFFS, Fight, Fighter
from botapp.fight.core.push import plan_pull, plan_push
from botapp.fight.core.records import Decimals
from botapp.fight.core.spellbook import AT_ITSELF, Book, Effect, Spell, effect_at, nth_act
from botapp.fight.core.zones import meant, steps_in

(E_PLACE, E_DAMAGE, E_HEAL, E_SHIELD, E_AP, E_MP, E_AP_GAIN, E_MP_GAIN, E_MOVED, E_CELL, E_MARKS,
 E_SUMMONS) = range(12)  # fmt: skip
OUTCOME = 12
"""Numbers of one fighter: `E_PLACE` counts from 1 in the order they are reached in, 0 for who is not."""


@compiled
def expect(fight: Fight, book: Book, caster: Fighter, spell: Spell, centre: int, e: Decimals) -> None:
    """Writes to `e` and `fight.gifts` what a spell is expected to do when cast at a cell.

    Args:
        fight: the state.
        book: the book.
        caster: the fighter who casts.
        spell: the spell.
        centre: the cell aimed at.
        e: `OUTCOME` numbers for each fighter, in HP, AP, MP and cells.
    """
    for index in range(fight.fighter_count * OUTCOME):
        e[index] = 0.0
    for number in range(fight.fighter_count):
        e[number * OUTCOME + E_CELL] = -1.0
    fight.gift_count = 0
    reached = 0
    for index in range(spell.effect_count):
        effect = effect_at(book, book.all[spell.effects + index])
        kind = effect.kind
        own = caster.number * OUTCOME
        if effect.trigger and not effect.trigger & (kinds.ON_TURN_BEGIN | kinds.ON_TURN_END):
            continue
        if kind == kinds.GLYPH or kind == kinds.TRAP or kind == kinds.SUMMON or kind == kinds.TELEPORT:
            reached = _note(e, own, reached)
            if kind == kinds.SUMMON:
                e[own + E_SUMMONS] += 1
            elif kind == kinds.TELEPORT:
                e[own + E_CELL] = centre
            else:
                e[own + E_MARKS] += 1
            continue
        for number in range(fight.fighter_count):
            fighter = fight.fighters[number]
            steps = _reaches(fight, book, effect, caster, centre, fighter)
            if steps >= 0:
                reached = _note(e, number * OUTCOME, reached)
                mean = expected_amount(fight, spell, effect, caster, fighter, steps)
                _add(fight, effect, caster, fighter, mean, e)
                if _steals(kind, fighter):
                    reached = _note(e, own, reached)
                if kind == kinds.PUSH or kind == kinds.PULL:
                    reached = _move(fight, book, kind, caster, fighter, centre, round(mean), e, reached)
    _expect_casts(fight, book, caster, spell, centre, e, reached)


@compiled
def _expect_casts(
    fight: Fight, book: Book, caster: Fighter, spell: Spell, centre: int, e: Decimals, reached: int
) -> None:
    """Adds what the spells are expected to do that a spell casts on the fighters it reaches."""
    acts = spell.acts
    for index in range(book.all[acts]):
        act = nth_act(book, acts, index)
        root, area, effect = effect_at(book, act.root), act.area, effect_at(book, act.effect)
        if root.number == effect.number or act.percent == 0 or (area == 0 and act.side != AT_ITSELF):
            continue
        for number in range(fight.fighter_count):
            fighter = fight.fighters[number]
            steps = 0
            if area:
                steps = _reaches(fight, book, effect_at(book, area), caster, centre, fighter)
            elif fighter.number != caster.number:
                steps = -1
            by = fighter if root.kind == kinds.CAST_BY else caster
            if steps >= 0 and meant(fight, book, effect, by, fighter):
                reached = _note(e, number * OUTCOME, reached)
                mean = mean_amount(fight, effect, 0, 0, by, fighter, steps) * act.percent / 100
                _add(fight, effect, caster, fighter, mean, e)


@compiled
def _note(e: Decimals, at: int, reached: int) -> int:
    """Notes that a fighter is reached; returns how many have been."""
    if e[at + E_PLACE] == 0:
        e[at + E_PLACE] = reached + 1
        return reached + 1
    return reached


@compiled
def _steals(kind: int, fighter: Fighter) -> bool:
    """Tells whether an effect takes something from a fighter for its caster."""
    if kind == kinds.STEAL:
        return not (fighter.states >> kinds.INVULNERABLE) & 1
    return kind == kinds.STEAL_AP or kind == kinds.STEAL_MP


@compiled
def _reaches(fight: Fight, book: Book, effect: Effect, caster: Fighter, centre: int, fighter: Fighter) -> int:
    """Returns a fighter's steps from the centre where an effect reaches it, else -1."""
    if effect.affects == kinds.TO_CASTER:
        return 0 if fighter.number == caster.number and meant(fight, book, effect, caster, fighter) else -1
    if fighter.hp <= 0:
        return -1
    steps = steps_in(book, effect, caster.cell, centre, fighter.cell)
    return steps if steps >= 0 and meant(fight, book, effect, caster, fighter) else -1


@compiled
def _add(fight: Fight, effect: Effect, caster: Fighter, fighter: Fighter, mean: float, e: Decimals) -> None:
    """Adds what one effect is expected to do to one fighter, `mean` being its mean amount."""
    kind = effect.kind
    at, own = fighter.number * OUTCOME, caster.number * OUTCOME
    if kind == kinds.DAMAGE or kind == kinds.STEAL:
        if (fighter.states >> kinds.INVULNERABLE) & 1:
            return
        e[at + E_DAMAGE] += mean
        if kind == kinds.STEAL:
            taken = max(0.0, min(mean - fighter.shield, float(fighter.hp)))
            missing = float(caster.max_hp - caster.hp)
            e[own + E_HEAL] = min(e[own + E_HEAL] + taken / 2, missing)
    elif kind == kinds.HEAL:
        e[at + E_HEAL] = min(e[at + E_HEAL] + mean, float(fighter.max_hp - fighter.hp))
    elif kind == kinds.SHIELD:
        e[at + E_SHIELD] += mean
    elif kind == kinds.REMOVE_AP or kind == kinds.STEAL_AP:
        gone = expected_removed(mean, caster, fighter, fighter.ap, fighter.base_ap)
        e[at + E_AP] += gone
        if kind == kinds.STEAL_AP:
            e[own + E_AP_GAIN] += max(0.0, min(gone, float(most_ap(caster) - caster.ap)))
    elif kind == kinds.REMOVE_MP or kind == kinds.STEAL_MP:
        gone = expected_removed(mean, caster, fighter, fighter.mp, fighter.base_mp)
        e[at + E_MP] += gone
        if kind == kinds.STEAL_MP:
            e[own + E_MP_GAIN] += max(0.0, min(gone, float(most_mp(caster) - caster.mp)))
    elif kind == kinds.BUFF:
        _give(fight, fighter, effect.turns, effect.stat, round(mean), -1)
    elif kind == kinds.STATE:
        _give(fight, fighter, effect.turns, -1, 0, effect.state)


@compiled
def _give(fight: Fight, fighter: Fighter, turns: int, stat: int, amount: int, state: int) -> None:
    """Adds a buff or a state to the list of what is given."""
    if fight.gift_count >= MOST_BUFFS:
        fight.fault = FULL_BUFFS
        return
    gift = fight.gifts[fight.gift_count]
    gift.on, gift.turns, gift.stat = fighter.number, turns, stat
    gift.amount, gift.state = amount, state
    fight.gift_count += 1


@compiled
def _move(
    fight: Fight,
    book: Book,
    kind: int,
    caster: Fighter,
    fighter: Fighter,
    centre: int,
    cells: int,
    e: Decimals,
    reached: int,
) -> int:
    """Adds where a push or a pull takes a fighter, and what it hurts; returns how many are reached."""
    if kind == kinds.PUSH:
        plan_push(fight, book, caster, fighter, centre, cells)
    else:
        plan_pull(fight, book, caster, fighter, centre, cells)
    at = fighter.number * OUTCOME
    if fight.way.length:
        e[at + E_MOVED] += fight.way.length
        e[at + E_CELL] = fight.way.cells[fight.way.length - 1]
    for hit in range(fight.hit_count):
        struck = fight.hits[hit].number
        if not (fight.fighters[struck].states >> kinds.INVULNERABLE) & 1:
            reached = _note(e, struck * OUTCOME, reached)
            e[struck * OUTCOME + E_DAMAGE] += fight.hits[hit].hp
    return reached

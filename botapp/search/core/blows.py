"""Blows: the damage of spells in a fighter's hands, the best turn of them, how far they go and from where.

What the map leaves open is taken into account, other fighters in the way are not.
"""

from botapp.fight.core import kinds
from botapp.fight.core.casting import max_range, spell_count, spell_of
from botapp.fight.core.cells import add_cell, clear_set, distance, ring_row, row_of, spread_once, u_of
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import crit_chance, is_near, mean_amount
from botapp.fight.core.fight import FIGHTER_WORDS, SET, Fight, Fighter
from botapp.fight.core.records import place_in
from botapp.fight.core.sight import seen_from
from botapp.fight.core.spellbook import (
    AT_FOES,
    IN_LINE,
    NEEDS_SIGHT,
    NEEDS_TAKEN,
    ON_DIAGONAL,
    USE_HURTS,
    Act,
    Book,
    Spell,
    effect_at,
    nth_act,
)
from botapp.search.core.evaluation import (
    DAMAGE_SLOTS,
    MOST_AP_COUNTED,
    POWER_SLOTS,
    RADIUS_SLOTS,
    STRIKE_SLOTS,
    WALK_SLOTS,
    Evaluation,
    KnownWalk,
    in_its_states,
    is_in,
    mixed,
    resting,
    sheet_tag,
)

_UNLIMITED = 12
_FAR_FROM_UPPER = 559
"""The last cell: out of melee from the upper half of the board, as cell 0 is from the lower."""
_HEALED = 0.6


@compiled
def times_a_turn(spell: Spell) -> int:
    """Returns how often a spell can be cast at one target in a turn."""
    if spell.cooldown:
        return 1
    times = _UNLIMITED
    if spell.casts_per_turn:
        times = spell.casts_per_turn
    if spell.casts_per_target and (not spell.casts_per_turn or spell.casts_per_target < times):
        times = spell.casts_per_target
    return times


@compiled
def damage(fight: Fight, book: Book, caster: Fighter, spell: Spell, target: Fighter) -> float:
    """Returns the mean damage of one cast at the target, collisions and marks left out."""
    total, acts = 0.0, spell.acts
    for index in range(book.all[acts]):
        act = nth_act(book, acts, index)
        kind = effect_at(book, act.effect).kind
        if (kind == kinds.DAMAGE or kind == kinds.STEAL) and act.side == AT_FOES:
            total += _mean(fight, book, caster, spell, act, target)
    return total


@compiled
def _mean(fight: Fight, book: Book, caster: Fighter, spell: Spell, act: Act, target: Fighter) -> float:
    """Returns the mean amount of one of a spell's acts; the spells that it casts have no critical hits."""
    if act.percent == 0 or act.asks:
        return 0.0
    bonus, chance = 0, 0
    if act.effect == act.root:
        bonus, chance = spell.crit_bonus, crit_chance(caster, spell)
    mean = mean_amount(fight, effect_at(book, act.effect), bonus, chance, caster, target, 0)
    return mean if act.percent == 100 else mean * act.percent / 100


@compiled
def known_damage(
    fight: Fight, book: Book, evaluation: Evaluation, caster: Fighter, spell: Spell, target: Fighter
) -> float:
    """Returns what `damage` does; the tags of both sheets are known."""
    how = place_in(book, spell) << 2 | is_near(caster, target) << 1 | (target.player != 0)
    who = mixed(evaluation.stat_tags[target.number], how)
    tag = mixed(who, evaluation.stat_tags[caster.number])
    known = evaluation.damages[tag % DAMAGE_SLOTS]
    if known.tag != tag:
        known.value = damage(fight, book, caster, spell, target)
        known.tag = tag
    return known.value


@compiled
def volley(evaluation: Evaluation, count: int, ap: int) -> float:
    """Returns the most damage that `ap` action points buy of the first `count` options."""
    best = evaluation.best
    ap = max(ap, 0)
    ap = min(ap, MOST_AP_COUNTED)
    for spent in range(ap + 1):
        best[spent] = 0.0
    for index in range(count):
        option = evaluation.options[index]
        dealt, cost, times = option.damage, option.cost, option.times
        most = ap // max(1, cost)
        if cost > 0 and times >= most:
            for spent in range(cost, ap + 1):
                best[spent] = max(best[spent], best[spent - cost] + dealt)
        else:
            for _ in range(min(times, most)):
                for spent in range(ap, cost - 1, -1):
                    best[spent] = max(best[spent], best[spent - cost] + dealt)
    return best[ap]


@compiled
def add_option(evaluation: Evaluation, count: int, dealt: float, spell: Spell, times: int) -> int:
    """Writes down an option behind the first `count`; returns how many there are then."""
    option = evaluation.options[count]
    option.damage, option.cost, option.times = dealt, spell.ap, times
    return count + 1


@compiled
def _healing(fight: Fight, book: Book, fighter: Fighter, spell: Spell) -> float:
    total, acts = 0.0, spell.acts
    for index in range(book.all[acts]):
        act = nth_act(book, acts, index)
        if effect_at(book, act.effect).kind == kinds.HEAL:
            total += _HEALED * _mean(fight, book, fighter, spell, act, fight.plain)
    return total


@compiled
def power(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter) -> float:
    """Returns the damage of the fighter's best turn on a fighter without resistances, in HP.

    Heals count for what they give back.
    """
    means = (fighter.spells << 8) ^ fighter.base_ap
    tag = in_its_states(mixed(sheet_tag(fight, book, fighter), means), fighter)
    known = evaluation.powers[tag % POWER_SLOTS]
    if known.tag != tag:
        for field in range(FIGHTER_WORDS):
            fight.plain.all[field] = 0
        fight.plain.cell = _FAR_FROM_UPPER if fighter.cell < _FAR_FROM_UPPER // 2 else 0
        count = 0
        for slot in range(spell_count(book, fighter)):
            spell = spell_of(book, fighter, slot)
            does = damage(fight, book, fighter, spell, fight.plain) + _healing(fight, book, fighter, spell)
            if does > 0:
                count = add_option(evaluation, count, does, spell, times_a_turn(spell))
        known.value = volley(evaluation, count, fighter.base_ap)
        known.tag = tag
    return known.value


_ROW = (1 << 14) - 1


@compiled
def hurts(spell: Spell) -> bool:
    """Tells whether a spell takes HP."""
    return bool(spell.use & USE_HURTS)


@compiled
def radius(book: Book, evaluation: Evaluation, spell: Spell) -> int:
    """Returns how far the areas go in which a spell's enemies are to stand."""
    place = place_in(book, spell)
    known = evaluation.radii[place % RADIUS_SLOTS]
    if known.spell != place:
        most, acts = 0, spell.acts
        for index in range(book.all[acts]):
            act = nth_act(book, acts, index)
            if act.area and act.side == AT_FOES:
                area = effect_at(book, act.area)
                if area.shape != kinds.POINT and area.radius > most:
                    most = area.radius
        known.radius = most
        known.spell = place
    return known.radius


@compiled
def nearest(book: Book, evaluation: Evaluation, spell: Spell) -> int:
    """Returns from how many cells away, at the least, a blow reaches a fighter."""
    near: int = max(0, spell.min_range - radius(book, evaluation, spell))
    return near


@compiled
def farthest(book: Book, evaluation: Evaluation, fighter: Fighter, spell: Spell) -> int:
    """Returns from how many cells away, at the most, a fighter's blow reaches a fighter."""
    return max_range(fighter, spell) + radius(book, evaluation, spell)


@compiled
def origins_in_row(book: Book, row: int, cell: int, low: int, high: int, flags: int) -> int:
    """Returns the 14 bits of a row's cells from which a blow reaches a cell.

    Args:
        book: the book.
        row: the row.
        cell: the cell to reach.
        low, high: from how far away.
        flags: of the spell.
    """
    straight, diagonal = flags & IN_LINE != 0, flags & ON_DIAGONAL != 0
    bits = ring_row(row, row_of(cell), u_of(cell), low, high, straight, diagonal)
    if bits and flags & NEEDS_SIGHT:
        bits &= seen_from(book, cell).bits[row // 2] >> 14 * (row % 2)
    return bits & _ROW


@compiled
def walks(fight: Fight, book: Book, evaluation: Evaluation, cell: int, steps: int) -> KnownWalk:
    """Returns the set of cells that so many steps lead to, no fighter in the way."""
    tag = steps << 10 | cell | 1 << 30
    walk = evaluation.walks[mixed(0, tag) % WALK_SLOTS]
    if walk.tag != tag:
        first = fight.sets.first
        clear_set(first)
        add_cell(first, cell)
        left = steps
        while left > 0 and spread_once(first, book.walkable):
            left -= 1
        for word in range(SET):
            walk.bits[word] = first.bits[word]
        walk.tag = tag
    return walk


@compiled
def _in_reach(
    book: Book, evaluation: Evaluation, foe: Fighter, spell: Spell, cell: int, walk: KnownWalk
) -> bool:
    """Tells whether an enemy's blow reaches a cell from one of those that it can walk to."""
    low, high = nearest(book, evaluation, spell), farthest(book, evaluation, foe, spell)
    if distance(foe.cell, cell) > high + foe.mp:
        return False
    row, start = row_of(cell), row_of(foe.cell)
    first = max(row - high, start - foe.mp, 0)
    last = min(row + high, start + foe.mp, 39)
    for here in range(first, last + 1):
        walked = (walk.bits[here // 2] >> (14 * (here % 2))) & _ROW
        if walked and walked & origins_in_row(book, here, cell, low, high, spell.flags):
            return True
    return False


@compiled
def known_strike(fight: Fight, book: Book, evaluation: Evaluation, foe: Fighter, target: Fighter) -> float:
    """Returns the damage of an enemy's best turn at one target, walking included; both tags are known."""
    tag = mixed(int(evaluation.striker_tags[foe.number]), int(evaluation.target_tags[target.number]))
    known = evaluation.known_strikes[tag % STRIKE_SLOTS]
    if known.tag != tag:
        known.value = _strike(fight, book, evaluation, foe, target)
        known.tag = tag
    return known.value


@compiled
def _strike(fight: Fight, book: Book, evaluation: Evaluation, foe: Fighter, target: Fighter) -> float:
    if is_in(target, kinds.INVULNERABLE):
        return 0.0
    hidden = is_in(target, kinds.INVISIBLE)
    closed = resting(book, foe, 0)
    reach = walks(fight, book, evaluation, foe.cell, foe.mp)
    spells, count = foe.spells, 0
    for slot in range(book.all[spells]):
        spell = spell_of(book, foe, slot)
        open_to = hurts(spell) and not (closed >> slot) & 1
        if hidden and spell.flags & NEEDS_TAKEN:
            open_to = False
        if open_to and _in_reach(book, evaluation, foe, spell, target.cell, reach):
            dealt = known_damage(fight, book, evaluation, foe, spell, target)
            count = add_option(evaluation, count, dealt, spell, times_a_turn(spell))
    return volley(evaluation, count, foe.ap)

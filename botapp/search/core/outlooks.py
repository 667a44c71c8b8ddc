"""The outlook: the damage that a fighter may hope to do to the enemies in its next turn from where it stands.

For each enemy there is a plan: the blows, what all together do, and for each cell of the board which
of the blows are within a turn's walk, as bits, and beyond them the steps to the nearest place to strike from.
"""

from botapp.fight.core.casting import spell_count, spell_of
from botapp.fight.core.cells import clear_set, copy_set, join, keep_common, lowest_bit, row_of, spread_once
from botapp.fight.core.compiler import compiled
from botapp.fight.core.damage import is_near
from botapp.fight.core.fight import MOST_SPELLS, SET, CellSet, Fight, Fighter
from botapp.fight.core.spellbook import Book
from botapp.search.core.blows import (
    add_option,
    farthest,
    hurts,
    known_damage,
    nearest,
    origins_in_row,
    times_a_turn,
    volley,
)
from botapp.search.core.evaluation import (
    OUTLOOK_SLOTS,
    PLAN_SLOTS,
    Evaluation,
    Option,
    Plan,
    in_its_states,
    mixed,
    resting,
)

_LATER = 0.8
_FAR = 560
"""Steps to where no way leads."""
_STEPS = 1 << MOST_SPELLS
"""The weight of a step in what a plan says of a cell."""


@compiled
def copy_option(option: Option, other: Option) -> None:
    """Makes an option another one."""
    option.damage, option.cost, option.times = other.damage, other.cost, other.times


@compiled
def outlook_of(fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter) -> float:
    """Returns what `botapp.search.core.heuristic.outlook` does; the tags of the fighters are known."""
    waiting = resting(book, fighter, 1)
    whose = mixed(int(evaluation.stat_tags[fighter.number]), fighter.spells)
    whose = mixed(mixed(whose, waiting), (fighter.base_ap << 10) | fighter.base_mp)
    whose = in_its_states(whose, fighter)
    best = 0.0
    for number in range(fight.fighter_count):
        foe = fight.fighters[number]
        if foe.hp > 0 and foe.team != evaluation.side:
            best = max(
                best,
                _outlook(
                    fight,
                    book,
                    evaluation,
                    fighter,
                    foe,
                    waiting,
                    mixed(whose ^ is_near(fighter, foe), int(evaluation.target_tags[number])),
                ),
            )
    return best


@compiled
def _outlook(
    fight: Fight, book: Book, evaluation: Evaluation, fighter: Fighter, foe: Fighter, waiting: int, both: int
) -> float:
    """Returns the outlook on one enemy; `both` is the tag of all that the plan depends on."""
    tag = mixed(both, fighter.cell)
    known = evaluation.outlooks[tag % OUTLOOK_SLOTS]
    if known.tag != tag:
        plan = evaluation.plans[both % PLAN_SLOTS]
        if plan.tag != both:
            _make_plan(fight, book, evaluation, plan, fighter, foe, waiting)
            plan.tag = both
        known.value = _from_here(evaluation, plan, fighter)
        known.tag = tag
    return known.value


@compiled
def _from_here(evaluation: Evaluation, plan: Plan, fighter: Fighter) -> float:
    """Returns the outlook by a plan from where the fighter stands."""
    if plan.blows == 0:
        return 0.0
    here = plan.cells[fighter.cell]
    most, steps, count = fighter.base_mp, here // _STEPS, 0
    for blow in range(plan.blows):
        if (here >> blow) & 1:
            copy_option(evaluation.options[count], plan.options[blow])
            count += 1
    later = _LATER * plan.whole * most / max(1, most + steps)
    return max(volley(evaluation, count, fighter.base_ap), later)


@compiled
def _make_plan(
    fight: Fight, book: Book, evaluation: Evaluation, plan: Plan, fighter: Fighter, foe: Fighter, waiting: int
) -> None:
    """Writes down the blows that a fighter may strike at an enemy next turn."""
    first, second = fight.sets.first, fight.sets.second
    for cell in range(560):
        plan.cells[cell] = 0
    clear_set(second)
    count = 0
    for slot in range(spell_count(book, fighter)):
        spell = spell_of(book, fighter, slot)
        if hurts(spell) and not (waiting >> slot) & 1:
            low, high = nearest(book, evaluation, spell), farthest(book, evaluation, fighter, spell)
            _origins_into(book, first, foe.cell, low, high, spell.flags)
            join(second, first)
            left = fighter.base_mp
            while left > 0 and spread_once(first, book.walkable):
                left -= 1
            _add_to_cells(plan, first, 1 << count)
            dealt = known_damage(fight, book, evaluation, fighter, spell, foe)
            count = add_option(evaluation, count, dealt, spell, times_a_turn(spell))
    for blow in range(count):
        copy_option(plan.options[blow], evaluation.options[blow])
    plan.whole = volley(evaluation, count, fighter.base_ap)
    plan.blows = count
    _count_steps(fight, book, plan)


@compiled
def _origins_into(book: Book, cells: CellSet, cell: int, low: int, high: int, flags: int) -> None:
    """Makes a set the walkable cells from which a blow reaches a cell."""
    clear_set(cells)
    row = row_of(cell)
    for here in range(max(row - high, 0), min(row + high, 39) + 1):
        cells.bits[here // 2] |= origins_in_row(book, here, cell, low, high, flags) << (14 * (here % 2))
    keep_common(cells, book.walkable)


@compiled
def _add_to_cells(plan: Plan, cells: CellSet, number: int) -> None:
    """Adds a number to the plan's cells that are in a set."""
    for word in range(SET):
        bits = cells.bits[word]
        while bits:
            plan.cells[28 * word + lowest_bit(bits)] += number
            bits &= bits - 1


@compiled
def _count_steps(fight: Fight, book: Book, plan: Plan) -> None:
    """Adds the steps from each cell to the nearest one of the second set."""
    second, third = fight.sets.second, fight.sets.third
    steps = 0
    clear_set(third)
    grown = True
    while grown:
        for word in range(SET):
            third.bits[word] = second.bits[word] & ~third.bits[word]
        _add_to_cells(plan, third, steps * _STEPS)
        copy_set(third, second)
        grown = spread_once(second, book.walkable)
        steps += 1
    for word in range(SET):
        third.bits[word] = ~second.bits[word] & _EVERY_CELL
    _add_to_cells(plan, third, _FAR * _STEPS)


_EVERY_CELL = (1 << 28) - 1

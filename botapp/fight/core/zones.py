"""Zones and masks: the cells that an effect covers, the steps of its fall-off, and the fighters reached.

A line, a T, a cone, a half circle and a line from the caster look away from the caster, along the axis on
which target and caster are further apart. Steps count along the grid; in a square along its longer side, on
diagonals from cell to cell, in a cone ahead.

Then which fighters in there an effect reaches, by side and by the further conditions of its mask, and whether
chance lets it happen. The conditions of a mask are clauses that must all hold; of a clause's atoms one
must. Each atom is a code and a number. Of the random groups of a spell's effects one happens.
"""

from botapp.fight.core import kinds
from botapp.fight.core.buffs import has_state
from botapp.fight.core.cells import add_cell, clear_set, distance, ring_into, sign, x_between, y_between
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MEANS, CellSet, Fight, Fighter
from botapp.fight.core.spellbook import Book, Effect, effect_at
from botapp.fight.core.state import draw
from botapp.fight.core.summons import living_summons

OUTSIDE = -1


@compiled
def in_shape(shape: int, size: int, inner: int, origin: int, centre: int, cell: int) -> int:
    """Returns the steps that a cell's fall-off counts, `OUTSIDE` where the shape does not cover the cell.

    They count from the shape's innermost cells: a ring does not fall off. Source: `GetAoeMalus` of the
    client's own calculator, as in docs/rules.md.

    Args:
        shape: one of the shapes, listed cells left out.
        size: how far it goes, in cells.
        inner: cells nearer to the centre than that are left out.
        origin: where the caster stands.
        centre: the cell aimed at.
        cell: the cell asked for.
    """
    steps = _from_centre(shape, size, inner, origin, centre, cell)
    return steps if steps < 0 else max(0, steps - (size if shape == kinds.RING else inner))


@compiled
def _from_centre(shape: int, size: int, inner: int, origin: int, centre: int, cell: int) -> int:
    """Returns the steps of a cell from the centre of a shape, `OUTSIDE` where the shape does not cover it."""
    if shape == kinds.POINT:
        return 0 if cell == centre else OUTSIDE
    if shape == kinds.EVERYWHERE:
        return 0
    far = distance(centre, cell)
    if shape == kinds.CIRCLE:
        return far if inner <= far <= size else OUTSIDE
    if shape == kinds.RING:
        return far if far == size else OUTSIDE
    dx, dy = x_between(centre, cell), y_between(centre, cell)
    along_x, along_y = abs(dx), abs(dy)
    larger = max(along_x, along_y)
    if shape == kinds.CROSS:
        return far if (dx == 0 or dy == 0) and inner <= far <= size else OUTSIDE
    if shape == kinds.SQUARE:
        return larger if inner <= larger <= size else OUTSIDE
    if shape == kinds.DIAGONAL:
        return larger if along_x == along_y and inner <= larger <= size else OUTSIDE
    if shape == kinds.STAR:
        straight = dx == 0 or dy == 0 or along_x == along_y
        return far if straight and inner <= larger <= size else OUTSIDE
    way_x, way_y = x_between(origin, centre), y_between(origin, centre)
    if shape == kinds.ACROSS_DIAGONAL:
        if abs(way_x) == abs(way_y) and dx * way_x + dy * way_y != 0:
            return OUTSIDE
        return larger if along_x == along_y and inner <= larger <= size else OUTSIDE
    if abs(way_x) >= abs(way_y):
        way_x, way_y = sign(way_x), 0
    else:
        way_x, way_y = 0, sign(way_y)
    if shape == kinds.LINE_FROM_CASTER or shape == kinds.LINE_TO_TARGET:
        ahead, aside = _turned(way_x, way_y, x_between(origin, cell), y_between(origin, cell))
        last = min(size, distance(origin, centre)) if shape == kinds.LINE_TO_TARGET else size
        return far if aside == 0 and max(1, inner) <= ahead <= last else OUTSIDE
    if cell == centre:
        return 0 if inner == 0 else OUTSIDE
    if way_x == 0 and way_y == 0:
        return OUTSIDE
    ahead, aside = _turned(way_x, way_y, dx, dy)
    beside = abs(aside)
    if shape == kinds.LINE:
        return ahead if aside == 0 and max(1, inner) <= ahead <= size else OUTSIDE
    if shape == kinds.T:
        return beside if ahead == 0 and inner <= beside <= size else OUTSIDE
    if shape == kinds.CONE:
        return ahead if max(1, inner) <= ahead <= size and beside <= ahead else OUTSIDE
    if shape == kinds.HALF_CIRCLE:
        return beside if -ahead == beside and inner <= beside <= size else OUTSIDE
    return OUTSIDE


@compiled
def _turned(way_x: int, way_y: int, dx: int, dy: int) -> tuple[int, int]:
    """Returns how far (dx, dy) lies ahead along a way, and how far to its side."""
    return dx * way_x + dy * way_y, dx * way_y + dy * way_x


@compiled
def steps_in(book: Book, effect: Effect, origin: int, centre: int, cell: int) -> int:
    """Returns the steps of a cell in an effect's area, `OUTSIDE` where it is not in it; see `in_shape`."""
    if effect.shape == kinds.LISTED:
        listed = effect.cells
        dx, dy = x_between(centre, cell), y_between(centre, cell)
        for entry in range(book.all[listed]):
            if book.all[listed + 1 + 2 * entry] == dx and book.all[listed + 2 + 2 * entry] == dy:
                return 0
        return OUTSIDE
    return in_shape(effect.shape, effect.radius, effect.inner, origin, centre, cell)


@compiled
def zone_into(book: Book, effect: Effect, origin: int, centre: int, cells: CellSet) -> None:
    """Makes a set the cells of an effect's area."""
    shape, radius, inner = effect.shape, effect.radius, effect.inner
    if shape == kinds.CIRCLE or shape == kinds.CROSS or shape == kinds.RING:
        ring_into(
            cells, centre, radius if shape == kinds.RING else inner, radius, shape == kinds.CROSS, False
        )
        return
    clear_set(cells)
    if shape == kinds.POINT:
        add_cell(cells, centre)
        return
    for cell in range(560):
        if steps_in(book, effect, origin, centre, cell) >= 0:
            add_cell(cells, cell)


@compiled
def meant(fight: Fight, book: Book, effect: Effect, caster: Fighter, fighter: Fighter) -> bool:
    """Tells whether an effect of the caster's is for a fighter, wherever that stands."""
    if not _of_its_side(fight, effect, caster, fighter):
        return False
    mask = effect.mask
    return mask == 0 or holds(fight, book, mask, caster, fighter)


@compiled
def _of_its_side(fight: Fight, effect: Effect, caster: Fighter, fighter: Fighter) -> bool:
    affects = effect.affects
    friend = fighter.team == caster.team
    if affects == kinds.TO_DEFAULT:
        return friend if effect.helpful else fighter.number != caster.number
    if affects == kinds.TO_ENEMIES:
        return not friend
    if affects == kinds.TO_TEAM:
        return friend
    if affects == kinds.TO_ALLIES:
        return friend and fighter.number != caster.number
    if affects == kinds.TO_OTHERS:
        return fighter.number != caster.number
    if affects == kinds.TO_CAUSE:
        return fight.cause == fighter.number
    return affects == kinds.TO_ALL or fighter.number == caster.number


@compiled
def holds(fight: Fight, book: Book, mask: int, caster: Fighter, fighter: Fighter) -> bool:
    """Tells whether all clauses of the conditions at `mask` in the book hold for a fighter."""
    at = mask + 1
    for _ in range(book.all[mask]):
        atoms = book.all[at]
        inside = False
        for atom in range(at + 1, at + 1 + 2 * atoms, 2):
            code = book.all[atom]
            asked = caster if code & kinds.OF_CASTER else fighter
            if _is_so(fight, code % kinds.OF_CASTER, book.all[atom + 1], caster, asked) == (
                code & kinds.UNLESS == 0
            ):
                inside = True
        if not inside:
            return False
        at += 1 + 2 * atoms
    return True


@compiled
def is_for_called(book: Book, effect: Effect) -> bool:
    """Tells whether an effect's mask asks for fighters called by the same cast."""
    mask = effect.mask
    if mask:
        at = mask + 1
        for _ in range(book.all[mask]):
            if book.all[at] == 1 and book.all[at + 1] == kinds.IF_CALLED:
                return True
            at += 1 + 2 * book.all[at]
    return False


@compiled
def _is_so(fight: Fight, code: int, number: int, caster: Fighter, fighter: Fighter) -> bool:
    if code == kinds.IF_STATE:
        return has_state(fighter, number)
    if code == kinds.IF_KIND:
        return fighter.species == number
    if code == kinds.IF_HP_BELOW:
        return 100 * fighter.hp < number * fighter.max_hp
    if code == kinds.IF_SUMMON:
        return fighter.summoner >= 0
    if code == kinds.IF_OWN_SUMMON:
        return fighter.summoner == caster.number
    if code == kinds.IF_SUMMONER:
        return caster.summoner == fighter.number
    if code == kinds.IF_FAMILY:
        return _head_of_family(fighter) == _head_of_family(caster)
    if code == kinds.IF_PLAYER:
        return fighter.player != 0
    if code == kinds.IF_ALLY:
        return fighter.team == caster.team
    if code == kinds.IF_CASTER:
        return fighter.number == caster.number
    if code == kinds.IF_SHIELDED:
        return fighter.shield > 0
    if code == kinds.IF_FULL_OF_SUMMONS:
        return living_summons(fight, fighter) >= fighter.summons
    if code == kinds.IF_CALLED:
        return fighter.number >= fight.stood_count
    return code == kinds.IF_AMONG and (number >> _who(caster, fighter)) & 1 != 0


@compiled
def _head_of_family(fighter: Fighter) -> int:
    """Returns the number of a fighter's summoner, its own where it has none."""
    return fighter.summoner if fighter.summoner >= 0 else fighter.number


@compiled
def _who(caster: Fighter, fighter: Fighter) -> int:
    """Returns what a fighter is to the caster, as a number in the order of `Who`."""
    if fighter.number == caster.number:
        return 0
    if fighter.summoner >= 0:
        nature = 4 if fighter.base_ap == 0 and fighter.base_mp == 0 else 3
    else:
        nature = 1 if fighter.player else 2
    return nature if fighter.team == caster.team else nature + 4


@compiled
def takes_place(fight: Fight, effect: Effect, picked: int) -> bool:
    """Tells whether an effect happens, being in the group picked or as its own chance will have it.

    On means what is likelier happens.
    """
    group, percent = effect.group, effect.chance
    if group:
        return group == picked
    if percent == 0:
        return True
    return percent >= 50 if fight.dice == MEANS else draw(fight) * 100 < percent


@compiled
def _weight(book: Book, effects: int, count: int, group: int) -> int:
    """Returns the weight of a group among `count` effects, that of all groups where `group` is 0."""
    weight = 0
    for index in range(effects, effects + count):
        of = effect_at(book, book.all[index]).group
        if of and (group == 0 or of == group):
            weight += effect_at(book, book.all[index]).chance
    return weight


@compiled
def pick_group(fight: Fight, book: Book, effects: int, count: int) -> int:
    """Returns which group of `count` effects happens, 0 where there are none; on means the heaviest."""
    total = _weight(book, effects, count, 0)
    if total == 0:
        return 0
    picked, heaviest = 0, 0
    left = 0.0
    if fight.dice != MEANS:
        left = draw(fight) * total
    for index in range(effects, effects + count):
        group = effect_at(book, book.all[index]).group
        if group == 0:
            continue
        if fight.dice == MEANS:
            weight = _weight(book, effects, count, group)
            if weight > heaviest:
                picked, heaviest = group, weight
        elif left >= 0:
            left -= effect_at(book, book.all[index]).chance
            picked = group
    return picked

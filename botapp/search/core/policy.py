"""The default policy of rollouts: greedily the cast of the largest expected gain, else a walk.

Every spell's effects come from the rules and are valued by one static evaluation, so that no kind of spell is
left out. When there is nothing better to do, a fighter walks to where it likes to stand.
"""

from botapp.fight.core.actions import cast
from botapp.fight.core.casting import max_range, spell_count, spell_of
from botapp.fight.core.cells import (
    add_cell,
    cells_into,
    clear_set,
    distance,
    has_cell,
    join,
    lowest_bit,
    spread_once,
)
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MEANS, SET, CellSet, Fight, Fighter
from botapp.fight.core.movement import reach
from botapp.fight.core.records import Decimals
from botapp.fight.core.spellbook import USE_HARMS, USE_HURTS, Book
from botapp.fight.core.state import actor, copy_state
from botapp.search.core.evaluation import Evaluation
from botapp.search.core.generation import sensible_casts, stands
from botapp.search.core.static import score
from botapp.search.core.styles import Style, preference, style_of
from botapp.search.core.work import MOST_KEYS, Work, sort_cells

UNREACHED = 560
"""A walking distance longer than any way on the board."""
_NO_BLOW = 6


@compiled
def blow_range(book: Book, work: Work, fighter: Fighter) -> int:
    """Returns how far the middle one of the fighter's blows goes, in cells; 6 where it has none."""
    farthest, count = work.found, 0
    for slot in range(spell_count(book, fighter)):
        spell = spell_of(book, fighter, slot)
        if spell.use & USE_HURTS:
            far = max_range(fighter, spell)
            place = count
            while place and farthest[place - 1] > far:
                farthest[place] = farthest[place - 1]
                place -= 1
            farthest[place] = far
            count += 1
    return farthest[count // 2] if count else _NO_BLOW


@compiled
def distance_wanted(book: Book, work: Work, style: Style, fighter: Fighter) -> int:
    """Returns how far from its enemies a fighter likes to stand, in steps: 1 for close combat."""
    wanted = int(style.distance_wanted)
    return blow_range(book, work, fighter) if wanted < 0 else wanted


@compiled
def nearest_foe(fight: Fight, fighter: Fighter, cell: int) -> int:
    """Returns how far a fighter's nearest living enemy is from a cell, `UNREACHED` for none."""
    nearest = UNREACHED
    for n in range(fight.fighter_count):
        other = fight.fighters[n]
        if other.hp > 0 and other.team != fighter.team:
            nearest = min(nearest, distance(cell, other.cell))
    return nearest


@compiled
def step(fight: Fight, book: Book, work: Work, style: Style, fighter: Fighter) -> int:
    """Returns the cell in reach where the fighter likes to stand, -1 where it stands no better elsewhere.

    `reach` has been asked for.
    """
    ways = fight.reach.count
    if not ways or nearest_foe(fight, fighter, 0) == UNREACHED:
        return -1
    wanted = distance_wanted(book, work, style, fighter)
    flees = style.flees != 0.0
    if flees:
        wanted += fighter.base_mp
    keeps_off = flees or (wanted > 1 and _threatened(fight, book, work, fighter))
    _measure(fight, book, work, fighter)
    here = fighter.cell
    best, least, mp_left = -1, _discomfort(work, here, wanted, keeps_off), 0
    for i in range(ways):
        cell = fight.reach.cells[i]
        discomfort, mp = _discomfort(work, cell, wanted, keeps_off), fight.reach.mp[cell]
        if discomfort > least or (discomfort == least and best < 0):
            continue
        if discomfort < least or mp > mp_left or (mp == mp_left and cell < best):
            best, least, mp_left = cell, discomfort, mp
    return best


@compiled
def _discomfort(work: Work, cell: int, wanted: int, keeps_off: bool) -> int:
    """Returns how badly a cell suits a fighter, in steps too near or, where it keeps off or not, too far."""
    steps = work.keys[cell] - wanted
    if steps < 0:
        return -steps if keeps_off else 0
    return int(steps)


@compiled
def _measure(fight: Fight, book: Book, work: Work, fighter: Fighter) -> None:
    """Writes to `work.keys` how many steps the cells in reach, and the fighter's own, are from its
    enemies."""
    clear_set(fight.sets.near)
    clear_set(fight.sets.asked)
    for n in range(fight.fighter_count):
        other = fight.fighters[n]
        if other.hp > 0 and other.team != fighter.team:
            add_cell(fight.sets.near, other.cell)
    asked = fight.reach.count + 1
    for i in range(asked):
        cell = fighter.cell if i == asked - 1 else fight.reach.cells[i]
        add_cell(fight.sets.asked, cell)
        work.keys[cell] = UNREACHED
    steps = 0
    while asked and spread_once(fight.sets.near, book.walkable):
        steps += 1
        for word in range(SET):
            bits = fight.sets.near.bits[word] & fight.sets.asked.bits[word]
            fight.sets.asked.bits[word] &= ~bits
            while bits:
                work.keys[word * 28 + lowest_bit(bits)] = steps
                bits &= bits - 1
                asked -= 1


@compiled
def _threatened(fight: Fight, book: Book, work: Work, fighter: Fighter) -> bool:
    """Tells whether an enemy stands close enough to strike the fighter within a turn."""
    for n in range(fight.fighter_count):
        other = fight.fighters[n]
        if other.hp <= 0 or other.team == fighter.team:
            continue
        if distance(other.cell, fighter.cell) <= other.mp + blow_range(book, work, other):
            return True
    return False


END, WALK, CAST_SPELL = 0, 1, 2
"""What the policy chooses."""
_LEAST_GAIN = 0.5
"""Gain in HP below which a cast is not made."""


@compiled
def choose(
    fight: Fight, book: Book, spare: Fight, evaluation: Evaluation, work: Work, styles: Decimals
) -> tuple[int, int, int]:
    """Returns the current actor's choice; the state stays as it is, its room holds the actor's `reach`.

    Args:
        fight: a state still fought in.
        book: the book.
        spare: room for a second state.
        evaluation: the static evaluation, prepared for a state that this one follows from.
        work: room for finding actions.
        styles: the play styles.

    Returns:
        `END`, `WALK` or `CAST_SPELL`; the spell's slot or -1; the cell to walk to or to aim at, or -1.
    """
    fighter = actor(fight)
    style = style_of(styles, fighter)
    reach(fight, book, fighter)
    slot = target = walk_slot = walk_place = -1
    value, walk_value, rank, rank_liking = 0.0, 0.0, 0.0, 0
    if fighter.ap > 0:
        sign = 1.0 if fighter.team == evaluation.side else -1.0
        before = sign * score(fight, book, evaluation, True)
        casts = sensible_casts(fight, book, work)
        keeps_off = distance_wanted(book, work, style, fighter) > 1
        walks = _casts_after_walks(fight, book, work, fighter, keeps_off)
        for i in range(casts + walks):
            walked = i >= casts
            place, left = -1, int(fighter.ap)
            copy_state(spare, fight)
            if walked:
                after = work.walks[i - casts]
                new_slot, new_target, place = after.slot, after.target, after.place
                left = int(fight.reach.ap[place])
                walker = actor(spare)
                walker.cell, walker.mp, walker.ap = place, fight.reach.mp[place], left
            else:
                new_slot, new_target = work.casts[i].slot, work.casts[i].target
            spell = spell_of(book, fighter, new_slot)
            spare.dice = MEANS
            cast(spare, book, new_slot, new_target)
            gain = (sign * score(spare, book, evaluation, True) - before) * preference(style, spell.use)
            if gain <= _LEAST_GAIN:
                continue
            per_ap = gain / max(1, spell.ap)
            if not walked:
                if slot < 0 or per_ap > value:
                    slot, target, value = new_slot, new_target, per_ap
            elif per_ap * left > rank or (per_ap * left == rank and work.liking[place] > rank_liking):
                walk_slot, walk_place, walk_value = new_slot, place, per_ap
                rank, rank_liking = per_ap * left, int(work.liking[place])
    if walk_slot >= 0:
        strikes = _strikes(book, fighter, walk_slot)
        if slot < 0 or walk_value > value or (strikes and not _strikes(book, fighter, slot)):
            return WALK, -1, walk_place
    if slot >= 0:
        return CAST_SPELL, slot, target
    walk_place = step(fight, book, work, style, fighter)
    return (WALK, -1, walk_place) if walk_place >= 0 else (END, -1, -1)


@compiled
def _strikes(book: Book, fighter: Fighter, slot: int) -> bool:
    return spell_of(book, fighter, slot).use & USE_HARMS != 0


@compiled
def _casts_after_walks(fight: Fight, book: Book, work: Work, fighter: Fighter, keeps_off: bool) -> int:
    """Writes casts after a walk to `work.walks`, each spell once for each cell to aim at; returns how many.

    The walk leads to the best of the places for that. `reach` has been asked for.
    """
    within, useful = fight.sets.within, fight.sets.useful
    clear_set(within)
    for i in range(fight.reach.count):
        add_cell(within, fight.reach.cells[i])
    stand_count = stands(fight, book, fighter, work, within) if fight.reach.count else 0
    clear_set(useful)
    for i in range(stand_count):
        join(useful, work.stands[i].cells)
    places = _sort_places(fight, work, fighter, keeps_off)
    count = 0
    for i in range(stand_count):
        stand = work.stands[i]
        place = _first_place(work, places, stand.cells)
        if fight.reach.ap[place] >= spell_of(book, fighter, stand.slot).ap:
            walk = work.walks[count]
            walk.slot = stand.slot
            walk.target = stand.aim if stand.aim >= 0 else place
            walk.place = place
            count += 1
    return count


@compiled
def _first_place(work: Work, places: int, cells: CellSet) -> int:
    """Returns the best of the places in `work.found` that is in a set."""
    for i in range(places):
        if has_cell(cells, work.found[i]):
            return int(work.found[i])
    return -1


@compiled
def _sort_places(fight: Fight, work: Work, fighter: Fighter, keeps_off: bool) -> int:
    """Writes the cells `useful` to `work.found`, the best first, and how each is liked to `liking`; how many.

    The better one leaves more AP, then is farther from enemies or else nearer to walk to.
    """
    count = cells_into(fight.sets.useful, work.found[:], 0)
    for i in range(count):
        cell = work.found[i]
        liking = fight.reach.mp[cell]
        if keeps_off:
            liking = nearest_foe(fight, fighter, cell)
            if liking == UNREACHED:
                liking = 0
        work.liking[cell] = liking
        work.keys[cell] = MOST_KEYS - 1 - min(MOST_KEYS - 1, liking)
    sort_cells(work, work.found[:], count)
    for i in range(count):
        cell = work.found[i]
        work.keys[cell] = MOST_KEYS - 1 - min(MOST_KEYS - 1, fight.reach.ap[cell])
    sort_cells(work, work.found[:], count)
    return count

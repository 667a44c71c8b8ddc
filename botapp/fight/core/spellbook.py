"""What the book of a fight is made of, as records: its map, spells, effects, summons and their targets.

A book is an array of whole numbers. It begins with the map, a `Book`; behind it stand lists, spells, effects
and
summons, each at a place in the array. Place 0 is never one of them. A list is how many it has, then those.
"""

from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import STAT_COUNT, CellSet
from botapp.fight.core.records import Record, Table, Words, part, row, table, viewer

NO_DICE = -(2**31)


class Book(Record):
    """The map of a fight; its content stands behind it.

    Attributes:
        walkable, sight: cells that can be walked on, and that let sight through.
        seen_known: for each cell whether what is seen from it, no fighter in the way, has been worked out.
        seen: that.
        has_shares: whether what an effect does may be a share of something, such as a fighter's HP.
    """

    walkable: CellSet = part(CellSet)
    sight: CellSet = part(CellSet)
    seen_known: Words = row(560)
    seen: Table[CellSet] = table(CellSet, 560)
    has_shares: int


CONTENT = Book.SIZE
"""Spells, effects and summons begin here."""


class Spell(Record):
    """A spell.

    Attributes:
        flags: `IN_LINE` and the others below.
        crit_chance: in percent; `crit_bonus` is added to the dice of critical hits.
        required, more_required, forbidden, more_forbidden: bits of the states 0 to 30, then of 31 to 61, that
            its caster must or must not be in.
        summons: how many summons it calls at once.
        effect_count, effects: how many effects it has, and the place of their places.
        use: `USE_*` bits: what it is for.
        criterion: place of its further conditions, see `masks`; 0 for none.
        acts: place of what it comes to: how many acts, then those; how many distinct areas they have, then
            those.
        changed: place of what it is instead in some states of its caster: how many, then each state and the
            place of that spell, which has the further states; 0 for none.
    """

    ap: int
    min_range: int
    max_range: int
    flags: int
    crit_chance: int
    crit_bonus: int
    casts_per_turn: int
    casts_per_target: int
    cooldown: int
    initial_cooldown: int
    required: int
    more_required: int
    forbidden: int
    more_forbidden: int
    summons: int
    effect_count: int
    effects: int
    use: int
    criterion: int
    acts: int
    changed: int


IN_LINE, ON_DIAGONAL, NEEDS_SIGHT, NEEDS_FREE, NEEDS_TAKEN, BOOSTABLE, ATTACKS, TELEPORTS, WEAPON = (
    1, 2, 4, 8, 16, 32, 64, 128, 256,
)  # fmt: skip
USE_HURTS, USE_HARMS, USE_HELPS, USE_ITSELF, USE_JUMPS, USE_SUMMONS, USE_TRAPS, USE_MOVES, USE_WIDE = (
    1, 2, 4, 8, 16, 32, 64, 128, 256,
)  # fmt: skip


class Act(Record):
    """Something that a spell does to a fighter, also through a spell that it casts; see `acts`.

    Attributes:
        root, area, effect: places of effects: the spell's own, the one in whose area those stand who are
            aimed at (0 for none), and the one that acts.
        side: `AT_FOES`, `AT_OWN_SIDE` or `AT_ITSELF`.
        percent: how likely it is.
        asks: whether it has more conditions than the fighters it is aimed at.
    """

    root: int
    area: int
    effect: int
    side: int
    percent: int
    asks: int


AT_FOES, AT_OWN_SIDE, AT_ITSELF = range(3)


class Area(Record):
    """One of a spell's distinct areas: an effect that has it, and whether the own side is to stand there."""

    effect: int
    helps: int


class Effect(Record):
    """An effect.

    Attributes:
        crit_low, crit_high: the dice of a critical hit; `NO_DICE` where the spell's bonus is added instead.
        fall_off: percent lost with each step from the centre, until `fall_steps` of them.
        payload: place of what it does: how many effects, then their places and that of its acts; 0 for none.
        summon: place of what it calls.
        mask: place of the conditions on its targets, see `masks`; 0 for none.
        trigger: `ON_*` bits, 0 for at once.
        group: random group, 0 for none; of the effects of a group one happens.
        chance: its weight in the group, or its own chance in percent without one; 0 for always.
        name: which of the book's names the spell has that it belongs to.
        cells: place of its listed cells: how many, then (dx, dy) of each; 0 for none.
        number: which of the book's effects it is.
        trigger_state: the state whose coming or going triggers it, -1 for none.
        listens: for how many turns of its caster it waits for its trigger, 0 for no end.
        tag: which of the book's names `END_TAGGED` finds by it, 0 for none.
        percent_of: `OF_*`: what its dice are percent of, `OF_POINTS` where they are points.
        by_weapon: whether it belongs to a blow with a weapon.
        stacks: how often what it gives may lie on a fighter at once, 0 for no limit.
    """

    kind: int
    low: int
    high: int
    crit_low: int
    crit_high: int
    element: int
    shape: int
    radius: int
    inner: int
    fall_off: int
    fall_steps: int
    affects: int
    turns: int
    stat: int
    state: int
    payload: int
    summon: int
    mask: int
    trigger: int
    delay: int
    group: int
    chance: int
    dispellable: int
    helpful: int
    name: int
    cells: int
    number: int
    trigger_state: int
    listens: int
    tag: int
    percent_of: int
    by_weapon: int
    stacks: int


class Summon(Record):
    """What an effect calls: its kind, what it begins with and its sheet; see `Fighter`."""

    kind: int
    level: int
    hp: int
    ap: int
    mp: int
    spells: int
    species: int
    stats: Words = row(STAT_COUNT)


book_in = viewer(Book)
"""Returns the book that lies in an array from a word on."""
spell_at = viewer(Spell)
"""Returns the spell at a place in a book."""
effect_at = viewer(Effect)
"""Returns the effect at a place in a book."""
act_at = viewer(Act)
area_at = viewer(Area)
summon_at = viewer(Summon)


ACT_WORDS, AREA_WORDS = Act.SIZE, Area.SIZE


@compiled
def nth_act(book: Book, acts: int, index: int) -> Act:
    """Returns one of the acts at a place in a book."""
    return act_at(book, acts + 1 + index * ACT_WORDS)


@compiled
def nth_area(book: Book, acts: int, index: int) -> Area:
    """Returns one of the distinct areas of the acts at a place in a book."""
    return area_at(book, acts + 2 + book.all[acts] * ACT_WORDS + index * AREA_WORDS)


@compiled
def area_count(book: Book, acts: int) -> int:
    """Returns how many distinct areas the acts at a place in a book have."""
    return book.all[acts + 1 + book.all[acts] * ACT_WORDS]

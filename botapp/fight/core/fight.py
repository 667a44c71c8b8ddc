"""What a fight is made of, as records: the fighters, their buffs, glyphs and traps, the casts of the turn.

A fight is an array of whole numbers of 32 bits. Its first part is the state itself, which is copied and
hashed; what follows from `Fight.tape` on is room for what works on it at the moment, and is never copied.
"""

from botapp.fight.core.records import Record, Table, Words, over, part, row, table, viewer

MOST_FIGHTERS = 60
MOST_SPELLS = 32
"""Spells of one fighter."""
MOST_BUFFS = 192
MOST_MARKS = 128
MOST_CASTS = 48
"""Casts of one turn."""
MOST_TAPE = 128
MOST_TASKS = 96
MOST_HITS = 60
MOST_DUE = 24
LONGEST_WAY = 80
SET = 20
"""Words of a set of cells: bit `cell % 28` of word `cell // 28`."""

MEANS, TAPE, ROLLS = 0, 1, 2
"""Where dice come from: they fall on their means, are drawn beforehand, or are rolled."""
NOBODY, DRAWN_FIGHT = -2, -1
"""In place of the team that has won: both fight on; no fighter is left."""
FULL_FIGHTERS, FULL_BUFFS, FULL_CASTS, FULL_TASKS, FULL_TAPE = 1, 2, 3, 4, 5
GLYPH, TRAP = 0, 1

STAT_NAMES = (
    "strength", "intelligence", "chance", "agility", "power", "damage", "heals", "wisdom", "lock", "flee",
    "range", "initiative", "crit", "crit_damage", "push_damage", "push_resistance", "withdraw", "dodge",
    "erosion", "summons", "neutral_resistance", "earth_resistance", "fire_resistance", "water_resistance",
    "air_resistance", "neutral_fixed_resistance", "earth_fixed_resistance", "fire_fixed_resistance",
    "water_fixed_resistance", "air_fixed_resistance", "crit_resistance", "final_damage", "spell_damage",
    "weapon_damage", "melee_damage", "ranged_damage", "spell_resistance", "weapon_resistance",
    "melee_resistance", "ranged_resistance", "final_heals", "heals_received", "armor", "luck",
)  # fmt: skip
"""The numbers of a fighter's sheet, in the order of `Fighter.stats`."""
STAT_COUNT = len(STAT_NAMES)
STAT_AP, STAT_MP, STAT_ALL_RESISTANCES = STAT_COUNT, STAT_COUNT + 1, STAT_COUNT + 2
"""What a buff may change beside the sheet's own stats, which count from 0."""


class CellSet(Record):
    """A set of cells, two rows of the board in each word."""

    bits: Words = row(SET)


class CastDone(Record):
    """A cast of this turn: the caster's number, the spell's slot, the target's number (-1 for none)."""

    by: int
    spell: int
    at: int


class Fighter(Record):
    """A fighter.

    Attributes:
        number: its place among the fighters, 0, 1, 2 ...
        summoner: number of who called it, -1 for those who came by themselves.
        spells: place in the book of its spell list: how many, then their places.
        kind: which of the book's kinds of fighters it is: its name and what never changes.
        states: bits of the states 0 to 30 that it is in; `more_states` those of 31 to 61.
        id: its id in `FightState`.
        species: which of the book's classes and monsters it is, apart from its name and spells.
        resistance, fixed_resistance: by element, in percent and in HP.
        stats: the whole sheet, which buffs change, in the order of `STAT_NAMES`.
        cooldowns: turns until each of its spells can be cast again, by slot.
    """

    number: int
    team: int
    cell: int
    level: int
    hp: int
    max_hp: int
    ap: int
    mp: int
    base_ap: int
    base_mp: int
    shield: int
    eroded: int
    summoner: int
    player: int
    spells: int
    kind: int
    states: int
    more_states: int
    id: int
    species: int
    strength: int
    intelligence: int
    chance: int
    agility: int
    power: int
    damage: int
    heals: int
    wisdom: int
    lock: int
    flee: int
    range: int
    initiative: int
    crit: int
    crit_damage: int
    push_damage: int
    push_resistance: int
    withdraw: int
    dodge: int
    erosion: int
    summons: int
    resistance: Words = row(5)
    fixed_resistance: Words = row(5)
    crit_resistance: int
    final_damage: int
    spell_damage: int
    weapon_damage: int
    melee_damage: int
    ranged_damage: int
    spell_resistance: int
    weapon_resistance: int
    melee_resistance: int
    ranged_resistance: int
    final_heals: int
    heals_received: int
    armor: int
    luck: int
    cooldowns: Words = row(MOST_SPELLS)
    stats: Words = over("strength", STAT_COUNT)


CELL, HP, MAX_HP, AP, MP, SHIELD, COOLDOWNS = (
    Fighter.word(name) for name in ("cell", "hp", "max_hp", "ap", "mp", "shield", "cooldowns")
)
"""Words of a fighter that count for the state's hash: they are written by `state.put`."""
FIGHTER_WORDS = Fighter.SIZE


class Buff(Record):
    """A change of a stat, a state, or an effect that waits; everybody's stand in one list, oldest first.

    Attributes:
        on, by: numbers of who bears it and who gave it.
        turns: turns left, 0 for no end.
        stat: the stat that it changes, -1 for none; `amount` is by how much.
        state: the state that it gives, -1 for none.
        effect: place in the book of an effect that waits for its trigger or its time; that place with a minus
            where a stat or a state comes from an effect that must be known (it cannot be dispelled, or has a
            tag); else 0.
        delay: turns until it counts.
    """

    on: int
    by: int
    turns: int
    stat: int
    amount: int
    state: int
    effect: int
    delay: int


BUFF_WORDS = Buff.SIZE
BUFF_BY, BUFF_TURNS, BUFF_STATE, BUFF_DELAY = (Buff.word(name) for name in ("by", "turns", "state", "delay"))


class Mark(Record):
    """A glyph or a trap on the ground; the oldest come first.

    Attributes:
        kind: `GLYPH` or `TRAP`.
        by: the owner's number.
        cell: its centre.
        turns: the owner's turns left, 0 for no end.
        payload: place in the book of what it does: how many effects, then the effects' places; 0 for nothing.
        name: which of the book's names.
        origin: 0.
        number: 0 but while a turn begins.
        cells: the cells that it covers.
    """

    kind: int
    by: int
    cell: int
    turns: int
    payload: int
    name: int
    origin: int
    number: int
    cells: CellSet = part(CellSet)


MARK_WORDS = Mark.SIZE
MARK_TURNS, MARK_NUMBER = Mark.word("turns"), Mark.word("number")


class Task(Record):
    """Something that is still to happen within an action; see `resolving`.

    Attributes:
        kind: `SPRING_TRAPS`, `PAYLOAD_OF` or `STRIKE`.
        what: place in the book of an effect, or of the next effect in a payload's list.
        by: number of the fighter whose effect it is.
        centre: the cell around which it happens.
        target: number of the fighter it strikes, -1 for none.
        steps: from the centre; of a payload how many effects are left.
        how: of a payload how it is done; of an effect whether it has waited already.
        cause, cause_hp, running: these of the fight as they were when the task was set.
    """

    kind: int
    what: int
    by: int
    centre: int
    target: int
    steps: int
    how: int
    cause: int
    cause_hp: int
    running: int


class Due(Record):
    """An effect that has waited and is to strike: its place in the book and the number of who gave it."""

    effect: int
    by: int


class Hit(Record):
    """A fighter's number and the HP that an impact costs it."""

    number: int
    hp: int


class Way(Record):
    """Cells one after the other: a path, or the cells of a push."""

    length: int
    cells: Words = row(LONGEST_WAY)


class Reach(Record):
    """Where a fighter can walk; see `walking`.

    Attributes:
        count: how many cells are in reach.
        cells: those, in the order found.
        mp, ap: left at each cell of the board; MP are -1 where it is not in reach.
        before: the cell before each on its way.
    """

    count: int
    cells: Words = row(560)
    mp: Words = row(560)
    ap: Words = row(560)
    before: Words = row(560)


class Gift(Record):
    """A buff or a state that a cast is expected to give; see `expected`."""

    on: int
    turns: int
    stat: int
    amount: int
    state: int


class Sets(Record):
    """Sets of cells for the code that works on a fight, by what the search uses them for."""

    aim: CellSet = part(CellSet)
    cover: CellSet = part(CellSet)
    around: CellSet = part(CellSet)
    origins: CellSet = part(CellSet)
    within: CellSet = part(CellSet)
    useful: CellSet = part(CellSet)
    near: CellSet = part(CellSet)
    asked: CellSet = part(CellSet)
    views: Table[CellSet] = table(CellSet, 16)
    everywhere: CellSet = part(CellSet)
    first: CellSet = part(CellSet)
    second: CellSet = part(CellSet)
    third: CellSet = part(CellSet)


class Fight(Record):
    """A state of the fight, and room to work on it.

    Attributes:
        current: index into the order of turns.
        fighter_count: how many fighters there are, the dead among them.
        turn_count: how many fighters the order of turns lists.
        hash_a, hash_b: 31 bits each; see `state`.
        dice: `MEANS`, `TAPE` or `ROLLS`.
        seed: state of the dice where they are rolled, 1 to 2**31 - 2.
        drawn: how many times the dice were asked.
        running: the waiting effect that was triggered and is being done, 0 for none: it does not trigger
            itself.
        fault: 0, or what did not fit: `FULL_*`.
        cause, cause_hp: number of the fighter that caused what triggers an effect, and the HP that it
            cost; -1 and 0 for none.
        order: fighter numbers in the order of turns.
        casts: the casts of this turn, oldest first.
        tape: dice drawn beforehand, 31 bits each; room begins here.
        tasks: what is still to happen in this action, the latest last; `task_count` of them.
        stood: where everyone stood before a cast, -1 for the dead.
        way: a path, or the cells that a fighter is pushed over.
        due: effects that have waited and are to strike.
        hits: the fighters that an impact hurts; `hit_count` of them.
        reach: where a fighter can walk.
        queue: room for a search of the board.
        gifts: what a cast is expected to give; `gift_count` of them.
        plain: a fighter without resistances, to measure blows on.
        taken, shown, seen: cells where a fighter stands, one that the caster can aim at, one that it sees.
        aim, aims: cells that a spell may be aimed at, and those of each spell by slot.
    """

    turn: int
    current: int
    fighter_count: int
    turn_count: int
    buff_count: int
    mark_count: int
    cast_count: int
    hash_a: int
    hash_b: int
    dice: int
    seed: int
    drawn: int
    running: int
    fault: int
    cause: int
    cause_hp: int
    order: Words = row(MOST_FIGHTERS)
    casts: Table[CastDone] = table(CastDone, MOST_CASTS)
    fighters: Table[Fighter] = table(Fighter, MOST_FIGHTERS)
    buffs: Table[Buff] = table(Buff, MOST_BUFFS)
    marks: Table[Mark] = table(Mark, MOST_MARKS)
    tape: Words = row(MOST_TAPE)
    task_count: int
    tasks: Table[Task] = table(Task, MOST_TASKS)
    stood_count: int
    stood: Words = row(MOST_FIGHTERS)
    way: Way = part(Way)
    due: Table[Due] = table(Due, MOST_DUE)
    hit_count: int
    hits: Table[Hit] = table(Hit, MOST_HITS)
    reach: Reach = part(Reach)
    queue: Words = row(2240)
    gift_count: int
    gifts: Table[Gift] = table(Gift, MOST_BUFFS)
    plain: Fighter = part(Fighter)
    taken: CellSet = part(CellSet)
    shown: CellSet = part(CellSet)
    seen: CellSet = part(CellSet)
    aim: CellSet = part(CellSet)
    aims: Table[CellSet] = table(CellSet, MOST_SPELLS)
    sets: Sets = part(Sets)


cells_at = viewer(CellSet)
"""Returns the set of cells at a word of a fight."""
fight_in = viewer(Fight)
"""Returns the fight that lies in an array from a word on."""
TURN, CURRENT = Fight.word("turn"), Fight.word("current")
FIGHTERS_AT, BUFFS_AT, MARKS_AT = (Fight.word(name) for name in ("fighters", "buffs", "marks"))
SCRATCH = Fight.word("tape")
"""Length of a state without the room behind it."""
STATE = Fight.SIZE

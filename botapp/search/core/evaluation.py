"""What an evaluation works on, as records (head, inputs, layers, weights, what is kept), and tags.

The head is filled by `static.prepare` from a decision's first state and holds for all that follow from it.
Then comes room that is overwritten at each call, then what was worked out before: slots that a tag chooses,
each with its tag first. What they hold depends on nothing but the book, the head and what the tag is made
of; what depends on the head is forgotten with it, so an evaluation belongs to one book and serves all
decisions of its fight. Tags are whole numbers of 52 bits: two are the same only where what they are made of
is the same, as far as 52 bits can tell.
"""

from botapp.fight.core.compiler import compiled, interpreted_as
from botapp.fight.core.fight import MOST_FIGHTERS, MOST_SPELLS, SET, STAT_COUNT, Fight, Fighter
from botapp.fight.core.kinds import INVISIBLE, INVULNERABLE
from botapp.fight.core.records import (
    Decimals,
    Record,
    Table,
    Words,
    decimals_over,
    decimals_row,
    row,
    table,
    viewer,
    words_in,
)
from botapp.fight.core.spellbook import Book

MOST_AP_COUNTED = 255

POWER_SLOTS, PAYLOAD_SLOTS, RADIUS_SLOTS, WALK_SLOTS, PLAN_SLOTS = 256, 1024, 256, 256, 64
DAMAGE_SLOTS = STRIKE_SLOTS = OUTLOOK_SLOTS = 4096


class Option(Record, wide=True):
    """A blow to choose from: its damage, its cost in AP, and how often it can be struck."""

    damage: float
    cost: int
    times: int


class Known(Record, wide=True):
    """A number worked out before, and its tag."""

    tag: int
    value: float


class KnownRadius(Record, wide=True):
    """How far a spell's areas go, in cells, and the spell's place in the book."""

    spell: int
    radius: int


class KnownWalk(Record, wide=True):
    """The cells that so many steps lead to, no fighter in the way, as the words of a set; and their tag."""

    tag: int
    bits: Words = row(SET)


class Plan(Record, wide=True):
    """The blows that a fighter may strike at an enemy next turn; see `outlooks`.

    Attributes:
        whole: what all together do, in HP.
        blows: how many they are; `options` are those.
        cells: for each cell of the board which of the blows are within a turn's walk, as bits, and beyond
            them the steps to the nearest place to strike from.
    """

    tag: int
    whole: float
    blows: int
    options: Table[Option] = table(Option, MOST_SPELLS)
    cells: Words = row(560)


class Inputs(Record, wide=True):
    """What the learned evaluation sees of a fighter; see `inputs`. HP are in shares of the mean of full HP.

    The names are those of the columns that its weights are bound to, in their order.
    """

    team: float
    hp: float
    hp_share: float
    max_hp: float
    shield: float
    eroded: float
    ap: float
    mp: float
    base_ap: float
    base_mp: float
    power: float
    summon: float
    buffs: float
    turns_until: float
    acts_now: float
    strike: float
    strike_share: float
    kills: float
    strike_shares: float
    in_reach: float
    struck_share: float
    struck_most: float
    struck_before: float
    falls_before: float
    strikers: float
    foe_distance: float
    friend_distance: float
    longest: float
    ready: float
    resistance: float
    lock: float
    flee: float
    rooted: float
    gravity: float
    invulnerable: float
    invisible: float
    unlockable: float
    pacified: float
    focused: float
    marks: float
    columns: Decimals = decimals_over("team", 40)
    states: Decimals = decimals_over("rooted", 7)


INPUT = Inputs.SIZE
INPUT_NAMES = tuple(name for name in Inputs.FIELDS if name not in ("team", "columns", "states"))
"""The columns behind the team."""


class Pair(Record, wide=True):
    """What there is to say of a fighter and another one.

    Attributes:
        foe: whether the other is a foe.
        distance: how far it is; `adjacent` whether it stands beside.
        deals: which share of its life a turn's blows take.
        suffers: which share of the own life its blows take.
        after: whether one's own turn comes after its.
    """

    foe: float
    distance: float
    adjacent: float
    deals: float
    suffers: float
    after: float
    columns: Decimals = decimals_over("foe", 6)


PAIR = Pair.SIZE
PAIR_NAMES = tuple(name for name in Pair.FIELDS if name != "columns")

WIDTHS = (64, 32, 48, 32)
"""Of the layers: of a fighter by itself, of two fighters, of a fighter among the others, of both sides."""
_ALONE, _TWO, _AMONG, _BOTH = WIDTHS
LAYERS = {
    "alone": (INPUT, _ALONE),
    "tells": (_ALONE + 1, _TWO),
    "hears": (_ALONE + PAIR, _TWO),
    "among": (_ALONE + _TWO + 1, _AMONG),
    "both": (2 * _AMONG + 1, _BOTH),
    "last": (1, _BOTH),
}
"""The weights, one layer after the other: inputs and outputs; a bias comes before the inputs, but `hears` and
`last` have none."""
WEIGHT_COUNT = sum(inputs * outputs for inputs, outputs in LAYERS.values())


class Heard(Record, wide=True):
    """A fighter in the network: its first layer, what it sends to the others, what it adds to what they send,
    and the sum of the messages that it has received."""

    alone: Decimals = decimals_row(_ALONE)
    sends: Decimals = decimals_row(_TWO)
    listens: Decimals = decimals_row(_TWO)
    heard: Decimals = decimals_row(_TWO)


class Side(Record, wide=True):
    """The sums over the fighters of a side."""

    sums: Decimals = decimals_row(_AMONG)


class Evaluation(Record, wide=True):
    """An evaluation.

    Attributes:
        side: the team whose side is taken.
        decider: number of the fighter whose turn it was.
        total: what both sides have at full HP.
        won: the value of a fight won.
        incoming: the blows that may come in a turn at a fighter of team 0, of team 1, in HP.
        mean_hp: the full HP of those who came by themselves, on average.
        between: the set of cells that the others stood on.
        stat_tags, target_tags, striker_tags, marked_tags: by fighter number; see `tags` and `marks`.
        options: blows to choose from.
        best: the most damage by the AP spent.
        strikes: the damage of an enemy's best turn, by the enemy's number times `MOST_FIGHTERS` and the
            target's.
        suffered: the damage to be expected, by fighter number.
        values: what `heuristic.heuristic_values` has found, one for each cell asked for.
        rows, pairs: the inputs of the learned evaluation, and for each row those of it with all rows.
        turns_until: how many of the living act before each, by fighter number.
        fighters, layer, sides: room for the layers of the network.
        learned: the weight of what the network says beside the heuristic evaluation, 0 for no network.
    """

    side: int
    decider: int
    total: float
    won: float
    incoming: Decimals = decimals_row(2)
    mean_hp: float
    between: Words = row(SET)
    stat_tags: Words = row(MOST_FIGHTERS)
    target_tags: Words = row(MOST_FIGHTERS)
    striker_tags: Words = row(MOST_FIGHTERS)
    marked_tags: Words = row(MOST_FIGHTERS)
    options: Table[Option] = table(Option, MOST_SPELLS)
    best: Decimals = decimals_row(MOST_AP_COUNTED + 1)
    strikes: Decimals = decimals_row(MOST_FIGHTERS * MOST_FIGHTERS)
    suffered: Decimals = decimals_row(MOST_FIGHTERS)
    values: Decimals = decimals_row(560)
    powers: Table[Known] = table(Known, POWER_SLOTS)
    payloads: Table[Known] = table(Known, PAYLOAD_SLOTS)
    damages: Table[Known] = table(Known, DAMAGE_SLOTS)
    radii: Table[KnownRadius] = table(KnownRadius, RADIUS_SLOTS)
    known_strikes: Table[Known] = table(Known, STRIKE_SLOTS)
    outlooks: Table[Known] = table(Known, OUTLOOK_SLOTS)
    walks: Table[KnownWalk] = table(KnownWalk, WALK_SLOTS)
    plans: Table[Plan] = table(Plan, PLAN_SLOTS)
    rows: Table[Inputs] = table(Inputs, MOST_FIGHTERS)
    pairs: Table[Pair] = table(Pair, MOST_FIGHTERS * MOST_FIGHTERS)
    turns_until: Decimals = decimals_row(MOST_FIGHTERS)
    fighters: Table[Heard] = table(Heard, MOST_FIGHTERS)
    layer: Decimals = decimals_row(max(WIDTHS))
    sides: Table[Side] = table(Side, 2)
    learned: float
    weights: Decimals = decimals_row(WEIGHT_COUNT)


evaluation_in = viewer(Evaluation)
"""Returns the evaluation that lies in an array from a word on."""


_HALF = (1 << 26) - 1
_LANE = (1 << 31) - 1
_TAG = (1 << 52) - 1
_POSITIVE = (1 << 30).__add__
"""Python's hash of -1 is that of -2, so stats are made positive first."""


@interpreted_as(lambda tag, word: hash((tag, word)) & _TAG)
def mixed(tag: int, word: int) -> int:
    """Returns the tag of all that went into a tag and a word more."""
    low = (tag ^ word) & _HALF
    high = ((tag ^ word) >> 26) & _HALF
    high ^= ((low * 0x6C8E9CF5) >> 17) & _HALF
    low ^= ((high * 0x5851F42D) >> 17) & _HALF
    high ^= ((low * 0x4C957F2D) >> 17) & _HALF
    return (high << 26) | low


@interpreted_as(lambda fighter: hash(tuple(map(_POSITIVE, words_in(fighter, "stats")))) & _TAG)
def stats_tag(fighter: Fighter) -> int:
    """Returns the tag of a fighter's sheet."""
    w, x, y, z = 1, 2, 3, 4
    for stat in range(0, STAT_COUNT, 4):
        w = (w * 0x2C1B3C6D + fighter.stats[stat]) & _LANE
        x = (x * 0x297A2D39 + fighter.stats[stat + 1]) & _LANE
        y = (y * 0x1B56C4F5 + fighter.stats[stat + 2]) & _LANE
        z = (z * 0x3C6EF35F + fighter.stats[stat + 3]) & _LANE
    return mixed(mixed((w << 21) ^ x, y << 20), z)


@compiled
def sheet_tag(fight: Fight, book: Book, fighter: Fighter) -> int:
    """Returns the tag of all of a fighter that the damage which it deals or takes depends on.

    HP count only where an effect of the fight is a share of them: else each wound would make known values
    unknown.
    """
    tag = stats_tag(fighter)
    if book.has_shares:
        hp = mixed((fighter.hp << 20) ^ fighter.max_hp, (fighter.eroded << 10) ^ fighter.level)
        tag = mixed(mixed(tag, hp), fight.cause_hp)
    return tag


@compiled
def resting(book: Book, fighter: Fighter, turns: int) -> int:
    """Returns the slots, as bits, of the fighter's spells that rest for more than so many turns."""
    bits = 0
    for slot in range(book.all[fighter.spells]):
        if fighter.cooldowns[slot] > turns:
            bits |= 1 << slot
    return bits


@compiled
def is_in(fighter: Fighter, state: int) -> bool:
    """Tells whether a fighter is in one of the states 0 to 30."""
    return bool((fighter.states >> state) & 1)


@compiled
def target_tag(evaluation: Evaluation, fighter: Fighter) -> int:
    """Returns the tag of what matters to the blows that a fighter suffers; its sheet's tag is known."""
    shelters = is_in(fighter, INVULNERABLE) + 2 * is_in(fighter, INVISIBLE)
    who = (fighter.cell << 3) | (shelters << 1) | (fighter.player != 0)
    return mixed(int(evaluation.stat_tags[fighter.number]), who)


@compiled
def striker_tag(book: Book, evaluation: Evaluation, fighter: Fighter) -> int:
    """Returns the tag of what matters to the blows that a fighter may strike; its sheet's tag is known."""
    means = (fighter.cell << 20) | (fighter.ap << 10) | fighter.mp
    tag = mixed(int(evaluation.stat_tags[fighter.number]), fighter.spells)
    return in_its_states(mixed(mixed(tag, means), resting(book, fighter, 0)), fighter)


@compiled
def in_its_states(tag: int, fighter: Fighter) -> int:
    """Returns a tag of what depends on the states that a fighter is in, too: they may change its spells."""
    if fighter.states or fighter.more_states:
        return mixed(mixed(tag, fighter.states), fighter.more_states)
    return tag


@compiled
def tag_fighters(fight: Fight, book: Book, evaluation: Evaluation) -> None:
    """Writes down the tags of the living: of sheets and targets, and of the enemies as strikers."""
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0:
            evaluation.stat_tags[number] = sheet_tag(fight, book, fighter)
            evaluation.target_tags[number] = target_tag(evaluation, fighter)
            if fighter.team != evaluation.side:
                evaluation.striker_tags[number] = striker_tag(book, evaluation, fighter)

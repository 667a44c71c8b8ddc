"""Tags: whole numbers of 52 bits by which something worked out before is found again.

Two tags are the same only where what they are made of is the same, as far as 52 bits can tell.
"""

from botapp.fight.core.compiler import compiled, interpreted_as
from botapp.fight.core.fight import STAT_COUNT, Fight, Fighter
from botapp.fight.core.kinds import INVISIBLE, INVULNERABLE
from botapp.fight.core.records import words_in
from botapp.fight.core.spellbook import Book
from botapp.search.core.evaluation import Evaluation

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
    """Returns the tag of what matters to the blows that somebody suffers; its sheet's tag is known."""
    shelters = is_in(fighter, INVULNERABLE) + 2 * is_in(fighter, INVISIBLE)
    who = (fighter.cell << 3) | (shelters << 1) | (fighter.player != 0)
    return mixed(int(evaluation.stat_tags[fighter.number]), who)


@compiled
def striker_tag(book: Book, evaluation: Evaluation, fighter: Fighter) -> int:
    """Returns the tag of what matters to the blows that somebody may strike; its sheet's tag is known."""
    means = (fighter.cell << 20) | (fighter.ap << 10) | fighter.mp
    tag = mixed(int(evaluation.stat_tags[fighter.number]), fighter.spells)
    return mixed(mixed(tag, means), resting(book, fighter, 0))


@compiled
def tag_fighters(fight: Fight, book: Book, evaluation: Evaluation) -> None:
    """Writes down the tags of the living: of sheets and targets, and of the enemies as strikers."""
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        if fighter.hp > 0:
            evaluation.stat_tags[number] = stats_tag(fighter)
            evaluation.target_tags[number] = target_tag(evaluation, fighter)
            if fighter.team != evaluation.side:
                evaluation.striker_tags[number] = striker_tag(book, evaluation, fighter)

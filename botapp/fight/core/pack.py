"""A state of the fight as the array that the compiled rules work on, and back again, exact both ways."""

from array import array
from itertools import chain
from struct import error as struct_error
from typing import Any

from botapp.fight.board import CELLS
from botapp.fight.core.book import book_of
from botapp.fight.core.capacity import check_count, check_numbers, put_words, words_of
from botapp.fight.core.compiler import whole_numbers
from botapp.fight.core.content import STAT_NUMBERS, set_words, stat_words
from botapp.fight.core.fight import (
    BUFFS_AT,
    FIGHTERS_AT,
    MARKS_AT,
    MEANS,
    MOST_BUFFS,
    MOST_CASTS,
    MOST_FIGHTERS,
    MOST_MARKS,
    MOST_SPELLS,
    STATE,
    Fight,
)
from botapp.fight.core.fight import (
    Mark as MarkRecord,
)
from botapp.fight.core.packed import FIELDS, MARK_KINDS, NO_SLOT, NOBODY_HERE, Packed, Parts, Row
from botapp.fight.core.unpack import unpack
from botapp.fight.spells import Stats
from botapp.fight.state import Fighter, FightState, Mark

__all__ = ["Packed", "pack", "unpack"]

_NO_COOLDOWNS = bytes(4 * MOST_SPELLS)
_MOST_SHEETS = 1 << 12
_CASTS_AT = Fight.word("casts")
_MARK_CELLS = MarkRecord.word("cells")


def pack(state: FightState) -> Packed:
    """Returns a state as arrays.

    Raises:
        CapacityError: there is more in it than the arrays can hold.
        ValueError: it names a cell or a fighter that is not there.
    """
    parts = parts_of(state)
    s = whole_numbers(STATE)
    load(parts, s)
    return Packed(parts, s)


def parts_of(state: FightState) -> Parts:
    """Returns a state taken apart.

    Raises:
        CapacityError: there is more in it than the arrays can hold.
        ValueError: it names a cell or a fighter that is not there.
    """
    fighters = state.fighters
    check_count("fighters", len(fighters), MOST_FIGHTERS)
    check_count("turns in a round", len(state.order), MOST_FIGHTERS)
    check_count("glyphs and traps", len(state.marks), MOST_MARKS)
    if not 0 <= state.current < len(state.order):
        raise ValueError(f"turn {state.current} of {len(state.order)} in a round")
    numbers = {fighter.id: number for number, fighter in enumerate(fighters)}
    for fighter_id in state.order:
        _number_of(numbers, fighter_id, "the order of turns")
    parts = Parts(state, book_of(state), numbers, [], {}, {}, [], {}, {}, set(), [])
    for number, fighter in enumerate(fighters):
        if fighter.buffs:
            parts.buffs[number] = _buff_rows(parts, number, fighter)
        if fighter.casts:
            parts.casts[number] = _cast_rows(parts, number, fighter)
        parts.words.append(_fighter_words(parts, number, fighter))
    check_count("buffs and states", sum(map(len, parts.buffs.values())), MOST_BUFFS)
    check_count("casts in one turn", sum(map(len, parts.casts.values())), MOST_CASTS)
    for mark in state.marks:
        row = _mark_row(parts, mark)
        parts.mark_rows.append(row)
        parts.marks[row] = mark
        parts.areas[row[_MARK_CELLS:]] = mark.cells
    return parts


def load(parts: Parts, s: Any) -> None:
    """Writes a state into an array, its hash left out; what the array held before does not matter."""
    state, numbers = parts.state, parts.numbers
    buffs = list(chain.from_iterable(parts.buffs.values()))
    casts = list(chain.from_iterable(parts.casts.values()))
    order = [numbers[fighter_id] for fighter_id in state.order]
    counts = [len(parts.words), len(order), len(buffs), len(parts.mark_rows), len(casts)]
    head = [state.turn, state.current, *counts, 0, 0, MEANS, 1, 0, 0, 0, 0, 0]
    put_words(s, 0, words_of("turn", [*head, *order]))
    put_words(s, FIGHTERS_AT, array("i", b"".join(parts.words)))
    if casts:
        put_words(s, _CASTS_AT, words_of("a cast", chain.from_iterable(casts)))
    if buffs:
        put_words(s, BUFFS_AT, words_of("a buff", chain.from_iterable(buffs)))
    if parts.mark_rows:
        put_words(s, MARKS_AT, words_of("a mark", chain.from_iterable(parts.mark_rows)))


def _number_of(numbers: dict[int, int], fighter_id: int, what: str) -> int:
    number = numbers.get(fighter_id)
    if number is None:
        raise ValueError(f"{what} names fighter {fighter_id}, who is not in the fight")
    return number


def _stranger(parts: Parts, first: int, stranger: int | str) -> int:
    """Returns the number of a fighter or thing that is not in the fight."""
    parts.strangers.append(stranger)
    return first - len(parts.strangers) + 1


def _check_cell(cell: int, whose: str) -> None:
    if not 0 <= cell < CELLS:
        raise ValueError(f"{whose}: cell {cell} is off the board, cells go from 0 to {CELLS - 1}")


def _buff_rows(parts: Parts, number: int, fighter: Fighter) -> list[Row]:
    content = parts.book.content
    rows: list[Row] = []
    for buff in fighter.buffs:
        by = parts.numbers.get(buff.caster)
        if by is None:
            by = _stranger(parts, NOBODY_HERE, buff.caster)
        stat = STAT_NUMBERS.get(buff.stat)
        if stat is None:
            raise ValueError(f"{fighter.name} has a buff of {buff.stat!r}, which is no stat")
        state = -1 if buff.state is None else content.state_number(buff.state)
        effect = 0 if buff.effect is None else content.places[id(buff.effect)]
        if buff.stat or buff.state is not None:
            effect = -effect
        rows.append((number, by, buff.turns, stat, buff.amount, state, effect, buff.delay))
    return rows


def _cast_rows(parts: Parts, number: int, fighter: Fighter) -> list[Row]:
    slots = parts.book.content.slots[id(fighter.spells)]
    rows: list[Row] = []
    for key, target in fighter.casts:
        slot = slots.get(key)
        if slot is None:
            slot = _stranger(parts, NO_SLOT, key)
        aimed_at = -1 if target == -1 else parts.numbers.get(target)
        if aimed_at is None:
            aimed_at = _stranger(parts, NOBODY_HERE, target)
        rows.append((number, slot, aimed_at))
    return rows


def _fighter_words(parts: Parts, number: int, fighter: Fighter) -> bytes:
    content, spells = parts.book.content, fighter.spells
    kind = content.kind_number(fighter.name, fighter.kind, spells)
    _check_cell(fighter.cell, fighter.name)
    summoner = -1
    if fighter.summoner is not None:
        summoner = _number_of(parts.numbers, fighter.summoner, fighter.name)
    states = content.state_bits(fighter.states) if fighter.buffs else (0, 0)
    fields = (
        number, fighter.team, fighter.cell, fighter.level, fighter.hp, fighter.max_hp, fighter.ap, fighter.mp,
        fighter.base_ap, fighter.base_mp, fighter.shield, fighter.eroded, summoner, fighter.player,
        content.lists[id(spells)], kind, *states, fighter.id,
        content.species.number(fighter.kind, fighter.kind),
    )  # fmt: skip
    try:
        words = FIELDS.pack(*fields)
    except struct_error:
        check_numbers(fighter.name, list(fields))
        raise
    cooldowns = _cooldown_words(parts, number, fighter) if fighter.cooldowns else _NO_COOLDOWNS
    return words + _sheet(fighter.stats, fighter.name) + cooldowns


def _cooldown_words(parts: Parts, number: int, fighter: Fighter) -> bytes:
    slots = parts.book.content.slots[id(fighter.spells)]
    words = [0] * MOST_SPELLS
    for key, turns in fighter.cooldowns:
        slot = slots.get(key)
        if slot is None or turns <= 0:
            parts.slotless.add(number)
        elif turns > words[slot]:
            words[slot] = turns
    return words_of(fighter.name, words).tobytes()


def _sheet(stats: Stats, whose: str) -> bytes:
    """Returns the words of a sheet; the same objects come again and again."""
    known = _sheets.get(id(stats))
    if known is None:
        if len(_sheets) >= _MOST_SHEETS:
            _sheets.clear()
        known = _sheets[id(stats)] = stats, words_of(whose, stat_words(stats)).tobytes()
    return known[1]


_sheets: dict[int, tuple[Stats, bytes]] = {}
"""The words of sheets by the sheet's id, with the sheet, so that its id stays its own."""


def _mark_row(parts: Parts, mark: Mark) -> Row:
    whose = mark.name or mark.kind.value
    for cell in (mark.cell, *mark.cells):
        _check_cell(cell, whose)
    content = parts.book.content
    payload = content.payloads[id(mark.payload), mark.name] if mark.payload else 0
    kind, owner = MARK_KINDS.index(mark.kind), _number_of(parts.numbers, mark.owner, whose)
    name = content.names.number(mark.name, mark.name)
    return kind, owner, mark.cell, mark.turns, payload, name, 0, 0, *set_words(mark.cells)

"""A state of the fight as the array that the compiled rules work on, and back again, exact both ways.

Next hop: the rules run on `Packed.s` and on copies of it; `unpack` makes a state of what comes of it.
"""

from array import array
from collections.abc import Iterable
from itertools import chain
from struct import error as struct_error
from typing import Any

from botapp.fight.board import CELLS
from botapp.fight.core import layout as at
from botapp.fight.core.book import book_of
from botapp.fight.core.capacity import check_count, check_numbers
from botapp.fight.core.compiler import whole_numbers
from botapp.fight.core.content import STAT_NUMBERS, set_words, stat_words
from botapp.fight.core.packed import FIELDS, MARK_KINDS, NO_SLOT, NOBODY_HERE, Packed, Row
from botapp.fight.core.unpack import unpack
from botapp.fight.spells import Stats
from botapp.fight.state import Fighter, FightState, Mark

__all__ = ["Packed", "pack", "unpack"]

_NO_COOLDOWNS = bytes(4 * at.MOST_SPELLS)
_MOST_SHEETS = 1 << 12


def pack(state: FightState) -> Packed:
    """Returns a state as arrays.

    Raises:
        CapacityError: there is more in it than the arrays can hold.
        ValueError: it names a cell or a fighter that is not there.
    """
    fighters = state.fighters
    check_count("fighters", len(fighters), at.MOST_FIGHTERS)
    check_count("turns in a round", len(state.order), at.MOST_FIGHTERS)
    check_count("glyphs and traps", len(state.marks), at.MOST_MARKS)
    if not 0 <= state.current < len(state.order):
        raise ValueError(f"turn {state.current} of {len(state.order)} in a round")
    numbers = {fighter.id: number for number, fighter in enumerate(fighters)}
    packed = Packed(state, whole_numbers(at.STATE), book_of(state), numbers, [], {}, {}, {}, {}, [])
    for number, fighter in enumerate(fighters):
        if fighter.buffs:
            packed.buffs[number] = _buff_rows(packed, number, fighter)
        if fighter.casts:
            packed.casts[number] = _cast_rows(packed, number, fighter)
        packed.words.append(_fighter_words(packed, number, fighter))
    _write(packed, [_mark_row(packed, mark) for mark in state.marks])
    return packed


def _write(packed: Packed, marks: list[Row]) -> None:
    """Writes the state's array."""
    state, s, numbers = packed.state, packed.s, packed.numbers
    buffs = list(chain.from_iterable(packed.buffs.values()))
    casts = list(chain.from_iterable(packed.casts.values()))
    check_count("buffs and states", len(buffs), at.MOST_BUFFS)
    check_count("casts in one turn", len(casts), at.MOST_CASTS)
    order = [_number_of(packed, fighter_id, "the order of turns") for fighter_id in state.order]
    counts = [len(numbers), len(order), len(buffs), len(marks), len(casts)]
    head = [state.turn, state.current, *counts, 0, 0, at.MEANS, 1, 0, 0, 0, 0, 0]
    _put(s, 0, _array("turn", [*head, *order]))
    _put(s, at.FIRST, array("i", b"".join(packed.words)))
    if casts:
        _put(s, at.CAST_LIST, _array("a cast", chain.from_iterable(casts)))
    if buffs:
        _put(s, at.BUFF_LIST, _array("a buff", chain.from_iterable(buffs)))
    if marks:
        _put(s, at.MARK_LIST, _array("a mark", chain.from_iterable(marks)))


def _put(s: Any, place: int, words: "array[int]") -> None:
    s[place : place + len(words)] = words


def _array(what: str, numbers: Iterable[int]) -> "array[int]":
    words = list(numbers)
    try:
        return array("i", words)
    except OverflowError:
        check_numbers(what, words)
        raise


def _number_of(packed: Packed, fighter_id: int, what: str) -> int:
    number = packed.numbers.get(fighter_id)
    if number is None:
        raise ValueError(f"{what} names fighter {fighter_id}, who is not in the fight")
    return number


def _stranger(packed: Packed, first: int, stranger: int | str) -> int:
    """Returns what stands for somebody or something that is not in the fight."""
    packed.strangers.append(stranger)
    return first - len(packed.strangers) + 1


def _check_cell(cell: int, whose: str) -> None:
    if not 0 <= cell < CELLS:
        raise ValueError(f"{whose}: cell {cell} is off the board, cells go from 0 to {CELLS - 1}")


def _buff_rows(packed: Packed, number: int, fighter: Fighter) -> list[Row]:
    content = packed.book.content
    rows: list[Row] = []
    for buff in fighter.buffs:
        by = packed.numbers.get(buff.caster)
        if by is None:
            by = _stranger(packed, NOBODY_HERE, buff.caster)
        stat = STAT_NUMBERS.get(buff.stat)
        if stat is None:
            raise ValueError(f"{fighter.name} has a buff of {buff.stat!r}, which is no stat")
        state = -1 if buff.state is None else content.state_number(buff.state)
        effect = 0 if buff.effect is None else content.places[id(buff.effect)]
        if buff.stat or buff.state is not None:
            effect = -effect
        rows.append((number, by, buff.turns, stat, buff.amount, state, effect, buff.delay))
    return rows


def _cast_rows(packed: Packed, number: int, fighter: Fighter) -> list[Row]:
    slots = packed.book.content.slots[id(fighter.spells)]
    rows: list[Row] = []
    for key, target in fighter.casts:
        slot = slots.get(key)
        if slot is None:
            slot = _stranger(packed, NO_SLOT, key)
        aimed_at = -1 if target == -1 else packed.numbers.get(target)
        if aimed_at is None:
            aimed_at = _stranger(packed, NOBODY_HERE, target)
        rows.append((number, slot, aimed_at))
    return rows


def _fighter_words(packed: Packed, number: int, fighter: Fighter) -> bytes:
    content, spells = packed.book.content, fighter.spells
    kind = content.kind_number(fighter.name, fighter.kind, spells)
    _check_cell(fighter.cell, fighter.name)
    summoner = -1
    if fighter.summoner is not None:
        summoner = _number_of(packed, fighter.summoner, fighter.name)
    states = content.state_bits(fighter.states) if fighter.buffs else (0, 0)
    fields = (
        number, fighter.team, fighter.cell, fighter.level, fighter.hp, fighter.max_hp, fighter.ap, fighter.mp,
        fighter.base_ap, fighter.base_mp, fighter.shield, fighter.eroded, summoner, fighter.player,
        content.lists[id(spells)], kind, *states, fighter.id,
        content.species_number(fighter.kind),
    )  # fmt: skip
    try:
        words = FIELDS.pack(*fields)
    except struct_error:
        check_numbers(fighter.name, list(fields))
        raise
    cooldowns = _cooldown_words(packed, fighter) if fighter.cooldowns else _NO_COOLDOWNS
    return words + _sheet(fighter.stats, fighter.name) + cooldowns


def _cooldown_words(packed: Packed, fighter: Fighter) -> bytes:
    slots = packed.book.content.slots[id(fighter.spells)]
    words = [0] * at.MOST_SPELLS
    for key, turns in fighter.cooldowns:
        slot = slots.get(key)
        if slot is not None and turns > words[slot]:
            words[slot] = turns
    return _array(fighter.name, words).tobytes()


def _sheet(stats: Stats, whose: str) -> bytes:
    """Returns the words of a sheet; the same objects come again and again."""
    known = _sheets.get(id(stats))
    if known is None:
        if len(_sheets) >= _MOST_SHEETS:
            _sheets.clear()
        known = _sheets[id(stats)] = stats, _array(whose, stat_words(stats)).tobytes()
    return known[1]


_sheets: dict[int, tuple[Stats, bytes]] = {}
"""The words of sheets by the sheet's id, with the sheet, so that its id stays its own."""


def _mark_row(packed: Packed, mark: Mark) -> Row:
    whose = mark.name or mark.kind.value
    for cell in (mark.cell, *mark.cells):
        _check_cell(cell, whose)
    content = packed.book.content
    payload = content.payloads[id(mark.payload), mark.name] if mark.payload else 0
    area = tuple(set_words(mark.cells))
    row = (
        MARK_KINDS.index(mark.kind), _number_of(packed, mark.owner, whose), mark.cell, mark.turns, payload,
        content.name_number(mark.name), 0, 0, *area,
    )  # fmt: skip
    packed.marks[row] = mark
    packed.areas[area] = mark.cells
    return row

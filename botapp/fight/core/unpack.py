"""From the arrays back to a state: a fighter that did not change is the very object that was packed."""

from collections.abc import Iterable
from functools import lru_cache
from struct import Struct
from typing import Any

from botapp.fight.core.capacity import bytes_of
from botapp.fight.core.content import STAT_WORDS, cells_in
from botapp.fight.core.fight import (
    BUFF_WORDS,
    BUFFS_AT,
    FIGHTER_WORDS,
    FIGHTERS_AT,
    MARK_WORDS,
    MARKS_AT,
    MOST_SPELLS,
    STAT_COUNT,
    STAT_NAMES,
    CastDone,
    Fight,
)
from botapp.fight.core.fight import Fighter as FighterRecord
from botapp.fight.core.fight import Mark as MarkRecord
from botapp.fight.core.packed import (
    FIELDS,
    MARK_KINDS,
    NO_SLOT,
    NOBODY_HERE,
    FighterRow,
    HeadRow,
    Packed,
    Parts,
    Row,
)
from botapp.fight.core.spellbook import Effect
from botapp.fight.spells import Buff, Stats
from botapp.fight.state import Fighter, FightState, Mark

_WORD = 4
_FIRST, _SIZE = _WORD * FIGHTERS_AT, _WORD * FIGHTER_WORDS
_CASTS_AT = Fight.word("casts")
_HEAD = Struct(f"{_CASTS_AT}i")
_HEAD_WORDS = len(HeadRow._fields)
_STATS_FROM, _STATS_UNTIL = _WORD * FighterRecord.word("stats"), _WORD * FighterRecord.word("cooldowns")
_PLAIN = STAT_NAMES.index("neutral_resistance")
"""Numbers of a sheet before its resistances."""
_NEWER = STAT_NAMES[_PLAIN + 10 :]
"""Those behind them."""
_SHEET, _COOLDOWNS = Struct(f"{STAT_COUNT}i"), Struct(f"{MOST_SPELLS}i")
_CAST, _BUFF, _MARK = Struct(f"{CastDone.SIZE}i"), Struct(f"{BUFF_WORDS}i"), Struct(f"{MARK_WORDS}i")
_MARK_ORIGIN, _MARK_CELLS = MarkRecord.word("origin"), MarkRecord.word("cells")
_EFFECT_NUMBER = Effect.word("number")


def unpack(packed: Packed, s: Any) -> FightState:
    """Returns the state that an array stands for.

    Args:
        packed: a state that was packed.
        s: its array, or one that the rules have made of it.
    """
    return follow(packed.parts, s).state


def follow(parts: Parts, s: Any) -> Parts:
    """Returns the state that an array stands for, taken apart again.

    Args:
        parts: a state.
        s: the array that the rules have made of its own.
    """
    return _Unpacking(parts, s).parts()


class _Unpacking:
    """One array on its way back.

    Attributes:
        before: the state that it began with.
        head: the array's words before the casts.
        words: each fighter's words.
        ids: the fighters' ids, by number.
        order: numbers of the fighters in the order of turns.
        buffs, casts: rows of both lists by the fighter's number.
        mark_rows: rows of the marks.
    """

    def __init__(self, before: Parts, s: Any) -> None:
        self.before = before
        count = int(Fight(s).fighter_count)
        data = bytes_of(s, 0, FIGHTERS_AT + count * FIGHTER_WORDS)
        words = _HEAD.unpack_from(data)
        self.head = head = HeadRow._make(words[:_HEAD_WORDS])
        self.words = [data[start : start + _SIZE] for start in range(_FIRST, len(data), _SIZE)]
        self.ids = [fighter.id for fighter in before.state.fighters]
        if count > len(self.ids):
            self.ids += [
                FighterRow._make(FIELDS.unpack_from(words)).id for words in self.words[len(self.ids) :]
            ]
        self.order = words[_HEAD_WORDS : _HEAD_WORDS + head.turn_count]
        self.casts = _by_fighter(_CAST.iter_unpack(_cut(data, _CASTS_AT, head.cast_count * CastDone.SIZE)))
        self.buffs: dict[int, list[Row]] = {}
        if head.buff_count:
            buffs = bytes_of(s, BUFFS_AT, head.buff_count * BUFF_WORDS)
            self.buffs = _by_fighter(_BUFF.iter_unpack(buffs))
        self.mark_rows: list[Row] = []
        if head.mark_count:
            marks = bytes_of(s, MARKS_AT, head.mark_count * MARK_WORDS)
            self.mark_rows = list(_MARK.iter_unpack(marks))

    def parts(self) -> Parts:
        """Returns the state, taken apart."""
        before = self.before
        marks = {row: self._mark(row) for row in self.mark_rows}
        state = before.state.changed(
            fighters=self._fighters(),
            order=tuple([self.ids[number] for number in self.order]),
            current=self.head.current,
            turn=self.head.turn,
            marks=tuple([marks[row] for row in self.mark_rows]),
        )
        return Parts(
            state=state,
            book=before.book,
            numbers={fighter_id: number for number, fighter_id in enumerate(self.ids)},
            words=self.words,
            buffs=self.buffs,
            casts=self.casts,
            mark_rows=self.mark_rows,
            marks=marks,
            areas={row[_MARK_CELLS:]: mark.cells for row, mark in marks.items()},
            slotless=before.slotless,
            strangers=before.strangers,
        )

    def _fighters(self) -> tuple[Fighter, ...]:
        before = self.before
        touched = {
            *before.slotless,
            *_differing(self.buffs, before.buffs),
            *_differing(self.casts, before.casts),
        }
        fighters = [
            fighter if words == known and number not in touched else self._changed(number)
            for number, (fighter, words, known) in enumerate(
                zip(before.state.fighters, self.words, before.words, strict=False)
            )
        ]
        if len(fighters) < len(self.ids):
            fighters += [self._called(number) for number in range(len(fighters), len(self.ids))]
        return tuple(fighters)

    def _changed(self, number: int) -> Fighter:
        """Returns a fighter who may have changed, the very object where it has not."""
        parts, words = self.before, self.words[number]
        before = parts.state.fighters[number]
        same_words = words == parts.words[number]
        buffs, casts, cooldowns = before.buffs, before.casts, before.cooldowns
        if self.buffs.get(number) != parts.buffs.get(number):
            buffs = self._buffs(number)
        if self.casts.get(number) != parts.casts.get(number):
            casts = self._casts(number, before)
        if not same_words or number in parts.slotless:
            cooldowns = self._cooldowns(number, words, before)
        if same_words and buffs is before.buffs and casts is before.casts and cooldowns is before.cooldowns:
            return before
        sheet = words[_STATS_FROM:_STATS_UNTIL]
        same_sheet = sheet == parts.words[number][_STATS_FROM:_STATS_UNTIL]
        return before.changed(
            **self._fields(words),
            stats=before.stats if same_sheet else _stats(sheet),
            buffs=buffs,
            casts=casts,
            cooldowns=cooldowns,
        )

    def _called(self, number: int) -> Fighter:
        """Returns a fighter who was called after the state was packed."""
        words = self.words[number]
        name, kind, spells = self.before.book.content.kinds[FighterRow._make(FIELDS.unpack_from(words)).kind]
        fighter = Fighter(
            id=self.ids[number],
            name=name,
            kind=kind,
            spells=spells,
            stats=_stats(words[_STATS_FROM:_STATS_UNTIL]),
            buffs=self._buffs(number),
            **self._fields(words),
        )
        return fighter.changed(
            casts=self._casts(number, fighter), cooldowns=self._cooldowns(number, words, fighter)
        )

    def _fields(self, words: bytes) -> dict[str, Any]:
        row = FighterRow._make(FIELDS.unpack_from(words))
        return {
            "team": row.team,
            "cell": row.cell,
            "level": row.level,
            "hp": row.hp,
            "max_hp": row.max_hp,
            "ap": row.ap,
            "mp": row.mp,
            "base_ap": row.base_ap,
            "base_mp": row.base_mp,
            "shield": row.shield,
            "eroded": row.eroded,
            "summoner": None if row.summoner < 0 else self.ids[row.summoner],
            "player": row.player != 0,
        }

    def _who(self, number: int) -> Any:
        """Returns the id of a fighter, be it one that is not in the fight."""
        return self.ids[number] if number >= 0 else self.before.strangers[NOBODY_HERE - number]

    def _word(self, place: int) -> int:
        return int(self.before.book.b[place])

    def _buffs(self, number: int) -> tuple[Buff, ...]:
        content = self.before.book.content
        states = content.states
        return tuple(
            [
                Buff(
                    self._who(by),
                    turns,
                    STAT_WORDS[stat],
                    amount,
                    None if state < 0 else states[state],
                    content.effects[self._word(abs(effect) + _EFFECT_NUMBER)] if effect else None,
                    delay,
                )
                for _, by, turns, stat, amount, state, effect, delay in self.buffs.get(number, ())
            ]
        )

    def _casts(self, number: int, fighter: Fighter) -> tuple[tuple[str, int], ...]:
        spells = fighter.spells
        return tuple(
            [
                (
                    spells[slot].key if slot >= 0 else str(self.before.strangers[NO_SLOT - slot]),
                    target if target == -1 else self._who(target),
                )
                for _, slot, target in self.casts.get(number, ())
            ]
        )

    def _cooldowns(self, number: int, words: bytes, before: Fighter) -> tuple[tuple[str, int], ...]:
        """Returns the turns left of each spell: those known before in their order, then the others by slot.

        What stands for none of the fighter's spells, or for no turns, has no slot: it ages as turns go by.
        """
        parts = self.before
        slots = parts.book.content.slots[id(before.spells)]
        ended = self._turns_ended(number) if number in parts.slotless else 0
        now = words[_STATS_UNTIL:]
        if number < len(parts.words) and not ended and now == parts.words[number][_STATS_UNTIL:]:
            return before.cooldowns
        turns_left = _COOLDOWNS.unpack(now)
        left = {spell.key: turns_left[slot] for slot, spell in enumerate(before.spells) if turns_left[slot]}
        cooldowns = {}
        for key, turns in before.cooldowns:
            if key in left:
                cooldowns[key] = left[key]
            elif (turns <= 0 or key not in slots) and (not ended or turns > ended):
                cooldowns[key] = turns - ended
        return tuple((cooldowns | left).items())

    def _turns_ended(self, number: int) -> int:
        """Returns how many turns of a fighter have ended since the state was packed."""
        before = self.before.state
        fighter_id = before.fighters[number].id
        if fighter_id not in before.order:
            return 0
        had_been = before.order.index(fighter_id) < before.current
        has_been = self.order.index(number) < self.head.current
        rounds = self.head.turn - before.turn
        return rounds + has_been - had_been

    def _mark(self, row: Row) -> Mark:
        known = self.before.marks.get(row)
        if known is not None:
            return known
        kind, owner, cell, turns, payload, name = row[:_MARK_ORIGIN]
        content = self.before.book.content
        return Mark(
            kind=MARK_KINDS[kind],
            owner=self.ids[owner],
            cell=cell,
            cells=self.before.areas.get(row[_MARK_CELLS:]) or cells_in(row[_MARK_CELLS:]),
            turns=turns,
            payload=content.payloads_at[payload],
            name=content.names[name],
        )


def _cut(data: bytes, place: int, count: int) -> bytes:
    """Returns `count` words of an array that is given as bytes."""
    return data[_WORD * place : _WORD * (place + count)]


def _differing(rows: dict[int, list[Row]], before: dict[int, list[Row]]) -> list[int]:
    """Returns the numbers of the fighters whose rows are other ones than before."""
    if rows == before:
        return []
    return [number for number in {*rows, *before} if rows.get(number) != before.get(number)]


def _by_fighter(rows: Iterable[Row]) -> dict[int, list[Row]]:
    rows_by_number: dict[int, list[Row]] = {}
    for row in rows:
        rows_by_number.setdefault(row[0], []).append(row)
    return rows_by_number


@lru_cache(maxsize=1 << 12)
def _stats(sheet: bytes) -> Stats:
    words = _SHEET.unpack(sheet)
    plain = dict(zip(STAT_NAMES[:_PLAIN], words[:_PLAIN], strict=True))
    resistance, fixed = words[_PLAIN : _PLAIN + 5], words[_PLAIN + 5 : _PLAIN + 10]
    newer = dict(zip(_NEWER, words[_PLAIN + 10 :], strict=True))
    return Stats(**plain, **newer, resistance=resistance, fixed_resistance=fixed)

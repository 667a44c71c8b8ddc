"""From the arrays back to a state: whoever did not change is the very object that was packed.

Next hop: `botapp.fight.rules` hands the state out.
"""

from array import array
from collections.abc import Iterable
from functools import lru_cache
from struct import Struct
from typing import Any

from botapp.fight.board import CELLS
from botapp.fight.core import layout as at
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.core.content import STAT_NUMBERS, WORD_BITS
from botapp.fight.core.packed import FIELDS, MARK_KINDS, NO_SLOT, NOBODY_HERE, Packed, Row
from botapp.fight.spells import Buff, Stats
from botapp.fight.state import Fighter, FightState, Mark

_WORD = 4
_STATS_FROM, _STATS_UNTIL = _WORD * at.STATS, _WORD * at.COOLDOWNS
_PLAIN = at.RESISTANCE - at.STATS
"""Numbers of a sheet before its resistances."""
_SHEET, _COOLDOWNS = Struct(f"{at.STAT_COUNT}i"), Struct(f"{at.MOST_SPELLS}i")
_CAST, _BUFF, _MARK = Struct(f"{at.CAST}i"), Struct(f"{at.BUFF}i"), Struct(f"{at.MARK}i")
_STAT_NAMES = {number: name for name, number in STAT_NUMBERS.items()}


def unpack(packed: Packed, s: Any) -> FightState:
    """Returns the state that an array stands for.

    Args:
        packed: a state that was packed.
        s: its array, or one that the rules have made of it.
    """
    return _Unpacking(packed, s).state()


class _Unpacking:
    """One array on its way back.

    Attributes:
        words: those of all fighters.
        ids: the fighters' ids, by number.
        order: numbers of the fighters in the order of turns.
        buffs, casts: rows of both lists by the fighter's number.
    """

    def __init__(self, packed: Packed, s: Any) -> None:
        self.packed = packed
        self.s = s
        self.words = _bytes_of(s, at.FIRST, s[at.FIGHTERS] * at.FIGHTER)
        self.ids = [fighter.id for fighter in packed.state.fighters]
        self.ids += array("i", self.words)[len(self.ids) * at.FIGHTER + at.ID :: at.FIGHTER]
        self.order = array("i", _bytes_of(s, at.ORDER, s[at.ORDERED])).tolist()
        self.buffs = _by_fighter(_BUFF.iter_unpack(_bytes_of(s, at.BUFF_LIST, s[at.BUFFS] * at.BUFF)))
        self.casts = _by_fighter(_CAST.iter_unpack(_bytes_of(s, at.CAST_LIST, s[at.CASTS] * at.CAST)))

    def state(self) -> FightState:
        """Returns the state."""
        s, size = self.s, _WORD * at.FIGHTER
        fighters = [
            self._fighter(number, self.words[number * size : (number + 1) * size])
            for number in range(len(self.ids))
        ]
        marks = _MARK.iter_unpack(_bytes_of(s, at.MARK_LIST, s[at.MARKS] * at.MARK))
        return self.packed.state.changed(
            fighters=tuple(fighters),
            order=tuple([self.ids[number] for number in self.order]),
            current=int(s[at.CURRENT]),
            turn=int(s[at.TURN]),
            marks=tuple([self._mark(row) for row in marks]),
        )

    def _fighter(self, number: int, words: bytes) -> Fighter:
        packed = self.packed
        if number >= len(packed.words):
            return self._called(number, words)
        before = packed.state.fighters[number]
        same_words = words == packed.words[number]
        buffs, casts, cooldowns = before.buffs, before.casts, before.cooldowns
        if self.buffs.get(number) != packed.buffs.get(number):
            buffs = self._buffs(number)
        if self.casts.get(number) != packed.casts.get(number):
            casts = self._casts(number, before)
        if cooldowns or not same_words:
            cooldowns = self._cooldowns(number, words, before)
        if same_words and buffs is before.buffs and casts is before.casts and cooldowns is before.cooldowns:
            return before
        sheet = words[_STATS_FROM:_STATS_UNTIL]
        same_sheet = sheet == packed.words[number][_STATS_FROM:_STATS_UNTIL]
        return before.changed(
            **self._fields(words),
            stats=before.stats if same_sheet else _stats(sheet),
            buffs=buffs,
            casts=casts,
            cooldowns=cooldowns,
        )

    def _called(self, number: int, words: bytes) -> Fighter:
        """Returns a fighter who was called after the state was packed."""
        name, kind, spells = self.packed.book.content.kinds[FIELDS.unpack_from(words)[at.KIND]]
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
        fields = FIELDS.unpack_from(words)
        summoner = fields[at.SUMMONER]
        return {
            "team": fields[at.TEAM],
            "cell": fields[at.CELL],
            "level": fields[at.LEVEL],
            "hp": fields[at.HP],
            "max_hp": fields[at.MAX_HP],
            "ap": fields[at.AP],
            "mp": fields[at.MP],
            "base_ap": fields[at.BASE_AP],
            "base_mp": fields[at.BASE_MP],
            "shield": fields[at.SHIELD],
            "eroded": fields[at.ERODED],
            "summoner": None if summoner < 0 else self.ids[summoner],
            "player": fields[at.PLAYER] != 0,
        }

    def _who(self, number: int) -> Any:
        """Returns the id of a fighter, be it one that is not in the fight."""
        return self.ids[number] if number >= 0 else self.packed.strangers[NOBODY_HERE - number]

    def _word(self, place: int) -> int:
        return int(self.packed.book.b[place])

    def _buffs(self, number: int) -> tuple[Buff, ...]:
        content = self.packed.book.content
        states = content.states
        return tuple(
            [
                Buff(
                    self._who(by),
                    turns,
                    _STAT_NAMES[stat],
                    amount,
                    None if state < 0 else states[state],
                    content.effects[self._word(abs(effect) + at.EFFECT_NUMBER)] if effect else None,
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
                    spells[slot].key if slot >= 0 else str(self.packed.strangers[NO_SLOT - slot]),
                    target if target == -1 else self._who(target),
                )
                for _, slot, target in self.casts.get(number, ())
            ]
        )

    def _cooldowns(self, number: int, words: bytes, before: Fighter) -> tuple[tuple[str, int], ...]:
        """Returns the turns left of each spell: those known before in their order, then the others by slot.

        What stands for none of the fighter's spells, or for no turns, has no slot: it ages as turns go by.
        """
        packed = self.packed
        slots = packed.book.content.slots[id(before.spells)]
        slotless = any(turns <= 0 or key not in slots for key, turns in before.cooldowns)
        ended = self._turns_ended(number) if slotless else 0
        now = words[_STATS_UNTIL:]
        if number < len(packed.words) and not ended and now == packed.words[number][_STATS_UNTIL:]:
            return before.cooldowns
        turns_left = _COOLDOWNS.unpack(now)
        left = {spell.key: turns_left[slot] for slot, spell in enumerate(before.spells) if turns_left[slot]}
        kept = {}
        for key, turns in before.cooldowns:
            if key in left:
                kept[key] = left[key]
            elif (turns <= 0 or key not in slots) and (not ended or turns > ended):
                kept[key] = turns - ended
        return tuple((kept | left).items())

    def _turns_ended(self, number: int) -> int:
        """Returns how many turns of a fighter have ended since the state was packed."""
        before = self.packed.state
        fighter_id = before.fighters[number].id
        if fighter_id not in before.order:
            return 0
        had_been = before.order.index(fighter_id) < before.current
        has_been = self.order.index(number) < int(self.s[at.CURRENT])
        rounds = int(self.s[at.TURN]) - before.turn
        return rounds + has_been - had_been

    def _mark(self, row: Row) -> Mark:
        known = self.packed.marks.get(row)
        if known is not None:
            return known
        kind, owner, cell, turns, payload, name = row[: at.MARK_ORIGIN]
        content = self.packed.book.content
        return Mark(
            kind=MARK_KINDS[kind],
            owner=self.ids[owner],
            cell=cell,
            cells=self.packed.areas.get(row[at.MARK_CELLS :]) or _cells_in(row[at.MARK_CELLS :]),
            turns=turns,
            payload=content.payloads_at[payload],
            name=content.names[name],
        )


def _bytes_of(s: Any, start: int, count: int) -> bytes:
    part = s[start : start + count]
    return array("i", part).tobytes() if INTERPRETED else part.tobytes()


def _by_fighter(rows: Iterable[Row]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


@lru_cache(maxsize=1 << 12)
def _stats(sheet: bytes) -> Stats:
    words = _SHEET.unpack(sheet)
    plain = dict(zip(at.STAT_NAMES[:_PLAIN], words[:_PLAIN], strict=True))
    resistance, fixed = words[_PLAIN : _PLAIN + 5], words[_PLAIN + 5 : _PLAIN + 10]
    return Stats(**plain, resistance=resistance, fixed_resistance=fixed)


def _cells_in(words: Row) -> tuple[int, ...]:
    """Returns the cells of a set, in ascending order."""
    return tuple(cell for cell in range(CELLS) if words[cell // WORD_BITS] >> cell % WORD_BITS & 1)

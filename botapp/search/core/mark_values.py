"""The value of a glyph or a trap: what it may be expected to do to everyone alive, in HP.

Next hop: `botapp.search.core.static` adds it to the value of a state.
"""

from typing import Any

from botapp.fight.core.cells import distance, has_cell
from botapp.fight.core.compiler import array_of, compiled
from botapp.fight.core.layout import (
    BASE_AP,
    CELL,
    ERODED,
    FIGHTER,
    FIGHTERS,
    FIRST,
    GLYPH,
    HP,
    KIND,
    MARK_BY,
    MARK_CELL,
    MARK_CELLS,
    MARK_KIND,
    MARK_PAYLOAD,
    MAX_HP,
    NUMBER,
    PLAYER,
    SPELLS,
    STATES,
    TEAM,
)
from botapp.search.core.act_values import payload_value
from botapp.search.core.evaluation_layout import MARKED_TAGS, PAYLOAD_SLOTS, PAYLOADS, SIDE
from botapp.search.core.tags import mixed, stats_tag

_IN_GLYPH = 0.9
_NEAR_GLYPH = 0.1
_NEAR = 3
_TRAP_PERCENT = array_of((0, 50, 45, 35, 30, 20, 15))
_FAR_TRAP = 0.05


@compiled
def forget_marked(s: Any, e: Any) -> None:
    """Forgets the tags of those whom marks act on: a state is evaluated that differs from the one before."""
    for number in range(s[FIGHTERS]):
        e[MARKED_TAGS + number] = -1.0


@compiled
def mark_value(s: Any, b: Any, e: Any, mark: int) -> float:
    """Returns the value of a mark to the side; one that does nothing, or whose owner is nobody, has none.

    The tags that `forget_marked` forgets are those of this state, as far as they are known.
    """
    if s[mark + MARK_BY] < 0 or s[mark + MARK_PAYLOAD] == 0:
        return 0.0
    owner = FIRST + s[mark + MARK_BY] * FIGHTER
    tag = mixed(stats_tag(s, owner), s[mark + MARK_PAYLOAD] << 6 | s[mark + MARK_BY])
    total = 0.0
    for number in range(s[FIGHTERS]):
        f = FIRST + number * FIGHTER
        if s[f + HP] > 0:
            chance = _chance(s, mark, s[owner + TEAM], s[f + TEAM], s[f + CELL])
            if chance > 0.0:
                does = chance * _payload(s, b, e, mark, owner, f, tag)
                total += does if s[f + TEAM] == e[SIDE] else -does
    return total


@compiled
def _chance(s: Any, mark: int, owners: int, team: int, cell: int) -> float:
    """Returns how likely a mark is to act on someone of a team on a cell within its next turn."""
    far = distance(cell, s[mark + MARK_CELL])
    if s[mark + MARK_KIND] == GLYPH:
        if has_cell(s, mark + MARK_CELLS, cell):
            return _IN_GLYPH
        return _NEAR_GLYPH if team != owners and far <= _NEAR else 0.0
    if team == owners:
        return 0.0
    return _TRAP_PERCENT[far] / 100 if far < len(_TRAP_PERCENT) else _FAR_TRAP


@compiled
def _payload(s: Any, b: Any, e: Any, mark: int, owner: int, f: int, whose: int) -> float:
    """Returns what a mark does to someone it acts on, in HP: more is better for that one.

    Args:
        s: the state.
        b: the book.
        e: the evaluation.
        mark: the mark.
        owner: who laid it.
        f: who it acts on.
        whose: tag of the mark's payload and its owner.
    """
    tag = mixed(whose, _marked_tag(s, e, f))
    at = PAYLOADS + 2 * (tag % PAYLOAD_SLOTS)
    if e[at] != tag:
        e[at + 1] = payload_value(s, b, e, s[mark + MARK_PAYLOAD], owner, f)
        e[at] = tag
    return e[at + 1]


@compiled
def _marked_tag(s: Any, e: Any, f: int) -> int:
    """Returns the tag of what matters of someone whom marks act on, worked out once for each state."""
    at = MARKED_TAGS + s[f + NUMBER]
    if e[at] < 0.0:
        fixed = s[f + SPELLS] << 8 | s[f + NUMBER] << 2 | s[f + TEAM] << 1 | s[f + PLAYER]
        who = mixed(mixed(stats_tag(s, f), fixed), s[f + KIND] << 10 | s[f + BASE_AP])
        body = mixed(mixed(s[f + HP] << 20 ^ s[f + MAX_HP], s[f + ERODED]), s[f + STATES])
        e[at] = mixed(who, body)
    return int(e[at])

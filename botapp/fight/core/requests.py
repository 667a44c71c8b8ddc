"""The one entry through which Python asks the compiled rules: one entry is compiled once, and loaded once.

Next hop: `botapp.fight.workspace`.
"""

from typing import Any

from botapp.fight.core.actions import cast, end, start_action, walk
from botapp.fight.core.casting import (
    AIM_SET,
    SEEN_SET,
    aims_into,
    hindrance,
    max_range,
    refusal,
    spell_at,
)
from botapp.fight.core.cells import cells_into, clear_set, copy_set, join, keep_common, ring_into
from botapp.fight.core.compiler import compiled, entry
from botapp.fight.core.expected import expect
from botapp.fight.core.hashing import rehash
from botapp.fight.core.layout import (
    CELL,
    DICE,
    EFFECTS_AT,
    IN_LINE,
    MIN_RANGE,
    NEEDS_SIGHT,
    ON_DIAGONAL,
    QUEUE,
    ROLLS,
    SEED,
    SPELL_EFFECTS,
    SPELL_FLAGS,
    WALKABLE,
)
from botapp.fight.core.legal import legal_sets, play_randomly
from botapp.fight.core.sight import seen_from, view_into
from botapp.fight.core.states import actor, copy_state, fighter_at, winner
from botapp.fight.core.turns import begin
from botapp.fight.core.walking import reach
from botapp.fight.core.watching import try_actions
from botapp.fight.core.zones import zone_into

(START, REHASH, WINNER, CAST, WALK, END, BEGIN, REACH, LEGAL, HINDRANCE, REFUSAL, RANGE, AIMS, COVERED,
 EXPECT, SEEN, LIST, PLAY, TRY) = range(19)  # fmt: skip


@entry
def ask(what: int, s: Any, t: Any, b: Any, e: Any, p: Any, x: int, y: int, z: int) -> int:
    """Does what the rules are asked for; `x` is a fighter's number where it says nothing else.

    Args:
        what: which one:
            `START` makes `s` the state `t`; `REHASH` works out its hash; `WINNER` returns who has won it;
            `CAST` lets the actor cast the spell in slot `x` at the cell `y`; `WALK` lets it walk the way in
            `WAY` and returns a condition; `END` ends its turn, `BEGIN` begins it;
            `REACH` finds where a fighter can walk; `LEGAL` where the actor can, and the `legal_sets`;
            `HINDRANCE` returns what keeps a fighter from casting the spell in slot `y`, `REFUSAL` from
            casting it at the cell `z`;
            `RANGE` writes the walkable cells in that spell's range to `AIM_SET`, those of them that are seen
            to `SEEN_SET`, and returns its longest range; `AIMS` the cells that it may be cast at to
            `AIM_SET`; `COVERED` those that it covers when it is cast at the cell `z`; `EXPECT` to `e` what
            it is expected to do there;
            `SEEN` writes the cells seen from the cell `x` to `AIM_SET`;
            `LIST` the cells of the set at `x` to `QUEUE`, and returns how many they are;
            `PLAY` plays the state `t` on at random in `s`, at most `x` actions with dice rolled from the
            seed `y`, and returns how many.
            `TRY` tries the actions `x` against what is seen, `y` being whether to end turns until it is the
            one seen, and returns how many answers it has written, see `botapp.fight.core.watching`.
        s: the state to work on.
        t: another one, for `START`, `PLAY` and `TRY`.
        b: the book.
        e: numbers with decimals, for `EXPECT` and `TRY`.
        p: what is seen, for `TRY`.
        x, y, z: see above.
    """
    if what == START:
        copy_state(s, t)
    elif what == REHASH:
        rehash(s)
    elif what == WINNER:
        return winner(s)
    elif what == CAST:
        cast(s, b, x, y)
    elif what == WALK:
        return walk(s, b)
    elif what == END:
        end(s, b)
    elif what == BEGIN:
        start_action(s)
        begin(s, b, actor(s))
    elif what == LEGAL:
        reach(s, b, actor(s))
        legal_sets(s, b)
    elif what == SEEN:
        copy_set(s, AIM_SET, b, seen_from(b, x))
    elif what == LIST:
        return cells_into(s, x, s, QUEUE)
    elif what == PLAY:
        copy_state(s, t)
        s[DICE] = ROLLS
        s[SEED] = y
        return play_randomly(s, b, x)
    elif what == TRY:
        return try_actions(s, t, b, p, e, x, y != 0)
    else:
        return _about(what, s, b, e, fighter_at(x), y, z)
    return 0


@compiled
def _about(what: int, s: Any, b: Any, e: Any, f: int, slot: int, cell: int) -> int:
    """Does what is asked about a fighter and one of its spells."""
    if what == REACH:
        reach(s, b, f)
    elif what == HINDRANCE:
        return hindrance(s, b, f, slot)
    elif what == REFUSAL:
        return refusal(s, b, f, slot, cell)
    elif what == RANGE:
        return _range(s, b, f, spell_at(s, b, f, slot))
    elif what == AIMS:
        aims_into(s, b, f, slot, AIM_SET)
    elif what == COVERED:
        _cover(s, b, f, spell_at(s, b, f, slot), cell)
    elif what == EXPECT:
        expect(s, b, f, spell_at(s, b, f, slot), cell, e)
    return 0


@compiled
def _range(s: Any, b: Any, f: int, spell: int) -> int:
    flags, high = b[spell + SPELL_FLAGS], max_range(s, b, f, spell)
    low, straight, diagonal = b[spell + MIN_RANGE], flags & IN_LINE != 0, flags & ON_DIAGONAL != 0
    ring_into(s, AIM_SET, s[f + CELL], low, high, straight, diagonal)
    keep_common(s, AIM_SET, b, WALKABLE)
    if flags & NEEDS_SIGHT:
        view_into(s, b, f, high, SEEN_SET)
        keep_common(s, SEEN_SET, s, AIM_SET)
    else:
        copy_set(s, SEEN_SET, s, AIM_SET)
    return high


@compiled
def _cover(s: Any, b: Any, f: int, spell: int, target: int) -> None:
    clear_set(s, AIM_SET)
    for index in range(b[spell + SPELL_EFFECTS]):
        zone_into(s, b, b[b[spell + EFFECTS_AT] + index], s[f + CELL], target, SEEN_SET)
        join(s, AIM_SET, s, SEEN_SET)
    keep_common(s, AIM_SET, b, WALKABLE)

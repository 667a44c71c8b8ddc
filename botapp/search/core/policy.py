"""The default policy of rollouts: greedily the cast of the largest expected gain, else a walk.

Every spell's effects come from the rules and are valued by one static evaluation, so that no kind of spell is
left out. Next hop: `botapp.search.core.rollouts`, and the `greedy` player.
"""

from typing import Any

from botapp.fight.core.actions import cast
from botapp.fight.core.cells import add_cell, cells_into, clear_set, has_cell, join
from botapp.fight.core.compiler import compiled, entry
from botapp.fight.core.layout import (
    AP,
    CELL,
    DICE,
    MEANS,
    MP,
    REACH_AP,
    REACH_CELLS,
    REACH_COUNT,
    REACH_MP,
    SET,
    SETS,
    SPELL_AP,
    SPELL_USE,
    SPELLS,
    TEAM,
    USE_HARMS,
)
from botapp.fight.core.states import actor, copy_state
from botapp.fight.core.walking import reach
from botapp.search.core.evaluation_layout import SIDE
from botapp.search.core.generation import sensible_casts, stands
from botapp.search.core.static import score
from botapp.search.core.steps import UNREACHED, distance_wanted, nearest_foe, step
from botapp.search.core.styles import preference, style_of
from botapp.search.core.work import CAST, CASTS, FOUND, KEYS, LIKING, MOST_KEYS, STAND, STANDS, sort_cells

END, WALK, CAST_SPELL = 0, 1, 2
"""What the policy chooses."""

_LEAST_GAIN = 0.5
"""Gain in HP below which a cast is not made."""

_WITHIN = SETS + 20 * SET
_USEFUL = SETS + 21 * SET


@entry
def choose(s: Any, b: Any, t: Any, e: Any, w: Any, styles: Any) -> tuple[int, int, int]:
    """Returns the current actor's choice; the state stays as it is, its scratch holds the actor's `reach`.

    Args:
        s: a state still fought in.
        b: the book.
        t: room for a second state.
        e: the static evaluation, prepared for a state that this one follows from.
        w: the work array.
        styles: the play styles.

    Returns:
        `END`, `WALK` or `CAST_SPELL`; the spell's slot or -1; the cell to walk to or to aim at, or -1.
    """
    f = actor(s)
    style = style_of(s, f)
    spells = s[f + SPELLS]
    reach(s, b, f)
    slot = target = place = stand_slot = -1
    value = stand_value = 0.0
    if s[f + AP] > 0:
        sign = 1.0 if s[f + TEAM] == e[SIDE] else -1.0
        before = sign * score(s, b, e, True)
        slot, target, value = _best_cast(s, b, t, e, w, styles, style, sign, before)
        if s[REACH_COUNT] > 0:
            stand_slot, place, stand_value = _best_stand(s, b, t, e, w, styles, style, sign, before)
    if place >= 0:
        if slot < 0 or stand_value > value:
            return WALK, -1, place
        if _strikes(b, spells, stand_slot) and not _strikes(b, spells, slot):
            return WALK, -1, place
    if slot >= 0:
        return CAST_SPELL, slot, target
    place = step(s, b, w, styles, style, f)
    return (WALK, -1, place) if place >= 0 else (END, -1, -1)


@compiled
def _strikes(b: Any, spells: int, slot: int) -> bool:
    return b[b[spells + 1 + slot] + SPELL_USE] & USE_HARMS != 0


@compiled
def _best_cast(
    s: Any, b: Any, t: Any, e: Any, w: Any, styles: Any, style: int, sign: float, before: float
) -> tuple[int, int, float]:
    """Returns slot, target and gain per AP of the best cast from where the actor stands; -1 for none."""
    f = actor(s)
    spells = s[f + SPELLS]
    best = target = -1
    value = 0.0
    for i in range(sensible_casts(s, b, w, w, CASTS)):
        slot, cell = int(w[CASTS + i * CAST]), int(w[CASTS + i * CAST + 1])
        spell = b[spells + 1 + slot]
        copy_state(t, s)
        after = _score_after(b, t, e, slot, cell)
        gain = (sign * after - before) * preference(styles, style, b[spell + SPELL_USE])
        per_ap = gain / max(1, b[spell + SPELL_AP])
        if gain > _LEAST_GAIN and (best < 0 or per_ap > value):
            best, target, value = slot, cell, per_ap
    return best, target, value


@compiled
def _score_after(b: Any, t: Any, e: Any, slot: int, target: int) -> float:
    """Returns the evaluation of what the state `t` becomes by a legal cast, dice at their means."""
    t[DICE] = MEANS
    cast(t, b, slot, target)
    value: float = score(t, b, e, True)
    return value


@compiled
def _best_stand(
    s: Any, b: Any, t: Any, e: Any, w: Any, styles: Any, style: int, sign: float, before: float
) -> tuple[int, int, float]:
    """Returns slot, place and gain per AP of the best cast after a walk; -1 for none.

    Each spell is weighed once for each cell it could be aimed at, from the best place for that.
    """
    f = actor(s)
    spells = s[f + SPELLS]
    clear_set(s, _WITHIN)
    for i in range(s[REACH_COUNT]):
        add_cell(s, _WITHIN, s[REACH_CELLS + i])
    count = stands(s, b, f, w, _WITHIN, w, STANDS)
    clear_set(s, _USEFUL)
    for i in range(count):
        join(s, _USEFUL, w, STANDS + i * STAND + 2)
    places = _sort_places(s, w, f, distance_wanted(s, b, w, styles, style, f) > 1)
    best = best_place = -1
    value = 0.0
    rank, rank_liking = 0.0, 0
    for i in range(count):
        stand = STANDS + i * STAND
        slot, aim = int(w[stand]), int(w[stand + 1])
        place = _first_place(w, places, stand + 2)
        spell = b[spells + 1 + slot]
        left = s[REACH_AP + place]
        if left < b[spell + SPELL_AP]:
            continue
        copy_state(t, s)
        t[f + CELL] = place
        t[f + MP] = s[REACH_MP + place]
        t[f + AP] = left
        after = _score_after(b, t, e, slot, aim if aim >= 0 else place)
        gain = (sign * after - before) * preference(styles, style, b[spell + SPELL_USE])
        if gain <= _LEAST_GAIN:
            continue
        per_ap = gain / max(1, b[spell + SPELL_AP])
        liking = w[LIKING + place]
        if per_ap * left > rank or (per_ap * left == rank and liking > rank_liking):
            best, best_place, value = slot, place, per_ap
            rank, rank_liking = per_ap * left, liking
    return best, best_place, value


@compiled
def _first_place(w: Any, places: int, m: int) -> int:
    """Returns the best of the places in `FOUND` that is in a set of the work array."""
    for i in range(places):
        if has_cell(w, m, w[FOUND + i]):
            return int(w[FOUND + i])
    return -1


@compiled
def _sort_places(s: Any, w: Any, f: int, keeps_off: bool) -> int:
    """Writes the cells of `_USEFUL` to `FOUND`, the best first, and how each is liked to `LIKING`; how many.

    The better one leaves more AP, then is farther from enemies or else nearer to walk to.
    """
    count = cells_into(s, _USEFUL, w, FOUND)
    for i in range(count):
        cell = w[FOUND + i]
        liking = s[REACH_MP + cell]
        if keeps_off:
            liking = nearest_foe(s, f, cell)
            if liking == UNREACHED:
                liking = 0
        w[LIKING + cell] = liking
        w[KEYS + cell] = MOST_KEYS - 1 - min(MOST_KEYS - 1, liking)
    sort_cells(w, FOUND, count)
    for i in range(count):
        cell = w[FOUND + i]
        w[KEYS + cell] = MOST_KEYS - 1 - min(MOST_KEYS - 1, s[REACH_AP + cell])
    sort_cells(w, FOUND, count)
    return count

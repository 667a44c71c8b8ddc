"""The default policy of rollouts: greedily the cast of the largest expected gain, else a walk.

Every spell's effects come from the rules and are valued by one static evaluation, so that no kind of spell is
left out. Next hop: `botapp.search.core.rollouts`, and the `greedy` player.
"""

from typing import Any

from botapp.fight.core.actions import cast
from botapp.fight.core.cells import add_cell, cells_into, clear_set, has_cell, join
from botapp.fight.core.compiler import compiled
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
from botapp.search.core.work import (
    A_WALK,
    CAST,
    CASTS,
    FOUND,
    KEYS,
    LIKING,
    MOST_KEYS,
    STAND,
    STANDS,
    WALKS,
    sort_cells,
)

END, WALK, CAST_SPELL = 0, 1, 2
"""What the policy chooses."""

_LEAST_GAIN = 0.5
"""Gain in HP below which a cast is not made."""

_WITHIN = SETS + 20 * SET
_USEFUL = SETS + 21 * SET


@compiled
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
    slot = target = walk_slot = walk_place = -1
    value, walk_value, rank, rank_liking = 0.0, 0.0, 0.0, 0
    if s[f + AP] > 0:
        sign = 1.0 if s[f + TEAM] == e[SIDE] else -1.0
        before = sign * score(s, b, e, True)
        casts = sensible_casts(s, b, w, w, CASTS)
        walks = _casts_after_walks(s, b, w, f, distance_wanted(s, b, w, styles, style, f) > 1)
        for i in range(casts + walks):
            walked = i >= casts
            at = WALKS + (i - casts) * A_WALK if walked else CASTS + i * CAST
            spell = b[spells + 1 + w[at]]
            place, left = -1, int(s[f + AP])
            copy_state(t, s)
            if walked:
                place = int(w[at + 2])
                left = int(s[REACH_AP + place])
                t[f + CELL], t[f + MP], t[f + AP] = place, s[REACH_MP + place], left
            t[DICE] = MEANS
            cast(t, b, int(w[at]), int(w[at + 1]))
            gain = (sign * score(t, b, e, True) - before) * preference(styles, style, b[spell + SPELL_USE])
            if gain <= _LEAST_GAIN:
                continue
            per_ap = gain / max(1, b[spell + SPELL_AP])
            if not walked:
                if slot < 0 or per_ap > value:
                    slot, target, value = int(w[at]), int(w[at + 1]), per_ap
            elif per_ap * left > rank or (per_ap * left == rank and w[LIKING + place] > rank_liking):
                walk_slot, walk_place, walk_value = int(w[at]), place, per_ap
                rank, rank_liking = per_ap * left, int(w[LIKING + place])
    if walk_slot >= 0:
        strikes = _strikes(b, spells, walk_slot)
        if slot < 0 or walk_value > value or (strikes and not _strikes(b, spells, slot)):
            return WALK, -1, walk_place
    if slot >= 0:
        return CAST_SPELL, slot, target
    walk_place = step(s, b, w, styles, style, f)
    return (WALK, -1, walk_place) if walk_place >= 0 else (END, -1, -1)


@compiled
def _strikes(b: Any, spells: int, slot: int) -> bool:
    return bool(b[b[spells + 1 + slot] + SPELL_USE] & USE_HARMS)


@compiled
def _casts_after_walks(s: Any, b: Any, w: Any, f: int, keeps_off: bool) -> int:
    """Writes casts after a walk to `WALKS`, each spell once for each cell to aim at; returns how many.

    The walk leads to the best of the places for that. `reach` has been asked for.
    """
    spells = s[f + SPELLS]
    clear_set(s, _WITHIN)
    for i in range(s[REACH_COUNT]):
        add_cell(s, _WITHIN, s[REACH_CELLS + i])
    found = stands(s, b, f, w, _WITHIN, w, STANDS) if s[REACH_COUNT] else 0
    clear_set(s, _USEFUL)
    for i in range(found):
        join(s, _USEFUL, w, STANDS + i * STAND + 2)
    places = _sort_places(s, w, f, keeps_off)
    count = 0
    for i in range(found):
        stand = STANDS + i * STAND
        place = _first_place(w, places, stand + 2)
        if s[REACH_AP + place] >= b[b[spells + 1 + w[stand]] + SPELL_AP]:
            at = WALKS + count * A_WALK
            w[at] = w[stand]
            w[at + 1] = w[stand + 1] if w[stand + 1] >= 0 else place
            w[at + 2] = place
            count += 1
    return count


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

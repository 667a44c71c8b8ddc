"""The states that one turn can lead to, as a graph that grows best first; a state reached twice is one node.

Dice fall on their means. Of walks only those are tried that differ in the casts they open up; after a walk no
second one is tried. Next hop: `botapp.search.core.backup` values the first actions, `botapp.search.core.ends`
plays on from ends of turn, `botapp.search.tree` asks for both.
"""

from typing import Any

from botapp.fight.core.actions import cast, walk
from botapp.fight.core.cells import lowest_bit
from botapp.fight.core.compiler import compiled
from botapp.fight.core.hashing import mix
from botapp.fight.core.layout import (
    BUFF,
    BUFF_LIST,
    BUFFS,
    CURRENT,
    DICE,
    FIGHTER,
    FIGHTERS,
    FIRST,
    HASH_A,
    HASH_B,
    MARK,
    MARK_LIST,
    MARKS,
    MEANS,
    NOBODY,
    ORDER,
    REACH_AP,
    REACH_CELLS,
    REACH_COUNT,
    SET,
    SETS,
    WAY,
)
from botapp.fight.core.states import actor, copy_state, winner
from botapp.fight.core.walking import path_to, reach
from botapp.search.core.evaluation_layout import VALUES
from botapp.search.core.generation import sensible_casts, stands
from botapp.search.core.heuristic import estimate, heuristic_values, potential, terms
from botapp.search.core.policy import CAST_SPELL, WALK, choose
from botapp.search.core.tree_layout import (
    CHILD,
    CODE,
    CODE_CELLS,
    CYCLE,
    DANGER,
    DECIDER,
    DEFAULT_ACTION,
    DEFAULT_END,
    EDGE,
    EDGE_COUNT,
    EDGES,
    EDGES_AT,
    ESTIMATE,
    EXPANDED,
    FIRST_EDGE,
    HASH,
    HEAP_AT,
    HEAPED,
    HERE,
    HOPE,
    JUDGED,
    LAST_EDGE,
    LOOKS,
    MEAN,
    MOST_EDGES,
    MOST_NODES,
    MOST_POOLED,
    NEXT,
    NODE,
    NODE_VALUES,
    NODES,
    NODES_AT,
    OPEN,
    PASS,
    PLANNED_END,
    PLAYED,
    PLAYED_ACTIONS,
    POOLED,
    POTENTIAL,
    PV_EDGE,
    PV_END,
    ROOM_AT,
    SPREAD,
    STATE_AT,
    STATIC,
    TABLE_AT,
    TABLE_MASK,
    VALUE,
    WALK_SLOT,
    WALKED,
    WALKS,
)
from botapp.search.core.work import CAST, CASTS, STAND, STANDS

_LONGEST_TURN = 14
_EVERYWHERE = SETS + 62 * SET
NO_NODE = -1


@compiled
def node_at(k: Any, node: int) -> int:
    """Returns where a node's words begin in `k`."""
    return k[NODES_AT] + node * NODE


@compiled
def code_of(slot: int, cell: int) -> int:
    """Returns an action as a number, more than 0."""
    return (slot + 1) * CODE_CELLS + cell


@compiled
def save_state(k: Any, q: Any, s: Any) -> int:
    """Writes what a state uses to the pool; returns where, -1 where there is no room."""
    fighters, buffs, marks = s[FIGHTERS] * FIGHTER, s[BUFFS] * BUFF, s[MARKS] * MARK
    at = k[POOLED]
    if at + FIRST + fighters + buffs + marks > k[MOST_POOLED]:
        return -1
    for word in range(FIRST + fighters):
        q[at + word] = s[word]
    after = at + FIRST + fighters
    for word in range(buffs):
        q[after + word] = s[BUFF_LIST + word]
    after += buffs
    for word in range(marks):
        q[after + word] = s[MARK_LIST + word]
    k[POOLED] = after + marks
    return at


@compiled
def load_state(k: Any, q: Any, s: Any, node: int) -> None:
    """Makes `s` a node's state, its scratch left as it is."""
    at = k[node_at(k, node) + STATE_AT]
    fighters = q[at + FIGHTERS] * FIGHTER
    buffs, marks = q[at + BUFFS] * BUFF, q[at + MARKS] * MARK
    for word in range(FIRST + fighters):
        s[word] = q[at + word]
    after = at + FIRST + fighters
    for word in range(buffs):
        s[BUFF_LIST + word] = q[after + word]
    after += buffs
    for word in range(marks):
        s[MARK_LIST + word] = q[after + word]


@compiled
def _goes_on(k: Any, s: Any) -> bool:
    """Tells whether a state is one of the turn that is searched."""
    return s[ORDER + s[CURRENT]] == k[DECIDER] and winner(s) == NOBODY


@compiled
def _hash(s: Any) -> int:
    return s[HASH_A] | s[HASH_B] << 31


@compiled
def _place(k: Any, hashed: int) -> int:
    """Returns where in the table a hash stands, or the free place for it."""
    place = (hashed ^ hashed >> 29) & k[TABLE_MASK]
    while True:
        node = k[k[TABLE_AT] + place]
        if node < 0 or k[node_at(k, node) + HASH] == hashed:
            return k[TABLE_AT] + place
        place = (place + 1) & k[TABLE_MASK]


@compiled
def _new_node(k: Any, v: Any, q: Any, s: Any, b: Any, e: Any, walked: bool, root: bool) -> int:
    """Adds a node for a state and evaluates it; returns `NO_NODE` where there is no room."""
    node = k[NODES]
    if node >= k[MOST_NODES]:
        return NO_NODE
    pooled = save_state(k, q, s)
    if pooled < 0:
        return NO_NODE
    k[NODES] = node + 1
    at = node_at(k, node)
    for word in range(NODE):
        k[at + word] = 0
    k[at + HASH] = _hash(s)
    k[at + STATE_AT] = pooled
    k[at + WALKED] = 1 if walked else 0
    k[at + FIRST_EDGE] = -1
    k[at + LAST_EDGE] = -1
    k[at + PV_END] = node
    k[at + PV_EDGE] = -1
    values = node * NODE_VALUES
    worth, danger, hope = terms(s, b, e)
    v[values + ESTIMATE] = estimate(worth, danger, hope)
    v[values + STATIC] = worth
    v[values + DANGER] = danger
    v[values + HOPE] = hope
    v[values + POTENTIAL] = 0.0
    v[values + HERE] = v[values + ESTIMATE]
    v[values + VALUE] = v[values + ESTIMATE]
    v[values + MEAN] = v[values + ESTIMATE]
    v[values + SPREAD] = 0.0
    if _goes_on(k, s):
        k[at + OPEN] = 1
        if not root:
            v[values + POTENTIAL] = potential(s, b, e)
            _wait(k, v, node)
    k[_place(k, k[at + HASH])] = node
    return node


@compiled
def priority(v: Any, node: int) -> float:
    """Returns how soon a node is expanded: the value of ending the turn there and what the AP left may do."""
    return v[node * NODE_VALUES + ESTIMATE] + v[node * NODE_VALUES + POTENTIAL]


@compiled
def _sooner(v: Any, one: int, other: int) -> bool:
    first, second = priority(v, one), priority(v, other)
    return first > second or (first == second and one < other)


@compiled
def _wait(k: Any, v: Any, node: int) -> None:
    """Puts a node among those that wait to be expanded."""
    heap = k[HEAP_AT]
    place = k[HEAPED]
    k[HEAPED] = place + 1
    while place > 0:
        above = (place - 1) // 2
        if not _sooner(v, node, k[heap + above]):
            break
        k[heap + place] = k[heap + above]
        place = above
    k[heap + place] = node


@compiled
def _next_waiting(k: Any, v: Any) -> int:
    """Takes the node that is to be expanded next from those that wait."""
    heap = k[HEAP_AT]
    first = k[heap]
    k[HEAPED] -= 1
    count = k[HEAPED]
    last = k[heap + count]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= count:
            break
        if below + 1 < count and _sooner(v, k[heap + below + 1], k[heap + below]):
            below += 1
        if not _sooner(v, k[heap + below], last):
            break
        k[heap + place] = k[heap + below]
        place = below
    if count > 0:
        k[heap + place] = last
    return first


@compiled
def follow(k: Any, v: Any, q: Any, t: Any, b: Any, e: Any, parent: int, code: int, walked: bool) -> int:
    """Adds the edge for an action that leads from a node to the state `t`; returns the node it leads to."""
    if k[EDGES] >= k[MOST_EDGES]:
        return NO_NODE
    child = k[_place(k, _hash(t))]
    if child < 0:
        child = _new_node(k, v, q, t, b, e, walked, False)
        if child < 0:
            return NO_NODE
        k[LOOKS] += 1
    edge = k[EDGES_AT] + k[EDGES] * EDGE
    k[edge + CODE] = code
    k[edge + CHILD] = child
    k[edge + NEXT] = -1
    at = node_at(k, parent)
    if k[at + LAST_EDGE] < 0:
        k[at + FIRST_EDGE] = k[EDGES]
    else:
        k[k[EDGES_AT] + k[at + LAST_EDGE] * EDGE + NEXT] = k[EDGES]
    k[at + LAST_EDGE] = k[EDGES]
    k[at + EDGE_COUNT] += 1
    k[EDGES] += 1
    return child


@compiled
def expand(k: Any, v: Any, q: Any, s: Any, t: Any, b: Any, e: Any, w: Any, node: int) -> bool:
    """Evaluates what may sensibly be done in a node's state; tells whether there was room for all of it."""
    load_state(k, q, s, node)
    s[DICE] = MEANS
    k[EXPANDED] += 1
    for index in range(sensible_casts(s, b, w, w, CASTS)):
        slot, cell = w[CASTS + index * CAST], w[CASTS + index * CAST + 1]
        copy_state(t, s)
        cast(t, b, slot, cell)
        if follow(k, v, q, t, b, e, node, code_of(slot, cell), False) < 0:
            return False
    if k[node_at(k, node) + WALKED] == 0:
        return _expand_walks(k, v, q, s, t, b, e, w, node)
    return True


@compiled
def _expand_walks(k: Any, v: Any, q: Any, s: Any, t: Any, b: Any, e: Any, w: Any, node: int) -> bool:
    """Tries walks: of those that open up the same casts the best places to end on."""
    f = actor(s)
    reach(s, b, f)
    count = s[REACH_COUNT]
    if count == 0:
        return True
    k[LOOKS] += count
    for word in range(SET):
        s[_EVERYWHERE + word] = (1 << 28) - 1
    keys = k[ROOM_AT]
    for index in range(count):
        cell = s[REACH_CELLS + index]
        k[keys + cell] = mix(4095, s[REACH_AP + cell] + 1)
    for index in range(stands(s, b, f, w, _EVERYWHERE, w, STANDS)):
        origins = STANDS + index * STAND + 2
        for word in range(SET):
            bits = w[origins + word]
            while bits:
                k[keys + word * 28 + lowest_bit(bits)] ^= mix(index, 1)
                bits &= bits - 1
    heuristic_values(s, b, e, s, REACH_CELLS, count)
    kept = keys + 560
    for cell in range(560):
        k[kept + cell] = 0
    for index in range(count):
        cell = s[REACH_CELLS + index]
        better = 0
        for other in range(count):
            rival = s[REACH_CELLS + other]
            if k[keys + rival] == k[keys + cell] and (
                e[VALUES + other] > e[VALUES + index]
                or (e[VALUES + other] == e[VALUES + index] and rival > cell)
            ):
                better += 1
        if better < k[WALKS]:
            k[kept + cell] = 1
    for cell in range(560):
        if k[kept + cell]:
            _walk_over(s, t, b, f, cell)
            if follow(k, v, q, t, b, e, node, code_of(WALK_SLOT, cell), True) < 0:
                return False
    return True


@compiled
def _walk_over(s: Any, t: Any, b: Any, f: int, cell: int) -> None:
    """Makes `t` the state `s` after its actor has walked to a cell in reach."""
    copy_state(t, s)
    for word in range(path_to(s, f, cell) + 1):
        t[WAY + word] = s[WAY + word]
    walk(t, b)


@compiled
def _follow_default_policy(
    k: Any, v: Any, q: Any, s: Any, t: Any, b: Any, e: Any, w: Any, styles: Any
) -> None:
    """Evaluates the turn that the default policy would play: another one has to be better."""
    node = 0
    for _ in range(_LONGEST_TURN):
        if k[node_at(k, node) + OPEN] == 0:
            break
        load_state(k, q, s, node)
        s[DICE] = MEANS
        kind, slot, cell = choose(s, b, t, e, w, styles)
        if kind == CAST_SPELL:
            copy_state(t, s)
            cast(t, b, slot, cell)
        elif kind == WALK:
            slot = WALK_SLOT
            _walk_over(s, t, b, actor(s), cell)
        else:
            break
        after = follow(k, v, q, t, b, e, node, code_of(slot, cell), kind == WALK)
        if after < 0:
            break
        if node == 0:
            k[DEFAULT_ACTION] = code_of(slot, cell)
        node = after
    k[DEFAULT_END] = node


@compiled
def plant(k: Any, v: Any, q: Any, s: Any, t: Any, b: Any, e: Any, w: Any, styles: Any) -> None:
    """Begins a search of the turn of the state `s`: its first actions, and the default policy's turn.

    Args:
        k, v, q: the search's arrays, their capacities and places set; see `botapp.search.arrays`.
        s: the state; it is overwritten.
        t: room for a second state.
        b: the book.
        e: the evaluation, prepared for the state.
        w: the work array.
        styles: the play styles by which the default policy plays this turn.
    """
    for word in (NODES, EDGES, HEAPED, LOOKS, PLAYED, PLAYED_ACTIONS, POOLED, DEFAULT_ACTION, EXPANDED, PASS):
        k[word] = 0
    k[JUDGED] = 0
    k[PLANNED_END] = 0
    k[CYCLE] = -1
    for place in range(k[TABLE_MASK] + 1):
        k[k[TABLE_AT] + place] = -1
    s[DICE] = MEANS
    k[DECIDER] = s[ORDER + s[CURRENT]]
    _new_node(k, v, q, s, b, e, False, True)
    expand(k, v, q, s, t, b, e, w, 0)
    _follow_default_policy(k, v, q, s, t, b, e, w, styles)


@compiled
def grow(k: Any, v: Any, q: Any, s: Any, t: Any, b: Any, e: Any, w: Any, looks: int) -> bool:
    """Expands nodes, the most promising first, until so many states were evaluated.

    Tells whether anything is left to expand, and room for it.
    """
    while k[HEAPED] > 0 and k[LOOKS] < looks:
        if not expand(k, v, q, s, t, b, e, w, _next_waiting(k, v)):
            k[HEAPED] = 0
    return k[HEAPED] > 0

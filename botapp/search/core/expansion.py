"""Expansion: the states that one turn can lead to, best first; a state reached twice is one node.

Dice fall on their means. Of walks only those are tried that differ in the casts they open up; after a walk no
second one is tried.
"""

from botapp.fight.core.actions import cast, walk
from botapp.fight.core.cells import lowest_bit
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MEANS, NOBODY, SET, Fight, Fighter
from botapp.fight.core.movement import path_to, reach
from botapp.fight.core.spellbook import Book
from botapp.fight.core.state import actor, copy_state, mix, winner
from botapp.search.core.generation import sensible_casts, stands
from botapp.search.core.graph import (
    NO_NODE,
    WALK_SLOT,
    Graph,
    Node,
    Search,
    code_of,
    edge_at,
    load,
    node_at,
    save_state,
)
from botapp.search.core.heuristic import estimate, heuristic_values, potential, terms
from botapp.search.core.policy import CAST_SPELL, WALK, choose

_LONGEST_TURN = 14


@compiled
def plant(search: Search) -> None:
    """Begins the search of the turn of `search.fight`: its first actions, and the default policy's turn.

    Args:
        search: the graph's capacities and places are set, the evaluation is prepared for the state; the
            state is overwritten. The styles are those by which the default policy plays this turn.
    """
    graph, fight = search.graph, search.fight
    graph.nodes, graph.edges, graph.heaped, graph.looks = 0, 0, 0, 0
    graph.played, graph.played_actions, graph.pooled = 0, 0, 0
    graph.default_action, graph.planned_end, graph.judged = 0, 0, 0
    graph.turn_of_cycle, graph.cycle = 0, -1
    for place in range(graph.table_mask + 1):
        graph.all[graph.table_at + place] = NO_NODE
    fight.dice = MEANS
    graph.decider = fight.order[fight.current]
    _new_node(search, fight, False, True)
    _expand_node(search, 0)
    _follow_default_policy(search)


@compiled
def expand(search: Search, looks: int) -> bool:
    """Expands nodes, the most promising first, until so many states were evaluated.

    Tells whether anything is left to expand, and room for it.
    """
    graph = search.graph
    while graph.heaped > 0 and graph.looks < looks:
        if not _expand_node(search, _next_waiting(graph)):
            graph.heaped = 0
    return graph.heaped > 0


@compiled
def _expand_node(search: Search, number: int) -> bool:
    """Evaluates what may sensibly be done in a node's state; tells whether there was room for all of it."""
    graph, fight, spare, book, work = search.graph, search.fight, search.spare, search.book, search.work
    load(search, number)
    fight.dice = MEANS
    for index in range(sensible_casts(fight, book, work)):
        slot, cell = work.casts[index].slot, work.casts[index].target
        copy_state(spare, fight)
        cast(spare, book, slot, cell)
        if follow(search, spare, number, code_of(slot, cell), False) < 0:
            return False
    if node_at(graph, number).walked == 0:
        return _expand_walks(search, number)
    return True


@compiled
def _expand_walks(search: Search, number: int) -> bool:
    """Tries walks: of those that open up the same casts the best places to end on."""
    graph, fight, spare, book, work = search.graph, search.fight, search.spare, search.book, search.work
    fighter = actor(fight)
    reach(fight, book, fighter)
    count = fight.reach.count
    if count == 0:
        return True
    graph.looks += count
    everywhere = fight.sets.everywhere
    for word in range(SET):
        everywhere.bits[word] = (1 << 28) - 1
    keys = graph.room_at
    for index in range(count):
        cell = fight.reach.cells[index]
        graph.all[keys + cell] = mix(4095, fight.reach.ap[cell] + 1)
    for index in range(stands(fight, book, fighter, work, everywhere)):
        origins = work.stands[index].cells
        for word in range(SET):
            bits = origins.bits[word]
            while bits:
                graph.all[keys + word * 28 + lowest_bit(bits)] ^= mix(index, 1)
                bits &= bits - 1
    heuristic_values(fight, book, search.evaluation)
    values = search.evaluation.values
    chosen = keys + 560
    for cell in range(560):
        graph.all[chosen + cell] = 0
    for index in range(count):
        cell = fight.reach.cells[index]
        better = 0
        for other in range(count):
            rival = fight.reach.cells[other]
            if graph.all[keys + rival] == graph.all[keys + cell] and (
                values[other] > values[index] or (values[other] == values[index] and rival > cell)
            ):
                better += 1
        if better < graph.walks:
            graph.all[chosen + cell] = 1
    for cell in range(560):
        if graph.all[chosen + cell]:
            _walk_over(fight, spare, book, fighter, cell)
            if follow(search, spare, number, code_of(WALK_SLOT, cell), True) < 0:
                return False
    return True


@compiled
def _walk_over(fight: Fight, spare: Fight, book: Book, fighter: Fighter, cell: int) -> None:
    """Makes `spare` the state `fight` after its actor has walked to a cell in reach."""
    copy_state(spare, fight)
    write_way(fight, spare, fighter, cell)
    walk(spare, book)


@compiled
def write_way(fight: Fight, other: Fight, fighter: Fighter, cell: int) -> None:
    """Writes the way to a cell in a fighter's reach to another state's `way`."""
    count = path_to(fight, fighter, cell)
    other.way.length = count
    for place in range(count):
        other.way.cells[place] = fight.way.cells[place]


@compiled
def _follow_default_policy(search: Search) -> None:
    """Evaluates the turn that the default policy would play: another one has to be better."""
    graph, fight, spare, book = search.graph, search.fight, search.spare, search.book
    number = 0
    for _ in range(_LONGEST_TURN):
        if node_at(graph, number).open == 0:
            break
        load(search, number)
        fight.dice = MEANS
        kind, slot, cell = choose(fight, book, spare, search.evaluation, search.work, search.styles)
        if kind == CAST_SPELL:
            copy_state(spare, fight)
            cast(spare, book, slot, cell)
        elif kind == WALK:
            slot = WALK_SLOT
            _walk_over(fight, spare, book, actor(fight), cell)
        else:
            break
        after = follow(search, spare, number, code_of(slot, cell), kind == WALK)
        if after < 0:
            break
        if number == 0:
            graph.default_action = code_of(slot, cell)
        number = after
    graph.default_end = number


@compiled
def follow(search: Search, after: Fight, parent: int, code: int, walked: bool) -> int:
    """Adds the edge for an action that leads from a node to the state `after`; returns the node it leads
    to."""
    graph = search.graph
    if graph.edges >= graph.most_edges:
        return NO_NODE
    child = graph.all[_place(graph, hash_of(after))]
    if child < 0:
        child = _new_node(search, after, walked, False)
        if child < 0:
            return NO_NODE
        graph.looks += 1
    edge = edge_at(graph, graph.edges)
    edge.code = code
    edge.child = child
    edge.next = -1
    node = node_at(graph, parent)
    if node.last_edge < 0:
        node.first_edge = graph.edges
    else:
        edge_at(graph, node.last_edge).next = graph.edges
    node.last_edge = graph.edges
    node.edge_count += 1
    graph.edges += 1
    return child


@compiled
def _goes_on(graph: Graph, fight: Fight) -> bool:
    """Tells whether a state is one of the turn that is searched."""
    return fight.order[fight.current] == graph.decider and winner(fight) == NOBODY


@compiled
def hash_of(fight: Fight) -> int:
    """Returns a state's hash as one number, as nodes have it."""
    return fight.hash_a | fight.hash_b << 31


@compiled
def _place(graph: Graph, hashed: int) -> int:
    """Returns the word of the graph where a hash stands in the table, or the free place for it."""
    place = (hashed ^ hashed >> 29) & graph.table_mask
    while True:
        number = graph.all[graph.table_at + place]
        if number < 0 or node_at(graph, number).hash == hashed:
            return graph.table_at + place
        place = (place + 1) & graph.table_mask


@compiled
def _new_node(search: Search, fight: Fight, walked: bool, root: bool) -> int:
    """Adds a node for a state and evaluates it; returns `NO_NODE` where there is no room."""
    graph, book, evaluation = search.graph, search.book, search.evaluation
    number = graph.nodes
    if number >= graph.most_nodes:
        return NO_NODE
    pooled = save_state(graph, search.pool, fight)
    if pooled < 0:
        return NO_NODE
    graph.nodes = number + 1
    node = node_at(graph, number)
    node.hash = hash_of(fight)
    node.state_at = pooled
    node.walked = 1 if walked else 0
    node.open, node.edge_count, node.visits, node.judged, node.seen, node.named = 0, 0, 0, 0, 0, 0
    node.first_edge, node.last_edge, node.pv_end, node.pv_edge = -1, -1, number, -1
    node.static, node.danger, node.hope = terms(fight, book, evaluation)
    value = estimate(node.static, node.danger, node.hope)
    node.estimate, node.here, node.value, node.mean = value, value, value, value
    node.potential, node.spread = 0.0, 0.0
    if _goes_on(graph, fight):
        node.open = 1
        if not root:
            node.potential = potential(fight, book, evaluation)
            _wait(graph, number)
    graph.all[_place(graph, node.hash)] = number
    return number


@compiled
def _priority(node: Node) -> float:
    """Returns how soon a node is expanded: the value of ending the turn there and what the AP left may do."""
    return node.estimate + node.potential


@compiled
def _sooner(graph: Graph, number: int, beside: int) -> bool:
    first, second = _priority(node_at(graph, number)), _priority(node_at(graph, beside))
    return first > second or (first == second and number < beside)


@compiled
def _wait(graph: Graph, number: int) -> None:
    """Puts a node among those that wait to be expanded."""
    heap = graph.heap_at
    place = graph.heaped
    graph.heaped = place + 1
    while place > 0:
        above = (place - 1) // 2
        if not _sooner(graph, number, graph.all[heap + above]):
            break
        graph.all[heap + place] = graph.all[heap + above]
        place = above
    graph.all[heap + place] = number


@compiled
def _next_waiting(graph: Graph) -> int:
    """Takes the node that is to be expanded next from those that wait."""
    heap = graph.heap_at
    first = graph.all[heap]
    graph.heaped -= 1
    count = graph.heaped
    last = graph.all[heap + count]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= count:
            break
        if below + 1 < count and _sooner(graph, graph.all[heap + below + 1], graph.all[heap + below]):
            below += 1
        if not _sooner(graph, graph.all[heap + below], last):
            break
        graph.all[heap + place] = graph.all[heap + below]
        place = below
    if count > 0:
        graph.all[heap + place] = last
    return first

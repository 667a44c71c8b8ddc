"""A search's graph as records: the states that one turn can lead to, and the actions between them.

A graph is an array of 64 bits: its head, a `Graph`, then nodes, edges, a hash table, a heap and room, each
from
the place on that the head tells. The nodes' states lie in a pool of their own, as many words as each uses.
"""

from typing import NamedTuple

from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import (
    BUFF_WORDS,
    BUFFS_AT,
    FIGHTER_WORDS,
    FIGHTERS_AT,
    MARK_WORDS,
    MARKS_AT,
    Fight,
)
from botapp.fight.core.records import Decimals, Record, Words, row, viewer
from botapp.fight.core.spellbook import Book
from botapp.search.core.evaluation import Evaluation
from botapp.search.core.work import Work

MOST_ENDS = 128
MOST_NAMED = 60

WALK_SLOT = 63
"""Stands for a walk where a code has a spell's slot."""
CODE_CELLS = 1024
NO_NODE = -1

_FIGHTER_COUNT, _BUFF_COUNT, _MARK_COUNT = (
    Fight.word(f"{what}_count") for what in ("fighter", "buff", "mark")
)


class Graph(Record, wide=True):
    """The head of a graph.

    Attributes:
        nodes, edges: how many there are.
        heaped: how many nodes wait to be expanded.
        looks: states evaluated: nodes, and cells that a walk could end on.
        played: rollouts run.
        played_actions: actions that the others have taken in them.
        pooled: words of the pool in use.
        decider: number of the fighter whose turn is searched.
        default_end: node in which the default policy ends the turn.
        default_action: its first action, see `code_of`; 0 for ending the turn.
        planned_end: node in which the turn planned before ends, 0 for none.
        most_nodes, most_edges, most_pooled: capacities.
        table_mask: length of the hash table less one; the length is a power of two.
        nodes_at, edges_at, table_at, heap_at: where those begin.
        room_at: where there is room for as many words as there are edges, and 2,048 more.
        walks: walks tried of those that open up the same casts.
        reply_looks: states evaluated for the turn of each of the others in a rollout, 0 where the default
            policy plays it.
        judged: whether the learned evaluation has judged the ends.
        dice_shift: makes the dice of all rollouts others where it is not 0.
        first_ends: ends of the first cycle of rollouts; `passes` of a cycle.
        cycle: cycles done, -1 before the first rollout; `turn_of_cycle` passes done in this one.
        end_count, next_end: how many ends are played on from in this pass, and which of them comes next.
        ends: the ends of turn that are played on from in this pass.
        choice: room for the ends of a candidate's slice.
        named: the nodes of the named candidates.
        behind: which of the named candidates' ends a slice plays on from.
    """

    nodes: int
    edges: int
    heaped: int
    looks: int
    played: int
    played_actions: int
    pooled: int
    decider: int
    default_end: int
    default_action: int
    planned_end: int
    most_nodes: int
    most_edges: int
    most_pooled: int
    table_mask: int
    nodes_at: int
    edges_at: int
    table_at: int
    heap_at: int
    room_at: int
    walks: int
    reply_looks: int
    judged: int
    dice_shift: int
    first_ends: int
    passes: int
    cycle: int
    turn_of_cycle: int
    end_count: int
    next_end: int
    behind: int
    ends: Words = row(MOST_ENDS)
    choice: Words = row(MOST_ENDS)
    named: Words = row(MOST_NAMED)


class Node(Record, wide=True):
    """A state within the turn.

    Attributes:
        hash: of the state; `state_at` is where it lies in the pool.
        walked: whether a walk led here.
        open: whether the turn goes on here.
        first_edge, last_edge, edge_count: the actions tried here.
        pv_end, pv_edge: the end of turn that the principal variation leads to, and its first edge; -1 where
            it ends here.
        visits: rollouts begun here.
        judged: whether the learned evaluation has judged it.
        seen: for going through the nodes.
        named: bits of the named candidates that the node is an end of turn behind.
        estimate: how good it is to end the turn here by the heuristic evaluation, in HP; made of `static`,
            `danger` and `hope`, see `heuristic.terms`.
        potential: what the AP left may do.
        here, value: the value of ending the turn here, and of the best end behind it.
        mean, spread: the value by rollouts, and their squared deviations from it, summed.
    """

    hash: int
    state_at: int
    walked: int
    open: int
    first_edge: int
    last_edge: int
    edge_count: int
    pv_end: int
    pv_edge: int
    visits: int
    judged: int
    seen: int
    named: int
    estimate: float
    static: float
    danger: float
    hope: float
    potential: float
    here: float
    value: float
    mean: float
    spread: float


NODE_WORDS = Node.SIZE


class Edge(Record, wide=True):
    """An action that leads from a node to another one: its code, that node, the next edge from the same
    node."""

    code: int
    child: int
    next: int


EDGE_WORDS = Edge.SIZE


class Search(NamedTuple):
    """A search: its graph with the pool of states, and what it works with.

    Attributes:
        graph, pool: the states of the turn.
        fight, spare: two states to work on.
        book: the map and the content.
        evaluation: the evaluation.
        work: room for finding actions.
        styles: the play styles of the default policy.
    """

    graph: Graph
    pool: Words
    fight: Fight
    spare: Fight
    book: Book
    evaluation: Evaluation
    work: Work
    styles: Decimals


graph_in = viewer(Graph)
"""Returns the graph that lies in an array from a word on."""
_node_in, _edge_in = viewer(Node), viewer(Edge)


@compiled
def node_at(graph: Graph, number: int) -> Node:
    """Returns a node by its number."""
    return _node_in(graph, graph.nodes_at + number * NODE_WORDS)


@compiled
def edge_at(graph: Graph, number: int) -> Edge:
    """Returns an edge by its number."""
    return _edge_in(graph, graph.edges_at + number * EDGE_WORDS)


@compiled
def code_of(slot: int, cell: int) -> int:
    """Returns an action as a number, more than 0."""
    return (slot + 1) * CODE_CELLS + cell


@compiled
def save_state(graph: Graph, pool: Words, fight: Fight) -> int:
    """Writes what a state uses to the pool; returns where, -1 where there is no room."""
    fighters, buffs = fight.fighter_count * FIGHTER_WORDS, fight.buff_count * BUFF_WORDS
    marks = fight.mark_count * MARK_WORDS
    at = graph.pooled
    if at + FIGHTERS_AT + fighters + buffs + marks > graph.most_pooled:
        return -1
    for word in range(FIGHTERS_AT + fighters):
        pool[at + word] = fight.all[word]
    after = at + FIGHTERS_AT + fighters
    for word in range(buffs):
        pool[after + word] = fight.all[BUFFS_AT + word]
    after += buffs
    for word in range(marks):
        pool[after + word] = fight.all[MARKS_AT + word]
    graph.pooled = after + marks
    return at


@compiled
def load_state(graph: Graph, pool: Words, fight: Fight, number: int) -> None:
    """Makes `fight` a node's state, its room left as it is."""
    at = node_at(graph, number).state_at
    fighters = pool[at + _FIGHTER_COUNT] * FIGHTER_WORDS
    buffs, marks = pool[at + _BUFF_COUNT] * BUFF_WORDS, pool[at + _MARK_COUNT] * MARK_WORDS
    for word in range(FIGHTERS_AT + fighters):
        fight.all[word] = pool[at + word]
    after = at + FIGHTERS_AT + fighters
    for word in range(buffs):
        fight.all[BUFFS_AT + word] = pool[after + word]
    after += buffs
    for word in range(marks):
        fight.all[MARKS_AT + word] = pool[after + word]


@compiled
def load(search: Search, number: int) -> None:
    """Makes `search.fight` the state of a node."""
    load_state(search.graph, search.pool, search.fight, number)

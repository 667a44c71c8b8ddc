"""Which ends of a turn rollouts begin from: by a schedule, or behind a candidate that is named.

Where the default policy plays for the others: sequential halving (Z. Karnin, T. Koren and O. Somekh, 2013)
in cycles: each pass of a cycle keeps the better half of its ends; the next cycle begins with more of them,
chosen by all that is known by then. The first pass takes dice at their means, the others roll the same dice
for every end. Where the others reply all dice are at their means, and each end is played on from once.

A slice behind a named candidate plays on from the best ends behind it, again and again from the better half
of
them; dice are the same for ends that were played as often. Where the others reply it plays on from each end
once.
"""

from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MEANS, ROLLS
from botapp.fight.core.records import Decimals, Longs
from botapp.search.core.graph import MOST_ENDS, Graph, Search, edge_at, load, node_at
from botapp.search.core.judging import best_unseen, judge, judge_late, mean_error, standing
from botapp.search.core.rollouts import play_out

_BEFORE_DEFAULT = 3
"""How many ends are chosen before the default policy's where the others reply."""
_ROLLOUT_WEIGHT = 0.7
"""The weight of an end's first rollout against the heuristic evaluation."""

FACTS = 4
"""What `sum_up` says of each candidate: rollouts behind it, ends they began at, the best mean of those and
the second best; where fewer ends have rollouts, the means are `NOTHING`."""
NOTHING = -1e18

_ENDS = 4
"""Ends that a slice begins with."""
_PASSES = 3
_FIRST_THROW = 1000
"""Dice of named slices begin here, so that none is thrown that the schedule throws."""


@compiled
def roll_out(search: Search, reply: Search, turns: int, rounds: int, actions: int) -> bool:
    """Runs rollouts until the others have taken so many actions in all; tells whether more can be learned.

    Args:
        search: the search.
        reply: the same with the graph of replies.
        turns: turns of the others that a rollout plays at most.
        rounds: a rollout ends at the latest when the decider has its turn in so many rounds.
        actions: when to stop, `played_actions` being counted from the beginning of the search.
    """
    graph = search.graph
    while graph.played_actions < actions:
        if ends_left(search) == 0:
            return False
        value, taken = roll_out_from(search, reply, graph.next_end, turns, rounds)
        record(search, value, taken)
    return True


@compiled
def ends_left(search: Search) -> int:
    """Begins the next pass where one is over; returns how many of its ends are still to be played on from."""
    graph = search.graph
    judge(search)
    if graph.cycle < 0 or graph.next_end >= graph.end_count:
        _next_pass(graph)
    return graph.end_count - graph.next_end


@compiled
def roll_out_from(search: Search, reply: Search, place: int, turns: int, rounds: int) -> tuple[float, int]:
    """Runs the rollout from the end at a place of the pass; see `value_from`."""
    graph = search.graph
    throw = graph.cycle * graph.passes + graph.turn_of_cycle
    return value_from(search, reply, graph.ends[place], throw, turns, rounds)


@compiled
def record(search: Search, value: float, taken: int) -> None:
    """Adds the rollout from the next end of the pass to what is known."""
    graph = search.graph
    number = graph.ends[graph.next_end]
    graph.next_end += 1
    take_note(search, number, value, taken)


@compiled
def play_from(search: Search, reply: Search, number: int, throw: int, turns: int, rounds: int) -> None:
    """Runs a rollout from an end of turn and adds it to what is known; see `value_from`."""
    value, taken = value_from(search, reply, number, throw, turns, rounds)
    take_note(search, number, value, taken)


@compiled
def value_from(
    search: Search, reply: Search, number: int, throw: int, turns: int, rounds: int
) -> tuple[float, int]:
    """Runs a rollout from an end of turn; throw 0 and replies take dice at their means, others roll dice.

    The graph of the search is only read: several threads may do so at once, each with its own states,
    evaluation, work and reply. For the other arguments see `roll_out`.

    Returns:
        The value in HP, and how many actions the others have taken.
    """
    graph, fight = search.graph, search.fight
    load(search, 0)
    until = fight.turn + rounds
    load(search, number)
    if throw == 0 or graph.reply_looks:
        fight.dice = MEANS
    else:
        fight.dice = ROLLS
        fight.seed = 7919 * (throw + graph.dice_shift) + 17
    value, taken = play_out(reply, graph.reply_looks, graph.decider, until, turns)
    return value, taken


@compiled
def take_note(search: Search, number: int, value: float, taken: int) -> None:
    """Adds a rollout from an end of turn to what is known of it."""
    graph = search.graph
    judge_late(search, number)
    graph.played += 1
    graph.played_actions += max(1, taken)
    node = node_at(graph, number)
    weight = 1.0 / (node.visits + 1) if node.visits else _ROLLOUT_WEIGHT
    off = value - node.mean
    node.mean += weight * off
    if node.visits:
        node.spread += off * (value - node.mean)
    node.visits += 1


@compiled
def _next_pass(graph: Graph) -> None:
    """Begins the next pass, or the next cycle with twice as many ends every second time."""
    graph.turn_of_cycle += 1
    over = graph.turn_of_cycle >= graph.passes or graph.end_count < 2
    if graph.cycle < 0 or over or graph.reply_looks:
        graph.cycle += 1
        graph.turn_of_cycle = 0
        _choose_ends(graph, min(MOST_ENDS, graph.first_ends << (graph.cycle // 2)))
    else:
        sort_by_means(graph, graph.ends[:], graph.end_count)
        graph.end_count = min(graph.end_count, max(2, graph.end_count // 2))
    graph.next_end = 0


@compiled
def _choose_ends(graph: Graph, count: int) -> None:
    """Begins a cycle with the end planned before, the default policy's and the best of the others.

    Where the others reply, with ends not played on from yet, and the best ones first: if there is time for
    few, the answer is one of those.
    """
    shift = mean_error(graph)
    for number in range(graph.nodes):
        node = node_at(graph, number)
        node.seen = 1 if graph.reply_looks and node.visits else 0
    graph.end_count = 0
    if graph.planned_end:
        _choose_end(graph, graph.planned_end)
    before_default = _BEFORE_DEFAULT if graph.reply_looks else 0
    while graph.end_count < count:
        if graph.end_count >= before_default and node_at(graph, graph.default_end).seen == 0:
            _choose_end(graph, graph.default_end)
            continue
        best = best_unseen(graph, shift)
        if best < 0:
            return
        _choose_end(graph, best)


@compiled
def _choose_end(graph: Graph, number: int) -> None:
    """Adds an end, if it is not among those chosen already."""
    node = node_at(graph, number)
    if node.seen == 0:
        node.seen = 1
        graph.ends[graph.end_count] = number
        graph.end_count += 1


@compiled
def sort_by_means(graph: Graph, nodes: Longs, count: int) -> None:
    """Sorts nodes by the means of their rollouts, the best first; equals keep their order."""
    for place in range(1, count):
        number = nodes[place]
        mean = node_at(graph, number).mean
        before = place
        while before > 0 and node_at(graph, nodes[before - 1]).mean < mean:
            nodes[before] = nodes[before - 1]
            before -= 1
        nodes[before] = number


@compiled
def name(search: Search, count: int) -> None:
    """Judges ends, and finds which lie behind each of the candidates `graph.named`; behind the root
    only it."""
    graph = search.graph
    judge(search)
    for number in range(graph.nodes):
        node_at(graph, number).named = 0
    stack = graph.room_at
    for candidate in range(count):
        bit = 1 << candidate
        first = graph.named[candidate]
        node_at(graph, first).named |= bit
        graph.all[stack] = first
        waiting = 1 if first != 0 else 0
        while waiting:
            waiting -= 1
            edge = node_at(graph, graph.all[stack + waiting]).first_edge
            while edge >= 0:
                child = edge_at(graph, edge).child
                if node_at(graph, child).named & bit == 0:
                    node_at(graph, child).named |= bit
                    graph.all[stack + waiting] = child
                    waiting += 1
                edge = edge_at(graph, edge).next


@compiled
def _choose_behind(graph: Graph, bit: int) -> int:
    """Chooses the best ends behind a candidate, best first, none twice for replies; returns how many."""
    shift = mean_error(graph)
    count = 0
    while count < _ENDS:
        best, value = -1, 0.0
        for number in range(graph.nodes):
            node = node_at(graph, number)
            if node.named & bit and not (graph.reply_looks and node.visits):
                merit = standing(node, shift)
                if best < 0 or merit > value:
                    taken = False
                    for place in range(count):
                        taken = taken or graph.choice[place] == number
                    if not taken:
                        best, value = number, merit
        if best < 0:
            break
        graph.choice[count] = best
        count += 1
    return count


@compiled
def roll_out_behind(search: Search, reply: Search, turns: int, rounds: int, actions: int) -> bool:
    """Runs rollouts from the best ends behind the candidate `graph.behind`; see `roll_out`."""
    graph = search.graph
    count, left = 0, 0
    while graph.played_actions < actions:
        if left == 0:
            count = _choose_behind(graph, 1 << graph.behind)
            left = 1 if graph.reply_looks else _PASSES
            if count == 0:
                return False
        for place in range(count):
            if graph.played_actions < actions:
                number = graph.choice[place]
                visits = node_at(graph, number).visits
                throw = _FIRST_THROW + visits if visits else 0
                play_from(search, reply, number, throw, turns, rounds)
        left -= 1
        sort_by_means(graph, graph.choice[:], count)
        count = max(min(count, 2), count // 2)
    return True


@compiled
def sum_up(graph: Graph, answers: Decimals, count: int) -> None:
    """Writes the `FACTS` of each named candidate to `answers`."""
    for place in range(count):
        answers[FACTS * place] = 0.0
        answers[FACTS * place + 1] = 0.0
        answers[FACTS * place + 2] = NOTHING
        answers[FACTS * place + 3] = NOTHING
    for number in range(graph.nodes):
        node = node_at(graph, number)
        if node.visits:
            for place in range(count):
                if (node.named >> place) & 1:
                    fact = FACTS * place
                    answers[fact] += node.visits
                    answers[fact + 1] += 1.0
                    if node.mean > answers[fact + 2]:
                        answers[fact + 3] = answers[fact + 2]
                        answers[fact + 2] = node.mean
                    elif node.mean > answers[fact + 3]:
                        answers[fact + 3] = node.mean

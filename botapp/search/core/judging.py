"""How good nodes are: ends of turn by what is known of them, and first actions by the best end behind
them."""

from botapp.fight.core.actions import end
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MEANS, NOBODY
from botapp.fight.core.state import winner
from botapp.search.core.graph import Graph, Node, Search, edge_at, load, node_at
from botapp.search.core.heuristic import estimate
from botapp.search.core.network import worth
from botapp.search.core.static import score

_ACTION_COST = 0.05
"""What an action costs by itself, in HP, so that nothing is done for nothing."""
_UNPLAYED = 1.0
"""How far, in HP, the value of an end without a rollout stays below the best one, at the least."""
_FAR = 1e18
_JUDGED = 4
"""How many ends the learned evaluation judges for each that rollouts begin from."""


@compiled
def back_up(graph: Graph) -> None:
    """Works out each node's value: that of the best end of turn behind it.

    An end's value is the mean of its rollouts. One without a rollout has its heuristic evaluation, corrected
    by the mean error of that evaluation where there were rollouts, and always less than the best of those.
    """
    shift, most, played = 0.0, -_FAR, 0
    for number in range(graph.nodes):
        node = node_at(graph, number)
        node.seen = 0
        if node.visits:
            shift += node.mean - node.estimate
            most = max(most, node.mean)
            played += 1
    if played:
        shift /= played
        most -= _UNPLAYED
    else:
        most = _FAR
    stack = graph.room_at
    graph.all[stack] = 0
    waiting = 1
    while waiting:
        number = graph.all[stack + waiting - 1]
        node = node_at(graph, number)
        if node.seen == 0:
            node.seen = 1
            edge = node.first_edge
            while edge >= 0:
                child = edge_at(graph, edge).child
                if node_at(graph, child).seen == 0:
                    graph.all[stack + waiting] = child
                    waiting += 1
                edge = edge_at(graph, edge).next
        else:
            waiting -= 1
            if node.seen == 1:
                node.seen = 2
                _value(graph, number, shift, most)


@compiled
def _value(graph: Graph, number: int, shift: float, most: float) -> None:
    """Works out the value of a node once those behind it have theirs."""
    node = node_at(graph, number)
    node.here = node.mean if node.visits else min(node.estimate + shift, most)
    best = node.here
    node.pv_end = number
    node.pv_edge = -1
    edge = node.first_edge
    while edge >= 0:
        child = node_at(graph, edge_at(graph, edge).child)
        value = child.value - _ACTION_COST
        if value > best:
            best = value
            node.pv_end = child.pv_end
            node.pv_edge = edge
        edge = edge_at(graph, edge).next
    node.value = best


@compiled
def standing(node: Node, shift: float) -> float:
    """Returns how good an end of turn is by all that is known: its rollouts, or the evaluation put right."""
    return node.mean if node.visits else node.estimate + shift


@compiled
def mean_error(graph: Graph) -> float:
    """Returns by how much rollouts are better than the heuristic evaluation on average, in HP."""
    total, played = 0.0, 0
    for number in range(graph.nodes):
        node = node_at(graph, number)
        if node.visits:
            total += node.mean - node.estimate
            played += 1
    return total / played if played else 0.0


@compiled
def best_unseen(graph: Graph, shift: float) -> int:
    """Returns the node of the highest standing among those not looked at, -1 where there is none."""
    best, value = -1, 0.0
    for number in range(graph.nodes):
        node = node_at(graph, number)
        if node.seen == 0:
            merit = standing(node, shift)
            if best < 0 or merit > value:
                best, value = number, merit
    return best


@compiled
def judge(search: Search) -> None:
    """Judges the ends that rollouts may begin from by the learned evaluation, where there is one,
    once."""
    graph = search.graph
    if graph.judged == 0 and search.evaluation.learned > 0.0:
        _judge_ends(search, _JUDGED * graph.first_ends)
        graph.judged = 1


@compiled
def _judge_ends(search: Search, count: int) -> None:
    """Puts the learned evaluation in the place of the heuristic one, for the ends that this values highest.

    The others keep theirs, put right by the mean error of the heuristic evaluation and below all that were
    judged.

    Args:
        search: nothing has been played on from yet.
        count: how many are judged, beside the root, the default policy's end and the one planned before.
    """
    graph = search.graph
    for number in range(graph.nodes):
        node_at(graph, number).seen = 0
    load(search, 0)
    team = search.fight.fighters[graph.decider].team
    shift, lowest = 0.0, _FAR
    judged = 0
    named = 3 if graph.planned_end else 2
    while judged < min(count + named, graph.nodes):
        number = 0 if judged == 0 else graph.default_end if judged == 1 else graph.planned_end
        if node_at(graph, number).seen:
            number = best_unseen(graph, 0.0)
        node = node_at(graph, number)
        node.seen = 1
        before = node.estimate
        _judge_end(search, number, team)
        shift += node.estimate - before
        lowest = min(lowest, node.estimate)
        judged += 1
    shift /= judged
    for number in range(graph.nodes):
        node = node_at(graph, number)
        if node.seen == 0:
            node.estimate = min(node.estimate + shift, lowest)
            node.mean = node.estimate


@compiled
def judge_late(search: Search, number: int) -> None:
    """Judges an end that was not among the best before any rollout and is played on from all the same.

    So its value does not depend on what else there was to judge.
    """
    node = node_at(search.graph, number)
    if search.evaluation.learned > 0.0 and node.judged == 0:
        load(search, 0)
        _judge_end(search, number, search.fight.fighters[search.graph.decider].team)


@compiled
def _judge_end(search: Search, number: int, team: int) -> None:
    """Puts the learned evaluation of ending the turn in a node beside the heuristic one."""
    node = node_at(search.graph, number)
    before = estimate(node.static, node.danger, node.hope)
    node.estimate = before + search.evaluation.learned * (_judged(search, number, team) - before)
    node.mean = node.estimate
    node.judged = 1


@compiled
def _judged(search: Search, number: int, team: int) -> float:
    """Returns what ending the turn in a node is worth, in HP."""
    if load_end(search, number) != NOBODY:
        return score(search.fight, search.book, search.evaluation, True)
    return worth(search.fight, search.book, search.evaluation, team)


@compiled
def load_end(search: Search, number: int) -> int:
    """Makes `search.fight` what follows when the turn ends in a node; returns the `winner`, `NOBODY` for
    none."""
    fight = search.fight
    load(search, number)
    fight.dice = MEANS
    if fight.order[fight.current] == search.graph.decider and winner(fight) == NOBODY:
        end(fight, search.book)
    return int(winner(fight))

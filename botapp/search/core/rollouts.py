"""Rollouts from the end of a turn: the others play until the actor's next one, by default policy or replies.

A reply is the turn of one of the others as a small search of it finds best for its own side. It is what the
search of the decider's own turn is before rollouts, in a graph of its own: dice at their means, the end of
turn that the heuristic evaluation likes best.
"""

from botapp.fight.core.actions import cast, end, walk_to
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MEANS, NOBODY, Fight
from botapp.fight.core.spellbook import Book
from botapp.fight.core.state import winner
from botapp.search.core.evaluation import Evaluation
from botapp.search.core.expansion import expand, plant
from botapp.search.core.graph import Graph, Search, edge_at, load, node_at
from botapp.search.core.heuristic import THREAT, outlook, threat
from botapp.search.core.judging import back_up
from botapp.search.core.network import worth
from botapp.search.core.policy import CAST_SPELL, WALK, choose
from botapp.search.core.static import score

_STEPS_A_TURN = 14
"""Actions after which a turn is ended."""
_PROSPECT = 0.7
"""The weight of the damage that the actor may do when it is its turn again."""


@compiled
def play_out(reply: Search, looks: int, number: int, until: int, turns: int) -> tuple[float, int]:
    """Plays on until a fighter has its next turn, or before it; returns the value of that, and the actions.

    Args:
        reply: `reply.fight` is a state within that fighter's turn, which is ended with dice at their means,
            or after it; it is played on with the dice that it has and left as it is then. The evaluation is
            prepared for the decision's first state and that fighter's side. The graph is that of replies.
        looks: states that a reply evaluates for each turn, 0 where the default policy plays.
        number: the fighter's number.
        until: the round of its next turn.
        turns: turns of the others that are played at most; what those may do who come later, and before
            the fighter, is estimated.

    Returns:
        The value for the fighter's side, in HP; how many actions the others have taken, ends of turn too.
    """
    fight, book = reply.fight, reply.book
    if fight.order[fight.current] == number and winner(fight) == NOBODY:
        dice = fight.dice
        fight.dice = MEANS
        end(fight, book)
        fight.dice = dice
    actions = steps = 0
    while turns and winner(fight) == NOBODY and _comes_before(fight, number, until):
        if looks:
            actions += _reply(reply, looks)
            turns -= 1
            continue
        ended = _act(reply, steps)
        if ended:
            turns -= 1
        steps = 0 if ended else steps + 1
        actions += 1
    return _value(fight, book, reply.evaluation, number), actions


@compiled
def play_turn(search: Search) -> int:
    """Plays the current actor's turn to its end; returns the `winner`, `NOBODY` while the fight is on.

    Args:
        search: `search.fight` is a state still fought in; it is played on with the dice that it has. The
            evaluation is prepared for a state of the same fight.
    """
    steps = 0
    while winner(search.fight) == NOBODY and not _act(search, steps):
        steps += 1
    return int(winner(search.fight))


@compiled
def _act(search: Search, steps: int) -> bool:
    """Does what the default policy chooses after so many steps of a turn; returns whether that ends it."""
    fight, book = search.fight, search.book
    if steps < _STEPS_A_TURN:
        kind, slot, cell = choose(fight, book, search.spare, search.evaluation, search.work, search.styles)
        if kind == CAST_SPELL:
            cast(fight, book, slot, cell)
            return False
        if kind == WALK:
            walk_to(fight, book, cell)
            return False
    end(fight, book)
    return True


@compiled
def _place(fight: Fight, number: int) -> int:
    """Returns a fighter's place in the order of turns, which summons change."""
    place = 0
    while fight.order[place] != number:
        place += 1
    return place


@compiled
def _comes_before(fight: Fight, number: int, until: int) -> bool:
    """Tells whether it is not a fighter's turn in the round `until` yet."""
    return fight.turn < until or (fight.turn == until and fight.current < _place(fight, number))


@compiled
def _value(fight: Fight, book: Book, evaluation: Evaluation, number: int) -> float:
    """Returns what a state is worth to a fighter's side, those who come before it being still to act."""
    fighter = fight.fighters[number]
    team = fighter.team
    learned = 0.0
    if evaluation.learned > 0.0 and winner(fight) == NOBODY:
        learned = worth(fight, book, evaluation, team)
        if evaluation.learned == 1.0:
            return learned
    total = score(fight, book, evaluation, True)
    if winner(fight) == NOBODY:
        waiting = 0
        place, last = fight.current, _place(fight, number)
        while place != last:
            other = fight.order[place]
            if fight.fighters[other].hp > 0 and fight.fighters[other].team != team:
                waiting |= 1 << other
            place = (place + 1) % fight.turn_count
        total -= THREAT * threat(fight, book, evaluation, waiting)
        if fighter.hp > 0:
            total += _PROSPECT * outlook(fight, book, evaluation, fighter)
        if evaluation.learned > 0.0:
            total += evaluation.learned * (learned - total)
    return total


@compiled
def _reply(reply: Search, looks: int) -> int:
    """Plays the current actor's turn to its end, as well as a small search can.

    Args:
        reply: `reply.fight` is a state still fought in; it is played on, and keeps the dice that it has. The
            evaluation takes the actor's side meanwhile.
        looks: states of the turn that are evaluated, beside those of the first actions.

    Returns:
        How many actions it took, the end of the turn too.
    """
    graph, fight, evaluation = reply.graph, reply.fight, reply.evaluation
    side, decider = evaluation.side, evaluation.decider
    dice, seed = fight.dice, fight.seed
    number = fight.order[fight.current]
    evaluation.side = fight.fighters[number].team
    evaluation.decider = number
    plant(reply)
    expand(reply, graph.looks + looks)
    back_up(graph)
    evaluation.side, evaluation.decider = side, decider
    load(reply, node_at(graph, 0).pv_end)
    fight.dice = dice
    fight.seed = seed
    if fight.order[fight.current] == number and winner(fight) == NOBODY:
        end(fight, reply.book)
    return _length(graph) + 1


@compiled
def _length(graph: Graph) -> int:
    """Returns how many actions the principal variation has."""
    count = 0
    edge = node_at(graph, 0).pv_edge
    while edge >= 0:
        count += 1
        edge = node_at(graph, edge_at(graph, edge).child).pv_edge
    return count

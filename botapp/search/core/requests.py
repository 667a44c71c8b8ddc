"""The one entry through which Python asks the compiled search: one entry is compiled once, and loaded once.

Compiled by itself, each of the functions that it leads to would hold a copy of the rules, and take as long to
compile as this one. The search's face, `botapp.search.desk`, has a method with a name for each request.
"""

from botapp.fight.core.actions import WALKED, cast, walk_to
from botapp.fight.core.casting import FINE, refusal, spell_count
from botapp.fight.core.compiler import compiled, entry
from botapp.fight.core.fight import (
    BUFF_WORDS,
    BUFFS_AT,
    MARK_WORDS,
    MARKS_AT,
    MEANS,
    ROLLS,
    STATE,
    Fight,
    Fighter,
    fight_in,
)
from botapp.fight.core.movement import path_to, reach
from botapp.fight.core.records import Decimals, Longs, Words
from botapp.fight.core.spellbook import Book, book_in
from botapp.fight.core.state import actor, rehash
from botapp.search.core.blows import power
from botapp.search.core.bouts import bout_in, play_bout
from botapp.search.core.evaluation import Evaluation, evaluation_in
from botapp.search.core.expansion import expand, follow, plant
from botapp.search.core.graph import (
    CODE_CELLS,
    MOST_NAMED,
    NO_NODE,
    WALK_SLOT,
    Graph,
    Search,
    graph_in,
    load,
    load_state,
    node_at,
)
from botapp.search.core.heuristic import outlook, potential, strike, terms, threat
from botapp.search.core.judging import back_up, load_end
from botapp.search.core.network import log_odds, write_inputs
from botapp.search.core.policy import choose
from botapp.search.core.rollouts import play_turn
from botapp.search.core.schedule import (
    ends_left,
    name,
    record,
    roll_out,
    roll_out_behind,
    roll_out_from,
    sum_up,
)
from botapp.search.core.static import buffs_value, prepare, score
from botapp.search.core.work import work_in

(PREPARE, PLANT, EXPAND, ROLL_OUT, BACK_UP, TRY, LOAD, PATH, CHOOSE, POWERS, BUFF_VALUES, STRIKES,
POTENTIAL_OF,
 SCORE, TERMS, MATTERS, OUTLOOK_OF, THREAT_OF, INPUTS_OF, LOG_ODDS_OF, NAME, ROLL_OUT_BEHIND,
 SUM_UP, PLAY_TURN, LOAD_END, ENDS_LEFT, ROLL_OUT_FROM, RECORD, PLAY_BOUT) = range(29)  # fmt: skip

NOT_THERE = -(1 << 40)
"""Answers a request about a node, an end, a fighter or a team that is not there."""


@entry
def request(
    what: int,
    graph_words: Longs,
    pool: Words,
    reply_words: Longs,
    reply_pool: Words,
    fight_words: Words,
    spare_words: Words,
    book_words: Words,
    evaluation_words: Longs,
    work_words: Words,
    styles: Decimals,
    answers: Decimals,
    bout_words: Longs,
    x: int,
    y: int,
    z: int,
) -> int:
    """Does one of the things that a search is asked for.

    Args:
        what: which one, with what it takes as `x`, `y` and `z`:
            `PREPARE` the evaluation for the state, which gets its hash, and the team `x`;
            `PLANT` a graph for the state; `EXPAND` it to `x` looks; `ROLL_OUT` from its best ends for `x`
            turns of the others and `y` rounds at most until they have taken `z` actions: returns 0 where
            there is nothing left to play on from; `BACK_UP` the values;
            `TRY` the action of the code `y` in the node `x`: returns the node that leads to, -1 where the
            action is not legal or there is no room;
            `LOAD` the node `x`; `LOAD_END` what follows when the turn ends there: returns who has won then;
            `PATH` of the actor to the cell `x`, into the fight's way: returns its length;
            `CHOOSE` by the default policy: writes kind, slot and cell to the work's `chosen`;
            `POWERS`, `BUFF_VALUES` of all fighters, `STRIKES` of all against the fighter number `x`,
            `POTENTIAL_OF` the actor, `SCORE` of the state (fleeting things where `x`), `TERMS` of it,
            `OUTLOOK_OF` fighter number `x`, `THREAT_OF` the enemies whose numbers are bits of `x`: writes to
            `answers`;
            `NAME` the `x` candidates named, the ends of turn judged; `ROLL_OUT_BEHIND` one of them as
            `ROLL_OUT` does; `SUM_UP` what is known of each of the `x`: writes `FACTS` of each to `answers`;
            `ENDS_LEFT` of the pass of rollouts, the next one begun where it is over: returns how many;
            `ROLL_OUT_FROM` the end at place `x` of it for `y` turns of the others and `z` rounds at most:
            writes the value to `answers`, returns the actions they took; `RECORD` the value in `answers` for
            the next end, the others having taken `x` actions;
            `INPUTS_OF` the state: writes the rows of the learned evaluation, returns how many; `LOG_ODDS_OF`
            team `x`: writes them to `answers`;
            `PLAY_TURN` of the actor by the default policy, with dice thrown by the seed `x`: returns who has
            won then;
            `PLAY_BOUT` on, the state being the second one of `spare_words`: returns why no further, see
            `botapp.search.core.bouts`;
            `MATTERS` whether the node `x` differs from the root in more than what the actor has spent.
        graph_words, pool: the graph and its pool.
        reply_words, reply_pool: those of a reply's search.
        fight_words, spare_words: states.
        book_words: the book.
        evaluation_words: the evaluation; for a whole fight both sides' ones.
        work_words: room for finding actions.
        styles: the play styles.
        answers: room for what is asked.
        bout_words: a whole fight under way.
        x, y, z: see above.

    Returns:
        What is said above, else 0; `NOT_THERE`, nothing done, where `x` names what is not there.
    """
    fight, spare, book = fight_in(fight_words, 0), fight_in(spare_words, 0), book_in(book_words, 0)
    evaluation, work = evaluation_in(evaluation_words, 0), work_in(work_words, 0)
    graph = graph_in(graph_words, 0)
    search = Search(graph, pool, fight, spare, book, evaluation, work, styles)
    if not _is_there(what, graph, fight, x):
        return NOT_THERE
    if what == PREPARE:
        rehash(fight)
        prepare(fight, book, evaluation, x)
    elif what == PLANT:
        plant(search)
    elif what == EXPAND:
        return 1 if expand(search, x) else 0
    elif what == ROLL_OUT or what == ROLL_OUT_BEHIND or what == ROLL_OUT_FROM:
        replying = graph_in(reply_words, 0)
        reply = Search(replying, reply_pool, fight, spare, book, evaluation, work, styles)
        if what == ROLL_OUT:
            return 1 if roll_out(search, reply, x, y, z) else 0
        if what == ROLL_OUT_FROM:
            value, taken = roll_out_from(search, reply, x, y, z)
            answers[0] = value
            return taken
        return 1 if roll_out_behind(search, reply, x, y, z) else 0
    elif what == BACK_UP:
        back_up(graph)
    elif what == TRY:
        return _try(search, x, y)
    elif what == LOAD:
        load(search, x)
    elif what == PATH:
        reach(fight, book, actor(fight))
        return path_to(fight, actor(fight), x)
    elif what == CHOOSE:
        kind, slot, cell = choose(fight, book, spare, evaluation, work, styles)
        work.chosen[0], work.chosen[1], work.chosen[2] = kind, slot, cell
    elif what == INPUTS_OF:
        return write_inputs(fight, book, evaluation)
    elif what == PLAY_TURN:
        fight.dice = ROLLS
        fight.seed = x
        return play_turn(search)
    elif what == LOAD_END:
        return load_end(search, x)
    elif what == PLAY_BOUT:
        true, replies = fight_in(spare_words, STATE), graph_in(reply_words, 0)
        return play_bout(
            bout_in(bout_words, 0), true, graph, pool, replies, reply_pool,
            fight, spare, book, evaluation_words, work, styles,
        )  # fmt: skip
    elif what == MATTERS:
        return 1 if _matters(search, x) else 0
    elif what == NAME:
        name(search, x)
    elif what == ENDS_LEFT:
        return ends_left(search)
    elif what == RECORD:
        record(search, answers[0], x)
    elif what == SUM_UP:
        sum_up(graph, answers, x)
    else:
        _evaluate(what, answers, fight, book, evaluation, x)
    return 0


@compiled
def _is_there(what: int, graph: Graph, fight: Fight, x: int) -> bool:
    """Tells whether a request is about something that there is."""
    if what == TRY or what == LOAD or what == LOAD_END or what == MATTERS:
        return 0 <= x < graph.nodes
    if what == STRIKES or what == OUTLOOK_OF:
        return 0 <= x < fight.fighter_count
    if what == PREPARE or what == LOG_ODDS_OF:
        return 0 <= x < 2
    if what == ROLL_OUT_FROM:
        return 0 <= x < graph.end_count
    if what == RECORD:
        return 0 <= graph.next_end < graph.end_count
    if what == ROLL_OUT_BEHIND:
        return 0 <= graph.behind < MOST_NAMED
    if what == SUM_UP or what == NAME:
        if x < 0 or x > MOST_NAMED:
            return False
        for place in range(x):
            if graph.named[place] < 0 or graph.named[place] >= graph.nodes:
                return False
    return True


@compiled
def _try(search: Search, number: int, code: int) -> int:
    """Adds what an action in a node leads to; returns that node, `NO_NODE` where it is not legal there.

    A turn planned before may hold one: its states are those that were expected then.
    """
    fight, book = search.fight, search.book
    if node_at(search.graph, number).open == 0:
        return NO_NODE
    load(search, number)
    fight.dice = MEANS
    fighter = actor(fight)
    slot, cell = code // CODE_CELLS - 1, code % CODE_CELLS
    if slot == WALK_SLOT:
        reach(fight, book, fighter)
        if walk_to(fight, book, cell) != WALKED:
            return NO_NODE
    else:
        if slot >= spell_count(book, fighter) or refusal(fight, book, fighter, slot, cell) != FINE:
            return NO_NODE
        cast(fight, book, slot, cell)
    return follow(search, fight, number, code, slot == WALK_SLOT)


@compiled
def _matters(search: Search, number: int) -> bool:
    """Tells whether a node differs from the root in more than the AP that its actor has spent."""
    root, node = search.fight, search.spare
    load_state(search.graph, search.pool, root, 0)
    load_state(search.graph, search.pool, node, number)
    if root.mark_count != node.mark_count or root.fighter_count != node.fighter_count:
        return True
    if root.buff_count != node.buff_count or actor(root).number != actor(node).number:
        return True
    for word in range(MARKS_AT, MARKS_AT + root.mark_count * MARK_WORDS):
        if root.all[word] != node.all[word]:
            return True
    for word in range(BUFFS_AT, BUFFS_AT + root.buff_count * BUFF_WORDS):
        if root.all[word] != node.all[word]:
            return True
    for place in range(root.fighter_count):
        before, after = root.fighters[place], node.fighters[place]
        if _differs(before, after) or (place != search.graph.decider and before.ap != after.ap):
            return True
    return False


@compiled
def _differs(before: Fighter, after: Fighter) -> bool:
    """Tells whether a fighter differs in more than its AP."""
    if before.cell != after.cell or before.hp != after.hp or before.max_hp != after.max_hp:
        return True
    return before.shield != after.shield or before.mp != after.mp


@compiled
def _evaluate(what: int, answers: Decimals, fight: Fight, book: Book, evaluation: Evaluation, x: int) -> None:
    """Writes what is asked about a state to `answers`."""
    if what == SCORE:
        answers[0] = score(fight, book, evaluation, x != 0)
    elif what == POTENTIAL_OF:
        answers[0] = potential(fight, book, evaluation)
    elif what == OUTLOOK_OF:
        answers[0] = outlook(fight, book, evaluation, fight.fighters[x])
    elif what == THREAT_OF:
        answers[0] = threat(fight, book, evaluation, x)
    elif what == LOG_ODDS_OF:
        answers[0] = log_odds(fight, book, evaluation, x)
    elif what == TERMS:
        answers[0], answers[1], answers[2] = terms(fight, book, evaluation)
    else:
        for number in range(fight.fighter_count):
            fighter = fight.fighters[number]
            answers[number] = 0.0
            if what == POWERS:
                answers[number] = power(fight, book, evaluation, fighter)
            elif what == BUFF_VALUES:
                answers[number] = buffs_value(fight, book, evaluation, fighter)
            elif fighter.team != fight.fighters[x].team:
                answers[number] = strike(fight, book, evaluation, fighter, fight.fighters[x])

"""Whole fights, played without Python: each side by the default policy or by a small search of each turn.

A side that searches plays the turn found best, and searches again as soon as the dice fall otherwise than it
expected. Dice are rolled from the state's own seed, so that the same seed is the same fight. What a side does
not know, its enemies' traps, is taken out of the state before it chooses.
"""

from botapp.fight.core.actions import WALKED, cast, end, walk
from botapp.fight.core.casting import FINE, refusal, spell_count
from botapp.fight.core.compiler import compiled
from botapp.fight.core.fight import MEANS, NOBODY, Fight
from botapp.fight.core.marks import forget_traps
from botapp.fight.core.movement import reach
from botapp.fight.core.records import Decimals, Longs, Record, Table, Words, row, table, viewer
from botapp.fight.core.spellbook import Book
from botapp.fight.core.state import actor, copy_state, rehash, winner
from botapp.search.core.evaluation import Evaluation, evaluation_in
from botapp.search.core.expansion import expand, hash_of, plant, write_way
from botapp.search.core.graph import CODE_CELLS, WALK_SLOT, Graph, Search, code_of, edge_at, load, node_at
from botapp.search.core.judging import back_up, judge
from botapp.search.core.policy import CAST_SPELL, END, blow_range, choose
from botapp.search.core.schedule import roll_out
from botapp.search.core.static import prepare
from botapp.search.core.styles import CLOSE_YET, RANGED_YET, STYLE, place_of_style, style_of
from botapp.search.core.work import Work

MOST_LOGGED = 512
"""Actions of one call at most, so that Python looks in between (Ctrl-C, its log) some ten times a second."""
MOST_PLANNED = 64
CROWDED_FROM = 40
"""Fighters beyond which Python plays the next action: it forgets summons that have died (`fight.rules`)."""

END_TURN = 0
"""Stands for the end of the turn among the codes of actions, see `graph.code_of`."""
OVER, STOPPED, PAUSED, CROWDED, REFUSED, OUTGROWN = range(6)
"""Why a call returns: one side has won or the last round is over; it was told to stop; it has taken as many
actions as it may; there are so many fighters that Python takes the action chosen; an action
was not legal; the state has outgrown its room."""

STYLES_AT_WORK, STYLES_TO_PLANT, STYLES_OF_SIDES = 0, 1, 2
"""Which table of play styles is for what: the one in use, the one by which a turn's search begins, those of
the two sides."""

_LOOKS, _ACTIONS = 48, 12
"""States evaluated, and actions of rollouts, between two looks at whether it is to stop: below 1 ms."""
_EVALUATION = Evaluation.SIZE


class SidePlayer(Record, wide=True):
    """How a side plays.

    Attributes:
        searches: whether it searches; else the default policy plays.
        looks: states evaluated of a turn, beside those of its first actions.
        walks: walks tried of those that open up the same casts.
        actions: what the others may take in rollouts, 0 for no rollouts.
        turns, rounds: of the others in a rollout at most, see `schedule.roll_out`.
        replies: states evaluated for each of their turns, 0 for the default policy.
        ends, passes: of the first cycle of rollouts; a learned evaluation judges some ends for each of them.
    """

    searches: int
    looks: int
    walks: int
    actions: int
    turns: int
    rounds: int
    replies: int
    ends: int
    passes: int


class Bout(Record, wide=True):
    """A whole fight under way.

    Attributes:
        rounds: the last round that is played.
        stopping: set from another thread, ends a call before its next action.
        most: actions that this call may take, up to `MOST_LOGGED`; `taken` so far.
        chosen: the code of the action chosen last.
        turn, current: the turn that the plan is for; `planned` its actions, `next` the next one.
        close_blows: how far blows go, in cells, of those who fight close up.
        style_words: length of one table of play styles.
        sides: how each plays.
        hashes, codes: the plan: the states that its actions are planned in, and the actions.
        log: the codes of the actions taken by this call.
    """

    rounds: int
    stopping: int
    most: int
    taken: int
    chosen: int
    turn: int
    current: int
    planned: int
    next: int
    close_blows: int
    style_words: int
    sides: Table[SidePlayer] = table(SidePlayer, 2)
    hashes: Words = row(MOST_PLANNED)
    codes: Words = row(MOST_PLANNED)
    log: Words = row(MOST_LOGGED)


bout_in = viewer(Bout)
"""Returns the fight under way that lies in an array from a word on."""


@compiled
def play_bout(
    bout: Bout,
    true: Fight,
    graph: Graph,
    pool: Words,
    replies: Graph,
    reply_pool: Words,
    fight: Fight,
    spare: Fight,
    book: Book,
    evaluations: Longs,
    work: Work,
    styles: Decimals,
) -> int:
    """Plays on; returns why it does not any further.

    Args:
        bout: the fight under way.
        true: its state, whose dice are rolled.
        graph, pool: of the search of a turn.
        replies, reply_pool: of the replies.
        fight, spare: states to work on.
        book: the book.
        evaluations: those of both sides, one after the other; they have never been used with another book.
        work: room for finding actions.
        styles: the tables of play styles.
    """
    while True:
        if winner(true) != NOBODY or true.turn > bout.rounds:
            return OVER
        if bout.stopping:
            return STOPPED
        if bout.taken >= bout.most:
            return PAUSED
        if true.turn != bout.turn or true.current != bout.current:
            bout.turn, bout.current, bout.planned, bout.next = true.turn, true.current, 0, 0
        team = actor(true).team
        evaluation = evaluation_in(evaluations, team * _EVALUATION)
        search = Search(graph, pool, fight, spare, book, evaluation, work, styles)
        _observe(fight, true, team)
        if bout.sides[team].searches:
            hashed = hash_of(fight)
            if bout.next >= bout.planned or bout.hashes[bout.next] != hashed:
                reply = Search(replies, reply_pool, fight, spare, book, evaluation, work, styles)
                _find_turn(bout, bout.sides[team], search, reply)
            bout.chosen = bout.codes[bout.next]
        else:
            bout.chosen = _by_policy(bout, search)
        if bout.stopping:
            bout.planned = 0
            return STOPPED
        bout.next += 1  # the plan of one who does not search is empty
        if true.fighter_count > CROWDED_FROM:
            return CROWDED
        if not _act(true, fight, book, bout.chosen):
            return REFUSED
        bout.log[bout.taken] = bout.chosen
        bout.taken += 1
        if true.fault:
            return OUTGROWN


@compiled
def _observe(fight: Fight, true: Fight, team: int) -> None:
    """Makes `fight` what a team knows of the state, with its hash."""
    copy_state(fight, true)
    forget_traps(fight, team)
    fight.dice = MEANS
    rehash(fight)


@compiled
def _by_policy(bout: Bout, search: Search) -> int:
    """Returns the code of what the default policy chooses."""
    fight, evaluation = search.fight, search.evaluation
    team = actor(fight).team
    prepare(fight, search.book, evaluation, team)
    _take_styles(bout, search, STYLES_OF_SIDES + team)
    kind, slot, cell = choose(fight, search.book, search.spare, evaluation, search.work, search.styles)
    if kind == END:
        return END_TURN
    return code_of(slot if kind == CAST_SPELL else WALK_SLOT, cell)


@compiled
def _find_turn(bout: Bout, player: SidePlayer, search: Search, reply: Search) -> None:
    """Searches the turn of `search.fight` and writes the best one found to the plan."""
    graph, fight = search.graph, search.fight
    team = actor(fight).team
    prepare(fight, search.book, search.evaluation, team)
    graph.walks, graph.dice_shift, graph.reply_looks = player.walks, 0, player.replies
    graph.first_ends, graph.passes = player.ends, player.passes
    _take_styles(bout, search, STYLES_TO_PLANT)
    plant(search)
    load(search, 0)
    _take_styles(bout, search, STYLES_OF_SIDES + team)
    until = graph.looks + player.looks
    left = True
    while left and graph.looks < until and bout.stopping == 0:
        left = expand(search, min(until, graph.looks + _LOOKS))
    back_up(graph)
    if player.actions:
        left = True
        while left and graph.played_actions < player.actions and bout.stopping == 0:
            actions = min(player.actions, graph.played_actions + _ACTIONS)
            left = roll_out(search, reply, player.turns, player.rounds, actions)
        back_up(graph)
    elif search.evaluation.learned > 0.0:
        judge(search)
        back_up(graph)
    _note_plan(bout, graph)


@compiled
def _note_plan(bout: Bout, graph: Graph) -> None:
    """Writes the principal variation to the plan, the end of the turn last."""
    number, count = 0, 0
    edge = node_at(graph, 0).pv_edge
    while edge >= 0 and count < MOST_PLANNED - 1:
        bout.hashes[count] = node_at(graph, number).hash
        bout.codes[count] = edge_at(graph, edge).code
        number = edge_at(graph, edge).child
        edge = node_at(graph, number).pv_edge
        count += 1
    bout.hashes[count] = node_at(graph, number).hash
    bout.codes[count] = END_TURN
    bout.planned, bout.next = count + 1, 0


@compiled
def _take_styles(bout: Bout, search: Search, which: int) -> None:
    """Puts one of the tables of play styles in use for the turn of `search.fight`."""
    fight, styles = search.fight, search.styles
    first = which * bout.style_words
    for word in range(bout.style_words):
        styles[word] = styles[first + word]
    for place in range(0, bout.style_words, STYLE):
        wanted = styles[place]
        if wanted == RANGED_YET:
            styles[place] = -1.0
        elif wanted == CLOSE_YET:
            styles[place] = 1.0
    for number in range(fight.fighter_count):
        fighter = fight.fighters[number]
        style = style_of(styles, fighter)
        wanted = styles[first + place_of_style(fighter)]
        if wanted == RANGED_YET or wanted == CLOSE_YET:
            far = blow_range(search.book, search.work, fighter) > bout.close_blows
            style.distance_wanted = -1.0 if far else 1.0


@compiled
def _act(true: Fight, fight: Fight, book: Book, code: int) -> bool:
    """Takes the action of a code, a walk on the way that its side knows; tells whether it was legal."""
    if code == END_TURN:
        end(true, book)
        return True
    fighter = actor(true)
    slot, cell = code // CODE_CELLS - 1, code % CODE_CELLS
    if slot == WALK_SLOT:
        _observe(fight, true, fighter.team)
        reach(fight, book, actor(fight))
        write_way(fight, true, actor(fight), cell)
        return walk(true, book) == WALKED
    if slot >= spell_count(book, fighter) or refusal(true, book, fighter, slot, cell) != FINE:
        return False
    cast(true, book, slot, cell)
    return True

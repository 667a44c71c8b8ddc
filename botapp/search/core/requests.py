"""The one entry through which Python asks the compiled search: one entry is compiled once, and loaded once.

Next hop: `botapp.search.tree`, `botapp.search.greedy` and `botapp.search.heuristic`.
"""

from typing import Any

from botapp.fight.core.actions import cast, walk_to
from botapp.fight.core.compiler import compiled, entry
from botapp.fight.core.hashing import rehash
from botapp.fight.core.layout import (
    AP,
    BUFF,
    BUFF_LIST,
    BUFFS,
    CELL,
    CURRENT,
    DICE,
    FIGHTER,
    FIGHTERS,
    FIRST,
    HP,
    MARK,
    MARK_LIST,
    MARKS,
    MAX_HP,
    MEANS,
    MP,
    ORDER,
    ROLLS,
    SEED,
    SHIELD,
    TEAM,
)
from botapp.fight.core.states import fighter_at
from botapp.fight.core.walking import path_to, reach
from botapp.search.core.backup import back_up
from botapp.search.core.ends import ends_left, judge_once, play_on, record, roll_out
from botapp.search.core.heuristic import outlook, potential, strike, terms, threat
from botapp.search.core.inputs import write_inputs
from botapp.search.core.judging import load_end
from botapp.search.core.named import name, play_behind, sum_up
from botapp.search.core.network import log_odds
from botapp.search.core.policy import choose
from botapp.search.core.powers import power
from botapp.search.core.rollouts import play_turn
from botapp.search.core.static import buffs_value, prepare, score
from botapp.search.core.tree import follow, grow, load_state, plant
from botapp.search.core.tree_layout import CODE_CELLS, DECIDER, WALK_SLOT

(PREPARE, PLANT, GROW, PLAY_ON, BACK_UP, TRY, LOAD, PATH, CHOOSE, POWERS, BUFF_VALUES, STRIKES, POTENTIAL_OF,
 SCORE, TERMS, MATTERS, OUTLOOK_OF, THREAT_OF, INPUTS_OF, LOG_ODDS_OF, NAME, PLAY_BEHIND,
 SUM_UP, PLAY_TURN, LOAD_END, ENDS_LEFT, ROLL_OUT, RECORD) = range(28)  # fmt: skip


@entry
def request(
    what: int,
    k: Any,
    v: Any,
    q: Any,
    s: Any,
    t: Any,
    b: Any,
    e: Any,
    w: Any,
    styles: Any,
    rk: Any,
    rv: Any,
    rq: Any,
    x: int,
    y: int,
    z: int,
) -> int:
    """Does one of the things that a search is asked for.

    Args:
        what: which one, with what it takes as `x`, `y` and `z`:
            `PREPARE` the evaluation for the state `s`, which gets its hash, and the team `x`;
            `PLANT` a tree for the state `s`; `GROW` it to `x` looks; `PLAY_ON` from its best ends for `x`
            turns of the others and `y` rounds at most until they have taken `z` actions: returns 0 where
            there is nothing left to play on from; `BACK_UP` the values;
            `TRY` the action of the code `y` in the node `x`: returns the node that leads to, -1 for none;
            `LOAD` the node `x` into `s`; `LOAD_END` what follows when the turn ends there: returns who has
            won then;
            `PATH` of the actor of `s` to the cell `x`, into `WAY`: returns its length;
            `CHOOSE` by the default policy in `s`: writes kind, slot and cell to `w`;
            `POWERS`, `BUFF_VALUES` of all fighters of `s`, `STRIKES` of all against the fighter number `x`,
            `POTENTIAL_OF` the actor, `SCORE` of `s` (fleeting things where `x`), `TERMS` of it, `OUTLOOK_OF`
            fighter number `x`, `THREAT_OF` the enemies whose numbers are bits of `x`: writes to `v` from
            `y` on;
            `NAME` the `x` candidates at `NAMED_AT`, the ends of turn judged; `PLAY_BEHIND` one of them as
            `PLAY_ON` does; `SUM_UP` what is known of each of the `x`: writes `FACTS` of each to `v` from `y`
            on;
            `INPUTS_OF` `s`: writes the rows of the learned evaluation to `INPUT_ROWS` of `e`, returns how
            many; `LOG_ODDS_OF` team `x`: writes them to `v` at `y`;
            `PLAY_TURN` of the actor of `s` by the default policy, with dice thrown by the seed `x`: returns
            who has won then;
            `ENDS_LEFT` of the pass of rollouts, the next one begun where it is over: returns how many;
            `ROLL_OUT` from the end at place `x` of it for `y` turns of the others and `z` rounds at most:
            returns the actions they took; `RECORD` the rollout from the next end, in which they took `x`;
            `MATTERS` whether the node `x` differs from the root in more than what the actor has spent.
        k, v, q: the tree's arrays.
        s, t: states.
        b: the book.
        e: the evaluation.
        w: the work array.
        styles: the play styles.
        rk, rv, rq: the arrays of a reply's search.
        x, y, z: see above.
    """
    if what == PREPARE:
        rehash(s)
        prepare(s, b, e, x)
    elif what == PLANT:
        plant(k, v, q, s, t, b, e, w, styles)
    elif what == GROW:
        return 1 if grow(k, v, q, s, t, b, e, w, x) else 0
    elif what == PLAY_ON:
        return 1 if play_on(k, v, q, s, t, b, e, w, styles, rk, rv, rq, x, y, z) else 0
    elif what == BACK_UP:
        back_up(k, v)
    elif what == TRY:
        return _try(k, v, q, s, t, b, e, x, y)
    elif what == LOAD:
        load_state(k, q, s, x)
    elif what == PATH:
        f = FIRST + s[ORDER + s[CURRENT]] * FIGHTER
        reach(s, b, f)
        return path_to(s, f, x)
    elif what == CHOOSE:
        kind, slot, cell = choose(s, b, t, e, w, styles)
        w[0] = kind
        w[1] = slot
        w[2] = cell
    elif what == INPUTS_OF:
        return write_inputs(s, b, e)
    elif what == PLAY_TURN:
        s[DICE] = ROLLS
        s[SEED] = x
        return play_turn(s, b, t, e, w, styles)
    elif what == LOAD_END:
        return load_end(k, q, s, b, x)
    elif what == MATTERS:
        return 1 if _matters(k, q, s, t, x) else 0
    elif what == NAME:
        judge_once(k, v, q, s, b, e)
        name(k, x)
    elif what == PLAY_BEHIND:
        return 1 if play_behind(k, v, q, s, t, b, e, w, styles, rk, rv, rq, x, y, z) else 0
    elif what == ENDS_LEFT:
        return ends_left(k, v, q, s, b, e)
    elif what == ROLL_OUT:
        return roll_out(k, v, q, s, t, b, e, w, styles, rk, rv, rq, x, y, z)
    elif what == RECORD:
        record(k, v, x)
    elif what == SUM_UP:
        sum_up(k, v, x, y)
    else:
        _evaluate(what, v, s, b, e, x, y)
    return 0


@compiled
def _try(k: Any, v: Any, q: Any, s: Any, t: Any, b: Any, e: Any, node: int, code: int) -> int:
    """Adds what a legal action in a node leads to; returns that node."""
    load_state(k, q, s, node)
    s[DICE] = MEANS
    slot, cell = code // CODE_CELLS - 1, code % CODE_CELLS
    if slot == WALK_SLOT:
        reach(s, b, FIRST + s[ORDER + s[CURRENT]] * FIGHTER)
        walk_to(s, b, cell)
    else:
        cast(s, b, slot, cell)
    return follow(k, v, q, s, b, e, node, code, slot == WALK_SLOT)


@compiled
def _matters(k: Any, q: Any, s: Any, t: Any, node: int) -> bool:
    """Tells whether a node differs from the root in more than the AP that its actor has spent."""
    load_state(k, q, s, 0)
    load_state(k, q, t, node)
    if s[MARKS] != t[MARKS] or s[FIGHTERS] != t[FIGHTERS] or s[BUFFS] != t[BUFFS]:
        return True
    if s[ORDER + s[CURRENT]] != t[ORDER + t[CURRENT]]:
        return True
    for word in range(MARK_LIST, MARK_LIST + s[MARKS] * MARK):
        if s[word] != t[word]:
            return True
    for word in range(BUFF_LIST, BUFF_LIST + s[BUFFS] * BUFF):
        if s[word] != t[word]:
            return True
    for number in range(s[FIGHTERS]):
        f = fighter_at(number)
        for field in (CELL, HP, MAX_HP, SHIELD, MP):
            if s[f + field] != t[f + field]:
                return True
        if number != k[DECIDER] and s[f + AP] != t[f + AP]:
            return True
    return False


@compiled
def _evaluate(what: int, v: Any, s: Any, b: Any, e: Any, x: int, y: int) -> None:
    """Writes what is asked about the state `s` to `v` from `y` on."""
    if what == SCORE:
        v[y] = score(s, b, e, x != 0)
    elif what == POTENTIAL_OF:
        v[y] = potential(s, b, e)
    elif what == OUTLOOK_OF:
        v[y] = outlook(s, b, e, fighter_at(x))
    elif what == THREAT_OF:
        v[y] = threat(s, b, e, x)
    elif what == LOG_ODDS_OF:
        v[y] = log_odds(s, b, e, x)
    elif what == TERMS:
        v[y], v[y + 1], v[y + 2] = terms(s, b, e)
    else:
        for number in range(s[FIGHTERS]):
            f = fighter_at(number)
            v[y + number] = 0.0
            if what == POWERS:
                v[y + number] = power(s, b, e, f)
            elif what == BUFF_VALUES:
                v[y + number] = buffs_value(s, b, e, f)
            elif s[f + TEAM] != s[fighter_at(x) + TEAM]:
                v[y + number] = strike(s, b, e, f, fighter_at(x))

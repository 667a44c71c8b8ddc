"""Room for one search at a time, made once and used again: making it anew costs more than a search.

A desk has a method with a name for all that the compiled search is asked for, and reads its records; no code
outside this package reads the arrays.
"""

import weakref
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from botapp.fight.core.capacity import numbers_of
from botapp.fight.core.compiler import INTERPRETED, decimals, long_numbers, whole_numbers
from botapp.fight.core.fight import MOST_FIGHTERS, SET, STATE, Fight
from botapp.fight.core.pack import load
from botapp.fight.core.packed import Parts
from botapp.search.core import requests as ask_for
from botapp.search.core.bouts import Bout
from botapp.search.core.evaluation import INPUT, PAIR, WEIGHT_COUNT, Evaluation
from botapp.search.core.graph import MOST_NAMED, Graph
from botapp.search.core.schedule import FACTS
from botapp.search.core.work import Work, work_array
from botapp.search.learned import LearnedEvaluation
from botapp.search.room import FloatArray, Room

_REPLY_NODES, _REPLY_WALKS = 512, 2
KEPT_WORDS = 2 << 20
"""Words of its pool, 8 MB, that a search may have used for the next one to find its room as it is."""
_WAY = Fight.word("way") + 1
_CHOSEN = Work.word("chosen")


@dataclass(frozen=True, slots=True)
class Baseline:
    """What an evaluation takes from one state and values all others of the turn by.

    Attributes:
        total, won, mean_hp, incoming, between: see `botapp.search.core.evaluation.Evaluation`.
    """

    total: float
    won: float
    mean_hp: float
    incoming: tuple[float, ...]
    between: tuple[int, ...]


class SearchDesk:
    """Room for one search.

    Args:
        nodes: how many states of the turn it can hold, beside the first actions.

    Attributes:
        evaluation: the evaluation; it belongs to one book.
    """

    def __init__(self, nodes: int) -> None:
        self.room, self._reply = Room(nodes), Room(_REPLY_NODES)
        self._reply.graph.walks = _REPLY_WALKS
        self._s, self._t = whole_numbers(STATE), whole_numbers(STATE)
        self.fight = Fight(self._s)
        self._work = work_array()
        self._answers = decimals(max(MOST_FIGHTERS, FACTS * MOST_NAMED))
        self._bout = _NO_BOUT
        self._evaluation = long_numbers(Evaluation.SIZE)
        self.evaluation = Evaluation(self._evaluation)
        self._book: Any = None
        self._styles: Any = None
        self._learned: LearnedEvaluation | None = None
        self._beside: list[SearchDesk] = []

    def judge_by(self, learned: LearnedEvaluation | None) -> None:
        """Sets the learned evaluation of states; None for the hand-made one."""
        if self._learned is not learned:
            self._learned = learned
            self._write_weights()

    def use(self, book: Any, styles: Any) -> None:
        """Takes a fight's book, and play styles for what is asked from now on."""
        if self._book is not book:
            self._evaluation = long_numbers(Evaluation.SIZE)
            self.evaluation = Evaluation(self._evaluation)
            self._book = book
            self._write_weights()
        self._styles = styles

    def load(self, parts: Parts) -> None:
        """Takes a state to work on; its hash is left out."""
        load(parts, self._s)

    @property
    def graph(self) -> Graph:
        return self.room.graph

    @property
    def words(self) -> Any:
        return self._s

    def prepare(self, team: int) -> None:
        """Prepares the evaluation for the state and a team; the state gets its hash."""
        self._ask(ask_for.PREPARE, team)

    @property
    def baseline(self) -> Baseline:
        """What the evaluation has taken from the state it was prepared for, to be set again for another."""
        head = self.evaluation
        return Baseline(
            float(head.total),
            float(head.won),
            float(head.mean_hp),
            tuple(float(head.incoming[team]) for team in range(2)),
            tuple(int(head.between[word]) for word in range(SET)),
        )

    @baseline.setter
    def baseline(self, baseline: Baseline) -> None:
        head = self.evaluation
        head.total, head.won, head.mean_hp = baseline.total, baseline.won, baseline.mean_hp
        for team, blows in enumerate(baseline.incoming):
            head.incoming[team] = blows
        for word, cells in enumerate(baseline.between):
            head.between[word] = cells

    def plant(self) -> None:
        self._ask(ask_for.PLANT)

    def expand(self, looks: int) -> bool:
        """Expands the graph until so many states were evaluated; tells whether anything is left."""
        return bool(self._ask(ask_for.EXPAND, looks))

    def roll_out(self, turns: int, rounds: int, actions: int, behind: int | None = None) -> bool:
        """Runs rollouts until the others have taken so many actions; tells whether anything is left.

        Args:
            turns, rounds, actions: see `botapp.search.core.schedule.roll_out`.
            behind: the named candidate from whose ends they begin, None for the schedule.
        """
        if behind is None:
            return bool(self._ask(ask_for.ROLL_OUT, turns, rounds, actions))
        self.graph.behind = behind
        return bool(self._ask(ask_for.ROLL_OUT_BEHIND, turns, rounds, actions))

    def ends_left(self) -> int:
        """Begins the next pass of rollouts where one is over; returns how many of its ends are left."""
        return self._ask(ask_for.ENDS_LEFT)

    def roll_out_from(self, place: int, turns: int, rounds: int) -> tuple[float, int]:
        """Runs the rollout from the end at a place of the pass; returns its value and the actions taken."""
        taken = self._ask(ask_for.ROLL_OUT_FROM, place, turns, rounds)
        return float(self._answers[0]), taken

    def record(self, value: float, taken: int) -> None:
        """Adds the rollout from the next end of the pass to what is known."""
        self._answers[0] = value
        self._ask(ask_for.RECORD, taken)

    def beside(self) -> "SearchDesk":
        """Returns a desk for rollouts of this search in another thread; it shares the graph and nothing else.

        It goes back by `take_back`.
        """
        other = self._beside.pop() if self._beside else SearchDesk(0)
        other.room = self.room
        other._book, other._styles = self._book, self._styles
        other._evaluation = self._evaluation.copy()
        other.evaluation = Evaluation(other._evaluation)
        other._s[:], other._t[:] = self._s, self._t
        return other

    def take_back(self, others: "list[SearchDesk]") -> None:
        """Keeps desks that `beside` gave for the next rollouts."""
        self._beside += others

    def let_go(self, most_words: int = 0) -> None:
        """Gives the memory that a search has filled back to the system, see `Room`; the search is over."""
        self.room.let_go(most_words)

    def back_up(self) -> None:
        self._ask(ask_for.BACK_UP)

    def try_action(self, node: int, code: int) -> int:
        """Returns the node that an action leads to from another one, -1 where it is not legal there or there
        is no room."""
        return self._ask(ask_for.TRY, node, code)

    def load_node(self, node: int) -> None:
        self._ask(ask_for.LOAD, node)

    def load_end(self, node: int) -> int:
        """Takes what follows when the turn ends in a node; returns who has won, `NOBODY` while it is on."""
        return self._ask(ask_for.LOAD_END, node)

    def path(self, cell: int) -> tuple[int, ...]:
        """Returns the actor's way to a cell, () where it is not in reach."""
        return tuple(numbers_of(self._s, _WAY, self._ask(ask_for.PATH, cell)))

    def choose(self) -> tuple[int, int, int]:
        """Returns the kind, slot and cell of what the default policy chooses, see `core.policy.choose`."""
        self._ask(ask_for.CHOOSE)
        kind, slot, cell = numbers_of(self._work, _CHOSEN, 3)
        return kind, slot, cell

    def matters(self, node: int) -> bool:
        """Tells whether a node differs from the root in more than the AP that its actor has spent."""
        return bool(self._ask(ask_for.MATTERS, node))

    def name(self, nodes: "list[int]") -> None:
        """Names candidates by their nodes, and has the ends of turn judged."""
        for place, node in enumerate(nodes):
            self.graph.named[place] = node
        self._ask(ask_for.NAME, len(nodes))

    def sum_up(self, count: int) -> FloatArray:
        """Returns the `FACTS` of the named candidates, (count, FACTS)."""
        self._ask(ask_for.SUM_UP, count)
        return np.array(self._answers[: count * FACTS], np.float64).reshape(count, FACTS)

    def play_turn(self, seed: int) -> int:
        """Plays the actor's turn by the default policy with dice of a seed; returns who has won then."""
        return self._ask(ask_for.PLAY_TURN, seed)

    def log_odds(self, team: int) -> float:
        """Returns the logarithm of the odds that a team wins, by the learned evaluation."""
        return self.answers(ask_for.LOG_ODDS_OF, 1, team)[0]

    def answers(self, what: int, count: int, x: int = 0) -> list[float]:
        """Returns what the evaluation says about the state, see `botapp.search.core.requests.request`."""
        self._ask(what, x)
        return [float(value) for value in self._answers[:count]]

    def inputs(self) -> tuple[FloatArray, FloatArray]:
        """Returns what the learned evaluation sees of the state, which the evaluation is prepared for.

        Returns:
            The rows, [fighters alive, `INPUT`]; what each says of the others, [alive, alive, `PAIR`].
        """
        count = self._ask(ask_for.INPUTS_OF)
        rows = self._decimals_of("rows", count * INPUT).reshape(count, INPUT)
        pairs = self._decimals_of("pairs", count * MOST_FIGHTERS * PAIR)
        return rows, pairs.reshape(count, MOST_FIGHTERS, PAIR)[:, :count]

    def _ask(self, what: int, x: int = 0, y: int = 0, z: int = 0) -> int:
        answer = int(
            ask_for.request(
                what, *self.room.arrays, *self._reply.arrays, self._s, self._t, self._book.b,
                self._evaluation, self._work, self._styles, self._answers, self._bout, x, y, z,
            )
        )  # fmt: skip
        if answer == ask_for.NOT_THERE:
            raise IndexError(f"the search was asked about {x}, which is not there (request {what})")
        return answer

    def _write_weights(self) -> None:
        write_weights(self.evaluation, self._evaluation, 0, self._learned)

    def _decimals_of(self, name: str, count: int) -> FloatArray:
        first = Evaluation.word(name)
        words = self._evaluation if INTERPRETED else self._evaluation.view(np.float64)
        return np.array(words[first : first + count], np.float64)


def write_weights(evaluation: Evaluation, words: Any, first: int, learned: LearnedEvaluation | None) -> None:
    """Writes the weights of a learned evaluation into one that begins at a word of an array; None for
    none."""
    evaluation.learned = 0.0 if learned is None else learned.share
    if learned is not None:
        first += Evaluation.word("weights")
        numbers = words if INTERPRETED else words.view(np.float64)
        numbers[first : first + WEIGHT_COUNT] = learned.weights


_NO_BOUT = long_numbers(Bout.SIZE)  # Stands where no whole fight is played; it is never read

Desk = TypeVar("Desk", bound=SearchDesk)
SIZES = (512, 4096, 16384, 65536)
spare: dict[int, list[SearchDesk]] = {size: [] for size in SIZES}


def borrow(nodes: int, borrower: object) -> SearchDesk:
    """Returns room for a search of so many nodes, as long as the borrower lives.

    Raises:
        ValueError: no search is that large.
    """
    return lend(SearchDesk, spare, nodes, borrower)


def lend(kind: type[Desk], free: dict[int, list[Desk]], nodes: int, borrower: object) -> Desk:
    """Returns a desk of a kind, one of the free ones of its size where there is one; see `borrow`."""
    size = next((size for size in SIZES if size >= nodes), None)
    if size is None:
        raise ValueError(f"a search has at most {SIZES[-1]} nodes, {nodes} were asked for")
    waiting = free.setdefault(size, [])
    try:
        desk = waiting.pop()
    except IndexError:
        desk = kind(size)
    weakref.finalize(borrower, _give_back, desk, waiting)
    return desk


def _give_back(desk: Desk, waiting: list[Desk]) -> None:
    """Keeps the room of a search that is no longer looked at for the next ones, some of each size.

    Only the one that is taken next holds memory.
    """
    mine: list[Desk] = []
    while waiting and len(mine) < _MOST_FREE:
        try:
            mine.append(waiting.pop())  # out of the list, so that no other thread borrows it meanwhile
        except IndexError:
            break
    for other in mine:
        other.let_go()
    desk.let_go(KEPT_WORDS)
    waiting += [*mine[: _MOST_FREE - 1], desk]


_MOST_FREE = 4  # Enough for a search, its reply in another thread and two that wait to be collected

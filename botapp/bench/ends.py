"""How well what the search says of the ends of a turn foretells how fights end.

    python -m botapp.bench.ends --make FILE --seconds 600 --workers 16 --pool drawn    plays on, and writes
    python -m botapp.bench.ends FILE...                                                what foretold it best

From some ends of a turn both sides play on to the end of the fight, several times. An end's evaluation and
its rollout are compared with the share of fights won from there, within each turn: a decision only needs to
know which end of a turn is better than another. Most of all it needs to know that of the best ones: a judge
that only tells good ends from bad ones wins no fights (docs/log/search.md).
"""

import json
import lzma
import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer

from botapp.arena.scenarios import LARGEST_TEAM, outcome, team
from botapp.arena.workers import spread
from botapp.content.state_json import action_from_json, action_to_json, state_from_json, state_to_json
from botapp.fight.actions import Action, EndTurn
from botapp.fight.core.capacity import CapacityError
from botapp.fight.rules import DRAW, apply, apply_expected, observation
from botapp.fight.state import FightState
from botapp.learning.contrasts import log_odds
from botapp.learning.outcomes import searched
from botapp.search.learned import load
from botapp.search.options import REPLY_LOOKS, SearchOptions
from botapp.search.result import SearchResult
from botapp.search.room import FloatArray
from botapp.search.tree import TurnSearch

_OPENING = 60  # Actions at most that a fight is played on for before the turn looked at
_BEST, _OTHERS, _PLAYED = 3, 4, 12
"""Ends of a turn: the best by the search, others drawn at random; how often each is played on from."""
_FEW = 1000  # Room for the states of one turn that is followed
_ROUNDS = 25  # A fight still on after so many rounds more counts as a draw
_QUICK = 48, 120
_BROAD = 2000, 8000
_LARGEST = 4.0  # Log odds beyond which one end is as good as lost or won

_STEPS = 30
"""Steps from the evaluation to one and a half times the search's mean that a weight is looked for at."""
_DRAWS = 1000

Pool = Literal["drawn", "unseen"]
Record = dict[str, Any]


def _options(actions: int, nodes: int) -> SearchOptions:
    return SearchOptions(actions, nodes, ends=32, walks=4, learned=load(), replies=REPLY_LOOKS)


def _next_action(state: FightState) -> Action:
    result = searched(state, _options(*_QUICK))
    return EndTurn() if result is None else result.best().action


def _turn_of(seed: int, pool: Pool) -> FightState | None:
    """Returns the beginning of a turn in the fight of a seed; None where the fight is over before."""
    rng = random.Random(f"ends {seed}")
    state = team(seed, rng.randint(1, LARGEST_TEAM), pool=pool)
    left, turn = rng.randint(0, _OPENING), (0, -1)
    while outcome(state) is None:
        if left <= 0 and turn != (state.turn, state.actor.id):
            return state
        left -= 1
        turn = state.turn, state.actor.id
        state = apply(state, _next_action(state), rng)
    return None


def _lines(tree: TurnSearch) -> dict[int, tuple[Action, ...]]:
    lines: dict[int, tuple[Action, ...]] = {0: ()}
    waiting = [0]
    for parent in waiting:
        edge = int(tree.record(parent).first_edge)
        while edge >= 0:
            action, node = tree.step(parent, edge)
            if node.index not in lines:
                lines[node.index] = (*lines[parent], action)
                waiting.append(node.index)
            edge = tree.next_edge(edge)
    return lines


def _won(state: FightState, side: int, rng: random.Random) -> float:
    """Plays a fight to its end; returns 1 where a side wins, 0.5 for a draw."""
    last = state.turn + _ROUNDS
    try:
        while (winner := outcome(state)) is None and state.turn <= last:
            state = apply(state, _next_action(state), rng)
    except CapacityError:
        return 0.5
    return 0.5 if winner is None or winner == DRAW else float(winner == side)


def made(pool: Pool, played: int, seed: int) -> Record | None:
    """Plays on from ends of a turn in the fight of a seed, each so often; None where there are too few."""
    state = _turn_of(seed, pool)
    result = None if state is None else searched(state, _options(*_BROAD))
    if state is None or result is None:
        return None
    tree, side = result.tree, state.actor.team
    seen = tree.all_nodes[tree.visits(tree.all_nodes) > 0].tolist()
    if len(seen) < _BEST + _OTHERS:
        return None
    seen = [seen[place] for place in np.argsort(-tree.means(np.array(seen)), kind="stable").tolist()]
    rng, lines = random.Random(seed), _lines(tree)
    ends = []
    for node in seen[:_BEST] + rng.sample(seen[_BEST:], _OTHERS):
        after = tree.state_of(node)
        if outcome(after) is None and after.actor.id == state.actor.id:
            after = apply_expected(after, EndTurn())
        if outcome(after) is None:
            won = [_won(after, side, random.Random(f"{seed} {number}")) for number in range(played)]
            ends.append(
                {"line": [action_to_json(action) for action in lines[node]], "won": sum(won) / played}
            )
    return {"pool": pool, "seed": seed, "state": state_to_json(state), "ends": ends}


def said(record: Record) -> FloatArray:
    """Returns what is said of the ends of a turn, and what became of them: (ends, 3).

    The log odds of winning by the evaluation alone; those by the search's mean, which has a rollout in it;
    the share of fights won.

    Raises:
        ValueError: an end's turn cannot be played by this program.
    """
    state = state_from_json(record["state"])
    rows = []
    for end in record["ends"]:
        tree = TurnSearch(observation(state, state.actor.team), _FEW, learned=load(), replies=REPLY_LOOKS)
        tree.follow([action_from_json(step) for step in end["line"]])
        tree.name([tree.root])
        node = tree.planned if end["line"] else tree.root
        if node is None:
            raise ValueError(f"a turn of seed {record['seed']} cannot be played any more")
        evaluation = node.here
        tree.look(None, 1)
        result = SearchResult(tree, (), ())
        odds = [_log_odds(result.chance_of(value)) for value in (evaluation, node.here)]
        rows.append((*odds, end["won"]))
    return np.array(rows)


def _log_odds(chance: float) -> float:
    return max(-_LARGEST, min(_LARGEST, log_odds(chance)))


@dataclass(frozen=True, slots=True)
class Comparison:
    """What foretells the outcome of fights, within turns.

    Attributes:
        turns, ends: how many there were.
        evaluation, mean: the correlation of the outcomes with the evaluation, and with the search's mean.
        among_best: both among the ends of each turn that the search liked best; not a number where there are
            none.
        best, weight: the highest correlation of a mixture, and the weight that the mean has in it: 0 is the
            evaluation alone, 1 the mean alone.
        interval: the 95 % interval of the weight, by bootstrap over turns.
    """

    turns: int
    ends: int
    evaluation: float
    mean: float
    among_best: tuple[float, float]
    best: float
    weight: float
    interval: tuple[float, float]


def compared(turns: Sequence[FloatArray]) -> Comparison:
    """Compares what foretells the outcome of fights within turns.

    Args:
        turns: what `said` returns of each, the ends that the search liked best first.
    """
    within = [turn - turn.mean(axis=0) for turn in turns]
    best_ends = [turn[:_BEST] - turn[:_BEST].mean(axis=0) for turn in turns]
    weights = np.linspace(0, 1.5, _STEPS + 1)

    def foretold(parts: Sequence[FloatArray]) -> FloatArray:
        evaluation, mean, won = np.concatenate(parts).T
        mixed = evaluation + weights[:, None] * (mean - evaluation)
        correlation: FloatArray = mixed @ won / np.sqrt((mixed**2).sum(axis=1) * (won**2).sum())
        return correlation

    rng = np.random.default_rng(1)
    best = [
        weights[foretold([within[n] for n in rng.integers(len(within), size=len(within))]).argmax()]
        for _ in range(_DRAWS)
    ]
    overall = foretold(within)
    among_best = foretold(best_ends)
    alone = int(np.abs(weights - 1).argmin())
    low, high = np.percentile(best, (2.5, 97.5)).tolist()
    return Comparison(
        turns=len(turns),
        ends=sum(map(len, turns)),
        evaluation=float(overall[0]),
        mean=float(overall[alone]),
        among_best=(float(among_best[0]), float(among_best[alone])),
        best=float(overall.max()),
        weight=float(weights[overall.argmax()]),
        interval=(low, high),
    )


def records(path: Path) -> Iterator[Record]:
    """Reads a file that `--make` wrote."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def main(
    files: Annotated[list[Path] | None, typer.Argument(help="files that --make wrote")] = None,
    make: Annotated[Path | None, typer.Option(help="file to write")] = None,
    pool: Pool = "drawn",
    seconds: float = 600.0,
    workers: int = 2,
    seed: int = 1,
) -> None:
    """Plays on from ends of turns and writes what became of them, or compares what foretold it."""
    if make is not None:
        tasks = range(seed, seed + 10**6)
        with (
            closing(spread(partial(made, pool, _PLAYED), tasks, workers, None, seconds)) as ended,
            lzma.open(make, "wt", encoding="utf-8") as file,
        ):
            for _, record in ended:
                if record is not None:
                    file.write(json.dumps(record) + "\n")
        return
    if not files:
        raise typer.BadParameter("give files that --make wrote, or a file to write with --make")
    read = [record for file in files for record in records(file)]
    for name in sorted({record["pool"] for record in read}):
        turns = [said(record) for record in read if record["pool"] == name and len(record["ends"]) > 1]
        figures = compared(turns)
        print(
            f"{name}: {figures.ends} ends of {figures.turns} turns; correlation with the fights won:"
            f" evaluation {figures.evaluation:.2f}, mean {figures.mean:.2f}, both at best {figures.best:.2f},"
            f" the mean weighing {figures.weight:.2f}"
            f" ({figures.interval[0]:.2f} to {figures.interval[1]:.2f});"
            f" among the {_BEST} best ends of each turn: evaluation {figures.among_best[0]:.2f},"
            f" mean {figures.among_best[1]:.2f}"
        )


if __name__ == "__main__":
    typer.run(main)

"""How much better the advice could be: players without a clock against the app's own search player.

    python -m botapp.bench.ceilings fight playouts --pool unseen --sizes 1v1 --workers 32 --out F
    python -m botapp.bench.ceilings record --pool unseen --fights 100000 --workers 32 --out FOLDER
    python -m botapp.bench.ceilings learn FOLDER --out WEIGHTS
    python -m botapp.bench.ceilings fight learnt:WEIGHTS --pool unseen --workers 32 --out F
    python -m botapp.bench.ceilings report F...

`fight` appends a line of JSON for each fight to a file; the fights that stand there are not played again, so
the same command goes on where it was ended. Each seed is fought from both sides, the HP of one scaled until
small searches on both sides win about half (`botapp.arena.even`); against monsters, who are greedy, the
player and the app's own fight the same seeds instead. The players:

- `playouts`: of the search's best ends of a turn those that differ in who stands where with what, each played
  out often by small searches with the same dice for all; another than the search's own is taken where it won
  more by two standard errors;
- `learnt:WEIGHTS`: the app's search with an evaluation learnt from many fights of just that pool;
- `hundredfold`: a hundred times the time, the nodes and the states of replies;
- `dice`: the app's search in the same time, which knows how all dice will fall;
- any word of `botapp.arena.player_spec`.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from itertools import count, groupby, islice
from pathlib import Path
from typing import Any, get_args

from botapp.arena import even
from botapp.arena.elo import strength
from botapp.arena.fixtures import parse_sizes
from botapp.arena.match import play
from botapp.arena.player_spec import make_player
from botapp.arena.players.base import Player
from botapp.arena.workers import spread
from botapp.bench import pool_records
from botapp.bench.ceiling_players import DicePlayer, PlayoutsPlayer
from botapp.bench.pool_records import FIGHTS, PoolName
from botapp.fight.actions import Action
from botapp.fight.core.capacity import CapacityError
from botapp.fight.rules import DRAW
from botapp.fight.state import FightState
from botapp.learning.outcomes import Played
from botapp.search.preparing import prepare
from botapp.search.whole_fights import FightDice

OWN = "bare:evaluation=learned,ms=150"  # The app's own search player
HUNDREDFOLD = "bare:evaluation=learned,ms=15000,nodes=180000,replies=1500"
"""A hundred times its time and the states of its replies, with as many nodes as a search may have."""
_MS = 150.0
_CHUNK, _A_FILE = 20, 4000  # Fights of one task, and of one file
MOST_TASKS = 100_000


@dataclass(frozen=True, slots=True)
class Task:
    """A fight to play: the player's word, the pool, fighters a team, the seed, the player's side."""

    player: str
    pool: PoolName
    size: int
    seed: int
    side: int
    playouts: int = 200
    ends: int = 6


@dataclass(frozen=True, slots=True)
class Line:
    """A fight that was played; `winner` is -1 for a draw, `share` the factor of the HP of team 0 (of monsters
    against them), `hp_left` what the player's side had left, 0..1, `about` what the player says of itself."""

    player: str
    pool: str
    size: int
    seed: int
    side: int
    winner: int
    rounds: int
    actions: int
    share: float
    hp_left: float
    seconds: float
    about: dict[str, float]

    @property
    def points(self) -> float:
        """What the player has of it: 1, half for a draw, 0."""
        return 0.5 if self.winner == DRAW else float(self.winner == self.side)


def player_of(task: Task) -> Player:
    """Returns a fresh player by its word, see this module's docstring.

    Raises:
        ValueError: there is none of this word, or its weights cannot be read.
    """
    word = task.player
    if word == "playouts":
        return PlayoutsPlayer(_MS, task.playouts, task.ends, task.pool == "monsters")
    if word == "dice":
        return DicePlayer(_MS)
    if word == "hundredfold":
        return make_player(HUNDREDFOLD)
    if word.startswith("learnt:"):
        return make_player(f"bare:evaluation={word.removeprefix('learnt:')},ms={_MS:g}")
    return make_player(OWN if word == "own" else word)


class Remembering:
    """A player, and the last state that it was asked about."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.state: FightState | None = None

    def choose(self, state: FightState, rng: random.Random) -> Action:
        self.state = state
        return self._player.choose(state, rng)

    def hp_left(self, team: int) -> float:
        """Returns the share of its full HP that a team had when the player was asked last."""
        if self.state is None:
            return 1.0
        own = [one for one in self.state.fighters if one.team == team and one.summoner is None]
        return sum(one.hp for one in own) / max(1, sum(one.max_hp + one.eroded for one in own))


def play_one(shares: Path | None, task: Task) -> Line | None:
    """Plays one fight; None where its seed cannot be evened out, or it outgrew the rules' room."""
    begun = time.monotonic()
    scenario, pool = FIGHTS[task.pool]
    percent = _percent(shares, task)
    if percent == even.LEFT_OUT:
        return None
    written = even.as_written(scenario, task.seed, pool)
    state = even.scaled(written, even.SCALED_SIDE[scenario], percent)
    player = player_of(task)
    other = make_player(even.MONSTERS if task.pool == "monsters" else OWN)
    remembering = Remembering(player)
    dice = FightDice(2 * task.seed + task.side)
    try:
        result = play(state, {task.side: remembering, 1 - task.side: other}, dice)
    except CapacityError:
        return None
    about: dict[str, float] = getattr(player, "about", {})
    return Line(
        task.player,
        task.pool,
        task.size,
        task.seed,
        task.side,
        result.winner,
        result.turns,
        result.actions,
        percent / 100,
        round(remembering.hp_left(task.side), 3),
        round(time.monotonic() - begun, 2),
        about,
    )


def _percent(shares: Path | None, task: Task) -> int:
    """Returns the percent of HP that make a fight even, `LEFT_OUT` where there are none."""
    scenario, pool = FIGHTS[task.pool]
    known = _factors(shares).get(even.key(scenario, pool))
    percent = None if known is None else known.of(task.seed)
    return even.made_even((scenario, pool, task.seed, even.QUICK)) if percent is None else percent


@cache
def _factors(shares: Path | None) -> dict[str, even.Factors]:
    return even.shipped() if shares is None else even.read(shares.read_text("utf-8"), str(shares))


def lines_of(files: Sequence[Path]) -> list[Line]:
    """Returns the fights that stand in files; a last line that was not written whole is left out."""
    found = []
    for file in files:
        for text in file.read_text("utf-8").splitlines():
            try:
                found.append(Line(**json.loads(text)))
            except (ValueError, TypeError):
                print(f"{file}: a line that is no fight is left out", file=sys.stderr)
    return found


def _tasks(
    player: str, pool: PoolName, sizes: Sequence[int], seed: int, done: set[tuple[Any, ...]]
) -> Iterator[Task]:
    """Yields the fights that are missing: each seed from both sides; against monsters also the app's own."""
    for number in count(seed):
        size = 1 if pool == "monsters" else even.size_of(number)
        if size in sizes:
            both = [(player, 0), ("own", 0)] if pool == "monsters" else [(player, 0), (player, 1)]
            for word, side in both:
                if (word, pool, size, number, side) not in done:
                    yield Task(word, pool, size, number, side)


def report_lines(lines: Sequence[Line]) -> list[str]:
    """Returns a line of text for each player, pool and size, and for all sizes together."""
    told = []

    def kind(line: Line) -> tuple[str, str]:
        return line.pool, line.player

    for (pool, player), group in groupby(sorted(lines, key=kind), kind):
        fights = list(group)
        if pool == "monsters" and player == "own":
            continue
        own = {one.seed: one for one in lines if one.pool == "monsters" and one.player == "own"}
        sizes = sorted({one.size for one in fights})
        for size in [None, *sizes] if len(sizes) > 1 else [None]:
            part = [one for one in fights if size in (None, one.size)]
            told.append(_told(pool, player, size, part, own))
    return told


def _told(pool: str, player: str, size: int | None, part: list[Line], own: dict[int, Line]) -> str:
    seeds: dict[tuple[int, int], list[Line]] = {}
    for line in part:
        seeds.setdefault((line.size, line.seed), []).append(line)
    if pool == "monsters":
        pairs = [(one, own[one.seed]) for one in part if one.seed in own]
        if not pairs:
            return f"{pool} {player}: no seed that the app's own player has fought too"
        found = strength([0.5 + (one.points - other.points) / 2 for one, other in pairs])
        ahead, low, high = (100 * (2 * share - 1) for share in (found.share, found.low, found.high))
        won = sum(one.points for one, _ in pairs) / len(pairs)
        base = sum(other.points for _, other in pairs) / len(pairs)
        left = [sum(side.hp_left for side in sides) / len(pairs) for sides in zip(*pairs, strict=True)]
        return (
            f"{pool} {player}: won {100 * won:.1f} % of {len(pairs)}, the app's own {100 * base:.1f} %, "
            f"{ahead:+.1f} points ({low:+.1f} to {high:+.1f}); HP left {left[0]:.3f} against {left[1]:.3f}, "
            f"rounds {_mean(one.rounds for one, _ in pairs):.1f} against "
            f"{_mean(other.rounds for _, other in pairs):.1f}"
        )
    whole = [fights for fights in seeds.values() if len(fights) == 2]
    if not whole:
        return f"{pool} {player}: no seed was fought from both sides"
    found = strength([(one.points + other.points) / 2 for one, other in whole])
    fights = [line for pair in whole for line in pair]
    draws = sum(line.winner == DRAW for line in fights) / len(fights)
    split = sum(one.points + other.points == 1 for one, other in whole) / len(whole)
    about = {
        key: sum(line.about.get(key, 0) for line in fights)
        for key in sorted({k for f in fights for k in f.about})
    }
    more = "".join(f", {value:g} {key}" for key, value in about.items())
    return (
        f"{pool} {player}{'' if size is None else f' {size}v{size}'}: "
        f"{100 * found.share:.1f} % ({100 * found.low:.1f} to {100 * found.high:.1f}) of {len(fights)}; "
        f"draws {100 * draws:.0f} %, split pairs {100 * split:.0f} %, "
        f"{_mean(line.rounds for line in fights):.1f} rounds, "
        f"{_mean(line.seconds for line in fights):.1f} s a fight{more}"
    )


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / max(1, len(found))


def fight(given: argparse.Namespace) -> None:
    """Plays fights against the app's own search player until the time is over."""
    prepare()  # once, before all workers would
    begun = time.monotonic()
    out: Path = given.out
    out.parent.mkdir(parents=True, exist_ok=True)
    found = lines_of([out]) if out.is_file() else []
    done: set[tuple[Any, ...]] = {(one.player, one.pool, one.size, one.seed, one.side) for one in found}
    missing = _tasks(given.player, given.pool, parse_sizes(given.sizes), given.seed, done)
    tasks = [replace(one, playouts=given.playouts, ends=given.ends) for one in islice(missing, MOST_TASKS)]
    player_of(tasks[0])  # says at once what is wrong with the word
    work = partial(play_one, given.shares)
    with (
        out.open("a", encoding="utf-8") as file,
        closing(spread(work, tasks, given.workers, None, given.seconds)) as ended,
    ):
        for _, line in ended:
            if line is not None:
                found.append(line)
                file.write(json.dumps(asdict(line)) + "\n")
                file.flush()
    print(f"{time.monotonic() - begun:.0f} s")
    print("\n".join(report_lines([one for one in found if one.pool == given.pool])))


def record(given: argparse.Namespace) -> None:
    """Plays fights of a pool by small searches, for `learn`."""
    prepare()
    begun = time.monotonic()
    out: Path = given.out
    out.mkdir(parents=True, exist_ok=True)
    end = given.seed + given.fights
    tasks = [range(first, min(first + _CHUNK, end)) for first in range(given.seed, end, _CHUNK)]
    work = partial(pool_records.play_some, given.pool, parse_sizes(given.sizes))
    waiting: list[Played] = []
    total = states = 0
    with closing(spread(work, tasks, given.workers, None, given.seconds)) as ended:
        for _, played in ended:
            waiting += played
            total, states = total + len(played), states + sum(len(one.rows) for one in played)
            if len(waiting) >= _A_FILE:
                pool_records.write(waiting, out / f"{given.pool}-{waiting[0].fight}.npz")
                waiting = []
    if waiting:
        pool_records.write(waiting, out / f"{given.pool}-{waiting[0].fight}.npz")
    taken = time.monotonic() - begun
    print(f"{total} fights, {states} states in {taken:.0f} s, {total / taken:.0f} a second")


def learn(given: argparse.Namespace) -> None:
    """Trains an evaluation on fights of a pool and says how well it foretells fights held back.

    Raises:
        ValueError: there are no fights.
    """
    from botapp.bench.pool_learning import learned  # noqa: PLC0415 - torch is loaded only where it is needed

    files = sorted(file for folder in given.folders for file in folder.glob("*.npz"))
    if not files:
        folders = ", ".join(map(str, given.folders))
        raise ValueError(f"there are no fights in {folders}; `record --out FOLDER` writes them")
    found = learned(files, given.out, given.seconds, given.epochs, given.start, given.rate, given.share)
    print(json.dumps(found, indent=1))


def report(given: argparse.Namespace) -> None:
    """Says what became of the fights in files: points, with 95 % intervals."""
    print("\n".join(report_lines(lines_of(given.files))))


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m botapp.bench.ceilings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True)

    def command(run: Callable[[argparse.Namespace], None]) -> Callable[..., argparse.Action]:
        one = commands.add_parser(run.__name__, help=(run.__doc__ or "").splitlines()[0])
        one.set_defaults(run=run)
        return one.add_argument

    def spreading(add: Callable[..., argparse.Action]) -> None:
        add("--pool", choices=get_args(PoolName), default="unseen")
        add("--seconds", type=float, default=540.0, help="no fight is waited for after so long")
        add("--workers", type=int, default=1, help="processes")

    add = command(fight)
    add("player", help="playouts, learnt:WEIGHTS, hundredfold, dice, own, or a word of the arena")
    add("--out", type=Path, required=True, help="file of lines of JSON, gone on with where it is there")
    spreading(add)
    add("--sizes", default="1v1", help="of teams: seeds of other sizes are left out")
    add("--seed", type=int, default=even.FIRST_SEED, help="the first fight's")
    add("--playouts", type=int, default=200, help="fights that each end is played out by")
    add("--ends", type=int, default=6, help="ends of a turn that are played out")
    add("--shares", type=Path, help="a file of `botapp.arena.even`; else the app's, else found here")
    add = command(record)
    add("--out", type=Path, required=True, help="folder of fights")
    spreading(add)
    add("--sizes", default="1v1..4v4", help="of teams, drawn by seed")
    add("--seed", type=int, default=pool_records.FIRST_SEED, help="the first fight's")
    add("--fights", type=int, default=100_000)
    add = command(learn)
    add("folders", type=Path, nargs="+", help="what `record` wrote")
    add("--out", type=Path, required=True, help="file for the weights")
    add("--seconds", type=float, default=500.0, help="how long it learns at most")
    add("--epochs", type=int, default=12)
    add("--start", type=Path, help="weights to go on from; else from nothing")
    add("--rate", type=float, default=2e-3, help="the learning rate at the beginning")
    add("--share", type=float, default=0.5, help="weight beside the heuristic evaluation")
    add = command(report)
    add("files", type=Path, nargs="+", help="what `fight` wrote")
    return parser


def main(given: Sequence[str] | None = None) -> int:
    """Does what the command line says; a mistake in it is one line of text."""
    arguments = _arguments().parse_args(given)
    try:
        arguments.run(arguments)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Many fights between two players, mirrored: each seed is fought twice with the sides swapped.

Even adventures are not mirrored: each player in turn meets the same monsters, played by a third.

A tournament can be written to a file while it goes on; the same tournament told to write there again plays
only the fights that are missing. `python -m botapp.arena.tournament` plays one where there is no more than
torch, numpy, safetensors and pydantic.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from botapp.arena import even, tournament_file
from botapp.arena.elo import Strength, ratings, strength
from botapp.arena.fixtures import SCENARIOS, begin
from botapp.arena.match import play
from botapp.arena.player_spec import make_player, parse
from botapp.arena.scenarios import Pool
from botapp.arena.workers import spread
from botapp.fight.rules import DRAW


@dataclass(frozen=True, slots=True)
class FightRecord:
    """One fight of a tournament as it came out.

    Attributes:
        a_team: the side player A had. In even adventures, where one player and then the other has side 0
            against the monsters, 1 stands for the fight of player B.
        winner, turns, actions, played, idle, hp_left: see `botapp.arena.match.MatchResult`.
    """

    seed: int
    a_team: int
    winner: int
    turns: int
    actions: int
    played: int = 0
    idle: int = 0
    hp_left: int = 0

    @property
    def points(self) -> float:
        """What player A has of it: 1, half for a draw, 0. What B wins against monsters, A has lost."""
        return 0.5 if self.winner == DRAW else float(self.winner == self.a_team)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What makes a tournament this one: the same arrangement gives the same fights.

    Attributes:
        a, b: words of players, see `botapp.arena.player_spec`.
        scenario: one of `botapp.arena.fixtures.SCENARIOS`.
        sizes: fighters of a team, taken in turn by seed; none leaves them to the scenario.
        pool: one of `botapp.arena.fixtures.POOLS`.
        even: whether one side's HP are scaled, see `botapp.arena.even`.
    """

    a: str
    b: str
    scenario: str = "duel"
    sizes: tuple[int, ...] = ()
    pool: Pool = "seen"
    even: bool = False

    @property
    def against_monsters(self) -> bool:
        """Whether both players meet the same monsters in turn, in place of each other."""
        return self.even and self.scenario == "adventure"

    def to_json(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            "scenario": self.scenario,
            "sizes": [f"{size}v{size}" for size in self.sizes],
            "pool": self.pool,
            **({"even": True} if self.even else {}),
        }


Task = tuple[Arrangement, int, int]
"""A fight to play: the tournament's arrangement, the seed, the side of player A."""


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """What came of a tournament, as far as it was played; the fights are sorted by seed."""

    arrangement: Arrangement
    results: tuple[FightRecord, ...]

    @property
    def a_wins(self) -> int:
        return sum(1 for fight in self.results if fight.winner == fight.a_team)

    @property
    def draws(self) -> int:
        return sum(1 for fight in self.results if fight.winner == DRAW)

    @property
    def pairs(self) -> list[list[FightRecord]]:
        seeds: dict[int, list[FightRecord]] = {}
        for fight in self.results:
            seeds.setdefault(fight.seed, []).append(fight)
        return list(seeds.values())

    @property
    def split(self) -> float:
        """The share of seeds fought twice of which each player won one: they tell nothing of strength."""
        whole = [pair for pair in self.pairs if len(pair) == 2]
        even = [pair for pair in whole if {fight.points for fight in pair} == {0.0, 1.0}]
        return len(even) / max(1, len(whole))

    @property
    def strength(self) -> Strength:
        return strength([sum(fight.points for fight in pair) / len(pair) for pair in self.pairs])

    def to_json(self) -> dict[str, Any]:
        """Returns the result as a plain dict, the single fights at its end.

        `elo` is the difference with the bounds of its 95 % interval, each null where it has no end. Against
        monsters there is none; `a_alone` and `b_alone` say how each did.
        """
        fights = len(self.results)
        points = self.strength
        wins: dict[str, Any] = {
            "fights": fights,
            "a_wins": self.a_wins,
            "b_wins": fights - self.a_wins - self.draws,
            "a_win_rate": self.a_wins / fights,
        }
        elo = {"elo": {"difference": points.elo, "low": points.elo_low, "high": points.elo_high}}
        if self.arrangement.against_monsters:  # the two never met
            elo, wins = {}, {"fights": fights, "a_alone": self._alone(0), "b_alone": self._alone(1)}
        return {
            **self.arrangement.to_json(),
            **wins,
            "draws": self.draws,
            "mean_turns": sum(fight.turns for fight in self.results) / fights,
            "idle_turns": sum(fight.idle for fight in self.results)
            / max(1, sum(fight.played for fight in self.results)),
            "split_pairs": self.split,
            "a_points": points.share,
            "a_points_interval": [points.low, points.high],
            **elo,
            "results": [asdict(fight) for fight in self.results],
        }

    def _alone(self, a_team: int) -> dict[str, float]:
        """Returns how one player did against the monsters; `hp_left` is the mean of the fights won."""
        fights = [fight for fight in self.results if fight.a_team == a_team]
        won = [fight for fight in fights if fight.winner == 0]
        return {
            "fights": len(fights),
            "wins": len(won),
            "win_rate": len(won) / max(1, len(fights)),
            "draws": sum(fight.winner == DRAW for fight in fights),
            "hp_left": sum(fight.hp_left for fight in won) / 100 / max(1, len(won)),
            "mean_turns": sum(fight.turns for fight in fights) / max(1, len(fights)),
        }


def run(
    arrangement: Arrangement,
    fights: int,
    seed: int = 0,
    workers: int = 1,
    *,
    out: Path | None = None,
    told: Callable[[FightRecord], None] | None = None,
    ray: str | None = None,
) -> TournamentResult:
    """Lets two players fight, each seed twice with the sides swapped.

    The same arguments give the same fights, however many workers there are, as long as the players do
    not look at the clock. Ctrl-C ends it with what was played by then.

    Args:
        fights: how many fights; of an odd number the last one is fought from one side only.
        seed: the first fight's seed; the next pair has the one after it. Of even fights the first from there
            on.
        workers: processes to spread the fights over; 1 stays in this one.
        out: file for the result, kept up to date; fights that it holds already are not played again.
        told: called after each fight that is played.
        ray: address of a Ray cluster to play on, in place of `workers`; see `botapp.arena.workers`.

    Raises:
        even.EvenError: there are not so many even fights of this kind.
        SpreadError: the cluster cannot be reached, or a fight ended its worker again and again.
        ValueError: fewer than one fight or worker, an unknown player, option or scenario, or a size that it
            does not have.
        tournament_file.RecordError: `out` holds another tournament, or nothing that can be read.
        KeyboardInterrupt: before the first fight was over.
    """
    scenario, pool, sizes = arrangement.scenario, arrangement.pool, arrangement.sizes
    if fights < 1 or workers < 1:
        raise ValueError(f"a tournament needs at least 1 fight and 1 worker, got {fights} and {workers}")
    if scenario not in SCENARIOS:
        raise ValueError(f"no scenario {scenario!r}; there are {', '.join(SCENARIOS)}")
    arrangement = replace(arrangement, a=str(parse(arrangement.a)), b=str(parse(arrangement.b)))
    begin(scenario, seed, sizes, pool)
    pairs = (fights + 1) // 2
    seeds = even.seeds(scenario, pool, sizes, seed, pairs) if arrangement.even else range(seed, seed + pairs)
    wanted = [(seeds[index // 2], index % 2) for index in range(fights)]
    done: dict[tuple[int, int], FightRecord] = {}
    if out is not None:
        earlier = (FightRecord(**fight) for fight in tournament_file.read(out, arrangement.to_json()))
        done = {(fight.seed, fight.a_team): fight for fight in earlier}
    missing = [(arrangement, *key) for key in wanted if key not in done]
    try:
        for _, fight in spread(play_task, missing, workers, ray):
            done[fight.seed, fight.a_team] = fight
            if out is not None:
                tournament_file.write(out, TournamentResult(arrangement, _sorted(done.values())).to_json())
            if told is not None:
                told(fight)
    except KeyboardInterrupt:
        if not done:
            raise
    return TournamentResult(arrangement, _sorted(done[key] for key in wanted if key in done))


def round_robin(players: Sequence[str], meet: Callable[[str, str], TournamentResult]) -> dict[str, Any]:
    """Lets every player fight every other one.

    Args:
        players: words of players, all different.
        meet: lets two of them fight.

    Returns:
        `elo` by player's word, the mean being 0, and under `pairings` what `to_json` says, without fights.

    Raises:
        ValueError: fewer than two players, or one twice.
    """
    names = [str(parse(word)) for word in players]
    if len(set(names)) < max(2, len(names)):
        raise ValueError(f"a round robin needs two or more different players, got {', '.join(names)}")
    met: dict[tuple[str, str], dict[str, Any]] = {}
    for a, b in combinations(names, 2):
        answer = meet(a, b).to_json()
        answer.pop("results")
        met[a, b] = answer
    points = {pair: (answer["a_points"] * answer["fights"], answer["fights"]) for pair, answer in met.items()}
    return {"elo": ratings(points), "pairings": list(met.values())}


def _sorted(fights: Iterable[FightRecord]) -> tuple[FightRecord, ...]:
    return tuple(sorted(fights, key=lambda fight: (fight.seed, fight.a_team)))


def play_task(task: Task) -> FightRecord:
    """Plays one fight with fresh players, so that nothing of another fight is left in them."""
    how, seed, a_team = task
    if how.even:
        state = even.even_fight(how.scenario, seed, how.pool)
    else:
        state = begin(how.scenario, seed, how.sizes, how.pool)
    if how.against_monsters:
        sides = {0: make_player(how.b if a_team else how.a), 1: make_player(even.MONSTERS)}
    else:
        sides = {a_team: make_player(how.a), 1 - a_team: make_player(how.b)}
    return FightRecord(seed, a_team, **asdict(play(state, sides, random.Random(seed))))

"""What `botapp arena tournament` asks for, and its answer in words.

`python -m botapp.arena.tournament` is the same command where there is no more than torch, numpy,
safetensors and pydantic, such as a GPU machine.
"""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botapp.arena import pairing
from botapp.arena.fixtures import POOLS, SCENARIOS, parse_sizes
from botapp.arena.player_spec import split
from botapp.arena.players.base import PLAYERS
from botapp.arena.scenarios import Pool
from botapp.arena.workers import SpreadError


@dataclass(frozen=True, slots=True)
class Contest:
    """A tournament, or several, between players still to be named."""

    fights: int = 20  # Fights of each pairing
    seed: int = 1  # The first fight's seed
    workers: int = 1
    scenario: str = "duel"  # One of `botapp.arena.fixtures.SCENARIOS`
    sizes: str = ""  # Sizes of teams as text, such as "1v1..4v4"
    pool: Pool = "seen"  # One of `botapp.arena.fixtures.POOLS`
    out: Path | None = None  # File for the result, or folder for those of several pairings
    ray: str | None = None  # Address of a Ray cluster to play on, in place of `workers`
    # Whether one side's HP are scaled so that chance decides less, see `botapp.arena.even`
    even: bool = False

    def pair(self, a: str, b: str) -> dict[str, Any]:
        """Lets two players fight; returns what `TournamentResult.to_json` says.

        Raises:
            ValueError: a player's word makes no sense, or another argument of the contest.
        """
        return self._meet(a, b, self.out).to_json()

    def table(self, words: Sequence[str]) -> dict[str, Any]:
        """Lets each of several players fight each other; returns what `pairing.round_robin` does.

        Raises:
            OSError: the folder for the results cannot be made.
            ValueError: as in `pair`.
        """
        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)

        def meet(a: str, b: str) -> pairing.TournamentResult:
            out = self.out / f"{_file_name(a)}-{_file_name(b)}.json" if self.out is not None else None
            return self._meet(a, b, out)

        return pairing.round_robin(words, meet)

    def _meet(self, a: str, b: str, out: Path | None) -> pairing.TournamentResult:
        how = pairing.Arrangement(a, b, self.scenario, parse_sizes(self.sizes), self.pool, self.even)
        return pairing.run(how, self.fights, self.seed, self.workers, out=out, ray=self.ray)


def _file_name(word: str) -> str:
    return re.sub(r"[^\w.=-]+", "_", word)


def pair_text(answer: Mapping[str, Any]) -> str:
    if "a_alone" in answer:
        return _monsters_text(answer)
    text = (
        f"{answer['a']} wins {answer['a_win_rate']:.1%} of {answer['fights']} fights against {answer['b']}, "
        f"{answer['draws']} drawn, {answer['mean_turns']:.1f} rounds on average"
    )
    elo = answer.get("elo")
    if elo is None:
        return text
    low, high = ("no end" if elo[key] is None else f"{elo[key]:+.0f}" for key in ("low", "high"))
    worst, best = answer["a_points_interval"]
    middle = "no end" if elo["difference"] is None else f"{elo['difference']:+.0f}"
    return (
        f"{text}, {answer['idle_turns']:.0%} of turns hurt no enemy, {answer['split_pairs']:.0%} of pairs "
        f"split; points {answer['a_points']:.1%} ({worst:.1%} to {best:.1%}); "
        f"Elo {middle}, 95 % between {low} and {high}"
    )


def _monsters_text(answer: Mapping[str, Any]) -> str:
    """Says how each of two players did against the same monsters, and who did better.

    Where both win alike, `a_points` are a half: a point more is two percent more of the fights won.
    """
    each = [
        f"{answer[name]} wins {alone['win_rate']:.1%} of {alone['fights']} fights against monsters, "
        f"{alone['draws']} drawn, {alone['hp_left']:.0%} of its HP left where it wins, "
        f"{alone['mean_turns']:.1f} rounds on average"
        for name, alone in (("a", answer["a_alone"]), ("b", answer["b_alone"]))
    ]
    low, high = (200 * share - 100 for share in answer["a_points_interval"])
    return (
        f"{each[0]}. {each[1]}. The first has {200 * answer['a_points'] - 100:+.1f} points of 100 more, "
        f"95 % between {low:+.1f} and {high:+.1f}; {answer['idle_turns']:.0%} of turns hurt no enemy"
    )


def table_text(answer: Mapping[str, Any]) -> str:
    """Puts a round robin's answer in lines: the ratings, the best first, and each pairing."""
    ranked = sorted(answer["elo"].items(), key=lambda item: -item[1])
    lines = [f"{name:<8} {elo:+6.0f} Elo" for name, elo in ranked]
    return "\n".join([*lines, *map(pair_text, answer["pairings"])])


def main(arguments: Sequence[str] | None = None) -> int:
    """Lets players fight from the command line."""
    parser = argparse.ArgumentParser(prog="python -m botapp.arena.tournament", description=main.__doc__)
    there = f"{', '.join(PLAYERS.all())}, with options such as lite:steps=8,ms=150 or bare:nodes=240"
    parser.add_argument("--a", default="lite", help=f"the first player: {there}")
    parser.add_argument("--b", default="greedy", help="the second player")
    parser.add_argument("--players", default="", help="several, by comma: each meets each other")
    parser.add_argument("--fights", type=int, default=20, help="each seed is played on both sides")
    parser.add_argument("--seed", type=int, default=1, help="of the first fight")
    parser.add_argument("--workers", type=int, default=1, help="processes to play in")
    parser.add_argument("--ray", help="address of a Ray cluster to play on, in place of --workers")
    parser.add_argument("--scenario", choices=SCENARIOS, default="duel")
    parser.add_argument("--sizes", default="", help="of teams, taken in turn: 1v1, or 1v1,3v3, or 1v1..4v4")
    parser.add_argument("--pool", choices=POOLS, default="seen", help="fighters and maps: trained on, or not")
    parser.add_argument("--even", action="store_true", help="scale HP until luck of the sides decides less")
    parser.add_argument("--out", type=Path, help="file for the result; what it holds is not fought again")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    given = vars(parser.parse_args(arguments))
    as_json, players = given.pop("json"), given.pop("players")
    a, b = given.pop("a"), given.pop("b")
    contest = Contest(**given)
    try:
        answer = contest.table(split(players)) if players else contest.pair(a, b)
    except (ValueError, OSError, SpreadError) as error:
        parser.error(str(error))
    print(json.dumps(answer, indent=2) if as_json else (table_text if players else pair_text)(answer))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

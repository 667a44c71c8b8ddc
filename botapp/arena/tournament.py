"""What `botapp arena tournament` asks for, and its answer in words.

`python -m botapp.arena.tournament` is the same command where there is no more than torch, numpy and
safetensors, such as a GPU machine. Next hop: `botapp.arena.pairing`.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botapp.arena import pairing
from botapp.arena.fixtures import SCENARIOS, parse_sizes
from botapp.arena.players import MODELS, PLAYERS, TIMED
from botapp.arena.workers import SpreadError


@dataclass(frozen=True, slots=True)
class Thinking:
    """How models think in a contest; None leaves it to `botapp.arena.players`.

    Attributes:
        weights_a, weights_b: file of weights of the first and the second player.
        device: where they run, such as "cuda:1".
        precision: "fp32", "bf16" or "fp16".
        max_steps: ACT steps at most.
        early_exit: False to take every step, however sure the model is.
    """

    weights_a: Path | None = None
    weights_b: Path | None = None
    device: str | None = None
    precision: str | None = None
    max_steps: int | None = None
    early_exit: bool | None = None

    def options(self, weights: Path | None) -> dict[str, Any]:
        """Returns what a model's constructor gets; what is left to it is left out."""
        given = {
            "weights": None if weights is None else str(weights),
            "device": self.device,
            "precision": self.precision,
            "max_steps": self.max_steps,
            "early_exit": self.early_exit,
        }
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Contest:
    """A tournament, or several, between players still to be named.

    Attributes:
        fights: fights of each pairing.
        seed: the first fight's seed.
        workers: processes to play in.
        scenario: one of `botapp.arena.fixtures.SCENARIOS`.
        sizes: sizes of teams as text, such as "1v1..4v4".
        unseen: only the classes and maps that no model was trained on.
        ms: milliseconds for a turn, for players that can be given a time.
        out: file for the result, or folder for those of several pairings.
        ray: address of a Ray cluster to play on, in place of `workers`.
        thinking: how models think.
    """

    fights: int = 20
    seed: int = 1
    workers: int = 1
    scenario: str = "duel"
    sizes: str = ""
    unseen: bool = False
    ms: float | None = None
    out: Path | None = None
    ray: str | None = None
    thinking: Thinking = field(default_factory=Thinking)

    def pair(self, a: str, b: str) -> dict[str, Any]:
        """Lets two players fight; returns what `TournamentResult.to_json` says.

        Raises:
            ValueError: weights are given for a player that has none.
        """
        options = (self._options(a, self.thinking.weights_a), self._options(b, self.thinking.weights_b))
        return self._meet(a, b, self.fights, *options, self.out).to_json()

    def table(self, names: Sequence[str]) -> dict[str, Any]:
        """Lets each of several players fight each other; returns what `pairing.round_robin` does.

        Raises:
            OSError: the folder for the results cannot be made.
            ValueError: weights are given: nothing says whose they are.
        """
        if self.thinking.weights_a or self.thinking.weights_b:
            raise ValueError("weights are for one pairing, with --a and --b; leave --players out")
        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)

        def meet(a: str, b: str, fights: int, **options: Any) -> pairing.TournamentResult:
            out = self.out / f"{a}-{b}.json" if self.out is not None else None
            return self._meet(a, b, fights, options["a_options"], options["b_options"], out)

        return pairing.round_robin([(name, self._options(name)) for name in names], self.fights, meet)

    def _meet(
        self, a: str, b: str, fights: int, a_options: Any, b_options: Any, out: Path | None
    ) -> pairing.TournamentResult:
        return pairing.run(
            a,
            b,
            fights,
            self.seed,
            self.workers,
            self.scenario,
            a_options,
            b_options,
            parse_sizes(self.sizes),
            self.unseen,
            out,
            ray=self.ray,
        )

    def _options(self, name: str, weights: Path | None = None) -> dict[str, Any]:
        if weights is not None and name not in MODELS:
            raise ValueError(f"{weights}: {name} has no weights; {', '.join(MODELS)} do")
        options = self.thinking.options(weights) if name in MODELS else {}
        return options if self.ms is None or name not in TIMED else {**options, "ms": self.ms}


def pair_text(answer: Mapping[str, Any]) -> str:
    """Puts a tournament's answer in a sentence."""
    text = (
        f"{answer['a']} wins {answer['a_win_rate']:.1%} of {answer['fights']} fights against {answer['b']}, "
        f"{answer['draws']} drawn, {answer['mean_turns']:.1f} turns on average"
    )
    elo = answer.get("elo")
    if elo is None:
        return text
    low, high = ("no end" if elo[key] is None else f"{elo[key]:+.0f}" for key in ("low", "high"))
    middle = "no end" if elo["difference"] is None else f"{elo['difference']:+.0f}"
    return f"{text}; Elo {middle}, 95 % between {low} and {high}"


def table_text(answer: Mapping[str, Any]) -> str:
    """Puts a round robin's answer in lines: the ratings, the best first, and each pairing."""
    ranked = sorted(answer["elo"].items(), key=lambda item: -item[1])
    lines = [f"{name:<8} {elo:+6.0f} Elo" for name, elo in ranked]
    return "\n".join([*lines, *map(pair_text, answer["pairings"])])


def main(arguments: Sequence[str] | None = None) -> int:
    """Lets players fight from the command line."""
    parser = argparse.ArgumentParser(prog="python -m botapp.arena.tournament", description=main.__doc__)
    parser.add_argument("--a", choices=PLAYERS, default="lite", help="the first player")
    parser.add_argument("--b", choices=PLAYERS, default="greedy", help="the second player")
    parser.add_argument("--players", default="", help="several, by comma: each meets each other")
    parser.add_argument("--fights", type=int, default=20, help="each seed is played on both sides")
    parser.add_argument("--seed", type=int, default=1, help="of the first fight")
    parser.add_argument("--workers", type=int, default=1, help="processes to play in")
    parser.add_argument("--ray", help="address of a Ray cluster to play on, in place of --workers")
    parser.add_argument("--scenario", choices=SCENARIOS, default="duel")
    parser.add_argument("--sizes", default="", help="of teams, taken in turn: 1v1, or 1v1,3v3, or 1v1..4v4")
    parser.add_argument("--unseen", action="store_true", help="only what no model was trained on")
    parser.add_argument("--ms", type=float, help="milliseconds for a turn, for search and models")
    parser.add_argument("--weights-a", type=Path, help="file of the first player's weights")
    parser.add_argument("--weights-b", type=Path, help="file of the second player's weights")
    parser.add_argument("--device", help="where models run, such as cuda:1; auto if left out")
    parser.add_argument("--precision", choices=("fp32", "bf16", "fp16"), help="what models compute in")
    parser.add_argument("--max-steps", type=int, help="ACT steps at most")
    parser.add_argument(
        "--early-exit",
        action=argparse.BooleanOptionalAction,
        help="whether models stop once they are sure, which they do if left out",
    )
    parser.add_argument("--out", type=Path, help="file for the result; what it holds is not fought again")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    given = vars(parser.parse_args(arguments))
    as_json, players = given.pop("json"), given.pop("players")
    a, b = given.pop("a"), given.pop("b")
    thinking = Thinking(**{name: given.pop(name) for name in Thinking.__slots__})
    contest = Contest(**given, thinking=thinking)
    try:
        answer = contest.table(players.split(",")) if players else contest.pair(a, b)
    except (ValueError, OSError, SpreadError) as error:
        parser.error(str(error))
    print(json.dumps(answer, indent=2) if as_json else (table_text if players else pair_text)(answer))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

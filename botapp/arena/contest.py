"""What `botapp arena tournament` asks for, and its answer in words. Next hop: `botapp.arena.tournament`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from botapp.arena import tournament
from botapp.arena.fixtures import parse_sizes
from botapp.arena.players import TIMED


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
    """

    fights: int = 20
    seed: int = 1
    workers: int = 1
    scenario: str = "duel"
    sizes: str = ""
    unseen: bool = False
    ms: float | None = None
    out: Path | None = None

    def pair(self, a: str, b: str) -> dict[str, Any]:
        """Lets two players fight; returns what `TournamentResult.to_json` says."""
        return self._meet(a, b, self.fights, self._options(a), self._options(b), self.out).to_json()

    def table(self, names: Sequence[str]) -> dict[str, Any]:
        """Lets each of several players fight each other; returns what `tournament.round_robin` does.

        Raises:
            OSError: the folder for the results cannot be made.
        """
        if self.out is not None:
            self.out.mkdir(parents=True, exist_ok=True)

        def meet(a: str, b: str, fights: int, **options: Any) -> tournament.TournamentResult:
            out = self.out / f"{a}-{b}.json" if self.out is not None else None
            return self._meet(a, b, fights, options["a_options"], options["b_options"], out)

        return tournament.round_robin([(name, self._options(name)) for name in names], self.fights, meet)

    def _meet(
        self, a: str, b: str, fights: int, a_options: Any, b_options: Any, out: Path | None
    ) -> tournament.TournamentResult:
        return tournament.run(
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
        )

    def _options(self, name: str) -> dict[str, Any]:
        return {} if self.ms is None or name not in TIMED else {"ms": self.ms}


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

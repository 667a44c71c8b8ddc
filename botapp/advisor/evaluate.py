"""How well weights play: `python -m botapp.advisor.evaluate --weights FILE --fights N` lets them fight.

Mirrored duels against the other players, from true states, the time budget switched off so that
the same seeds give the same fights. Next hop: the figures in the README.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

from botapp.arena.tournament import run

OPPONENTS = ("random", "greedy", "search")


def evaluate(
    weights: Path | None, opponents: tuple[str, ...], fights: int, seed: int, workers: int, max_steps: int = 8
) -> dict[str, Any]:
    """Plays `fights` mirrored duels against each opponent.

    Returns:
        By opponent, what `TournamentResult.to_json` says without the single fights.
    """
    options = {
        "weights": None if weights is None else str(weights),
        "device": "cpu",
        "budget_ms": 0.0,
        "max_steps": max_steps,
    }
    figures: dict[str, Any] = {}
    for opponent in opponents:
        begun = time.monotonic()
        result = run("hrm", opponent, fights, seed, workers, a_options=options).to_json()
        result.pop("results")
        figures[opponent] = {**result, "seconds": round(time.monotonic() - begun, 1)}
    return figures


def main(arguments: list[str] | None = None) -> int:
    """Lets the advisor's weights fight from the command line and prints the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m botapp.advisor.evaluate", description=main.__doc__)
    parser.add_argument(
        "--weights", type=Path, default=None, help="safetensors file; the app's own if left out"
    )
    parser.add_argument("--fights", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--max-steps", type=int, default=8)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--opponents", nargs="+", default=list(OPPONENTS), choices=OPPONENTS)
    parser.add_argument("--out", type=Path, default=None, help="JSON file for the figures")
    options = parser.parse_args(arguments)
    figures = evaluate(
        options.weights,
        tuple(options.opponents),
        options.fights,
        options.seed,
        options.workers,
        options.max_steps,
    )
    text = json.dumps(figures, indent=1)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

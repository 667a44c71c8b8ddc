"""Writes how strong the shipped players are into README, from `resources/strength.json`, which alone says so.

    python -m botapp.bench.strength

A test fails where README says something else.
"""

from collections.abc import Iterable
from pathlib import Path

from botapp.arena.measured import Measured, measured
from botapp.host.files import write_whole

BEGIN = "<!-- strength: made by python -m botapp.bench.strength from resources/strength.json -->"
END = "<!-- end of strength -->"
_POOLS = {
    "seen": "the arena's own fighters",
    "drawn": "fighters drawn at random",
    "hour-veil": "two classes and ten maps that nothing has learnt from",
}
"""The columns: where the fighters come from."""
README = Path(__file__).resolve().parents[2] / "README.md"


def table(tournaments: Iterable[Measured]) -> str:
    fought: dict[str, dict[str, str]] = {}
    for tournament in tournaments:
        if tournament.readme:
            points = tournament.strength
            interval = f"{100 * points.low:.1f} to {100 * points.high:.1f}"
            of_pools = fought.setdefault(f"{tournament.what}, {tournament.turn_ms} ms a turn", {})
            of_pools[tournament.pool] = f"{100 * points.share:.1f} % ({interval}) of {tournament.fights}"
    rows = [f"| fight | {' | '.join(_POOLS.values())} |", "| --- | --- | --- | --- |"]
    for what, shares in fought.items():
        rows.append(f"| {what} | {' | '.join(shares.get(pool, '-') for pool in _POOLS)} |")
    return "\n".join(rows)


def with_strength(text: str) -> str:
    """Returns a document with the table of today between its two marks.

    Raises:
        ValueError: a mark is missing.
    """
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"the document lacks {BEGIN!r} or {END!r}")
    return f"{before}{BEGIN}\n{table(measured())}\n{END}{after}"


def main() -> None:
    write_whole(README, with_strength(README.read_text("utf-8")))


if __name__ == "__main__":
    main()

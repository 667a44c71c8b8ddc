"""The strength that the app tells of itself is that of docs/measurements.md, with the same command."""

import re
from pathlib import Path

import pytest

from botapp.arena.measured import measured
from botapp.arena.player_spec import parse

ROWS = (Path(__file__).resolve().parents[2] / "docs" / "measurements.md").read_text("utf-8").splitlines()
_WORDS = re.compile(r'--(a|b|pool) "?([^\s"`]+)|(?<!\d)(\d{8})(?!\d)')
_FIGURE = re.compile(r"\d+\.\d % \(\d+\.\d to \d+\.\d\)")


def fights_of(commands: str) -> list[tuple[str, str, str, str]]:
    """Returns first, second, pool and seed of each fight of a row, which says of a next one what is new."""
    found = []
    said = {"a": "", "b": "", "pool": "seen"}
    for name, value, seed in _WORDS.findall(commands):
        if seed:
            found.append((said["a"], said["b"], said["pool"], seed))
            said["pool"] = "seen"
        else:
            said[name] = value
    return found


@pytest.mark.parametrize("fought", measured(), ids=lambda fought: f"{fought.player}-{fought.opponent}")
def test_each_figure_stands_in_the_measurements_beside_its_command(fought):
    found = fought.strength
    wanted = f"{found.share:.1%} ({100 * found.low:.1f} to {100 * found.high:.1f})".replace("%", " %")
    ((first, second, pool, seed),) = fights_of(fought.command)
    (row,) = [line.replace("*", "") for line in ROWS if seed in line]
    what, commands, figures = row.strip("| ").split(" | ")
    assert str(fought.fights) in what
    place = _FIGURE.findall(figures).index(wanted)
    a, b, its_pool, its_seed = fights_of(commands)[place]
    assert (parse(a), parse(b)) == (parse(first), parse(second))
    assert (its_pool, its_seed) == (pool, seed)


@pytest.mark.parametrize("fought", measured(), ids=lambda fought: f"{fought.player}-{fought.opponent}")
def test_the_command_is_of_these_players(fought):
    ((first, second, pool, _),) = fights_of(fought.command)
    assert (parse(first), parse(second)) == (parse(fought.player), parse(fought.opponent))
    assert f"ms={fought.turn_ms}" in fought.player
    assert pool == fought.pool

"""The strength that the app tells of itself is that of docs/measurements.md, and its command is right."""

from pathlib import Path

import pytest

from botapp.arena.measured import measured
from botapp.arena.player_spec import parse

ROWS = (Path(__file__).resolve().parents[2] / "docs" / "measurements.md").read_text("utf-8").splitlines()


@pytest.mark.parametrize("fought", measured(), ids=lambda fought: f"{fought.player}-{fought.opponent}")
def test_each_figure_stands_in_the_measurements(fought):
    found = fought.strength
    wanted = f"{found.share:.1%} ({100 * found.low:.1f} to {100 * found.high:.1f})".replace("%", " %")
    rows = [line.replace("*", "") for line in ROWS]
    assert any(wanted in line and str(fought.fights) in line for line in rows), wanted
    assert f"ms={fought.turn_ms}" in fought.player


@pytest.mark.parametrize("fought", measured(), ids=lambda fought: f"{fought.player}-{fought.opponent}")
def test_the_command_is_of_these_players(fought):
    words = fought.command.split()
    given = {word: words[place + 1] for place, word in enumerate(words[:-1]) if word in ("--a", "--b")}
    assert parse(given["--a"]) == parse(fought.player) and parse(given["--b"]) == parse(fought.opponent)

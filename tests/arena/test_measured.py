"""The strength that the app tells of itself is that of docs/measurements.md, with the same command."""

from pathlib import Path

import pytest

from botapp.arena.measured import measured
from botapp.arena.player_spec import make_player

ROWS = (Path(__file__).resolve().parents[2] / "docs" / "measurements.md").read_text("utf-8").splitlines()


@pytest.mark.parametrize("fought", measured(), ids=lambda fought: f"{fought.player}-{fought.opponent}")
def test_each_figure_stands_in_the_measurements_beside_its_command(fought):
    found = fought.strength
    wanted = f"**{found.share:.1%}** ({100 * found.low:.1f} to {100 * found.high:.1f})".replace("%", " %")
    options = fought.command.partition("4v4 ")[2]
    (row,) = [line for line in ROWS if f"`{options}`" in line]
    assert wanted in row
    assert str(fought.fights) in row
    assert f"ms={fought.turn_ms}" in fought.player
    assert f"--a {fought.player} --b {fought.opponent} " in fought.command


@pytest.mark.parametrize("fought", measured(), ids=lambda fought: f"{fought.player}-{fought.opponent}")
def test_both_sides_are_players_that_there_are(fought):
    assert make_player(fought.player)
    assert make_player(fought.opponent)

"""A film in CI: short films of each client through the whole app, the same ones each time.

Eight a client, six seconds each: the second half of a placement, and a fight in which a turn of the player's
begins. The seeds are the first from a number on (4800, 4850, 4900) of which that is so, taken before any of
them was read. One of Unity belongs to `make test`, all of them to `make long`. What was counted stands at the
end of a run's output.
"""

import pytest

from botapp.bench.recording import measure_recording
from vision.extract.dofus.board import DofusBoardReader

BEGIN_S, SECONDS, SIZE = 1.5, 6, (1280, 720)
FILMS = {
    "unity": (4802, 4800, 4804, 4806, 4807, 4809, 4810, 4811),
    "2": (4855, 4850, 4853, 4854, 4856, 4857, 4858, 4860),
    "retro": (4902, 4901, 4903, 4904, 4905, 4906, 4907, 4913),
}


@pytest.fixture
def read(record_property):
    """Reads films of a client; returns what was counted in all of them, and has it printed."""

    def through(client, seeds):
        found = [measure_recording(client, SECONDS, seed, SIZE, BEGIN_S) for seed in seeds]
        names = ("turns", "in_time", "own_pictures", "advised", "false", "denied")
        all_of = {name: sum(one[name] for one in found) for name in names}
        record_property(
            "printed",
            f"{client}, films {len(seeds)}: {all_of['in_time']} of {all_of['turns']} own turns in time, "
            f"{all_of['advised']} of {all_of['own_pictures']} pictures of own turns advised; "
            f"{all_of['false']} pictures advised for what was not there, {all_of['denied']} of a fight said "
            "to show none",
        )
        return all_of

    return through


def hold(all_of, late):
    """Checks what was counted: so many turns may be late; advice for what is not there never comes.

    Losing the enemies leaves no turn in time (below), so that two late ones of eight hide no fault.
    """
    assert all_of["turns"] > 0 and all_of["in_time"] >= all_of["turns"] - late, all_of
    assert all_of["advised"] >= 0.6 * all_of["own_pictures"], all_of
    assert all_of["false"] == 0 and all_of["denied"] == 0, all_of


@pytest.mark.slow
def test_own_turns_of_a_film_are_advised_in_time(read):
    hold(read("unity", FILMS["unity"][:1]), late=0)


@pytest.mark.long
@pytest.mark.parametrize("client", FILMS)
def test_own_turns_of_eight_films_are_advised_in_time(read, client):
    hold(read(client, FILMS[client]), late=2)


@pytest.mark.long
def test_a_reader_that_loses_the_enemies_does_not_pass(monkeypatch):
    found = DofusBoardReader._fighters

    def without(self, *args):
        own, borders = found(self, *args)
        return own, [border for border in borders if border.team != "enemy"]

    monkeypatch.setattr(DofusBoardReader, "_fighters", without)
    counted = measure_recording("unity", SECONDS, FILMS["unity"][0], SIZE, BEGIN_S)
    assert counted["turns"] > 0 and counted["in_time"] == 0
    with pytest.raises(AssertionError):
        hold(counted, late=0)

import random

import pytest

from botapp.arena.options import ArenaOptions
from botapp.arena.players import GreedyPlayer
from botapp.arena.window.film import Film
from botapp.bench.pixels import captured
from botapp.tracking.log_words import FactKind, fact_of
from botapp.tracking.state_tracker import StateTracker


def _film(**more: object) -> Film:
    return Film(ArenaOptions(seed=1, autopilot=True, fights=1, log_words=True, **more))  # type: ignore[arg-type]


def _play(film: Film, seconds: float) -> None:
    player, dice = GreedyPlayer(), random.Random(1)
    while film.now < seconds and film.bout.winner is None:
        if film.bout.free:
            film.bout.submit(player.choose(film.bout.state, dice), film.now)
        film.advance()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_log_in_words_tells_what_was_done_in_lines_that_are_understood(language: str) -> None:
    film = _film(language=language)
    _play(film, 12.0)
    words = film.bout.moment(film.now).words
    assert words
    facts = [fact_of("".join(part.text for part in line[1:] if part.role != "icon")) for line in words]
    assert all(fact is not None for fact in facts)
    assert {FactKind.CAST, FactKind.HP} <= {fact.kind for fact in facts if fact is not None}
    assert film.bout.moment(film.now).lines == ()


def test_only_who_asks_for_it_gets_a_log_in_words() -> None:
    film = Film(ArenaOptions(seed=1, autopilot=True, fights=1))
    _play(film, 3.0)
    assert film.bout.moment(film.now).words is None


@pytest.mark.slow
def test_the_reader_of_chips_leaves_a_log_in_words_to_others() -> None:
    film, other = _film(), Film(ArenaOptions(seed=1, autopilot=True, fights=1))
    assert StateTracker().read(captured(film.picture(), film.now)).log is None
    assert StateTracker().read(captured(other.picture(), other.now)).log is not None


@pytest.mark.slow
def test_the_log_grows_on_the_picture_where_nothing_else_changes() -> None:
    film = _film(size=(1920, 1080))
    before = film.picture()
    _play(film, 12.0)
    film.picture()
    after = film.picture()
    assert (before[600:900, :250] != after[600:900, :250]).any()

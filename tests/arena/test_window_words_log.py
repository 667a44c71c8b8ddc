import random

import pytest

from botapp.arena.options import ArenaOptions
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import team
from botapp.arena.window.chronicle import words_of
from botapp.arena.window.film import Film
from botapp.bench.pixels import captured
from botapp.fight.actions import Cast
from botapp.tracking.log_words import FactKind, fact_of
from botapp.tracking.state_tracker import StateTracker


def _film(**more: object) -> Film:
    return Film(ArenaOptions(seed=1, autopilot=True, fights=1, log_words=True, **more))  # type: ignore[arg-type]


def _play(film: Film, seconds: float) -> None:
    player, dice = GreedyPlayer(), random.Random(1)
    while film.now < seconds and film.bout.fight.winner is None:
        if film.bout.free:
            film.bout.submit(player.choose(film.bout.fight.state, dice), film.now)
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


def test_ap_and_mp_taken_away_are_told_those_spent_are_not() -> None:
    state = team(3, 2)
    caster, *_ = (f for f in state.fighters if f.id == state.actor.id)
    victim = next(f for f in state.fighters if f.team != caster.team)
    spell = caster.spells[0]
    after = state.changed(
        fighters=tuple(
            f.changed(ap=f.ap - spell.ap)
            if f.id == caster.id
            else f.changed(ap=f.ap - 1, mp=f.mp - 2)
            if f.id == victim.id
            else f
            for f in state.fighters
        )
    )
    lines = words_of(state, Cast(spell.key, victim.cell), after, "fr", 0.0)
    facts = [fact_of("".join(part.text for part in line[1:] if part.role != "icon")) for line in lines]
    told = [(fact.kind, fact.amount) for fact in facts if fact is not None]
    assert [kind for kind, _ in told] == [FactKind.CAST, FactKind.AP, FactKind.MP]
    assert told[1:] == [(FactKind.AP, -1), (FactKind.MP, -2)]

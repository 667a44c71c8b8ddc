"""Numbers that the log tells of a fighter go before what the rules expect, where one alone is meant."""

from dataclasses import replace

import pytest

from botapp.arena.scenarios import team
from botapp.fight.state import FightState
from botapp.tracking.log_changes import meant, with_log_changes
from botapp.tracking.picture import News, Picture
from vision.view import ToldChange


@pytest.fixture(scope="module")
def before() -> FightState:
    """A fight of two against two in which each can be told by its name."""
    fights = (team(seed, 2) for seed in range(50))
    return next(state for state in fights if len({f.kind for f in state.fighters}) == len(state.fighters))


def _other(state: FightState, resting: bool = True):
    """Returns a fighter other than the player, one that is not at turn."""
    return next(f for f in state.fighters if f.id != 0 and (f.id != state.actor.id or not resting))


def _told(before: FightState, *changes: ToldChange, after: FightState | None = None, **picture) -> FightState:
    shown = picture.pop("seen", before)
    made = Picture(shown, 0, picture.pop("bars", {}), mine=True, news=News(changes=changes), **picture)
    return with_log_changes(after or before, before, made)


def _change(kind, fighter, amount=0, number=1) -> ToldChange:
    return ToldChange(number, kind, frozenset({fighter.kind}), False, amount)


def test_hp_told_take_the_place_of_those_expected(before: FightState) -> None:
    one = _other(before)
    expected = before.changed(
        fighters=tuple(f.changed(hp=f.hp - 30) if f.id == one.id else f for f in before.fighters)
    )
    found = _told(before, _change("hp", one, -20), _change("hp", one, -17, 2), after=expected).fighter(one.id)
    assert found.hp == one.hp - 37
    assert found.max_hp + found.eroded == one.max_hp + one.eroded


@pytest.mark.parametrize(("lost", "share", "believed"), [(40, 0.0, True), (40, 0.1, False)])
def test_a_bar_has_the_last_word(before: FightState, lost: int, share: float, believed: bool) -> None:
    one = _other(before)
    told = _told(before, _change("hp", one, -lost)).fighter(one.id)
    bars = {one.id: told.hp / told.max_hp - share}
    found = _told(before, _change("hp", one, -lost), bars=bars).fighter(one.id)
    assert (found.hp == one.hp - lost) is believed


def test_who_died_is_dead_unless_it_stands_there(before: FightState) -> None:
    one = _other(before)
    without = replace(before, fighters=tuple(f for f in before.fighters if f.id != one.id))
    assert not _told(before, _change("dies", one), seen=without).fighter(one.id).alive
    assert _told(before, _change("dies", one)).fighter(one.id).alive


@pytest.mark.parametrize("stat", ["ap", "mp"])
def test_points_taken_are_those_told_until_the_fighter_plays(before: FightState, stat: str) -> None:
    one = _other(before)
    assert getattr(_told(before, _change(stat, one, -2)).fighter(one.id), stat) == getattr(one, stat) - 2
    assert getattr(_told(before, _change(stat, one, 2)).fighter(one.id), stat) == getattr(one, stat)
    place = before.order.index(one.id)
    later = before.changed(current=(place + 1) % len(before.order), turn=before.turn + 1)
    assert _told(before, _change(stat, one, -2), after=later).fighter(one.id) == later.fighter(one.id)


def test_a_name_that_several_bear_or_none_changes_nothing(before: FightState) -> None:
    one, other = [f for f in before.fighters if f.id != 0][:2]
    alike = before.changed(
        fighters=tuple(f.changed(kind=one.kind) if f.id == other.id else f for f in before.fighters)
    )
    change = _change("hp", one, -50)
    assert _told(alike, change) == alike
    assert _told(before, replace(change, who=frozenset({"nobody"}))) == before
    assert meant(replace(change, who=frozenset(), own=True), before, 0) == 0
    assert (
        _told(before, replace(change, who=frozenset(), own=True)) == before
    )  # the screen shows the player's


def test_a_monsters_name_stands_for_each_of_its_grades(before: FightState) -> None:
    one = _other(before)
    graded = before.changed(
        fighters=tuple(f.changed(kind="monster-31-3") if f.id == one.id else f for f in before.fighters)
    )
    named = ToldChange(1, "hp", frozenset({"monster-31"}), False, -5)
    assert meant(named, graded, 0) == one.id
    assert meant(replace(named, who=frozenset({"monster-3"})), graded, 0) is None


def _twins(before: FightState) -> tuple[FightState, int, int]:
    """Returns a fight in which two fighters have one name, and their ids."""
    one, other = [f for f in before.fighters if f.id != 0][:2]
    twins = tuple(f.changed(kind=one.kind) if f.id == other.id else f for f in before.fighters)
    return before.changed(fighters=twins), one.id, other.id


def _with_less(state: FightState, number: int, **less: int) -> FightState:
    """Returns a state in which a fighter has so much less of something."""
    return state.changed(
        fighters=tuple(
            f.changed(**{stat: getattr(f, stat) - n for stat, n in less.items()}) if f.id == number else f
            for f in state.fighters
        )
    )


def test_hp_told_are_of_the_one_of_a_name_that_was_hurt(before: FightState) -> None:
    """A hit of 18 and a glyph's of 24 take 1 and 2 of the maximum, where one of 42 takes 4."""
    alike, hurt, _ = _twins(before)
    one = alike.fighter(hurt).changed(hp=365, max_hp=365, eroded=0)
    alike = alike.changed(fighters=tuple(one if f.id == hurt else f for f in alike.fighters))
    after = _with_less(alike, hurt, hp=43, max_hp=4)
    found = _told(alike, _change("hp", one, -18), after=after, bars={hurt: 323 / 362}).fighter(hurt)
    assert (found.hp, found.max_hp, found.eroded) == (323, 362, 3)


def test_mp_told_are_of_the_one_of_a_name_that_lost_some(before: FightState) -> None:
    alike, *twins = _twins(before)
    rests = next(number for number in twins if number != alike.actor.id)
    after = _with_less(alike, rests, mp=2)
    change = _change("mp", alike.fighter(rests), -3)
    assert _told(alike, change, after=after).fighter(rests).mp == alike.fighter(rests).mp - 3

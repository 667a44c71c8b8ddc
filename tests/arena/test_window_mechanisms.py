"""What the full rules bring to the window: places, glyphs, traps, states, the invisible, long timelines."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pytest
from PySide6.QtGui import QImage

from botapp.arena.options import ArenaOptions
from botapp.arena.scenarios import adventure
from botapp.arena.window.bout import Bout
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.moment import Moment
from botapp.arena.window.scene import render
from botapp.arena.window.stage import Stage
from botapp.arena.window.tooltip import spell_lines
from botapp.arena.window.truth import describe
from botapp.fight.actions import Move, Place
from botapp.fight.board import neighbours
from botapp.fight.spells import BUFF_STATS, Buff, Effect, EffectKind, Spell, State, Summon
from botapp.fight.state import Mark, MarkKind
from botapp.host.translation import languages
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame
from vision.view import Phase

SIZE = (1280, 720)


@pytest.fixture(scope="module", autouse=True)
def application(qapp):
    return qapp


def fight(seed=4):
    state = adventure(seed, "ember")
    me = state.fighter(0)
    enemy = next(f for f in state.fighters if f.team != me.team)
    return state, me, enemy


def read(state, moment):
    image = render(state, SIZE, moment).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(SIZE[1], SIZE[0], 4).copy()
    return Reader(profiles.load("arena")).read(Frame.still(pixels))


def open_floor(state, count):
    """Returns floor cells far from everybody and from blocks."""
    taken = {near for f in state.fighters for near in (f.cell, *neighbours(f.cell))}
    taken |= {near for cell in tuple(taken) for near in neighbours(cell)}
    walkable = [c for c in range(560) if state.map.cells[c] & 1]
    free = [c for c in walkable if c not in taken and all(n in walkable for n in neighbours(c))]
    assert len(free) >= count
    return tuple(free[:: max(1, len(free) // count)][:count])


def test_places_are_chosen_before_the_fight_when_asked():
    bout = Bout(
        ArenaOptions(seed=4, player_class="ember", placement=True, speed=100), 0.0, lambda event: None
    )
    now = 0.0
    while not bout.free:
        now += 0.1
        bout.advance(now)
    assert bout.fight.state.placing
    start = next(
        iter(bout.moment(now).highlights.red_start - {bout.fight.state.fighter(bout.fight.player).cell})
    )
    assert bout.submit(Place(start), now) == ""
    assert bout.fight.state.fighter(bout.fight.player).cell == start
    assert bout.submit_end(now) == ""
    for _ in range(100):
        now += 0.1
        bout.advance(now)
    assert not bout.fight.state.placing and bout.fight.state.turn >= 1


def test_a_team_fight_is_played_with_one_fighter_of_it():
    bout = Bout(ArenaOptions(seed=3, scenario="team", side=1, speed=100), 0.0, lambda event: None)
    assert bout.fight.state.fighter(bout.fight.player).team == 1
    assert sum(fighter.team == 1 for fighter in bout.fight.state.fighters) >= 2
    now = 0.0
    while not bout.free and now < 600:
        now += 0.1
        bout.advance(now)
    assert bout.free and bout.fight.state.actor.id == bout.fight.player


def test_a_place_that_nobody_advises_on_is_kept_when_its_time_is_over():
    options = ArenaOptions(
        seed=4, player_class="ember", placement=True, autopilot=True, speed=100, turn_seconds=10
    )
    bout = Bout(options, 0.0, lambda event: None)
    for tick in range(200):
        bout.advance(tick * 0.1)
        if not bout.fight.state.placing:
            return
    pytest.fail("the fight never began")


@pytest.mark.slow
def test_a_screen_with_start_cells_is_read_as_placement():
    state, _, _ = fight()
    state = state.changed(placing=True)
    bout_lit = Bout(ArenaOptions(seed=4, player_class="ember", placement=True), 0.0, lambda event: None)
    lit = bout_lit.moment(0.0).highlights
    assert lit.red_start and lit.blue_start
    view = read(state, Moment(0, seed=4, highlights=lit))
    assert view.phase.value is Phase.PLACEMENT


@pytest.mark.slow
def test_glyphs_and_own_traps_are_shown_and_read_but_not_the_enemys_traps():
    state, me, enemy = fight()
    glyph, own_glyph, own_trap, hidden = open_floor(state, 4)
    marks = (
        Mark(MarkKind.GLYPH, enemy.id, glyph, (glyph,), 2, ()),
        Mark(MarkKind.GLYPH, me.id, own_glyph, (own_glyph,), 2, ()),
        Mark(MarkKind.TRAP, me.id, own_trap, (own_trap,), 0, ()),
        Mark(MarkKind.TRAP, enemy.id, hidden, (hidden,), 0, ()),
    )
    state = state.changed(marks=marks)
    moment = Moment(0, seed=4, mine=False)
    shown = describe(state, ArenaLayout(*SIZE), moment)["marks"]
    assert {(mark["kind"], mark["own"], *mark["cells"]) for mark in shown} == {
        ("glyph", False, glyph),
        ("glyph", True, own_glyph),
        ("trap", True, own_trap),
    }
    assert read(state, moment).signs == {
        "enemy_glyph": {glyph},
        "own_glyph": {own_glyph},
        "trap": {own_trap},
    }


def test_an_invisible_enemy_is_not_on_the_screen():
    state, _, enemy = fight()
    gone = enemy.changed(buffs=(Buff(enemy.id, 2, state=State.INVISIBLE),))
    hidden = state.changed(fighters=tuple(gone if f.id == enemy.id else f for f in state.fighters))
    moment = Moment(0, seed=4, mine=False)
    seen = {e["cell"] for e in describe(hidden, ArenaLayout(*SIZE), moment)["enemies"]}
    assert enemy.cell not in seen
    assert enemy.cell in {e["cell"] for e in describe(state, ArenaLayout(*SIZE), moment)["enemies"]}
    assert all(fighter.cell != enemy.cell for fighter in read(hidden, moment).enemies)


@pytest.mark.slow
@pytest.mark.parametrize("count", [8, 9, 12, 16])
def test_many_cards_fit_and_are_counted(count):
    state, _, enemy = fight()
    cells = open_floor(state, count - len(state.fighters))
    extra = tuple(enemy.changed(id=50 + i, cell=cell) for i, cell in enumerate(cells))
    everyone = state.fighters + extra
    state = state.changed(fighters=everyone, order=tuple(f.id for f in everyone))
    places = ArenaLayout(*SIZE)
    assert places.cards(count, 0)[-1].x + places.cards(count, 0)[-1].w < SIZE[0]
    assert read(state, Moment(0, seed=4)).fighters_shown.value == count


def test_a_walk_ends_where_a_trap_was_sprung_and_the_pushed_one_slides():
    state, me, enemy = fight()
    path = tuple(c for c in neighbours(me.cell) if state.map.cells[c] & 1)[:1]
    further = next(c for c in neighbours(path[0]) if c != me.cell and state.map.cells[c] & 1)
    trap = Mark(MarkKind.TRAP, enemy.id, path[0], path, 0, ())
    before = state.changed(marks=(trap,), order=(me.id, enemy.id), current=0)
    thrown = next(c for c in neighbours(path[0]) if c not in (me.cell, further))
    after = before.changed(
        marks=(), fighters=tuple(f.changed(cell=thrown) if f.id == me.id else f for f in before.fighters)
    )
    stage = Stage(before)
    stage.play(Move((*path, further)), after, 0.0)
    stage.advance(0.21)
    assert stage.busy and me.id in stage.motion(0.21).moving
    stage.advance(1.0)
    assert not stage.busy and stage.shown is after


@pytest.mark.parametrize("language", languages())
def test_every_effect_has_its_words(language):
    pet = Summon("imp", "Imp", 10, 50, 4, 4, (), fight()[1].stats)
    effects = [
        Effect(kind, 1, 2, stat="power", state=State.ROOTED, summon=pet, turns=2) for kind in EffectKind
    ]
    effects += [Effect(EffectKind.BUFF, 5, 5, stat=stat) for stat in BUFF_STATS]
    effects += [Effect(EffectKind.STATE, state=state) for state in State]
    spell = Spell("all", "All", 3, 1, 5, tuple(effects))
    lines = spell_lines(spell, fight()[1], language)
    assert len(lines) == 2 + len(effects) and all(line.strip() for line in lines)

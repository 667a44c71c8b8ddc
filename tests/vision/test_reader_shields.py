"""Shields and casts on the arena's screen are read as they are, also in a crowd and at every size."""

import os
from functools import cache

import numpy as np
import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest.importorskip("PySide6")

from botapp.arena.scenarios import team
from botapp.arena.window.moment import Line, Moment
from botapp.arena.window.scene import render
from botapp.content.library import classes, monsters, spell_looks
from vision.extract import Reader
from vision.frame import Frame
from vision.profiles import load
from vision.view import ChronicleLine

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = ((1280, 720), (1600, 900), (1920, 1080), (760, 470))
SHIELDS = (37, 0, 120, 12, 5, 200, 0, 9)
LINES = (
    Line("Turn 3: Ember Mage", 4),
    Line("Ember Mage: Fireball", 5, "ember", "fireball", "gale"),
    Line("Gale Dancer -27 HP", 6),
    Line("Thornkeeper: Entangle", 7, "thorn", "entangle"),
)


def crowd(shields=SHIELDS):
    """Four against four, shoulder to shoulder."""
    state = team(4, 4)
    floor = [cell for cell in range(560) if state.map.cells[cell] & 1]
    near = sorted(floor, key=lambda cell: abs(cell // 14 - 20) / 2 + abs(cell % 14 - 7))
    standing = zip(state.fighters, near, shields, strict=False)
    return state.changed(fighters=tuple(f.changed(cell=cell, shield=s) for f, cell, s in standing))


@cache
def of_crowd(size):
    """The crowd and what is read of it, the chronicle's lines among it."""
    state = crowd()
    return state, read(state, size, LINES)[1]


def read(state, size, lines=()):
    image = render(state, size, Moment(0, lines=lines))
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(size[1], size[0], 4).copy()
    return pixels, Reader(load("arena")).read(Frame.still(pixels))


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [pytest.param(one, marks=pytest.mark.long) if one in SIZES[1:3] else one for one in SIZES]
)
def test_shields_are_read_to_the_point_in_a_crowd(size):
    state, view = of_crowd(size)
    assert view.shield.value == SHIELDS[0]
    seen = {f.cell: f for f in (view.player, *view.allies, *view.enemies)}
    assert set(seen) == {fighter.cell for fighter in state.fighters}
    for fighter in state.fighters:
        shown = seen[fighter.cell]
        assert round(shown.shield.value * fighter.max_hp) == fighter.shield
        assert shown.hp_fraction.value == pytest.approx(fighter.hp / fighter.max_hp, abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES[::3])
def test_nobody_is_read_a_shield_without_one(size):
    _, view = read(crowd((0,) * 8), size)
    assert view.shield.value == 0
    assert {f.shield.value for f in (view.player, *view.allies, *view.enemies)} == {0.0}


def test_a_covered_plate_is_no_missing_shield_and_a_chronicle_with_a_gap_is_withheld():
    pixels, whole = read(crowd(), SIZES[0], LINES)
    assert whole.shield.value is not None and whole.log is not None
    pixels[690:720, 280:340] = 0
    pixels[640:665, :200] = 0
    view = Reader(load("arena")).read(Frame.still(pixels))
    assert view.shield.value is None and view.log is None


@pytest.mark.slow
def test_a_shield_worth_more_than_all_hp_fills_the_bar():
    state = crowd((0, 5000) + (0,) * 6)
    _, view = read(state, SIZES[0])
    seen = next(f for f in (*view.allies, *view.enemies) if f.cell == state.fighters[1].cell)
    assert seen.shield.value == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("size", [*SIZES, (640, 400)])
def test_the_chronicle_gives_caster_spell_and_target(size):
    _, view = of_crowd(size)
    turn, fireball, hurt, entangle = view.log
    assert (turn, hurt) == (ChronicleLine(False), ChronicleLine(False))
    assert (fireball.odd, fireball.caster, fireball.target) == (True, "ember", "gale")
    assert "fireball" in fireball.spells
    assert (entangle.odd, entangle.caster, entangle.target) == (True, "thorn", None)
    assert "entangle" in entangle.spells


@pytest.mark.slow
def test_the_cards_are_in_the_order_of_play():
    state, view = of_crowd(SIZES[2])
    kinds = [state.fighter(number).kind for number in state.order]
    assert [card.kind for card in view.order] == kinds
    assert [card.current for card in view.order].index(True) == state.current


def test_the_profile_knows_the_colours_of_all_shipped_spells_and_kinds():
    fight = load("arena").fight
    colour = {key: tuple(int(look.colour[i : i + 2], 16) for i in (1, 3, 5)) for key, look in looks().items()}
    assert {key: rgb for key, rgb in (fight.spells | dict(fight.kinds)).items() if key in colour} == colour
    for template in (*classes().values(), *monsters().values()):
        colours = [np.array(fight.spells[spell.key]) for spell in template.spells]
        for place, one in enumerate(colours):
            assert all(np.linalg.norm(one - other) > 12 for other in colours[:place]), template.name


def looks():
    return {**spell_looks(), **classes(), **monsters()}

"""Small windows of the arena: a fighter under the timeline, a bar half covered, whose turn it is."""

import os
from itertools import cycle, product

import numpy as np
import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest.importorskip("PySide6")

from botapp.arena.scenarios import adventure
from botapp.arena.window.layout import ArenaLayout
from botapp.arena.window.moment import Moment
from botapp.arena.window.scene import health_bar, position, render
from botapp.content.library import classes, monsters
from vision.extract import Reader
from vision.frame import Frame, Rect
from vision.profiles import load

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = ((640, 400), (704, 400), (751, 422), (880, 495))
BELOW_THE_TIMELINE = 93


def drawn(state, size, moment):
    image = render(state, size, moment)
    return np.frombuffer(image.constBits(), np.uint8).reshape(size[1], size[0], 4).copy()


def seen(pixels):
    height, width = pixels.shape[:2]
    return Reader(load("arena")).read(Frame(pixels, Rect(0, 0, width, height), 0, 0))


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES[::3])
def test_a_fighter_below_the_timeline_is_found_by_its_bar(size):
    state = adventure(3406, "veil")
    enemy, *others = (one for one in state.fighters if one.team)
    standing = (*(one for one in state.fighters if not one.team), enemy.changed(cell=BELOW_THE_TIMELINE))
    fighters = (*standing, *(one.changed(hp=0) for one in others))
    turn = state.changed(fighters=fighters, current=state.order.index(0))
    view = seen(drawn(turn, size, Moment(0, mine=True)))
    assert [one.cell for one in view.enemies] == [BELOW_THE_TIMELINE] and view.turn


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES[::3])
def test_a_bar_with_a_covered_corner_is_one_fighter(size):
    state, places = adventure(3407, "warden"), ArenaLayout(*size)
    clear = drawn(state, size, Moment(0, mine=True))
    for enemy in (one for one in state.fighters if one.team):
        bar = health_bar(places, position(places, enemy, Moment(0)))
        for wide, row in product((1, 2), range(bar.height())):
            pixels = clear.copy()
            pixels[bar.top() + row, bar.left() : bar.left() + wide] = 255
            cells = [one.cell for one in seen(pixels).enemies]
            assert len(cells) == len(set(cells)) <= 2, (wide, row)


@pytest.mark.slow
@pytest.mark.parametrize(
    "size", [SIZES[0], *(pytest.param(size, marks=pytest.mark.long) for size in SIZES[1:])]
)
def test_whose_turn_it_is_is_read_for_every_kind(size):
    state = adventure(3411, "warden")
    me, *enemies = state.fighters
    kinds = (*classes(), *monsters())
    for kind, active in product(kinds, enemies) if size != SIZES[0] else zip(kinds, cycle(enemies)):
        fighters = tuple(one.changed(kind=kind) if one == active else one for one in state.fighters)
        turn = state.changed(fighters=fighters, current=state.order.index(active.id))
        view = seen(drawn(turn, size, Moment(me.id, mine=False)))
        assert view.turn.value == "other", (kind, active.id)

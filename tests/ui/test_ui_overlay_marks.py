"""What the overlay says at a cell names the spells that do it."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF

from botapp.advisor.decision import Expectation, ScoredAction
from botapp.arena.scenarios import duel, team
from botapp.fight.actions import Cast
from botapp.runtime.turns import TurnLine, TurnStep
from botapp.ui.overlay import paint
from botapp.ui.overlay.geometry import OverlayGeometry
from botapp.ui.overlay.marks import CellNote, TurnMarks, marks
from botapp.ui.overlay.scene import OverlayScene
from vision.view import Lattice

LATTICE, PLACEMENT = Lattice((104.0, 40.0), 74.0, 37.0), OverlayGeometry(0, 0, 1280, 720)


def notes(*steps: tuple[str, int, float]) -> list[list[str]]:
    """Returns the texts at the cells of a turn of casts: each one's name, cell and damage to the enemy."""
    state = duel(3)
    enemy = next(f for f in state.fighters if f.team != state.actor.team)
    cast = [
        TurnStep(
            Cast(name.lower(), cell or enemy.cell),
            state.actor.cell,
            name,
            (Expectation(enemy.id, enemy.name, True, damage=damage),) if damage else (),
        )
        for name, cell, damage in steps
    ]
    choice = ScoredAction(cast[0].action, 0.9, "")
    line = TurnLine(choice, tuple(cast), 0.9, kills=((enemy.id, 1.0),))
    return [[text for text, _ in note.parts] for note in marks(line, state, LATTICE, PLACEMENT).notes]


def test_damage_of_two_spells_names_both():
    found = notes(("Gust", 0, 27.0), ("Undertow", 200, 7.0))
    assert ["Gust, Undertow", "−34", "kill"] in found
    assert ["Undertow"] in found


def test_a_wide_spell_aimed_elsewhere_is_not_named_at_each_fighter():
    assert ["−20", "kill"] in notes(("Firestorm", 200, 20.0))


def test_spells_that_reach_several_are_named_once():
    state = team(2, 2)
    enemies = [f for f in state.fighters if f.team != state.actor.team]
    told = tuple(Expectation(f.id, f.name, True, damage=20.0) for f in enemies)
    cast = tuple(
        TurnStep(Cast(name.lower(), enemies[0].cell), state.actor.cell, name, told)
        for name in ("Cross", "Ball")
    )
    line = TurnLine(ScoredAction(cast[0].action, 0.9, ""), cast, 0.9)
    found = [[text for text, _ in note.parts] for note in marks(line, state, LATTICE, PLACEMENT).notes]
    assert len(enemies) == 2 and found == [["Cross, Ball", "−40"], ["−40"]]


def test_a_spell_cast_twice_says_so():
    assert ["Gust ×2", "−40", "kill"] in notes(("Gust", 0, 20.0), ("Gust", 0, 20.0))


SMALL = Lattice((30.0, 10.0), 28.0, 14.0)
"""Cells as high as on a drawn board on a laptop: numbers are larger than half of one."""


def crowd(cells):
    """Returns a fight whose first fighter casts at itself, at another and at a free cell; with its turn."""
    fight = team(2, 2)
    ordered = sorted(fight.fighters, key=lambda one: one.id != fight.actor.id)
    standing = [one.changed(cell=cell) for one, cell in zip(ordered, cells, strict=True)]
    fight = fight.changed(fighters=tuple(sorted(standing, key=lambda one: one.id)))
    own = fight.actor.cell
    steps = tuple(
        TurnStep(Cast(name, cell), own, name, ())
        for name, cell in (("a", own), ("b", standing[-1].cell), ("c", 287), ("d", standing[-1].cell))
    )
    return fight, TurnLine(ScoredAction(steps[0].action, 0.9, ""), steps, 0.9)


def overlap(box, other):
    across = min(box[0] + box[2], other[0] + other[2]) - max(box[0], other[0])
    down = min(box[1] + box[3], other[1] + other[3]) - max(box[1], other[1])
    return max(0.0, across) * max(0.0, down)


@pytest.mark.parametrize("cells", [(272, 300, 257, 286), (272, 400, 100, 190), (272, 271, 273, 299)])
def test_numbers_hide_no_fighter_on_a_small_board(qapp, cells):
    fight, line = crowd(cells)
    drawn = marks(line, fight, SMALL, OverlayGeometry(0, 0, 460, 300))
    assert [one.number for one in drawn.bubbles] == [1, 2, 4, 3] and len(drawn.bodies) == 4
    grounds = [(one.at[0] - 9, one.at[1] - 9, 18, 18) for one in drawn.bubbles]
    assert all(overlap(ground, body) < 0.2 * body[2] * body[3] for ground in grounds for body in drawn.bodies)
    assert not any(overlap(one, other) > 1 for one, other in combinations(grounds, 2))


def test_a_label_goes_above_where_it_would_hide_a_fighter_below(qapp):
    fight, line = crowd((272, 300, 100, 500))
    alone = TurnLine(line.choice, line.steps[:1], 0.9)
    for below, over in ((500, False), (300, True)):
        fighters = tuple(one.changed(cell=below) if one.cell == 300 else one for one in fight.fighters)
        drawn = marks(alone, fight.changed(fighters=fighters), SMALL, OverlayGeometry(0, 0, 460, 300))
        scene = OverlayScene(marks=drawn, unit=7.0)
        (rect,) = [ground for note, ground in paint.placed_notes(scene)]
        assert (rect.bottom() < SMALL.centre(272)[1]) == over
        assert not any(rect.intersects(QRectF(*body)) for body in drawn.bodies)


def test_on_a_large_board_numbers_stand_at_the_lower_edge_of_their_cell():
    fight, line = crowd((272, 400, 100, 190))
    large = Lattice((104.0, 40.0), 74.0, 37.0)
    first = marks(line, fight, large, PLACEMENT).bubbles[0]
    x, y = large.centre(272)
    assert first.at == pytest.approx((x, y + 0.9 * 18.5))


def test_notes_at_the_edge_of_a_drawn_board_stay_on_it(qapp):
    corners = ((2.0, 5.0), (298.0, 148.0), (150.0, 149.0), (155.0, 149.0))
    written = TurnMarks(notes=tuple(CellNote(at, (("Cinder Ward", "text"),)) for at in corners))
    found = [rect for _, rect in paint.placed_notes(OverlayScene(marks=written, room=(300.0, 150.0)))]
    assert len(found) == 4
    assert not any(one.intersects(other) for one, other in combinations(found, 2))
    assert all(r.left() >= 0 and r.right() <= 300 and r.top() >= 0 and r.bottom() <= 150 for r in found)
    free = [rect for _, rect in paint.placed_notes(OverlayScene(marks=written))]
    assert max(rect.bottom() for rect in free) > 150

"""What the overlay says at a cell names the spells that do it."""

from itertools import combinations

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


def test_notes_at_the_edge_of_a_drawn_board_stay_on_it(qapp):
    corners = ((2.0, 5.0), (298.0, 148.0), (150.0, 149.0), (155.0, 149.0))
    written = TurnMarks(notes=tuple(CellNote(at, (("Cinder Ward", "text"),)) for at in corners))
    found = [rect for _, rect in paint._placed(OverlayScene(marks=written, room=(300.0, 150.0)))]
    assert len(found) == 4
    assert not any(one.intersects(other) for one, other in combinations(found, 2))
    assert all(r.left() >= 0 and r.right() <= 300 and r.top() >= 0 and r.bottom() <= 150 for r in found)
    free = [rect for _, rect in paint._placed(OverlayScene(marks=written))]
    assert max(rect.bottom() for rect in free) > 150

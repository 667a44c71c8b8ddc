"""A whole turn as plain shapes: numbered walks and casts, and what is expected of them. No Qt in here."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.state import FightState
from botapp.runtime.turns import TurnLine, TurnStep
from botapp.ui import words
from botapp.ui.names import named
from botapp.ui.overlay.geometry import Box, OverlayGeometry, Point, Polygon, hidden, shared
from botapp.ui.translation import tr
from vision.view import Lattice

Shade = Literal["name", "damage", "kill", "heal"]
_LEAST = 0.5  # HP below which nothing is said
_BODY = 0.85, 1.7, 0.4
"""How far a fighter reaches from its cell's middle: to each side, up and down, in half heights of a cell."""


@dataclass(frozen=True, slots=True)
class StepMark:
    """One action of a turn."""

    walk: bool  # Whether it is a walk, else a cast
    # The centres of the cells walked over, or a line from the caster to its target; empty for none
    route: tuple[Point, ...]
    cell: Polygon  # The cell where it ends
    first: bool = True


@dataclass(frozen=True, slots=True)
class Bubble:
    """The number of a step, at its middle."""

    at: Point
    number: int
    first: bool = False


@dataclass(frozen=True, slots=True)
class CellNote:
    """What happens at a cell, in words of several shades."""

    at: Point  # The middle of its upper edge, below the cell
    parts: tuple[tuple[str, Shade], ...]  # The words, each with its shade
    # The height at which its lower edge lies where it stands above the cell, None for below only
    above: float | None = None


@dataclass(frozen=True, slots=True)
class TurnMarks:
    """All there is to draw of a turn; what is done several times from one place is one mark."""

    steps: tuple[StepMark, ...] = ()
    bubbles: tuple[Bubble, ...] = ()
    notes: tuple[CellNote, ...] = ()  # What happens at cells
    bodies: tuple[Box, ...] = ()  # Where fighters stand, which numbers and notes keep off where they can


NO_MARKS = TurnMarks()


@dataclass(slots=True)
class _Place:
    """What a turn does at one cell: the spells aimed at it, and those that reach the fighter there."""

    spells: Counter[str] = field(default_factory=Counter)
    causes: Counter[str] = field(default_factory=Counter)
    damage: float = 0.0
    heal: float = 0.0
    kill: float = 0.0


def marks(
    line: TurnLine,
    state: FightState | None,
    lattice: Lattice,
    placement: OverlayGeometry,
    *,
    whole: bool = True,
    paths: bool = True,
) -> TurnMarks:
    """Returns what to draw of a turn in a state: all its steps, or the first one only unless `whole`."""
    steps = tuple(step for step in line.steps if not isinstance(step.action, EndTurn))
    shown = steps if whole else steps[:1]
    drawn: dict[tuple[object, int], TurnStep] = {}
    for step in shown:
        drawn.setdefault((step.action, step.origin), step)
    unit = lattice.cell_h / 2 / placement.ratio
    standing = state.fighters if state is not None else ()
    bodies = tuple(
        _body(placement.centre(lattice, fighter.cell), unit)
        for fighter in standing
        if fighter.alive and fighter.cell >= 0
    )
    return TurnMarks(
        tuple(
            StepMark(
                isinstance(step.action, Move),
                _route(step, lattice, placement) if paths else (),
                placement.diamond(lattice, step.action.target),
                first=step is shown[0],
            )
            for step in drawn.values()
            if step.action.target is not None
        ),
        _bubbles(shown, lattice, placement, bodies) if len(shown) > 1 else (),
        _notes(line, shown, state, lattice, placement),
        bodies,
    )


def _route(step: TurnStep, lattice: Lattice, placement: OverlayGeometry) -> tuple[Point, ...]:
    action = step.action
    if isinstance(action, Move):
        return tuple(placement.centre(lattice, cell) for cell in (step.origin, *action.path))
    if action.target is None or action.target == step.origin:
        return ()
    return placement.centre(lattice, step.origin), placement.centre(lattice, action.target)


def _bubbles(
    steps: tuple[TurnStep, ...], lattice: Lattice, placement: OverlayGeometry, bodies: tuple[Box, ...]
) -> tuple[Bubble, ...]:
    """Returns the steps' numbers; those of one cell stand side by side, where they hide no fighter."""
    by_cell: dict[int, list[int]] = {}
    for number, step in enumerate(steps, 1):
        if step.action.target is not None:
            by_cell.setdefault(step.action.target, []).append(number)
    unit = lattice.cell_h / 2 / placement.ratio
    radius = bubble_radius(unit)
    bubbles: list[Bubble] = []
    taken: list[Box] = []
    for cell, numbers in by_cell.items():
        half = len(numbers) * radius
        places = [
            (x - half, y - radius, 2 * half, 2 * radius)
            for x, y in _places(placement.centre(lattice, cell), unit, half, radius)
        ]
        ground = min(places, key=lambda place: hidden(place, bodies, taken) + _outside(place, placement))
        taken.append(ground)
        bubbles += [
            Bubble((ground[0] + (2 * index + 1) * radius, ground[1] + radius), number, number == 1)
            for index, number in enumerate(numbers)
        ]
    return tuple(bubbles)


def _places(middle: Point, unit: float, half: float, radius: float) -> tuple[Point, ...]:
    x, y = middle
    aside = _BODY[0] * unit + half
    low, high = y + _BODY[2] * unit + radius, y - _BODY[1] * unit - radius
    return (x, low), (x + aside, y), (x - aside, y), (x + aside, low), (x - aside, low), (x, high)


def _outside(ground: Box, placement: OverlayGeometry) -> float:
    return round(ground[2] * ground[3] - shared(ground, (0.0, 0.0, placement.width, placement.height)), 3)


def _body(middle: Point, unit: float) -> Box:
    aside, up, down = (part * unit for part in _BODY)
    return middle[0] - aside, middle[1] - up, 2 * aside, up + down


def bubble_radius(unit: float) -> float:
    """Returns the radius of a number's ground where half a cell is `unit` high."""
    return max(9.0, unit * 0.5)


def _notes(
    line: TurnLine,
    steps: tuple[TurnStep, ...],
    state: FightState | None,
    lattice: Lattice,
    placement: OverlayGeometry,
) -> tuple[CellNote, ...]:
    cells = {fighter.id: fighter.cell for fighter in state.fighters} if state is not None else {}
    kills = dict(line.kills)
    places: dict[int, _Place] = {}
    for step in steps:
        if not isinstance(step.action, Cast):
            continue
        spell = step.spell or step.action.spell
        places.setdefault(step.action.target, _Place()).spells[spell] += 1
        for expected in step.expected:
            if expected.fighter in cells:
                place = places.setdefault(cells[expected.fighter], _Place())
                place.causes[spell] += 1
                place.damage += expected.damage
                place.heal += expected.heal
                place.kill = kills.get(expected.fighter, 0.0)
    unit = lattice.cell_h / 2 / placement.ratio
    under = _BODY[2] * unit + 2 * bubble_radius(unit) + 3 if len(steps) > 1 else unit + 4
    notes = []
    named_before: set[str] = set()
    for cell, place in places.items():
        x, y = placement.centre(lattice, cell)
        parts = _parts(place)
        if len(parts) > 1 and parts[0][0] in named_before:
            parts = parts[1:]  # of several that the same spells reach, figures say enough
        elif parts and parts[0][1] == "name":
            named_before.add(parts[0][0])
        if parts:
            notes.append(CellNote((x, y + under), parts, y - _BODY[1] * unit - 3))
    return tuple(notes)


def _parts(place: _Place) -> tuple[tuple[str, Shade], ...]:
    spells = place.spells | place.causes if place.spells or len(place.causes) > 1 else Counter[str]()
    names = [named(name) + (f" ×{count}" if count > 1 else "") for name, count in spells.items()]
    parts: list[tuple[str, Shade]] = [(", ".join(names), "name")] if names else []
    if place.damage >= _LEAST:
        parts.append((words.number(-place.damage, sign=True), "damage"))
    if place.heal >= _LEAST:
        parts.append((words.number(place.heal, sign=True), "heal"))
    if place.kill >= 1:
        parts.append((tr("kill"), "kill"))
    elif place.kill > 0:
        parts.append((tr("kill {share}", share=words.percent(place.kill)), "kill"))
    return tuple(parts)

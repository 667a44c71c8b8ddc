"""The show: one action at a time played out in time, from the state before to the state after.

Times are seconds of the clock that the caller reads; `speed` makes everything shorter. While a fighter
walks or a spell flies the stage is busy; figures that rise afterwards do not delay the fight.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from botapp.arena.window import tones
from botapp.arena.window.aim import spell_area
from botapp.arena.window.looks import spell_look
from botapp.arena.window.moment import Flash, Floater, Motion
from botapp.fight.actions import Action, Cast, Move
from botapp.fight.board import centre_in_cells
from botapp.fight.state import FightState

STEP_S = 0.20
SLIDE_S = 0.24
FLIGHT_S = 0.34
IMPACT_S = 0.30
FLOAT_S = 1.0
_FLOAT_APART_S = 0.22


@dataclass(frozen=True, slots=True)
class _Walk:
    fighter: int
    cells: tuple[int, ...]
    start: float
    step_s: float

    @property
    def end(self) -> float:
        return self.start + self.step_s * (len(self.cells) - 1)

    def at(self, now: float) -> tuple[float, float]:
        steps = min(max(0.0, (now - self.start) / self.step_s), len(self.cells) - 1.0)
        index = min(int(steps), len(self.cells) - 2)
        (ax, ay), (bx, by) = (centre_in_cells(self.cells[index + i]) for i in (0, 1))
        share = steps - index
        return ax + (bx - ax) * share, ay + (by - ay) * share


@dataclass(frozen=True, slots=True)
class _Rising:
    floater: Floater
    start: float
    lasts: float


class Stage:
    """What is shown of a fight, and what moves on it."""

    def __init__(self, state: FightState, speed: float = 1.0) -> None:
        self.shown = state
        self._speed = speed
        self._after = state
        self._walk: _Walk | None = None
        self._slides: list[_Walk] = []
        self._flash: tuple[Flash, float] | None = None
        self._rising: list[_Rising] = []
        self._struck: frozenset[int] = frozenset()

    @property
    def busy(self) -> bool:
        return self._walk is not None or self._flash is not None or bool(self._slides)

    @property
    def moves(self) -> bool:
        """Whether anything on the stage changes from one picture to the next."""
        return self.busy or bool(self._rising)

    def play(self, action: Action, after: FightState, now: float) -> None:
        """Starts playing out the current actor's action, which leads to `after`."""
        before = self.shown
        actor = before.actor
        self._after = after
        if isinstance(action, Move):
            cells = (actor.cell, *_walked(before, after, action))
            self._walk = _Walk(actor.id, cells, now, STEP_S / self._speed)
        elif isinstance(action, Cast):
            spell = next(spell for spell in actor.spells if spell.key == action.spell)
            cells = tuple(sorted(spell_area(before, actor, spell, action.target)))
            tone = spell_look(spell.key).colour
            self._flash = Flash(actor.cell, action.target, cells, tone, 0.0), now
        else:
            self.shown = after

    def advance(self, now: float) -> None:
        if self._walk is not None and now >= self._walk.end:
            walk, self._walk = self._walk, None
            self._land(walk.end, len(walk.cells) - 1, {walk.fighter: walk.cells[-1]})
        self._slides = [slide for slide in self._slides if now < slide.end]
        if self._flash is not None:
            flash, start = self._flash
            since = (now - start) * self._speed
            if since >= FLIGHT_S and self.shown is not self._after:
                self._land(start + FLIGHT_S / self._speed)
            progress = since / FLIGHT_S / 2 if since < FLIGHT_S else 0.5 + (since - FLIGHT_S) / IMPACT_S / 2
            self._flash = (replace(flash, progress=progress), start)
            if since >= FLIGHT_S + IMPACT_S:
                self._flash, self._struck = None, frozenset()
        self._rising = [rising for rising in self._rising if now < rising.start + rising.lasts]

    def motion(self, now: float) -> Motion:
        walks = [*self._slides, *([self._walk] if self._walk else [])]
        rising = (
            replace(text.floater, progress=(now - text.start) / text.lasts)
            for text in self._rising
            if now >= text.start
        )
        return Motion(
            {walk.fighter: walk.at(now) for walk in walks},
            self._struck,
            tuple(rising),
            (self._flash[0],) if self._flash else (),
        )

    def _land(self, now: float, walked: int = 0, stood: Mapping[int, int] | None = None) -> None:
        """Shows the state after the action, and lets what changed rise over the fighters.

        Args:
            walked: cells that the actor walked.
            stood: where fighters stood right before, by id; the others stood where they were shown.
        """
        before, after = self.shown, self._after
        self.shown = after
        actor = before.actor.id
        struck = set()
        for old in before.fighters:
            new = after.fighter(old.id)
            place = (stood or {}).get(old.id, old.cell)
            if new.alive and new.cell != place:
                self._slides.append(_Walk(old.id, (place, new.cell), now, SLIDE_S / self._speed))
            gains = [(new.hp - old.hp, tones.HURT if new.hp < old.hp else tones.HEAL)]
            gains.append((new.shield - old.shield, tones.SHIELD))
            own = old.id == actor
            gains.append((0 if own and not walked else new.ap - old.ap, tones.AP_LOST))
            gains.append((new.mp - old.mp + (walked if own else 0), tones.MP_LOST))
            if new.hp + new.shield < old.hp + old.shield:
                struck.add(old.id)
            for rank, (gain, tone) in enumerate((gain, tone) for gain, tone in gains if gain):
                start = now + rank * _FLOAT_APART_S / self._speed
                floater = Floater(f"{gain:+d}", new.cell, tone, 0.0)
                self._rising.append(_Rising(floater, start, FLOAT_S / self._speed))
        self._struck = frozenset(struck)


def _walked(before: FightState, after: FightState, action: Move) -> tuple[int, ...]:
    """Returns the cells that a walk came along: it ends early where a trap was sprung."""
    path, end = action.path, after.fighter(before.actor.id).cell
    if end in path:
        return path[: path.index(end) + 1]
    trapped = {cell for mark in before.marks if mark not in after.marks for cell in mark.cells}
    stop = next((place for place, cell in enumerate(path) if cell in trapped), len(path) - 1)
    return path[: stop + 1]

"""What the window shows beyond the fight's state: selection, timer, motion, floating figures, result.

A `Moment` is a value; `scene` paints it and `truth` describes it, both from the same facts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from botapp.fight.refusals import hindrances
from botapp.fight.spells import Spell, State
from botapp.fight.state import Fighter, FightState
from botapp.tracking.log_phrases import Part

TURN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Floater:
    """A figure that rises over a cell and fades; `progress` goes from 0 to 1."""

    text: str
    cell: int
    tone: str
    progress: float


@dataclass(frozen=True, slots=True)
class Flash:
    """A spell on its way: from a cell to a cell, the cells it will touch, in a colour."""

    origin: int
    target: int
    cells: tuple[int, ...]
    tone: str
    progress: float


@dataclass(frozen=True, slots=True)
class Highlights:
    """Cells by the meaning of their highlight, as shown."""

    reachable: frozenset[int] = frozenset()
    path: tuple[int, ...] = ()
    range: frozenset[int] = frozenset()
    no_sight: frozenset[int] = frozenset()
    area: frozenset[int] = frozenset()
    red_start: frozenset[int] = frozenset()
    blue_start: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the chronicle; that of a cast has the caster's kind, the spell's key and the target's kind.

    `number` counts a fight's lines from 0: an odd one is marked in another tone than an even one. A line that
    says that an action was `taken_back` has a chip of its own, by which the app knows of it.
    """

    text: str
    number: int = 0
    caster: str = ""
    spell: str = ""
    target: str = ""
    taken_back: bool = False


class Pointed(NamedTuple):
    """What is under the mouse."""

    slot: int | None = None  # Of the spell bar
    cell: int | None = None
    button: str | None = None  # "end", "autopilot", "opponents" or "take_back"


NOTHING_POINTED = Pointed()


@dataclass(frozen=True, slots=True)
class Motion:
    """What moves while an action is played out."""

    # Place of each fighter in motion, as (columns, rows) of the lattice in cells from cell 0
    moving: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    struck: frozenset[int] = frozenset()
    floaters: tuple[Floater, ...] = ()
    flashes: tuple[Flash, ...] = ()


@dataclass(frozen=True, slots=True)
class Buttons:
    """What the buttons beside that of the turn's end say."""

    autopilot: bool = False
    opponents: str = "normal"  # How well the others play, a key of `botapp.arena.options.STRENGTHS`
    may_take_back: bool = False  # Whether there is an own action that can be taken back


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of the window."""

    player: int
    seed: int = 0  # Seed of the fight; it also picks the landscape
    mine: bool = True
    selected: str | None = None  # Key of the selected spell, None for none
    pointed: Pointed = NOTHING_POINTED
    timer_s: int = 30  # Whole seconds left of the turn
    turn_s: float = TURN_SECONDS  # Seconds a turn lasts
    buttons: Buttons = Buttons()
    language: str = "en"
    highlights: Highlights = Highlights()
    motion: Motion = field(default_factory=Motion)
    winner: int | None = None  # None during a fight, else the winning team, -1 for a draw
    goes_on: bool = False
    lines: tuple[Line, ...] = ()  # The last lines of the fight's chronicle, newest last
    # The last lines of the fight's log in words, newest last; None where it is not shown
    words: tuple[tuple[Part, ...], ...] | None = None

    def ready(self, state: FightState) -> frozenset[str]:
        """Returns the keys of the player's spells that are shown as usable."""
        me = state.fighter(self.player)
        return frozenset(spell.key for spell in me.spells if self.mine and usable(state, me, spell))


_SHOWN_AS_USABLE = ("", "summons")  # A spell is not greyed for the summons that its caster has


def visible(state: FightState, me: Fighter) -> list[Fighter]:
    """Returns the living fighters that a fighter's side sees on the board."""
    return [f for f in state.fighters if f.alive and (f.team == me.team or not f.has(State.INVISIBLE))]


def usable(state: FightState, fighter: Fighter, spell: Spell) -> bool:
    """Tells whether AP, cooldown and the limit of casts a turn let a fighter cast a spell in its turn."""
    return state.actor.id == fighter.id and hindrances(state, fighter)[spell.key] in _SHOWN_AS_USABLE


def cooldown(fighter: Fighter, spell: Spell) -> int:
    """Returns the turns until a fighter can cast a spell again, 0 for none."""
    return dict(fighter.cooldowns).get(spell.key, 0)


def timeline(state: FightState) -> tuple[list[Fighter], int]:
    """Returns the living fighters in turn order, and the place of the one whose turn it is (-1: it died)."""
    order = [state.fighter(i) for i in state.order]
    living = [fighter for fighter in order if fighter.alive]
    places = [i for i, fighter in enumerate(living) if fighter.id == state.actor.id]
    return living, places[0] if places else -1

"""The sheet that the advice goes by against what the screen shows of the player.

A sheet of another character or class makes every figure wrong, so the advice is withheld then. A smaller
difference is noted: the screen counts.
"""

from dataclasses import dataclass

from botapp.content.knowledge.base import knowledge
from botapp.host.message import is_message, mark, say
from botapp.tracking.levels import FOREIGN_MAXIMUM
from botapp.tracking.spellbook import Spellbook, learnable
from vision.view import FightView, Phase

_LEVELS_APART = 10
"""A sheet so many levels off is of another character, or of long ago: about every ten levels a class of the
game gets a spell or a stronger grade of each."""
_ICONS = 2
"""A single icon of another class may be misread (1 in 100 at the likeness that names are accepted at)."""

_SPELLS = mark(
    "The screen shows {shown} spells and your sheet has {sheet}: {name} is not who plays here. Choose the "
    "class that you play."
)
_ICONS_OF = mark(
    "The icons on your spell bar are of the class {shown}, your sheet is not: {name} is not who plays here. "
    "Choose the class that you play."
)
_LEVEL = mark(
    "The screen shows level {shown} and your sheet says {sheet}: choose the character that you play, or "
    "correct the level of {name}."
)
_HP = mark(
    "The screen shows {shown} HP and your sheet says {sheet} at most: choose the character that you play, or "
    "correct the HP of {name}."
)
_MISFITS = frozenset({_SPELLS, _ICONS_OF, _LEVEL, _HP})


def is_misfit(reason: str) -> bool:
    """Tells whether a reason for no advice is that the sheet is not that of the player on the screen."""
    return is_message(reason) and reason.template in _MISFITS


@dataclass(frozen=True, slots=True)
class Fit:
    """How a sheet fits."""

    misfit: str = ""  # Why it cannot be the player's, a sentence; "" where it may be
    notes: tuple[str, ...] = ()  # Smaller differences, in which the screen counts; sentences


FITS = Fit()


class SheetFit:
    """Compares through one fight: what has fitted once is not doubted while a window lies over half of it.

    A level that is guessed by the screen follows the screen and is not compared, nor are its usual HP; nor is
    an example class, which is said to be one.
    """

    def __init__(self) -> None:
        self._book: Spellbook | None = None
        self._counted = False
        self._max_hp: int | None = None

    def next_fight(self) -> None:
        """Begins anew: another fight may be another character's."""
        self._book = None

    def follow(
        self, view: FightView, book: Spellbook, level: int | None, on_bar: list[int | None], slots: int
    ) -> Fit:
        """Takes in a view; returns how the sheet fits by then.

        Args:
            level: the player's, as the screen writes it; None where it was not read.
            on_bar: the game's number of the spell behind each icon of the bar, None for one not known.
            slots: how many spells the client's bar shows at most, in the sheet's order; 0 for a client where
                the player arranges them.
        """
        if self._book is None or self._book.key != book.key:
            self._counted, self._max_hp = False, None
        self._book = book
        if view.phase.value not in (Phase.FIGHT, Phase.PLACEMENT) or view.played != "own":
            return FITS
        problem = self._by_bar(view, book, slots) or _of_another_class(book, on_bar)
        if problem or book.guess is not None or book.example:
            return Fit(problem)
        notes = []
        if level is not None and level != book.level:
            if abs(level - book.level) >= _LEVELS_APART:
                return Fit(say(_LEVEL, shown=level, sheet=book.level, name=book.name))
            notes.append(
                say(
                    "Your level is {shown} on the screen and {sheet} on your sheet.",
                    shown=level,
                    sheet=book.level,
                )
            )
        most = self._first_maximum(view, book)
        if most is not None and most != book.max_hp:
            if not 1 / FOREIGN_MAXIMUM < most / book.max_hp < FOREIGN_MAXIMUM:
                return Fit(say(_HP, shown=most, sheet=book.max_hp, name=book.name))
            notes.append(
                say(
                    "Your HP are {shown} at most on the screen and {sheet} on your sheet: the screen counts.",
                    shown=most,
                    sheet=book.max_hp,
                )
            )
        return Fit(notes=tuple(notes))

    def _first_maximum(self, view: FightView, book: Spellbook) -> int | None:
        """Returns the maximum HP that the fight began with as far as seen: erosion lowers it later on."""
        seen = None if "max_hp" in view.remembered else view.max_hp.value
        if seen is None and view.hp.value is not None and view.hp.value > book.max_hp:
            seen = view.hp.value  # where the maximum is not shown it is no less than this
        if self._max_hp is None and seen is not None and (seen > book.max_hp or view.hp.value == seen):
            self._max_hp = seen
        return self._max_hp

    def _by_bar(self, view: FightView, book: Spellbook, slots: int) -> str:
        """Returns that the bar shows another number of spells than the sheet has, "" where it does not."""
        shown, own = len(view.spells), min(len(book.spells), slots)
        if not slots or not shown:
            return ""
        self._counted |= shown == own
        if self._counted and shown <= own:
            return ""  # a tooltip or a window lies over the others
        return say(_SPELLS, shown=shown, sheet=own, name=book.name)


def _of_another_class(book: Spellbook, on_bar: list[int | None]) -> str:
    """Returns that the icons on the bar are mostly another class's spells, "" where they are not."""
    game = knowledge().game
    if game is None:
        return ""
    own = learnable(book)
    by_class = {
        number: game_class for game_class in game.classes for pair in game_class.pairs for number in pair
    }
    spells = [number for number in on_bar if number is not None and number in by_class]
    foreign = [by_class[number] for number in spells if f"game-{number}" not in own]
    if len(foreign) < _ICONS or 2 * len(foreign) <= len(spells):
        return ""
    names = max(foreign, key=foreign.count).names
    shown = " / ".join(dict.fromkeys((names.name, names.name_fr)))
    return say(_ICONS_OF, shown=shown, name=book.name)

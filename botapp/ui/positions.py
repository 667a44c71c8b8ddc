"""Positions on the clipboard: a line of text each, see `botapp.content.position_line`."""

from PySide6.QtGui import QGuiApplication

from botapp.arena.options import unplayable
from botapp.content.errors import FieldError
from botapp.content.nameless import without_names
from botapp.content.position_line import from_text, to_line
from botapp.fight.state import FightState
from botapp.ui.translation import tr


def copy(state: FightState, *, names: bool = False) -> str:
    QGuiApplication.clipboard().setText(to_line(state if names else without_names(state)))
    if names:
        return tr("The position is copied as a line of text, with the fighters' names.")
    return tr("The position is copied as a line of text, without names of people.")


def pasted() -> FightState:
    """Returns the position on the clipboard.

    Raises:
        FieldError: there is none that can be played on from; the text, a message, says why.
    """
    state = from_text(QGuiApplication.clipboard().text())
    if problem := unplayable(state):
        raise FieldError(problem)
    return state

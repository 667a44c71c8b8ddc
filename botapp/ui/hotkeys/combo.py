"""A combination of keys as the settings keep it, and whether it can be taken from all other programs.

`botapp.ui.hotkeys.x11` and `botapp.ui.hotkeys.windows` take it: they implement `KeyGrabber`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, cast

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from botapp.host.message import say

_Key = Qt.Key
_ALONE = frozenset(
    (
        *(Qt.Key(_Key.Key_F1.value + number) for number in range(35)),
        _Key.Key_Pause,
        _Key.Key_Print,
        _Key.Key_ScrollLock,
        _Key.Key_Insert,
        _Key.Key_MediaPlay,
        _Key.Key_MediaStop,
        _Key.Key_MediaNext,
        _Key.Key_MediaPrevious,
    )
)
"""Keys that type and move nothing: these may be taken by themselves."""
_MODIFIERS = (_Key.Key_Control, _Key.Key_Shift, _Key.Key_Alt, _Key.Key_AltGr, _Key.Key_Meta)


class ComboError(ValueError):
    """A text is no combination that can be taken; says why, for a person."""


@dataclass(frozen=True, slots=True)
class KeyCombo:
    """One key with its modifiers.

    Attributes:
        ctrl, alt, shift, meta: whether each modifier is held; `meta` is the Windows key.
    """

    key: Qt.Key
    ctrl: bool = False
    alt: bool = False
    shift: bool = False
    meta: bool = False
    keypad: bool = False


def parse(text: str) -> KeyCombo:
    """Returns the combination that a text such as "Ctrl+Alt+P" means.

    Raises:
        ComboError: it means none, or one that would take a key away that people type with.
    """
    sequence = QKeySequence(text, QKeySequence.SequenceFormat.PortableText)
    pressed = cast(Sequence[QKeyCombination], sequence)  # PySide's types leave its items out
    key = pressed[0].key() if sequence.count() == 1 else _Key.Key_unknown
    if key in (_Key.Key_unknown, *_MODIFIERS):
        raise ComboError(say("{keys} is no key that can be used", keys=text))
    modifiers = pressed[0].keyboardModifiers()
    has = Qt.KeyboardModifier
    combo = KeyCombo(
        key,
        ctrl=bool(modifiers & has.ControlModifier),
        alt=bool(modifiers & has.AltModifier),
        shift=bool(modifiers & has.ShiftModifier),
        meta=bool(modifiers & has.MetaModifier),
        keypad=bool(modifiers & has.KeypadModifier),
    )
    if key not in _ALONE and not (combo.ctrl or combo.alt or combo.meta):
        raise ComboError(
            say("{keys} needs Ctrl or Alt with it, or it could not be typed any more", keys=text)
        )
    return combo


def shown(text: str) -> str:
    return QKeySequence(text, QKeySequence.SequenceFormat.PortableText).toString(
        QKeySequence.SequenceFormat.NativeText
    )


Refusal = Literal["taken", "missing"]  # Another program has it; this keyboard has no such key


class KeyGrabber(Protocol):
    """Takes combinations from all other programs, and calls what it was made with at each press."""

    def grab(self, combos: Mapping[str, KeyCombo]) -> dict[str, Refusal]:
        """Takes these by name in place of those taken before; returns which could not be had.

        Raises:
            OSError: the system does not answer any more.
        """
        ...

    def close(self) -> None: ...

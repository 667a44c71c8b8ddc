"""Widgets side by side or one below the other, each line of a layout in one call."""

from typing import TypeVar

from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

Part = QWidget | QLayout | None
_Box = TypeVar("_Box", bound=QBoxLayout)


def row_of(
    *parts: Part | tuple[Part, int],
    into: QWidget | None = None,
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:
    """Returns a layout of parts from left to right.

    Args:
        *parts: widgets and layouts, None for empty room that stretches; with a number, its stretch factor.
        into: the widget that is laid out so; None for a layout within another one.
        margins: left, top, right and bottom, in logical pixels; Qt's own if None.
        spacing: between the parts, in logical pixels; Qt's own if None.
    """
    return _filled(QHBoxLayout() if into is None else QHBoxLayout(into), parts, margins, spacing)


def column_of(
    *parts: Part | tuple[Part, int],
    into: QWidget | None = None,
    margins: tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:
    """Returns a layout of parts from top to bottom; see `row_of`."""
    return _filled(QVBoxLayout() if into is None else QVBoxLayout(into), parts, margins, spacing)


def _filled(
    box: _Box,
    parts: tuple[Part | tuple[Part, int], ...],
    margins: tuple[int, int, int, int] | None,
    spacing: int | None,
) -> _Box:
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for each in parts:
        part, share = each if isinstance(each, tuple) else (each, 0)
        if part is None:
            box.addStretch(share)
        elif isinstance(part, QLayout):
            box.addLayout(part, share)
        else:
            box.addWidget(part, share)
    return box

"""Push buttons that the Enter key does not press, as it would press the first one of a dialog."""

from typing import Any

from PySide6.QtWidgets import QPushButton

from botapp.ui import theme


def button(
    text: str, do: Any = None, *, icon: str = "", role: str = "", tip: str = "", checkable: bool = False
) -> QPushButton:
    """Returns a button.

    Args:
        icon: a name in `resources/icons`.
        role: the style sheet's role, "primary", "flat" or "spell".
        checkable: whether a click presses it in, and another lets it out.
    """
    made = QPushButton(theme.icon(icon), text) if icon else QPushButton(text)
    made.setAutoDefault(False)
    made.setCheckable(checkable)
    made.setToolTip(tip)
    if role:
        made.setObjectName(role)
    if do is not None:
        made.clicked.connect(do)
    return made

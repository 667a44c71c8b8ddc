"""The app's look: colours from `resources/themes`, a palette, one style sheet and icons in those colours.

`apply` sets it on the application; code that paints by hand asks `colour`.
"""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

ThemeName = Literal["dark", "light"]
Wanted = Literal["system", "dark", "light"]  # What a person may choose
SANS = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "Ubuntu", "DejaVu Sans")
MONO = ("JetBrains Mono", "Cascadia Mono", "Consolas", "SF Mono", "DejaVu Sans Mono")
POINT_SIZE = 9.5
_STYLED = "#8592ab"  # The colour of icons that the style sheet shows as well, which cannot fill one in


class _Current:
    name: ThemeName = "dark"


@cache
def colours(name: ThemeName) -> dict[str, str]:
    """Returns a theme's colours by name, as #rrggbb."""
    return tomllib.loads(files("resources").joinpath("themes", f"{name}.toml").read_text("utf-8"))


def current() -> ThemeName:
    return _Current.name


def resolve(wanted: Wanted) -> ThemeName:
    """Returns the theme for what was chosen; dark where it follows a system that does not say."""
    if wanted != "system":
        return wanted
    light = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Light
    return "light" if light else "dark"


def colour(name: str, alpha: float = 1.0) -> QColor:
    """Returns one of the colours of the theme in use, with an opacity 0..1."""
    tone = QColor(colours(_Current.name)[name])
    tone.setAlphaF(alpha)
    return tone


def apply(app: QApplication, name: ThemeName) -> None:
    _Current.name = name
    app.setStyle("Fusion")
    app.setPalette(_palette())
    app.setFont(font())
    app.setStyleSheet(style_sheet(name))
    app.setWindowIcon(QIcon(_pixmap("app", "", 128)))


def style_sheet(name: ThemeName) -> str:
    template = files("resources").joinpath("themes", "app.qss").read_text("utf-8")
    icons = Path(str(files("resources").joinpath("icons"))).as_posix()
    return Template(template).substitute(colours(name), icons=icons)


def font(scale: float = 1.0, *, bold: bool = False, mono: bool = False) -> QFont:
    """Returns the app's font, `scale` times its usual size; `mono` gives figures of one width."""
    wanted = [family for family in (MONO if mono else SANS) if family in _families()]
    system = QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
    made = QFont(wanted) if wanted else QFontDatabase.systemFont(system)
    made.setPointSizeF(POINT_SIZE * scale)
    made.setBold(bold)
    return made


@cache
def _families() -> frozenset[str]:
    return frozenset(QFontDatabase.families())


def icon(name: str, shade: str = "text") -> QIcon:
    """Returns an icon of `resources/icons` drawn in one of the theme's colours."""
    made = QIcon(_pixmap(name, colour(shade).name(), 64))
    made.addPixmap(_pixmap(name, colour("faint").name(), 64), QIcon.Mode.Disabled)
    return made


@cache
def _pixmap(name: str, shade: str, size: int) -> QPixmap:
    source = files("resources").joinpath("icons", f"{name}.svg").read_text("utf-8")
    for drawn in ("currentColor", _STYLED):
        source = source.replace(drawn, shade)
    renderer = QSvgRenderer(QByteArray(source.encode()))
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


def _palette() -> QPalette:
    roles = QPalette.ColorRole
    palette = QPalette()
    for role, name in (
        (roles.Window, "background"),
        (roles.Base, "surface"),
        (roles.AlternateBase, "raised"),
        (roles.Button, "raised"),
        (roles.ToolTipBase, "raised"),
        (roles.WindowText, "text"),
        (roles.Text, "text"),
        (roles.ButtonText, "text"),
        (roles.ToolTipText, "text"),
        (roles.BrightText, "bad"),
        (roles.PlaceholderText, "faint"),
        (roles.Highlight, "selection"),
        (roles.HighlightedText, "text"),
        (roles.Link, "info"),
    ):
        palette.setColor(role, colour(name))
    for role in (roles.Text, roles.WindowText, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, colour("faint"))
    return palette

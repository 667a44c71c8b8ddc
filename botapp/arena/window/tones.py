"""The arena's colours, by meaning; `resources/profiles/arena.toml` holds those that vision looks for."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

FLOOR = ("#dcc592", "#c4a46c")
FLOOR_EDGE = "#9b7f4e"
SLAB_LEFT, SLAB_RIGHT = "#6d5233", "#584127"
RIM = "#5d7a3a"
HOLE, HOLE_LEFT, HOLE_RIGHT = "#17110f", "#5a4531", "#463423"
STONE = ("#9a97a8", "#6a6779", "#535063")
CRATE = ("#8f6236", "#6b4726", "#553719")
MOSSY = ("#84906f", "#636b55", "#4d5443")

REACHABLE = "#2f9a3c"
PATH = "#7be05a"
RANGE = "#2f62d6"
NO_SIGHT = "#9fb9ee"
AREA = "#d9203a"
RED_START, BLUE_START = "#a02a3e", "#174a9e"
OWN_MARK, ENEMY_MARK, TRAP_MARK = "#14d8e6", "#b01fc8", "#f59a12"

OWN, ALLY, ENEMY = "#3f8cff", "#25b3b0", "#e8542a"
OWN_CARD, ALLY_CARD, ENEMY_CARD = "#2c5f9e", "#1f7d80", "#8e3a37"
WHITE = "#ffffff"

NAVY, NAVY_DEEP, NAVY_LINE = "#262b47", "#191d33", "#3d4468"
INK = "#11142a"
GOLD = "#f2c14e"
HEART, HEART_DARK = "#d63c4c", "#8d1f33"
AP, AP_DARK = "#2f7fe0", "#173f86"
MP, MP_DARK = "#3fae4a", "#1c6a2a"
BAR, BAR_BACK = "#ff6b81", "#3a1520"
SHIELD_BAR, SHIELD_BACK = "#5cc8ff", "#16263d"
SHIELD_PLATE = "#3b5f96"
LINE_MARKS = ("#4a5578", "#a3acd0")
LOG_IN_WORDS = "#d07a3c"
TAKEN_BACK = "#ff00ff"
BUTTON, BUTTON_DARK, BUTTON_TEXT = "#c6dc34", "#7f9418", "#26300a"
BUTTON_OFF, BUTTON_OFF_DARK, BUTTON_OFF_TEXT = "#6b6f80", "#474a58", "#c9ccd8"
TIMER = "#d7f06a"
TIMER_LATE = "#ff8a5c"

HURT, HEAL, SHIELD, AP_LOST, MP_LOST = "#ff4a3d", "#63e06a", "#dfe6f2", "#5aa6ff", "#a6e84f"


def blend(a: QColor | str, b: QColor | str, share: float) -> QColor:
    """Returns the colour `share` of the way from a to b."""
    first, second = QColor(a), QColor(b)
    parts = ((first.red(), second.red()), (first.green(), second.green()), (first.blue(), second.blue()))
    mixed = QColor(*(round(x + (y - x) * share) for x, y in parts))
    mixed.setAlpha(round(first.alpha() + (second.alpha() - first.alpha()) * share))
    return mixed


def lighter(colour: QColor | str, share: float = 0.25) -> QColor:
    return blend(colour, "#fff6e0", share)


def darker(colour: QColor | str, share: float = 0.3) -> QColor:
    return blend(colour, "#140f22", share)


def faded(colour: QColor | str, alpha: float) -> QColor:
    result = QColor(colour)
    result.setAlphaF(max(0.0, min(1.0, alpha)))
    return result


def greyed(colour: QColor | str) -> QColor:
    """Returns the colour without most of its saturation, darker: what cannot be used now."""
    source = QColor(colour)
    grey = QColor.fromHslF(
        max(0.0, source.hslHueF()), source.hslSaturationF() * 0.12, source.lightnessF() * 0.55
    )
    grey.setAlpha(source.alpha())
    return grey


def pen(colour: QColor | str, width: float) -> QPen:
    result = QPen(QColor(colour), width)
    result.setCapStyle(Qt.PenCapStyle.RoundCap)
    result.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return result

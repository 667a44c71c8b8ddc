"""Drawn windows of text in the manner of the three clients' logs: fonts, colours, icons, wrapped lines.

The text is given; nothing here is the game's. `DrawnLog` scrolls as lines are added, as a log does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from vision.synthetic.canvas import RGB, Drawing, Picture, Typeface, clouds, diamond, star

Parts = Sequence[tuple[str, str]]
"""A line: stretches of text with their roles, which are keys of `LogLook.colours`; an "icon" is drawn."""

_BLANK = 0.46  # How wide a blank is, in capitals
_SYSTEM_FONTS = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansCondensed.ttf",
    "/usr/share/fonts/opentype/urw-base35/NimbusSans-Regular.otf",
    "/usr/share/fonts/opentype/urw-base35/URWGothic-Book.otf",
    "C:/Windows/Fonts/verdana.ttf",
    "C:/Windows/Fonts/tahoma.ttf",
)


@dataclass(frozen=True, slots=True)
class LogLook:
    """How a log looks."""

    ground: RGB
    # Of each role; "time" is that of the clock before a line, "chat" that of what players say
    colours: dict[str, RGB]
    face: Typeface  # The font of plain text; names and spells are bolder by `bolder`
    cap: float  # Height of a capital in pixels
    pitch: float  # From row to row, in capitals
    stamped: bool  # Whether each line has the time before it
    clear: float = 0.0  # How much of what lies behind the panel shows through, 0..1
    bolder: int = 300  # How much heavier names are (weights go from 100 to 900)


def fonts() -> list[str]:
    """Returns the fonts that can be written with here: OpenCV's own, and some that systems have."""
    return ["sans", "uni", *(name for name in _SYSTEM_FONTS if Path(name).is_file())]


def look(manner: str, scale: float, dice: np.random.Generator, font: str | None = None) -> LogLook:
    """Returns a look in the manner of a client ("unity", "two", "retro") at a size, colours a little off.

    Args:
        scale: 1 for a window of 1080 rows.
        font: one of `fonts`; a drawn one if left out.
    """
    name = font or str(dice.choice(fonts()))
    weight = int(dice.integers(380, 480))

    def near(red: float, green: float, blue: float) -> RGB:
        off = dice.normal(0, 5, 3)
        return tuple(float(v) for v in np.clip(np.array([red, green, blue]) + off, 0, 255))  # type: ignore[return-value]

    face = Typeface(name, weight, float(dice.uniform(0.92, 1.06)), float(dice.uniform(0.09, 0.14)))
    if manner == "retro":
        green = near(58, 132, 32)
        colours = dict.fromkeys(("plain", "name", "spell", "time"), green)
        colours |= {"number": near(125, 125, 125), "icon": green, "chat": near(40, 80, 150)}
        return LogLook(near(213, 207, 170), colours, face, 9.5 * scale, 1.75, False)
    if manner == "two":
        green = near(70, 175, 50)
        colours = dict.fromkeys(("plain", "name", "spell", "time", "number"), green)
        colours |= {"icon": green, "chat": near(225, 225, 225)}
        return LogLook(near(38, 38, 36), colours, face, 9.5 * scale, 1.8, bool(dice.random() < 0.6))
    colours = {
        "plain": near(190, 190, 196),
        "name": near(205, 205, 212),
        "spell": near(222, 226, 82),
        "number": [near(236, 96, 96), near(110, 200, 235), near(225, 130, 60), near(215, 215, 220)][
            int(dice.integers(4))
        ],
        "time": near(150, 150, 160),
        "icon": near(90, 190, 70),
        "chat": near(220, 190, 110),
    }
    ground = near(44, 46, 62) if dice.random() < 0.6 else near(24, 24, 24)
    return LogLook(ground, colours, face, 8.8 * scale, 1.95, True, float(dice.uniform(0, 0.06)), 250)


@dataclass(slots=True)
class DrawnLog:
    """A log that lines are added to.

    Attributes:
        look: how it looks.
        width, height: of its panel in pixels.
    """

    look: LogLook
    width: int
    height: int
    dice: np.random.Generator
    _rows: list[Picture] = field(default_factory=list)
    _ground: Picture | None = None

    def add(self, parts: Parts, stamp: str = "") -> None:
        """Adds a line; one too long for the panel goes on in the next row."""
        begun = [*([(f"[{stamp}] ", "time")] if stamp and self.look.stamped else []), *parts]
        row: list[tuple[str, str]] = []
        used, room = 0.0, self.width - 2 * self._margin
        for text, role in _words(begun):
            wide = self._width(text, role)
            full = bool(row) and used + wide > room and bool(text.strip())
            if full:
                self._rows.append(self._row(row))
                row, used = [], 0.0
            row.append((text.lstrip() if full else text, role))
            used += wide + self.look.face.gap * self.look.cap
        self._rows.append(self._row(row))
        self._rows = self._rows[-200:]

    def picture(self) -> Picture:
        """Returns the panel with its last rows, BGR."""
        if self._ground is None:
            plain = Drawing.filled(self.width, self.height, self.look.ground).image
            if self.look.clear:
                rough = clouds(self.dice, self.width, self.height, 40.0)[..., None] * 90 * self.look.clear
                plain = np.clip(plain + rough, 0, 255).astype(np.uint8)
            self._ground = plain
        image = self._ground.copy()
        step = self.look.pitch * self.look.cap
        fitting = max(1, int((self.height - 4) / step))
        shown = self._rows[-fitting:]
        for place, row in enumerate(shown):
            y = round(2 + place * step)
            part = image[y : y + row.shape[0], self._margin : self._margin + row.shape[1]]
            ink = row[: part.shape[0], : part.shape[1]]
            share = ink[..., 3:].astype(np.float32) / 255
            part[:] = np.clip(part + (ink[..., :3] - part.astype(np.float32)) * share + 0.5, 0, 255)
        return image

    @property
    def _margin(self) -> int:
        return max(3, round(0.6 * self.look.cap))

    def _face(self, role: str) -> Typeface:
        face = self.look.face
        heavy = role in ("name", "spell", "number")
        return Typeface(face.name, min(900, face.weight + self.look.bolder * heavy), face.wide, face.gap)

    def _width(self, text: str, role: str) -> float:
        if role == "icon":
            return 1.5 * self.look.cap
        scratch = Drawing.filled(4, 4, (0, 0, 0))
        wide = scratch.write(text, (-4000, -4000), self.look.cap, (0, 0, 0), self._face(role), align=0.0)
        return wide if text.strip() else _BLANK * self.look.cap * len(text)

    def _row(self, parts: Parts) -> Picture:
        cap = self.look.cap
        height = round(self.look.pitch * cap)
        ink = Drawing.filled(self.width, height, (0, 0, 0))
        colour = np.zeros((height, self.width, 3), np.uint8)
        pen = 0.0
        for text, role in parts:
            wide = self._width(text, role)
            left, right = round(pen), round(pen + wide) + 2
            colour[:, left:right] = [
                round(v) for v in self.look.colours.get(role, self.look.colours["plain"])
            ][::-1]
            if role == "icon":
                self._icon(ink, (pen + 0.75 * cap, height / 2), cap)
            elif text.strip():
                lead = _BLANK * cap * (len(text) - len(text.lstrip()))
                ink.write(
                    text.strip(), (pen + lead, height / 2), cap, (255, 255, 255), self._face(role), align=0.0
                )
            pen += wide + (self.look.face.gap * cap if text.strip() or role == "icon" else 0.0)
        return np.dstack([colour, ink.image.max(axis=2)])

    def _icon(self, ink: Drawing, middle: tuple[float, float], cap: float) -> None:
        sign = int(self.dice.integers(4))
        if sign == 0:
            ink.polygon(star(middle, 1.2 * cap), (255, 255, 255))
        elif sign == 1:
            ink.polygon(diamond(middle, 1.0 * cap, 1.1 * cap), (255, 255, 255))
        elif sign == 2:
            ink.ring(middle, (0.9 * cap, 0.9 * cap), (255, 255, 255), max(1.0, 0.16 * cap))
        else:
            ink.oval(middle, (0.8 * cap, 1.1 * cap), (255, 255, 255))


def _words(parts: Parts) -> list[tuple[str, str]]:
    pieces: list[tuple[str, str]] = []
    for text, role in parts:
        if role == "icon":
            pieces.append((text, role))
            continue
        word = ""
        for letter in text:
            if letter == " " and word.strip():
                pieces.append((word, role))
                word = ""
            word += letter
        if word:
            pieces.append((word, role))
    return pieces


def blurred(picture: Picture, quality: int) -> Picture:
    """Returns a picture JPEG-packed, as shared windows and films are."""
    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)

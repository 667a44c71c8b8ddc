"""Draws strips of text as a HUD might show them, with what each column holds.

A strip is drawn large, then brought down to the few pixels of a real screen, blurred, compressed, and
brought up again exactly as the reader does it, so that the reader meets what it learned. Some characters
are partly covered: those must be read as `OTHER`, not as the digit that the rest of them resembles.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from botapp.learning.digits.glyphs import CAP, DIGITS, OTHERS, Face
from vision.extract.dofus.digits import BLANK, OTHER, SECONDS, STRIDE, STRIP, level
from vision.extract.dofus.digits import CAP as STRIP_CAP

IGNORED = -1
_FINE = 4
_ONES = (0.35, 0.46)
"""The share of numbers that are rich in 1s, and of 1s among their figures: a lone stroke looks like what is
left of any other covered figure, so the network needs to see more of them to be sure."""

_LOST, _LOST_OF_ONE = (0.05, 0.2), (0.05, 0.4)
"""The share of its ink from which a covered figure is not judged, and from which it is `OTHER`. A 1 may lack
more, as what is left of it is like no other figure; called `OTHER`, it makes the network doubt whole ones."""

Strip = npt.NDArray[np.float32]
Labels = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Char:
    """A character of a line: its meaning, its first and last column, the share of its ink that is covered."""

    meaning: int
    left: float
    right: float
    covered: float = 0.0


def sample(faces: Sequence[Face], rng: np.random.Generator) -> tuple[Strip, Labels]:
    """Returns a strip of shape `STRIP` and the meaning of each of its `STRIP[1] / STRIDE` columns."""
    face = faces[int(rng.integers(len(faces)))]
    line, chars = _line(face, drawn_text(rng), rng)
    line, chars = _reshape(line, chars, rng)
    line, chars = _cover(line, chars, rng)
    return _place(line, chars, rng)


def drawn_text(rng: np.random.Generator) -> str:
    """Returns a text to draw: mostly a number, at times with a letter in or after it, or letters, or ""."""
    kind = rng.random()
    if kind < 0.04:
        return ""
    if kind < 0.14:
        return "".join(rng.choice(list(OTHERS + "s"), rng.integers(1, 5)))
    chances = np.full(10, 0.1)
    if rng.random() < _ONES[0]:
        chances[:] = (1 - _ONES[1]) / 9
        chances[1] = _ONES[1]
    count = rng.choice([1, 2, 3, 4, 5], p=[0.22, 0.26, 0.3, 0.17, 0.05])
    text = "".join(rng.choice(list(DIGITS), count, p=chances))
    if kind < 0.3:
        return text[:2] + "s"
    if kind < 0.36:
        place = rng.integers(0, len(text) + 1)
        return text[:place] + str(rng.choice(list(OTHERS))) + text[place:]
    return text


def _line(face: Face, text: str, rng: np.random.Generator) -> tuple[Strip, list[Char]]:
    """Sets a text: ink 0..1 on 2 x CAP rows."""
    gap = CAP * rng.uniform(0.0, 0.34)
    pen, chars, parts = float(CAP), [], []
    for char in text:
        picture = face.pictures[char]
        parts.append((round(pen), picture))
        meaning = int(char) if char in DIGITS else SECONDS if char == "s" else OTHER
        chars.append(Char(meaning, pen, pen + picture.shape[1]))
        pen += picture.shape[1] + gap
    line = np.zeros((2 * CAP, round(pen) + CAP), np.float32)
    for left, picture in parts:
        target = line[:, left : left + picture.shape[1]]
        np.maximum(target, picture[:, : target.shape[1]] / 255, out=target)
    return line, chars


def _reshape(line: Strip, chars: list[Char], rng: np.random.Generator) -> tuple[Strip, list[Char]]:
    weight = int(rng.choice([-3, 0, 0, 3, 5, 7]))
    if weight:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(weight), abs(weight)))
        line = np.asarray((cv2.dilate if weight > 0 else cv2.erode)(line, kernel), np.float32)
    wide = float(np.exp(rng.uniform(np.log(0.7), np.log(1.35))))
    slant = rng.uniform(-0.03, 0.2) if rng.random() < 0.15 else 0.0
    move = np.array([[wide, -slant, slant * CAP], [0, 1, 0]], np.float32)
    size = (round(line.shape[1] * wide), line.shape[0])
    moved = [Char(c.meaning, c.left * wide, c.right * wide) for c in chars]
    return np.asarray(cv2.warpAffine(line, move, size), np.float32), moved


def _cover(line: Strip, chars: list[Char], rng: np.random.Generator) -> tuple[Strip, list[Char]]:
    """Hides a part of the line: from one side, from above or from below, or a box."""
    if not chars or rng.random() > 0.22:
        return line, chars
    hidden = np.zeros(line.shape, bool)
    victim = chars[rng.integers(len(chars))]
    way, share = rng.integers(5), rng.uniform(0.1, 0.9)
    at = round(victim.left + share * (victim.right - victim.left))
    foot = 3 * CAP // 2
    if way == 0:
        hidden[:, :at] = True
    elif way == 1:
        hidden[:, at:] = True
    elif way == 2:
        hidden[: foot - round(CAP * share)] = True
    elif way == 3:
        hidden[foot - round(CAP * share) :] = True
    else:
        size = rng.uniform(0.25, 0.7) * CAP
        top = foot - rng.uniform(0, 1) * CAP
        y0, y1 = round(top - size / 2), round(top + size / 2)
        hidden[max(0, y0) : y1, max(0, round(at - size / 2)) : round(at + size / 2)] = True
    seen = []
    for c in chars:
        columns = slice(int(c.left), int(c.right) + 1)
        ink = line[:, columns]
        lost = float(ink[hidden[:, columns]].sum() / max(1e-3, ink.sum()))
        seen.append(Char(c.meaning, c.left, c.right, lost))
    return np.where(hidden, 0, line), seen


def _place(line: Strip, chars: list[Char], rng: np.random.Generator) -> tuple[Strip, Labels]:
    """Paints a line as a few pixels of a screen and brings those to a strip."""
    cap = float(np.exp(rng.uniform(np.log(5.0), np.log(26))))
    believed = cap * np.exp(rng.normal(0, 0.07))
    height, width = (round(side * believed / STRIP_CAP) for side in STRIP)
    scale = cap / CAP
    middle = (chars[0].left + chars[-1].right) / 2 if chars else line.shape[1] / 2
    shift_x = width / 2 + rng.normal(0, 0.18) * cap - middle * scale
    shift_y = height / 2 + rng.normal(0, 0.07) * cap - CAP * scale
    ink = _shrink(line, scale, shift_x, shift_y, (width, height))
    picture = _paint(ink, line, (scale, shift_x, shift_y), cap, rng)
    resized: npt.NDArray[Any] = cv2.resize(picture, STRIP[::-1], interpolation=_interpolation(height))
    strip = level(resized)
    zoom = STRIP[1] / width
    labels = np.full(STRIP[1] // STRIDE, BLANK, np.int64)
    centres = (np.arange(len(labels), dtype=np.float64) + 0.5) * STRIDE
    for c in chars:
        left, right = ((edge * scale + shift_x) * zoom for edge in (c.left, c.right))
        mark(labels, centres, c, left, right)
    return np.asarray(strip, np.float32), labels


def _interpolation(height: int) -> int:
    return cv2.INTER_AREA if height > STRIP[0] else cv2.INTER_CUBIC


def mark(labels: Labels, centres: npt.NDArray[np.float64], c: Char, left: float, right: float) -> None:
    """Writes a character's meaning to the columns about its middle; those beside them are not judged.

    Args:
        labels: the meaning of each column of an answer, changed in place.
        centres: the middle of each of those, in columns of a strip.
        c: the character, its share covered.
        left: its first column in the strip.
        right: its last one.
    """
    if right < 0 or left > STRIP[1]:
        return
    meaning = c.meaning
    if left < -1 or right > STRIP[1] + 1:
        meaning = OTHER
    if c.covered > 0.9:
        meaning = IGNORED if c.covered < 0.985 else BLANK
    else:
        least, most = _LOST_OF_ONE if c.meaning == 1 else _LOST
        if c.covered > least:
            meaning = OTHER if c.covered > most else IGNORED
    away = np.abs(centres - (left + right) / 2)
    half = (right - left) / 2
    near = max(1.3, 0.3 * half)
    aside = (away > near) & (away < max(near + 2.2, 0.75 * half))
    labels[aside] = IGNORED
    labels[away <= near] = meaning


def _shrink(line: Strip, scale: float, x: float, y: float, size: tuple[int, int]) -> Strip:
    """Returns a line brought down to a screen's pixels, each the mean of what it covers."""
    fine = 4
    move = np.array([[scale * fine, 0, x * fine], [0, scale * fine, y * fine]], np.float32)
    soft = cv2.GaussianBlur(line, (0, 0), max(0.01, 0.35 / (scale * fine)))
    big = cv2.warpAffine(soft, move, (size[0] * fine, size[1] * fine), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(big, size, interpolation=cv2.INTER_AREA), np.float32)


def _paint(
    ink: Strip,
    line: Strip,
    where: tuple[float, float, float],
    cap: float,
    rng: np.random.Generator,
) -> Strip:
    height, width = ink.shape
    base = rng.uniform(0, 120)
    bright = base + rng.uniform(80, 255 - base)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    ground = base + rng.normal(0, 12) * (x / width - 0.5) + rng.normal(0, 20) * (y / height - 0.5)
    ground = _clutter(ground, base, bright, cap, rng)
    if rng.random() < 0.3:
        ground = _decorate(ground, ink, (base, bright), cap, rng)
    kind = rng.random()
    if kind < 0.45:
        grown: npt.NDArray[Any] = cv2.dilate(line, np.ones((3, 3)), iterations=int(rng.integers(1, 5)))
        scale, dx, dy = where
        drop = rng.uniform(0, 0.08) * cap if rng.random() < 0.5 else 0.0
        outline = _shrink(grown, scale, dx + drop / 2, dy + drop, (width, height))
        ground += outline * (rng.uniform(0, 0.5) * base - ground) * rng.uniform(0.5, 1)
    opacity = rng.uniform(0.8, 1)
    picture: npt.NDArray[Any] = ground + ink * opacity * (bright - ground)
    if rng.random() < 0.35:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.2, 0.055 * cap + 0.25))
    if rng.random() < 0.25:
        factor = rng.uniform(0.6, 1.6)
        there = (max(4, round(width * factor)), max(4, round(height * factor)))
        picture = cv2.resize(cv2.resize(picture, there, interpolation=cv2.INTER_LINEAR), (width, height))
    picture = picture + rng.normal(0, rng.uniform(0, 4), picture.shape)
    picture = np.clip(picture, 0, 255)
    if rng.random() < 0.4:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 95))]
        done, data = cv2.imencode(".jpg", picture.astype(np.uint8), quality)
        decoded = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE) if done else None
        assert decoded is not None
        picture = decoded
    return np.asarray(picture, np.float32)


def _clutter(ground: Strip, base: float, bright: float, cap: float, rng: np.random.Generator) -> Strip:
    """Adds what stands about a number: rules above and below it, facets, edges of the plate to its sides."""
    height, width = ground.shape
    image = ground.astype(np.float32).copy()
    for _ in range(int(rng.integers(0, 3))):
        a, b = rng.uniform(-0.2, 1.2, 2) * width, rng.uniform(-0.2, 1.2, 2) * height
        tone = base + rng.normal(0, 18)
        ends = [(round(a[0]), round(b[0])), (round(a[1]), round(b[1]))]
        cv2.line(image, ends[0], ends[1], float(tone), max(1, round(rng.uniform(0.05, 0.4) * cap)))
    if rng.random() < 0.3:
        tall = rng.uniform(0.05, 0.22) * cap
        rise = rng.uniform(0.68, 0.9) * cap * rng.choice([-1, 1])
        wide = rng.uniform(0.6, 3) * cap
        middle = (width / 2, height / 2 + rise)
        corner = (round(middle[0] - wide), round(middle[1] - tall / 2))
        other = (round(middle[0] + wide), round(middle[1] + tall / 2))
        cv2.rectangle(image, corner, other, float(rng.uniform(base, bright)), -1)
    if rng.random() < 0.35:
        side = rng.uniform(1.4, 3.2) * cap
        tone = float(rng.uniform(0, base + 0.45 * (bright - base)))
        slope = rng.uniform(-0.8, 0.8) * height
        for sign in (-1, 1) if rng.random() < 0.7 else (1,):
            edge = width / 2 + sign * side
            far = width * 2 * sign
            shape = [(edge + slope / 2 * sign, 0), (edge - slope / 2 * sign, height), (far, height), (far, 0)]
            cv2.fillPoly(image, [np.array(shape, np.int32)], tone)
    return image


def _decorate(
    ground: Strip, ink: Strip, tones: tuple[float, float], cap: float, rng: np.random.Generator
) -> Strip:
    height, width = ground.shape
    columns = np.flatnonzero(ink.max(axis=0) > 0.2)
    left, right = (columns[0], columns[-1] + 1) if columns.size else (width / 2, width / 2)
    image = ground
    if rng.random() < 0.6:
        around = max(1.2 * cap, (right - left) / 2 + 0.25 * cap) * rng.uniform(1, 1.7)
        middle = ((left + right) / 2 + rng.normal(0, 0.1) * cap, height / 2 + rng.normal(0, 0.15) * cap)
        thick = max(1, round(_FINE * cap * rng.uniform(0.04, 0.3)))
        mask = _mask(image)
        cv2.circle(
            mask, (round(_FINE * middle[0]), round(_FINE * middle[1])), round(_FINE * around), 255, thick
        )
        image = _blend(image, mask, rng.uniform(*tones))
    for _ in range(int(rng.integers(0, 5))):
        size = rng.uniform(0.12, 0.5) * cap
        away = size + rng.uniform(0.1, 1.0) * cap
        x = left - away if rng.random() < 0.5 else right + away
        y = height / 2 + rng.uniform(-1, 1) * cap
        mask = _mask(image)
        corners = int(rng.choice([3, 4, 5, 24]))
        turns = np.arange(2 * corners) * np.pi / corners + rng.uniform(0, 2 * np.pi)
        reach = np.where(np.arange(2 * corners) % 2, size * rng.uniform(0.4, 1), size)
        outline = np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], axis=1)
        cv2.fillPoly(mask, [np.round(outline * _FINE).astype(np.int32)], 255)
        image = _blend(image, mask, rng.uniform(*tones))
    return image


def _mask(image: Strip) -> npt.NDArray[np.uint8]:
    """Returns an empty mask of `_FINE` times an image's size."""
    height, width = image.shape
    return np.zeros((_FINE * height, _FINE * width), np.uint8)


def _blend(image: Strip, fine: npt.NDArray[np.uint8], tone: float) -> Strip:
    """Paints what a mask of `_FINE` times an image's size covers in a tone."""
    mask = cv2.resize(fine, image.shape[::-1], interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return np.asarray(image + mask * (tone - image), np.float32)

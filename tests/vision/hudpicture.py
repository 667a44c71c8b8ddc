"""Draws HUDs of our own that have the shapes and colours of real ones, with numbers of our choice."""

import cv2
import numpy as np

UNIT = 60


def text(image, words, middle, cap, colour, heavy=700):
    """Writes words about a point, capitals `cap` pixels high."""
    font = cv2.FontFace("sans")
    size = round(cap / 0.73)
    box = cv2.getTextSize((0, 0), words, (0, 0), font, size, heavy)
    left = round(middle[0] - box[2] / 2 - box[0])
    cv2.putText(image, words, (left, round(middle[1] + cap / 2)), colour, font, size, heavy)


def polygon(image, points, middle, size, colour):
    shape = np.round(np.array(points) * size + middle).astype(np.int32)
    cv2.fillPoly(image, [shape], colour, cv2.LINE_AA)


def star():
    turns = np.arange(10) * np.pi / 5
    far = np.where(np.arange(10) % 2 == 0, 0.52, 0.276)
    return np.stack([np.sin(turns) * far, -np.cos(turns) * far + 0.02], axis=1)


def vitals(image, at, unit=UNIT, hp=218, max_hp=236, ap=6, mp=3):
    """Draws a gem, a star and a diamond about the point between star and diamond."""
    x, y = at
    gem = [(-0.6, -1.9), (0, -1.7), (0.6, -1.9), (0.75, -1.2), (0, -0.25), (-0.75, -1.2)]
    polygon(image, gem, at, unit, (60, 50, 190))
    polygon(image, star(), (x - unit / 2, y), 0.68 * unit, (235, 140, 80))
    polygon(image, [(-0.5, 0), (0, -0.5), (0.5, 0), (0, 0.5)], (x + unit / 2, y), 0.66 * unit, (90, 200, 130))
    text(image, str(hp), (x, y - 1.211 * unit), 0.232 * unit, (255, 255, 255))
    cv2.line(
        image,
        (round(x - 0.4 * unit), round(y - unit)),
        (round(x + 0.4 * unit), round(y - unit)),
        (150, 150, 220),
    )
    text(image, str(max_hp), (x, y - 0.794 * unit), 0.232 * unit, (215, 215, 235))
    text(image, str(ap), (x - 0.503 * unit, y), 0.224 * unit, (255, 255, 255))
    text(image, str(mp), (x + 0.498 * unit, y + 0.04 * unit), 0.228 * unit, (255, 255, 255))


def stacked(image, at, unit=UNIT, hp=3777, max_hp=3777, ap=11, mp=0):
    """Draws a gem and, to its right, a star above a diamond, about the point between these two.

    `max_hp` None writes the life alone in the gem's middle.
    """
    x, y = at
    gem = [(-0.65, -0.45), (0, -0.35), (0.65, -0.45), (0.65, 0.2), (0, 0.6), (-0.65, 0.2)]
    polygon(image, gem, (x - 1.14 * unit, y), unit, (60, 50, 190))
    polygon(image, star(), (x, y - 0.352 * unit), 0.68 * unit, (235, 140, 80))
    polygon(
        image, [(-0.5, 0), (0, -0.5), (0.5, 0), (0, 0.5)], (x, y + 0.338 * unit), 0.66 * unit, (90, 200, 130)
    )
    white = (255, 255, 255)
    if max_hp is None:
        text(image, str(hp), (x - 1.166 * unit, y + 0.008 * unit), 0.232 * unit, white)
    else:
        text(image, str(hp), (x - 1.124 * unit, y - 0.23 * unit), 0.232 * unit, white)
        text(image, str(max_hp), (x - 1.124 * unit, y + 0.195 * unit), 0.232 * unit, (215, 215, 235))
    text(image, str(ap), (x, y - 0.348 * unit), 0.228 * unit, white)
    text(image, str(mp), (x + 0.013 * unit, y + 0.362 * unit), 0.228 * unit, white)


def button(image, at, width=170, timer=41, turn=2, bright=True):
    """Draws the end-turn button, the timer over it, the turn's number beside that."""
    x, y = at
    half_w, half_h = width // 2, width // 8
    colour = (50, 180, 165) if bright else (95, 92, 90)
    cv2.rectangle(image, (x - half_w, y - half_h), (x + half_w, y + half_h), colour, -1)
    text(image, "END TURN", (x, y), 0.08 * width, (255, 255, 255))
    text(image, f"{timer}s", (x, y - 0.314 * width), 0.103 * width, (90, 255, 185))
    text(image, str(turn), (x - 0.442 * width, y - 0.277 * width), 0.0538 * width, (190, 190, 190), 400)


GROUNDS = {"own": (128, 101, 71), "enemy": (84, 82, 112)}


def face(image, box, seed):
    """Draws a face of our own into a box, another for every seed."""
    left, top, size = box
    rng = np.random.default_rng(seed)
    for _ in range(4):
        place = (
            left + int(rng.integers(size // 4, 3 * size // 4)),
            top + int(rng.integers(size // 4, size * 3 // 4)),
        )
        colour = tuple(int(value) for value in rng.integers(20, 255, 3))
        cv2.circle(image, place, int(rng.integers(size // 10, size // 5)), colour, -1)


def timeline(image, at, sides, current, size=54, lives=None, shields=(), faces=None):
    """Draws cards from a point on: life bars, portraits, a bright frame about the raised current one."""
    x, y = at
    wide = round(len(sides) * size * 1.204)
    cv2.rectangle(image, (x - size, y - size // 9), (x + wide, y + size + size // 9), (62, 46, 44), -1)
    for index, side in enumerate(sides):
        left = x + round(index * size * 1.204)
        top = y - (round(0.23 * size) if index == current else 0)
        if index == current:
            pad = round(0.11 * size)
            box = (left - pad, top - pad), (left + size + pad, top + size + pad)
            cv2.rectangle(image, *box, (190, 215, 235), -1)
        bottom = top + size - 1
        wide = round(0.11 * size)
        cv2.rectangle(image, (left, top), (left + size - 1, bottom), GROUNDS[side], -1)
        ground = tuple(value // 2 for value in GROUNDS[side])
        cv2.rectangle(image, (left, top), (left + wide - 1, bottom), ground, -1)
        full = 1.0 if lives is None else lives[index]
        foot = bottom - round(full * size) + 1
        cv2.rectangle(image, (left, foot), (left + wide - 1, bottom), (91, 97, 235), -1)
        if index in shields:
            cv2.rectangle(image, (left + wide, foot), (left + 2 * wide - 1, bottom), (247, 109, 158), -1)
        cv2.line(image, (left, foot), (left + wide - 1, foot), (250, 250, 250))
        face(image, (left + wide, top, size - wide), 0 if faces is None else faces[index])


def pointed_timeline(image, at, sides, current, lives, size=57, off=0):
    """Draws cards with a life bar under each and a pointer under the raised current one, `off` its middle."""
    x, y = at
    grounds = {"own": (42, 43, 96), "enemy": (150, 92, 64)}
    for index, side in enumerate(sides):
        left = x + round(index * size * 1.088)
        top = y - (round(0.25 * size) if index == current else 0)
        cv2.rectangle(image, (left, top), (left + size - 1, top + size - 1), grounds[side], -1)
        face(image, (left, top, round(0.75 * size)), index)
        bar = (left, top + size + 3), (left + round(lives[index] * size) - 1, top + size + 7)
        cv2.rectangle(image, *bar, (38, 28, 199), -1)
        if index == current:
            middle, tip = left + size // 2 + off, top + round(1.3 * size)
            corners = [(middle, tip), (middle + 12, tip + 12), (middle - 12, tip + 12)]
            cv2.fillPoly(image, [np.array(corners, np.int32)], (0, 240, 207))


def barred_timeline(image, anchor, sides, current, lives):
    """Draws cards at their place from an anchor: a rim, a bar at the right in its side's colour."""
    unit, colours = anchor.unit, {"own": (35, 51, 234), "enemy": (245, 0, 0)}

    def box(left, top, right, bottom, colour):
        corners = [(round(left), round(top)), (round(right) - 1, round(bottom) - 1)]
        cv2.rectangle(image, *corners, colour, -1)

    for index, side in enumerate(sides):
        left = anchor.x + (3 + 0.863 * index) * unit
        bottom, right = anchor.y - 0.613 * unit, left + 0.656 * unit
        top = bottom - 0.781 * unit
        if index == current:
            box(
                *(np.array([left, top, right, bottom]) + np.array([-1, -1, 1, 1]) * 0.1 * unit),
                (45, 112, 237),
            )
        box(*(np.array([left, top, right, bottom]) + np.array([-1, -1, 1, 1]) * 0.05 * unit), (174, 207, 212))
        box(*(np.array([left, top, right, bottom]) + np.array([-1, -1, 1, 1]) * 0.024 * unit), (62, 74, 80))
        box(left, top, right, bottom, (255, 255, 255))
        if lives[index]:
            box(right - 0.103 * unit, bottom - lives[index] * 0.781 * unit, right, bottom, colours[side])


def spell_bar(image, at, icons, unit=UNIT, dark=(), waits=None, panel=True):
    """Draws a panel with a spell bar: icons by seed, None for an empty slot; dark ones cannot be cast."""
    x, y = at
    size, pitch = round(0.695 * unit), 0.718 * unit
    box = (x - 12, y - 14), (x + round(pitch * len(icons)) + 12, y + size + 14)
    if panel:
        cv2.rectangle(image, *box, (66, 53, 50), -1)
    for index, seed in enumerate(icons):
        left = x + round(index * pitch)
        slot = image[y : y + size, left : left + size]
        slot[:] = (56, 46, 44) if seed is None else (200, 190, 120)
        if seed is None:
            continue
        inner = slot[size // 10 : -(size // 10), size // 10 : -(size // 10)]
        rng = np.random.default_rng(seed)
        small = rng.integers(60, 255, (5, 5, 3)).astype(np.uint8)
        inner[:] = cv2.resize(small, inner.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        if index in dark:
            slot[:] = (slot * 0.42).astype(np.uint8)
        if waits and index in waits:
            place = (left + 0.18 * size, y + 0.3 * size)
            text(image, str(waits[index]), place, 0.24 * size, (255, 255, 255))


def screen(size=(1280, 800), seed=0, **numbers):
    """Returns a dull picture with the HUD's panels, in BGR."""
    rng = np.random.default_rng(seed)
    small = rng.integers(40, 110, (12, 18, 3)).astype(np.uint8)
    image = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)
    width, height = size
    cv2.rectangle(image, (width // 4, height - 150), (width - 100, height), (55, 42, 42), -1)
    vitals(image, (width // 3, height - 45), **numbers)
    return image

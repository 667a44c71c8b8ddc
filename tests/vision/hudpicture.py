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


def button(image, at, width=170, timer=41, turn=2, bright=True):
    """Draws the end-turn button, the timer over it, the turn's number beside that."""
    x, y = at
    half_w, half_h = width // 2, width // 8
    colour = (50, 180, 165) if bright else (95, 92, 90)
    cv2.rectangle(image, (x - half_w, y - half_h), (x + half_w, y + half_h), colour, -1)
    text(image, "END TURN", (x, y), 0.08 * width, (255, 255, 255))
    text(image, f"{timer}s", (x, y - 0.314 * width), 0.103 * width, (90, 255, 185))
    text(image, str(turn), (x - 0.442 * width, y - 0.277 * width), 0.0538 * width, (190, 190, 190), 400)


def timeline(image, at, sides, current, size=60):
    """Draws cards from a point on: a life bar, a portrait's ground, a bright frame about the current one."""
    x, y = at
    grounds = {"own": (128, 101, 71), "enemy": (84, 82, 112)}
    for index, side in enumerate(sides):
        left, top = x + index * round(size * 1.4), y - (8 if index == current else 0)
        if index == current:
            pad = round(0.17 * size)
            cv2.rectangle(
                image, (left - pad, top - pad), (left + size + pad, top + size + pad), (190, 215, 235), -1
            )
        cv2.rectangle(image, (left, top), (left + size, top + size), grounds[side], -1)
        cv2.rectangle(image, (left, top), (left + round(0.11 * size), top + size), (91, 97, 235), -1)
        cv2.circle(image, (left + size // 2, top + size // 2), size // 5, (40, 90, 40), -1)


def screen(size=(1280, 800), seed=0, **numbers):
    """Returns a dull picture with the HUD's panels, in BGR."""
    rng = np.random.default_rng(seed)
    small = rng.integers(40, 110, (12, 18, 3)).astype(np.uint8)
    image = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)
    width, height = size
    cv2.rectangle(image, (width // 4, height - 150), (width - 100, height), (55, 42, 42), -1)
    vitals(image, (width // 3, height - 45), **numbers)
    return image

"""Augments a drawn screen: a window frame around it, scaling, blur, noise, compression.

Coordinates in the label are transformed as well.
"""

from typing import Any

import cv2
import numpy as np

from vision.synthetic.canvas import Drawing, Picture, clouds, tone
from vision.synthetic.hud_sample import LINES, NAMES, letters
from vision.synthetic.scenery import Dice

Label = dict[str, Any]


def moved(label: Label, share: float, by: tuple[float, float], size: tuple[int, int]) -> Label:
    """Returns a label with its coordinates scaled, then shifted, for a changed picture."""

    def place(point: list[float] | None) -> list[float] | None:
        return (
            None
            if point is None
            else [round(point[0] * share + by[0], 2), round(point[1] * share + by[1], 2)]
        )

    changed = label | {"size": list(size), "player_px": place(label.get("player_px"))}
    for name in ("enemies_px", "allies_px"):
        changed[name] = [place(point) for point in label.get(name, [])]
    if label.get("cell_px") is not None:
        changed["cell_px"] = round(label["cell_px"] * share, 3)
    if label.get("client_px") is not None:
        left, top, width, height = label["client_px"]
        changed["client_px"] = [
            round(v) for v in (left * share + by[0], top * share + by[1], width * share, height * share)
        ]
    grid = label.get("lattice")
    if grid is not None:
        changed["lattice"] = {
            "origin_px": place(grid["origin_px"]),
            "cell_w": round(grid["cell_w"] * share, 4),
            "cell_h": round(grid["cell_h"] * share, 4),
        }
    return changed


def framed(dice: Dice, picture: Picture, label: Label) -> tuple[Picture, Label]:
    """Puts a window's title bar, a menu bar, a taskbar, a desktop or nothing around a client area."""
    way = dice.random()
    if way < 0.35:
        return picture, label
    tall, wide = picture.shape[:2]
    title = int(dice.integers(18, 40))
    menu = int(dice.integers(22, 34)) if dice.random() < 0.4 else 0
    bar = int(dice.integers(28, 52)) if dice.random() < 0.5 else 0
    left = right = above = below = 0
    if way > 0.8:
        left, right, above, below = (int(n) for n in dice.integers(30, 220, 4))
    desk = tone(
        dice, ((92, 110, 64), (40, 90, 140), (20, 20, 24), (120, 120, 124))[int(dice.integers(4))], 10
    )
    canvas = Drawing.filled(wide + left + right, tall + title + menu + bar + above + below, desk)
    if left and dice.random() < 0.5:
        shade = clouds(dice, canvas.width, canvas.height, 300)[..., None] * 14
        canvas.image[:] = np.clip(canvas.image + shade, 0, 255)
    if menu:
        canvas.box(
            0, 0, canvas.width, menu, tone(dice, (202, 92, 50) if dice.random() < 0.5 else (226, 226, 230), 8)
        )
        canvas.write(
            "Dofus   Window   Help", (60, menu / 2), menu * 0.3, (250, 250, 250), letters(dice), align=0
        )
        canvas.write(
            "Jeu. 13 nov. 20:23", (canvas.width - 90, menu / 2), menu * 0.3, (250, 250, 250), letters(dice)
        )
    y = menu + above
    dark = dice.random() < 0.5
    canvas.box(left, y, wide, title, (52, 50, 54) if dark else (238, 238, 240))
    ink = (200, 200, 204) if dark else (40, 40, 44)
    name = f"{dice.choice(NAMES)} - 3.{int(dice.integers(0, 9))}.{int(dice.integers(0, 30))} - Release"
    canvas.write(
        name,
        (left + (wide / 2 if dark else title), y + title / 2),
        title * 0.3,
        ink,
        letters(dice),
        align=0.5 if dark else 0.0,
    )
    for index, colour in enumerate(((240, 90, 80), (240, 190, 60), (90, 200, 80))):
        canvas.oval(
            (left + 14 + 20 * index if dark else left + wide - 14 - 24 * index, y + title / 2),
            (12, 12),
            colour,
        )
    canvas.image[y + title : y + title + tall, left : left + wide] = picture
    if bar:
        canvas.box(
            0,
            canvas.height - bar,
            canvas.width,
            bar,
            tone(dice, (34, 38, 46) if dice.random() < 0.6 else (222, 228, 236), 6),
        )
        for index in range(int(dice.integers(5, 14))):
            spot = (bar * (1 + 1.2 * index), canvas.height - bar / 2)
            canvas.oval(spot, (bar * 0.5, bar * 0.5), tone(dice, (120, 150, 160), 60))
        canvas.write(
            str(dice.choice(LINES)),
            (canvas.width - 100, canvas.height - bar / 2),
            bar * 0.22,
            (220, 220, 224),
            letters(dice),
        )
    size = (canvas.width, canvas.height)
    return canvas.image, moved(label, 1, (left, y + title), size)


def captured(dice: Dice, picture: Picture, label: Label) -> tuple[Picture, Label]:
    """Scales, blurs, brightens, adds noise and compresses, each at random."""
    how = []
    if dice.random() < 0.22:
        share = float(np.exp(dice.uniform(np.log(0.62), np.log(1.5))))
        if 900 <= picture.shape[1] * share <= 2900:
            way = cv2.INTER_AREA if share < 1 else (cv2.INTER_LINEAR, cv2.INTER_CUBIC)[int(dice.integers(2))]
            picture = np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=way), np.uint8)
            label = moved(label, share, (0, 0), (picture.shape[1], picture.shape[0]))
            how.append(f"scaled {share:.2f}")
    if dice.random() < 0.15:
        sigma = float(dice.uniform(0.3, 0.8))
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)
        how.append(f"blurred {sigma:.2f}")
    if dice.random() < 0.2:
        gain, lift = float(dice.uniform(0.85, 1.12)), float(dice.uniform(-8, 8))
        picture = np.asarray(cv2.convertScaleAbs(picture, alpha=gain, beta=max(0.0, lift)), np.uint8)
        how.append(f"brightened {gain:.2f}")
    if dice.random() < 0.2:
        spread = float(dice.uniform(1, 6))
        grain = (dice.standard_normal(picture.shape, np.float32) * np.float32(spread)).astype(np.int16)
        picture = np.clip(picture.astype(np.int16) + grain, 0, 255).astype(np.uint8)
        how.append(f"noise {spread:.1f}")
    if dice.random() < 0.3:
        quality = int(dice.integers(55, 96))
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        how.append(f"JPEG {quality}")
    return picture, label | {"taken": how}

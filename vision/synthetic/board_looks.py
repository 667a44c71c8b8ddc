"""How the boards of other players look: without figures, flat, repainted, in other light.

Each form is on real screens that we have, but for figures that reach over other cells on Unity and Retro.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.synthetic.canvas import RGB, Picture
from vision.synthetic.scenery import Dice, Scenery

_LARGE, _REPAINTED, _DARK, _GRADED = 0.2, 0.3, 0.25, 0.35
"""How often figures reach over the cells behind them, the floor has any colour, the map is in other light (as
in two of seven real fights of Retro), and the whole picture in other contrast or colours."""


@dataclass(frozen=True, slots=True)
class BoardShares:
    """How often the boards of a client's players look otherwise, 0..1."""

    bare: float = 0.1  # No figures are drawn, which is an option
    flat: float = 0.15  # The floor has one colour and thin joints
    thin: float = 0.0  # Rings are thin


_MOTLEY = 0.6  # How often figures have any shape: those of a drawn kind alone are learnt by their shape
_STRONG, _SHADED = 0.4, 0.15
"""How often lit cells are nearly opaque, and how often a fighter stands under a dark disc: two and one of six
real fights of one map of 2.x, on which the network missed five of twelve fighters."""
_FAINT, _PLAIN, _PITS, _THINGS = 0.4, 0.5, 0.7, 0.25
"""How often lit cells are fainter than usual (0.58 to 0.75 opaque on real screens of Unity), how often they
have one colour, holes are pits with walls (as on all real boards of the three clients), and trees and rocks
stand where no fighter can walk."""
_SLAB, _PAVED, _GREEN = 0.35, 0.4, 0.4
"""How often a board is a thick slab, the ground around it is paved or boarded, and a repainted floor is
green: without these the sides of real slabs were read as holes, real planks and snowy slabs as floor, and all
of a real green floor as lit."""


@dataclass(frozen=True, slots=True)
class BoardLook:
    """How a board is drawn."""

    figures: float = 1.0  # How tall figures are, of the usual; 0 where there are none
    flat: bool = False  # Whether the floor has one colour, thin light joints and nothing on it
    line: float = 1.0  # How wide the line of a team's ring is, of the usual
    inside: float = 0.0  # How much of a team's colour the inside of its ring has, 0..1
    rim: float = 1.0  # How wide the light rim about a ring is, of the usual
    # What red, green and blue of the map are multiplied by
    light: tuple[float, float, float] = (1.0, 1.0, 1.0)
    opacity: float | None = None  # Of lit cells, 0..1; None for the client's usual one
    shade: float = 0.0  # How dark a disc over a fighter is, 0..1
    motley: bool = False  # Whether figures have any shape
    plain: bool = False  # Whether lit cells have one colour, without a lighter middle
    pits: bool = False  # Whether holes are pits with walls, as real ones
    things: bool = False  # Whether trees and rocks stand where no fighter can walk, in place of blocks
    # How thick the slab is that the board is the top of, in heights of a cell; 0 for the usual edge
    slab: float = 0.0
    paved: bool = False  # Whether the ground around the board is paved or boarded


USUAL = BoardLook()


def sampled(dice: Dice, shares: BoardShares) -> BoardLook:
    tall = float(dice.uniform(1.4, 2.6)) if dice.random() < _LARGE else float(dice.uniform(0.75, 1.25))
    drawn_look = BoardLook(
        figures=0.0 if dice.random() < shares.bare else tall,
        flat=dice.random() < shares.flat,
        line=float(dice.uniform(0.5, 0.75)) if dice.random() < shares.thin else 1.0,
        inside=float(dice.uniform(0.05, 0.3)),
        rim=float(dice.uniform(1.5, 2.5)) if dice.random() < 0.1 else 1.0,
    )
    if dice.random() < _STRONG:
        drawn_look = replace(drawn_look, opacity=float(dice.uniform(0.75, 1.0)))
    if dice.random() < _SHADED:
        drawn_look = replace(drawn_look, shade=float(dice.uniform(0.3, 0.65)))
    if dice.random() < _DARK:
        red, green, blue = (float(share) for share in dice.uniform(0.4, 0.95, 3))
        drawn_look = replace(drawn_look, light=(red, green, blue))
    drawn_look = replace(drawn_look, motley=bool(dice.random() < _MOTLEY))
    if dice.random() < _FAINT:
        drawn_look = replace(drawn_look, opacity=float(dice.uniform(0.45, 0.8)))
    return replace(
        drawn_look,
        plain=bool(dice.random() < _PLAIN),
        pits=bool(dice.random() < _PITS),
        things=bool(dice.random() < _THINGS),
        slab=float(dice.uniform(0.5, 1.6)) if dice.random() < _SLAB else 0.0,
        paved=bool(dice.random() < _PAVED),
    )


def repainted(dice: Dice, palette: Scenery) -> Scenery:
    """Returns the colours of a place, now and then with a floor of any other ones."""
    if dice.random() >= _REPAINTED:
        return palette
    light: RGB = tuple(int(n) for n in dice.integers(30, 240, 3))  # type: ignore[assignment]
    if dice.random() < _GREEN:
        light = int(dice.integers(50, 160)), int(dice.integers(90, 200)), int(dice.integers(40, 130))
    darker, seam = float(dice.uniform(0.8, 1.0)), float(dice.uniform(0.5, 1.25))
    dark: RGB = tuple(round(n * darker) for n in light)  # type: ignore[assignment]
    joint: RGB = tuple(min(255, round(n * seam)) for n in light)  # type: ignore[assignment]
    return replace(palette, light=light, dark=dark, seam=joint)


def lit(picture: Picture, light: tuple[float, float, float]) -> Picture:
    """Returns a picture (BGR) in other light; in the usual one it stays as it is."""
    if light == USUAL.light:
        return picture
    return np.asarray(np.clip(picture * np.array(light[::-1], np.float32), 0, 255), np.uint8)


def graded(dice: Dice, picture: Picture) -> Picture:
    """Returns a picture (BGR), now and then in other contrast and with stronger or paler colours."""
    if dice.random() >= _GRADED:
        return picture
    curve = (np.linspace(0, 1, 256) ** float(np.exp(dice.normal(0, 0.35))) * 255).astype(np.uint8)
    bent = cv2.LUT(picture, curve).astype(np.float32)
    grey = bent.mean(axis=2, keepdims=True)
    return np.asarray(np.clip(grey + (bent - grey) * float(dice.uniform(0.4, 1.5)), 0, 255), np.uint8)

"""Trains the network that scores the rings under fighters, on drawn screens; not needed to read."""

from vision.extract.dofus.grounds_seen import GROUNDS, PAINTS
from vision.extract.dofus.rings_seen import RINGS

LAYERS: dict[str, tuple[str, ...]] = {
    "ring": RINGS,
    "ground": GROUNDS,
    "lit": PAINTS,
}
"""What may be scored of a cell, and its classes."""

SIZES = {
    "medium": (20, 40, 56, 72, 72, 72),
    "whole": (20, 40, 56, 72, 72, 72),
    "small": (16, 32, 48, 64, 64, 64),
}
"""Channels of each convolution of the networks that are tried; with two GPUs the first two are."""

SCORED = {"medium": ("ring",), "whole": tuple(LAYERS), "small": ("ring",)}  # The layers that each scores

"""Trains the network that scores the rings under fighters, on drawn screens; not needed to read."""

from vision.extract.dofus.grounds_seen import GROUNDS, PAINTS
from vision.extract.dofus.rings_seen import RINGS

LAYERS: dict[str, tuple[str, ...]] = {
    "ring": RINGS,
    "ground": GROUNDS,
    "lit": PAINTS,
}
"""What may be scored of a cell, and its classes."""

CHANNELS = (20, 40, 56, 72, 72, 72)
"""Of each convolution of the networks. With 16, 32, 48 and 64 drawings were scored as well, but of the
fighters of real screens 29 of 33, 6 of 12 and 8 of 17 were found (Unity, 2.x, Retro)."""

SCORED = {"medium": ("ring",), "whole": tuple(LAYERS)}
"""The networks and the layers that each scores: rings.onnx is a medium one, ground.onnx a whole one."""

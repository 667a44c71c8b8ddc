"""Trains the network that scores the rings under fighters, on drawn screens; not needed to read."""

SIZES = {"small": (16, 32, 48, 64, 64, 64), "medium": (20, 40, 56, 72, 72, 72)}
"""Channels of each convolution of the networks that are tried."""

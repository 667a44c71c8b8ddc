"""Hop 2: reads a `FightView` off a `Frame`. Next hop: `botapp.tracking.situation`."""

from vision.extract.reader import Reader

__all__ = ["Reader"]

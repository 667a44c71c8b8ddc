"""Reads a `FightView` off a `Frame`."""

from vision.extract.reader import Reader

__all__ = ["Reader"]

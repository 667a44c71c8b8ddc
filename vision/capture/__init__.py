"""Hop 1: the game's window as `Frame`s. Next hop: `vision.extract.Reader` reads a `FightView` off each."""

from vision.capture.model import CaptureBackend, CaptureError
from vision.capture.select import Capture, open_capture

__all__ = ["Capture", "CaptureBackend", "CaptureError", "open_capture"]

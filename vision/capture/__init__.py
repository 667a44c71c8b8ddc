"""The game's window as `Frame`s."""

from vision.capture.model import CaptureBackend, CaptureError
from vision.capture.select import Capture, open_capture

__all__ = ["Capture", "CaptureBackend", "CaptureError", "open_capture"]

"""Pictures of the moments of a fight, kept where the person says so: they show all that the window shows.

The worker writes them as it decides; `botapp.review.recorder` puts them beside the kept fight.
"""

import logging
import os
import re
import time
from pathlib import Path

import cv2

from botapp.host.files import write_whole
from botapp.host.message import say, unwritten
from botapp.host.settings_file import config_dir
from vision.frame import Frame

_log = logging.getLogger(__name__)

NAME = re.compile(r"[0-9]{1,12}-[0-9]{1,12}\.png")


def fights_dir() -> Path:
    """Returns the folder of kept fights, whether or not there is one."""
    return config_dir() / "fights"


def waiting_dir() -> Path:
    """Returns the folder of pictures that belong to no kept fight yet."""
    return fights_dir() / "pictures"


class PictureKeeper:
    """Writes pictures to the folder of those that wait.

    Attributes:
        on: whether any are kept.
    """

    def __init__(self, on: bool = False) -> None:
        self.on = on
        self._run = f"{os.getpid() * 1000 + int(time.time()) % 1000}"

    def keep(self, frame: Frame) -> str:
        """Keeps a picture; returns its file name, "" where none is kept."""
        if not self.on:
            return ""
        name = f"{self._run}-{frame.seq}.png"
        done, data = cv2.imencode(".png", frame.pixels[..., :3], [cv2.IMWRITE_PNG_COMPRESSION, 1])
        try:
            if done:
                write_whole(waiting_dir() / name, data.tobytes())
                return name
        except OSError as error:
            self.on = False
            _log.warning(say("Pictures of the fight are not kept: {problem}.", problem=unwritten(error)))
        return ""

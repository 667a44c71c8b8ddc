"""Where the board lies in the game's window, as the player accepted it: the file beside the settings."""

from pathlib import Path

from botapp.host.beside_settings import FileBesideSettings
from botapp.host.files import write_whole
from botapp.host.message import mark
from botapp.host.own_files import OwnFile
from vision import calibration
from vision.calibration import BoardCalibrations


def _write(path: Path, calibrations: BoardCalibrations) -> None:
    write_whole(path, calibration.dumps(calibrations))


FILE = FileBesideSettings(
    "calibration.toml",
    OwnFile(calibration.accepted, _write, mark("Or set the board's position again, under My game.")),
)
load, save = FILE.load, FILE.save

"""Where the board lies in the game's window, as the player accepted it: the file beside the settings."""

from pathlib import Path

from botapp.host.files import write_whole
from botapp.host.message import mark
from botapp.host.own_files import OwnFile, Recalled
from botapp.host.settings_file import config_dir
from vision import calibration
from vision.calibration import BoardCalibrations

FILE_NAME = "calibration.toml"


def boards_path() -> Path:
    """Returns where the accepted boards are kept, whether or not there are any."""
    return config_dir() / FILE_NAME


def load(path: Path | None = None) -> Recalled[BoardCalibrations]:
    """Reads the accepted boards. Never raises over a bad file; `messages` say what was wrong."""
    return _FILE.read(path or boards_path())


def save(calibrations: BoardCalibrations, path: Path | None = None) -> None:
    """Writes the accepted boards, whole or not at all.

    Raises:
        OSError: the folder cannot be written to.
    """
    _FILE.save(path or boards_path(), calibrations)


def _write(path: Path, calibrations: BoardCalibrations) -> None:
    write_whole(path, calibration.dumps(calibrations))


_FILE = OwnFile(calibration.accepted, _write, mark("Or set the board's position again, under My game."))

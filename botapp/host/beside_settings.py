"""Files that hold what the player has named or confirmed, in the folder of the settings."""

from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from botapp.host.own_files import OwnFile, Recalled
from botapp.host.settings_file import config_dir

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FileBesideSettings(Generic[T]):
    """Where such a file is, and how it is read and written."""

    name: str
    form: OwnFile[T]

    @property
    def path(self) -> Path:
        """Where it is kept, whether or not it is there."""
        return config_dir() / self.name

    def load(self, path: Path | None = None) -> Recalled[T]:
        """Reads it. Never raises over a bad file; `messages` say what was wrong."""
        return self.form.read(path or self.path)

    def save(self, value: T, path: Path | None = None) -> None:
        """Writes it, whole or not at all.

        Raises:
            OSError: the folder cannot be written to.
        """
        self.form.save(path or self.path, value)

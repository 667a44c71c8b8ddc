"""The files that commands write: whole or not at all, and none that is there already unless asked to."""

import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from botapp.commands.answers import Trouble, prepare

Force = Annotated[bool, typer.Option("--force", help="Overwrite the file that is there already.")]


def place(option: str, path: Path, *, force: bool, inputs: Iterable[Path] = ()) -> Path:
    """Returns where a command writes its file, its folder made, before any work is done for it.

    Args:
        option: by which the file was given, for errors.
        path: the file; what a link leads to is what is written.
        force: whether a file that is there may be overwritten.
        inputs: what the command reads: never overwritten.

    Raises:
        Trouble: it must not be written to, or cannot be.
    """
    try:
        path = path.resolve() if path.is_symlink() else path
        found = path.stat() if path.exists() else None
    except (OSError, RuntimeError) as error:
        raise Trouble(f"{option}: {path} cannot be written ({error}). Choose another place.") from error
    prepare(option, path.parent)
    if found is None:
        return path
    if stat.S_ISDIR(found.st_mode):
        raise Trouble(f"{option} {path} is a folder. Give the path of a file in it.")
    if not stat.S_ISREG(found.st_mode):
        raise Trouble(f"{option} {path} is no regular file. Choose another place.")
    if any(path.samefile(one) for one in inputs if one.exists()):
        raise Trouble(f"{option} {path} is what is read, and would be lost. Choose another file.")
    if not force:
        raise Trouble(f"{option} {path} is there already. Choose another file, or overwrite it with --force.")
    return path


def written(option: str, path: Path, data: str | bytes) -> None:
    """Writes a file of a command.

    Raises:
        Trouble: there is no room, or it may not be written; what was there is as it was.
    """
    from botapp.host.files import write_whole  # noqa: PLC0415

    try:
        write_whole(path, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Trouble(f"{option}: {path} cannot be written ({reason}). Nothing has changed.") from error

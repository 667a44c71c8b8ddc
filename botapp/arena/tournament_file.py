"""A tournament's file: written whole after each fight, read again to go on where it was left."""

import json
from pathlib import Path
from typing import Any

from botapp.host.files import write_whole

_BEFORE = {"seed", "a_team", "winner", "turns", "actions"}
_FIGHT = {*_BEFORE, "played", "idle", "hp_left"}


class RecordError(ValueError):
    """A tournament's file that cannot be gone on with; the text names it and the remedy."""


def read(path: Path, arrangement: dict[str, Any]) -> list[dict[str, int]]:
    """Returns the fights in a tournament's file; none where there is no file yet.

    Args:
        arrangement: what the tournament is; the file must say the same under the same keys.

    Raises:
        RecordError: the file is none of a tournament, or that of another one.
    """
    try:
        saved = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise RecordError(f"{path} cannot be read as a tournament ({error}). Give another file.") from error
    fights = saved.get("results") if isinstance(saved, dict) else None
    if not isinstance(fights, list) or not all(isinstance(f, dict) for f in fights):
        raise RecordError(f"{path} holds no tournament's fights. Give another file.")
    if "a_options" in saved or any(set(fight) == _BEFORE for fight in fights):
        raise RecordError(f"{path} was written by an earlier version. Give another file.")
    if any(set(fight) != _FIGHT for fight in fights):
        raise RecordError(f"{path} holds no tournament's fights. Give another file.")
    wanted = json.loads(json.dumps(arrangement))
    for key, value in wanted.items():
        if saved.get(key) != value:
            raise RecordError(
                f"{path} holds another tournament: its {key} is {saved.get(key)!r}, not {value!r}. "
                "Give another file, or remove this one."
            )
    return fights


def write(path: Path, result: dict[str, Any]) -> None:
    """Writes a result in one piece: a reader of the file sees the old one or the new one."""
    write_whole(path, json.dumps(result, indent=1))

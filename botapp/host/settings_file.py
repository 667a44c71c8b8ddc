"""The settings file: one TOML file that holds what differs from the defaults, and is never lost.

`BOTAPP_<GROUP>__<KEY>` in the environment overrides the file and is not written to it. A file that cannot
be read is set aside, never deleted.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
import tomlkit
import tomlkit.exceptions
from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource, SettingsError

from botapp.host.files import set_aside, write_whole
from botapp.host.message import mark, one_line, say
from botapp.host.own_files import NOT_OF_ITS_FORMAT, OwnFile, quoted
from botapp.host.settings import Settings, Value, groups, limit_message

Values = Mapping[str, Mapping[str, Value]]  # Settings by group and name

_UNEDITABLE: tuple[type[Exception], ...] = (tomlkit.exceptions.TOMLKitError, *NOT_OF_ITS_FORMAT)
_ALL_DEFAULT = "# All settings are at their defaults.\n"
"""Stands in a file that would be empty: an empty one has lost what was in it."""
FILE_NAME = "settings.toml"


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings that were read, and what a person should know about the reading, in words."""

    settings: Settings
    messages: tuple[str, ...] = ()


def config_dir() -> Path:
    """Returns the folder of the settings: `BOTAPP_CONFIG_DIR`, or the system's own for an app."""
    override = os.environ.get("BOTAPP_CONFIG_DIR")
    return Path(override) if override else Path(platformdirs.user_config_dir("botapp", appauthor=False))


def settings_path() -> Path:
    """Returns where the settings file is, whether or not there is one."""
    return config_dir() / FILE_NAME


def load(path: Path | None = None) -> Loaded:
    """Reads the settings: defaults, then the file, then the environment. Never raises over a bad file.

    What is wrong is left at its default, and `messages` says what, where the old file is and what to do.
    """
    file = _FILE.read(path or settings_path())
    overrides, problems = _overrides()
    ignored = [say("environment BOTAPP_*: {problem}; it is ignored", problem=problem) for problem in problems]
    merged: dict[str, Any] = _merged(file.value, overrides)
    return Loaded(Settings(**merged), (*file.messages, *ignored))


def save(settings: Settings, path: Path | None = None, *, since: Settings | None = None) -> None:
    """Writes what differs from the defaults, atomically, keeping a person's comments in the file.

    A value that only the environment gave stays as the file has it; so does one that is as it was `since`,
    for another program or an editor may have changed it in the file meanwhile.

    Raises:
        OSError: the folder cannot be written to.
    """
    path = path or settings_path()
    there = _FILE.read(path).value
    overrides, _ = _overrides()
    values = settings.changes()
    for group, name in [(group, name) for group, model in groups() for name in model.model_fields]:
        value = settings.value(f"{group}.{name}")
        given = name in overrides.get(group, {}) and value == overrides[group][name]
        if not given and (since is None or value != since.value(f"{group}.{name}")):
            continue
        values.setdefault(group, {}).pop(name, None)
        if name in there.get(group, {}):
            values[group][name] = there[group][name]
    _FILE.save(path, values)


def override(key: str, value: Value) -> None:
    """Overrides a setting for this process; what the environment says is never saved to the file."""
    group, name = key.upper().split(".")
    os.environ[f"BOTAPP_{group}__{name}"] = str(value)


def _overrides() -> tuple[Values, list[str]]:
    try:
        values = EnvSettingsSource(Settings)()
    except SettingsError as error:
        return {}, [
            say(
                "{problem}; write BOTAPP_<GROUP>__<KEY>, such as BOTAPP_ENGINE__STEP_LIMIT",
                problem=one_line(error),
            )
        ]
    return _accepted({group: entries for group, entries in values.items() if isinstance(entries, dict)})


def _accepted(raw: Mapping[str, Any]) -> tuple[Values, list[str]]:
    good: dict[str, dict[str, Value]] = {}
    problems: list[str] = []
    models = dict(groups())
    for group, entries in raw.items():
        if group not in models:
            problems.append(say("there is no group of settings called {name}", name=repr(group)))
            continue
        if not isinstance(entries, Mapping):
            problems.append(
                say(
                    "{name} = {value}: {name} is a group of settings, written as [{name}]",
                    name=group,
                    value=quoted(entries),
                )
            )
            continue
        for name, value in entries.items():
            if name not in models[group].model_fields:
                problems.append(say("there is no setting {key}", key=f"{group}.{name}"))
                continue
            try:
                model = models[group](**{name: value})
            except ValidationError as error:
                problems.append(
                    say(
                        "{key} = {value}: {problem}",
                        key=f"{group}.{name}",
                        value=quoted(value),
                        problem=limit_message(error),
                    )
                )
            else:
                good.setdefault(group, {})[name] = getattr(model, name)
    return good, problems


def _merged(base: Values, over: Values) -> dict[str, dict[str, Value]]:
    return {group: {**base.get(group, {}), **over.get(group, {})} for group in dict.fromkeys([*base, *over])}


def _write(path: Path, values: Values) -> None:
    """Writes the values through a temporary file in the same folder; an empty group is left out."""
    wanted = {group: dict(entries) for group, entries in values.items() if entries}
    try:
        before = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        before = ""
    text = _edited(before, wanted)
    if text is None:
        set_aside(path, move=False)
        text = tomlkit.dumps(wanted)
    write_whole(path, text or _ALL_DEFAULT)


def _edited(text: str, values: Mapping[str, Mapping[str, Value]]) -> str | None:
    """Returns a file's text with these values and its comments; None where `tomlkit` cannot edit it."""
    try:
        document = tomlkit.parse(text)
        for group in [name for name in document if name not in values]:
            del document[group]
        for group, entries in values.items():
            if not isinstance(document.get(group), Mapping):
                document[group] = tomlkit.table()
            table = document[group]
            for name in [name for name in table if name not in entries]:
                del table[name]
            for name, value in entries.items():
                if table.get(name) != value:
                    table[name] = value
        edited = tomlkit.dumps(document)
        return edited if tomllib.loads(edited) == values else None
    except _UNEDITABLE:
        return None


_FILE = OwnFile(_accepted, _write, mark("Or use the settings page."))

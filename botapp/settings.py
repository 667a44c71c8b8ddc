"""What a person can set, with its words and limits, kept in one TOML file.

The models below are the only place where a setting is described: the settings page is drawn from `options`,
`load` and `save` go through them, and `BOTAPP_<GROUP>__<KEY>` in the environment overrides the file. Only
what differs from the default is written. Next hop: `botapp.engine.worker` gets them as a plain dict.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

import platformdirs
import tomlkit
import tomlkit.exceptions
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

FILE_NAME = "settings.toml"
Value = bool | int | float | str
OptionKind = Literal["bool", "int", "float", "choice", "text", "colour"]


def _field(default: Value, title: str, description: str, *, restart: bool = False, **limits: Any) -> Any:
    """Returns a pydantic field; `unit` and `colour` go to the metadata along with `restart`."""
    extra: dict[str, Any] = {"restart": restart}
    extra |= {name: limits.pop(name) for name in ("unit", "colour") if name in limits}
    return Field(default, title=title, description=description, json_schema_extra=extra, **limits)


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EngineSettings(_Group):
    """Where and how long the model thinks."""

    backend: Literal["auto", "rocm", "cuda", "directml", "cpu"] = _field(
        "auto", "Backend", "What the model runs on. Auto takes the fastest one that works on this computer."
    )
    device: str = _field(
        "auto", "Device", "Which device of the backend, such as cuda:0. Auto takes the first usable one."
    )
    precision: Literal["auto", "fp32", "bf16", "fp16"] = _field(
        "auto",
        "Precision",
        "The number format of the model. Auto takes what is fast and right on the device.",
    )
    latency_budget_ms: int = _field(
        50, "Latency budget", "How long one decision may take at most.", ge=5, le=2000, unit="ms"
    )
    step_limit: int = _field(
        8, "Step limit", "How many reasoning steps the model may take at most.", ge=1, le=16, unit="steps"
    )
    halt_threshold: float = _field(
        0.9,
        "Halt threshold",
        "How sure the model must be that more thinking does not help before it stops early.",
        ge=0.0,
        le=1.0,
    )
    fps_limit: int = _field(
        10,
        "Frame limit",
        "How many pictures of the game are taken a second at most.",
        ge=1,
        le=60,
        unit="fps",
    )
    memory_cap_mb: int = _field(
        0,
        "Graphics memory cap",
        "How much graphics memory the model may take; 0 sets no cap.",
        ge=0,
        le=262_144,
        unit="MB",
        restart=True,
    )
    cpu_threads: int = _field(
        0,
        "CPU threads",
        "How many threads the model uses on the CPU; 0 takes one, the fastest for a small model.",
        ge=0,
        le=128,
        unit="threads",
    )


class CaptureSettings(_Group):
    """Which window is watched."""

    target: Literal["arena", "dofus-unity", "dofus-2", "dofus-retro"] = _field(
        "arena", "Game client", "Whose screen is read: the practice arena or a DOFUS client."
    )
    title: str = _field(
        "", "Window title", "A part of the title of the window to watch; empty looks for the client's own."
    )


class AdvisorSettings(_Group):
    """Who the advice is for."""

    player_class: str = _field(
        "", "Class", "The class you play; empty takes the one that is recognised on the screen."
    )
    spellbook: str = _field(
        "", "Spellbook file", "A file with your own spells; empty takes the class's standard spells."
    )


class OverlaySettings(_Group):
    """What is drawn on top of the game."""

    enabled: bool = _field(True, "Show the overlay", "Draw the advice on top of the game.")
    opacity: float = _field(0.85, "Opacity", "How solid the overlay is drawn.", ge=0.1, le=1.0)
    show_path: bool = _field(True, "Path", "Draw the way to walk.")
    show_heat: bool = _field(True, "Heat", "Tint the cells of the other candidates by their confidence.")
    show_confidence: bool = _field(True, "Confidence", "Write the confidence beside the target.")
    show_latency: bool = _field(True, "Latency", "Write what the decision cost.")
    colour: str = _field(
        "#35d0ff", "Colour", "The colour of the advice.", pattern="^#[0-9a-fA-F]{6}$", colour=True
    )
    stale_after_ms: int = _field(
        1500, "Fade after", "Advice older than this fades out.", ge=200, le=20_000, unit="ms"
    )


class UiSettings(_Group):
    """How the app looks."""

    language: Literal["auto", "en", "fr"] = _field(
        "auto", "Language", "The language of the app. Auto takes the system's."
    )
    theme: Literal["dark", "light"] = _field("dark", "Theme", "The colours of the app.")


class Settings(BaseSettings):
    """All settings. Frozen: `changed` makes a copy with another value.

    `Settings(...)` itself reads nothing from outside; `load` adds the file and the environment.
    """

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix="BOTAPP_", env_nested_delimiter="__"
    )

    engine: EngineSettings = EngineSettings()
    capture: CaptureSettings = CaptureSettings()
    advisor: AdvisorSettings = AdvisorSettings()
    overlay: OverlaySettings = OverlaySettings()
    ui: UiSettings = UiSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Leaves only the arguments: the environment is read by `load`, which can name a bad variable."""
        return (init_settings,)

    def value(self, key: str) -> Value:
        """Returns the value of a key such as "engine.backend"."""
        group, name = key.split(".")
        return cast(Value, getattr(getattr(self, group), name))

    def changed(self, key: str, value: Value) -> "Settings":
        """Returns a copy in which the key has this value.

        Raises:
            ValueError: the value is outside the key's limits (the text is for a person).
        """
        values = self.model_dump()
        group, name = key.split(".")
        values[group][name] = value
        try:
            return Settings(**values)
        except ValidationError as error:
            raise ValueError(f"{key}: {error.errors()[0]['msg']}") from error

    def changes(self) -> dict[str, dict[str, Value]]:
        """Returns the values that differ from the defaults, by group."""
        return self.model_dump(exclude_defaults=True)


@dataclass(frozen=True, slots=True)
class Option:
    """One setting as a page or a help text shows it. `key` is such as "engine.backend"."""

    key: str
    title: str
    description: str
    kind: OptionKind
    default: Value
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""
    restart: bool = False

    @property
    def group(self) -> str:
        """The group the key is in."""
        return self.key.split(".")[0]


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings that were read, and what a person should know about the reading, in words."""

    settings: Settings
    messages: tuple[str, ...] = ()


def options() -> tuple[Option, ...]:
    """Returns every setting, group by group, in the order of the settings page."""
    return tuple(
        _option(f"{group}.{name}", field)
        for group, model in _groups()
        for name, field in model.model_fields.items()
    )


def config_dir() -> Path:
    """Returns the folder of the settings: `BOTAPP_CONFIG_DIR`, or the system's own for an app."""
    override = os.environ.get("BOTAPP_CONFIG_DIR")
    return Path(override) if override else Path(platformdirs.user_config_dir("botapp", appauthor=False))


def settings_path() -> Path:
    """Returns where the settings file is, whether or not there is one."""
    return config_dir() / FILE_NAME


def load(path: Path | None = None) -> Loaded:
    """Reads the settings: defaults, then the file, then the environment. Never raises over a bad file.

    An unreadable file is moved aside, a file with bad keys is copied aside; both ways nothing of the person's
    is lost, and `messages` says what happened, where the old file is and what to do.
    """
    path = path or settings_path()
    messages: list[str] = []
    values, problems = _accepted(_read(path, messages))
    if problems:
        messages += [f"{path}: {problem}; using the default" for problem in problems]
        try:
            kept = _backup(path, move=False)
            _write(path, values)
        except OSError as error:
            messages.append(f"{path} cannot be put right ({error.strerror}); correct it by hand.")
        else:
            messages.append(
                f"The old settings file is kept as {kept}; correct it there or use the settings page."
            )
    overrides, problems = _overrides()
    messages += [f"environment BOTAPP_*: {problem}; it is ignored" for problem in problems]
    merged: dict[str, Any] = _merged(values, overrides)
    return Loaded(Settings(**merged), tuple(messages))


def save(settings: Settings, path: Path | None = None) -> None:
    """Writes what differs from the defaults, atomically, keeping a person's comments in the file.

    A value that only the environment gave is left as the file had it.

    Raises:
        OSError: the folder cannot be written to.
    """
    path = path or settings_path()
    before, _ = _accepted(_read(path, []))
    overrides, _ = _overrides()
    values = settings.changes()
    for group, name in _keys(overrides):
        if settings.value(f"{group}.{name}") != overrides[group][name]:
            continue
        values.setdefault(group, {}).pop(name, None)
        if name in before.get(group, {}):
            values[group][name] = before[group][name]
    _write(path, values)


def _groups() -> Iterator[tuple[str, type[BaseModel]]]:
    for group, field in Settings.model_fields.items():
        yield group, cast(type[BaseModel], field.annotation)


def _keys(values: Mapping[str, Mapping[str, object]]) -> list[tuple[str, str]]:
    return [(group, name) for group, entries in values.items() for name in entries]


def _option(key: str, field: FieldInfo) -> Option:
    extra = cast(dict[str, Any], field.json_schema_extra or {})
    choices = tuple(str(choice) for choice in get_args(field.annotation))
    kinds: dict[object, OptionKind] = {bool: "bool", int: "int", float: "float", str: "text"}
    kind: OptionKind = "choice" if choices else kinds[field.annotation]
    limits = {
        name: getattr(limit, name)
        for limit in field.metadata
        for name in ("ge", "le")
        if hasattr(limit, name)
    }
    return Option(
        key=key,
        title=field.title or key,
        description=field.description or "",
        kind="colour" if extra.get("colour") else kind,
        default=cast(Value, field.default),
        minimum=limits.get("ge"),
        maximum=limits.get("le"),
        choices=choices,
        unit=extra.get("unit", ""),
        restart=extra["restart"],
    )


def _read(path: Path, messages: list[str]) -> dict[str, Any]:
    """Returns the file's raw values; a file that is no TOML is set aside and said so in `messages`."""
    try:
        return tomlkit.parse(path.read_text("utf-8")).unwrap()
    except FileNotFoundError:
        return {}
    except (tomlkit.exceptions.TOMLKitError, UnicodeDecodeError) as error:
        message = f"The settings file {path} cannot be read ({error}), so the defaults are used."
        try:
            kept = _backup(path, move=True)
        except OSError as blocked:
            messages.append(f"{message} It cannot be set aside ({blocked.strerror}); correct it by hand.")
        else:
            messages.append(
                f"{message} It is kept as {kept}: correct it and rename it back, or use the settings page."
            )
    except OSError as error:
        messages.append(
            f"The settings file {path} cannot be opened ({error.strerror}), so the defaults are used. "
            "Check its permissions."
        )
    return {}


def _overrides() -> tuple[dict[str, dict[str, Value]], list[str]]:
    """Returns the valid values given as BOTAPP_<GROUP>__<KEY>, by group and what is wrong with the others."""
    try:
        found = EnvSettingsSource(Settings)()
    except SettingsError as error:
        return {}, [f"{error}; write BOTAPP_<GROUP>__<KEY>, such as BOTAPP_ENGINE__STEP_LIMIT"]
    return _accepted({group: entries for group, entries in found.items() if isinstance(entries, dict)})


def _accepted(raw: Mapping[str, Any]) -> tuple[dict[str, dict[str, Value]], list[str]]:
    """Returns the values that are valid, converted to their types, and what is wrong with the others."""
    good: dict[str, dict[str, Value]] = {}
    problems: list[str] = []
    groups = dict(_groups())
    for group, entries in raw.items():
        if group not in groups:
            problems.append(f"there is no group of settings called {group!r}")
            continue
        if not isinstance(entries, Mapping):
            problems.append(f"{group} = {entries!r}: {group} is a group of settings, written as [{group}]")
            continue
        for name, value in entries.items():
            if name not in groups[group].model_fields:
                problems.append(f"there is no setting {group}.{name}")
                continue
            try:
                model = groups[group](**{name: value})
            except ValidationError as error:
                problems.append(f"{group}.{name} = {value!r}: {error.errors()[0]['msg']}")
            else:
                good.setdefault(group, {})[name] = getattr(model, name)
    return good, problems


def _merged(
    base: Mapping[str, Mapping[str, Value]], over: Mapping[str, Mapping[str, Value]]
) -> dict[str, dict[str, Value]]:
    return {group: {**base.get(group, {}), **over.get(group, {})} for group in dict.fromkeys([*base, *over])}


def _backup(path: Path, *, move: bool) -> Path:
    """Sets the file aside as .bak, .bak1, ... without ever overwriting one; returns the new path."""
    number = 0
    while (kept := path.with_name(f"{path.name}.bak{number or ''}")).exists():
        number += 1
    if move:
        path.rename(kept)
    else:
        shutil.copy2(path, kept)
    return kept


def _write(path: Path, values: Mapping[str, Mapping[str, Value]]) -> None:
    """Writes the values through a temporary file in the same folder; an empty group is left out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        document = tomlkit.parse(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomlkit.exceptions.TOMLKitError):
        document = tomlkit.document()
    for group in [name for name in document if not values.get(name)]:
        del document[group]
    for group, entries in values.items():
        if not entries:
            continue
        if not isinstance(document.get(group), Mapping):
            document[group] = tomlkit.table()
        table = document[group]
        for name in [name for name in table if name not in entries]:
            del table[name]
        for name, value in entries.items():
            if table.get(name) != value:
                table[name] = value
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(tomlkit.dumps(document))
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)

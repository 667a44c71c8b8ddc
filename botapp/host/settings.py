"""What a person can set, with its words and limits.

The models below are the only place where a setting is described: the settings page is drawn from `options`,
and `botapp.host.settings_file` reads and writes the file through them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from botapp.host.clients import CLIENTS
from botapp.host.message import error_text, mark, say
from botapp.host.translation import languages

Value = bool | int | float | str
SAFE_MODE: dict[str, Value] = {
    "engine.backend": "cpu",
    "engine.level": "conservative",
    "overlay.enabled": False,
}
"""The settings of safe mode, which hold for one run."""
if TYPE_CHECKING:
    Client = str
else:
    Client = Literal[tuple(CLIENTS)]  # pydantic and typer check a client's name, and list all, by this
Layout = Literal["player", "reasoning", "engineer"]
"""Which panels the main window shows; each panel says in which of these it is shown."""
OptionKind = Literal["bool", "int", "float", "choice", "text", "colour", "keys"]


def _field(default: Value, title: str, description: str, *, restart: bool = False, **limits: Any) -> Any:
    """Returns a pydantic field; what is no limit of the value goes to the metadata along with `restart`."""
    extra: dict[str, Any] = {"restart": restart, "advanced": limits.pop("advanced", False)}
    extra |= {name: limits.pop(name) for name in ("unit", "kind", "choices") if name in limits}
    return Field(default, title=title, description=description, json_schema_extra=extra, **limits)


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EngineSettings(_Group):
    """Who advises, where it runs and how long it thinks."""

    adviser: Literal["search", "model"] = _field(
        "model",
        mark("Who advises"),
        mark(
            "The search alone, or the model with the search, which says where to look further and "
            "when to stop. Both play about equally well; the model takes some 200 MB more memory."
        ),
    )
    backend: Literal["auto", "rocm", "cuda", "directml", "cpu"] = _field(
        "auto",
        mark("Runs on"),
        mark(
            "What runs the model: the processor or a graphics card. Automatic takes the "
            "fastest that works on this computer."
        ),
    )
    device: str = _field(
        "auto",
        mark("Device"),
        mark("Which graphics card to use if there are several. Automatic takes the first one that works."),
        advanced=True,
    )
    precision: Literal["auto", "fp32", "bf16", "fp16", "int8"] = _field(
        "auto",
        mark("Precision"),
        mark(
            "How precisely the model calculates. Automatic takes the fastest that gives correct results here."
        ),
        advanced=True,
    )
    level: Literal["conservative", "balanced", "aggressive"] = _field(
        "balanced",
        mark("Optimisation"),
        mark(
            "How far the app goes for speed. If the engine fails on your card, or the advice "
            "looks wrong, choose a more conservative level."
        ),
        advanced=True,
    )
    latency_budget_ms: int = _field(
        50,
        mark("Time for the first advice"),
        mark(
            "The longest the first advice may take. With more time more turns are played out "
            "before it; it thinks on afterwards all the same."
        ),
        ge=5,
        le=2000,
        unit="ms",
    )
    think_on_s: int = _field(
        5,
        mark("Thinking on"),
        mark(
            "After the first advice it looks for better turns for at most this long. It stops when you act, "
            "and when it has looked beyond every end of your turn. 0 means not at all. Less keeps a laptop "
            "cooler and its fan quieter."
        ),
        ge=0,
        le=60,
        unit="s",
    )
    step_limit: int = _field(
        9,
        mark("Step limit"),
        mark("The most reasoning steps the model may take."),
        ge=1,
        le=16,
        unit="steps",
        advanced=True,
    )
    halt_threshold: float = _field(
        0.5,
        mark("Halt threshold"),
        mark("How sure the model must be that thinking longer would not help before it stops early."),
        ge=0.0,
        le=1.0,
        advanced=True,
    )
    fps_limit: int = _field(
        10,
        mark("Pictures per second"),
        mark("The most pictures of the game taken per second."),
        ge=1,
        le=60,
        unit="fps",
        advanced=True,
    )
    memory_cap_mb: int = _field(
        0,
        mark("Graphics memory limit"),
        mark("How much graphics memory the model may use; 0 means no limit."),
        ge=0,
        le=262_144,
        unit="MB",
        restart=True,
        advanced=True,
    )
    cpu_threads: int = _field(
        0,
        mark("Processor cores"),
        mark(
            "How many processor cores the search and the model use together; 0 means two, one on a small "
            "processor. More than two win no more fights."
        ),
        ge=0,
        le=128,
        unit="cores",
        advanced=True,
    )


class CaptureSettings(_Group):
    """Which window is watched."""

    target: Client = _field(
        "arena",
        mark("Game client"),
        mark("Which game is on the screen: the practice arena or a DOFUS client."),
    )
    follow: bool = _field(
        True,
        mark("Find the game by itself"),
        mark("Watch another client where it is open and the one above is not. Off: only the one above."),
    )
    title: str = _field(
        "",
        mark("Window title"),
        mark("Part of the title of the window to watch; leave it empty to look for the client's own."),
        advanced=True,
    )
    character: str = _field(
        "",
        mark("Character"),
        mark("With several game windows open, the one of this character is watched. The picker fills it in."),
        advanced=True,
    )


class AdvisorSettings(_Group):
    """Who the advice is for."""

    player_class: str = _field(
        "",
        mark("Class"),
        mark("The class you play. Choose it where neither the screen nor the window's title tells it."),
    )
    spellbook: str = _field(
        "",
        mark("Spellbook file"),
        mark("A file with your own spells; leave it empty to use the class's standard spells."),
        advanced=True,
    )


class OverlaySettings(_Group):
    """What is drawn on top of the game."""

    enabled: bool = _field(True, mark("Show the overlay"), mark("Draw the advice on top of the game."))
    preset: Literal["minimal", "full"] = _field(
        "full",
        mark("How much it shows"),
        mark(
            "Minimal draws the next action only, full the whole turn with what it should do (F8 in botapp)."
        ),
    )
    opacity: float = _field(0.85, mark("Opacity"), mark("How opaque the overlay is."), ge=0.1, le=1.0)
    show_path: bool = _field(True, mark("Path"), mark("Draw the path to walk."))
    show_heat: bool = _field(
        True, mark("Other good cells"), mark("Tint the cells of other good actions, the better the stronger.")
    )
    show_confidence: bool = _field(True, mark("Confidence"), mark("Show how sure the advice is."))
    show_latency: bool = _field(  # of depth; under another name people's own choice would be lost
        True,
        mark("Depth"),
        mark("Show in small letters how deep it has thought on about your turn, and for how long."),
    )
    badge_x: float = _field(
        0.012,
        mark("Advice box: from the left"),
        mark("As a share of the game's width. Shift+F8 in botapp moves the box."),
        ge=0.0,
        le=0.98,
        advanced=True,
    )
    badge_y: float = _field(
        0.115,
        mark("Advice box: from the top"),
        mark("As a share of the game's height."),
        ge=0.0,
        le=0.98,
        advanced=True,
    )
    badge_scale: float = _field(
        1.0,
        mark("Advice box: size"),
        mark("How large the box with the advice is."),
        ge=0.7,
        le=2.5,
        advanced=True,
    )
    colour: str = _field(
        "#35d0ff",
        mark("Colour"),
        mark("The colour of the advice."),
        pattern="^#[0-9a-fA-F]{6}$",
        kind="colour",
    )
    stale_after_ms: int = _field(
        1500,
        mark("Fade after"),
        mark("Advice older than this fades out."),
        ge=200,
        le=20_000,
        unit="ms",
        advanced=True,
    )


def _keys(title: str, description: str) -> Any:
    return _field("", title, description, kind="keys", max_length=60)


class HotkeySettings(_Group):
    """Keys that work while the game has the focus, such as "Ctrl+Alt+P"; empty for none."""

    overlay_next: str = _keys(mark("Overlay: next"), mark("From full to minimal, to off, and to full again."))
    overlay_full: str = _keys(mark("Overlay: full"), mark("Show the whole turn on the game."))
    overlay_minimal: str = _keys(mark("Overlay: minimal"), mark("Show the next action only."))
    overlay_off: str = _keys(mark("Overlay: off"), mark("Show nothing on the game."))
    pause: str = _keys(mark("Pause or go on"), mark("Stop watching the game, or start again."))
    compact: str = _keys(
        mark("Small advice window"), mark("Open or close the small window that stays on top.")
    )
    window: str = _keys(mark("Show or hide the app"), mark("Bring the app to the front, or put it away."))


class ReviewSettings(_Group):
    """Which fights are kept on this computer."""

    keep: bool = _field(
        True,
        mark("Keep fights"),
        mark("Keep each fight on this computer, so that you can look at it again. Nothing is sent anywhere."),
    )
    limit_mb: int = _field(
        50,
        mark("Room for fights"),
        mark("The most that kept fights may take; the oldest go first. A fight takes about 0.02 MB."),
        ge=1,
        le=100_000,
        unit="MB",
    )
    pictures: bool = _field(
        False,
        mark("Keep pictures too"),
        mark(
            "Keep a picture of the game's window with each advice, about 1 MB each: helps to find out why "
            "something was misread. It shows all that the window shows, names and chat too."
        ),
        advanced=True,
    )


class UiSettings(_Group):
    """How the app looks."""

    language: str = _field(
        "auto",
        mark("Language"),
        mark("The language of the app. Automatic uses the system's."),
        choices=("auto", *languages()),
    )
    layout: Layout = _field(
        "reasoning",
        mark("Panels"),
        mark(
            "Player shows the decision, the turn and the fight; Reasoning adds how the advice came about; "
            "Engineer shows everything."
        ),
    )
    theme: Literal["system", "dark", "light"] = _field(
        "system",
        mark("Theme"),
        mark("The colours of the app. Like the system: dark where the system does not say."),
    )
    start_minimised: bool = _field(
        False,
        mark("Start minimised"),
        mark(
            "Start without the window: its icon is in the system tray, or in the task bar where there is no "
            "tray. Starting botapp once more shows it too."
        ),
    )
    releases: str = _field(
        "",
        mark("Address for newer versions"),
        mark(
            "What About botapp asks when you press its button, and only then. Leave it empty for the address "
            "that this copy came with."
        ),
        advanced=True,
        max_length=300,
    )

    @field_validator("language")
    @classmethod
    def _known(cls, language: str) -> str:
        known = ("auto", *languages())
        if language not in known:
            raise ValueError(say("expected one of {choices}", choices=", ".join(known)))
        return language


class Settings(BaseSettings):
    """All settings. Frozen: `changed` makes a copy with another value.

    `Settings(...)` itself reads nothing from outside; `botapp.host.settings_file.load` adds the file and
    the environment.
    """

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix="BOTAPP_", env_nested_delimiter="__"
    )

    engine: EngineSettings = EngineSettings()
    capture: CaptureSettings = CaptureSettings()
    advisor: AdvisorSettings = AdvisorSettings()
    overlay: OverlaySettings = OverlaySettings()
    hotkeys: HotkeySettings = HotkeySettings()
    review: ReviewSettings = ReviewSettings()
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
        """Leaves only the arguments: `settings_file` reads the environment, and can name a bad variable."""
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
            raise ValueError(say("{key}: {problem}", key=key, problem=limit_message(error))) from error

    def changes(self) -> dict[str, dict[str, Value]]:
        return self.model_dump(exclude_defaults=True)


@dataclass(frozen=True, slots=True)
class SettingOption:
    """One setting as a page or a help text shows it. `key` is such as "engine.backend".

    `advanced` ones can be left alone by who wants to play; the page shows them on request.
    """

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
    advanced: bool = False

    @property
    def group(self) -> str:
        return self.key.split(".")[0]


def options() -> tuple[SettingOption, ...]:
    """Returns every setting, group by group, in the order of the settings page."""
    return tuple(
        _option(f"{group}.{name}", field)
        for group, model in groups()
        for name, field in model.model_fields.items()
    )


_EXPECTED = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), mark("expected a whole number")),
    **dict.fromkeys(("int_parsing_size", "finite_number"), mark("the number is too large")),
    **dict.fromkeys(("float_type", "float_parsing"), mark("expected a number")),
    **dict.fromkeys(("bool_type", "bool_parsing"), mark("expected true or false")),
    **dict.fromkeys(("string_type", "string_unicode"), mark("expected a text")),
    "extra_forbidden": mark("there is no such setting"),
}
_LIMITS = {
    "less_than_equal": (mark("it must be {limit} or less"), "le"),
    "greater_than_equal": (mark("it must be {limit} or more"), "ge"),
    "string_too_long": (mark("it must have at most {limit} letters"), "max_length"),
    "string_pattern_mismatch": (mark("it must be written like {limit}"), "pattern"),
    "literal_error": (mark("expected one of {limit}"), "expected"),
}
"""What pydantic finds wrong with a value, in words; with the name of the limit in them."""


def limit_message(error: ValidationError) -> str:
    """Returns what is wrong with a value, for a person: the first thing that pydantic finds."""
    first = error.errors()[0]
    kind, limits = first["type"], first.get("ctx", {})
    if kind == "value_error":
        return error_text(limits["error"])
    if kind in _LIMITS:
        template, name = _LIMITS[kind]
        return say(template, limit=limits[name])
    return say(_EXPECTED[kind]) if kind in _EXPECTED else say("it is not allowed ({problem})", problem=kind)


def groups() -> Iterator[tuple[str, type[BaseModel]]]:
    for group, field in Settings.model_fields.items():
        yield group, cast(type[BaseModel], field.annotation)


def _option(key: str, field: FieldInfo) -> SettingOption:
    extra = cast(dict[str, Any], field.json_schema_extra or {})
    choices = extra.get("choices") or tuple(str(choice) for choice in get_args(field.annotation))
    kinds: dict[object, OptionKind] = {bool: "bool", int: "int", float: "float", str: "text"}
    kind: OptionKind = "choice" if choices else kinds[field.annotation]
    limits = {
        name: getattr(limit, name)
        for limit in field.metadata
        for name in ("ge", "le")
        if hasattr(limit, name)
    }
    return SettingOption(
        key=key,
        title=field.title or key,
        description=field.description or "",
        kind=extra.get("kind", kind),
        default=cast(Value, field.default),
        minimum=limits.get("ge"),
        maximum=limits.get("le"),
        choices=choices,
        unit=extra.get("unit", ""),
        restart=extra["restart"],
        advanced=extra["advanced"],
    )

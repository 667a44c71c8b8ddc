"""The arena's own classes, monsters and spells, read from resources/arena/*.toml (the format is told there).

Next hop: `botapp.arena.scenarios` puts fighters made from these templates on a map.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from botapp.fight.codec import spell_from_json, stats_from_json
from botapp.fight.fields import FieldError, Fields, whole_number
from botapp.fight.state import Fighter, Spell, Stats

SHAPES = ("knight", "hood", "robe", "mask", "block", "beast", "horns", "wing", "flame", "blob")
"""The bodies that the arena's window can draw."""

GLYPHS = (
    "sword", "wave", "chain", "shield", "heart", "arrow", "bolt", "arc", "snare", "dagger", "spark", "burst",
    "cross", "comet", "drop", "star", "swamp", "fang", "fist", "rock", "flame", "eye",
)  # fmt: skip
"""The spell icons that the arena's window can draw."""

_HIGHEST_RESISTANCE = 50


class ContentError(ValueError):
    """A file of resources/arena that cannot be used; the text names the file, the field and what is wrong."""


@dataclass(frozen=True, slots=True)
class SpellLook:
    """What a spell looks like: `glyph` is one of `GLYPHS`, `colour` is "#RRGGBB"."""

    name: str
    name_fr: str
    glyph: str
    colour: str


@dataclass(frozen=True, slots=True)
class FighterTemplate:
    """A class or a monster as written down: its sheet and its looks.

    Attributes:
        kind: the key by which spellbooks, bestiaries and profiles know it.
        colour: the body's colour, "#RRGGBB".
        shape: one of `SHAPES`.
        points: a monster's share of a group's strength; 0 for a class.
    """

    kind: str
    name: str
    name_fr: str
    colour: str
    shape: str
    level: int
    hp: int
    ap: int
    mp: int
    spells: tuple[Spell, ...]
    stats: Stats
    points: int = 0

    def fighter(self, id: int, team: int, cell: int, name: str = "") -> Fighter:
        """Returns a fresh fighter of this kind: full HP, and the initial cooldowns of its spells."""
        return Fighter(
            id=id,
            name=name or self.name,
            kind=self.kind,
            team=team,
            cell=cell,
            level=self.level,
            hp=self.hp,
            max_hp=self.hp,
            ap=self.ap,
            mp=self.mp,
            base_ap=self.ap,
            base_mp=self.mp,
            spells=self.spells,
            stats=self.stats,
            cooldowns=tuple((s.key, s.initial_cooldown) for s in self.spells if s.initial_cooldown),
        )


@dataclass(frozen=True, slots=True)
class Content:
    """All that the arena's files hold, by key, in the order of the files."""

    spells: dict[str, Spell]
    looks: dict[str, SpellLook]
    classes: dict[str, FighterTemplate]
    monsters: dict[str, FighterTemplate]


def load(folder: Traversable) -> Content:
    """Reads spells.toml, classes.toml and monsters.toml in a folder.

    Raises:
        ContentError: a file is missing or not TOML, or a field of it is wrong; the text names both.
    """
    spells: dict[str, Spell] = {}
    looks: dict[str, SpellLook] = {}
    templates: dict[str, dict[str, FighterTemplate]] = {"classes.toml": {}, "monsters.toml": {}}
    for file in ("spells.toml", *templates):
        try:
            tables = Fields(tomllib.loads(folder.joinpath(file).read_text("utf-8")), "")
            for key in tables.names():
                if file == "spells.toml":
                    spells[key], looks[key] = _spell(key, tables.raw(key))
                else:
                    templates[file][key] = _template(key, tables.raw(key), spells, file == "monsters.toml")
        except OSError as error:
            raise ContentError(f"{file}: cannot be read ({error.strerror or error})") from error
        except (tomllib.TOMLDecodeError, FieldError) as error:
            raise ContentError(f"{file}: {error}") from error
    both = set(templates["classes.toml"]) & set(templates["monsters.toml"])
    if both:
        raise ContentError(f"monsters.toml: {min(both)}: classes.toml has a kind of that name already")
    return Content(spells, looks, templates["classes.toml"], templates["monsters.toml"])


@cache
def content() -> Content:
    """Returns what the app ships in resources/arena."""
    return load(files("resources").joinpath("arena"))


def classes() -> dict[str, FighterTemplate]:
    """Returns the playable classes by kind."""
    return content().classes


def monsters() -> dict[str, FighterTemplate]:
    """Returns the monsters by kind."""
    return content().monsters


def spells() -> dict[str, Spell]:
    """Returns the spells by key."""
    return content().spells


def spell_looks() -> dict[str, SpellLook]:
    """Returns names and icons of the spells by key."""
    return content().looks


def _colour(reader: Fields, name: str) -> str:
    value = reader.text(name)
    digits = value.removeprefix("#")
    if not value.startswith("#") or len(digits) != 6 or set(digits.lower()) - set("0123456789abcdef"):
        raise FieldError(f"{reader.at(name)}: expected a colour such as #D92B2B, got {value!r}")
    return value


def _one_of(reader: Fields, name: str, allowed: tuple[str, ...]) -> str:
    value = reader.text(name)
    if value not in allowed:
        raise FieldError(f"{reader.at(name)}: expected one of {', '.join(allowed)}, got {value!r}")
    return value


def _only(reader: Fields, allowed: set[str]) -> None:
    for name in reader.names():
        if name not in allowed:
            raise FieldError(f"{reader.at(name)}: no such field, there are {', '.join(sorted(allowed))}")


def _spell(key: str, table: object) -> tuple[Spell, SpellLook]:
    reader = Fields(table, key)
    _only(reader, (set(Spell.__dataclass_fields__) - {"key", "min_range", "max_range"}) | _SPELL_EXTRAS)
    span = reader.items("range", lambda value, path: whole_number(value, path, 0, 63))
    if len(span) != 2 or span[0] > span[1]:
        raise FieldError(f"{reader.at('range')}: expected [nearest, farthest], got {list(span)}")
    plain: dict[str, Any] = {name: reader.raw(name) for name in reader.names() if name not in _SPELL_EXTRAS}
    spell = spell_from_json({**plain, "key": key, "min_range": span[0], "max_range": span[1]}, key)
    icon = Fields(reader.raw("icon"), reader.at("icon"))
    return spell, SpellLook(
        spell.name, reader.text("name_fr"), _one_of(icon, "glyph", GLYPHS), _colour(icon, "colour")
    )


_SPELL_EXTRAS = {"name_fr", "icon", "range"}


def _template(kind: str, table: object, known: dict[str, Spell], monster: bool) -> FighterTemplate:
    reader = Fields(table, kind)
    _only(reader, set(FighterTemplate.__dataclass_fields__) - {"kind"} - (set() if monster else {"points"}))

    def spell(value: object, path: str) -> Spell:
        if value not in known:
            raise FieldError(f"{path}: no spell {value!r} in spells.toml")
        return known[str(value)]

    stats = stats_from_json(reader.raw("stats", {}), reader.at("stats"))
    if not monster and max(stats.resistance) > _HIGHEST_RESISTANCE:
        raise FieldError(
            f"{reader.at('stats.resistance')}: expected at most 50 percent, got {max(stats.resistance)}"
        )
    return FighterTemplate(
        kind=kind,
        name=reader.text("name"),
        name_fr=reader.text("name_fr"),
        colour=_colour(reader, "colour"),
        shape=_one_of(reader, "shape", SHAPES),
        level=reader.whole("level", low=1, high=200),
        hp=reader.whole("hp", low=1),
        ap=reader.whole("ap", low=1, high=12),
        mp=reader.whole("mp", low=0, high=12),
        spells=reader.items("spells", spell),
        stats=stats,
        points=reader.whole("points", low=1, high=20) if monster else 0,
    )

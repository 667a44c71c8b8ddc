"""One table of a content file on its way in: a spell, a fighter or a map, each field of it checked.

The format is told in resources/arena/README.md. What the app ships must be complete; what a person wrote for
the knowledge base may leave out looks, the second language and what only the arena needs.
Next hop: `botapp.content.library` reads the arena's files, `botapp.content.knowledge` a person's.
"""

import re
from collections.abc import Callable, Iterable

from botapp.content import maps
from botapp.content.fairness import faults, flaws
from botapp.content.fields import FieldError, Fields, cell_id, shown, whole_number
from botapp.content.maps import MapRecipe
from botapp.content.spell_json import spell_from_json, stats_from_json, summon_to_json
from botapp.content.templates import GLYPHS, PLAY_STYLES, SHAPES, FighterTemplate, MapTemplate, SpellLook
from botapp.fight.board import CELLS, ROW_LENGTH, ROWS
from botapp.fight.state import CellFlag, FightMap, Spell, Summon

_HIGHEST_RESISTANCE = 50
_MOST = 10_000
"""The highest dice of an effect."""
_PLAIN = "#8A8F9C"
_LETTERS = {"_": CellFlag.FLOOR, "o": CellFlag.SIGHT, "#": CellFlag.NONE}
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,47}")


def check_key(key: str, path: str) -> None:
    """Sees to it that a key can be a table's name and a file's.

    Raises:
        FieldError: it cannot; `path` is where it stands.
    """
    if not _KEY.fullmatch(key):
        raise FieldError(
            f"{path}: a key is a small letter, then up to 47 small letters, digits, - or _; got {shown(key)}"
        )


def read_spell(
    key: str, table: object, path: str, called: Callable[[object, str], Summon], shipped: bool = True
) -> tuple[Spell, SpellLook]:
    """Returns the spell that a table describes, and its looks.

    Args:
        key: the spell's key.
        table: the table as TOML gives it.
        path: where it stands, for the error.
        called: returns the monster that a summon effect names; its second argument is where it stands.
        shipped: whether looks and the French name must be there.

    Raises:
        FieldError: a field is missing, unknown or wrong; the text names it.
    """
    check_key(key, path)
    reader = Fields(table, path)
    extras = {"name_fr", "icon", "range"}
    _only(reader, {*Spell.__dataclass_fields__, *extras} - {"key", "min_range", "max_range"})
    span = reader.items("range", lambda value, where: whole_number(value, where, 0, 63))
    if len(span) != 2 or span[0] > span[1]:
        raise FieldError(f"{reader.at('range')}: expected [nearest, farthest], got {list(span)}")
    plain = {name: reader.raw(name) for name in reader.names() if name not in extras}
    plain |= {"key": key, "min_range": span[0], "max_range": span[1]}
    plain["effects"] = reader.items("effects", lambda value, where: _effect(value, where, called))
    spell = spell_from_json(plain, path)
    name, name_fr = _names(reader, shipped)
    icon = Fields(reader.raw("icon") if shipped else reader.raw("icon", {}), reader.at("icon"))
    _only(icon, ("glyph", "colour"))
    glyph = _one_of(icon, "glyph", GLYPHS, None if shipped else "star")
    return spell, SpellLook(name, name_fr, glyph, _colour(icon, "colour", shipped))


def _effect(value: object, path: str, called: Callable[[object, str], Summon]) -> object:
    """Returns an effect's table with the monster it calls written out, its dice within reason."""
    reader = Fields(value, path)
    for name in ("low", "high", "crit_low", "crit_high"):
        reader.whole(name, 0, -_MOST, _MOST)
    table: dict[str, object] = {name: reader.raw(name) for name in reader.names()}
    if "summon" in table:
        table["summon"] = summon_to_json(called(table["summon"], reader.at("summon")))
    if "payload" in table:
        table["payload"] = reader.items("payload", lambda inner, where: _effect(inner, where, called))
    return table


def read_fighter(
    kind: str,
    table: object,
    path: str,
    known: Callable[[object, str], Spell],
    monster: bool,
    shipped: bool = True,
) -> FighterTemplate:
    """Returns the class or the monster that a table describes.

    Args:
        kind: its key.
        table: the table as TOML gives it.
        path: where it stands, for the error.
        known: returns the spell of a key; its second argument is where it stands.
        monster: whether it is a monster.
        shipped: whether looks, the French name, points and manner must be there.

    Raises:
        FieldError: a field is missing, unknown or wrong; the text names it.
    """
    check_key(kind, path)
    reader = Fields(table, path)
    of_monsters = {"points", "manner"}
    fields = (set(FighterTemplate.__dataclass_fields__) - {"kind", "play_style"}) | {"manner"}
    _only(reader, fields - (set() if monster else of_monsters))

    stats = stats_from_json(reader.raw("stats", {}), reader.at("stats"))
    if not monster and max(stats.resistance) > _HIGHEST_RESISTANCE:
        raise FieldError(
            f"{reader.at('stats.resistance')}: expected at most {_HIGHEST_RESISTANCE} percent, "
            f"got {max(stats.resistance)}"
        )
    name, name_fr = _names(reader, shipped)
    spells = reader.items("spells", known)
    if len({one.key for one in spells}) < len(spells):
        raise FieldError(f"{reader.at('spells')}: a spell is there twice; leave one out")
    needed = monster and shipped
    return FighterTemplate(
        kind=kind,
        name=name,
        name_fr=name_fr,
        colour=_colour(reader, "colour", shipped),
        shape=_one_of(reader, "shape", SHAPES, None if shipped else "mask"),
        level=reader.whole("level", low=1, high=200),
        hp=reader.whole("hp", low=1, high=1_000_000),
        ap=reader.whole("ap", low=0, high=30),
        mp=reader.whole("mp", low=0, high=30),
        spells=spells,
        stats=stats,
        points=_whole(reader, "points", 0, 20, None if needed else 0) if monster else 0,
        play_style=_one_of(reader, "manner", PLAY_STYLES, None if needed else "melee") if monster else "",
        unseen=reader.flag("unseen", False),
    )


def read_map(key: str, table: object, path: str, shipped: bool = True) -> MapTemplate:
    """Returns the map that a table describes, by a recipe (`seed` and more) or by its cells.

    Args:
        key: the map's key.
        table: the table as TOML gives it.
        path: where it stands, for the error.
        shipped: whether the French name must be there, and a map of given cells fair.

    Raises:
        FieldError: a field is missing, unknown or wrong; the text names it.
    """
    check_key(key, path)
    reader = Fields(table, path)
    drawn = "cells" in reader.names()
    own = {"cells", "red", "blue"} if drawn else set(MapRecipe.__dataclass_fields__) - {"key"}
    _only(reader, {"name", "name_fr", "theme", "unseen", *own})
    name, name_fr = _names(reader, shipped)
    return MapTemplate(
        key=key,
        name=name,
        name_fr=name_fr,
        theme=_one_of(reader, "theme", maps.THEMES, "clearing"),
        unseen=reader.flag("unseen", False),
        ground=_drawn(reader, key, shipped) if drawn else _recipe(reader, key),
    )


def _recipe(reader: Fields, key: str) -> MapRecipe:
    rows = reader.whole("rows", maps.MOST_ROWS, maps.FEWEST_ROWS, maps.MOST_ROWS)
    if rows % 2:
        raise FieldError(f"{reader.at('rows')}: expected an even number, got {rows}")
    return MapRecipe(
        key=key,
        seed=reader.whole("seed", low=0, high=2**31 - 1),
        form=_one_of(reader, "form", maps.FORMS, "lens"),
        pattern=_one_of(reader, "pattern", maps.PATTERNS, "scattered"),
        symmetry=_one_of(reader, "symmetry", maps.SYMMETRIES, "turn"),
        rows=rows,
        walls=reader.whole("walls", 6, 0, 12),
        holes=reader.whole("holes", 3, 0, 12),
    )


def _drawn(reader: Fields, key: str, shipped: bool) -> FightMap:
    def row(value: object, where: str) -> bytes:
        if not isinstance(value, str) or len(value) != ROW_LENGTH or set(value) - set(_LETTERS):
            raise FieldError(
                f"{where}: expected {ROW_LENGTH} letters, _ for floor, o for a hole, # for an obstacle; "
                f"got {shown(value)}"
            )
        return bytes(_LETTERS[letter] for letter in value)

    rows = reader.items("cells", row)
    if len(rows) != ROWS:
        raise FieldError(f"{reader.at('cells')}: expected {ROWS} rows, got {len(rows)}")
    cells = b"".join(rows)
    assert len(cells) == CELLS
    board = FightMap(key, cells, reader.items("red", cell_id), reader.items("blue", cell_id))
    wrong = faults(board) if shipped else flaws(board)
    if wrong:
        raise FieldError(f"{reader.at('cells')}: {wrong[0]}")
    return board


def _names(reader: Fields, shipped: bool) -> tuple[str, str]:
    """Returns the English and the French name."""
    name = _name(reader, "name")
    return name, _name(reader, "name_fr") if shipped or "name_fr" in reader.names() else name


def _name(reader: Fields, field: str) -> str:
    name = reader.text(field)
    if not name.strip() or len(name) > 60 or not name.isprintable():
        raise FieldError(f"{reader.at(field)}: expected a name of 1 to 60 letters, got {shown(name)}")
    return name


def _whole(reader: Fields, name: str, low: int, high: int, default: int | None) -> int:
    """Returns a whole number; without a default it must be there."""
    if default is None:
        return reader.whole(name, low=low, high=high)
    return reader.whole(name, default, low, high)


def _colour(reader: Fields, name: str, needed: bool) -> str:
    value = reader.text(name) if needed else reader.text(name, _PLAIN)
    if not re.fullmatch("#[0-9A-Fa-f]{6}", value):
        raise FieldError(f"{reader.at(name)}: expected a colour such as #D92B2B, got {shown(value)}")
    return value


def _one_of(reader: Fields, name: str, allowed: tuple[str, ...], default: str | None = None) -> str:
    """Returns one of several words; without a default it must be there."""
    value = reader.text(name) if default is None else reader.text(name, default)
    if value not in allowed:
        raise FieldError(f"{reader.at(name)}: expected one of {', '.join(allowed)}, got {shown(value)}")
    return value


def _only(reader: Fields, allowed: Iterable[str]) -> None:
    known = sorted(allowed)
    for name in reader.names():
        if name not in known:
            raise FieldError(
                f"{reader.at(name)}: no such field; remove it, or write one of {', '.join(known)}"
            )

"""One table of a content file on its way in: a spell, a fighter or a map, each field of it checked.

The format is described in resources/arena/README.md. What the app ships must be complete; what a person wrote
for the knowledge base may leave out looks, the second language and what only the arena needs.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Protocol, Self, cast

from pydantic import AfterValidator, Field, ValidationInfo, create_model, model_validator

from botapp.content import maps
from botapp.content.errors import FieldError, shown, wrong
from botapp.content.fields import (
    Cell,
    ClosedForm,
    Flag,
    Text,
    Whole,
    holds,
    one_of,
    stored,
    stored_fields,
    within,
)
from botapp.content.maps import MapRecipe, faults, flaws
from botapp.content.spell_json import NOT_OF_TABLES, SPELL_LIMITS, EffectForm, Steps, each_once
from botapp.content.templates import GLYPHS, PLAY_STYLES, SHAPES, FighterTemplate, MapTemplate, SpellLook
from botapp.fight.board import ROW_LENGTH, ROWS
from botapp.fight.spells import Effect, Spell, Stats, Summon
from botapp.fight.state import CellFlag, FightMap

_HIGHEST_RESISTANCE = 50
_PLAIN = "#8A8F9C"
_LETTERS = {"_": CellFlag.FLOOR, "o": CellFlag.SIGHT, "#": CellFlag.NONE}
_KEY = re.compile(r"[a-z][a-z0-9_-]{0,47}")


class KnownEntries(Protocol):
    """What a table may ask of the files that it is read from."""

    shipped: bool  # Whether they come with the app, and must be complete

    def spell(self, key: object) -> Spell:
        """Returns the spell that a fighter names; raises what `wrong` makes where there is none."""
        ...

    def summon(self, key: object) -> Summon:
        """Returns the monster that a spell calls; raises what `wrong` makes where there is none."""
        ...


def _known(info: ValidationInfo) -> KnownEntries:
    return cast(KnownEntries, info.context)


Name = Annotated[
    Text,
    holds("a name of 1 to 60 letters", lambda name: name.strip() and len(name) <= 60 and name.isprintable()),
]
Colour = Annotated[Text, holds("a colour such as #D92B2B", re.compile("#[0-9A-Fa-f]{6}").fullmatch)]
Span = Annotated[
    tuple[Steps, ...], holds("[nearest, farthest]", lambda span: len(span) == 2 and span[0] <= span[1])
]
Row = Annotated[
    Text,
    holds(
        f"{ROW_LENGTH} letters, _ for floor, o for a hole, # for an obstacle",
        lambda row: len(row) == ROW_LENGTH and not set(row) - set(_LETTERS),
    ),
]
Points = Annotated[Whole, within(0, 30)]
Even = holds("an even number", lambda value: value % 2 == 0)
Clusters = Annotated[Whole, within(0, 12)]
KnownSpell = Annotated[Any, AfterValidator(lambda key, info: _known(info).spell(key))]
KnownSummon = Annotated[Any, AfterValidator(lambda key, info: _known(info).summon(key))]


class _Table(ClosedForm):
    """A table; what the app ships must have the fields in `complete`, though they have a default."""

    complete: ClassVar[tuple[str, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, data: Any, info: ValidationInfo) -> Any:
        for name in cls.complete if _known(info).shipped and isinstance(data, Mapping) else ():
            if name not in data:
                raise wrong("missing", name)
        return data


class _Entry(_Table):
    complete: ClassVar[tuple[str, ...]] = ("name_fr",)

    name: Name
    name_fr: Name = Field(default_factory=lambda data: data["name"])

    def made(self, key: str) -> Any:
        """Returns what the table describes."""
        raise NotImplementedError


_TABLE: Any = {"payload": ("tuple[_StoredEffect, ...]", ()), "summon": (KnownSummon | None, None)}
_EffectTable = create_model("_EffectTable", __base__=EffectForm, __module__=__name__, **_TABLE)
_StoredEffect = Annotated[Effect, stored(_EffectTable)]  # An effect that calls a monster by its key


class _Icon(_Table):
    complete: ClassVar[tuple[str, ...]] = ("glyph", "colour")

    glyph: Annotated[Text, one_of(GLYPHS)] = "star"
    colour: Colour = _PLAIN


class _SpellHead(_Entry):
    complete: ClassVar[tuple[str, ...]] = ("name_fr", "icon")

    range: Span
    icon: _Icon = _Icon.model_construct()

    def made(self, key: str) -> tuple[Spell, SpellLook]:
        rules = {name: getattr(self, name) for name in _RULES}
        nearest, farthest = self.range
        look = SpellLook(self.name, self.name_fr, self.icon.glyph, self.icon.colour)
        return Spell(key, self.name, min_range=nearest, max_range=farthest, **rules), look


_RULES = stored_fields(Spell, SPELL_LIMITS)
for _name in NOT_OF_TABLES:
    del _RULES[_name]
_RULES["effects"] = tuple[_StoredEffect, ...], ...
_SpellTable: Any = create_model("_SpellTable", __base__=_SpellHead, **_RULES)


class _ClassTable(_Entry):
    complete: ClassVar[tuple[str, ...]] = ("name_fr", "colour", "shape")

    colour: Colour = _PLAIN
    shape: Annotated[Text, one_of(SHAPES)] = "mask"
    level: Annotated[Whole, within(1, 200)]
    hp: Annotated[Whole, within(1, 1_000_000)]
    ap: Points
    mp: Points
    spells: Annotated[tuple[KnownSpell, ...], AfterValidator(each_once)]
    stats: Annotated[Stats, stored()] = Stats()
    unseen: Flag = False

    @model_validator(mode="after")
    def _resistant(self) -> Self:
        highest = max(self.stats.resistance)
        if highest > _HIGHEST_RESISTANCE and not isinstance(self, _MonsterTable):
            raise wrong(f"expected at most {_HIGHEST_RESISTANCE} percent, got {highest}", "stats.resistance")
        return self

    def made(self, key: str) -> FighterTemplate:
        fields = dict(self)
        return FighterTemplate(kind=key, play_style=fields.pop("manner", ""), **fields)


class _MonsterTable(_ClassTable):
    complete: ClassVar[tuple[str, ...]] = ("name_fr", "colour", "shape", "points", "manner")

    points: Annotated[Whole, within(0, 20)] = 0
    manner: Annotated[Text, one_of(PLAY_STYLES)] = "melee"


class _Map(_Entry):
    theme: Annotated[Text, one_of(maps.THEMES)] = "clearing"
    unseen: Flag = False

    def made(self, key: str) -> MapTemplate:
        return MapTemplate(key, self.name, self.name_fr, self.theme, self.unseen, self._ground(key))

    def _ground(self, key: str) -> FightMap | MapRecipe:
        raise NotImplementedError


class _DrawnMapTable(_Map):
    cells: Annotated[tuple[Row, ...], holds(f"{ROWS} rows", lambda rows: len(rows) == ROWS)]
    red: tuple[Cell, ...]
    blue: tuple[Cell, ...]

    @model_validator(mode="after")
    def _playable(self, info: ValidationInfo) -> Self:
        faulty = (faults if _known(info).shipped else flaws)(self._ground(""))
        if faulty:
            raise wrong(faulty[0], "cells")
        return self

    def _ground(self, key: str) -> FightMap:
        cells = bytes(_LETTERS[letter] for row in self.cells for letter in row)
        return FightMap(key, cells, self.red, self.blue)


class _RecipeHead(_Map):
    def _ground(self, key: str) -> MapRecipe:
        return MapRecipe(key, **{name: getattr(self, name) for name in _RECIPE})


_RECIPE = stored_fields(
    MapRecipe,
    {
        "seed": Annotated[Whole, within(0, 2**31 - 1)],
        "form": Annotated[Text, one_of(maps.FORMS)],
        "pattern": Annotated[Text, one_of(maps.PATTERNS)],
        "symmetry": Annotated[Text, one_of(maps.SYMMETRIES)],
        "rows": Annotated[Whole, within(maps.FEWEST_ROWS, maps.MOST_ROWS), Even],
        "walls": Clusters,
        "holes": Clusters,
    },
)
del _RECIPE["key"]  # the name of the table
_MapTable: Any = create_model("_MapTable", __base__=_RecipeHead, **_RECIPE)


_TABLES: dict[str, type[_Entry]] = {
    "spells": _SpellTable,
    "classes": _ClassTable,
    "monsters": _MonsterTable,
    "maps": _MapTable,
}


def read_table(section: str, key: str, table: object, known: KnownEntries) -> Any:
    """Returns what a table describes: a `FighterTemplate`, a `MapTemplate`, or a spell with its `SpellLook`.

    Args:
        section: one of `botapp.content.formats.SECTIONS`.
        known: where it is read from, and what the entries are that it names.

    Raises:
        FieldError: a field is missing, unknown or wrong; the text names it.
        ContentError: an entry that it needs is wrong.
    """
    path = f"{section}.{key}"
    if not _KEY.fullmatch(key):
        raise FieldError(
            f"{path}: a key is a small letter, then up to 47 small letters, digits, - or _; got {shown(key)}"
        )
    form = _TABLES[section]
    if form is _MapTable and isinstance(table, Mapping) and "cells" in table:
        form = _DrawnMapTable
    return form.read(table, path, known).made(key)

"""Reads what a game client looks like from TOML files in `resources/profiles/`.

`load` checks every value and names the file and the field that is wrong.
Next hop: `vision.extract.Reader` reads frames with a profile.
"""

from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from vision.profiles import board, hud
from vision.profiles.arena import (
    HIGHLIGHTS,
    NUMBERS,
    SIGNS,
    TEAMS,
    AnchorRule,
    BarRule,
    BoardRule,
    ButtonRule,
    CardRowRule,
    FightRules,
    FigureRule,
    LogRule,
    NumberRule,
    Paint,
    PlateRule,
    Profile,
    RingRule,
    ScreenRegion,
    SpellBarRule,
)
from vision.profiles.tables import ProfileError, Table

__all__ = ["ProfileError", "folder", "load", "names", "parse"]


def folder() -> Traversable:
    """Returns where the profiles are kept."""
    return files("resources") / "profiles"


def names() -> tuple[str, ...]:
    """Returns the names of the profiles there are."""
    found = (entry.name for entry in folder().iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@lru_cache(maxsize=16)
def load(name: str) -> Profile:
    """Reads a profile by name.

    Raises:
        ProfileError: there is no such profile, or a field of it is wrong.
    """
    if name not in names():
        raise ProfileError(f"there is no profile {name!r}; there are: {', '.join(names())}")
    return parse((folder() / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")


def parse(text: str, file: str) -> Profile:
    """Reads a profile from TOML text; `file` is what it is called in messages.

    Raises:
        ProfileError: a field is missing or wrong.
    """
    top = Table.parse(text, file)
    unreadable = top.text("unreadable")
    palette = top.table("palette")
    return Profile(
        name=file.removesuffix(".toml"),
        title=top.text("title"),
        process=top.text("process"),
        unreadable=unreadable,
        aspect=top.number("aspect", 0.5, 4),
        board=_board(top.table("board")),
        tolerance=top.number("tolerance", 1, 128),
        palette={key: palette.colours(key) for key in palette.fields()},
        fight=None if unreadable or "screen" in top else _fight(top),
        screen=board.parse(top.table("screen")) if "screen" in top else None,
        hud=hud.parse(top.table("hud")) if "hud" in top else None,
    )


def _board(table: Table) -> BoardRule:
    return BoardRule(
        table.number("cell_w", 0.01, 0.5),
        table.number("ratio", 0.3, 0.7),
        table.number("columns", 1, 40),
        table.number("rows", 1, 40),
        table.number("bottom", -0.5, 0.5),
    )


def _fight(top: Table) -> FightRules:
    kinds, spells = top.table("kinds"), top.table("spells")
    paints = top.table("highlights").tables()
    signs = top.table("signs")
    bar, figure, numbers = top.table("bar"), top.table("figure"), top.table("numbers")
    rise, width, height = bar.numbers("place", 3, 0, 4)
    shield, plate = bar.table("shield"), top.table("shield")
    return FightRules(
        highlights={key: _paint(paints[key]) for key in HIGHLIGHTS if key in paints},
        signs={key: signs.colour(key) for key in SIGNS},
        rings=_rings(top.table("rings")),
        bar=BarRule(
            rise,
            width,
            height,
            bar.colour("full"),
            bar.colour("empty"),
            shield.number("height", 0.01, 1),
            shield.colour("full"),
            shield.colour("empty"),
        ),
        figure=FigureRule(figure.number("tall", 0.2, 5), figure.number("drop", -1, 1)),
        kinds={key: kinds.colour(key) for key in kinds.fields()},
        timeline=_timeline(top.table("timeline")),
        spell_bar=_spell_bar(top.table("spell_bar")),
        numbers={key: _number(numbers.table(key)) for key in NUMBERS},
        log=_log(top.table("log")),
        spells={key: spells.colour(key) for key in spells.fields()},
        shield=PlateRule(_number(plate), plate.colour("plate"), plate.colours("bare")),
        anchors={
            key: AnchorRule(_region(table), table.colours("colours"))
            for key, table in top.table("anchors").tables().items()
        },
        veil=_paint(top.table("veil")),
        button=_button(top.table("button")),
    )


def _log(table: Table) -> LogRule:
    return LogRule(
        _region(table),
        int(table.number("lines", 1, 20)),
        table.number("mark", 0, 1),
        table.numbers("chips", 3, 0, 1),
        table.colour("even"),
        table.colour("odd"),
    )


def _region(table: Table) -> ScreenRegion:
    x, y = table.number("x", -2, 2), table.number("y", -1, 2)
    top = table.choice("anchor", ("bottom", "top")) == "top"
    return ScreenRegion(x, y, table.number("w", 0.001, 2), table.number("h", 0.001, 2), top)


def _paint(table: Table) -> Paint:
    return Paint(table.colour("colour"), table.number("opacity", 0, 1))


def _rings(table: Table) -> RingRule:
    sides = {team: table.table(team) for team in TEAMS}
    return RingRule(
        table.number("band", 0.1, 1),
        table.number("line", 0.1, 1.2),
        table.points("inside"),
        table.number("opacity", 0, 1),
        {team: (side.colour("band"), side.colour("line")) for team, side in sides.items()},
    )


def _timeline(table: Table) -> CardRowRule:
    return CardRowRule(
        table.number("left", -2, 2),
        table.number("top", 0, 1),
        table.pair("card", 0.005, 0.5),
        table.pair("current", 0.005, 0.5),
        table.number("gap", 0, 0.2),
        table.number("bar_w", 0.001, 0.1),
        table.number("line", 0, 0.1),
        table.colour("frame"),
        {team: table.colour(team) for team in TEAMS},
    )


def _number(table: Table, region: ScreenRegion | None = None) -> NumberRule:
    return NumberRule(
        region or _region(table),
        table.number("cap", 0.005, 0.2),
        int(table.number("digits", 1, 6)),
        table.colours("colours"),
    )


def _spell_bar(table: Table) -> SpellBarRule:
    cooldown = table.table("cooldown")
    box = ScreenRegion(0, 0, cooldown.number("w", 0.005, 0.3), cooldown.number("h", 0.005, 0.3))
    return SpellBarRule(
        int(table.number("slots", 1, 40)),
        table.number("size", 0.01, 0.3),
        table.number("pitch", 0.01, 0.3),
        table.number("y", -1, 1),
        table.pair("badge", 0.001, 0.1),
        table.colour("usable"),
        table.colour("greyed"),
        table.colour("empty"),
        _number(cooldown, box),
    )


def _button(table: Table) -> ButtonRule:
    return ButtonRule(_region(table), table.colours("mine"), table.colours("other"))

"""What has to be known before the first advice, as far as the screen tells: who is played, what is unsure.

The class is in the window's title, the level under the spell bar, the spells are those of the level with
what the icons on the bar stand for. Each doubt says what it costs and where it can be put right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from botapp.content.game.data import GameClass, GameData
from botapp.content.game.sheets import usual_sheet
from botapp.content.game.spells import WHOLLY
from botapp.host.message import listed, say
from botapp.tracking.names import Names
from botapp.tracking.spellbook import without_grade
from vision.view import FightView, Phase

LevelFrom = Literal["screen", "hp", "none"]
Place = Literal["", "board", "character", "icons", "portraits"]

_HIGHEST = 200
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that is not sure.

    Attributes:
        what: what it is, a message.
        cost: what comes of it, a message.
        place: where it can be put right, a part of My game; "" where it settles by itself.
    """

    what: str
    cost: str
    place: Place = ""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the player has said yes to: the board's position, and the character with its level."""

    board: bool = False
    character: bool = False


def level_by(view: FightView, on_screen: int | None) -> tuple[int, LevelFrom]:
    """Returns the player's likely level and what tells it: the screen, else the maximum HP, else nothing."""
    if on_screen is not None:
        return on_screen, "screen"
    most = view.max_hp.value
    if most is None:
        return _HIGHEST, "none"
    return max((level for level in range(1, _HIGHEST + 1) if usual_sheet(level)[0] <= most), default=1), "hp"


def spells_on_bar(view: FightView, names: Names) -> list[int | None]:
    """Returns the game's number of the spell behind each icon of the bar, None for one that is not known."""
    found: list[int | None] = []
    for slot in view.spells:
        if slot.icon:
            named = names.find("icons", slot.icon)
            number = without_grade(named[0]).removeprefix("game-") if named is not None else ""
            found.append(int(number) if number.isdecimal() else None)
    return found


def spells_of_level(game: GameData, one: GameClass, level: int, on_bar: list[int | None]) -> list[int]:
    """Returns the numbers of a class's spells at a level: of each pair the one on the bar, else the usual."""
    seen = {number for number in on_bar if number is not None}
    chosen = []
    usual = game.usual_spells(one, level)
    for pair in one.pairs:
        known = [n for n in pair if n in seen and game.grade_at(n, level) is not None]
        chosen += known[:1] or [number for number in usual if number in pair]
    return chosen


def character_table(
    game: GameData, one: GameClass, name: str, level: int, view: FightView, names: Names
) -> dict[str, Any]:
    """Returns a character's table for a content file: its level's usual figures, HP as the screen shows."""
    spells = spells_of_level(game, one, level, spells_on_bar(view, names))
    table = game.usual_character(one, level, spells) | {"name": name, "name_fr": name}
    return table | ({"hp": view.max_hp.value} if view.max_hp.value is not None else {})


def doubts(
    view: FightView,
    names: Names,
    game: GameData,
    one: GameClass | None,
    level: int,
    confirmed: Confirmed,
    log: Mapping[str, bool | str],
    language: str,
) -> list[Doubt]:
    """Returns what is not sure of a picture of a fight, the costliest first.

    Args:
        view: what was read.
        names: of portraits and icons, by what the player, the log and the pictures tell.
        game: the imported game.
        one: the class that is played, None where it is not known.
        level: the player's.
        confirmed: what the player has said yes to.
        language: that the player reads.
        log: "found": whether the fight's log was; "problem": why no text can be read, "" while it can.
    """
    if view.phase.value is not Phase.FIGHT:
        return []
    bar = spells_on_bar(view, names)
    parts = (
        _of_board(view, confirmed),
        _of_character(level, confirmed),
        _of_fighters(view, names),
        _of_bar(bar),
        _of_spells(game, one, spells_of_level(game, one, level, bar) if one is not None else [], language),
        _of_log(log),
    )
    return [doubt for part in parts for doubt in part]


def _of_board(view: FightView, confirmed: Confirmed) -> list[Doubt]:
    if confirmed.board:
        return []
    cost = say("Cells may be off by one: moves and aims would be wrong.")
    if view.lattice_ambiguous:
        places = 1 + len(view.lattice_ambiguous)
        return [Doubt(say("The board fits in {places} places.", places=places), cost, "board")]
    return [Doubt(say("The board's place is not confirmed."), cost, "board")]


def _of_character(level: int, confirmed: Confirmed) -> list[Doubt]:
    if not confirmed.character:
        return [
            Doubt(
                say("Your level is not confirmed."),
                say("Until then the spells and figures of level {level} are used.", level=_HIGHEST),
                "character",
            )
        ]
    return [
        Doubt(
            say(
                "Your figures are the usual ones of level {level}, if you have not entered your own.",
                level=level,
            ),
            say("Damage and the chance of winning are rough."),
            "character",
        )
    ]


def _of_fighters(view: FightView, names: Names) -> list[Doubt]:
    enemies = [card.portrait for card in view.timeline if card.team == "enemy"]
    others = enemies or [fighter.portrait for fighter in view.enemies]
    others += [fighter.portrait for fighter in view.allies]
    unknown = sum(not portrait or names.find("portraits", portrait) is None for portrait in others)
    if not unknown:
        return []
    what = say("Not known by name: {unknown} of {all} fighters.", unknown=unknown, all=len(others))
    cost = say(
        "Their HP, resistances and spells are assumed by your level. Their first cast, or the mouse on them, "
        "tells who they are."
    )
    return [Doubt(what, cost, "portraits")]


def _of_bar(bar: list[int | None]) -> list[Doubt]:
    if not bar:
        cost = say("All your spells are taken to be ready.")
        return [Doubt(say("No icons were found on the spell bar."), cost, "icons")]
    unknown = bar.count(None)
    if not unknown:
        return []
    what = say("Not recognised: {unknown} of {all} icons on the spell bar.", unknown=unknown, all=len(bar))
    cost = say(
        "Whether these spells are ready is worked out from your casts, not seen. The mouse on an icon, "
        "until its name shows, tells which it is."
    )
    return [Doubt(what, cost, "icons")]


def _of_spells(game: GameData, one: GameClass | None, own: list[int], language: str) -> list[Doubt]:
    known = game.spells_of(one) if one is not None else ()
    partly = [
        spell.names.called(language)
        for spell in known
        if spell.verdict != WHOLLY and spell.names.number in own
    ]
    if not partly:
        return []
    shown = partly[:_MOST_NAMED]
    more = len(partly) - len(shown)
    named = listed([*shown, say("{count} more", count=more)] if more else shown)
    what = say("Judged in part: {spells}.", spells=named)
    return [Doubt(what, say("What else they do is not counted."), "character")]


def _of_log(log: Mapping[str, bool | str]) -> list[Doubt]:
    cost = say("What others cast is worked out from the picture alone.")
    if log.get("problem"):
        return [Doubt(say("The combat log cannot be read: {problem}", problem=str(log["problem"])), cost)]
    if not log.get("found"):
        return [Doubt(say("The combat log was not found."), cost)]
    return []

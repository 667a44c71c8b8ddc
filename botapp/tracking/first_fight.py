"""What has to be known before the first advice, as far as the screen tells: who is played, what is unsure.

The class is in the window's title, the level under the spell bar, the spells are those of the level with
what the icons on the bar stand for. Each doubt says what it costs and where it can be put right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from botapp.content.game.data import GameClass, GameData
from botapp.content.game.spells import WHOLLY
from botapp.host.message import counted, listed, mark, say
from botapp.tracking.levels import NO_GUESS, LevelFrom, LevelGuess
from botapp.tracking.names import Names
from botapp.tracking.picture_names import spells_on_bar
from vision.view import FightView, Phase

Place = Literal["", "board", "character", "icons", "portraits"]

_MOST_NAMED = 3  # Names in a sentence; more make it longer than its line
_NOT_CONFIRMED: Mapping[LevelFrom, str] = {
    "screen": mark("Your level, {level}, was read off the screen and is not confirmed."),
    "hp": mark("Your level is guessed from your maximum HP: {level}."),
    "none": mark("Your level cannot be told from the screen."),
}
_UNTIL_THEN: Mapping[LevelFrom, str] = {
    "screen": mark("Its usual spells and figures are used: damage and the chance of winning are rough."),
    "hp": mark(
        "Its usual spells and figures are used. HP tell a level only roughly: until you confirm or correct "
        "it, damage may be far off."
    ),
    "none": mark(
        "The spells and figures of level {level} are used: if yours is lower, damage and the chance of "
        "winning are much too high until you enter it."
    ),
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that is not sure."""

    what: str
    cost: str
    place: Place = ""  # Where it can be put right, a part of My game; "" where it settles by itself


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the player has said yes to: the board's position, and the character with its level."""

    board: bool = False
    character: bool = False


def character_table(
    game: GameData, game_class: GameClass, name: str, level: int, view: FightView, names: Names
) -> dict[str, Any]:
    """Returns a character's table for a content file: its level's usual figures, HP as the screen shows."""
    spells = game.spells_with(game_class, level, spells_on_bar(view, names))
    table = game.usual_character(game_class, level, spells) | {"name": name, "name_fr": name}
    return table | ({"hp": view.max_hp.value} if view.max_hp.value is not None else {})


def doubts(
    view: FightView,
    names: Names,
    game: GameData,
    game_class: GameClass | None,
    level: int,
    confirmed: Confirmed,
    log: Mapping[str, bool | str],
    language: str,
    guess: LevelGuess = NO_GUESS,
) -> list[Doubt]:
    """Returns what is not sure of a picture of a fight, the costliest first.

    Args:
        names: of portraits and icons, by what the player, the log and the pictures tell.
        one: the class that is played, None where it is not known.
        log: "found": whether the fight's log was; "problem": why no text can be read, "" while it can.
        guess: the level that is used while it is not confirmed.
    """
    if view.phase.value is not Phase.FIGHT:
        return []
    bar = spells_on_bar(view, names)
    parts = (
        _of_board(view, confirmed),
        _of_character(level, confirmed, guess),
        _of_fighters(view, names),
        _of_bar(bar),
        _of_spells(
            game,
            game_class,
            game.spells_with(game_class, level, bar) if game_class is not None else [],
            language,
        ),
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


def _of_character(level: int, confirmed: Confirmed, guess: LevelGuess) -> list[Doubt]:
    if not confirmed.character:
        return [
            Doubt(
                say(_NOT_CONFIRMED[guess.source], level=guess.level),
                say(_UNTIL_THEN[guess.source], level=guess.level),
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


def _of_spells(game: GameData, game_class: GameClass | None, own: list[int], language: str) -> list[Doubt]:
    known = game.spells_of(game_class) if game_class is not None else ()
    partly = [
        spell.names.called(language)
        for spell in known
        if spell.verdict != WHOLLY and spell.names.number in own
    ]
    if not partly:
        return []
    shown = partly[:_MOST_NAMED]
    more = len(partly) - len(shown)
    named = listed([*shown, counted(more, "{count} more", "{count} more", count=more)] if more else shown)
    what = say("Judged in part: {spells}.", spells=named)
    return [Doubt(what, say("What else they do is not counted."), "character")]


def _of_log(log: Mapping[str, bool | str]) -> list[Doubt]:
    cost = say("What others cast is worked out from the picture alone.")
    if log.get("problem"):
        return [Doubt(say("The combat log cannot be read: {problem}", problem=str(log["problem"])), cost)]
    if not log.get("found"):
        return [Doubt(say("The combat log was not found."), cost)]
    return []

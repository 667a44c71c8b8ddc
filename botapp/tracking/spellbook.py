"""What the player can do: the spells in the order of the spell bar, and the sheet behind them.

The presets are the classes of the knowledge base; a person's own sheet comes from a JSON file, whose fields
are those of a fighter in a state as `botapp advise` takes it, without what a fight changes.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from botapp.content.game.data import GameClass
from botapp.content.game.spells import parsed_key
from botapp.content.json_file import read_json
from botapp.content.knowledge.base import knowledge
from botapp.content.knowledge.entry import EntryKind, KnowledgeError
from botapp.content.library import classes
from botapp.content.state_json import fighter_from_json
from botapp.content.templates import FighterTemplate
from botapp.fight.spells import Spell, Stats
from botapp.host.message import error_text, say
from botapp.tracking.levels import NO_GUESS, LevelGuess

_OF_A_FIGHT = {"id": 0, "team": 0, "cell": 0}  # What a sheet leaves out


@dataclass(frozen=True, slots=True)
class Spellbook:
    """The player's own sheet; slot n of the spell bar holds `spells[n]`."""

    key: str
    name: str
    level: int
    max_hp: int
    base_ap: int
    base_mp: int
    stats: Stats
    spells: tuple[Spell, ...]
    # Where the level is from while the player has not confirmed it, None once it is
    guess: LevelGuess | None = None
    example: bool = False  # Whether it is one of the practice arena's classes on another client's screen


def presets() -> tuple[str, ...]:
    """Returns the keys that `preset` understands: the app's classes, the person's, the imported game's."""
    base = knowledge()
    game = (game_class.key for game_class in base.game.classes) if base.game is not None else ()
    return tuple(dict.fromkeys((*base.content.classes, *game)))


def class_called(name: str) -> str:
    """Returns the key of the class with a name, in any language, case and accents aside; "" for none.

    For a class of the imported game it is a character that the person has made of it, where there is one.
    """
    wanted = _plain(name)
    if not wanted:
        return ""
    base = knowledge()
    for key, template in base.content.classes.items():
        if wanted in map(_plain, (key, template.name, template.name_fr)):
            return key
    for game_class in base.game.classes if base.game is not None else ():
        if base.game is not None and wanted in map(
            _plain, (game_class.key, game_class.names.name, game_class.names.name_fr)
        ):
            number = game_class.names.number
            own = (key for key, own in base.content.classes.items() if base.game.class_of(own) == number)
            return next(own, game_class.key)
    return ""


def is_of_the_arena(key: str) -> bool:
    """Tells whether a class is one that comes with the app and that the player has not made their own."""
    if key not in classes():
        return False
    try:
        return not knowledge().get(EntryKind.CLASS, key).own
    except KnowledgeError:
        return False


def learnable(book: Spellbook) -> frozenset[str]:
    """Returns the keys, without grades, of the spells in a book and of all that its class can learn."""
    own = {without_grade(spell.key) for spell in book.spells}
    game = knowledge().game
    numbers = {parsed[0] for spell in book.spells if (parsed := parsed_key(spell.key))}
    for game_class in game.classes if game is not None else ():
        of_class = {number for pair in game_class.pairs for number in pair}
        if numbers & of_class:
            own |= {f"game-{number}" for number in of_class}
    return frozenset(own)


def of_the_game(key: str) -> GameClass | None:
    """Returns a class of the imported game by its key, None for the app's and the player's own."""
    base = knowledge()
    return None if base.game is None or key in base.content.classes else base.game.class_called(key)


def without_grade(key: str) -> str:
    """Returns the key of a spell of the game without its grade, as its picture has it; others as they are."""
    return key.rpartition("-")[0] if key.startswith("game-") and key.count("-") == 2 else key


def _plain(name: str) -> str:
    parts = unicodedata.normalize("NFKD", name.strip())
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def preset(key: str, guess: LevelGuess | None = None, on_bar: Iterable[int] = ()) -> Spellbook:
    """Returns the spellbook of a class of the knowledge base.

    Args:
        guess: the level of a class of the imported game; others have one of their own.
        on_bar: the game's numbers of spells that are on the bar.

    Raises:
        ValueError: there is no such class; the message lists those there are.
    """
    base = knowledge()
    game_class = of_the_game(key)
    if game_class is not None and base.game is not None:
        guess = guess or NO_GUESS
        template: FighterTemplate | None = base.game.class_template(game_class, guess.level, on_bar)
    else:
        template, guess = base.fighter(key) if key in presets() else None, None
    if template is None:
        raise ValueError(f"there is no class {key!r}; choose one of {', '.join(presets())}")
    return Spellbook(
        key=key,
        name=template.name,
        level=template.level,
        max_hp=template.hp,
        base_ap=template.ap,
        base_mp=template.mp,
        stats=template.stats,
        spells=template.spells,
        guess=guess,
    )


class SheetError(ValueError):
    """A sheet cannot be used; the text names the file, the field and the remedy."""


def read_sheet(path: Path) -> Spellbook:
    """Reads a sheet.

    Raises:
        SheetError: the file is missing, no JSON, or a field is missing or wrong.
    """
    try:
        values = read_json(path)
        if not isinstance(values, dict):
            raise ValueError(
                say("expected an object with name, kind, level, max_hp, base_ap, base_mp, spells")
            )
        full = {"hp": values.get("max_hp"), "ap": values.get("base_ap"), "mp": values.get("base_mp")}
        fighter = fighter_from_json({**_OF_A_FIGHT, **full, **values}, "sheet")
    except OSError as error:
        raise SheetError(
            say(
                "{file} cannot be opened ({problem}). Correct it, or empty the setting advisor.spellbook.",
                file=str(path),
                problem=error.strerror,
            )
        ) from error
    except ValueError as error:
        raise SheetError(
            say(
                "{file}: {problem}. Correct it, or empty the setting advisor.spellbook.",
                file=str(path),
                problem=error_text(error),
            )
        ) from error
    return Spellbook(
        key=fighter.kind,
        name=fighter.name,
        level=fighter.level,
        max_hp=fighter.max_hp,
        base_ap=fighter.base_ap,
        base_mp=fighter.base_mp,
        stats=fighter.stats,
        spells=fighter.spells,
    )

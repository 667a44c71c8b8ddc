"""A person's own sheet from a JSON file: level, HP, AP, MP, stats and spells in the order of the spell bar.

Fields are those of a fighter in a state as `botapp advise` takes it, without what a fight changes.
"""

from pathlib import Path

from botapp.content.json_file import read_json
from botapp.content.state_json import fighter_from_json
from botapp.host.message import error_text, say
from botapp.tracking.spellbook import Spellbook

_OF_A_FIGHT = {"id": 0, "team": 0, "cell": 0}


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

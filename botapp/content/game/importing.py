"""The game's data brought in: read, checked, judged spell by spell, and kept whole or not at all.

Next hop: `botapp.commands.knowledge` and `botapp.ui.game` tell the report.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from botapp.content.errors import FieldError
from botapp.content.game.boards import read_board
from botapp.content.game.effects import states_asked
from botapp.content.game.judging import NOT, PARTLY, WHOLLY, Judge
from botapp.content.game.lines import SpellLevel, read_level, whole
from botapp.content.game.monsters import read_monster
from botapp.content.game.names import clean, key_of, names_of
from botapp.content.game.reading import GameDataError, Opened, Record, files_in, records
from botapp.content.game.store import StoreWriter, packed
from botapp.content.library import classes, monsters
from botapp.host.message import error_text, mark, pack, say

_MOST_PAIRS = 100
_FLAGS = (
    "preventsSpellCast",
    "preventsFight",
    "cantBeMoved",
    "cantBePushed",
    "cantDealDamage",
    "invulnerable",
    "cantSwitchPosition",
    "incurable",
    "invulnerableMelee",
    "invulnerableRange",
    "cantTackle",
    "cantBeTackled",
)
_TITLES = {
    "class": mark("class"),
    "variant": mark("variant of a spell"),
    "spell": mark("spell"),
    "level": mark("spell level"),
    "monster": mark("monster"),
    "state": mark("state"),
    "map": mark("map"),
}


class ImportProgress(NamedTuple):
    """How far an import is: a share from 0 to 1, and what is done, in words."""

    share: float
    doing: str


@dataclass(slots=True)
class Report:
    """What an import brought.

    Attributes:
        classes, spells, grades, monsters, states, maps: how many.
        class_spells: how many spells belong to classes.
        languages: which of English ("en") and French ("fr") have names.
        verdicts: how many spells are understood wholly, partly and not, at their highest grade.
        class_verdicts: the same of the classes' spells alone.
        left_out: what was left out, in words, and in how many spells; the most frequent first.
        seconds: how long it took.
    """

    classes: int = 0
    spells: int = 0
    grades: int = 0
    monsters: int = 0
    states: int = 0
    maps: int = 0
    class_spells: int = 0
    languages: tuple[str, ...] = ()
    verdicts: Counter[str] = field(default_factory=Counter)
    class_verdicts: Counter[str] = field(default_factory=Counter)
    left_out: list[tuple[str, int]] = field(default_factory=list)
    seconds: float = 0.0


def import_game(
    paths: Iterable[Path],
    folder: Path,
    progress: Callable[[ImportProgress], None] = lambda _: None,
) -> Report:
    """Reads the game's data and keeps them in place of those imported before.

    Args:
        paths: files, folders and zips.
        folder: where the data are kept.
        progress: is told how far it is, a few times a second.

    Returns:
        What was found.

    Raises:
        GameDataError: something cannot be read, or there is nothing of the game in it; nothing has changed.
        OSError: the folder cannot be written to.
    """
    begun = time.monotonic()
    files = files_in([Path(path) for path in paths])
    with StoreWriter(folder) as store:
        importing = _Importing(store, progress)
        importing.read(files)
        report = importing.finish()
        report.seconds = time.monotonic() - begun
        store.keep({"imported": datetime.now(UTC).isoformat(timespec="seconds")})
    progress(ImportProgress(1.0, say("done")))
    return report


class _Importing:
    """One import on its way into a store."""

    def __init__(self, store: StoreWriter, progress: Callable[[ImportProgress], None]) -> None:
        self._store = store
        self._progress = progress
        self._told = 0.0
        self._classes: dict[int, tuple[str, str, list[int], list[list[int]]]] = {}
        self._variants: dict[int, list[list[int]]] = {}
        self._pairs: dict[int, dict[int, list[int]]] = {}
        self._languages: set[str] = set()
        self._asked: set[int] = set()

    def read(self, files: list[Opened]) -> None:
        """Writes all records of some files into the store.

        Raises:
            GameDataError: a file is damaged, or a record in it is.
        """
        total = max(1, sum(file.size for file in files))
        before = 0
        found = False
        for file in files:
            count = 0
            for record in records(file, partial(self._tell_read, before, total)):
                count += 1
                try:
                    self._keep(record)
                except FieldError as error:
                    raise _wrong(file, record, error) from error
            if file.named and not count:
                raise GameDataError(
                    say(
                        "{file} holds no data of the game: no class, spell, monster, state or map.",
                        file=file.name,
                    )
                )
            found = found or count > 0
            before += file.size
        if not found:
            raise GameDataError(
                say("No data of the game were found: no class, spell, monster, state or map.")
            )

    def _tell_read(self, before: int, total: int, at: int) -> None:
        self._tell(0.8 * (before + at) / total)

    def _tell(self, share: float, doing: str = say("reading")) -> None:
        now = time.monotonic()
        if now - self._told > 0.1:
            self._told = now
            self._progress(ImportProgress(min(0.99, share), doing))

    def _keep(self, record: Record) -> None:
        fields = record.fields
        if record.kind == "level":
            self._keep_level(read_level(fields), whole(fields, "id"))
        elif record.kind == "spell":
            self._keep_spell(fields)
        elif record.kind == "monster":
            number = _number(fields)
            names = self._names(fields, f"Monster {number}")
            self._store.put("monsters", number, *names, packed(read_monster(fields)))
        elif record.kind == "class":
            self._keep_class(fields)
        elif record.kind == "variant":
            pair = _numbers(fields, "spellIds")
            self._variants.setdefault(whole(fields, "breedId"), []).append(pair)
        elif record.kind == "state":
            flags = " ".join(flag for flag in _FLAGS if fields.get(flag))
            number = _number(fields)
            self._store.put("states", number, *self._names(fields, f"State {number}"), flags)
        else:
            self._keep_map(fields)

    def _keep_level(self, level: SpellLevel, number: int) -> None:
        if level.spell <= 0:
            raise FieldError("spellId: missing")
        self._store.put("levels", level.spell, level.grade, packed(level))
        self._asked.update(states_asked(level))
        if number > 0:
            self._store.put("level_ids", number, level.spell, level.grade)

    def _keep_spell(self, fields: Mapping[str, Any]) -> None:
        number = _number(fields)
        self._store.put("spells", number, *self._names(fields, f"Spell {number}"), "[]")
        levels = fields.get("levels") or fields.get("spellLevels")
        for index, level in enumerate(levels if isinstance(levels, list) else ()):
            if isinstance(level, Mapping) and "effects" in level:
                self._keep_level(read_level({"grade": index + 1, **level}, number), whole(level, "id"))
        if whole(fields, "breedId") > 0 and "pairIndex" in fields:
            pairs = self._pairs.setdefault(whole(fields, "breedId"), {})
            pairs.setdefault(whole(fields, "pairIndex"), []).append(number)

    def _keep_class(self, fields: Mapping[str, Any]) -> None:
        number = _number(fields)
        names = self._names(fields, f"Class {number}", "shortName" if "shortName" in fields else "name")
        pairs = fields.get("spellPairs") or []
        if not isinstance(pairs, list) or len(pairs) > _MOST_PAIRS:
            raise FieldError(f"spellPairs: expected a list of at most {_MOST_PAIRS}")
        told = [_numbers({"pair": pair}, "pair") for pair in pairs]
        self._classes[number] = (*names, _numbers(fields, "breedSpellsId"), told)

    def _keep_map(self, fields: Mapping[str, Any]) -> None:
        board = read_board(fields)
        number = whole(fields, "mapId") or _number(fields)
        name, name_fr = self._names(fields, f"Map {number}")
        self._store.put(
            "maps", number, name, name_fr, board.cells, json.dumps(board.red), json.dumps(board.blue)
        )

    def _names(self, fields: Mapping[str, Any], fallback: str, field: str = "name") -> tuple[str, str]:
        given = fields.get(field)
        if isinstance(given, Mapping):
            self._languages.update(language for language in ("en", "fr") if clean(given.get(language)))
        return names_of(fields, field, fallback)

    def finish(self) -> Report:
        """Connects what was read, and judges every spell."""
        self._write_grades()
        self._write_classes()
        for number in self._asked:
            self._store.put("asked", number)
        report = Report(languages=tuple(sorted(self._languages)))
        self._judge(report)
        for table in ("classes", "spells", "levels", "monsters", "states", "maps"):
            count = next(self._store.rows(f"select count(*) from {table}"))[0]
            setattr(report, "grades" if table == "levels" else table, count)
        return report

    def _write_grades(self) -> None:
        grades: dict[int, list[int]] = {}
        for spell, grade in self._store.rows("select spell, grade from levels order by spell, grade"):
            grades.setdefault(spell, []).append(grade)
        named = {row[0]: row[1:] for row in self._store.rows("select id, name, name_fr from spells")}
        for spell, own in grades.items():
            name, name_fr = named.get(spell, (f"Spell {spell}", f"Spell {spell}"))
            self._store.put("spells", spell, name, name_fr, json.dumps(own))

    def _write_classes(self) -> None:
        taken = {*classes(), *monsters()}
        known = {row[0] for row in self._store.rows("select id from spells")}
        for number, (name, name_fr, first, told) in sorted(self._classes.items()):
            pairs = told or self._in_pairs(number, first)
            pairs = [[spell for spell in pair if spell in known] for pair in pairs]
            key = key_of(name, f"class-{number}")
            key = f"{key}-{number}" if key in taken else key
            taken.add(key)
            kept = json.dumps([pair for pair in pairs if pair])
            self._store.put("classes", number, key, name, name_fr, kept)

    def _in_pairs(self, number: int, first: list[int]) -> list[list[int]]:
        """Returns a class's spells in pairs of variants, in the order of its list."""
        pairs = self._variants.get(number, []) + list(self._pairs.get(number, {}).values())
        of = {spell: pair for pair in pairs for spell in pair}
        return [
            [spell, *(other for other in of.get(spell, []) if other != spell)] for spell in first
        ] or pairs

    def _judge(self, report: Report) -> None:
        of_classes = {
            spell
            for (pairs,) in self._store.rows("select spells from classes")
            for pair in json.loads(pairs)
            for spell in pair
        }
        report.class_spells = len(of_classes)
        judge = Judge(self._store.rows)
        left_out: Counter[str] = Counter()
        spells = list(self._store.rows("select id, grades from spells"))
        for done, (spell, grades) in enumerate(spells):
            own = json.loads(grades)
            if not own:
                continue
            verdict, why = judge.judged(spell, own[-1])
            self._store.put("judged", spell, verdict, json.dumps([pack(one) for one in why]))
            report.verdicts[verdict] += 1
            if spell in of_classes:
                report.class_verdicts[verdict] += 1
            left_out.update(why)
            self._tell(0.88 + 0.11 * done / len(spells), say("judging the spells"))
        for verdict in (WHOLLY, PARTLY, NOT):
            report.verdicts.setdefault(verdict, 0)
        report.left_out = left_out.most_common()


def _number(fields: Mapping[str, Any]) -> int:
    number = whole(fields, "id", -1)
    if number < 0:
        raise FieldError("id: missing")
    return number


def _numbers(fields: Mapping[str, Any], name: str) -> list[int]:
    given = fields.get(name) or []
    if not isinstance(given, list) or len(given) > _MOST_PAIRS:
        raise FieldError(f"{name}: expected a list of at most {_MOST_PAIRS} numbers")
    return [whole({name: one}, name) for one in given]


def _wrong(file: Opened, record: Record, error: FieldError) -> GameDataError:
    """Returns the error with the file and the record that it stands in."""
    return GameDataError(
        say(
            "{file}: {kind} {number}: {problem}. Save the file anew.",
            file=file.name,
            kind=say(_TITLES[record.kind]),
            number=str(record.fields.get("id", "?"))[:20],
            problem=error_text(error),
        )
    )

"""The game's data brought in: read, checked, judged one by one, compared, and kept whole or not at all."""

import json
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from botapp.content.errors import FieldError
from botapp.content.game import foreign
from botapp.content.game.boards import read_board
from botapp.content.game.comparing import PoorerImportError, count, count_file, poorer
from botapp.content.game.effects import states_asked
from botapp.content.game.fields import Fields, Notes, number_of, whole_numbers
from botapp.content.game.judging import NOT, PARTLY, WHOLLY, Judge
from botapp.content.game.lines import read_level
from botapp.content.game.monsters import Monster, read_monster, spells_of
from botapp.content.game.names import NAMED_IN, key_of, names_in, names_of, plain
from botapp.content.game.opening import Effort
from botapp.content.game.reading import GameDataError, Opened, Record, files_in, records
from botapp.content.game.spells import NOT_UNDERSTOOD
from botapp.content.game.store import StoreWriter, current, packed
from botapp.content.game.wanted import (
    BREED,
    MAY_BE_ABSENT,
    MONSTER,
    SPELL,
    STATE,
    VARIANT,
    misleads,
    notes_of,
)
from botapp.content.library import classes, monsters
from botapp.host.message import error_text, listed, mark, pack, say

_MOST_PAIRS = 100
_MOST_NAMED = 6
"""Fields that are named where an import is refused: one line is read, a list of all is in the report."""
_MOST_LETTERS = 80  # Of the fields of an object of no known kind, as the report shows them
_RULES = frozenset(("apCost", "effects", "minRange", "range"))
"""By these an object within a spell is one of its levels."""
_TABLES = {"level": "levels", "spell": "spells", "monster": "monsters", "state": "states", "map": "maps"}
KINDS = {
    "class": mark("class"),
    "variant": mark("variant of a spell"),
    "spell": mark("spell"),
    "level": mark("spell level"),
    "monster": mark("monster"),
    "state": mark("state"),
    "map": mark("map"),
}
"""What each kind of record is called in reports and errors."""


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
        verdicts: how many spells are understood wholly, partly and not, at their highest grade.
        monster_verdicts: how many monsters are known wholly, partly and not.
        left_out: what was left out, in words, and in how many spells; the most frequent first.
        unknown: what is not known of monsters, in words, and of how many; the most frequent first.
        missing: in how many records of a kind a field was missing, by kind and field.
        odd: in how many it held what is not understood, by kind and field.
        never: fields that may be absent and that no record of their kind has, by kind and field.
        strange: how many objects were of no kind that is known, by file, and the fields of the first of them.
        twice: how many records of a kind came twice and differed.
        absent: how many spells are named by classes and by monsters and are not there; and how many ("named")
            have rules and no record with their name.
        passed_over: how many files were passed over, by what they are.
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
    monster_verdicts: Counter[str] = field(default_factory=Counter)
    left_out: list[tuple[str, int]] = field(default_factory=list)
    unknown: list[tuple[str, int]] = field(default_factory=list)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    odd: Counter[tuple[str, str]] = field(default_factory=Counter)
    never: list[tuple[str, str]] = field(default_factory=list)
    strange: dict[str, tuple[int, str]] = field(default_factory=dict)
    twice: Counter[str] = field(default_factory=Counter)
    absent: Counter[str] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def import_game(
    paths: Iterable[Path],
    folder: Path,
    progress: Callable[[ImportProgress], None] = lambda _: None,
    *,
    replace: bool = False,
) -> Report:
    """Reads the game's data and keeps them in place of those imported before, which can be brought back.

    Args:
        folder: where the data are kept.
        progress: called with the progress, a few times a second.
        replace: take them though they hold far less than those in use.

    Raises:
        PoorerImportError: they hold far less than those in use, and `replace` was not given.
        GameDataError: something cannot be read or kept, or there is nothing of the game in it; nothing has
            changed.
    """
    begun = time.monotonic()
    files = files_in([Path(path) for path in paths])
    with StoreWriter(folder) as store:
        importing = _Importing(store, progress)
        importing.read(files)
        report = importing.finish()
        _compare(store, current(folder) if not replace else None, report)
        report.seconds = time.monotonic() - begun
        store.keep({"imported": datetime.now(UTC).isoformat(timespec="seconds")})
    progress(ImportProgress(1.0, say("done")))
    return report


def _compare(store: StoreWriter, before: Path | None, report: Report) -> None:
    """Sees to it that what was read is of use, and holds no less than what is in use.

    Raises:
        PoorerImportError: it holds far less.
        GameDataError: no advice can be given by it at all.
    """
    now = count(store.rows)
    if not (now.spells or now.monsters or now.maps):
        raise GameDataError(
            say(
                "These data name things but do not say what they do: no spell, no monster and no map in them "
                "can be judged, so nothing was changed. {fields}{needed}",
                fields=_fields_at_fault(report),
                needed=foreign.needed(),
            )
        )
    then = count_file(before) if before is not None else None
    less = poorer(then, now) if then is not None else ""
    if less:
        raise PoorerImportError(less, _fields_at_fault(report))


def _fields_at_fault(report: Report) -> str:
    """Returns which fields were missing or not understood, a message that ends with a blank, or ""."""
    counts = report.missing + report.odd
    if not counts:
        return ""
    names = listed(name for (_, name), _ in counts.most_common(_MOST_NAMED))
    return say("Missing or not understood are the fields {fields}. ", fields=names)


class _Importing:
    """One import on its way into a store."""

    def __init__(self, store: StoreWriter, progress: Callable[[ImportProgress], None]) -> None:
        self._store = store
        self._progress = progress
        self._progress_at = 0.0
        self._classes: dict[int, tuple[str, str, list[int], list[list[int]]]] = {}
        self._variants: dict[int, list[list[int]]] = {}
        self._pairs: dict[int, dict[int, list[int]]] = {}
        self._monsters: dict[int, Monster] = {}
        self._promised: dict[int, int] = {}
        self._seen: dict[tuple[Any, ...], tuple[int, int]] = {}
        self._languages: set[str] = set()
        self._nameless: Counter[tuple[str, str]] = Counter()
        self._given: dict[str, dict[str, None]] = {}
        self._usual: Mapping[str, Any] = {}
        self._asked: set[int] = set()
        self._report = Report()

    def read(self, files: list[Opened]) -> None:
        """Writes all records of some files into the store.

        Raises:
            GameDataError: a file is damaged, or a record in it is.
        """
        total = max(1, sum(file.size for file in files))
        effort = Effort()
        before = 0
        has_records = False
        for file in files:
            count, dump = self._read_file(file, effort, partial(self._tell_read, before, total))
            if dump and file.named:
                raise GameDataError(foreign.said_of(file.name, dump))
            if dump:
                self._report.passed_over[dump] += 1
            elif file.named and not count:
                raise GameDataError(
                    say(
                        "{file} holds no data of the game: no class, spell, monster, state or map.",
                        file=file.name,
                    )
                )
            has_records = has_records or count > 0
            before += file.size
        if not has_records:
            raise self._nothing_found(files[0])

    def _read_file(self, file: Opened, effort: Effort, tell: Callable[[int], None]) -> tuple[int, str]:
        """Keeps the records of a file; returns how many, and what dump it is where it is another one."""
        count, dump = 0, foreign.dump_of_name(file.name) or ""
        self._usual = {}
        for record in records(file, tell, effort) if not dump else ():
            if record.dump:
                dump = dump or record.dump
            if record.dump:
                continue
            if not record.kind:
                self._strange(file, record)
                continue
            if record.kind == "usual":
                self._usual = record.fields
                self._given.setdefault("level", {}).update(
                    {f"effects.{name}": None for name in record.fields}
                )
                continue
            count += 1
            try:
                self._keep(record)
            except FieldError as error:
                raise _wrong(file, record, error) from error
        return count, "" if count else dump

    def _nothing_found(self, first: Opened) -> GameDataError:
        for dump, _ in self._report.passed_over.most_common(1):
            return GameDataError(foreign.said_of(str(Path(first.name).parent), dump))
        return GameDataError(say("No data of the game were found: no class, spell, monster, state or map."))

    def _tell_read(self, before: int, total: int, at: int) -> None:
        self._tell(0.8 * (before + at) / total)

    def _tell(self, share: float, doing: str = say("reading")) -> None:
        now = time.monotonic()
        if now - self._progress_at > 0.1:
            self._progress_at = now
            self._progress(ImportProgress(min(0.99, share), doing))

    def _strange(self, file: Opened, record: Record) -> None:
        """Counts an object that is of no kind that is known, and notes what the first of its file has."""
        name = Path(file.name).name
        count, fields = self._report.strange.get(
            name, (0, ", ".join(map(str, record.fields))[:_MOST_LETTERS])
        )
        self._report.strange[name] = (count + 1, fields)

    def _note(self, kind: str, notes: Notes) -> None:
        self._report.missing.update((kind, name) for name in notes.missing)
        self._report.odd.update((kind, name) for name in notes.odd)
        self._given.setdefault(kind, {}).update(notes.seen)

    def _keep(self, record: Record) -> None:
        given = record.fields
        if record.kind == "level":
            self._keep_level(given)
        elif record.kind == "spell":
            self._keep_spell(given)
        elif record.kind == "monster":
            self._keep_monster(given)
        elif record.kind == "class":
            self._keep_class(given)
        elif record.kind == "variant":
            fields = Fields(given, VARIANT)
            pair, breed = _numbers(fields, "spells"), fields["breed"]
            pairs = self._variants.setdefault(breed, [])
            pairs += [] if pair in pairs else [pair]
            self._note("variant", fields.notes)
        elif record.kind == "state":
            self._keep_state(given)
        else:
            self._keep_map(given)

    def _keep_state(self, given: Mapping[str, Any]) -> None:
        number = number_of(given, "id")
        fields = Fields(given, STATE)
        flags = [flag for flag in STATE if fields[flag]]
        flags += [f"{flag}{NOT_UNDERSTOOD}" for flag in fields.notes.odd]
        self._note("state", fields.notes)
        self._put("state", (number,), len(flags), *self._names("state", given), " ".join(flags))

    def _put(self, kind: str, key: tuple[int, ...], worth: int, *values: Any) -> bool:
        """Writes a record, of two that differ the fuller one; tells whether this one stands."""
        digest = zlib.crc32(repr(values).encode())
        before = self._seen.get((kind, *key))
        if before is not None and before[1] != digest:
            self._report.twice[kind] += 1
        if before is not None and before[0] > worth:
            return False
        self._seen[kind, *key] = (worth, digest)
        self._store.put(_TABLES[kind], *key, *values)
        return True

    def _keep_level(self, given: Mapping[str, Any], spell: int = 0) -> None:
        notes = Notes()
        level = read_level(given, spell, self._usual, notes)
        self._given.setdefault("level", {}).update(notes.seen)
        worth = 1000 * (1000 - len(level.missing) - len(level.odd)) + len(level.lines) + len(level.critical)
        if not self._put("level", (level.spell, level.grade), worth, packed(level)):
            return
        self._note("level", notes)
        self._asked.update(states_asked(level))

    def _keep_spell(self, given: Mapping[str, Any]) -> None:
        number = number_of(given, "id")
        fields = Fields(given, SPELL)
        named, levels = names_in(given, "name"), fields["levels"]
        values = (*self._names("spell", given), max(0, fields["picture"]), "[]")
        if self._put("spell", (number,), len(named) + len(levels), *values):
            self._promised[number] = len(levels)
            self._call("spell", number, named)
        for index, level in enumerate(levels):
            if isinstance(level, Mapping) and ("spellId" in level or _RULES & level.keys()):
                self._keep_level({"grade": index + 1, **level}, number)
        breed, pair_index = fields["breed"], fields["pair"]
        if breed > 0 and pair_index >= 0:
            pairs = self._pairs.setdefault(breed, {})
            pair = pairs.setdefault(pair_index, [])
            pair += [] if number in pair else [number]
        self._note("spell", fields.notes)

    def _keep_monster(self, given: Mapping[str, Any]) -> None:
        number = number_of(given, "id")
        read = read_monster(given)
        picture = Fields(given, MONSTER)
        gaps = len(read.notes.missing) + len(read.notes.odd)
        worth = 10_000 * read.grades - 100 * gaps + len(spells_of(read.kept))
        names = self._names("monster", given)
        values = (*names, max(0, picture["picture"]), packed(read.kept), "", "[]")
        if self._put("monster", (number,), worth, *values):
            self._monsters[number] = read._replace(kept={"spells": read.kept["spells"]})
            self._call("monster", number, names_in(given, "name"))
            self._note("monster", read.notes)
            self._note("monster", picture.notes)

    def _keep_class(self, given: Mapping[str, Any]) -> None:
        number = number_of(given, "id")
        fields = Fields(given, BREED)
        names = self._names("class", given, "shortName" if "shortName" in given else "name")
        pairs = [whole_numbers(pair) if isinstance(pair, list) else None for pair in fields["pairs"]]
        if None in pairs or len(pairs) > _MOST_PAIRS:
            fields.wrong("pairs")
            pairs = []
        first = _numbers(fields, "spells") if not pairs or "breedSpellsId" in given else []
        self._note("class", fields.notes)
        before = self._classes.get(number)
        made = (*names, first, [pair for pair in pairs if pair is not None])
        if before is not None and before != made:
            self._report.twice["class"] += 1
        if before is None or len(before[2]) + len(before[3]) <= len(first) + len(pairs):
            self._classes[number] = made

    def _keep_map(self, given: Mapping[str, Any]) -> None:
        notes = Notes()
        board = read_board(given, notes)
        number = number_of(given, "mapId", 0) or number_of(given, "id")
        self._note("map", notes)
        if misleads((*notes.missing, *notes.odd)):
            return
        name, name_fr = self._names("map", given)
        starts = json.dumps(board.red), json.dumps(board.blue)
        worth = len(board.red) + len(board.blue)
        if self._put("map", (number,), worth, name, name_fr, board.cells, *starts):
            self._call("map", number, names_in(given, "name"))

    def _names(self, kind: str, given: Mapping[str, Any], field: str = "name") -> tuple[str, str]:
        """Returns a record's names in English and French; which it lacks is noted."""
        named = names_in(given, field)
        self._languages.update(language for language in named if language)
        if not named:
            (self._report.missing if given.get(field) is None else self._report.odd)[kind, field] += 1
        else:
            self._nameless.update((kind, f"{field}.{name}") for name in NAMED_IN if name not in named)
        number = given.get("mapId", given.get("id"))
        return names_of(given, field, f"{kind.title()} {number}")

    def _call(self, kind: str, number: int, names: Mapping[str, str]) -> None:
        for language, name in names.items():
            self._store.put("called", kind, number, language, name, plain(name))

    def finish(self) -> Report:
        """Connects what was read, and judges every spell and every monster."""
        self._write_grades()
        self._write_classes()
        for number in self._asked:
            self._store.put("asked", number)
        report = self._report
        report.languages = tuple(sorted(self._languages))
        for (kind, name), nameless in self._nameless.items():
            if name[-2:] in self._languages:
                report.missing[kind, name] += nameless
        report.never = [
            (kind, name)
            for kind, given in sorted(self._given.items())
            for name in MAY_BE_ABSENT[kind]
            if name not in given
        ]
        self._judge(report)
        self._judge_monsters(report)
        for table in ("classes", "spells", "levels", "monsters", "states", "maps"):
            count = next(self._store.rows(f"select count(*) from {table}"))[0]
            setattr(report, "grades" if table == "levels" else table, count)
        return report

    def _write_grades(self) -> None:
        grades: dict[int, list[int]] = {}
        for spell, grade in self._store.rows("select spell, grade from levels order by spell, grade"):
            grades.setdefault(spell, []).append(grade)
        named = {row[0]: row[1:] for row in self._store.rows("select id, name, name_fr, icon from spells")}
        for spell, own in grades.items():
            self._report.absent["named"] += spell not in named
            name, name_fr, icon = named.get(spell, (f"Spell {spell}", f"Spell {spell}", 0))
            self._store.put("spells", spell, name, name_fr, icon, json.dumps(own))

    def _write_classes(self) -> None:
        taken = {*classes(), *monsters()}
        known = {row[0] for row in self._store.rows("select id from spells")}
        for number, (name, name_fr, first, pairs_json) in sorted(self._classes.items()):
            pairs = pairs_json or self._in_pairs(number, first)
            self._report.absent["class"] += sum(1 for pair in pairs for spell in pair if spell not in known)
            pairs = [[spell for spell in pair if spell in known] for pair in pairs]
            key = key_of(name, f"class-{number}")
            key = f"{key}-{number}" if key in taken else key
            taken.add(key)
            pairs_text = json.dumps([pair for pair in pairs if pair])
            self._store.put("classes", number, key, name, name_fr, pairs_text)

    def _in_pairs(self, number: int, first: list[int]) -> list[list[int]]:
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
        why: tuple[str, ...]
        for done, (spell, grades) in enumerate(spells):
            own = json.loads(grades)
            if not own:
                verdict, why = NOT, (say("none of its grades is in the data"),)
            else:
                verdict, why = judge.judged(spell, own[-1])
                if len(own) < self._promised.get(spell, 0):
                    verdict = PARTLY if verdict == WHOLLY else verdict
                    why = (*why, say("grades that are not in the data"))
            self._store.put("judged", spell, verdict, json.dumps([pack(reason) for reason in why]))
            report.verdicts[verdict] += 1
            if spell in of_classes:
                report.class_verdicts[verdict] += 1
            left_out.update(why)
            self._tell(0.88 + 0.1 * done / len(spells), say("judging the spells"))
        for verdict in (WHOLLY, PARTLY, NOT):
            report.verdicts.setdefault(verdict, 0)
        report.left_out = left_out.most_common()

    def _judge_monsters(self, report: Report) -> None:
        """Judges every monster by what its record lacks, and by its spells that are not there."""
        known = {row[0] for row in self._store.rows("select distinct spell from levels")}
        unknown: Counter[str] = Counter()
        for number, read in self._monsters.items():
            gone = [spell for spell in spells_of(read.kept) if spell not in known]
            report.absent["monster"] += len(gone)
            fields = [reason.why for reason in notes_of(read.notes.missing, read.notes.odd)]
            why: list[str] = [*fields, *read.problems]
            why += [say("a spell that is not in the data (number {number})", number=spell) for spell in gone]
            verdict = NOT if not read.grades else PARTLY if why else WHOLLY
            report.monster_verdicts[verdict] += 1
            unknown.update(set(why) - set(fields))
            self._store.change_monster(number, verdict, json.dumps([pack(reason) for reason in why]))
        report.unknown = unknown.most_common()


def _numbers(fields: Fields, name: str) -> list[int]:
    """Returns a list of numbers of a record, none where one is not understood."""
    numbers = whole_numbers(fields[name])
    if numbers is None or len(numbers) > _MOST_PAIRS:
        fields.wrong(name)
        return []
    return numbers


def _wrong(file: Opened, record: Record, error: FieldError) -> GameDataError:
    return GameDataError(
        say(
            "{file}: {kind} {number}: {problem}. Save the file anew.",
            file=file.name,
            kind=say(KINDS[record.kind]),
            number=str(record.fields.get("id", "?"))[:20],
            problem=error_text(error),
        )
    )

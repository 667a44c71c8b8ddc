"""What an import brought, in words for a person and as plain values."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from botapp.content.game.data import GameData
from botapp.content.game.foreign import passed_over
from botapp.content.game.importing import KINDS, Report
from botapp.content.game.spells import NOT, PARTLY, WHOLLY
from botapp.host.message import listed, mark, say

MOST_SHOWN = 12
VERDICTS = {
    WHOLLY: mark("judged wholly"),
    PARTLY: mark("judged in part"),
    NOT: mark("not advised"),
}
"""How far a spell of the game is understood, in words; message ids."""
_LANGUAGES = {
    "en": mark("names in English"),
    "fr": mark("names in French"),
    "es": mark("names in Spanish"),
    "pt": mark("names in Portuguese"),
    "de": mark("names in German"),
    "it": mark("names in Italian"),
}
_TWICE = {
    "level": mark("spell levels"),
    "spell": mark("spells"),
    "monster": mark("monsters"),
    "class": mark("classes"),
    "state": mark("states"),
    "map": mark("maps"),
}


def lines_of(report: Report) -> Iterable[str]:
    """Returns the report as lines, each a message; what is wrong with the data comes first."""
    yield from _wrong_with(report)
    yield say(
        "Classes: {classes} with {spells} spells; monsters: {monsters}; maps: {maps}; states: {states}.",
        classes=report.classes,
        spells=report.class_spells,
        monsters=report.monsters,
        maps=report.maps,
        states=report.states,
    )
    yield say(
        "Spells in all: {spells}, with their grades {grades}; read in {seconds:.0f} s.",
        spells=report.spells,
        grades=report.grades,
        seconds=max(1.0, report.seconds),
    )
    if report.languages:
        yield say(
            "With {languages}.", languages=listed(say(_LANGUAGES[language]) for language in report.languages)
        )
    for title, counts in (
        (mark("Spells of classes: {wholly} judged wholly, {partly} in part, {not_judged} not advised."),
         report.class_verdicts),
        (mark("All spells: {wholly} judged wholly, {partly} in part, {not_judged} not advised."),
         report.verdicts),
    ):  # fmt: skip
        yield say(title, wholly=counts[WHOLLY], partly=counts[PARTLY], not_judged=counts[NOT])
    counts = report.monster_verdicts
    if report.monsters:
        yield say(
            "Monsters: {wholly} known wholly, {partly} in part, {not_known} not usable.",
            wholly=counts[WHOLLY],
            partly=counts[PARTLY],
            not_known=counts[NOT],
        )
    if report.left_out:
        yield say("Left out, and in how many spells:")
    for why, count in report.left_out[:MOST_SHOWN]:
        yield say("  {count} × {what}", count=count, what=why)
    if len(report.left_out) > MOST_SHOWN:
        yield say("  and rarer ones: {count}", count=len(report.left_out) - MOST_SHOWN)
    if not report.classes:
        yield say("No class was in it: save the answers of `breeds` and `spell-variants` too.")
    if not report.grades:
        yield say("No spell's rules were in it: save the answers of `spell-levels` too.")


def _wrong_with(report: Report) -> Iterable[str]:
    """Returns what is wrong with the data themselves, as messages: a player must not miss it."""
    if report.missing:
        yield say("Fields that the data lack (has the game been updated?), and in how many records:")
        yield from _fields(report.missing)
    if report.odd:
        yield say("Fields that hold what is not understood, and in how many records:")
        yield from _fields(report.odd)
    for file, (count, fields) in list(report.strange.items())[:MOST_SHOWN]:
        yield say(
            "{file}: {count} objects of no kind that is known, such as one with the fields {fields}.",
            file=file,
            count=count,
            fields=fields,
        )
    if report.unknown:
        yield say("Not known of monsters, and of how many:")
        for why, count in report.unknown[:MOST_SHOWN]:
            yield say("  {count} × {what}", count=count, what=why)
        if len(report.unknown) > MOST_SHOWN:
            yield say("  and rarer ones: {count}", count=len(report.unknown) - MOST_SHOWN)
    if report.absent["class"]:
        yield say("Spells that classes name and that are not there: {count}.", count=report.absent["class"])
    if report.absent["monster"]:
        yield say(
            "Spells that monsters name and that are not there: {count}.", count=report.absent["monster"]
        )
    if report.absent["named"]:
        yield say("Spells without a name, called by their number: {count}.", count=report.absent["named"])
    if report.never:
        named = (say("{kind}: {field}", kind=say(KINDS[kind]), field=name) for kind, name in report.never)
        yield say("In no record, and taken as no or none: {fields}.", fields=listed(named))
    if +report.twice:
        parts = (
            say("{count} {what}", count=count, what=say(_TWICE[kind])) for kind, count in report.twice.items()
        )
        yield say("Told twice and differently, the fuller record was kept: {what}.", what=listed(parts))
    for dump, files in report.passed_over.items():
        yield passed_over(dump, files)


def _fields(counts: Counter[tuple[str, str]]) -> Iterable[str]:
    for (kind, name), count in counts.most_common(MOST_SHOWN):
        yield say("  {count} × {what}", count=count, what=_named(kind, name))
    if len(counts) > MOST_SHOWN:
        yield say("  and rarer ones: {count}", count=len(counts) - MOST_SHOWN)


def _named(kind: str, name: str) -> str:
    return say("{kind}: {field}", kind=say(KINDS[kind]), field=name)


def spell_lines(game: GameData, language: str) -> Iterable[str]:
    """Returns for each class its spells and how far each is understood, as messages."""
    for game_class in game.classes:
        yield say("{name} ({key})", name=game_class.names.called(language), key=game_class.key)
        for spell in game.spells_of(game_class):
            name, verdict = spell.names.called(language), say(VERDICTS[spell.verdict])
            if spell.left_out:
                yield say(
                    "  {name}: {verdict}; left out: {what}",
                    name=name,
                    verdict=verdict,
                    what=listed(spell.left_out),
                )
            else:
                yield say("  {name}: {verdict}", name=name, verdict=verdict)


def plain_report(report: Report) -> Mapping[str, Any]:
    return {
        "classes": report.classes,
        "spells": report.spells,
        "grades": report.grades,
        "class_spells": report.class_spells,
        "monsters": report.monsters,
        "states": report.states,
        "maps": report.maps,
        "languages": list(report.languages),
        "verdicts": dict(report.verdicts),
        "class_verdicts": {name: report.class_verdicts[name] for name in (WHOLLY, PARTLY, NOT)},
        "monster_verdicts": {name: report.monster_verdicts[name] for name in (WHOLLY, PARTLY, NOT)},
        "missing": _counted(report.missing),
        "not_understood": _counted(report.odd),
        "never_there": [{"kind": kind, "field": name} for kind, name in report.never],
        "unknown_objects": [
            {"file": file, "objects": count, "fields": fields}
            for file, (count, fields) in report.strange.items()
        ],
        "unknown": [{"what": str(what), "monsters": count} for what, count in report.unknown],
        "absent_spells": {"of_classes": report.absent["class"], "of_monsters": report.absent["monster"]},
        "nameless_spells": report.absent["named"],
        "told_twice": dict(report.twice),
        "passed_over": dict(report.passed_over),
        "left_out": [{"what": str(what), "spells": count} for what, count in report.left_out],
        "seconds": round(report.seconds, 2),
    }


def _counted(counts: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"kind": kind, "field": name, "records": count} for (kind, name), count in counts.most_common()]

"""What an import brought, in words for a person and as plain values.

Next hop: `botapp.commands.knowledge` prints it, `botapp.ui.game` shows it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from botapp.content.game.data import GameData
from botapp.content.game.importing import Report
from botapp.content.game.spells import NOT, PARTLY, WHOLLY
from botapp.host.message import listed, mark, say

MOST_SHOWN = 12
VERDICTS = {
    WHOLLY: mark("judged wholly"),
    PARTLY: mark("judged in part"),
    NOT: mark("not advised"),
}
"""How far a spell of the game is understood, in words; message ids."""
_LANGUAGES = {"en": mark("names in English"), "fr": mark("names in French")}


def lines_of(report: Report) -> Iterable[str]:
    """Returns the report as lines, each a message."""
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
        yield say("With {languages}.", languages=listed(say(_LANGUAGES[one]) for one in report.languages))
    for title, counts in (
        (mark("Spells of classes: {wholly} judged wholly, {partly} in part, {not_judged} not advised."),
         report.class_verdicts),
        (mark("All spells: {wholly} judged wholly, {partly} in part, {not_judged} not advised."),
         report.verdicts),
    ):  # fmt: skip
        yield say(title, wholly=counts[WHOLLY], partly=counts[PARTLY], not_judged=counts[NOT])
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


def spell_lines(game: GameData, language: str) -> Iterable[str]:
    """Returns for each class its spells and how far each is understood, as messages."""
    for one in game.classes:
        yield say("{name} ({key})", name=one.names.called(language), key=one.key)
        for spell in game.spells_of(one):
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
    """Returns the report as plain values for JSON."""
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
        "left_out": [{"what": str(what), "spells": count} for what, count in report.left_out],
        "seconds": round(report.seconds, 2),
    }

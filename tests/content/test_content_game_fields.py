"""No field of the game's data is lost in silence: one that is renamed, removed or retyped is named."""

import copy
import json
import sqlite3
from contextlib import closing

import madeup_game as made
import pytest

from botapp.content.game.importing import import_game
from botapp.content.game.opening import GameDataError
from botapp.content.game.report_words import lines_of, plain_report
from botapp.content.game.store import current
from botapp.content.game.wanted import MAY_BE_ABSENT

INPUT = {
    "effectId": 97, "order": 0, "diceNum": 10, "diceSide": 20, "value": 0, "duration": 0, "delay": 0,
    "random": 0, "group": 0, "targetMask": "a,A", "triggers": "I", "dispellable": 1,
}  # fmt: skip
LEFT_OUT_BY_TOOLS = {name.split(".")[-1] for names in MAY_BE_ABSENT.values() for name in names}


def told_and_kept(game, folder):
    """Returns what the report of an import says, and all that was kept; None where it is refused."""
    folder.mkdir(parents=True, exist_ok=True)
    for service, records in game.items():
        (folder / f"{service}.json").write_text(json.dumps(made.page(records)), "utf-8")
    kept = folder / "kept"
    try:
        report = plain_report(import_game([folder], kept, replace=True)) | {"seconds": 0}
    except GameDataError as error:
        return str(error), None
    with closing(sqlite3.connect(current(kept))) as base:
        tables = [row[0] for row in base.execute("select name from sqlite_master where type = 'table'")]
        rows = {name: sorted(map(repr, base.execute(f"select * from {name}"))) for name in tables}
    rows.pop("meta", None)
    return report, rows


def paths_in(value, path=()):
    """Yields the paths of all fields in a value; of a list its elements share one path."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield (*path, name)
            yield from paths_in(inner, (*path, name))
    elif isinstance(value, list):
        for inner in value:
            yield from paths_in(inner, path)


def holders(value, path):
    """Yields the objects in a value that have the field at a path."""
    if isinstance(value, list):
        for inner in value:
            yield from holders(inner, path)
    elif isinstance(value, dict) and path[0] in value:
        if len(path) == 1:
            yield value
        else:
            yield from holders(value[path[0]], path[1:])


def other(value):
    """Returns a value of another kind that a careless reader would take for the same."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return True
    return {"list": "x", "dict": 7, "str": [value]}[type(value).__name__]


def as_number(value):
    return int(value) if isinstance(value, bool) else str(value) if isinstance(value, int) else 0


def rename(holder, name):
    holder[f"{name}Now"] = holder.pop(name)


CHANGES = {
    "renamed": rename,
    "removed": lambda holder, name: holder.pop(name),
    "retyped": lambda holder, name: holder.update({name: other(holder[name])}),
    "as a number or a text": lambda holder, name: holder.update({name: as_number(holder[name])}),
}

IN_ALL = ("renamed", "retyped")
"""What is changed in all records; the others in the first that has the field."""


def full():
    """Returns the made-up game with what only some records have."""
    game = made.small()
    game["spell-levels"][0]["effects"] += [
        made.effect(97, 9, 9, forClientOnly=True),
        made.effect(97, 5, 5, triggers="D", duration=2, effectTriggerDuration=3, order=2),
        made.effect(96, 1, 2, random=50, group=1, order=3),
        made.effect(91, 1, 2, random=50, group=1, order=4) | {"zone": "l1,3,10,4", "zoneFlags": "s"},
    ]
    del game["spell-levels"][0]["effects"][-1]["zoneDescr"]
    game["spells"][0] |= {"breedId": 1, "pairIndex": 0}
    game["breeds"][0]["spellPairs"] = [[1001, 1002], [1003, 1004]]
    game["monsters"][1]["grades"][0]["bonusCharacteristics"] = {"lifePoints": 50}
    game["monsters"][1]["grades"][0]["startingSpellId"] = 2001
    game["maps"][0]["cells"][282]["nonWalkableDuringFight"] = True
    return game


@pytest.mark.long
@pytest.mark.parametrize("service", list(made.small()))
@pytest.mark.parametrize("change", CHANGES)
def test_no_field_is_lost_in_silence(tmp_path, service, change):
    game = full()
    before = told_and_kept(game, tmp_path / "before")
    silent = []
    for number, path in enumerate(dict.fromkeys(paths_in(game[service]))):
        if change == "removed" and path[-1] in LEFT_OUT_BY_TOOLS:
            continue  # in one record: a tool that leaves it out where it is usual writes just that
        changed = copy.deepcopy(game)
        there = list(holders(changed[service], path))
        for holder in there if change in IN_ALL else there[:1]:
            CHANGES[change](holder, path[-1])
        report, rows = told_and_kept(changed, tmp_path / str(number))
        if rows is not None and report == before[0] and rows != before[1]:
            silent.append(".".join(path))
    assert silent == []


def a_class(**of_the_line):
    """Returns a class with one spell of one line, written by hand as a small tool would."""
    level = made.level(900, 1, [INPUT | of_the_line], [])
    return {
        "breeds": [made.breed(77, "Testclass", "Testclasse", [900])],
        "spells": [made.spell(900, "Testspell", "Testsort")],
        "spell-levels": [level],
    }


@pytest.mark.parametrize(
    ("area", "verdict", "shape"),
    [
        ({"zone": "C2,0,10,4"}, "wholly", ("circle", 2)),
        ({"zone": {"type": "C", "size": 2}}, "partly", ("circle", 2)),
        ({"zoneDescr": {"zoneShape": 67, "zoneSize": 2}}, "partly", ("circle", 2)),
        ({"zoneDescr": {"shape": 67, "radius": 2}}, "partly", ("circle", 2)),
        ({"zoneDescr": {"shape": "P"}}, "wholly", ("point", 0)),
        ({"zoneDescr": {"form": 67}, "rawZone": "C2"}, "partly", ("circle", 2)),
        ({"zoneDescr": {"shape": 67}}, "not", None),
        ({"zoneDescr": {"shape": 67, "param1": True}}, "not", None),
        ({"zone": [67, 2, 0, 0]}, "not", None),
        ({"zone": 12}, "not", None),
        ({"zone": ""}, "not", None),
        ({"zone": "C"}, "not", None),
        ({"zone": "Cx"}, "not", None),
        ({}, "not", None),
    ],
)  # fmt: skip
def test_an_area_is_read_where_its_meaning_is_plain_and_named_where_it_is_not(
    base, tmp_path, area, verdict, shape
):
    game = made.small()
    small = a_class(**area)
    game = {name: [*records, *small.get(name, [])] for name, records in game.items()}
    made.brought(base, tmp_path, game)
    found, why = base.game.judged(900)
    assert found == verdict
    assert bool(why) == (verdict != "wholly")
    effects = base.game.spell("game-900-1").spell.effects
    assert [(one.shape.value, one.radius) for one in effects] == ([shape] if shape else [])
    assert all("effects.zone" in str(one) for one in why)


@pytest.mark.parametrize(
    ("where", "changes", "said"),
    [
        ("monsters", {"grades": "five"}, "monster: grades"),
        ("monsters", {"spellGrades": 3}, "monster: spellGrades"),
        ("spell-levels", {"castInLine": "false"}, "spell level: castInLine"),
        ("spell-levels", {"castTestLos": 1}, "spell level: castTestLos"),
        ("spell-levels", {"apCost": "3"}, "spell level: apCost"),
        ("spell-levels", {"effects": ["x"]}, "spell level: effects"),
        ("spell-levels", {"maxCastPerTurn": True}, "spell level: maxCastPerTurn"),
        ("spell-states", {"cantBeMoved": "false"}, "state: cantBeMoved"),
        ("spells", {"name": 5}, "spell: name"),
    ],
)
def test_what_holds_something_else_than_it_should_is_named_and_never_judged_wholly(
    base, tmp_path, where, changes, said
):
    game = made.small()
    for record in game[where]:
        record.update(changes)
    report = made.brought(base, tmp_path, game)
    told = [str(line) for line in lines_of(report)]
    assert any(line.endswith(f"× {said}") for line in told), told
    assert "Fields that hold what is not understood, and in how many records:" in told
    if where in ("monsters", "spell-levels"):
        assert (report.monster_verdicts if where == "monsters" else report.verdicts)["wholly"] == 0


def test_a_spell_that_gives_a_state_that_is_not_understood_is_judged_in_part(base, tmp_path):
    game = made.small()
    game["spell-states"][0]["cantBeMoved"] = "false"
    made.brought(base, tmp_path, game)
    assert f"what a state does (number {made.DRUNK})" in base.game.judged(1003)[1]


@pytest.mark.parametrize(
    ("lines", "criterion"),
    [
        ([made.effect(950, 0, 0, 4711)], ""),
        ([made.effect(951, 0, 0, 4711)], ""),
        ([made.effect(97, 5, 9, targetMask="a,A,E4711")], ""),
        ([made.effect(97, 5, 9, triggers="EON4711")], ""),
        ([], "HS=4711"),
    ],
    ids=["gives", "takes", "asks", "waits", "is cast"],
)
def test_what_depends_on_a_state_that_is_in_no_data_is_in_part_and_says_so(base, tmp_path, lines, criterion):
    game = made.small()
    blow = next(one for one in game["spell-levels"] if one["spellId"] == 1002)
    blow["effects"] += lines
    blow["statesCriterion"] = criterion
    report = made.brought(base, tmp_path, game)
    said = "a state that is not in the data (number 4711)"
    assert base.game.judged(1002) == ("partly", (said,))
    assert any(str(told).endswith(f"× {said}") for told in lines_of(report))
    game["spell-states"].append(made.state(4711, "Dizzy", "Étourdi"))
    made.brought(base, tmp_path, game)
    assert base.game.judged(1002) == ("wholly", ())


def test_a_file_of_objects_that_are_none_of_the_games_is_named_with_their_fields(base, tmp_path):
    game = made.small()
    for one in game["spells"]:
        one["levelsNow"] = one.pop("spellLevels")
    report = made.brought(base, tmp_path, game)
    told = [str(line) for line in lines_of(report)]
    assert any(
        line.startswith("spells.json: 6 objects of no kind that is known") and "levelsNow" in line
        for line in told
    )
    assert "Spells without a name, called by their number: 6." in told


def test_values_that_a_file_says_for_what_its_effects_leave_out_are_taken(base, tmp_path):
    game = made.small()
    line = made.effect(97, 5, 5, triggers="D", duration=2)
    del line["effectTriggerDuration"]
    game["spell-levels"].append(made.level(950, 1, [line]))
    made.brought(base, tmp_path, game)
    assert base.game.judged(950)[1] == ("a field that the data lack: effects.effectTriggerDuration",)
    folder = made.write(tmp_path / "defaults", game)
    told = {"effectDefaults": {"effectTriggerDuration": 0}, "levels": game["spell-levels"]}
    (folder / "spell-levels.json").write_text(json.dumps(told), "utf-8")
    base.import_game([folder])
    assert base.game.judged(950)[0] == "wholly"


def test_an_import_without_any_use_says_which_fields_are_at_fault(base, tmp_path):
    monster = made.monster(5001, "Testmonster", "Testmonstre", [])
    monster["ranks"] = monster.pop("grades")
    with pytest.raises(GameDataError, match="Missing or not understood are the fields grades"):
        made.brought(base, tmp_path, {"monsters": [monster]})

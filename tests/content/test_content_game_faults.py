"""Data of the game that are not what they should be are told in words, and never guessed at."""

import json
import os
import resource
import signal
import sqlite3
import time
import zipfile

import madeup_game as made
import pytest
from typer.testing import CliRunner

from botapp.commands.cli import app
from botapp.content.game import opening, reading
from botapp.content.game.comparing import PoorerImportError
from botapp.content.game.importing import import_game
from botapp.content.game.reading import GameDataError
from botapp.content.game.report_words import lines_of, plain_report
from botapp.content.game.store import GameStore, current, former
from botapp.content.knowledge.base import KnowledgeBase, knowledge
from botapp.content.knowledge.entry import EntryKind
from botapp.fight.spells import EffectKind, Element
from botapp.tracking.bestiary import arena_bestiary

NEW = {
    "neutralResistance": "reductionNeutral", "earthResistance": "reductionEarth",
    "fireResistance": "reductionFire", "waterResistance": "reductionWater", "airResistance": "reductionAir",
    "paDodge": "paLostDodge", "pmDodge": "mpLostDodge", "bonusRange": "rangeBonus",
}  # fmt: skip
ONLY_NEW = {
    **{f"reduction{one}Flat": 0 for one in ("Neutral", "Earth", "Fire", "Water", "Air")},
    **{f"{one}DamageBonus": 0 for one in ("neutral", "earth", "fire", "water", "air")},
    "initiativeBonus": 500, "tackleBonus": 20, "tackleEvade": 10, "damageBonus": 0, "percentDamageBonus": 0,
    "healBonus": 0, "criticalHitBonus": 0, "criticalDamageBonus": 0, "criticalDamageReduction": 0,
    "pushDamageBonus": 0, "pushDamageReduction": 0, "apAttack": 0, "mpAttack": 0, "maxSummon": 1,
}  # fmt: skip


@pytest.fixture
def base(tmp_path):
    return KnowledgeBase(tmp_path / "knowledge")


def brought(base, tmp_path, game, **how):
    """Imports a game that is made up, as a folder; returns the report."""
    return base.import_game([made.write(tmp_path / f"game-{time.monotonic_ns()}", game)], **how)


def as_37(game):
    """Returns a game whose monsters have the field names of version 3.7."""
    for monster in game["monsters"]:
        monster["grades"] = [
            {NEW.get(name, name): value for name, value in grade.items()} | ONLY_NEW
            for grade in monster["grades"]
        ]
    return game


def words(report):
    return [str(line) for line in lines_of(report)]


# What may be opened, for how long


@pytest.fixture
def quick():
    """Ends a test that waits for a pipe or reads without end."""

    def late(*_):
        raise AssertionError("it does not end")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def refused(base, path, said):
    with pytest.raises(GameDataError) as caught:
        base.import_game([path])
    text = str(caught.value)
    assert said in text
    assert "\n" not in text
    assert base.game is None
    assert not base.game_folder.exists() or not list(base.game_folder.iterdir())
    return text


def test_a_pipe_and_a_device_are_refused_at_once(base, tmp_path, quick):
    os.mkfifo(tmp_path / "pipe.json")
    refused(base, tmp_path / "pipe.json", "it is no regular file")
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    refused(base, tmp_path / "zero.json", "it is no regular file")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    refused(base, tmp_path / "circle", "cannot be opened")
    refused(base, tmp_path, "no file to read")


def test_an_export_of_a_players_own_that_is_a_pipe_is_refused_too(tmp_path, quick):
    os.mkfifo(tmp_path / "pipe.toml")
    done = CliRunner().invoke(app, ["knowledge", "import", str(tmp_path / "pipe.toml")])
    assert "no regular file" in str(done.exception)


@pytest.mark.parametrize(
    ("filling", "megabytes"),
    [(b" ", 900), (b"\n", 200), (b"{},", 200), (b"0,", 200), (b'"",', 200), (b"[],", 200)],
)
def test_a_zip_bomb_of_what_is_none_of_the_games_ends_within_seconds(
    base, tmp_path, quick, filling, megabytes
):
    bomb = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("bomb.json", "w") as file,
    ):
        file.write(b"[")
        for _ in range(megabytes):
            file.write(filling * ((1 << 20) // len(filling)))
        file.write(b"0]")
    begun = time.process_time()
    refused(base, bomb, "No data of the game were found")
    assert time.process_time() - begun < megabytes / 15  # the fault took two minutes of 900


def test_a_bomb_behind_a_record_is_told_of(base, tmp_path, quick):
    path = tmp_path / "bomb.json"
    path.write_bytes(json.dumps([made.spell(1, "A", "A")]).encode()[:-1] + b",{}" * 4_000_000 + b"]")
    refused(base, path, "far too much that is none of the game's")


def test_the_whole_import_is_bounded_in_time_and_in_records(base, tmp_path, monkeypatch):
    game = made.write(tmp_path / "game", made.small())
    monkeypatch.setattr(opening, "MOST_RECORDS", 10)
    refused(base, game, "far too much data")
    monkeypatch.setattr(opening, "MOST_RECORDS", 1000)
    monkeypatch.setattr(opening, "LONGEST_S", -1.0)
    refused(base, game, "took longer than")


def test_a_zip_whose_list_of_files_is_endless_is_refused_before_it_is_read(base, tmp_path):
    path = tmp_path / "many.zip"
    end = b"PK\x05\x06" + bytes(8) + (1 << 30).to_bytes(4, "little") + bytes(6)
    path.write_bytes(b"PK\x03\x04" + bytes(100) + end)
    refused(base, path, "far too large a zip")


def test_a_zip_that_is_packed_in_an_unknown_way_is_told_of(base, tmp_path):
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("spells.json", json.dumps(made.small()["spells"]))
    data = path.read_bytes()
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        place = data.index(mark) + at
        data = data[:place] + (98).to_bytes(2, "little") + data[place + 2 :]
    path.write_bytes(data)
    refused(base, path, "packed in a way that is not known here")


def test_a_damaged_zip_that_is_quoted_is_told_of_in_one_readable_line(base, tmp_path):
    """The name in the file's head is thousands of letters, lines and a terminal's commands among them."""
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("spells.json", "\n\x1b[31m" * 4000)
    data = path.read_bytes()
    path.write_bytes(data[:26] + (9000).to_bytes(2, "little") + data[28:])
    line = refused(base, path, "damaged")
    assert len(line) < 600 and line.isprintable()


# What other people's files are


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("Monsters.json", json.dumps([{"id": 31, "nameId": 12, "grades": [], "spells": []}]), "D2O"),
        ("Items.json", json.dumps({"def": [{"memberName": "I"}], "data": [{"id": 1, "nameId": 3}]}), "D2O"),
        ("Breeds.json", json.dumps([{"id": 1, "shortNameId": 3, "breedSpellsId": [1, 2]}]), "D2O"),
        ("SpellLevels.d2o.json", json.dumps([made.level(1)]), "D2O"),
        ("i18n_fr.json", json.dumps({"texts": {"1": "Un", "2": "Deux"}}), "D2I"),
        ("monstersdataroot.json", json.dumps({"objectsById": {}, "references": {"RefIds": []}}), "Unity"),
        ("spells.part2.json", '": 3}, {"id": 4}]', "one part of a larger file"),
        ("spells.json.part", '[{"id": 3}, {"na', "one part of a larger file"),
        ("spells.json.001", '[{"id": 3}, {"na', "one part of a larger file"),
        ("settings.toml", "[engine]\nstep_limit = 3\n", "TOML"),
        ("table.csv", "id,name,level\n1,a,2\n", "CSV"),
        ("page.json", "<!doctype html><html></html>", "a web page"),
        ("data.json", b"\x1f\x8b\x08\x00", "gzip"),
        ("data.json", b"\x89PNG\r\n\x1a\n", "a picture"),
        ("data.json", b"SQLite format 3\x00", "SQLite"),
    ],
)  # fmt: skip
def test_other_peoples_files_get_a_line_that_says_what_they_are(base, tmp_path, name, data, said):
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    text = refused(base, path, said)
    assert "spell-levels" in text
    assert "damaged" not in text


def test_a_dump_beside_the_games_data_is_passed_over_and_named(base, tmp_path):
    folder = made.write(tmp_path / "game", made.small())
    (folder / "Monsters.json").write_text(json.dumps([{"id": 31, "nameId": 1, "grades": [], "spells": []}]))
    report = base.import_game([folder])
    assert report.monsters == 2
    assert any("Passed over: 1 × a dump of version 2" in line for line in words(report))
    only = tmp_path / "only"
    only.mkdir()
    (folder / "Monsters.json").rename(only / "Monsters.json")
    with pytest.raises(GameDataError, match="D2O"):
        base.import_game([only])


def test_json_lines_and_what_powershell_saves_are_read(base, tmp_path):
    small = made.small()
    lines = tmp_path / "lines"
    lines.mkdir()
    for service, records in small.items():
        (lines / f"{service}.json").write_text("\n".join(json.dumps(one) for one in records), "utf-8")
    assert base.import_game([lines]).spells == 6
    wide = tmp_path / "wide"
    wide.mkdir()
    for service, records in small.items():
        (wide / f"{service}.json").write_text(json.dumps(made.page(records)), "utf-16")
    assert base.import_game([wide]).monsters == 2


# Fields that are not there


@pytest.mark.parametrize("version", ["3.6", "3.7"])
@pytest.mark.parametrize(
    "field",
    ["level", "lifePoints", "actionPoints", "movementPoints", "fireResistance", "neutralResistance"],
)  # fmt: skip
def test_a_monster_without_what_matters_is_not_judged_and_the_field_is_named(base, tmp_path, version, field):
    game = made.small() if version == "3.6" else as_37(made.small())
    name = field if version == "3.6" else NEW.get(field, field)
    for grade in game["monsters"][0]["grades"]:
        grade["renamed"] = grade.pop(name)
    report = brought(base, tmp_path, game)
    assert base.game.monster_template(3001) is None
    assert base.game.judged_monster(3001) == ("not", (f"a field that the data lack: {name}",))
    assert base.game.judged_monster(3002)[0] == "wholly"
    assert report.missing["monster", name] == 1
    assert dict(report.monster_verdicts) == {"not": 1, "wholly": 1}
    assert any(f"1 × monster: {name}" in line for line in words(report))
    assert {"kind": "monster", "field": name, "records": 1} in plain_report(report)["missing"]


@pytest.mark.parametrize(
    ("version", "field"),
    [("3.6", "wisdom"), ("3.6", "paDodge"), ("3.7", "reductionFireFlat"), ("3.7", "earthDamageBonus"),
     ("3.7", "tackleBonus"), ("3.7", "mpLostDodge")],
)  # fmt: skip
def test_a_monster_without_something_else_is_judged_in_part(base, tmp_path, version, field):
    game = made.small() if version == "3.6" else as_37(made.small())
    for grade in game["monsters"][0]["grades"]:
        grade["renamed"] = grade.pop(field)
    brought(base, tmp_path, game)
    assert base.game.judged_monster(3001) == ("partly", (f"a field that the data lack: {field}",))
    assert base.game.monster_template(3001).hp == 1000


def test_both_versions_make_the_same_monster(base, tmp_path):
    brought(base, tmp_path, made.small())
    before = base.game.monster_template(3001, 2)
    report = brought(base, tmp_path, as_37(made.small()))
    after = base.game.monster_template(3001, 2)
    assert not report.missing
    assert after.stats.resistance == before.stats.resistance == (5, 2, -5, 0, 10)
    assert (after.hp, after.ap, after.mp) == (before.hp, before.ap, before.mp)
    assert after.stats.initiative == before.stats.initiative + 500
    assert after.stats.lock == before.stats.lock + 20


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"lifePoints": -5}, "lifePoints: -5"),
        ({"lifePoints": 0}, "lifePoints: 0"),
        ({"lifePoints": None}, "lifePoints"),
        ({"actionPoints": -3}, "actionPoints: -3"),
        ({"movementPoints": None}, "movementPoints"),
    ],
)
def test_what_cannot_be_is_not_taken(base, tmp_path, changes, said):
    game = made.small()
    for grade in game["monsters"][0]["grades"]:
        grade.update(changes)
    brought(base, tmp_path, game)
    verdict, why = base.game.judged_monster(3001)
    assert verdict == "not"
    assert said in " ".join(why)
    assert base.fighter("monster-3001") is None


def test_what_the_data_lack_of_a_monster_is_only_assumed_in_a_fight_and_shown(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    game = made.small()
    for grade in game["monsters"][0]["grades"]:
        grade.pop("wisdom")
    game["monsters"][1]["spells"] = [2001, 2999]
    game["monsters"][1]["spellGrades"] *= 2
    base = knowledge()
    brought(base, tmp_path, game)
    bestiary = arena_bestiary()
    assert bestiary.find("monster-3001").assumed == {"stats"}
    assert bestiary.find("monster-3002").assumed == {"spells"}
    assert bestiary.find("monster-3001").max_hp == 400
    shown = CliRunner().invoke(app, ["knowledge", "show", "monster:monster-3002"])
    assert "not known: a spell that is not in the data (number 2999)" in shown.output
    shown = CliRunner().invoke(app, ["knowledge", "show", "spell:game-1003-1"])
    assert "not judged: changes of spells' costs" in shown.output


def test_one_bad_grade_costs_that_grade_alone(base, tmp_path):
    game = made.small()
    game["monsters"][0]["grades"][0]["lifePoints"] = None
    brought(base, tmp_path, game)
    assert [grade.grade for grade in base.game.grades(3001)] == [2, 3, 4, 5]
    assert base.game.judged_monster(3001)[0] == "partly"


def test_a_monster_without_grades_or_without_spells_is_found_and_told_of(base, tmp_path):
    game = made.small()
    game["monsters"][0]["grades"] = []
    del game["monsters"][1]["spells"]
    report = brought(base, tmp_path, game)
    assert base.game.judged_monster(3001) == ("not", ("grades: there are none",))
    assert base.game.judged_monster(3002) == ("partly", ("a field that the data lack: spells",))
    assert report.monsters == 2
    only = tmp_path / "monsters.json"
    for monster in game["monsters"]:
        monster.pop("spells", None)
    only.write_text(json.dumps(game["monsters"]))
    assert base.import_game([only], replace=True).monsters == 2


LEVEL_FIELDS = {
    "apCost": "not", "range": "not", "minRange": "not", "castInLine": "not", "castTestLos": "not",
    "effects": "not", "maxCastPerTurn": "partly", "maxCastPerTarget": "partly", "minCastInterval": "partly",
    "initialCooldown": "partly", "needFreeCell": "partly", "criticalHitProbability": "partly",
    "statesCriterion": "partly",
}  # fmt: skip
LINE_FIELDS = ("effectId", "diceNum", "diceSide", "value", "duration", "targetMask", "triggers", "zoneDescr")


@pytest.mark.parametrize(("field", "verdict"), LEVEL_FIELDS.items())
def test_a_spell_without_a_field_says_so(base, tmp_path, field, verdict):
    game = made.small()
    level = next(one for one in game["spell-levels"] if one["spellId"] == 1002)
    level["renamed"] = level.pop(field)
    report = brought(base, tmp_path, game)
    assert base.game.judged(1002) == (verdict, (f"a field that the data lack: {field}",))
    assert base.game.judged(1001)[0] == "wholly"
    assert report.missing["level", field] == 1
    found = base.get(EntryKind.SPELL, "game-1002-1").value
    assert bool(found.effects) == (verdict != "not")


@pytest.mark.parametrize("field", LINE_FIELDS)
def test_a_spell_whose_lines_lack_a_field_is_not_judged(base, tmp_path, field):
    game = made.small()
    level = next(one for one in game["spell-levels"] if one["spellId"] == 1002)
    del level["effects"][0][field]
    report = brought(base, tmp_path, game)
    name = "zone" if field == "zoneDescr" else field
    verdict, why = base.game.judged(1002)
    assert verdict == "not"
    assert f"a field that the data lack: effects.{name}" in why
    assert report.missing["level", f"effects.{name}"] == 1


def test_what_a_spell_casts_says_so_too(base, tmp_path):
    game = made.small()
    inner = made.level(9, 1, [made.effect(97, 5)])
    del inner["effects"][0]["diceNum"]
    game["spell-levels"] += [inner, made.level(8, 1, [made.effect(1160, 9, 1)]), made.level(7, 1, [])]
    brought(base, tmp_path, game)
    assert base.game.judged(8) == ("not", ("a field that the data lack: effects.diceNum",))
    assert base.game.judged(7) == ("not", ("effects: there are none",))


# Records that contradict each other


@pytest.mark.parametrize("first", [True, False])
def test_of_two_records_the_fuller_one_is_kept(base, tmp_path, first):
    game = made.small()
    bare = made.level(1002, 1, [])
    game["spell-levels"] = [bare, *game["spell-levels"]] if first else [*game["spell-levels"], bare]
    poor = made.monster(3001, "Yard dog", "Chien de cour", []) | {"grades": []}
    game["monsters"] = [poor, *game["monsters"]] if first else [*game["monsters"], poor]
    nameless = {"id": 1001, "name": {}, "spellLevels": []}
    game["spells"] = [nameless, *game["spells"]] if first else [*game["spells"], nameless]
    report = brought(base, tmp_path, game)
    assert base.game.judged(1002)[0] == "wholly"
    assert base.game.monster_template(3001).hp == 1000
    assert base.game.names_of_spell("game-1001-2").name == "Hammer blow"
    assert dict(report.twice) == {"level": 1, "monster": 1, "spell": 1}
    assert any("Told twice and differently" in line for line in words(report))


def test_the_same_record_twice_is_no_contradiction(base, tmp_path):
    game = made.small()
    report = brought(base, tmp_path, {name: [*records, *records] for name, records in game.items()})
    assert not report.twice
    assert (report.spells, report.grades, report.class_spells) == (6, 15, 4)


def test_a_spell_that_a_monster_or_a_class_names_and_that_is_missing_is_told(base, tmp_path):
    game = made.small()
    game["monsters"][0]["spells"] = [2001, 2999, -1]
    game["monsters"][0]["spellGrades"] = ["1;1;1;1;1"] * 3
    game["breeds"][0]["breedSpellsId"] = [1001, 1003, 1999]
    report = brought(base, tmp_path, game)
    assert base.game.judged_monster(3001) == ("partly", ("a spell that is not in the data (number 2999)",))
    assert dict(report.absent) == {"class": 1, "monster": 1}
    assert "Spells that monsters name and that are not there: 1." in words(report)


def test_grades_of_a_spell_that_did_not_come_are_told(base, tmp_path):
    game = made.small()
    game["spell-levels"] = [
        one for one in game["spell-levels"] if (one["spellId"], one["grade"]) != (1001, 2)
    ]
    brought(base, tmp_path, game)
    assert base.game.judged(1001) == ("partly", ("grades that are not in the data",))


# Grades, and what is called


def test_a_monster_has_its_spells_at_the_grades_that_the_data_say(base, tmp_path):
    game = made.small()
    dog = game["monsters"][0]
    dog["grades"] = [dog["grades"][4], dog["grades"][0], dog["grades"][2]]
    dog["spellGrades"] = ["1,20;1,40;2,60;2,80;4,100"]
    brought(base, tmp_path, game)
    grades = base.game.grades(3001)
    assert [(grade.grade, grade.spells) for grade in grades] == [
        (1, ((2001, 1),)), (3, ((2001, 2),)), (5, ((2001, 4),)),
    ]  # fmt: skip
    assert base.game.judged_monster(3001) == ("partly", ("at which grade it has spell 2002",))
    assert base.game.monster_template(3001, 4).hp == 600


def test_a_spell_of_one_grade_needs_no_list(base, tmp_path):
    game = made.small()
    game["monsters"][0]["spells"] = [1002]
    game["monsters"][0]["spellGrades"] = []
    brought(base, tmp_path, game)
    assert base.game.grades(3001)[0].spells == ((1002, 1),)


def test_what_is_called_has_its_share_of_its_summoner(base, tmp_path):
    game = made.small()
    for grade in game["monsters"][1]["grades"]:
        grade["lifePoints"] = 0
        grade["strength"] = 10
        grade["bonusCharacteristics"] = {"lifePoints": 90, "strength": 50, "earthResistance": 100}
    brought(base, tmp_path, game)
    assert base.game.judged_monster(3002)[0] == "wholly"
    one = base.game.class_called("locksmith")
    template = base.game.class_template(one, 60)
    spells = base.game.spells(["game-1004-1"], template.stats, 1, template.hp)
    mouse = spells[0].effects[0].summon
    assert mouse.hp == template.hp * 90 // 100
    assert mouse.stats.strength == 10 + template.stats.strength // 2
    assert mouse.stats.resistance[1] == 1 + template.stats.resistance[1]
    assert mouse.stats.resistance[2] == -5
    fitted = base.game.fitted(template)
    assert base.game.spell("game-1004-1").spell.effects[0].summon.hp == 1
    assert fitted.hp == template.hp


def test_a_summon_has_the_grade_that_is_asked_for_or_the_next_lower(base, tmp_path):
    game = made.small()
    mouse = game["monsters"][1]
    mouse["grades"] = [mouse["grades"][0], mouse["grades"][2], mouse["grades"][4]]
    call = next(one for one in game["spell-levels"] if one["spellId"] == 1004)
    for asked, hp in ((1, 200), (3, 600), (4, 600), (6, 1000)):
        call["effects"][0]["diceSide"] = asked
        brought(base, tmp_path, game)
        assert base.game.spell("game-1004-1").spell.effects[0].summon.hp == hp


def test_flat_damage_of_an_element_counts(base, tmp_path):
    game = as_37(made.small())
    for grade in game["monsters"][0]["grades"]:
        grade["strength"] = 100
        grade |= {f"{one}DamageBonus": 10 for one in ("neutral", "fire", "water", "air")}
        grade["earthDamageBonus"] = 30
    brought(base, tmp_path, game)
    template = base.game.monster_template(3001, 1)
    assert template.stats.damage == 10
    bite = next(spell for spell in template.spells if spell.name == "Bite").effects[0]
    assert (bite.kind, bite.element) == (EffectKind.DAMAGE, Element.EARTH)
    assert (bite.low, bite.high) == (5 + 10, 8 + 10)


# What takes the place of what


def test_a_useless_import_does_not_replace_a_good_one(base, tmp_path):
    brought(base, tmp_path, made.small())
    before = base.game.store.path
    game = made.small()
    game["spell-levels"] = game["spell-levels"][:1]
    with pytest.raises(PoorerImportError) as caught:
        brought(base, tmp_path, game)
    assert "spells that can be judged: 1 in place of 6" in str(caught.value)
    assert current(base.game_folder) == before
    assert KnowledgeBase(tmp_path / "knowledge").game.judged(1002)[0] == "wholly"
    brought(base, tmp_path, game, replace=True)
    assert base.game.judged(1002)[0] == "not"


def test_names_alone_are_refused_even_where_nothing_was_imported(base, tmp_path):
    folder = made.write(tmp_path / "game", {"breeds": made.small()["breeds"]})
    with pytest.raises(GameDataError, match="name things but do not say what they do"):
        base.import_game([folder])
    assert base.game is None


def test_the_former_import_can_be_brought_back_and_forth(base, tmp_path):
    assert not base.has_former
    with pytest.raises(GameDataError, match="no earlier import"):
        base.bring_back()
    brought(base, tmp_path, made.small())
    game = made.small()
    game["monsters"] = game["monsters"][:1]
    brought(base, tmp_path, game, replace=True)
    assert len(base.game.monsters) == 1
    base.bring_back()
    assert len(base.game.monsters) == 2
    assert former(base.game_folder) is not None
    base.bring_back()
    assert len(base.game.monsters) == 1
    assert base.problems == ()


def test_the_command_refuses_replaces_and_brings_back(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    game = made.write(tmp_path / "game", made.small())
    less = made.small()
    less["monsters"] = []
    poor = made.write(tmp_path / "poor", less)
    run = CliRunner()
    assert run.invoke(app, ["knowledge", "import-game", str(game)]).exit_code == 0
    refused = run.invoke(app, ["knowledge", "import-game", str(poor)])
    assert refused.exit_code == 1
    assert "--replace" in str(refused.exception)
    assert run.invoke(app, ["knowledge", "import-game", "--replace", str(poor)]).exit_code == 0
    back = run.invoke(app, ["knowledge", "bring-back"])
    assert "In use again: 1 classes and 2 monsters" in back.output
    found = run.invoke(app, ["knowledge", "find", "lancer de clef"])
    assert "spell:game-1002-1" in found.output


def test_things_are_found_by_their_name_in_any_language(base, tmp_path):
    game = made.small()
    game["spells"][1]["name"] |= {"es": "Lanzamiento de llave", "de": "Schlüsselwurf", "pt": "Arremesso"}
    game["monsters"][0]["name"] |= {"de": "Hofhund"}
    report = brought(base, tmp_path, game)
    assert report.languages == ("de", "en", "es", "fr", "pt")
    for query in ("Wrench throw", "lancer de clef", "lanzamiento", "schlusselwurf", "ARREMESSO"):
        assert base.find(query, EntryKind.SPELL)[0].key == "game-1002-1"
    assert base.find("hofhund")[0].key == "monster-3001"
    assert ("de", "Schlüsselwurf") in [name[1:] for name in base.game.store.names("spell", 1002)]
    assert base.find("morsure")[0].key == "game-2001-5"


# The disk


@pytest.mark.parametrize("room", [0, 4096, 60_000])
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path, room):
    folder = made.write(tmp_path / "game", made.large(2, 6, 2, 30))
    kept = tmp_path / "kept"
    import_game([folder], kept)
    before = sorted(kept.iterdir())
    pid = os.fork()
    if pid == 0:  # a process of its own, whose files may not grow
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
            import_game([folder], kept)
        except GameDataError as error:
            os._exit(3 if "cannot be kept" in str(error) else 4)
        except BaseException:
            os._exit(5)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
    assert sorted(kept.iterdir()) == before
    assert GameStore(current(kept)).monsters()


@pytest.mark.parametrize("by", ["the next import", "the next start"])
def test_what_a_killed_import_left_is_cleared(base, tmp_path, by):
    base.game_folder.mkdir(parents=True)
    for name in ("999999999-0123456789ab.part", "0123456789ab.part"):
        (base.game_folder / name).write_bytes(b"half")
    running = base.game_folder / f"{os.getppid()}-0123456789ab.part"
    running.write_bytes(b"half")
    if by == "the next start":
        assert KnowledgeBase(tmp_path / "knowledge").problems == ()
    else:
        brought(base, tmp_path, made.small())
    assert [path.name for path in base.game_folder.glob("*.part")] == [running.name]


def test_a_byte_that_has_changed_is_noticed(base, tmp_path):
    brought(base, tmp_path, made.small())
    path = base.game.store.path
    base.game.store.close()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(sqlite3.DatabaseError, match="have changed"):
        GameStore(path)
    other = KnowledgeBase(tmp_path / "knowledge")
    assert other.game is None
    assert "bring-back" in other.problems[0]


def test_what_an_older_app_imported_is_still_read(base, tmp_path):
    brought(base, tmp_path, made.small())
    path = base.game.store.path
    base.game.store.close()
    path.with_suffix(".check").unlink()
    older = sqlite3.connect(path)
    older.executescript(
        "update meta set value = '1' where name = 'format'; drop table called;"
        "alter table spells drop column icon; alter table monsters drop column portrait;"
        "alter table monsters drop column verdict; alter table monsters drop column why;"
    )
    fields = ["grade", "level", "lifePoints"]
    row = [1, 20, 200, 6, 3] + [0] * 32
    assert len(fields) == 3
    body = __import__("botapp.content.game.store", fromlist=["packed"]).packed([[row], [[2001, [2]]]])
    older.execute("update monsters set body = ? where id = 3001", (body,))
    older.commit()
    older.close()
    again = KnowledgeBase(tmp_path / "knowledge")
    assert again.problems == ()
    assert again.find("lancer de clef")[0].key == "game-1002-1"
    assert again.game.judged_monster(3001)[0] == "wholly"
    grade = again.game.grades(3001)[0]
    assert (grade.hp, grade.ap, grade.spells) == (200, 6, ((2001, 2),))
    brought(again, tmp_path, made.small())
    assert reading.LARGEST_FILE == 1 << 30

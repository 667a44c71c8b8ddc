"""What the game's records lack or contradict is told in words, and never guessed at."""

import madeup_game as made
import pytest
from typer.testing import CliRunner

from botapp.commands.cli import app
from botapp.content.game.report_words import lines_of, plain_report
from botapp.content.knowledge.base import knowledge
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


# Fields that are not there


@pytest.mark.slow
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
    report = made.brought(base, tmp_path, game)
    assert base.game.monster_template(3001) is None
    assert base.game.judged_monster(3001) == ("not", (f"a field that the data lack: {name}",))
    assert base.game.judged_monster(3002)[0] == "wholly"
    assert report.missing["monster", name] == 1
    assert dict(report.monster_verdicts) == {"not": 1, "wholly": 1}
    assert any(f"1 × monster: {name}" in line for line in words(report))
    assert {"kind": "monster", "field": name, "records": 1} in plain_report(report)["missing"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "field"),
    [("3.6", "wisdom"), ("3.6", "paDodge"), ("3.7", "reductionFireFlat"), ("3.7", "earthDamageBonus"),
     ("3.7", "tackleBonus"), ("3.7", "mpLostDodge")],
)  # fmt: skip
def test_a_monster_without_something_else_is_judged_in_part(base, tmp_path, version, field):
    game = made.small() if version == "3.6" else as_37(made.small())
    for grade in game["monsters"][0]["grades"]:
        grade["renamed"] = grade.pop(field)
    made.brought(base, tmp_path, game)
    assert base.game.judged_monster(3001) == ("partly", (f"a field that the data lack: {field}",))
    assert base.game.monster_template(3001).hp == 1000


def test_both_versions_make_the_same_monster(base, tmp_path):
    made.brought(base, tmp_path, made.small())
    before = base.game.monster_template(3001, 2)
    report = made.brought(base, tmp_path, as_37(made.small()))
    after = base.game.monster_template(3001, 2)
    assert not report.missing
    assert after.stats.resistance == before.stats.resistance == (5, 2, -5, 0, 10)
    assert (after.hp, after.ap, after.mp) == (before.hp, before.ap, before.mp)
    assert after.stats.initiative == before.stats.initiative + 500
    assert after.stats.lock == before.stats.lock + 20


@pytest.mark.slow
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
    made.brought(base, tmp_path, game)
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
    made.brought(base, tmp_path, game)
    bestiary = arena_bestiary()
    assert bestiary.find("monster-3001").assumed == {"stats"}
    assert bestiary.find("monster-3002").assumed == {"spells"}
    assert bestiary.find("monster-3001").max_hp == 400
    shown = CliRunner().invoke(app, ["knowledge", "show", "monster:monster-3002"])
    assert "not known: a spell that is not in the data (number 2999)" in shown.output
    shown = CliRunner().invoke(app, ["knowledge", "show", "spell:game-1003-1"])
    assert "not judged: changes of cooldowns" in shown.output


def test_one_bad_grade_costs_that_grade_alone(base, tmp_path):
    game = made.small()
    game["monsters"][0]["grades"][0]["lifePoints"] = None
    made.brought(base, tmp_path, game)
    assert [grade.grade for grade in base.game.grades(3001)] == [2, 3, 4, 5]
    assert base.game.judged_monster(3001)[0] == "partly"


def test_a_monster_without_grades_or_without_spells_is_found_and_told_of(base, tmp_path):
    game = made.small()
    game["monsters"][0]["grades"] = []
    del game["monsters"][1]["spells"]
    report = made.brought(base, tmp_path, game)
    assert base.game.judged_monster(3001) == ("not", ("grades: there are none",))
    assert base.game.judged_monster(3002) == ("partly", ("a field that the data lack: spells",))
    assert report.monsters == 2
    for monster in game["monsters"]:
        monster.pop("spells", None)
    only = {"monsters": game["monsters"]}
    assert made.brought(base, tmp_path, only, replace=True).monsters == 2


LEVEL_FIELDS = {
    "apCost": "not", "range": "not", "minRange": "not", "castInLine": "not", "castTestLos": "not",
    "effects": "not", "maxCastPerTurn": "partly", "maxCastPerTarget": "partly", "minCastInterval": "partly",
    "initialCooldown": "partly", "needFreeCell": "partly", "criticalHitProbability": "partly",
    "statesCriterion": "partly",
}  # fmt: skip
LINE_FIELDS = ("effectId", "diceNum", "diceSide", "value", "duration", "targetMask", "triggers", "zoneDescr")


@pytest.mark.slow
@pytest.mark.parametrize(("field", "verdict"), LEVEL_FIELDS.items())
def test_a_spell_without_a_field_says_so(base, tmp_path, field, verdict):
    game = made.small()
    level = next(one for one in game["spell-levels"] if one["spellId"] == 1002)
    level["renamed"] = level.pop(field)
    report = made.brought(base, tmp_path, game)
    assert base.game.judged(1002) == (verdict, (f"a field that the data lack: {field}",))
    assert base.game.judged(1001)[0] == "wholly"
    assert report.missing["level", field] == 1
    found = base.get(EntryKind.SPELL, "game-1002-1").value
    assert bool(found.effects) == (verdict != "not")


@pytest.mark.slow
@pytest.mark.parametrize("field", LINE_FIELDS)
def test_a_spell_whose_lines_lack_a_field_is_not_judged(base, tmp_path, field):
    game = made.small()
    level = next(one for one in game["spell-levels"] if one["spellId"] == 1002)
    del level["effects"][0][field]
    report = made.brought(base, tmp_path, game)
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
    made.brought(base, tmp_path, game)
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
    report = made.brought(base, tmp_path, game)
    assert base.game.judged(1002)[0] == "wholly"
    assert base.game.monster_template(3001).hp == 1000
    assert base.game.names_of_spell("game-1001-2").name == "Hammer blow"
    assert dict(report.twice) == {"level": 1, "monster": 1, "spell": 1}
    assert any("Told twice and differently" in line for line in words(report))


def test_the_same_record_twice_is_no_contradiction(base, tmp_path):
    game = made.small()
    report = made.brought(base, tmp_path, {name: [*records, *records] for name, records in game.items()})
    assert not report.twice
    assert (report.spells, report.grades, report.class_spells) == (6, 15, 4)


def test_a_spell_that_a_monster_or_a_class_names_and_that_is_missing_is_told(base, tmp_path):
    game = made.small()
    game["monsters"][0]["spells"] = [2001, 2999, -1]
    game["monsters"][0]["spellGrades"] = ["1;1;1;1;1"] * 3
    game["breeds"][0]["breedSpellsId"] = [1001, 1003, 1999]
    report = made.brought(base, tmp_path, game)
    assert base.game.judged_monster(3001) == ("partly", ("a spell that is not in the data (number 2999)",))
    assert +report.absent == {"class": 1, "monster": 1}
    assert "Spells that monsters name and that are not there: 1." in words(report)


def test_grades_of_a_spell_that_did_not_come_are_told(base, tmp_path):
    game = made.small()
    game["spell-levels"] = [
        one for one in game["spell-levels"] if (one["spellId"], one["grade"]) != (1001, 2)
    ]
    made.brought(base, tmp_path, game)
    assert base.game.judged(1001) == ("partly", ("grades that are not in the data",))


# Grades, and what is called


def test_a_monster_has_its_spells_at_the_grades_that_the_data_say(base, tmp_path):
    game = made.small()
    dog = game["monsters"][0]
    dog["grades"] = [dog["grades"][4], dog["grades"][0], dog["grades"][2]]
    dog["spellGrades"] = ["1,20;1,40;2,60;2,80;4,100"]
    made.brought(base, tmp_path, game)
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
    made.brought(base, tmp_path, game)
    assert base.game.grades(3001)[0].spells == ((1002, 1),)


def test_what_is_called_has_its_share_of_its_summoner(base, tmp_path):
    game = made.small()
    for grade in game["monsters"][1]["grades"]:
        grade["lifePoints"] = 0
        grade["strength"] = 10
        grade["bonusCharacteristics"] = {"lifePoints": 90, "strength": 50, "earthResistance": 100}
    made.brought(base, tmp_path, game)
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
        made.brought(base, tmp_path, game)
        assert base.game.spell("game-1004-1").spell.effects[0].summon.hp == hp


def test_flat_damage_of_an_element_counts(base, tmp_path):
    game = as_37(made.small())
    for grade in game["monsters"][0]["grades"]:
        grade["strength"] = 100
        grade |= {f"{one}DamageBonus": 10 for one in ("neutral", "fire", "water", "air")}
        grade["earthDamageBonus"] = 30
    made.brought(base, tmp_path, game)
    template = base.game.monster_template(3001, 1)
    assert template.stats.damage == 10
    bite = next(spell for spell in template.spells if spell.name == "Bite").effects[0]
    assert (bite.kind, bite.element) == (EffectKind.DAMAGE, Element.EARTH)
    assert (bite.low, bite.high) == (5 + 10, 8 + 10)


@pytest.mark.slow
def test_things_are_found_by_their_name_in_any_language(base, tmp_path):
    game = made.small()
    game["spells"][1]["name"] |= {"es": "Lanzamiento de llave", "de": "Schlüsselwurf", "pt": "Arremesso"}
    game["monsters"][0]["name"] |= {"de": "Hofhund"}
    report = made.brought(base, tmp_path, game)
    assert report.languages == ("de", "en", "es", "fr", "pt")
    for query in ("Wrench throw", "lancer de clef", "lanzamiento", "schlusselwurf", "ARREMESSO"):
        assert base.find(query, EntryKind.SPELL)[0].key == "game-1002-1"
    assert base.find("hofhund")[0].key == "monster-3001"
    assert ("de", "Schlüsselwurf") in [name[1:] for name in base.game.store.names("spell", 1002)]
    assert base.find("morsure")[0].key == "game-2001-5"

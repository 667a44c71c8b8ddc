"""A game made up by us in the form of the public database: nothing in it is of any real game but the form.

`python tests/madeup_game.py FOLDER [--classes 20 --spells 40 --grades 6 --monsters 4000]` writes one.
"""

import argparse
import json
import random
import time
from pathlib import Path
from typing import Any

Fields = dict[str, Any]

ROOTED, DRUNK, MARKED, SILENT = 97, 498, 700, 701


def effect(number: int, first: int = 0, second: int = 0, third: int = 0, **more: Any) -> Fields:
    zone = more.pop("zone", "P1")
    given = {
        "effectId": number, "order": 0, "diceNum": first, "diceSide": second, "value": third, "duration": 0,
        "delay": 0, "random": 0, "group": 0, "targetMask": "a,A", "triggers": "I", "dispellable": 1,
        "effectElement": -1, "effectTriggerDuration": 0, "effectUid": 1, "visibleInTooltip": True,
        "zoneDescr": zone_descr(zone),
    }  # fmt: skip
    return given | more


def zone_descr(written: str) -> Fields:
    """Returns an area such as "C2" or "X3,1" as an object."""
    size, _, inner = written[1:].partition(",")
    return {
        "shape": ord(written[0]), "param1": int(size or 0), "param2": int(inner or 0),
        "damageDecreaseStepPercent": 10, "maxDamageDecreaseApplyCount": 4, "isStopAtTarget": False,
        "cellIds": [],
    }  # fmt: skip


def level(spell: int, grade: int = 1, effects: Any = (), critical: Any = (), **more: Any) -> Fields:
    given = {
        "id": spell * 10 + grade, "spellId": spell, "grade": grade, "apCost": 3, "minRange": 1, "range": 6,
        "rangeCanBeBoosted": True, "castInLine": False, "castInDiagonal": False, "castTestLos": True,
        "needFreeCell": False, "needTakenCell": False, "needFreeTrapCell": False, "needVisibleEntity": False,
        "criticalHitProbability": 10, "maxStack": 1, "maxCastPerTurn": 2, "maxCastPerTarget": 0,
        "minCastInterval": 0, "initialCooldown": 0, "globalCooldown": 0, "minPlayerLevel": 1,
        "statesCriterion": "", "effects": list(effects), "criticalEffect": list(critical),
    }  # fmt: skip
    return given | more


def spell(number: int, name: str, name_fr: str, grades: int = 1) -> Fields:
    """Returns a spell as the database writes it, its levels apart."""
    return {
        "id": number, "name": {"id": "1", "en": name, "fr": name_fr}, "typeId": 1, "iconId": number,
        "spellLevels": [number * 10 + grade for grade in range(1, grades + 1)],
    }  # fmt: skip


def breed(number: int, name: str, name_fr: str, spells: list[int]) -> Fields:
    return {"id": number, "shortName": {"en": name, "fr": name_fr}, "breedSpellsId": spells, "complexity": 2}


def variants(breed: int, *spells: int) -> Fields:
    """Returns a pair of spells of which a class has one on its bar."""
    return {"id": spells[0], "breedId": breed, "spellIds": list(spells)}


def monster(number: int, name: str, name_fr: str, spells: list[int], grades: int = 5, **more: Any) -> Fields:
    return {
        "id": number, "name": {"en": name, "fr": name_fr}, "race": 1, "gfxId": number, "spells": spells,
        "spellGrades": [";".join(f"{grade},{20 * grade}" for grade in range(1, grades + 1)) for _ in spells],
        "grades": [monster_grade(grade, **more) for grade in range(1, grades + 1)],
    }  # fmt: skip


def monster_grade(grade: int, **more: Any) -> Fields:
    return {
        "grade": grade, "level": 20 * grade, "lifePoints": 200 * grade, "actionPoints": 6,
        "movementPoints": 3, "strength": 40 * grade, "intelligence": 30, "chance": 20, "agility": 50,
        "wisdom": 10, "neutralResistance": 5, "earthResistance": grade, "fireResistance": -5,
        "waterResistance": 0, "airResistance": 10, "paDodge": 4, "pmDodge": 6, "bonusRange": 0,
    } | more  # fmt: skip


def state(number: int, name: str, name_fr: str, **flags: bool) -> Fields:
    return {"id": number, "name": {"en": name, "fr": name_fr}, "preventsSpellCast": False, **flags}


def board(number: int) -> Fields:
    """Returns a map with two camps, a wall and a hole."""
    cells = [{"id": cell, "mov": True, "los": True} for cell in range(560)]
    cells[280] |= {"mov": False, "los": False}
    cells[281] |= {"mov": False}
    for cell in (100, 102, 104):
        cells[cell]["red"] = True
    for cell in (450, 452, 454):
        cells[cell]["blue"] = True
    return {"id": number, "name": {"en": "The yard", "fr": "La cour"}, "cells": cells}


def small() -> dict[str, list[Fields]]:
    """Returns a game of one class and two monsters in which every kind of record occurs."""
    return {
        "breeds": [breed(1, "Locksmith", "Serrurier", [1001, 1003])],
        "spell-variants": [variants(1, 1001, 1002), variants(1, 1003, 1004)],
        "spells": [
            spell(1001, "Hammer blow", "Coup de marteau", 2),
            spell(1002, "Wrench throw", "Lancer de clef"),
            spell(1003, "Oil can", "Burette d'huile"),
            spell(1004, "Clockwork mouse", "Souris mécanique"),
            spell(2001, "Bite", "Morsure", 5),
            spell(2002, "Roar", "Rugissement", 5),
        ],
        "spell-levels": [
            level(
                1001, 1, [effect(97, 10, 14), effect(5, 2)], [effect(97, 15, 19), effect(5, 2)]
            ),
            level(
                1001, 2, [effect(97, 20, 24), effect(5, 2)], [effect(97, 25, 29), effect(5, 2)],
                minPlayerLevel=50,
            ),
            level(1002, 1, [effect(99, 12, 16, zone="C2")], minPlayerLevel=60),
            level(1003, 1, [effect(950, 0, 0, DRUNK, duration=2), effect(1036, 1001, 0, 1, duration=2)]),
            level(
                1004, 1, [effect(181, 3002, 1)], needFreeCell=True, minPlayerLevel=30, castTestLos=False
            ),
            *(
                level(2001, grade, [effect(97, 5 * grade, 8 * grade, targetMask="A")], range=1)
                for grade in range(1, 6)
            ),
            *(
                level(
                    2002, grade, [effect(138, 20 * grade, duration=2, zone="C3", targetMask="a,E498")],
                    minRange=0, range=0,
                )
                for grade in range(1, 6)
            ),
        ],
        "monsters": [
            monster(3001, "Yard dog", "Chien de cour", [2001, 2002]),
            monster(3002, "Mouse", "Souris", [2001], actionPoints=3),
        ],
        "spell-states": [state(DRUNK, "Tipsy", "Éméché"), state(ROOTED, "Stuck", "Coincé", cantBeMoved=True)],
        "maps": [board(77)],
    }  # fmt: skip


def page(data: list[Fields], skip: int = 0, total: int | None = None) -> Fields:
    return {"total": len(data) if total is None else total, "limit": 50, "skip": skip, "data": data}


def write(folder: Path, game: dict[str, list[Fields]], rows: int = 0) -> Path:
    """Writes a game as one file for each service, or as pages of so many rows."""
    folder.mkdir(parents=True, exist_ok=True)
    for service, records in game.items():
        if rows:
            for skip in range(0, len(records), rows):
                there = folder / f"{service}-{skip}.json"
                there.write_text(json.dumps(page(records[skip : skip + rows], skip, len(records))), "utf-8")
        else:
            (folder / f"{service}.json").write_text(json.dumps(page(records)), "utf-8")
    return folder


def brought(base: Any, folder: Path, game: dict[str, list[Fields]], **how: Any) -> Any:
    """Has a knowledge base import a game, written to a new folder in this one; returns the report."""
    return base.import_game([write(folder / f"game-{time.monotonic_ns()}", game)], **how)


_MASKS = ("a,A", "A", "a", "g,A", "C", f"a,A,*E{DRUNK}", f"A,e{MARKED}", "a,P,F3001,F3002", "h,H", "c")
_ZONES = ("P1", "P1", "P1", "C2", "X1", "Q1", "G1", "T2", "V1", "L3", "a1", "U1", "+1", "O2")
_NUMBERS = (96, 97, 98, 99, 91, 950, 951, 5, 6, 1080, 1079, 1020, 138, 128, 116, 108, 1109, 4, 293, 776, 1075)


def large(classes: int, spells: int, grades: int, monsters: int, seed: int = 1) -> dict[str, list[Fields]]:
    """Returns a game of the size of a real one, drawn at random.

    Args:
        classes: how many classes.
        spells: how many spells each of them has, in pairs of variants.
        grades: how many grades each spell has.
        monsters: how many monsters; each has two spells of its own.
        seed: of the drawing.
    """
    rng = random.Random(seed)
    game: dict[str, list[Fields]] = {
        name: []
        for name in ("breeds", "spell-variants", "spells", "spell-levels", "monsters", "spell-states", "maps")
    }
    numbers = list(range(10_000, 10_000 + classes * spells + 2 * monsters))
    for number in numbers:
        game["spells"].append(spell(number, f"Spell {number}", f"Sort {number}", grades))
        lines = [_any_line(rng, numbers) for _ in range(rng.randint(2, 7))]
        for grade in range(1, grades + 1):
            game["spell-levels"].append(
                level(
                    number,
                    grade,
                    lines,
                    lines[:1],
                    minPlayerLevel=1 + 30 * (grade - 1),
                    apCost=rng.randint(2, 5),
                )
            )
    for place in range(classes):
        own = numbers[place * spells : (place + 1) * spells]
        game["breeds"].append(breed(place + 1, f"Class {place}", f"Classe {place}", own[::2]))
        for pair in zip(own[::2], own[1::2], strict=False):
            game["spell-variants"].append({"id": pair[0], "breedId": place + 1, "spellIds": list(pair)})
    for place in range(monsters):
        first = classes * spells + 2 * place
        game["monsters"].append(
            monster(3000 + place, f"Monster {place}", f"Monstre {place}", numbers[first : first + 2])
        )
    game["spell-states"] = [state(number, f"State {number}", f"État {number}") for number in range(1, 3000)]
    game["maps"] = [board(number) for number in range(20)]
    return game


def _any_line(rng: random.Random, spells: list[int]) -> Fields:
    more = {"targetMask": rng.choice(_MASKS), "zone": rng.choice(_ZONES), "duration": rng.randint(0, 3)}
    if rng.random() < 0.2:
        return effect(rng.choice((1160, 792)), rng.choice(spells), 1, **more)
    number = rng.choice(_NUMBERS)
    first = rng.randint(1, 4) if number in (5, 6, 1079, 1080, 128, 116) else rng.randint(10, 40)
    third = rng.choice((DRUNK, MARKED, SILENT, ROOTED))
    return effect(number, first, first + 4 if number in range(91, 100) else 0, third, **more)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    for option, usual in (("classes", 20), ("spells", 40), ("grades", 6), ("monsters", 4000)):
        parser.add_argument(f"--{option}", type=int, default=usual)
    asked = parser.parse_args()
    write(asked.folder, large(asked.classes, asked.spells, asked.grades, asked.monsters))

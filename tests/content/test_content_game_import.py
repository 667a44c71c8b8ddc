"""The game's data come in whole or not at all, whatever their files are called and hold."""

import json
import os
import subprocess
import sys
import zipfile

import madeup_game as made
import pytest

from botapp.content.game import reading
from botapp.content.game.reading import GameDataError
from botapp.content.game.store import current
from botapp.content.knowledge.base import KnowledgeBase
from botapp.content.knowledge.entry import EntryKind


@pytest.fixture
def game(tmp_path):
    return made.write(tmp_path / "game", made.small())


def summary(report):
    return report.classes, report.spells, report.grades, report.monsters, report.states, report.maps


WHOLE = (1, 6, 15, 2, 2, 1)


def test_a_folder_of_answers_becomes_classes_spells_monsters_and_maps(base, game):
    report = base.import_game([game])
    assert summary(report) == WHOLE
    assert report.languages == ("en", "fr")
    assert dict(report.verdicts) == {"wholly": 5, "partly": 1, "not": 0}
    assert report.class_spells == 4
    assert [(str(what), count) for what, count in report.left_out] == [("changes of cooldowns", 1)]


def test_files_are_known_by_what_is_in_them(base, game, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for number, path in enumerate(sorted(game.iterdir())):
        path.rename(other / f"{number}.txt")
    (other / "notes.md").write_text("# none of the game's", "utf-8")
    (other / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    (other / "else.json").write_text('{"version": 3, "list": [1, 2, 3]}', "utf-8")
    assert summary(base.import_game([other])) == WHOLE


def test_pages_zips_and_single_files_are_read_alike(base, game, tmp_path):
    paged = made.write(tmp_path / "paged", made.small(), rows=2)
    assert summary(base.import_game([paged])) == WHOLE
    packed = tmp_path / "all.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in game.iterdir():
            archive.write(path, f"data/{path.name}")
    assert summary(base.import_game([packed])) == WHOLE
    assert summary(base.import_game(sorted(game.iterdir()))) == WHOLE
    (tmp_path / "folder").mkdir()
    packed.rename(tmp_path / "folder" / "all.zip")
    assert summary(base.import_game([tmp_path / "folder"])) == WHOLE


def test_spells_with_their_levels_inside_and_short_areas_are_read_too(base, tmp_path):
    small = made.small()
    levels = small.pop("spell-levels")
    for one in levels:
        for line in (*one["effects"], *one["criticalEffect"]):
            shape = line.pop("zoneDescr")
            line["zone"] = f"{chr(shape['shape'])}{shape['param1']},{shape['param2']},10,4"
    for spell in small["spells"]:
        spell["levels"] = [one for one in levels if one["spellId"] == spell["id"]]
    file = tmp_path / "class-spells.json"
    linked = small["spells"][4:]
    file.write_text(json.dumps({"note": "", "spells": small["spells"][:4], "linkedSpells": linked}), "utf-8")
    rest = {"breeds": small["breeds"], "states": small["spell-states"], "monsters": small["monsters"]}
    (tmp_path / "rest.json").write_text(json.dumps(rest | {"pairs": small["spell-variants"]}), "utf-8")
    assert summary(base.import_game([file, tmp_path / "rest.json"])) == (1, 6, 15, 2, 2, 0)
    assert base.get(EntryKind.SPELL, "game-1002-1").table["effects"][0]["shape"] == "circle"


def test_a_file_too_large_to_be_read_at_once_is_read_piece_by_piece(base, game, monkeypatch):
    monkeypatch.setattr(reading, "LARGEST_PIECE", 6000)
    monkeypatch.setattr(reading, "CHUNK", 100)
    (game / "maps.json").unlink()
    assert summary(base.import_game([game])) == (*WHOLE[:-1], 0)


def test_a_new_import_replaces_the_old_one_whole(base, game, tmp_path):
    base.import_game([game])
    small = made.small()
    small["monsters"] = small["monsters"][:1]
    small["breeds"] = []
    base.import_game([made.write(tmp_path / "newer", small)], replace=True)
    assert base.game is not None
    assert base.game.classes == ()
    assert [named.name for named in base.game.find_monsters("")] == ["Yard dog"]
    names = sorted(path.name for path in (tmp_path / "knowledge" / "game").iterdir())
    assert names == ["game-1.check", "game-1.sqlite", "game-2.check", "game-2.sqlite"]


def test_the_players_own_changes_stay_on_top_of_a_new_import(base, game, tmp_path):
    base.import_game([game])
    blow = dict(base.get(EntryKind.SPELL, "game-1001-2").table)
    base.save(base.draft(EntryKind.SPELL, "game-1001-2", blow | {"ap": 1}))
    table = base.get(EntryKind.CLASS, "locksmith").table
    base.save(base.draft(EntryKind.CLASS, "mine", {**table, "name": "Mine", "name_fr": "Le mien"}))
    base.import_game([game])
    assert base.content.classes["mine"].spells[0].ap == 1
    assert base.get(EntryKind.CLASS, "locksmith").value.spells[0].ap == 3
    assert base.problems == ()


def test_another_process_sees_what_was_imported(base, game, tmp_path):
    other = KnowledgeBase(tmp_path / "knowledge")
    assert other.game is None
    base.import_game([game])
    assert other.refresh()
    assert other.fighter("monster-3001") is not None


def test_a_download_under_way_does_not_have_everything_read_anew(base, game, tmp_path):
    base.import_game([game])
    base.refresh()
    base.fetched_folder.mkdir()
    (base.fetched_folder / "breeds-1-0.json").write_text("{}", "utf-8")
    (base.game_folder / "half.part").write_bytes(b"")
    assert not base.refresh()
    base.import_game([game])
    assert KnowledgeBase(tmp_path / "knowledge").game is not None


def nothing_changed(base, path, *parts):
    """Sees to it that an import fails in one line that names these, and leaves everything as it was."""
    folder = base.game_folder
    before = sorted(folder.iterdir()) if folder.exists() else []
    with pytest.raises(GameDataError) as caught:
        base.import_game([path])
    text = str(caught.value)
    assert "\n" not in text
    for part in parts:
        assert part in text
    assert (sorted(folder.iterdir()) if folder.exists() else []) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is not JSON"),
        (b"MZ\x90\x00 a program", "is not"),
        (b"[\xff\xfe1]", "not text in UTF-8"),
        (b'[{"id": 1, ', "is damaged"),
        (b'[{"id": 1}] and more', "is damaged"),
        (b"[" * 200_000, "far too deep"),
        (b'{"a":' * 200_000, "far too deep"),
        (b"[" + b"0," * 3_000_000 + b"0]", "holds no data of the game"),
        (b"[1" + b"0" * 5_000_000 + b"]", "is damaged"),
        (b"[NaN]", "is damaged"),
        (b'{"version": 1}', "holds no data of the game"),
        (json.dumps([made.monster(1, "A", "A", []) | {"grades": [1] * 100}]).encode(), "grades"),
        (json.dumps([made.level(5, 1, [made.effect(97)] * 1000)]).encode(), "at most 256"),
        (json.dumps([made.board(1) | {"cells": []}]).encode(), "cells"),
        (json.dumps([made.level(5) | {"spellId": "five"}]).encode(), "spellId"),
    ],
)  # fmt: skip
def test_a_file_with_something_wrong_gets_one_line_and_changes_nothing(base, game, tmp_path, data, said):
    base.import_game([game])
    bad = tmp_path / "bad.json"
    bad.write_bytes(data)
    nothing_changed(base, bad, "bad.json", said)
    (game / "bad.json").write_bytes(data)
    assert base.game is not None
    assert len(base.game.classes) == 1


@pytest.mark.parametrize("name", ["../../home.json", "/etc/evil.json", "C:\\evil.json", "a/../../b.json"])
def test_a_zip_whose_names_lead_out_of_it_is_refused(base, tmp_path, name):
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), json.dumps(made.page(made.small()["breeds"])))
    nothing_changed(base, bad, "bad.zip", "leads out of the zip")


def test_a_zip_that_unpacks_to_far_too_much_is_refused(base, tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "LARGEST_FILE", 1_000_000)
    bad = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.json", b"0" * 3_000_000)
    assert bad.stat().st_size < 10_000
    nothing_changed(base, bad, "larger than 1 GB")


def test_a_damaged_zip_is_refused(base, game, tmp_path):
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in game.iterdir():
            archive.write(path, path.name)
    data = bytearray(bad.read_bytes())
    data[200:400] = b"\0" * 200
    bad.write_bytes(data)
    nothing_changed(base, bad, "bad.zip")


def test_an_empty_folder_and_a_missing_one_are_told(base, tmp_path):
    (tmp_path / "empty").mkdir()
    nothing_changed(base, tmp_path / "empty", "no file to read")
    nothing_changed(base, tmp_path / "missing", "missing", "cannot be opened")


def test_a_damaged_store_costs_the_import_alone(base, game, tmp_path):
    base.import_game([game])
    kept = current(tmp_path / "knowledge" / "game")
    assert kept is not None
    base.game.store.close()
    kept.write_bytes(b"no database" * 100)
    other = KnowledgeBase(tmp_path / "knowledge")
    assert other.game is None
    assert "Import the game's data anew" in other.problems[0]
    assert "warden" in other.content.classes


def test_names_are_cleaned_and_keys_never_take_those_of_the_app(base, tmp_path):
    small = made.small()
    small["breeds"][0]["shortName"] = {"en": "Warden", "fr": "Gardien"}
    small["monsters"][0]["name"] = {"en": "{{spell,1,1::Big}} <b>dog</b>\n\x00" + "x" * 500}
    base.import_game([made.write(tmp_path / "game", small)])
    assert [one.key for one in base.game.classes] == ["warden-1"]
    name = base.game.monster_template(3001).name
    assert name.startswith("Big dog xxx")
    assert len(name) <= 60
    assert base.fighter("warden") is base.content.classes["warden"]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("share", "most_mb"), [(10, 150), pytest.param(1, 250, marks=pytest.mark.long)], ids=["a tenth", "whole"]
)
def test_a_game_of_real_size_takes_little_memory(tmp_path, share, most_mb):
    """The whole one is what is promised; a tenth already shows what keeps too much in memory."""
    large = made.large(classes=20, spells=40 // share, grades=6, monsters=4000 // share)
    folder = made.write(tmp_path / "large", large)
    code = (
        "import sys; from pathlib import Path;"
        "from botapp.content.game.importing import import_game;"
        "report = import_game([Path(sys.argv[1])], Path(sys.argv[2]));"
        "used = next(line for line in open('/proc/self/status') if 'VmHWM' in line).split()[1];"
        "print(report.classes, report.monsters, used)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), str(tmp_path / "out")],
        capture_output=True, text=True, check=True, env=os.environ,
    )  # fmt: skip
    classes, monsters, kilobytes = map(float, done.stdout.split())
    assert (classes, monsters) == (20, 4000 // share)
    assert kilobytes < 1000 * most_mb, f"{kilobytes / 1000:.0f} MB"

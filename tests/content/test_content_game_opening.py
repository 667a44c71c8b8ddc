"""What is opened, and kept of it: no file of any kind ends the app, and no import harms the one before."""

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
from botapp.content.game.report_words import lines_of
from botapp.content.game.store import GameStore, current, former, packed
from botapp.content.knowledge.base import KnowledgeBase

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


def smaller(monkeypatch):
    """Sets what is read at once, and passed over, to a share that a test can afford."""
    for name, size in (("CHUNK", 1 << 14), ("LARGEST_PIECE", 1 << 16), ("LARGEST_GAP", 1 << 18)):
        monkeypatch.setattr(reading, name, size)


@pytest.mark.slow
@pytest.mark.parametrize("filling", [b"{},", b" ", b"0,", b'"",', b"[],"])
def test_a_zip_bomb_of_what_is_none_of_the_games_ends_within_seconds(
    base, tmp_path, quick, monkeypatch, filling
):
    assert reading.LARGEST_GAP <= 64 << 20
    smaller(monkeypatch)
    taken, read = [], zipfile.ZipExtFile.read
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda *args: taken.append(read(*args)) or taken[-1])
    bomb = tmp_path / "bomb.zip"
    data = b"[" + filling * ((4 << 20) // len(filling)) + b"0]"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("bomb.json", data)
    begun = time.process_time()
    refused(base, bomb, "No data of the game were found")
    assert time.process_time() - begun < 3
    assert 0 < sum(map(len, taken)) < 1 << 20, "it is read on though nothing in it is the game's"


@pytest.mark.slow
def test_a_bomb_behind_a_record_is_told_of(base, tmp_path, quick, monkeypatch):
    smaller(monkeypatch)
    path = tmp_path / "bomb.json"
    path.write_bytes(json.dumps([made.spell(1, "A", "A")]).encode()[:-1] + b",{}" * 250_000 + b"]")
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


@pytest.mark.slow
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
    assert any("Passed over: 1 × a dump of version 2" in line for line in map(str, lines_of(report)))
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


# What takes the place of what


def test_a_useless_import_does_not_replace_a_good_one(base, tmp_path):
    made.brought(base, tmp_path, made.small())
    before = base.game.store.path
    game = made.small()
    game["spell-levels"] = game["spell-levels"][:1]
    with pytest.raises(PoorerImportError) as caught:
        made.brought(base, tmp_path, game)
    assert "spells that can be judged: 1 in place of 6" in str(caught.value)
    assert current(base.game_folder) == before
    assert KnowledgeBase(tmp_path / "knowledge").game.judged(1002)[0] == "wholly"
    made.brought(base, tmp_path, game, replace=True)
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
    made.brought(base, tmp_path, made.small())
    game = made.small()
    game["monsters"] = game["monsters"][:1]
    made.brought(base, tmp_path, game, replace=True)
    assert len(base.game.monsters) == 1
    base.bring_back()
    assert len(base.game.monsters) == 2
    assert former(base.game_folder) is not None
    base.bring_back()
    assert len(base.game.monsters) == 1
    assert base.problems == ()


@pytest.mark.slow
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


# The disk


@pytest.mark.slow
def test_a_full_disk_is_told_and_leaves_nothing(tmp_path):
    folder = made.write(tmp_path / "game", made.large(2, 6, 2, 30))
    kept = tmp_path / "kept"
    import_game([folder], kept)
    before = sorted(kept.iterdir())
    for room in (0, 60_000):
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
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3, room
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
        made.brought(base, tmp_path, made.small())
    assert [path.name for path in base.game_folder.glob("*.part")] == [running.name]


def test_a_byte_that_has_changed_is_noticed(base, tmp_path):
    made.brought(base, tmp_path, made.small())
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
    made.brought(base, tmp_path, made.small())
    path = base.game.store.path
    base.game.store.close()
    path.with_suffix(".check").unlink()
    older = sqlite3.connect(path)
    older.executescript(
        "update meta set value = '1' where name = 'format'; drop table called;"
        "alter table spells drop column icon; alter table monsters drop column portrait;"
        "alter table monsters drop column verdict; alter table monsters drop column why;"
    )
    row = [1, 20, 200, 6, 3] + [0] * 32  # grade, level, lifePoints
    body = packed([[row], [[2001, [2]]]])
    older.execute("update monsters set body = ? where id = 3001", (body,))
    older.commit()
    older.close()
    again = KnowledgeBase(tmp_path / "knowledge")
    assert again.problems == ()
    assert again.find("lancer de clef")[0].key == "game-1002-1"
    assert again.game.judged_monster(3001)[0] == "wholly"
    grade = again.game.grades(3001)[0]
    assert (grade.hp, grade.ap, grade.spells) == (200, 6, ((2001, 2),))
    made.brought(again, tmp_path, made.small())
    assert reading.LARGEST_FILE == 1 << 30

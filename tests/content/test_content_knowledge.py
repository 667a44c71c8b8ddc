"""Nothing that a person taught the app is lost, overridden by an update, or taken over unchecked."""

import json
import os
import signal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from botapp.content.knowledge import base as knowledge_base
from botapp.content.knowledge import shelf
from botapp.content.knowledge.base import KnowledgeBase, knowledge
from botapp.content.knowledge.entry import EntryKind, KnowledgeError
from botapp.content.knowledge.shelf import knowledge_dir, write_file
from botapp.content.library import classes, content, maps, monsters, spells

GOBBLER = {
    "name": "Gobbler",
    "name_fr": "Gobe-tout",
    "level": 30,
    "hp": 222,
    "ap": 6,
    "mp": 4,
    "stats": {"strength": 40, "resistance": [0, 10, -5, 0, 0]},
    "spells": ["gulp", "gore"],
}
GULP = {
    "name": "Gulp",
    "ap": 4,
    "range": [1, 2],
    "effects": [{"kind": "damage", "element": "water", "low": 10, "high": 14}],
}


def taught(base, table=GOBBLER):
    base.save(base.draft(EntryKind.SPELL, "gulp", GULP))
    return base.save(base.draft(EntryKind.MONSTER, "gobbler", table))


def test_it_holds_what_the_arena_plays_with(base):
    assert base.content == content()
    assert {e.key for e in base.entries(EntryKind.CLASS)} == set(classes())
    assert {e.key for e in base.entries(EntryKind.MONSTER)} == set(monsters())
    assert {e.key for e in base.entries(EntryKind.SPELL)} == set(spells())
    assert {e.key for e in base.entries(EntryKind.MAP)} == set(maps())
    assert base.get(EntryKind.MONSTER, "golem").value is base.content.monsters["golem"]
    assert not any(entry.own for entry in base.entries())
    assert base.problems == ()


def test_nothing_is_written_by_reading(base, tmp_path):
    base.find("golem")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("golem", "golem"),
        ("GOLEM", "golem"),
        ("Sanglier", "boar"),
        ("sangler", "boar"),
        ("etincelle", "spark"),
        ("feu foll", "wisp"),
        ("Boule", "fireball"),
        ("pre aux saules", "willow_green"),
        ("#3A6FD9", "golem"),
    ],
)
def test_entries_are_found_by_key_and_by_name_without_accents_and_with_slips(base, query, key):
    assert base.find(query)[0].key == key


def test_finding_keeps_to_the_kind_and_the_limit(base):
    assert {e.kind for e in base.find("sh", EntryKind.SPELL)} == {EntryKind.SPELL}
    assert len(base.find("", limit=7)) == 7
    assert base.find("xyzzy quux") == ()
    assert base.find("#zzzzzz") == () and base.find("#12") == ()


@pytest.mark.slow
@given(st.text(max_size=30))
@settings(max_examples=10, deadline=None)
def test_any_query_gives_entries_and_no_error(query):
    found = knowledge_base.KnowledgeBase.find(_SHARED, query)
    assert len(found) <= 20


_SHARED = KnowledgeBase(knowledge_dir() / "nowhere")


def test_what_is_saved_is_there_for_everybody_who_reads_the_folder(base, folder):
    saved = taught(base)
    assert saved.own and saved.value.hp == 222 and saved.name_fr == "Gobe-tout"
    assert [spell.key for spell in saved.value.spells] == ["gulp", "gore"]
    assert saved.value.stats.resistance == (0, 10, -5, 0, 0)
    assert base.get(EntryKind.SPELL, "gulp").name_fr == "Gulp"
    again = KnowledgeBase(folder)
    assert again.get(EntryKind.MONSTER, "gobbler") == saved
    assert again.find("gobe")[0] == saved


def test_a_persons_entry_overrides_the_apps_everywhere_it_is_used(base):
    table = dict(base.get(EntryKind.SPELL, "cleave").table) | {"ap": 5}
    base.save(base.draft(EntryKind.SPELL, "cleave", table))
    assert base.get(EntryKind.SPELL, "cleave").own
    assert base.content.classes["warden"].spells[0].ap == 5
    assert spells()["cleave"].ap == 3
    base.forget(EntryKind.SPELL, "cleave")
    assert base.content.classes["warden"].spells[0].ap == 3
    assert base.versions(EntryKind.SPELL, "cleave")[0].table["ap"] == 5


def test_every_earlier_version_is_kept_and_can_be_brought_back(base):
    for hp in (222, 230, 240):
        taught(base, GOBBLER | {"hp": hp})
    assert [v.table["hp"] for v in base.versions(EntryKind.MONSTER, "gobbler")] == [222, 230]
    assert [v.number for v in base.versions(EntryKind.MONSTER, "gobbler")] == [1, 2]
    assert base.restore(EntryKind.MONSTER, "gobbler", 1).value.hp == 222
    assert [v.table["hp"] for v in base.versions(EntryKind.MONSTER, "gobbler")] == [222, 230, 240]
    with pytest.raises(KnowledgeError, match="no version 9"):
        base.restore(EntryKind.MONSTER, "gobbler", 9)


def test_what_is_forgotten_is_kept_in_the_history(base):
    taught(base)
    with pytest.raises(KnowledgeError, match=r"gulp is still needed .*gobbler"):
        base.forget(EntryKind.SPELL, "gulp")
    base.forget(EntryKind.MONSTER, "gobbler")
    with pytest.raises(KnowledgeError, match="no monster with the key 'gobbler'"):
        base.get(EntryKind.MONSTER, "gobbler")
    assert base.restore(EntryKind.MONSTER, "gobbler", 1).value.hp == 222
    with pytest.raises(KnowledgeError, match="comes with the app"):
        base.forget(EntryKind.MONSTER, "golem")


@pytest.mark.parametrize(
    ("kind", "key", "table", "message"),
    [
        (EntryKind.MONSTER, "x", GOBBLER | {"hp": 0, "spells": []}, r"monsters.x.hp: expected 1 to"),
        (EntryKind.MONSTER, "x", GOBBLER | {"hpp": 1}, r"monsters.x.hpp: no such field"),
        (EntryKind.MONSTER, "x", {"name": "X"}, r"monsters.x.level: missing; add it"),
        (EntryKind.MONSTER, "x", GOBBLER | {"spells": ["nothing"]}, r"spells\[0\]: no spell has the key"),
        (EntryKind.MONSTER, "../x", GOBBLER, "a key is a small letter"),
        (EntryKind.MONSTER, "warden", GOBBLER | {"spells": []}, "classes.toml has this key already"),
        (EntryKind.CLASS, "golem", GOBBLER | {"spells": []}, "has this key already"),
        (EntryKind.SPELL, "x", GULP | {"effects": [{"kind": "heal", "low": None}]}, "low: expected a whole"),
        (EntryKind.SPELL, "x", GULP | {"range": [2, 1]}, "spells.x.range: expected .nearest"),
        (
            EntryKind.SPELL,
            "x",
            GULP | {"effects": [{"kind": "summon", "summon": "x"}]},
            "no monster has the key",
        ),
        (EntryKind.MAP, "x", {"name": "X", "seed": -3}, "maps.x.seed"),
        (EntryKind.MAP, "x", {"name": "X", "cells": ["#" * 14] * 40, "red": [1], "blue": [2]}, "not floor"),
        (EntryKind.MAP, "x", {"name": "X", "cells": ["#" * 14], "red": [1], "blue": [2]}, "expected 40 rows"),
        (EntryKind.MAP, "x", {"name": "X", "cells": ["?" * 14] * 40, "red": [], "blue": []}, "14 letters"),
    ],
)
def test_what_is_wrong_is_refused_with_its_field(base, kind, key, table, message, folder):
    with pytest.raises(KnowledgeError, match=message):
        base.save(base.draft(kind, key, table))
    assert not folder.exists()


def test_a_map_can_be_given_by_its_cells(base, folder):
    rows = ["_" * 14] * 40
    rows[20] = "___oo____##___"
    drawn = base.save(
        base.draft(EntryKind.MAP, "yard", {"name": "Yard", "cells": rows, "red": [0, 1], "blue": [558, 559]})
    )
    board = drawn.value.board
    assert board.red_starts == (0, 1) and board.cells[20 * 14 + 3] == 2 and board.cells[20 * 14 + 9] == 0
    assert KnowledgeBase(folder).get(EntryKind.MAP, "yard") == drawn


def test_export_and_import_carry_entries_with_what_they_need(base, tmp_path):
    saved = taught(base)
    file = tmp_path / "share.toml"
    assert {
        e.key for e in base.export([(EntryKind.MONSTER, "gobbler"), (EntryKind.CLASS, "leech")], file)
    } == {
        "gobbler",
        "gulp",
        "leech",
    }
    other = KnowledgeBase(tmp_path / "other")
    kept = other.import_(file)
    assert {entry.key for entry in kept} == {"gobbler", "gulp"}
    assert other.get(EntryKind.MONSTER, "gobbler") == saved
    assert other.import_(file) == ()
    assert not other.get(EntryKind.CLASS, "leech").own


def test_an_import_is_all_or_nothing(base, tmp_path, folder):
    file = tmp_path / "share.toml"
    file.write_text(
        "format = 2\n[spells.fine]\nname = 'Fine'\nap = 1\nrange = [0, 0]\neffects = []\n"
        "[monsters.bad]\nname = 'Bad'\nhp = 'many'\nspells = []\nlevel = 1\nap = 1\nmp = 1\n"
    )
    with pytest.raises(KnowledgeError, match=rf"{file}, line 9: monsters.bad.hp: expected a whole number"):
        base.import_(file)
    assert not folder.exists()
    with pytest.raises(KnowledgeError, match="cannot be opened"):
        base.import_(tmp_path / "gone.toml")


def test_an_import_keeps_what_it_replaces(base, tmp_path):
    taught(base)
    file = tmp_path / "share.toml"
    base.export([(EntryKind.MONSTER, "gobbler")], file)
    file.write_text(file.read_text().replace("hp = 222", "hp = 111"))
    assert [entry.key for entry in base.import_(file)] == ["gobbler"]
    assert base.get(EntryKind.MONSTER, "gobbler").value.hp == 111
    assert base.versions(EntryKind.MONSTER, "gobbler")[0].table["hp"] == 222


def test_a_file_of_the_format_before_is_read(base, tmp_path, folder):
    file = tmp_path / "old.toml"
    file.write_text(
        "[gulp]\nname = 'Gulp'\nap = 4\nrange = [1, 2]\neffects = [{ kind = 'heal', low = 3 }]\n"
        "[gobbler]\nname = 'Gobbler'\nlevel = 9\nhp = 50\nap = 6\nmp = 3\npoints = 2\nspells = ['gulp']\n"
        "[eater]\nname = 'Eater'\nlevel = 9\nhp = 50\nap = 6\nmp = 3\nspells = ['gulp']\n"
    )
    assert {(e.kind, e.key) for e in base.import_(file)} == {
        (EntryKind.SPELL, "gulp"),
        (EntryKind.MONSTER, "gobbler"),
        (EntryKind.CLASS, "eater"),
    }
    assert (folder / "spell-gulp.toml").read_text().count("format = 2") == 1
    file.write_text("[thing]\nx = 1\n")
    with pytest.raises(KnowledgeError, match="line 1: thing: neither a spell, a class nor a monster"):
        base.import_(file)
    file.write_text(
        "[gobbler]\nname = 'Gobbler'\nlevel = 9\nhp = -1\nap = 6\nmp = 3\npoints = 2\nspells = []\n"
    )
    with pytest.raises(KnowledgeError, match=r"line 4: monsters\.gobbler\.hp"):
        base.import_(file)


def test_a_file_of_a_newer_format_is_refused_and_left_alone(base, tmp_path, folder):
    taught(base)
    path = folder / "monster-gobbler.toml"
    newer = path.read_text().replace("format = 2", "format = 3")
    path.write_text(newer)
    assert base.refresh()
    assert "format: 3 is newer" in base.problems[0] and "update the app" in base.problems[0]
    assert EntryKind.MONSTER not in {entry.kind for entry in base.entries() if entry.own}
    assert path.read_text() == newer


def test_one_broken_file_takes_nothing_else_with_it(base, folder):
    taught(base)
    base.save(base.draft(EntryKind.SPELL, "nap", GULP | {"name": "Nap"}))
    (folder / "spell-gulp.toml").write_text("format = 2\n[spells.gulp]\nap = ")
    (folder / "spell-other.toml").write_text("format = 2\n[spells.misnamed]\n")
    again = KnowledgeBase(folder)
    assert {entry.key for entry in again.entries() if entry.own} == {"nap"}
    assert len(again.problems) == 3
    assert any("not TOML" in problem for problem in again.problems)
    assert any("expected [spells.other] alone" in problem for problem in again.problems)
    assert any("no spell has the key 'gulp'" in problem for problem in again.problems)


def test_a_circle_of_summons_is_refused(base, folder):
    base.save(base.draft(EntryKind.MONSTER, "egg", GOBBLER | {"name": "Egg", "spells": ["gore"]}))
    lay = {"name": "Lay", "ap": 2, "range": [1, 1], "effects": [{"kind": "summon", "summon": "egg"}]}
    hen = base.save(base.draft(EntryKind.SPELL, "lay", lay))
    assert hen.value.effects[0].summon.hp == 222
    with pytest.raises(KnowledgeError, match=r"circle|again"):
        base.save(base.draft(EntryKind.MONSTER, "egg", GOBBLER | {"name": "Egg", "spells": ["lay"]}))
    assert base.get(EntryKind.MONSTER, "egg").value.spells[0].key == "gore"
    written = folder / "monster-egg.toml"
    written.write_text(written.read_text().replace('"gore"', '"lay"'))
    again = KnowledgeBase(folder)
    assert again.problems and "golem" in again.content.monsters


def test_a_folder_that_cannot_be_written_to_is_said(base, tmp_path):
    (tmp_path / "knowledge").write_text("a file where the folder should be")
    with pytest.raises(KnowledgeError, match="cannot be written"):
        base.save(base.draft(EntryKind.SPELL, "gulp", GULP))
    with pytest.raises(KnowledgeError, match="cannot be written"):
        base.export([(EntryKind.SPELL, "spark")], tmp_path / "knowledge" / "x.toml")


texts = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)
dice = st.integers(0, 200)


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=texts,
    name_fr=texts,
    ap=st.integers(0, 12),
    span=st.lists(st.integers(0, 63), min_size=2, max_size=2).map(sorted),
    low=dice,
    more=dice,
    free=st.booleans(),
)
def test_any_valid_spell_survives_saving(base, name, name_fr, ap, span, low, more, free, folder):
    table = {"name": name, "name_fr": name_fr, "ap": ap, "range": span, "needs_free_cell": free}
    table["effects"] = [{"kind": "damage", "low": low, "high": low + more}, {"kind": "heal", "low": low}]
    drafted = base.draft(EntryKind.SPELL, "any", table)
    base.save(drafted)
    again = KnowledgeBase(folder).get(EntryKind.SPELL, "any")
    assert (again.table, again.value, again.name_fr) == (table, drafted.value, name_fr)


def test_the_apps_own_base_notices_what_another_process_saved(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    assert knowledge() is knowledge()
    before = knowledge().revision
    taught(KnowledgeBase(knowledge_dir()))
    assert knowledge().get(EntryKind.MONSTER, "gobbler").own
    assert knowledge().revision == before + 1


def test_the_advisor_knows_what_was_added(tmp_path, monkeypatch):
    from botapp.tracking.bestiary import arena_bestiary
    from botapp.tracking.spellbook import preset, presets

    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    assert arena_bestiary() is arena_bestiary()
    assert arena_bestiary().find("gobbler").assumed
    own = KnowledgeBase(knowledge_dir())
    taught(own)
    own.save(own.draft(EntryKind.CLASS, "monk", GOBBLER | {"name": "Monk", "spells": ["gulp"]}))
    found = arena_bestiary().find("gobbler")
    assert (found.max_hp, found.assumed) == (222, frozenset())
    assert presets() == (*classes(), "monk")
    assert preset("monk").spells[0].name == "Gulp"


def run(capsys, *arguments):
    from botapp.commands.cli import main

    code = main(["knowledge", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.slow
def test_the_command_finds_shows_exports_and_imports(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    code, out, _ = run(capsys, "find", "sanglier")
    assert code == 0 and "monster:boar" in out and "Boar / Sanglier" in out
    assert json.loads(run(capsys, "find", "golem", "--kind", "monster", "--json")[1])[0]["key"] == "golem"
    assert run(capsys, "find", "xyzzy quux")[1] == "No match.\n"
    file = tmp_path / "out.toml"
    assert run(capsys, "export", "spell:spark", "monster:boar", "--to", file)[0] == 0
    file.write_text(file.read_text().replace("hp = 240", "hp = 241"))
    code, out, _ = run(capsys, "import", file)
    assert code == 0 and "monster:boar  Boar\n1 entries are new or changed.\n" in out
    file.write_text(file.read_text().replace("hp = 241", "hp = 242"))
    run(capsys, "import", file)
    code, out, _ = run(capsys, "show", "monster:boar")
    assert "your own" in out and "hp = 242" in out and "version 1 was kept" in out
    shown = json.loads(run(capsys, "show", "monster:boar", "--json")[1])
    assert shown["table"]["hp"] == 242 and shown["versions"][0]["table"]["hp"] == 241
    (tmp_path / "config" / "knowledge" / "spell-x.toml").write_text("?")
    code, out, err = run(capsys, "find", "boar")
    assert code == 0 and "(your own)" in out and "not TOML" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "monster:golm"), "Did you mean golem?"),
        (("show", "golem"), "KIND:KEY such as monster:golem"),
        (("export", "spell:spark", "--to", f"{__file__}/x.toml"), "cannot be made"),
        (("import", "/nowhere.toml"), "cannot be opened"),
    ],
)
def test_what_is_wrong_with_a_command_is_said_in_a_line(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    code, out, err = run(capsys, *arguments)
    assert code == 1 and out == "" and message in err and err.count("\n") == 1


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """A file of four entries that need each other, to be imported elsewhere."""
    tmp_path = tmp_path_factory.mktemp("several")
    base = KnowledgeBase(tmp_path / "from")
    taught(base)
    base.save(base.draft(EntryKind.SPELL, "chomp", {**GULP, "name": "Chomp"}))
    base.save(base.draft(EntryKind.SPELL, "nibble", {**GULP, "name": "Nibble"}))
    file = tmp_path / "all.toml"
    base.export([(entry.kind, entry.key) for entry in base.entries() if entry.own], file)
    return file


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no forks")
@pytest.mark.parametrize(
    "left", [0, 2, 5, *(pytest.param(left, marks=pytest.mark.long) for left in (1, 3, 4))]
)
def test_an_import_that_is_killed_is_there_whole_or_not_at_all(several, tmp_path, left):
    folder, written = tmp_path / "to", left
    pid = os.fork()
    if pid == 0:
        try:
            base, before = KnowledgeBase(folder), shelf.write_file

            def write(path, entries):
                nonlocal left
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1
                before(path, entries)

            shelf.write_file = write
            base.import_(several)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    again = KnowledgeBase(folder)
    own = {entry.key for entry in again.entries() if entry.own}
    assert own in (set(), {"gulp", "gobbler", "chomp", "nibble"})
    assert bool(own) == (written > 0)
    assert not list(folder.glob(".*")) and again.problems == ()


def test_an_import_that_the_disk_ends_is_undone(several, tmp_path, monkeypatch):
    base = KnowledgeBase(tmp_path / "to")
    taught(base, {**GOBBLER, "hp": 5})
    before = {path.name: path.read_bytes() for path in (tmp_path / "to").glob("*.toml")}
    written = []

    def full(path, entries):
        written.append(path)
        if len(written) == 4:
            raise OSError(28, "No space left on device")
        write_file(path, entries)

    monkeypatch.setattr("botapp.content.knowledge.shelf.write_file", full)
    with pytest.raises(KnowledgeError, match="No space left"):
        base.import_(several)
    assert {path.name: path.read_bytes() for path in (tmp_path / "to").glob("*.toml")} == before
    assert not list((tmp_path / "to").glob(".*"))

"""`botapp replay`: a kept fight run again."""

import json
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import madeup_game as made
import pytest
from kept_fights import fight

from botapp.content.knowledge.base import knowledge
from botapp.content.names import in_french
from botapp.host.translation import Translator
from botapp.review.form import read_fight, to_bytes
from botapp.review.kept_fight import nameless
from botapp.review.replaying import differences
from botapp.review.shelf import pictures_of
from botapp.tracking.image_file import image_frame
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.state_tracker import StateTracker


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.fight"
    path.write_bytes(to_bytes(fight()))
    return path


@pytest.mark.slow
def test_a_kept_fight_is_run_again_and_without_a_clock_always_alike(run, file):
    code, first, _ = run("replay", file, "--budget-ms", "0", "--json")
    assert code == 0
    assert run("replay", file, "--budget-ms", "0", "--json")[1] == first
    found = json.loads(first)
    assert [one["round"] for one in found["actions"]] == [moment.turn for moment in fight().moments]
    assert all(one["today"] is not None for one in found["actions"])
    assert [one["differs"] for one in found["actions"]] == [
        one["today"]["action"] != one["then"]["action"] for one in found["actions"]
    ]


@pytest.mark.slow
def test_it_says_in_words_where_it_differs(run, file):
    code, out, _ = run("replay", file, "--budget-ms", "0", "--all")
    assert code == 0
    assert "Ember Mage against" in out.splitlines()[0] and "won" in out.splitlines()[0]
    assert sum(line.startswith("action ") for line in out.splitlines()) == 3
    assert "of 3 as then" in out


@pytest.mark.slow
def test_in_french_fighters_and_spells_have_their_french_names(run, file, monkeypatch):
    monkeypatch.setenv("BOTAPP_UI__LANGUAGE", "fr")
    _, out, _ = run("replay", file, "--budget-ms", "0", "--all")
    state = fight().moments[0].state
    english = {one.name for one in state.fighters} | {one.name for one in state.actor.spells}
    french = {name: in_french(name, arena=True) for name in english}
    assert french["Ember Mage"] in out.splitlines()[0]
    assert not [name for name in english if name in out and french[name] != name], out


@pytest.mark.slow
def test_a_copy_for_a_report_has_no_names_of_people(run, file, tmp_path):
    assert run("replay", file, "--budget-ms", "0", "--without-names", tmp_path / "report.fight")[0] == 0
    assert len(read_fight(tmp_path / "report.fight").moments) == 3


def test_a_copy_never_takes_the_place_of_what_is_read_or_there(run, file, tmp_path):
    before = file.read_bytes()
    link, pipe, taken = tmp_path / "link", tmp_path / "pipe", tmp_path / "taken"
    link.symlink_to(file)
    os.mkfifo(pipe)
    taken.write_text("something of a person's")
    for path, said in (
        (file, "is what is read"),
        (link, "is what is read"),
        (pipe, "is no regular file"),
        (Path("/dev/null"), "is no regular file"),
        (tmp_path, "is a folder"),
    ):
        code, out, err = run("replay", file, "--without-names", path, "--force")
        assert code == 1 and not out and said in err and len(err.splitlines()) == 1, err
    assert "--force" in run("replay", file, "--without-names", taken)[2]
    assert taken.read_text() == "something of a person's"
    assert file.read_bytes() == before and pipe.is_fifo() and link.is_symlink()


@pytest.mark.slow
def test_a_file_that_is_there_is_overwritten_if_asked_to(run, file, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("old")
    code, _, _ = run("replay", file, "--budget-ms", "0", "--without-names", taken, "--force")
    assert code == 0 and len(read_fight(taken).moments) == 3


@pytest.mark.parametrize("content", [b"", b"nonsense"])
def test_a_file_that_is_none_is_refused_in_one_line(run, tmp_path, content):
    (tmp_path / "bad.fight").write_bytes(content)
    code, out, said = run("replay", tmp_path / "bad.fight")
    assert code == 1 and not out and len(said.splitlines()) == 1
    assert "bad.fight" in said and "Give a fight that the app has kept" in said


def test_a_file_that_is_not_there_is_said(run, tmp_path):
    code, _, said = run("replay", tmp_path / "none.fight")
    assert code == 1 and "cannot be opened" in said


@pytest.mark.slow
def test_pictures_that_were_kept_are_read_again(run, drawn, tmp_path):
    picture, truth = drawn
    state = StateTracker(PlayerProfile()).update(image_frame(picture)).state
    hurt = tuple(f.changed(hp=f.hp - 30) if f.id == state.actor.id else f for f in state.fighters)
    pictures = ("1-0.png", "1-1.png", "1-2.png")
    seen = (state, state.changed(fighters=hurt), state)
    moments = [
        replace(
            fight().moments[0], state=one, advised=replace(fight().moments[1].done), picture=name, lines=()
        )
        for one, name in zip(seen, pictures, strict=True)
    ]
    summary = replace(fight().summary, own=truth["player"]["kind"], actions=3)
    path = tmp_path / "seen.fight"
    path.write_bytes(to_bytes(replace(fight(), summary=summary, moments=tuple(moments))))
    pictures_of(path).mkdir()
    for name in pictures[:2]:
        shutil.copy(picture, pictures_of(path) / name)
    code, out, _ = run("replay", path, "--budget-ms", "0", "--json")
    assert code == 0
    first, second, third = json.loads(out)["pictures"]
    assert first == {"action": 1, "differences": []}
    assert second["differences"] == [f"HP of {state.actor.name} {state.actor.hp - 30} -> {state.actor.hp}"]
    assert "1-2.png" in third["differences"][0]
    assert "1 of 3 pictures are read as then" in run("replay", path, "--budget-ms", "0")[1]


def test_a_character_of_the_game_is_called_by_its_class(run, tmp_path):
    made.write(tmp_path / "game", made.small())
    assert run("knowledge", "import-game", tmp_path / "game", "--language", "fr", "--spells")[0] == 0
    template = knowledge().fighter("locksmith", 60)
    first = fight().moments[0].state
    own = template.fighter(0, 0, first.actor.cell, "Gertrude").changed(kind="my-gertrude")
    state = first.changed(fighters=(own, *(f for f in first.fighters if f.id)))
    told = nameless(replace(fight(), moments=(replace(fight().moments[0], state=state),)))
    assert (told.moments[0].state.actor.kind, told.moments[0].state.actor.name) == ("locksmith", "Locksmith")


@pytest.mark.slow
def test_it_speaks_the_language_of_the_app_and_json_none(run, file, monkeypatch):
    monkeypatch.setenv("BOTAPP_UI__LANGUAGE", "fr")
    code, out, _ = run("replay", file, "--budget-ms", "0", "--all")
    assert code == 0
    assert out.startswith("combat du ") and " contre " in out and "victoire" in out.splitlines()[0]
    lines = [line for line in out.splitlines() if line.startswith("action ")]
    assert len(lines) == 3
    assert all("(tour " in line and "alors" in line and "aujourd'hui" in line for line in lines)
    assert "sur 3 comme alors" in out
    assert not re.search(r"\b(then|today|fight|round|against|the|Cast|Walk)\b", out)
    assert all("\u00a0%" in line for line in lines)
    found = json.loads(run("replay", file, "--budget-ms", "0", "--json")[1])
    assert found["summary"]["result"] == "won"


def test_what_is_read_otherwise_is_said_in_the_language_too():
    state = fight().moments[0].state
    own, other = state.fighters[0], next(one for one in state.fighters if one.team != state.actor.team)
    changed = state.changed(
        turn=state.turn + 1,
        fighters=tuple(
            one.changed(hp=one.hp - 30) if one.id in (own.id, other.id) else one for one in state.fighters
        ),
    )
    told = list(map(Translator("fr"), differences(state, changed)))
    assert told[0] == f"tour {state.turn} -> {state.turn + 1}"
    assert f"PV de {own.name} {own.hp} -> {own.hp - 30}" in told
    assert any(other.name in line and "\u00a0%" in line for line in told)

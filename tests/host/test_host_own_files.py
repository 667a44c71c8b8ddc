"""Whatever a file of a person's holds: it is named, kept in a backup, and the rest of the app goes on."""

import json
import os
from pathlib import Path

import pytest

from botapp.host import settings_file
from botapp.host.message import mark
from botapp.host.own_files import NewerFileError, OwnFile, Recalled
from botapp.host.settings import Settings


def _whole_numbers(raw):
    if raw.get("version") == 9:
        raise NewerFileError
    good = {name: value for name, value in raw.items() if type(value) is int}
    return good, [f"{name} is no whole number" for name in raw if name not in good]


def _write(path, values):
    path.write_text("".join(f"{name} = {value}\n" for name, value in values.items()), "utf-8")


FILE = OwnFile(_whole_numbers, _write, mark("Or use the settings page."))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "numbers.toml"


def test_a_good_file_is_read_and_one_that_is_not_there_makes_the_defaults(path):
    assert FILE.read(path) == Recalled({})
    path.write_text("a = 1\n")
    assert FILE.read(path) == Recalled({"a": 1})
    assert [*path.parent.iterdir()] == [path]


def test_where_there_can_be_no_file_nothing_is_said_of_it(path):
    path.touch()
    assert FILE.read(path / "numbers.toml") == Recalled({})


def test_wrong_fields_are_named_once_and_kept_in_one_backup(path):
    path.write_text('a = 1\nb = "x"\n')
    first = FILE.read(path)
    assert first.value == {"a": 1}
    assert "b is no whole number" in first.messages[0] and "numbers.toml.bak" in first.messages[-1]
    assert FILE.read(path) == Recalled({"a": 1})
    assert path.with_name("numbers.toml.bak").read_text() == 'a = 1\nb = "x"\n'
    assert len([*path.parent.iterdir()]) == 2


def test_of_a_thousand_wrong_fields_some_are_named_and_the_others_counted(path):
    path.write_text("".join(f'a{number} = "x"\n' for number in range(1000)))
    messages = FILE.read(path).messages
    assert len(messages) < 10 and "995 more" in messages[-2]


@pytest.mark.parametrize(
    "data",
    [b"first [[[", b"\xff\xfe", b"a = 1\na = 2", b"a = " + b"[" * 100_000, b"#" * 300_000, b"\0" * 50],
    ids=["syntax", "encoding", "twice", "nested", "large", "zeros"],
)
def test_a_file_that_is_none_of_its_kind_is_kept_whole(path, data):
    path.write_bytes(data)
    recalled = FILE.read(path)
    assert recalled.value == {} and len(recalled.messages) == 1
    assert "\n" not in recalled.messages[0] and len(recalled.messages[0]) < 600
    assert path.with_name("numbers.toml.bak").read_bytes() == data and not path.exists()


def test_what_is_no_regular_file_is_never_read_from(path):
    os.mkfifo(path)
    recalled = FILE.read(path)
    assert "no regular file" in recalled.messages[0] and recalled.foreign
    path.unlink()
    path.symlink_to("/dev/zero")
    assert "no regular file" in FILE.read(path).messages[0]


def test_a_newer_file_stays_and_is_kept_aside_when_something_is_saved(path):
    path.write_text("version = 9\n")
    assert "newer" in FILE.read(path).messages[0]
    assert path.read_text() == "version = 9\n"
    FILE.save(path, {"a": 2})
    assert path.read_text() == "a = 2\n"
    assert path.with_name("numbers.toml.bak").read_text() == "version = 9\n"


def test_what_was_broken_meanwhile_is_kept_aside_by_a_save(path):
    path.write_text("broken [[[")
    FILE.save(path, {"a": 2})
    assert FILE.read(path) == Recalled({"a": 2})
    assert path.with_name("numbers.toml.bak").read_text() == "broken [[["


@pytest.mark.parametrize(
    "text",
    [
        "engine.step_limit = 99\nengine.fps_limit = 0\nengine.level = 'x'\n",
        "engine.step_limit = 99\nengine.fps_limit = 0\nengine.cpu_threads = 2\n# mine\n",
        "[engine]\nstep_limit = nan\n[overlay]\nopacity = nan\n",
        "[engine]\nstep_limit = 1e400\n[capture]\ntitle = 3\n[[ui]]\ntheme = 'dark'\n",
        "'' = 1\nengine = {step_limit = 99, a = {b = {}}}\n",
    ],
)
def test_settings_that_toml_can_hold_and_the_app_cannot_never_stop_it(text, tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(text)
    loaded = settings_file.load(path)
    assert loaded.messages and tmp_path.joinpath("settings.toml.bak").read_text() == text
    assert settings_file.load(path) == settings_file.Loaded(loaded.settings)
    assert 0.1 <= loaded.settings.overlay.opacity <= 1


def test_a_file_that_cannot_be_edited_is_kept_with_its_comments(tmp_path, monkeypatch):
    path = tmp_path / "settings.toml"
    path.write_text("# mine\n[engine]\nstep_limit = 3\n")
    monkeypatch.setattr("botapp.host.settings_file.tomlkit.parse", lambda _: 1 / 0)
    settings_file.save(Settings().changed("engine.step_limit", 4), path)
    assert path.read_text() == "[engine]\nstep_limit = 4\n"
    assert path.with_name("settings.toml.bak").read_text().startswith("# mine")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["names.toml", "calibration.toml", "settings.toml", "layout.json"])
@pytest.mark.parametrize(
    "text",
    [
        "portraits = 5",
        "version = inf",
        "version = []\n[icons]\n'' = ''",
        "[layout-1]\nsize = 3",
        "[",
        "a = 1",
    ],
)
def test_every_file_of_a_persons_is_read_by_the_same_mechanism(name, text, tmp_path, monkeypatch):
    from botapp.tracking import player_profile
    from botapp.ui.layout import Keeper

    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    path = tmp_path / name
    path.write_text(text if name.endswith("toml") else json.dumps({"geometry": text, "docks": 3}))
    kept = path.read_bytes()

    def told() -> list[str]:
        loaded = settings_file.load()
        assert Keeper(tmp_path).load() is None
        profile = player_profile.load(loaded.settings)
        assert profile.profile.names.portraits == {} and profile.profile.calibrations.layouts == ()
        return [*loaded.messages, *profile.messages]

    first = told()
    assert any(name in message for message in first) or name == "layout.json"
    assert Path(f"{path}.bak").read_bytes() == kept
    assert told() == []

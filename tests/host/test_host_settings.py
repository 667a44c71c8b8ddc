"""Settings: what is written, what a bad file or variable leads to, and that nothing of a person's is lost."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from botapp.host import settings as module
from botapp.host import settings_file
from botapp.host.settings import Settings, options
from botapp.host.settings_file import load, save
from botapp.host.translation import Translator


@pytest.fixture(autouse=True)
def _own_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))


def _file(text: str) -> Path:
    path = settings_file.settings_path()
    path.write_text(text, "utf-8")
    return path


def test_without_a_file_the_defaults_are_used_and_nothing_is_said() -> None:
    assert load() == settings_file.Loaded(Settings())
    assert not settings_file.settings_path().exists()


def test_only_what_differs_from_the_default_is_written() -> None:
    save(Settings().changed("engine.step_limit", 3).changed("ui.theme", "light"))
    assert settings_file.settings_path().read_text("utf-8") == (
        '[engine]\nstep_limit = 3\n\n[ui]\ntheme = "light"\n'
    )
    save(Settings().changed("ui.theme", "light"))
    assert "engine" not in settings_file.settings_path().read_text("utf-8")


def test_a_persons_comments_survive_a_save() -> None:
    path = _file("# mine\n[engine]\nstep_limit = 3  # quick\n")
    save(load().settings.changed("engine.fps_limit", 20))
    assert path.read_text("utf-8") == "# mine\n[engine]\nstep_limit = 3  # quick\nfps_limit = 20\n"


def test_a_corrupt_file_is_set_aside_and_never_overwrites_an_earlier_one() -> None:
    path = _file("first [[[")
    first = load()
    assert first.settings == Settings()
    assert not path.exists()
    assert path.with_name("settings.toml.bak").read_text("utf-8") == "first [[["
    assert "settings.toml.bak" in first.messages[0]
    assert "settings page" in first.messages[0]
    path.write_bytes(b"\xff\xfe second")
    second = load()
    assert path.with_name("settings.toml.bak").read_text("utf-8") == "first [[["
    assert path.with_name("settings.toml.bak1").read_bytes() == b"\xff\xfe second"
    assert "settings.toml.bak1" in second.messages[0]


def test_bad_keys_are_reset_named_and_backed_up_while_the_good_ones_stay() -> None:
    text = '[engine]\nstep_limit = 99\nfps_limit = 20\nwarp = 1\n[nonsense]\na = 1\n[ui]\ntheme = "system"\n'
    path = _file(text)
    loaded = load()
    assert loaded.settings == Settings().changed("engine.fps_limit", 20)
    said = "\n".join(loaded.messages)
    for name in ("engine.step_limit", "engine.warp", "'nonsense'", "settings.toml.bak"):
        assert name in said
    assert path.with_name("settings.toml.bak").read_text("utf-8") == text
    assert load().messages == ()


def test_the_environment_overrides_the_file_and_is_not_written_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    path = _file("[engine]\nstep_limit = 3\n")
    monkeypatch.setenv("BOTAPP_ENGINE__STEP_LIMIT", "5")
    monkeypatch.setenv("BOTAPP_OVERLAY__ENABLED", "false")
    loaded = load().settings
    assert (loaded.engine.step_limit, loaded.overlay.enabled) == (5, False)
    save(loaded.changed("engine.fps_limit", 20))
    assert path.read_text("utf-8") == "[engine]\nstep_limit = 3\nfps_limit = 20\n"


def test_a_bad_variable_is_ignored_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTAPP_ENGINE__BACKEND", "abacus")
    monkeypatch.setenv("BOTAPP_ENGINE__WARP", "9")
    loaded = load()
    assert loaded.settings == Settings()
    assert "engine.backend = 'abacus'" in loaded.messages[0]
    assert "BOTAPP_" in loaded.messages[0]
    assert "engine.warp" in loaded.messages[1]


@pytest.mark.parametrize("text", ["[engine]\nstep_limit = 3\nstep_limit = 4\n", "[ui]\n[ui]\n"])
def test_a_key_or_a_group_written_twice_is_a_corrupt_file(text: str) -> None:
    path = _file(text)
    assert load().settings == Settings()
    assert path.with_name("settings.toml.bak").read_text("utf-8") == text


def test_a_value_where_a_group_belongs_is_named_and_can_be_saved_over() -> None:
    path = _file("engine = 3\n")
    assert "[engine]" in load().messages[0]
    path.write_text("engine = 3\n", "utf-8")
    save(Settings().changed("engine.step_limit", 3))
    assert load() == settings_file.Loaded(Settings().changed("engine.step_limit", 3))


@pytest.mark.parametrize("text", ["first [[[", "[engine]\nwarp = 1\n"])
def test_a_bad_file_that_cannot_be_set_aside_is_left_and_told(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = _file(text)
    monkeypatch.setattr(Path, "rename", refuse)
    monkeypatch.setattr("botapp.host.files.shutil.copy2", refuse)
    loaded = load()
    assert loaded.settings == Settings()
    assert "by hand" in loaded.messages[-1]
    assert path.read_text("utf-8") == text


def test_a_save_that_fails_leaves_the_file_and_nothing_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = _file("[engine]\nstep_limit = 3\n")
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(PermissionError):
        save(Settings())
    assert [entry.name for entry in path.parent.iterdir()] == ["settings.toml"]
    assert load().settings.engine.step_limit == 3


def test_a_variable_named_like_a_group_is_ignored_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTAPP_ENGINE", "garbage")
    loaded = load()
    assert loaded.settings == Settings()
    assert "BOTAPP_ENGINE__STEP_LIMIT" in loaded.messages[0]


def test_a_file_that_cannot_be_opened_is_named_with_the_remedy() -> None:
    settings_file.settings_path().mkdir()
    loaded = load()
    assert loaded.settings == Settings()
    assert "settings.toml" in loaded.messages[0]
    assert "permissions" in loaded.messages[0]


def test_a_value_outside_its_limits_is_refused_with_the_key() -> None:
    with pytest.raises(ValueError, match=r"engine\.latency_budget_ms"):
        Settings().changed("engine.latency_budget_ms", 1)


def test_every_option_has_words_and_its_default_is_within_its_limits() -> None:
    for option in options():
        assert option.title
        assert option.description.endswith(".")
        assert Settings().value(option.key) == option.default
        assert Settings().changed(option.key, option.default) == Settings()
        if option.kind == "choice":
            assert option.default in option.choices
        if option.kind in {"int", "float"}:
            assert option.minimum is not None
            assert option.maximum is not None
    kinds = {option.key: option.kind for option in options()}
    assert kinds["overlay.colour"] == "colour"
    assert kinds["overlay.enabled"] == "bool"
    assert {option.group for option in options()} == {
        "engine",
        "capture",
        "advisor",
        "overlay",
        "hotkeys",
        "review",
        "ui",
    }


@pytest.mark.slow
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "engine.step_limit": st.integers(1, 16),
            "engine.halt_threshold": st.floats(0, 1),
            "capture.title": st.text(st.characters(codec="utf-8", exclude_categories=["Cs"])),
            "overlay.enabled": st.booleans(),
            "overlay.colour": st.from_regex("^#[0-9a-f]{6}$", fullmatch=True),
        },
    )
)
def test_what_is_saved_is_what_is_loaded(changes: dict[str, module.Value]) -> None:
    wanted = Settings()
    for key, value in changes.items():
        wanted = wanted.changed(key, value)
    save(wanted)
    assert load() == settings_file.Loaded(wanted)


def test_a_mark_before_the_text_as_notepad_writes_it_is_no_fault() -> None:
    path = settings_file.settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\xef\xbb\xbf[engine]\nstep_limit = 3\n")
    assert load().settings.engine.step_limit == 3 and load().messages == ()
    save(load().settings.changed("engine.step_limit", 4))
    assert load().settings.engine.step_limit == 4 and load().messages == ()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_an_empty_file_is_said_once_and_the_app_never_leaves_one() -> None:
    path = settings_file.settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    (told,) = load().messages
    assert "it is empty" in told and load().messages == ()
    save(Settings().changed("engine.step_limit", 4))
    save(Settings())
    assert path.stat().st_size > 0 and load().messages == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[engine]\nstep_limit = 'many'", "il faut un nombre entier"),
        ("[engine]\nstep_limit = 1.5", "il faut un nombre entier"),
        ("[engine]\nstep_limit = 99999", "ou moins"),
        ("[overlay]\nopacity = 'half'", "il faut un nombre"),
        ("[overlay]\nenabled = 'perhaps'", "il faut true ou false"),
        ("[overlay]\ncolour = 'green'", "il faut l'écrire comme"),
        ("[capture]\ntitle = 7", "il faut un texte"),
        ("[ui]\ntheme = 'pink'", "il faut l'une des valeurs"),
        ("[hotkeys]\npause = '" + "x" * 90 + "'", "lettres"),
    ],
)
def test_what_is_wrong_with_a_value_is_said_in_the_players_language(text: str, words: str) -> None:
    path = settings_file.settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    told = Translator("fr")(load().messages[0])
    assert words in told and "Input" not in told and "should" not in told


def test_what_another_program_changed_meanwhile_stays() -> None:
    """Two have loaded the same settings; each changes one, and a third one is set in an editor."""
    save(Settings().changed("engine.step_limit", 3).changed("ui.theme", "light"))
    first = second = load().settings
    save(first.changed("overlay.enabled", False), since=first)
    with settings_file.settings_path().open("a") as file:
        file.write("[review]\nkeep = false\n")
    save(second.changed("ui.theme", "dark").changed("engine.step_limit", 5), since=second)
    kept = load()
    assert not kept.messages
    found = {key: kept.settings.value(key) for key in ("overlay.enabled", "engine.step_limit", "review.keep")}
    assert found == {"overlay.enabled": False, "engine.step_limit": 5, "review.keep": False}
    assert kept.settings.value("ui.theme") == Settings().changed("ui.theme", "dark").value("ui.theme")
    save(load().settings.changed("overlay.enabled", True), since=kept.settings)
    assert load().settings.value("overlay.enabled") is True


@pytest.mark.slow
def test_two_processes_that_save_at_once_leave_a_whole_file(tmp_path: Path) -> None:
    writing = (
        "import sys; from botapp.host.settings import Settings; from botapp.host.settings_file import save\n"
        "for n in range(12): save(Settings().changed('engine.step_limit', 1 + (n + int(sys.argv[1])) % 16))"
    )
    both = [subprocess.Popen([sys.executable, "-c", writing, str(n)]) for n in (0, 5)]
    seen = 0
    while any(one.poll() is None for one in both):
        found = load()
        assert found.messages == ()
        seen += found.settings != Settings()
    assert [one.wait() for one in both] == [0, 0]
    assert seen and load().settings.engine.step_limit != Settings().engine.step_limit
    assert [path.name for path in tmp_path.iterdir()] == [settings_file.FILE_NAME]

"""Every text of the app has a French one with the same placeholders; so has what the worker says."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import botapp.ui
from botapp.advisor.advisor import PLACING
from botapp.advisor.domain import TOO_FAR
from botapp.advisor.model import load_weights
from botapp.advisor.tokens import encode
from botapp.advisor.wording import sentence
from botapp.arena.scenarios import duel
from botapp.host.settings import options
from botapp.host.settings_file import load
from botapp.host.translation import catalogue
from botapp.runtime.exits import describe_exit
from botapp.tracking.character import read_sheet
from botapp.ui import translation
from botapp.ui.translation import from_worker, mark, tr
from hrm.checkpoint import CheckpointError
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame, Rect
from vision.window import session

_PLACEHOLDER = re.compile(r"\{(\w+(?::[^}]*)?)\}")
_CRAMPED = re.compile(r"\w[;!?»]|« |\s(?<!\u00a0)[:;!?»](?!\w)|\b(?:tu|toi|ton|tes)\b")


def _marked_texts() -> set[str]:
    texts = set()
    for file in Path(botapp.ui.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "mark"):
                text = node.args[0]
                if isinstance(text, ast.Constant):
                    texts.add(text.value)
    return texts


@pytest.fixture
def french():
    translation.use("fr")
    yield
    translation.use("en")


def test_every_text_of_the_app_has_a_french_one():
    known = {key for entries in catalogue("fr").values() for key in entries}
    assert _marked_texts() - known == set()


@pytest.mark.parametrize("option", options(), ids=lambda option: option.key)
def test_every_setting_has_french_words(option):
    known = {key for entries in catalogue("fr").values() for key in entries}
    assert {option.title, option.description} <= known


def test_french_is_set_as_french_is_and_says_vous():
    for entries in catalogue("fr").values():
        for text in entries.values():
            assert not _CRAMPED.search(text), text


def test_placeholders_agree():
    for entries in catalogue("fr").values():
        for english, french_text in entries.items():
            assert sorted(_PLACEHOLDER.findall(english)) == sorted(_PLACEHOLDER.findall(french_text)), english


def test_no_text_of_the_app_is_translated_for_nothing():
    used = _marked_texts() | {text for o in options() for text in (o.title, o.description)}
    assert set(catalogue("fr")["ui"]) - used == set()


def test_english_is_what_the_code_says():
    assert tr("Cast {spell} on {target}", spell="Spark", target="Gobbo") == "Cast Spark on Gobbo"
    assert mark("Pause") == "Pause"


def test_french_fills_placeholders(french):
    assert tr("Cast {spell} on {target}", spell="Spark", target="Gobbo") == "Lancer Spark sur Gobbo"


def test_what_the_worker_composed_is_translated_with_its_parts(french):
    text = "cpu is the fastest that works here; fp32 is right on every CPU"
    assert from_worker(text) == (
        "cpu est le plus rapide qui fonctionne ici\u00a0; fp32 est juste sur tout processeur"
    )
    assert from_worker("40% of the window is covered by other windows.").startswith("40% de la fenêtre")


def test_an_unknown_text_of_the_worker_stays_as_it_is(french):
    assert from_worker("something new") == "something new"


def _what_the_engine_says() -> Iterator[str]:
    yield from (describe_exit(code) for code in (None, 1, -11, -9))
    yield from (session(env, "linux").message for env in ({}, {"WAYLAND_DISPLAY": "wayland-0"}))
    for size in ((300, 200), (900, 600)):
        picture = np.zeros((size[1], size[0], 4), np.uint8)
        for client in ("arena", "dofus-unity"):
            yield Reader(profiles.load(client)).read(Frame(picture, Rect(0, 0, *size), 0, 0)).reason
    for path in (Path("gone.json"), Path(__file__)):
        with pytest.raises(ValueError) as error:
            read_sheet(path)
        yield str(error.value)
    for path in (Path("gone.safetensors"), Path(__file__)):
        with pytest.raises(CheckpointError) as error:
            load_weights(path)
        yield str(error.value)


def _why_advice_is_withheld() -> Iterator[str]:
    yield from (PLACING, TOO_FAR)
    state = duel(1)
    over = state.changed(fighters=tuple(f.changed(hp=int(f is state.actor)) for f in state.fighters))
    crowd = tuple(state.fighters[i % 2].changed(id=i) for i in range(17))
    for odd in (over, state.changed(fighters=crowd, order=tuple(range(17)))):
        with pytest.raises(ValueError) as error:
            encode(odd)
        yield sentence(str(error.value))


def test_why_advice_is_withheld_has_a_french_one(french):
    for text in _why_advice_is_withheld():
        assert from_worker(text) != text, text


def test_whatever_the_engine_says_has_a_french_one(french):
    for text in _what_the_engine_says():
        assert text and from_worker(text) != text, text


def test_a_bad_settings_file_is_told_in_french(french, tmp_path):
    path = tmp_path / "settings.toml"
    for text in ("broken [[[", "[engine]\nwarp = 1\nstep_limit = 99\n[nonsense]\na = 1\n"):
        path.write_text(text, "utf-8")
        messages = load(path).messages
        assert messages
        for message in messages:
            assert from_worker(message) != message


def test_auto_follows_the_system(monkeypatch):
    from PySide6.QtCore import QLocale

    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("fr_CA")))
    assert translation.resolve("auto") == "fr"
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("de_DE")))
    assert translation.resolve("auto") == "en"
    assert translation.resolve("fr") == "fr"

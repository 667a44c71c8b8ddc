"""The app is shown in the person's language, and what the worker says too."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from botapp.advisor.decision import Expectation
from botapp.advisor.search_stage import search_state
from botapp.advisor.thinker import load_thinker
from botapp.advisor.wording import damage_beside
from botapp.arena.scenarios import duel
from botapp.arena.window import words
from botapp.host.message import error_text
from botapp.host.settings import options
from botapp.host.settings_file import load
from botapp.runtime.start import describe_exit
from botapp.tracking.situation import PLACING
from botapp.tracking.spellbook import read_sheet
from botapp.ui import outcomes, translation
from botapp.ui.translation import mark, tr
from botapp.ui.widgets.plot import Plot
from hrm.tensor_file import CheckpointError


@pytest.fixture
def french():
    translation.use("fr")
    yield
    translation.use("en")


def test_every_setting_has_french_words(french):
    same = {"Optimisation"}
    for option in options():
        for text in {option.title, option.description} - same:
            assert tr(text) != text, option.key


def test_english_is_what_the_code_says():
    assert tr("Cast {spell} on {target}", spell="Spark", target="Gobbo") == "Cast Spark on Gobbo"
    assert mark("Pause") == "Pause"


def test_french_fills_placeholders(french):
    assert tr("Cast {spell} on {target}", spell="Spark", target="Gobbo") == "Lancer Spark sur Gobbo"


def test_amounts_are_told_in_singular_and_plural(french):
    hit = Expectation(1, "Bouftou", True, damage=15.4, heal=1.2, ap=1.0, mp=1.5)
    assert outcomes.expectations((hit,)) == (
        "Bouftou\u00a0: 15 dégâts, 1 PV soigné, 1 PA retiré, 1,5 PM retiré"
    )
    assert tr(damage_beside(-49)) == "49 dégâts en plus" and tr(damage_beside(1)) == "1 dégât en moins"
    assert words.say("fr", "push", high=1) == "Pousse de 1 case"
    assert words.say("fr", "for_turns", n=3) == "3 tours"


def test_a_language_is_called_what_it_calls_itself(french):
    assert (translation.own_name("en"), translation.own_name("fr")) == ("English", "Français")


def _what_the_engine_says() -> Iterator[str]:
    yield from (describe_exit(code) for code in (None, 1, -11, -9))
    for path in (Path("gone.json"), Path(__file__)):
        with pytest.raises(ValueError) as error:
            read_sheet(path)
        yield error_text(error.value)
    with pytest.raises(CheckpointError) as error:
        load_thinker(Path(__file__).parent)
    yield error_text(error.value)


def _why_advice_is_withheld() -> Iterator[str]:
    yield from (PLACING,)
    state = duel(1)
    over = state.changed(fighters=tuple(f.changed(hp=int(f is state.actor)) for f in state.fighters))
    with pytest.raises(ValueError) as error:
        search_state(over)
    yield error_text(error.value)


def test_why_advice_is_withheld_has_a_french_one(french):
    for text in _why_advice_is_withheld():
        assert tr(text) != text, text


def test_whatever_the_engine_says_has_a_french_one(french):
    for text in _what_the_engine_says():
        assert text and tr(text) != text, text


def test_a_bad_settings_file_is_told_in_french(french, tmp_path):
    path = tmp_path / "settings.toml"
    for text in ("broken [[[", "[engine]\nwarp = 1\nstep_limit = 99\n[nonsense]\na = 1\n"):
        path.write_text(text, "utf-8")
        messages = load(path).messages
        assert messages
        for message in messages:
            assert tr(message) != message


def test_auto_follows_the_system(monkeypatch):
    from PySide6.QtCore import QLocale

    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("fr_CA")))
    assert translation.resolve("auto") == "fr"
    monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale("de_DE")))
    assert translation.resolve("auto") == "en"
    assert translation.resolve("fr") == "fr"


def test_the_figures_of_a_plot_have_the_languages_decimal_sign(qtbot):
    translation.use("fr")
    plot = Plot("ms")
    qtbot.addWidget(plot)
    assert plot.area.getAxis("left").tickStrings([0.0, 0.5, 1.0], 1.0, 0.5) == ["0", "0,5", "1,0"]

"""The doctor speaks English or French, never both at once; names, commands and keys are in no language."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from machines import MACHINES, full_6600, healthy_7800xt, overridden_5700xt
from test_doctor_report import found

import botapp.doctor.examination
from botapp.doctor.examination import of_card
from botapp.doctor.faults import diagnose
from botapp.doctor.report import paste, text
from botapp.host.message import say
from botapp.host.translation import Translator
from hrm.interpreter import this_python

FRENCH = Translator("fr")
ENGLISH_WORDS = re.compile(
    r"\b(the|is|are|of|and|was|not|by|with|which|has|use|used|for|choose|update|unknown)\b"
)
QUOTED = ("aborting with error", "invalid device function", "page fault")
"""What drivers and torch printed is shown as they printed it."""


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text in plain values, with the key it stands under."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from strings(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, key)
    elif isinstance(value, str):
        yield key, value


@pytest.mark.parametrize("name", MACHINES)
def test_no_english_is_left_on_a_french_page(name: str) -> None:
    for key, words in strings(FRENCH.plain(of_card(MACHINES[name][0]))):
        if key in ("title", "evidence", "fix") and not any(quoted in words for quoted in QUOTED):
            plain = re.sub(r"\S*[/=`\"]\S*|pip .*|sudo .*", "", words)
            assert not ENGLISH_WORDS.search(plain), words


@pytest.mark.parametrize("name", MACHINES)
def test_keys_commands_and_what_is_measured_are_in_no_language(name: str) -> None:
    english = json.loads(json.dumps(of_card(MACHINES[name][0])))
    french = json.loads(json.dumps(FRENCH.plain(of_card(MACHINES[name][0]))))
    assert [key for key, _ in strings(english)] == [key for key, _ in strings(french)]
    for one, other in zip(english["findings"], french["findings"], strict=True):
        for key in ("fault", "severity", "page"):
            assert one[key] == other[key]
        typed = (this_python(), "sudo ", "unset ", "export ")
        commands = [line for line in one["fix"] if line.startswith(typed)]
        assert all(command in other["fix"] for command in commands)
    assert english["cards"] == french["cards"]
    assert english["environment"] == french["environment"]


def test_a_terminal_is_french_from_the_first_line_to_the_last() -> None:
    facts = found(
        overridden_5700xt,
        problems=[
            say(
                "The package {name} is missing: run `{python} -m pip install {name}`.",
                name="mss",
                python="python",
            )
        ],
    )
    lines = text(FRENCH.plain(facts), "fr")
    for words in (
        "Moteurs de calcul", "Utilisé : cpu en fp32", "Cartes graphiques", "constaté :", "à faire :",
        "Le paquet mss manque", "voir :    docs/troubleshooting.md#rdna1", "fonctionne toujours",
    ):  # fmt: skip
        assert words in lines.replace("\u00a0", " ")
    for words in ("seen:", "Backends", "In use", "always works", "You need do nothing"):
        assert words not in lines


def test_figures_have_a_decimal_comma_and_the_units_of_french() -> None:
    finding = next(f for f in diagnose(full_6600) if f.fault == "memory-full")
    evidence = FRENCH.plain(finding.evidence)
    assert "7,9 Go occupés sur 8,0 Go" in evidence[0]
    assert "1,0 Go sur 16,0" in text(FRENCH.plain(found(healthy_7800xt)), "fr")


def test_the_report_for_an_issue_is_english() -> None:
    assert "ends its process" in paste(found(overridden_5700xt))
    assert "### Graphics cards" in paste(found(overridden_5700xt))


@pytest.fixture
def asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs `botapp doctor` on an old Radeon with a French setting, without asking torch or a card."""
    from botapp.commands import cli

    def examined(language: Any = "en") -> dict[str, Any]:
        facts: dict[str, Any] = Translator(language).plain(found(overridden_5700xt))
        return facts

    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("BOTAPP_UI__LANGUAGE", "fr")
    monkeypatch.setattr(botapp.doctor.examination, "examine", examined)

    def run(*options: str) -> str:
        assert cli.main(["doctor", *options]) == 0
        return capsys.readouterr().out.replace("\u00a0", " ")

    return run


def test_the_command_speaks_the_settings_language_unless_told_another(asked: Callable[..., str]) -> None:
    assert "fait planter le processus" in asked()
    assert "ends its process" in asked("--language", "en")
    assert "ends its process" in asked("--report", "--language", "fr")


def test_json_is_english_unless_told_another_and_its_keys_never_change(asked: Callable[..., str]) -> None:
    english, french = json.loads(asked("--json")), json.loads(asked("--json", "--language", "fr"))
    assert "makes gfx1010 run" in english["findings"][0]["title"]
    assert "fait exécuter" in french["findings"][0]["title"]
    assert [key for key, _ in strings(english)] == [key for key, _ in strings(french)]

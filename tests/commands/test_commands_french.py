"""`botapp bench` and `botapp migrate` answer people in their language, and programs in none."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from botapp.bench import rules
from botapp.bench.speed import Scale, measure_speed

Run = Callable[..., tuple[int, str, str]]
CUDA_PROJECT = Path(__file__).parents[1] / "migrate" / "cuda_project"
ENGLISH_WORDS = re.compile(
    r"\b(the|is|are|of|and|was|would|not|by|with|which|has|use|used|where|files|done)\b"
)


@pytest.fixture
def french(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOTAPP_UI__LANGUAGE", "fr")


@pytest.mark.long
def test_bench_speaks_the_language_of_the_app(
    run: Run, french: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = measure_speed(Scale(seconds=0.001, fights=1, decisions=2, judged=24))
    monkeypatch.setattr(rules, "ACTIONS", 20)
    monkeypatch.setattr(rules, "measure_speed", lambda *_: measured)
    monkeypatch.setattr(rules, "measure_interpreted", lambda **_: measured)
    code, out, _ = run("bench", "rules", "--seconds", "0.01")
    assert code == 0
    assert "actions par seconde" in out and "un cœur de" in out
    assert "actions a second" not in out
    _, out, _ = run("bench", "rules", "--seconds", "0.01", "--language", "en")
    assert "actions a second" in out and "actions par seconde" not in out


@pytest.mark.long
def test_figures_of_a_bench_have_a_decimal_comma(run: Run, french: None) -> None:
    _, out, _ = run("bench", "vision", "--frames", "10", "--client", "2")
    assert "un cœur" in out and re.search(r"p50 +\d+,\d", out) and not ENGLISH_WORDS.search(out), out


@pytest.mark.slow
def test_a_migration_is_french_from_the_first_line_to_the_last(run: Run, french: None) -> None:
    _, out, _ = run("migrate", str(CUDA_PROJECT), "--dry-run")
    assert out.startswith("14 étapes en 9 phases")
    told = [line for line in out.splitlines() if re.match(r"  \[.\] |        \S|[A-Z]\S* \(", line)]
    assert len(told) > 40
    for line in told:
        words = re.sub(r"\S*[/=`\"._]\S*|\$ .*", "", line)
        assert line.startswith(" " * 9) or not ENGLISH_WORDS.search(words), line


@pytest.mark.slow
def test_json_is_in_no_language(run: Run, french: None) -> None:
    answers = [
        json.loads(run("migrate", str(CUDA_PROJECT), "--dry-run", "--json", *more)[1])
        for more in ((), ("--language", "en"), ("--language", "fr"))
    ]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["steps"][0]["title"] == "Keep a copy of every file that may be changed"


def test_a_migration_that_cannot_begin_says_so_in_french(run: Run, french: None, tmp_path: Path) -> None:
    code, _, err = run("migrate", str(tmp_path / "nowhere"))
    assert code == 1 and "n'est pas un dossier" in err
    code, _, err = run("migrate", str(CUDA_PROJECT), "--dry-run", "--start-from", "nonsense")
    assert code == 1 and "il n'y a pas d'étape nonsense" in err


@pytest.mark.slow
def test_what_is_wrong_with_the_settings_is_said_in_french(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("BOTAPP_UI__LANGUAGE")
    config = tmp_path / "config"
    config.mkdir(exist_ok=True)
    (config / "settings.toml").write_text(
        '[ui]\nlanguage = "fr"\n[overlay]\nopacity = "viel"\n[engine]\nwarp = 1\n'
    )
    _, _, err = run("doctor")
    told = [line for line in err.splitlines() if line.startswith("botapp: ")]
    assert len(told) == 3
    assert "il faut un nombre" in told[0] and "settings.toml.bak" in told[2]
    for line in told:
        assert not ENGLISH_WORDS.search(line.replace(str(tmp_path), "")), line


def test_what_an_answer_is_refused_for_is_said_in_french(run: Run, french: None, tmp_path: Path) -> None:
    for command in (("look", tmp_path / "none.png"), ("advise", "--config", tmp_path / "none", "x.png")):
        code, _, err = run(*command)
        told = err.replace(str(tmp_path), "").partition("(")[0]
        assert code == 1 and "pas" in told and not ENGLISH_WORDS.search(told), err

"""The commands about engines: what they measure is real, what they remember is used, caches are shown."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from botapp import create_advisor
from botapp.advisor.device import place
from botapp.advisor.thinker import load_thinker
from botapp.arena.scenarios import duel
from botapp.bench import engines
from botapp.commands import cli
from botapp.doctor.examination import backends
from hrm.backends.bench.benchmark import Result, Row
from hrm.backends.bench.candidates import EngineCandidate
from hrm.backends.bench.tuning import remember
from hrm.backends.placement import DevicePlan


@pytest.mark.slow
@pytest.mark.parametrize("command", [["bench", "engines"], ["caches"]], ids=" ".join)
def test_the_commands_explain_themselves(command: list[str]) -> None:
    result = CliRunner().invoke(cli.app, [*command, "--help"])
    assert result.exit_code == 0
    assert "--json" in result.output


def test_caches_are_shown_and_emptied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "inductor"
    folder.mkdir()
    (folder / "kernel").write_bytes(b"123")
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(folder))
    shown = json.loads(CliRunner().invoke(cli.app, ["caches", "--json"]).stdout)
    assert {"name": "inductor", "path": str(folder), "files": 1, "bytes": 3} in shown["caches"]
    cleared = CliRunner().invoke(cli.app, ["caches", "--clear", "inductor"])
    assert "cleared inductor" in cleared.stdout
    assert not folder.exists()


def test_the_advisors_answers_are_read_off_its_candidates() -> None:
    workload = engines.advisor(count=1, steps=1)
    ((x, mask),) = workload.inputs
    assert x.shape[:2] == mask.shape == (1, engines.STATE_TOKENS)
    _, _, outputs = workload.stepper.step(workload.stepper.core.start(1, x.shape[1]), x, mask)
    answer = int(workload.read(outputs, 0))
    assert 0 <= answer < int(mask.sum()) - 1


@pytest.mark.slow
def test_engines_are_compared_drawn_and_the_best_remembered(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv("HRM_CACHE_DIR", str(tmp_path))
    choice = DevicePlan("bench", "cpu", "cpu", "fp32", "", threads=1)
    monkeypatch.setattr(engines, "candidates", lambda: [EngineCandidate(choice)])
    small = engines.advisor(count=1, steps=1)
    monkeypatch.setattr(engines, "advisor", lambda: small)
    picture = tmp_path / "deep" / "engines.svg"
    options = ["bench", "engines", "--models", "advisor-lite", "--rounds", "1", "--plot", str(picture)]
    assert cli.main([*options, "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["rows"][0]["agreement"] == 1.0
    assert picture.exists()
    assert (tmp_path / "tuning.json").exists()
    assert cli.main([*options, "--force", "--models", "abacus"]) == 1
    assert "abacus" in capsys.readouterr().err


@pytest.mark.slow
def test_the_app_thinks_as_the_benchmark_here_found_best(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HRM_CACHE_DIR", str(tmp_path))
    config = load_thinker()[0].config
    choice = DevicePlan("bench", "cpu", "cpu", "fp32", "", engine="torch", threads=1)
    assert place("cpu", "auto", "auto").engine == "onnx"
    remember(config, Result("advisor-lite", True, (Row("torch", choice, times_ms=[1.0], agreement=1.0),)))
    found = place("cpu", "auto", "auto")
    assert (found.engine, found.threads) == ("torch", 1)
    assert "a benchmark here" in found.reason
    _, told = backends("cpu", "auto", "auto", "balanced")  # the doctor says the same
    assert told["engine"] == "torch"
    assert place("cpu", "auto", "fp32").engine == "onnx"
    (tmp_path / "broken").write_text("not weights")
    assert place("cpu", "auto", "auto", tmp_path / "broken").engine == "onnx"
    decision = create_advisor(placement=found).decide(duel(0))
    assert decision.trace


def test_plain_bench_reaches_the_comparison(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    asked = []

    def measure(models, *_):
        asked.append(models)
        return {"results": []}, "compared"

    monkeypatch.setattr(engines, "measure", measure)
    assert cli.main(["bench", "--compare"]) == 0
    assert "compared" in capsys.readouterr().out
    assert asked == [engines.MODELS]


def test_how_much_faster_an_engine_is_has_one_reference_everywhere(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HRM_CACHE_DIR", str(tmp_path))
    config = load_thinker()[0].config

    def row(engine: str, threads: int, took_ms: float, *, baseline: bool = False) -> Row:
        plan = DevicePlan("bench", "cpu", "cpu", "fp32", "", engine=engine, threads=threads)  # type: ignore[arg-type]
        return Row(f"{engine} {threads}", plan, baseline, times_ms=[took_ms], agreement=1.0)

    rows = row("torch", 16, 13.3, baseline=True), row("torch", 1, 2.1), row("onnx", 1, 1.0)
    result = Result("advisor-lite", True, rows)
    shown = {one["name"]: one["faster"] for one in result.to_json()["rows"]}
    assert shown == {"torch 16": pytest.approx(2.1 / 13.3, abs=1e-4), "torch 1": 1.0, "onnx 1": 2.1}
    remember(config, result)
    assert "2.1 times as fast" in place("cpu", "auto", "auto").reason

"""`python -m hrm`, from training to solving, with a small model."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from hrm.act import Halting
from hrm.checkpoint import load_model, save_model
from hrm.cli import main
from hrm.config import preset
from hrm.model import HRM
from hrm.tasks import SUDOKU
from hrm.tasks.puzzles import read_lines
from hrm.training.act import ActTrainer, draw_min_steps
from hrm.training.evaluation import Curve, evaluate, evaluate_views, trace

torch.set_num_threads(1)
TINY = {"hidden_size": 16, "num_heads": 2, "mlp_inner": 16, "L_layers": 1, "H_layers": 1, "halt_max_steps": 3}


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "tiny.safetensors"
    torch.manual_seed(0)
    config = preset("trm", **{**TINY, "L_cycles": 1, "H_cycles": 1})
    save_model(path, HRM(config), config, {"halt_threshold": "0.001"})
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["reference", *(pytest.param(name, marks=pytest.mark.long) for name in ("trm", "trm-mlp"))]
)
def test_train_then_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    shape = [item for key, value in {**TINY, "L_cycles": 1}.items() for item in ("--set", f"{key}={value}")]
    command = [
        *(
            "train",
            "--preset",
            name,
            "--out",
            str(tmp_path),
            "--batch",
            "4",
            "--device",
            "cpu",
            "--dev-limit",
            "3",
        ),
        *("--log-every", "2", "--warmup", "2", "--lr", "1e-3", *shape),
    ]
    assert main([*command, "--steps", "2"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["step"] == 2 and first["finished"] and first["backend"].startswith("none")
    assert main([*command, "--steps", "4"]) == 0
    assert json.loads(capsys.readouterr().out)["step"] == 4
    logged = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert {"lm_loss", "q_halt_loss", "halted"} <= set(logged[0])
    assert ("q_continue_loss" in logged[0]) is (name == "reference")
    assert "dev_exact@3" in logged[1] and "dev_early_steps" in logged[1]
    assert (tmp_path / "curves.svg").read_text().startswith("<svg")
    assert load_model(tmp_path / "model.safetensors").config.halt_max_steps == 3


@pytest.mark.long
def test_training_learns_and_repeats_from_a_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shape = [item for key, value in TINY.items() for item in ("--set", f"{key}={value}")]
    losses = []
    for run in ("a", "b"):
        command = ["train", "--out", str(tmp_path / run), "--steps", "30", "--batch", "8", "--device", "cpu"]
        tune = ["--warmup", "3", "--lr", "1e-2", "--log-every", "10", "--dev-limit", "2", "--loss", "softmax"]
        assert main([*command, *tune, "--weight-decay", "0.1", *shape]) == 0
        lines = (tmp_path / run / "metrics.jsonl").read_text().splitlines()
        losses.append([row["lm_loss"] for row in map(json.loads, lines) if "lm_loss" in row])
    assert losses[0] == losses[1]
    assert losses[0][-1] < losses[0][0] - 0.2
    capsys.readouterr()


@pytest.mark.slow
def test_evaluate_prints_its_figures(weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["evaluate", "--weights", str(weights), "--limit", "5", "--device", "cpu", "--batch", "2"]
    assert main([*base, "--steps", "2"]) == 0
    fixed = json.loads(capsys.readouterr().out)
    assert fixed["mean_steps"] == 2 and fixed["puzzles"] == 5
    assert {"exact_accuracy", "cell_accuracy", "mean_steps", "puzzles"} <= set(fixed)
    assert main([*base, "--early-exit"]) == 0
    assert json.loads(capsys.readouterr().out)["mean_steps"] == 1  # the file's own threshold is 0.001
    assert main([*base, "--early-exit", "--halt-threshold", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["mean_steps"] == 3
    assert main([*base, "--curve"]) == 0
    curve = json.loads(capsys.readouterr().out)
    assert len(curve["exact_accuracy_by_step"]) == 3 and "own rule" in curve["early_exit"]


def test_solve_draws_the_grid_at_every_step(
    weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = read_lines(SUDOKU.dev_file)[1].split(",")[0]  # type: ignore[arg-type]
    base = ["solve", "--weights", str(weights), "--device", "cpu", "--steps", "2", "--halt-threshold", "1"]
    assert main([*base, puzzle]) == 0
    printed = capsys.readouterr().out
    assert (
        "step 2" in printed
        and "halt" in printed
        and "not sure of it after 2 steps" in printed
        and "[9][8]" in printed
    )
    (tmp_path / "p.txt").write_text(puzzle)
    assert main([*base, str(tmp_path / "p.txt")]) == 0
    monkeypatch.setattr("sys.stdin", (tmp_path / "p.txt").open())
    assert main([*base, "-"]) == 0
    capsys.readouterr()
    assert main([*base, "123"]) == 2
    assert "81 cells" in capsys.readouterr().err


def test_what_cannot_be_done_is_said_without_a_traceback(
    weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command, words in (
        (["evaluate", "--weights", str(tmp_path / "no.safetensors")], "no.safetensors"),
        (["evaluate", "--weights", str(weights), "--task", "maze"], "maze has 6 and 900"),
        (["train", "--task", "maze", "--out", str(tmp_path / "r"), "--steps", "1"], "--data"),
        (["train", "--out", str(tmp_path / "r"), "--steps", "1", "--set", "num_heads=7"], "num_heads 7"),
        (["train", "--out", str(tmp_path / "r"), "--steps", "1", "--set", "depth=7"], "depth"),
        (["convert", str(tmp_path / "no.pt"), str(tmp_path / "x.safetensors")], "no.pt"),
    ):
        assert main(command) == 2, command
        assert words in capsys.readouterr().err
    for bad in (
        ["train", "--steps", "0", "--out", "x"],
        ["train", "--steps", "1", "--out", "x", "--set", "a"],
    ):
        with pytest.raises(SystemExit):
            main(bad)
    capsys.readouterr()


@pytest.mark.long
def test_mazes_are_drawn_to_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mazes", str(tmp_path / "m.csv"), "--count", "1", "--seed", "3"]) == 0
    assert len((tmp_path / "m.csv").read_text().splitlines()) == 2
    capsys.readouterr()


def test_help_does_not_load_torch() -> None:
    code = (
        "import sys, hrm.cli\n"
        "try: hrm.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "assert 'torch' not in sys.modules and 'botapp' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0 and "parity" in done.stdout, done.stderr


@pytest.mark.slow
def test_the_curve_and_the_real_early_exit_agree() -> None:
    torch.manual_seed(0)
    config = preset("trm", **TINY)
    model = HRM(config).eval()
    torch.nn.init.normal_(model.q_head.weight, std=0.5)
    torch.nn.init.zeros_(model.q_head.bias)
    puzzles = SUDOKU.load(SUDOKU.dev_file).take(slice(12))  # type: ignore[arg-type]
    rule = Halting(0.5)
    curve = trace(model, puzzles, max_steps=3, batch=5)
    score = evaluate(model, puzzles, max_steps=3, halting=rule, batch=5)
    assert curve.early(rule) == (pytest.approx(score.exact.mean()), pytest.approx(score.steps.mean()))
    assert curve.by_step() == [0.0] * 3


def test_the_threshold_kept_is_the_lowest_that_loses_little() -> None:
    exact = np.array([[False, True]] * 50 + [[True, True]] * 50)
    q = np.zeros((100, 2, 2), dtype=np.float32)
    q[:50, 0, 0], q[50:, 0, 0] = 0.0, 3.0
    curve = Curve(exact, q, exact.astype(np.float32))
    assert curve.threshold() == 0.6
    assert curve.early(Halting(0.6)) == (1.0, 1.5)


def test_exploration_draws_a_minimum_of_steps_now_and_then() -> None:
    drawn = draw_min_steps(torch.rand(4000, 2), 0.25, 6)
    assert set(drawn.tolist()) == {0, 2, 3, 4, 5, 6}
    assert (drawn > 0).float().mean().item() == pytest.approx(0.25, abs=0.04)


def test_rows_keep_their_own_pace_in_training() -> None:
    torch.manual_seed(0)
    model = HRM(preset("reference", **TINY))
    trainer = ActTrainer(model).train()

    def batch(token: int, least: int) -> dict[str, torch.Tensor]:
        tokens = torch.full((2, 81), token, dtype=torch.int32)
        ids = torch.zeros(2, dtype=torch.int32)
        return {
            "inputs": tokens,
            "labels": tokens,
            "puzzle_identifiers": ids,
            "min_steps": torch.tensor([least, 0], dtype=torch.int32),
        }

    with torch.no_grad():
        model.q_head.bias.copy_(torch.tensor([5.0, -5.0]))  # always wants to halt
    first = trainer(trainer.start(batch(2, 2)), batch(2, 2)).progress
    assert first.halted.tolist() == [False, True] and first.steps.tolist() == [1, 1]
    second = trainer(first, batch(3, 0)).progress
    assert second.data["inputs"][:, 0].tolist() == [2, 3]
    assert second.steps.tolist() == [2, 1] and second.halted.tolist() == [True, True]


@pytest.mark.slow
def test_several_views_of_a_puzzle_answer_as_one_that_is_not_changed() -> None:
    torch.manual_seed(0)
    model = HRM(preset("trm", **TINY)).eval()
    torch.nn.init.normal_(model.q_head.weight, std=0.5)
    torch.nn.init.zeros_(model.q_head.bias)
    puzzles = SUDOKU.load(SUDOKU.dev_file).take(slice(6))  # type: ignore[arg-type]
    rule = Halting(0.5)
    alone = evaluate(model, puzzles, max_steps=3, halting=rule)
    views = evaluate_views(
        model, puzzles, lambda given, asked, rng: (given, asked), views=2, max_steps=3, halting=rule, batch=4
    )
    assert views.steps.tolist() == alone.steps.tolist()
    assert views.cells == pytest.approx(alone.cells)


def test_views_and_steps_can_be_asked_for(weights: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--weights", str(weights), "--limit", "3", "--views", "2", "--steps", "2", "--early-exit"]
    assert main(["evaluate", *asked]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["puzzles"] == 3 and 1 <= told["mean_steps"] <= 2


@pytest.mark.long
def test_training_takes_hints_growth_and_weights_to_start_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shape = [f"--set={key}={value}" for key, value in TINY.items()]
    common = ["train", "--preset", "trm", "--batch", "4", "--dev-limit", "2", "--device", "cpu", *shape]
    first = [*common, "--out", str(tmp_path / "a"), "--steps", "4", "--log-every", "1", "--hints", "1"]
    assert main([*first, "--growth", "0:1:1,0.5:2:1", "--optimizer", "muon", "--guard", "2"]) == 0
    grown = load_model(tmp_path / "a" / "model.safetensors").config
    assert (grown.H_cycles, grown.L_cycles) == (2, 1)
    second = [*common, "--out", str(tmp_path / "b"), "--steps", "1000000", "--horizon", "0.005"]
    assert main([*second, "--start", str(tmp_path / "a" / "model.safetensors")]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["finished"]
    with pytest.raises(SystemExit):
        main([*first, "--growth", "soon"])

"""A captured training step gives the weights of a plain one."""

from dataclasses import replace

import pytest
import torch

from hrm.config import preset
from hrm.model import HRM
from hrm.tasks import TASKS
from hrm.training.distributed import World
from hrm.training.loop import LoopConfig, Pace, TrainingLoop
from hrm.training.puzzles import PuzzleTraining, TrainingRecipe
from hrm.training.run import TrainingRun, train

torch.set_num_threads(1)
GRID = TASKS["sudoku"]
TINY = {
    "hidden_size": 32,
    "num_heads": 2,
    "L_layers": 1,
    "H_layers": 1,
    "puzzle_emb_ndim": 32,
    "halt_max_steps": 3,
}


def fit(directory, *, recorded, q_continue=True, growth=(), legs=(8,)):
    for steps in legs:
        torch.manual_seed(0)
        model = HRM(preset("reference", **TINY, q_continue=q_continue))
        task = PuzzleTraining(
            model,
            GRID,
            GRID.load(GRID.train_file).take(slice(40)),
            None,
            TrainingRecipe(warmup=2, lr=1e-3, ema=0.9, weight_decay=0.1, batch=6, hints=0.5, growth=growth),
            seed=3,
            world=World(torch.device("cpu")),
            recorded=recorded,
        )
        config = LoopConfig(Pace(steps, log_every=1, checkpoint_every=4), task.recipe)
        TrainingLoop(model, task, directory, config, bar=False).run()
    return model, task


@pytest.mark.slow
@pytest.mark.parametrize("q_continue", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_recorded_run_makes_the_weights_of_a_plain_one(tmp_path, q_continue):
    plain, first = fit(tmp_path / "plain", recorded=False, q_continue=q_continue)
    played, second = fit(tmp_path / "recorded", recorded=True, q_continue=q_continue)
    for name, value in plain.state_dict().items():
        assert torch.equal(value, played.state_dict()[name]), name
    assert torch.equal(first.progress.carry.z_H, second.progress.carry.z_H)
    assert torch.equal(first.progress.steps, second.progress.steps)
    lines = [(tmp_path / name / "metrics.jsonl").read_text().splitlines() for name in ("plain", "recorded")]
    strip = lambda line: line.split('"lr"')[1]  # noqa: E731 (all but the time)
    assert [strip(line) for line in lines[0]] == [strip(line) for line in lines[1]]


@pytest.mark.slow
def test_the_step_is_captured_again_when_the_cycles_grow(tmp_path):
    growth = ((0.0, 1, 1), (0.5, 2, 2))
    plain, _ = fit(tmp_path / "plain", recorded=False, growth=growth)
    played, _ = fit(tmp_path / "recorded", recorded=True, growth=growth)
    assert played.config == replace(played.config, H_cycles=2, L_cycles=2)
    assert all(torch.equal(value, played.state_dict()[name]) for name, value in plain.state_dict().items())


@pytest.mark.slow
def test_a_recorded_run_goes_on_from_its_state(tmp_path):
    plain, _ = fit(tmp_path / "plain", recorded=False, legs=(4, 8))
    played, _ = fit(tmp_path / "recorded", recorded=True, legs=(4, 8))
    assert all(torch.equal(value, played.state_dict()[name]) for name, value in plain.state_dict().items())


def test_without_a_card_recording_is_refused_in_words(tmp_path):
    with pytest.raises(ValueError, match="--graph takes a CUDA or ROCm card"):
        train(
            TrainingRun("sudoku", "reference", tmp_path, Pace(1), device="cpu", changes=TINY, recorded=True)
        )

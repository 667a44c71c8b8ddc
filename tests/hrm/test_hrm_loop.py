"""Training resumes where it was, however it ended, and several processes train as one does."""

import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from hrm.cli import main
from hrm.tensor_file import CheckpointError, read, save
from hrm.training import distributed
from hrm.training import loop as loop_module
from hrm.training.distributed import World, choose_backend, connect
from hrm.training.loop import LoopConfig, Optimising, Pace, Task, TrainingLoop
from hrm.training.plot import draw_run
from hrm.training.run import choose_precision
from hrm.training.state import flatten, unflatten

torch.set_num_threads(1)
ROOT = Path(__file__).parents[2]


class Sum(Task):
    """Learns to add four numbers; counts its batches as state of its own."""

    def __init__(self, model: nn.Module) -> None:
        self.model, self.seen = model, torch.zeros(1)

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        x = torch.randn(8, 4)
        self.seen += 1
        error = (self.model(x) - x.sum(-1, keepdim=True)).square().mean()
        return error, {"error": error}

    def evaluate(self) -> dict[str, float]:
        assert not self.model.training
        return {"seen": float(self.seen)}

    def state(self) -> dict[str, Tensor]:
        return {"seen": self.seen}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        self.seen = state["seen"].clone()


class Breaks(Task):
    """Is knocked far off once, at the step given."""

    def __init__(self, model: nn.Module, at: int) -> None:
        self.model, self.at = model, at

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        if step == self.at:
            with torch.no_grad():
                next(self.model.parameters()).add_(100)
        return next(self.model.parameters()).square().mean() + 1, {}


def config(**how: object) -> LoopConfig:
    """Returns a configuration by the fields of its parts."""
    pace = {field.name: how.pop(field.name) for field in fields(Pace) if field.name in how}
    return LoopConfig(Pace(**pace), Optimising(**how))  # type: ignore[arg-type]


def fit(directory: Path, **changes: object) -> tuple[nn.Module, dict[str, object], Sum]:
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    task = Sum(model)
    settings = {"steps": 60, "warmup": 5, "lr": 0.05, "ema": 0.9, "log_every": 10, "checkpoint_every": 7}
    result = TrainingLoop(model, task, directory, config(**(settings | changes)), bar=False).run()
    return model, result, task


def rows(directory: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["adam-atan2", "adamw"])
def test_a_run_in_legs_makes_the_weights_of_a_run_in_one(tmp_path: Path, optimizer: str) -> None:
    whole, result, _ = fit(tmp_path / "whole", optimizer=optimizer)
    assert result["finished"] and result["step"] == 60 and result["seen"] == 60
    for _ in range(3):
        _, part, _ = fit(tmp_path / "legs", optimizer=optimizer, seconds=0.0)
        assert not part["finished"]
    legs, last, task = fit(tmp_path / "legs", optimizer=optimizer)
    assert last["finished"] and torch.equal(whole.weight, legs.weight) and float(task.seen) == 60
    assert [row["step"] for row in rows(tmp_path / "whole")][:2] == [10, 20]
    assert fit(tmp_path / "legs", optimizer=optimizer)[1]["step"] == 60


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    model, _, _ = fit(tmp_path, steps=200, evaluate_every=100, clip=10.0, lr_floor=0.1)
    assert torch.allclose(model.weight, torch.ones(1, 4), atol=0.2)
    losses = [row["loss"] for row in rows(tmp_path) if "loss" in row]
    assert losses[-1] < 0.1 * losses[0]
    assert [row["seen"] for row in rows(tmp_path) if "seen" in row] == [100, 200]


class Killed(Exception):
    """Stands for kill -9 between two instructions."""


@pytest.mark.slow
def test_dying_while_writing_loses_one_interval_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _, _ = fit(tmp_path / "whole")
    calls = []

    def dying(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
        calls.append(path)
        if len(calls) == 3:
            (path.parent / f".{path.name}.x.tmp").write_bytes(b"half a file")
            raise Killed
        save(path, tensors, metadata)

    monkeypatch.setattr(loop_module, "save", dying)
    with pytest.raises(Killed):
        fit(tmp_path / "cut")
    monkeypatch.undo()
    assert read(tmp_path / "cut" / "state.safetensors")[1]["step"] == "14"
    with (tmp_path / "cut" / "metrics.jsonl").open("a") as lines:
        lines.write('{"step": 17, "loss": 1}\n{"step": 1')
    again, result, _ = fit(tmp_path / "cut")
    assert result["finished"] and torch.equal(whole.weight, again.weight)
    steps = [row["step"] for row in rows(tmp_path / "cut")]
    assert steps == sorted(steps) and 17 not in steps


@pytest.mark.slow
def test_a_state_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    fit(tmp_path, steps=3)
    with pytest.raises(CheckpointError, match=r"state\.safetensors is of another run"):
        TrainingLoop(nn.Linear(5, 1), Task(), tmp_path, config(steps=9)).run()
    (tmp_path / "state.safetensors").write_bytes(b"\0" * 50)
    with pytest.raises(CheckpointError, match="delete it to start this run anew"):
        fit(tmp_path)


@pytest.mark.slow
def test_a_run_goes_on_past_metrics_lines_that_are_none(tmp_path: Path) -> None:
    fit(tmp_path, steps=20, checkpoint_every=10)
    with (tmp_path / "metrics.jsonl").open("ab") as lines:
        lines.write(b'5\n[1]\n{"step": "x"}\n"step"\n\xff\n{"step":')
    _, result, _ = fit(tmp_path, steps=40)
    assert result["finished"]
    assert sorted({row["step"] for row in rows(tmp_path)}) == [10, 20, 30, 40]
    with (tmp_path / "metrics.jsonl").open("ab") as lines:
        lines.write(b'5\n{"loss": 1}\n{"step": 50, "loss": "low"}\n{"step":')
    draw_run(tmp_path / "metrics.jsonl", tmp_path / "curves.svg")
    assert "polyline" in (tmp_path / "curves.svg").read_text()


def test_the_progress_line_says_where_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = nn.Linear(4, 1)
    TrainingLoop(model, Sum(model), tmp_path, config(steps=4), bar=True).run()
    assert "4/4" in capsys.readouterr().err


def test_nested_state_survives_and_what_cannot_is_refused() -> None:
    state = {"a": [torch.ones(2), (1, "x", None)], 3: {"b": torch.zeros(1, dtype=torch.int64)}}
    tensors, skeleton = flatten(state)
    back = unflatten(tensors, json.loads(json.dumps(skeleton)))
    assert back["a"][1] == (1, "x", None) and torch.equal(back["a"][0], torch.ones(2))
    assert back[3]["b"].dtype == torch.int64
    with pytest.raises(TypeError, match=r"/x is a object"):
        flatten({"x": object()})


def test_backends_are_chosen_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torch.distributed.is_nccl_available", lambda: True)
    card = torch.device("cuda", 0)
    assert choose_backend(torch.device("cpu")) == ("gloo", "the device is cpu")
    assert choose_backend(card, "win32")[0] == "gloo"
    assert choose_backend(card, "linux", hip="7.1") == ("rccl", "AMD cards, ROCm 7.1")
    assert choose_backend(card, "linux")[0] == "nccl"
    monkeypatch.setattr("torch.distributed.is_nccl_available", lambda: False)
    assert choose_backend(card, "linux") == ("gloo", "this torch was built without NCCL")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.slow
def test_a_backend_that_will_not_start_gives_way_to_gloo(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "RANK": "0",
        "WORLD_SIZE": "1",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(free_port()),
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(distributed, "choose_backend", lambda device: ("nccl", "NVIDIA cards"))
    world = connect("cpu")  # this torch has no NCCL, so its start fails as it would with a broken driver
    try:
        assert world.backend == "gloo" and world.reason.startswith("nccl would not start")
        wide = replace(world, size=2)
        with monkeypatch.context() as patch:
            patch.setattr(
                "torch.distributed.all_gather", lambda parts, sent: [part.copy_(sent) for part in parts]
            )
            assert wide.gather(torch.tensor([True, False])).tolist() == [True, False] * 2
        assert wide.total({"b": 2.0, "a": 1.0}) == {"a": 1.0, "b": 2.0}
    finally:
        world.close()
    assert not torch.distributed.is_initialized()


def test_alone_there_is_no_group_and_a_batch_must_be_dealt_out_evenly() -> None:
    world = connect("cpu")
    assert (world.size, world.backend, world.is_leader) == (1, "none", True)
    assert world.share(5) == slice(0, 5) and world.total({"a": 2.0}) == {"a": 2.0}
    second = World(torch.device("cpu"), rank=1, size=2)
    assert second.share(6) == slice(3, 6) and not second.is_leader
    with pytest.raises(ValueError, match="cannot be divided among 2"):
        second.share(5)
    assert choose_precision(torch.device("cpu"), None)[0] == "float32"
    assert choose_precision(torch.device("cpu"), "bfloat16") == ("bfloat16", "as asked")


TRAIN = [
    *("-m", "hrm", "train", "--preset", "reference", "--batch", "8", "--device", "cpu", "--lr", "1e-3"),
    *("--warmup", "2", "--log-every", "2", "--dev-limit", "4", "--ema", "0.9", "--set", "hidden_size=16"),
    *("--set", "num_heads=2", "--set", "L_layers=1", "--set", "H_layers=1", "--set", "puzzle_emb_ndim=16"),
    *("--set", "halt_max_steps=3", "--set", "halt_exploration_prob=0.5"),
]
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def both(command: list[str], where: Path) -> str:
    """Runs a command as both of two processes, as torchrun starts them; returns what they said."""
    group = ENVIRONMENT | {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
    pair = [
        subprocess.Popen(
            command,
            env=group | {"RANK": rank, "LOCAL_RANK": rank},
            cwd=where,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        for rank in "01"
    ]
    said = [one.communicate(timeout=150)[1] for one in pair]
    assert [one.returncode for one in pair] == [0, 0], said
    return "".join(said)


def train_here(directory: Path, steps: int) -> None:
    assert main([*TRAIN[2:], "--out", str(directory), "--steps", str(steps)]) == 0


def weights(directory: Path) -> dict[str, Tensor]:
    return read(directory / "model.safetensors")[0]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    train_here(folder, 8)
    return folder


@pytest.mark.long
def test_two_gloo_processes_equal_one(whole: Path, tmp_path: Path) -> None:
    script = str(Path(__file__).with_name("threads_left.py"))
    said = both(
        [sys.executable, script, *TRAIN[1:], "--out", str(tmp_path / "two"), "--steps", "4"], tmp_path
    )
    assert "gloo (the device is cpu)" in said
    assert said.count("left running: []") == 2, said  # one that runs while Python ends can abort the process
    train_here(tmp_path / "two", 8)  # goes on in one process where two left off
    ones, twos = rows(whole), rows(tmp_path / "two")
    for one, two in zip(
        ones, [row for row in twos if "dev_exact@1" not in row or row["step"] == 8], strict=True
    ):
        assert one["step"] == two["step"]
        for key in ("loss", "lm_loss", "q_halt_loss", "q_continue_loss"):
            if key in one:
                assert two[key] == pytest.approx(one[key], rel=1e-5), (one["step"], key)
    for key, value in weights(whole).items():
        assert torch.allclose(value, weights(tmp_path / "two")[key], atol=1e-5), key


@pytest.mark.long
def test_kill_nine_loses_at_most_one_interval(whole: Path, tmp_path: Path) -> None:
    flags = ["--steps", "8", "--checkpoint-every", "2"]
    command = [sys.executable, *TRAIN, "--out", str(tmp_path / "cut"), *flags]
    victim = subprocess.Popen(command, env=ENVIRONMENT, cwd=tmp_path, stderr=subprocess.DEVNULL)
    state = tmp_path / "cut" / "state.safetensors"
    deadline = time.monotonic() + 90
    while not state.exists() and victim.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    assert int(read(state)[1]["step"]) % 2 == 0
    train_here(tmp_path / "cut", 8)
    for key, value in weights(whole).items():
        assert torch.equal(value, weights(tmp_path / "cut")[key]), key


@pytest.mark.slow
def test_a_run_that_diverges_goes_back_and_continues_at_a_lower_rate(tmp_path: Path) -> None:
    model = nn.Linear(4, 1)
    how = config(steps=120, lr=1e-3, warmup=1, guard=1.5, log_every=1, ema=0.9)
    TrainingLoop(model, Breaks(model, 55), tmp_path, how, bar=False).run()
    assert float(next(model.parameters()).detach().abs().max()) < 2
    rows = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows if "eased" in row] == [56]
    rates = [row["lr"] for row in rows if "lr" in row]
    assert rates[-1] == pytest.approx(rates[40] * loop_module.RATE_FACTOR)


@pytest.mark.slow
def test_a_run_ends_at_its_horizon_and_its_rate_falls_with_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(loop_module.time, "monotonic", lambda: next(ticks) / 1000)
    model = nn.Linear(4, 1)
    how = config(steps=10**9, lr=1e-3, warmup=1, lr_floor=0.1, horizon=0.3, seconds=0.15, log_every=5)
    assert not TrainingLoop(model, Sum(model), tmp_path, how, bar=False).run()["finished"]
    whole = replace(how, pace=replace(how.pace, seconds=None))
    assert TrainingLoop(model, Sum(model), tmp_path, whole, bar=False).run()["finished"]
    rows = [json.loads(line) for line in (tmp_path / "metrics.jsonl").read_text().splitlines()]
    rates = [row["lr"] for row in rows if "lr" in row]
    assert rates == sorted(rates, reverse=True) and rates[-1] < 2e-4

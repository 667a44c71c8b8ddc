"""A training loop that resumes from its last checkpoint after being killed.

The task defines what is trained. The whole state is written to one file every so many steps; all randomness
is derived from the seed and the step's number, so a resumed run ends with the same weights as an
uninterrupted one (on a CPU).
"""

import contextlib
import json
import math
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, nn

from hrm.atomic import write_text
from hrm.config import Precision
from hrm.ema import Ema
from hrm.message import say
from hrm.model import Core
from hrm.optimizers import fallen, make_optimizer, warmed_lr
from hrm.tensor_file import CheckpointError, read, save
from hrm.training.distributed import World
from hrm.training.guard import LossGuard
from hrm.training.state import flatten, unflatten

STATE_FILE = "state.safetensors"
METRICS_FILE = "metrics.jsonl"
RATE_FACTOR = 0.6


class Task:
    """The interface of what a loop trains; a subclass defines at least `loss`."""

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Computes the loss of step `step` (from 0), a mean, with detached sums to report."""
        raise NotImplementedError

    def differentiate(
        self, step: int, scaled: Callable[[Tensor], Tensor]
    ) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Puts the gradients of a step's loss into the parameters; returns the result of `loss`."""
        loss, metrics = self.loss(step)
        scaled(loss).backward()
        return loss, metrics

    def moved(self, step: int, lr: float) -> None:
        """Is called after the optimiser step, with its learning rate; for state of the task's own."""

    def reached(self, share: float) -> bool:
        """Is called with the share of the run that is done, 0..1; returns whether the loss changed scale."""
        return False

    def summary(self, sums: Mapping[str, float], steps: int) -> dict[str, float]:
        """Turns metrics summed over `steps` steps into what is logged; the means unless overridden."""
        return {key: value / steps for key, value in sums.items()}

    def evaluate(self) -> dict[str, float]:
        """Measures the model (the loop has put in the averaged weights, in evaluation mode)."""
        return {}

    def state(self) -> dict[str, Tensor]:
        """The state that a resumed run needs beyond weights and optimiser, equal on every rank."""
        return {}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Restores the state that `state` returned."""

    def export(self, path: Path, metadata: Mapping[str, str]) -> None:
        """Writes the model in the form it is used in (averaged weights where there are any)."""


@dataclass(frozen=True)
class Optimising:
    """How the weights are moved; see `hrm.optimizers`."""

    lr: float = 1e-4  # The peak rate
    warmup: int = 2000  # Steps of linear rise
    lr_floor: float = 1.0  # The share of the peak that a cosine ends at; 1: flat
    lr_hold: float = 0.0  # Share of the run before the rate begins to fall, of a run with a horizon
    optimizer: Literal["adam-atan2", "muon", "adamw"] = "adam-atan2"
    betas: tuple[float, float] = (0.9, 0.95)
    weight_decay: float = 0.1
    # A logged loss so many times the usual one takes the run back to an earlier state, with the rate
    # multiplied by `RATE_FACTOR`; None to continue regardless
    guard: float | None = None
    clip: float | None = None  # Largest norm of the gradient, None to leave it alone
    ema: float | None = None  # Decay of the averaged weights, None for none

    def __post_init__(self) -> None:
        if not 0 <= self.lr_hold < 1:
            raise ValueError(f"lr_hold is {self.lr_hold}; it is a share of the run, from 0 to less than 1")


@dataclass(frozen=True, slots=True)
class Pace:
    """When a run logs, saves and measures, in steps (0 for never, but a last state is saved), and ends."""

    steps: int  # Optimiser steps in all
    log_every: int = 50
    checkpoint_every: int = 500
    evaluate_every: int = 0
    seconds: float | None = None  # Stop, with a checkpoint, after so long (a part of a longer run)
    # Seconds of the whole run, all parts together; it ends then, and the rate falls with the time used
    # instead of the steps taken. None: it ends after `steps`
    horizon: float | None = None


@dataclass(frozen=True, slots=True)
class LoopConfig:
    """How to train."""

    pace: Pace
    optimising: Optimising = Optimising()
    precision: Precision = "float32"  # Of activations in every `Core` of the model; weights stay fp32
    seed: int = 0  # Of all random numbers

    def to_json(self) -> dict[str, Any]:
        rates = {field.name: getattr(self.optimising, field.name) for field in fields(Optimising)}
        return {**asdict(self.pace), **rates, "precision": self.precision, "seed": self.seed}


@dataclass(slots=True)
class _Window:
    steps: int = 0
    sums: dict[str, Tensor] = field(default_factory=dict)

    def add(self, values: Mapping[str, Tensor]) -> None:
        self.steps += 1
        for key, value in values.items():
            self.sums[key] = self.sums[key] + value.detach() if key in self.sums else value.detach().clone()


class TrainingLoop:
    """Trains a model on a task, in a directory of its own.

    Args:
        model: what is trained and saved; already on its device.
        directory: where `state.safetensors`, `metrics.jsonl` and `model.safetensors` go.
        config: how to train.
        world: the processes that train together, None for this one alone.
        bar: show a progress line on stderr; None where it is a terminal.
    """

    def __init__(
        self,
        model: nn.Module,
        task: Task,
        directory: Path,
        config: LoopConfig,
        *,
        world: World | None = None,
        bar: bool | None = None,
    ) -> None:
        self.model, self.task, self.directory, self.config = model, task, directory, config
        self.world = world or World(next(model.parameters()).device)
        self.bar = self.world.is_leader and (sys.stderr.isatty() if bar is None else bar)
        self.step = 0
        how = config.optimising
        self.optimizer = make_optimizer(
            how.optimizer, model.parameters(), how.lr, how.weight_decay, how.betas
        )
        self.ema = None if how.ema is None else Ema(model, how.ema)
        device = self.world.device
        self.scaler = torch.amp.GradScaler(
            device.type, enabled=config.precision == "float16" and device.type == "cuda"
        )
        for module in model.modules():
            if isinstance(module, Core):
                module.dtype = getattr(torch, config.precision)
        self._seconds = 0.0
        self._share = 0.0
        self._rate_factor = 1.0
        self._guard = LossGuard(how.guard)
        self._last_loss = math.nan

    def run(self) -> dict[str, Any]:
        """Trains until the steps or the seconds are used up, resuming where the directory has a state.

        Returns:
            step, finished, seconds (all parts together), and the last evaluation.

        Raises:
            hrm.tensor_file.CheckpointError: the state in the directory cannot be used.
        """
        self.directory.mkdir(parents=True, exist_ok=True)
        self.resume()
        begun, earlier = time.monotonic(), self._seconds
        window, evaluation, due = _Window(), dict[str, float](), time.monotonic()
        self._measure(anew=True)
        while self.step < self.config.pace.steps and self._share < 1:
            window.add(self._advance())
            self._seconds = earlier + time.monotonic() - begun
            out_of_time = self._out_of_time(self._seconds - earlier)
            self._measure()
            finished = self._share >= 1
            last = finished or out_of_time
            if self._every(self.config.pace.log_every, last):
                self._log(window)
                window = _Window()
                self._watch()
            if self.bar and (last or time.monotonic() > due):
                due = time.monotonic() + 0.5
                self._show()
            if self._every(self.config.pace.evaluate_every, finished):
                evaluation = self.evaluate()
            if self._every(self.config.pace.checkpoint_every, last):
                self.checkpoint()
            if out_of_time:
                break
        return {
            "step": self.step,
            "finished": self._share >= 1,
            "seconds": round(self._seconds, 1),
            **evaluation,
        }

    def evaluate(self) -> dict[str, float]:
        """Runs the task's evaluation on the averaged weights, logs it and returns it."""
        with self._averaged():
            self.model.eval()
            evaluation = self.task.evaluate()
            self.model.train()
        if evaluation:
            self._write({"step": self.step, "seconds": round(self._seconds, 1), **evaluation})
        return evaluation

    def checkpoint(self) -> None:
        """Writes the state, whole, and the model as it would be used."""
        state = self._state()
        if not self.world.is_leader:
            return
        tensors, skeleton = flatten(state)
        metadata = {
            "state": json.dumps(skeleton),
            "step": str(self.step),
            "seconds": str(self._seconds),
            "ease": str(self._rate_factor),
            "loop": json.dumps(self.config.to_json()),
        }
        save(self.directory / STATE_FILE, tensors, metadata)
        with self._averaged():
            self.task.export(self.directory / "model.safetensors", {"step": str(self.step)})

    def resume(self) -> bool:
        """Restores the directory's state; returns False where there is none.

        Raises:
            hrm.tensor_file.CheckpointError: it is damaged, or of another model.
        """
        path = self.directory / STATE_FILE
        if not path.exists():
            return False
        tensors, metadata = read(path, remedy=say("delete it to start this run anew"))
        try:
            self._restore(unflatten(tensors, json.loads(metadata["state"])))
            self.step, self._seconds = int(metadata["step"]), float(metadata["seconds"])
            self._rate_factor = float(metadata.get("ease", "1"))
        except (LookupError, ValueError, RuntimeError, TypeError, AttributeError) as error:
            reason = " ".join(str(error).split())[:300]
            raise CheckpointError(
                say(
                    "{file} is of another run ({problem}); train in another directory, or delete it",
                    file=str(path),
                    problem=reason,
                )
            ) from error
        if self.world.is_leader:
            self._cut_metrics()
        return True

    def _state(self) -> dict[str, Any]:
        return {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "ema": self.ema.state_dict() if self.ema else {},
            "scaler": self.scaler.state_dict(),
            "task": self.task.state(),
        }

    def _restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        if self.ema:
            self.ema.load_state_dict(state["ema"])
        self.scaler.load_state_dict(state["scaler"])
        self.task.restore(state["task"])

    def _watch(self) -> None:
        """Stores a state at intervals, and restores an earlier one if the loss diverged."""
        if self._guard.broken(self._last_loss):
            earlier = self._guard.back()
            if earlier is not None:
                self._restore(earlier)
                self._rate_factor *= RATE_FACTOR
                self._write(
                    {"step": self.step, "seconds": round(self._seconds, 1), "eased": self._rate_factor}
                )
        elif self._guard.due:
            self._guard.keep(self._state())

    def _advance(self) -> dict[str, Tensor]:
        how, pace = self.config.optimising, self.config.pace
        if pace.horizon is None:
            lr = warmed_lr(self.step, how.lr, how.warmup, pace.steps, how.lr_floor)
        else:
            falling = max(0.0, self._share - how.lr_hold) / (1 - how.lr_hold)
            lr = warmed_lr(self.step, how.lr, how.warmup) * fallen(falling, how.lr_floor)
        lr *= self._rate_factor
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        torch.manual_seed(self.config.seed * 1_000_003 + self.step)
        self.model.train()
        loss, metrics = self.task.differentiate(self.step, self.scaler.scale)
        if how.clip is not None:
            self.scaler.unscale_(self.optimizer)
            nn.utils.clip_grad_norm_(self.model.parameters(), how.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)
        self.task.moved(self.step, lr)
        if self.ema:
            self.ema.update(self.model)
        self.step += 1
        return {"loss": loss, **metrics}

    def _every(self, interval: int, last: bool) -> bool:
        return last or (interval > 0 and self.step % interval == 0)

    def _out_of_time(self, seconds: float) -> bool:
        """Whether this part's time is over, by the leader's clock; checked at log intervals."""
        if self.config.pace.seconds is None or (
            self.world.size > 1 and self.step % max(1, self.config.pace.log_every)
        ):
            return False
        late = float(self.world.is_leader and seconds >= self.config.pace.seconds)
        return self.world.total({"late": late})["late"] > 0

    def _measure(self, *, anew: bool = False) -> None:
        """Updates the share of the run that is done; with a horizon at log intervals."""
        pace = self.config.pace
        done = self.step / pace.steps
        if pace.horizon is None:
            self._share = done
        elif anew or self.step % max(1, pace.log_every) == 0:
            used = self.world.total({"used": self._seconds if self.world.is_leader else 0.0})["used"]
            self._share = min(1.0, max(done, used / pace.horizon))
        if self.task.reached(self._share):
            self._guard.restart()

    def _averaged(self) -> contextlib.AbstractContextManager[None]:
        return self.ema.applied(self.model) if self.ema else contextlib.nullcontext()

    def _log(self, window: _Window) -> None:
        sums = self.world.total({key: float(value) for key, value in window.sums.items()})
        loss = sums.pop("loss") / window.steps / self.world.size
        lr = self.optimizer.param_groups[0]["lr"]
        row = {"step": self.step, "seconds": round(self._seconds, 1), "lr": lr, "loss": loss}
        self._last_loss = loss
        self._write({**row, **self.task.summary(sums, window.steps)})

    def _write(self, row: Mapping[str, float]) -> None:
        if self.world.is_leader:
            with (self.directory / METRICS_FILE).open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(row) + "\n")

    def _cut_metrics(self) -> None:
        """Drops lines of steps after the restored state, and lines that are not valid."""
        path = self.directory / METRICS_FILE
        if not path.exists():
            return
        lines = []
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            with contextlib.suppress(ValueError, LookupError, TypeError, RecursionError):
                if json.loads(line)["step"] <= self.step:
                    lines.append(line + "\n")
        write_text(path, "".join(lines))

    def _show(self) -> None:
        done = self._share
        place = f"[{'#' * round(done * 30):<30}] {self.step}/{self.config.pace.steps}"
        print(
            f"\r{place}  loss {self._last_loss:.4f}  {self._seconds:.0f} s",
            end="\n" if done >= 1 else "",
            file=sys.stderr,
            flush=True,
        )

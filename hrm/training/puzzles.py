"""Trains a token model on puzzles: ACT, a carry for each row, one device or several. For `hrm.training.loop`.

The batch of a step is drawn for all processes together from the seed and the step's number, and each takes
its share, so that the number of processes affects nothing but the speed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

from hrm.checkpoint import save_model
from hrm.losses import softmax_cross_entropy, stablemax_cross_entropy
from hrm.model import HRM, Carry
from hrm.optimizers import SignSGD
from hrm.reasoner import default_halting
from hrm.tasks import GridTask, Puzzles
from hrm.tasks.puzzles import Grid
from hrm.training.act import ActStep, ActTrainer, Progress, draw_min_steps
from hrm.training.distributed import World
from hrm.training.evaluation import trace
from hrm.training.loop import Optimising, Task
from hrm.training.recording import Recording

LOSSES = {"stablemax": stablemax_cross_entropy, "softmax": softmax_cross_entropy}
HINTED = 0.6
Growth = Sequence[tuple[float, int, int]]
_COUNTED = ("accuracy", "exact_accuracy", "q_halt_accuracy", "steps")


@dataclass(frozen=True)
class TrainingRecipe(Optimising):
    """How a preset is trained on puzzles, unless another way is asked for."""

    weight_decay: float = 1.0  # Of the puzzle table too
    batch: int = 384  # Rows of the global batch
    token_loss: str = "stablemax"  # Or "softmax"
    puzzle_lr: float = 1.0  # The puzzle table's rate, relative to the network's
    # Share of rows that are shown part of their answer (up to half of it) at the start of a run; it falls to
    # none at `HINTED` of the run
    hints: float = 0.0
    # From which share of the run on how many H and L cycles are run; () for the model's own always
    growth: Growth = ()


class PuzzleTraining(Task):
    """The task of a loop: one ACT step of a global batch at each optimiser step.

    Args:
        dev: what to measure on, None for nothing.
        compiled: run the level modules through torch.compile.
        recorded: capture the step in a CUDA graph and replay it; for one process, in fp32 or bf16.
    """

    def __init__(
        self,
        model: HRM,
        grid: GridTask,
        puzzles: Puzzles,
        dev: Puzzles | None,
        recipe: TrainingRecipe,
        *,
        seed: int,
        world: World,
        compiled: bool = False,
        recorded: bool = False,
    ) -> None:
        self.model, self.grid, self.puzzles, self.dev = model, grid, puzzles, dev
        self.recipe, self.seed, self.world = recipe, seed, world
        self.mine = world.share(recipe.batch)
        self.trainer = ActTrainer(model, LOSSES[recipe.token_loss], compiled=compiled)
        self.module: nn.Module = self.trainer
        if world.size > 1:
            ids = [world.device] if world.device.type == "cuda" else None
            self.module = DistributedDataParallel(self.trainer, device_ids=ids, broadcast_buffers=False)
        self.table: SignSGD | None = None
        if model.config.puzzle_emb_ndim:
            self.table = SignSGD(model.puzzle_emb, weight_decay=recipe.weight_decay, gather=world.gather)
        self.progress: Progress | None = None
        self.recorded = recorded
        self._recording: Recording | None = None
        self.hinted = recipe.hints

    def draw(self, step: int) -> dict[str, Tensor]:
        """Draws this process's share of the batch of a step, on its device."""
        rng = np.random.default_rng([self.seed, step])
        picked = self.puzzles.take(rng.integers(len(self.puzzles), size=self.recipe.batch))
        inputs, labels = self.grid.augment(picked.inputs, picked.labels, rng)
        if self.hinted > 0:
            inputs = with_hints(inputs, labels, self.hinted, rng)
        draws = torch.from_numpy(rng.random((self.recipe.batch, 2)))
        config = self.model.config
        drawn = {
            "inputs": torch.from_numpy(inputs),
            "labels": torch.from_numpy(labels),
            "puzzle_identifiers": torch.zeros(self.recipe.batch, dtype=torch.int32),
            "min_steps": draw_min_steps(draws, config.halt_exploration_prob, config.halt_max_steps),
        }
        mine = {key: rows[self.mine].contiguous() for key, rows in drawn.items()}
        if self.world.device.type != "cuda":
            return mine
        return {key: rows.pin_memory().to(self.world.device, non_blocking=True) for key, rows in mine.items()}

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Takes one ACT step of the batch; the loss is the mean over this process's rows."""
        batch = self.draw(step)
        taken: ActStep = self.module(self.progress or self._start(batch), batch)
        self.progress = taken.progress
        return taken.loss / len(batch["inputs"]), taken.metrics

    def differentiate(
        self, step: int, scaled: Callable[[Tensor], Tensor]
    ) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Replays the captured step where that was asked for; the loss is not scaled then."""
        if not self.recorded:
            return super().differentiate(step, scaled)
        batch = self.draw(step)
        progress = self.progress or self._start(batch)
        if self._recording is None:
            self._recording = Recording(self.trainer, progress, batch)
        loss, metrics, self.progress = self._recording.step(progress, batch)
        return loss, metrics

    def _start(self, batch: dict[str, Tensor]) -> Progress:
        """Starts every row at another step count, so that rows of a batch halt at different times."""
        progress = self.trainer.start(batch)
        ages = (
            torch.arange(self.recipe.batch, dtype=torch.int32)[self.mine] % self.model.config.halt_max_steps
        )
        return progress._replace(
            steps=ages.to(progress.steps.device), halted=torch.zeros_like(progress.halted)
        )

    def reached(self, share: float) -> bool:
        """Reduces the hints and increases the cycles as the run progresses."""
        self.hinted = self.recipe.hints * max(0.0, 1 - share / HINTED)
        due = [cycles for start, *cycles in self.recipe.growth if share >= start]
        config = self.model.config
        if not due or due[-1] == [config.H_cycles, config.L_cycles]:
            return False
        self.model.config = replace(config, H_cycles=due[-1][0], L_cycles=due[-1][1])
        self._recording = None
        return True

    def moved(self, step: int, lr: float) -> None:
        if self.table is not None:
            self.table.lr = lr * self.recipe.puzzle_lr
            self.table.step()

    def summary(self, sums: Mapping[str, float], steps: int) -> dict[str, float]:
        """Returns accuracies over the rows that halted, and losses as means over rows."""
        sums = dict(sums)
        count = sums.pop("count")
        rows = steps * self.recipe.batch
        return {key: value / (max(count, 1) if key in _COUNTED else rows) for key, value in sums.items()} | {
            "halted": count / rows
        }

    def evaluate(self) -> dict[str, float]:
        """Measures exact accuracy on the dev puzzles after every step, and under early exit."""
        if self.dev is None:
            return {}
        mine = self.dev.take(slice(self.world.rank, None, self.world.size))
        with torch.compiler.set_stance("force_eager"):
            curve = trace(self.model, mine, max_steps=self.model.config.halt_max_steps)
        counts = {f"dev_exact@{step}": float(right) for step, right in enumerate(curve.exact.sum(0), start=1)}
        counts["dev_cells"] = float(curve.cells[:, -1].sum())
        early, taken = curve.early(default_halting(self.model))
        counts |= {"dev_early_exact": early * len(curve.exact), "dev_early_steps": taken * len(curve.exact)}
        totals = self.world.total(counts)
        return {key: round(value / len(self.dev), 4) for key, value in totals.items()}

    def state(self) -> dict[str, Tensor]:
        """The progress of all rows, those of the other processes too."""
        if self.progress is None:
            return {}
        carry, steps, halted, data = self.progress
        parts = {**carry._asdict(), "steps": steps, "halted": halted}
        parts |= {f"data.{key}": rows for key, rows in data.items()}
        return {key: self.world.gather(rows) for key, rows in parts.items()}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Takes this process's share of a saved progress; one of another batch size is dropped."""
        if not state or len(state["steps"]) != self.recipe.batch:
            return
        mine = {key: rows[self.mine].to(self.world.device) for key, rows in state.items()}
        data = {key.removeprefix("data."): rows for key, rows in mine.items() if key.startswith("data.")}
        self.progress = Progress(Carry(mine["z_H"], mine["z_L"]), mine["steps"], mine["halted"], data)

    def export(self, path: Path, metadata: Mapping[str, str]) -> None:
        """Writes the model's weights, its configuration, and the task it was trained on."""
        save_model(path, self.model, self.model.config, {"task": self.grid.name, **metadata})


def with_hints(inputs: Grid, labels: Grid, share: float, rng: np.random.Generator) -> Grid:
    """Shows `share` of the rows (B, S) part of their answer: each cell with a chance of up to a half."""
    chance = np.where(rng.random(len(inputs)) < share, rng.random(len(inputs)) / 2, 0)
    return np.where(rng.random(inputs.shape) < chance[:, None], labels, inputs)

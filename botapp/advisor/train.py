"""Training: `python -m botapp.advisor.train --data DIR --out FILE --minutes M` makes weights of the data.

Every ACT step is graded: shares of the options against a soft maximum of the teacher's scores, the value
against the fight's end, halt against "the answer at hand costs at most epsilon HP". Next hop:
`botapp.advisor.grading` measures the averaged weights on held-out fights.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from botapp.advisor.encoding import REGISTERS
from botapp.advisor.grading import REGRET_CAP, answer, calibrate, grade
from botapp.advisor.model import AdvisorModel, Calibration, Projection, lite, load_weights, save_weights
from botapp.advisor.samples import Batch, DataError, load
from hrm.checkpoint import read
from hrm.config import Precision
from hrm.losses import binary_cross_entropy, halt_loss, soft_target_loss, value_loss
from hrm.model import count_parameters
from hrm.reasoner import pick_device
from hrm.training.loop import Loop, LoopConfig, Task

_SMALLEST_SCALE = 0.05


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train.

    Attributes:
        temperature: HP; the teacher's scores are divided by it before their soft maximum is taken.
        epsilon: HP; an answer that costs no more is good enough to halt at.
        steps: ACT steps graded on each batch.
        regret_weight, value_weight, halt_weight: shares in the loss.
    """

    batch: int = 2048
    lr: float = 1e-3
    weight_decay: float = 0.1
    ema: float = 0.999
    temperature: float = 4.0
    epsilon: float = 3.0
    steps: int = 6
    regret_weight: float = 0.5
    value_weight: float = 0.5
    halt_weight: float = 0.5
    held_out: float = 0.08


class Imitation(Task):
    """Learns the teacher's scores and the fights' ends from batches drawn by the number of the step."""

    def __init__(self, model: AdvisorModel, data: list[Batch], recipe: Recipe, seed: int) -> None:
        self.model, self.data, self.recipe, self.seed = model, data, recipe, seed
        self._sizes = torch.tensor([float(len(batch)) for batch in data])
        self._device = data[0].context.device

    def loss(self, step: int) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Computes the mean loss over the ACT steps of one batch."""
        draw = torch.Generator().manual_seed(self.seed * 1_000_003 + step)
        group = self.data[int(torch.multinomial(self._sizes, 1, generator=draw))]
        index = torch.randint(len(group), (min(self.recipe.batch, len(group)),), generator=draw)
        return self.batch_loss(group.rows(index.to(self._device)))

    def batch_loss(self, batch: Batch) -> tuple[Tensor, Mapping[str, Tensor]]:
        """Computes the loss of one batch, a mean over its rows and ACT steps, and what to report."""
        recipe, model, rows = self.recipe, self.model, len(batch)
        targets = (-batch.regrets / recipe.temperature).softmax(-1)
        costs = batch.regrets.clamp_max(REGRET_CAP) / recipe.temperature
        x, mask = model.embed(*batch.inputs)
        carry = model.core.start(rows, x.shape[1])
        total = torch.zeros((), device=x.device)
        halts: list[Tensor] = []
        regret = good = torch.zeros((), device=x.device)
        for _ in range(recipe.steps):
            carry, q = model.core(carry, x, mask)
            logits, value = model.readout(carry.z_H)
            options = logits[:, REGISTERS : REGISTERS + batch.options.shape[1]]
            shares = options.masked_fill(~batch.option_mask, -torch.inf).softmax(-1)
            chosen = batch.regrets.gather(1, shares.argmax(-1, keepdim=True))[:, 0]
            fine = chosen <= recipe.epsilon
            total = total + soft_target_loss(options, targets, batch.option_mask)
            total = total + recipe.regret_weight * (shares * costs).sum()
            total = total + recipe.value_weight * value_loss(value, batch.outcomes)
            total = total + recipe.halt_weight * halt_loss(q[:, 0], fine.float())
            halts.append(q)
            regret, good = chosen.clamp_max(REGRET_CAP).mean(), fine.float().mean()
            carry = carry.detach()
        total = total + 0.5 * recipe.halt_weight * _continue_loss(halts)
        return total / (rows * recipe.steps), {"regret": regret, "good": good}


def _continue_loss(said: list[Tensor]) -> Tensor:
    """Returns the loss of the continue head: what the next step thinks of stopping there or going further."""
    loss = torch.zeros((), device=said[0].device)
    for index, q in enumerate(said):
        ahead = said[min(index + 1, len(said) - 1)].detach()
        last = index + 2 >= len(said)
        target = (ahead[:, 0] if last else ahead.amax(-1)).sigmoid()
        loss = loss + binary_cross_entropy(q[:, 1], target)
    return loss


def fit_scales(model: AdvisorModel, data: list[Batch]) -> None:
    """Sets what brings each feature to a common scale, from the real tokens of the training data."""
    seen: list[tuple[Projection, list[Tensor]]] = [
        (model.context, [batch.context.float() for batch in data]),
        (model.fighter, [batch.fighters[batch.fighter_mask].float() for batch in data]),
        (model.option, [batch.options[batch.option_mask].float() for batch in data]),
    ]
    for projection, parts in seen:
        tokens = torch.cat(parts)
        projection.mean.copy_(tokens.mean(0))
        projection.gain.copy_(1 / tokens.std(0).clamp_min(_SMALLEST_SCALE))


def train(
    data: Path,
    out: Path,
    minutes: float,
    recipe: Recipe | None = None,
    device: str = "auto",
    seed: int = 0,
    steps: int | None = None,
) -> dict[str, Any]:
    """Trains weights for `minutes` (or exactly `steps` optimiser steps) and writes them to `out`.

    Returns:
        The figures on held-out fights, and what made them.

    Raises:
        DataError: the data cannot be used.
    """
    begun = time.monotonic()
    recipe = recipe or Recipe()
    where = pick_device(device)
    training, held_out = ([b.to(where) for b in part] for part in load(data, recipe.held_out))
    torch.manual_seed(seed)
    model = AdvisorModel(lite()).to(where)
    fit_scales(model, training)
    task = Imitation(model, training, recipe, seed)
    precision: Precision = "bfloat16" if where.type == "cuda" else "float32"
    count = steps or _affordable(model, task, minutes, precision)
    config = LoopConfig(
        steps=count,
        lr=recipe.lr,
        warmup=min(300, max(1, count // 10)),
        lr_floor=0.02,
        weight_decay=recipe.weight_decay,
        clip=1.0,
        ema=recipe.ema,
        precision=precision,
        log_every=100,
        checkpoint_every=0,
        seconds=None if steps else minutes * 60,
        seed=seed,
    )
    with tempfile.TemporaryDirectory() as folder:
        loop = Loop(model, task, Path(folder), config)
        result = loop.run()
        log = [json.loads(line) for line in (Path(folder) / "metrics.jsonl").read_text().splitlines()]
    if loop.ema is not None:
        model.load_state_dict(loop.ema.average)
    notes = {
        "parameters": count_parameters(model),
        "states": sum(len(batch) for batch in training),
        "optimiser_steps": result["step"],
        "training_seconds": result["seconds"],
        "recipe": asdict(recipe),
        "seed": seed,
        "torch": torch.__version__,
    }
    save_weights(out, model, Calibration(epsilon=recipe.epsilon), notes)
    figures = measure(out, held_out)
    return {**figures, "log": log, "seconds": round(time.monotonic() - begun, 1)}


def measure(weights: Path, held_out: list[Batch]) -> dict[str, Any]:
    """Grades the weights as stored, and stores them again with the temperatures that this gave."""
    model, before = load_weights(weights)
    notes = json.loads(read(weights)[1]["notes"])
    model = model.to(held_out[0].context.device)
    answers = answer(model, held_out, model.config.halt_max_steps)
    calibration = calibrate(answers, before.epsilon)
    figures = grade(answers, calibration)
    save_weights(weights, model, calibration, {**notes, "figures": figures})
    return {"notes": notes, "held_out": figures}


def _affordable(model: AdvisorModel, task: Imitation, minutes: float, precision: str) -> int:
    """Returns the optimiser steps that fit into `minutes`, from the time a few take."""
    model.core.dtype = getattr(torch, precision)
    trials = 8
    for trial in range(-2, trials):
        if trial == 0:
            begun = time.perf_counter()
        loss, _ = task.loss(trial + 2)
        loss.backward()  # type: ignore[no-untyped-call]
        float(loss.detach())
        model.zero_grad(set_to_none=True)
    each = (time.perf_counter() - begun) / trials
    return max(20, int(minutes * 60 * 0.9 / each))


def main(arguments: list[str] | None = None) -> int:
    """Trains the advisor's weights from the command line and prints the figures as JSON."""
    defaults = Recipe()
    parser = argparse.ArgumentParser(prog="python -m botapp.advisor.train", description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of shards")
    parser.add_argument("--out", type=Path, required=True, help="safetensors file to write")
    parser.add_argument("--metrics", type=Path, default=None, help="JSON file for the figures")
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--steps", type=int, default=None, help="optimiser steps, instead of minutes")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=defaults.batch)
    parser.add_argument("--lr", type=float, default=defaults.lr)
    parser.add_argument("--act-steps", type=int, default=defaults.steps)
    parser.add_argument(
        "--temperature", type=float, default=defaults.temperature, help="of the teacher, in HP"
    )
    parser.add_argument("--held-out", type=float, default=defaults.held_out, help="share of the fights")
    parser.add_argument(
        "--measure-only",
        action="store_true",
        help="train nothing: grade the weights at --out on held-out fights, fit their temperatures anew",
    )
    parser.add_argument("--threads", type=int, default=None, help="of torch on a CPU")
    options = parser.parse_args(arguments)
    if options.threads:
        torch.set_num_threads(options.threads)
    recipe = Recipe(
        batch=options.batch,
        lr=options.lr,
        steps=options.act_steps,
        temperature=options.temperature,
        held_out=options.held_out,
    )
    try:
        if options.measure_only:
            figures = measure(options.out, load(options.data, recipe.held_out)[1])
        else:
            figures = train(
                options.data,
                options.out,
                options.minutes,
                recipe,
                options.device,
                options.seed,
                options.steps,
            )
    except (DataError, ValueError) as error:
        parser.error(str(error))
    if options.metrics:
        options.metrics.parent.mkdir(parents=True, exist_ok=True)
        options.metrics.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    print(json.dumps({key: value for key, value in figures.items() if key != "log"}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

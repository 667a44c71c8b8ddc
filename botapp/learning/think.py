"""Trains the network that thinks while the search goes on.

`python -m botapp.learning.think --data DIR --out FILE --seconds S` reads each recorded deliberation slice
by slice, as the app would. After every slice there is a loss: the candidates' shares towards the deep
search's values, Q(halt) towards minus the regret of the answer given, Q(continue) towards minus the price
of a slice and the better of the next step's two values, and the looks towards what trying them had brought.
Prices and numbers of slices are drawn anew for each reading, so that one network serves all budgets.
"""

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from botapp.advisor.evidence import PROGRESS
from botapp.advisor.thinker import TRUST, Thinker, fresh, full, lite, load_thinker, save_thinker
from botapp.learning.deliberations import RecordBatch, Records, batch_of, load
from botapp.learning.recorded import FAR, MODES, READINGS, SLICES
from botapp.learning.thought_figures import by_mode, differences, graded, halves, measure
from botapp.learning.thoughts import Said, think
from hrm.config import read_change
from hrm.ema import Ema
from hrm.model import count_parameters
from hrm.reasoner import pick_device

_LEFT, _PRICE = PROGRESS.index("left"), PROGRESS.index("price")
_PRICES = 0.01, 0.25
_SIZES = {"lite": lite, "full": full}
_LARGE = 4_000_000
"""Parameters from which on weights are stored in int8 and in two files, so that a repository takes them."""
_OPTIONS = (
    "batch", "lr", "blocks", "temperature", "regret", "ema", "late", "correction", "weight_decay", "falling",
    "drop_fighters", "drop_evidence",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ThinkingRecipe:
    """How to train.

    Attributes:
        batch: deliberations in a batch.
        lr: learning rate of AdamW, after `warmup` steps.
        falling: the last share of the training in which the rate falls to 0.
        blocks: the share of that rate that the blocks have; the more of them, the less. One step moves all of
            them alike, and after the norm of each there is soon nothing left that tells states apart.
        temperature: of the deep values, in percent points of winning.
        regret: weight of the expected regret, in percent points, beside the cross-entropy.
        late: the share of deliberations that begin at a reading other than the first.
        largest: regrets and gains beyond it count as it, in percent points.
        far: what rollouts over several rounds count for in a candidate's value.
        correction: see `botapp.advisor.calibration.Calibration`.
        drop_fighters, drop_evidence: shares of the fighters and of the candidates' evidence that are hidden.
    """

    batch: int = 512
    lr: float = 1e-3
    blocks: float = 1.0
    warmup: int = 100
    falling: float = 0.3
    weight_decay: float = 0.05
    temperature: float = 1.5
    regret: float = 0.3
    halt_weight: float = 0.1
    look_weight: float = 0.1
    late: float = 0.2
    largest: float = 15.0
    ema: float = 0.998
    far: float = FAR
    correction: float = 1.0
    drop_fighters: float = 0.0
    drop_evidence: float = 0.0


def policy_loss(batch: RecordBatch, logits: Tensor, recipe: ThinkingRecipe) -> Tensor:
    """Returns how far the candidates' shares are from the deep search's values, (B, R)."""
    target = (-batch.regrets / recipe.temperature).masked_fill(~batch.real, -1e4).softmax(-1)[:, None]
    regrets = batch.regrets.clamp_max(recipe.largest)[:, None]
    shares = logits.log_softmax(-1)
    return -(target * shares).sum(-1) + recipe.regret * (shares.exp() * regrets).sum(-1)


def losses(
    batch: RecordBatch, said: Said, recipe: ThinkingRecipe, price: Tensor, ends: Tensor, first: int
) -> dict[str, Tensor]:
    """Returns the parts of the loss, means over deliberations and readings.

    Args:
        recipe: how to train.
        price: of a slice, in percent points, (B,).
        ends: the last reading of each deliberation, (B,).
        first: the first reading there is.
    """
    readings = torch.arange(first, READINGS, device=price.device)
    real = (readings <= ends[:, None]).float()
    regrets = batch.regrets.clamp_max(recipe.largest)
    given = said.logits.argmax(-1)
    halted = -regrets.gather(1, given)
    with torch.no_grad():
        following = said.q.amax(-1)
        after = torch.cat((following[:, 1:], said.q[:, -1:, 0]), dim=1)
        last = readings == ends[:, None]
        after = torch.where(last, said.q[:, :, 0], after)
        continued = -price[:, None] + after
        by_model = (batch.mode != MODES.index("random")).float()[:, None]
    halt = (said.q[:, :, 0] - halted).square()
    go_on = (said.q[:, :, 1] - continued).square() * by_model
    tried = batch.gains[:, first:].isfinite()
    gains = batch.gains[:, first:].nan_to_num(0.0).clamp(-recipe.largest, recipe.largest)
    look = ((said.looks - gains).square() * tried).sum() / tried.sum().clamp_min(1)

    def mean(part: Tensor) -> Tensor:
        return (part * real).sum() / real.sum()

    return {
        "policy": mean(policy_loss(batch, said.logits, recipe)),
        "halt": recipe.halt_weight * mean(halt),
        "continue": recipe.halt_weight * mean(go_on),
        "look": recipe.look_weight * look,
    }


def drawn(batch: RecordBatch) -> tuple[RecordBatch, Tensor, Tensor]:
    """Draws prices and numbers of slices for a batch; returns all three."""
    count, device = len(batch.context), batch.context.device
    low, high = (math.log(bound) for bound in _PRICES)
    price = (low + (high - low) * torch.rand(count, device=device)).exp()
    ends = torch.where(
        torch.rand(count, device=device) < 0.5,
        torch.full((count,), SLICES, device=device),
        torch.randint(1, SLICES + 1, (count,), device=device),
    )
    progress = batch.progress.clone()
    progress[:, :, _PRICE] = (price / 0.05).log()[:, None]
    left = (ends[:, None] - torch.arange(READINGS, device=device)).clamp_min(0)
    progress[:, :, _LEFT] = left / 8
    return replace(batch, progress=progress), price, ends


def fit_scales(model: Thinker, records: Records, rows: Tensor) -> None:
    """Brings all features to a common scale by what they are in the records."""
    a = records.rows(rows[:4096]).arrays
    real = torch.arange(a["candidates"].shape[1], device=rows.device) < a["candidate_count"].long()[:, None]
    there = torch.arange(a["fighters"].shape[1], device=rows.device) < a["fighter_count"].long()[:, None]
    evidence = a["evidence"].float()
    every = real[:, None, None].expand(evidence.shape[:-1])
    for part, values in (
        (model.context, a["context"].float()),
        (model.fighter, a["fighters"].float()[there]),
        (model.candidate, a["candidates"].float()[real]),
        (model.evidence, evidence[every]),
        (model.progress, a["progress"].float().flatten(0, 2)),
    ):
        part.mean.copy_(values.mean(0))
        part.gain.copy_(1 / values.std(0).clamp_min(0.15))


@torch.no_grad()
def begin_heads(model: Thinker, records: Records, rows: Tensor, recipe: ThinkingRecipe) -> None:
    """Begins the heads of fresh weights at the best that they can say of all states alike.

    From further off, all blocks first learn to shift what is common; of many blocks, each with a norm behind,
    nothing that tells states apart comes through any more (docs/log/learning.md, "why `full` did not
    learn, once more").
    """
    some = rows[:4096]
    batch = batch_of(records, some, torch.zeros_like(some), recipe.far)
    odds = batch.odds.masked_fill(~batch.real[:, None], -1e9)
    regrets = batch.regrets.clamp_max(recipe.largest).gather(1, odds.argmax(-1))
    assert model.core.q_head.bias is not None and model.heads.whole.bias is not None
    model.core.q_head.bias.fill_(-regrets.mean().item())
    standing = odds - odds.amax(-1, keepdim=True)
    shifts = torch.linspace(-4, 2, 25).tolist()
    layers = [
        policy_loss(batch, standing * (TRUST * math.exp(shift)), recipe).mean().item() for shift in shifts
    ]
    model.heads.whole.bias.fill_(shifts[layers.index(min(layers))])


class _Step:
    """One optimiser step on a batch drawn anew; on a CUDA device replayed as a graph for each first reading.

    A step of `lite` is a few thousand small kernels: launched one by one they take several times as long.
    """

    def __init__(self, model: Thinker, records: Records, training: Tensor, recipe: ThinkingRecipe) -> None:
        self._model, self._records, self._training, self._recipe = model, records, training, recipe
        self._place = training.device
        deep = [weight for name, weight in model.named_parameters() if "_level." in name]
        rest = [weight for name, weight in model.named_parameters() if "_level." not in name]
        on_card = self._place.type == "cuda"
        self._rates = [torch.zeros((), device=self._place) if on_card else 0.0 for _ in range(2)]
        groups = [{"params": part, "lr": rate} for part, rate in zip((rest, deep), self._rates, strict=True)]
        self._optimiser = torch.optim.AdamW(
            groups, betas=(0.9, 0.98), weight_decay=recipe.weight_decay, capturable=on_card
        )
        self._kinds = records.arrays["mode"].shape[1]
        self._graphs: dict[int, tuple[Any, dict[str, Tensor]]] = {}

    def __call__(self, rate: float, first: int) -> dict[str, Tensor]:
        """Takes a step at a learning rate, from reading `first` on; returns the parts of the loss."""
        for number, share in enumerate((1.0, self._recipe.blocks)):
            usual_rate = self._optimiser.param_groups[number]["lr"]
            if isinstance(usual_rate, Tensor):
                usual_rate.fill_(rate * share)
            else:
                self._optimiser.param_groups[number]["lr"] = rate * share
        if self._place.type != "cuda":
            return self._run(first)
        if first not in self._graphs:
            self._graphs[first] = self._captured(first)
        graph, parts = self._graphs[first]
        graph.replay()
        return parts

    def _captured(self, first: int) -> tuple[Any, dict[str, Tensor]]:
        side = torch.cuda.Stream(self._place)
        side.wait_stream(torch.cuda.current_stream(self._place))
        with torch.cuda.stream(side):
            for _ in range(2):
                self._run(first)
        torch.cuda.current_stream(self._place).wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        pool = next(iter(self._graphs.values()))[0].pool() if self._graphs else None
        with torch.cuda.graph(graph, pool=pool):
            parts = self._run(first)
        return graph, parts

    def _run(self, first: int) -> dict[str, Tensor]:
        recipe, place, training = self._recipe, self._place, self._training
        states = training[torch.randint(len(training), (recipe.batch,), device=place)]
        which = torch.randint(self._kinds, (recipe.batch,), device=place)
        batch, price, ends = drawn(batch_of(self._records, states, which, recipe.far))
        batch = dropped(batch, recipe)
        said = think(self._model, batch, recipe.correction, first, place.type == "cuda")
        parts = losses(batch, said, recipe, price, ends.clamp_min(first), first)
        loss = sum(parts.values(), torch.zeros((), device=place))
        self._optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        self._optimiser.step()
        return {name: part.detach() for name, part in parts.items()}


def dropped(batch: RecordBatch, recipe: ThinkingRecipe) -> RecordBatch:
    """Hides fighters and the evidence of candidates at random, so that no single one is relied on."""
    if not recipe.drop_fighters and not recipe.drop_evidence:
        return batch
    place, candidates = batch.mask.device, batch.candidates.shape[1]
    stays = torch.rand(batch.fighters.shape[:2], device=place) >= recipe.drop_fighters
    stays[:, 0] = True
    mask = torch.cat((batch.mask[:, : 1 + candidates], batch.mask[:, 1 + candidates :] & stays), dim=1)
    known = torch.rand((len(mask), 1, candidates, 1), device=place) >= recipe.drop_evidence
    return replace(batch, mask=mask, evidence=batch.evidence * known)


@dataclass(frozen=True, slots=True)
class ThinkingRun:
    """A training as asked for."""

    data: Sequence[Path]
    out: Path
    seconds: float  # For the training itself, checks included
    start: Path | None = None  # Weights to go on from
    device: str = "auto"  # Or as torch calls it
    steps: int | None = None  # Optimiser steps at most
    seed: int = 0
    size: str = "lite"  # Or "full", for fresh weights
    shape: Sequence[tuple[str, Any]] = ()  # Changes of that size's configuration, for comparisons
    states: int | None = None  # To train on, at most; None for all that are not held out
    check: int = 100  # After so many steps the averaged weights are graded on half of the held-out fights
    others: Sequence[Path] = ()  # Folders of records that are graded on at the end, each by itself


def train(run: ThinkingRun, recipe: ThinkingRecipe) -> dict[str, Any]:
    """Trains weights, keeps those whose answers cost least on held-out fights, and writes them.

    Returns:
        The figures on the other half of the held-out fights and on the other folders, and the course of
        training.

    Raises:
        ValueError: the data cannot be used.
    """
    place, start = pick_device(run.device), run.start
    torch.manual_seed(run.seed)
    torch.set_float32_matmul_precision("high")
    records = load(run.data, place)
    held_out = records.held_out
    training, testing = (~held_out).nonzero()[:, 0][: run.states], held_out.nonzero()[:, 0]
    if not len(training) or not len(testing):
        raise ValueError("there are too few fights to train on some and test on others; record more")
    model = (
        fresh(_SIZES[run.size](**{"forward_dtype": "float32", **dict(run.shape)}))
        if start is None
        else load_thinker(start)[0]
    )
    model = model.to(place).train()
    if start is None:
        fit_scales(model, records, training)
        begin_heads(model, records, training, recipe)
    step_of, averaged = _Step(model, records, training, recipe), Ema(model, recipe.ema)
    choosing, _ = halves(records, testing)
    course, begun, step = [], time.monotonic(), 0
    best, best_weights = math.inf, averaged.average
    while (spent := time.monotonic() - begun) < run.seconds and (run.steps is None or step < run.steps):
        done = max(spent / run.seconds, 0 if run.steps is None else step / run.steps)
        rate = recipe.lr * min(1.0, (step + 1) / recipe.warmup, (1 - done) / recipe.falling)
        first = 0 if torch.rand(()) > recipe.late else int(torch.randint(1, READINGS, ()))
        parts = step_of(rate, first)
        averaged.update(model)
        step += 1
        if step % run.check == 0:
            with averaged.applied(model):
                measured = differences(model, records, choosing, recipe.correction)
            cost = sum(measured["differences"][1:4]) / 3 if recipe.correction else measured["halting"]
            if cost < best:
                best, best_weights = cost, {name: value.clone() for name, value in averaged.average.items()}
            course.append(
                {
                    "step": step,
                    "passes": round(step * recipe.batch / len(training), 2),
                    **measured,
                    **{name: round(part.item(), 4) for name, part in parts.items()},
                }
            )
            print(json.dumps(course[-1]), flush=True)
    model.load_state_dict(best_weights)
    model.eval()
    measured, calibration = graded(model, records, testing, recipe.correction)
    for folder in run.others:
        more = load([folder], place)
        rows = torch.arange(len(more), device=place)
        measured[folder.name] = by_mode(model, more, rows, calibration)["schedule"]
    notes = {
        "parameters": count_parameters(model),
        "states": len(training),
        "optimiser_steps": step,
        "seconds": round(time.monotonic() - begun, 1),
        "seed": run.seed,
        "recipe": asdict(recipe),
        "start": None if start is None else start.name,
        "figures": measured,
    }
    if count_parameters(model) > _LARGE:
        save_thinker(run.out, model.cpu(), calibration, notes, "int8", parts=2)
    else:
        save_thinker(run.out, model.cpu(), calibration, notes)
    return {**notes, "course": course}


def main(arguments: list[str] | None = None) -> int:
    """Trains the network that thinks while the search goes on."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.think", description=main.__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of records")
    parser.add_argument("--out", type=Path, required=True, help="safetensors file for the weights")
    parser.add_argument("--metrics", type=Path, default=None, help="JSON file for the figures")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--steps", type=int, default=None, help="optimiser steps at most")
    parser.add_argument("--size", choices=tuple(_SIZES), default="lite", help="of fresh weights")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="shape",
        metavar="FIELD=VALUE",
        help="another shape for fresh weights",
    )
    parser.add_argument("--start", type=Path, default=None, help="weights to go on from")
    parser.add_argument("--states", type=int, default=None, help="to train on, at most")
    parser.add_argument("--check", type=int, default=100, help="steps from one grading to the next")
    parser.add_argument("--others", type=Path, nargs="*", default=[], help="folders graded on by themselves")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--measure-only", action="store_true", help="train nothing: grade the weights at --out"
    )
    for name in _OPTIONS:
        kind = int if name == "batch" else float
        parser.add_argument(f"--{name}", type=kind, default=getattr(ThinkingRecipe(), name))
    given = parser.parse_args(arguments)
    recipe = ThinkingRecipe(**{name: getattr(given, name) for name in _OPTIONS})
    try:
        if given.measure_only:
            report = measure(given.out, given.data, given.device)
        else:
            asked = {field.name: getattr(given, field.name) for field in fields(ThinkingRun)}
            asked["shape"] = list(map(read_change, given.shape))
            report = train(ThinkingRun(**asked), recipe)
    except (ValueError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    if given.metrics:
        given.metrics.write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(json.dumps(report.get("figures", report)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Trains the network that thinks while the search goes on.

`python -m botapp.learning.think --data DIR --out FILE --seconds S` reads each recorded deliberation slice by
slice, as the app would. After every slice there is a loss: the candidates' shares towards the deep search's
values, the outcome of the fight, Q(halt) towards minus the regret of the answer given, Q(continue) towards
minus the price of a slice and the better of the next step's two values, and the looks towards what trying
them had brought. Prices and numbers of slices are drawn anew for each reading, so that one network serves all
budgets. Next hop: `botapp.learning.thought_figures`.
"""

import argparse
import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from botapp.advisor.calibration import Calibration
from botapp.advisor.evidence import PROGRESS
from botapp.advisor.thinker import Thinker, answer_of, fresh, load_thinker, save_thinker
from botapp.learning.recorded import FAR, MODES, READINGS, SLICES
from botapp.learning.thought_figures import figures
from hrm.ema import Ema
from hrm.model import Carry, count_parameters
from hrm.reasoner import pick_device

HELD_OUT = 0.1
"""The share of the fights, by their beginnings, that is kept for grading."""
_MIXER = 2654435761
_LEFT, _PRICE = PROGRESS.index("left"), PROGRESS.index("price")
_PRICES = 0.01, 0.25
_OPTIONS = ("batch", "lr", "temperature", "regret", "ema", "late", "correction")


@dataclass(frozen=True, slots=True)
class ThinkingRecipe:
    """How to train.

    Attributes:
        batch: deliberations in a batch.
        lr: peak learning rate of AdamW, after `warmup` steps; it falls along a cosine.
        temperature: of the deep values, in percent points of winning.
        regret: weight of the expected regret, in percent points, beside the cross-entropy.
        outcome: the share of the fight's outcome in what the value learns; the deep value has the rest.
        late: the share of deliberations that begin at a reading other than the first.
        largest: regrets and gains beyond it count as it, in percent points.
        ema: decay of the averaged weights.
        far: what rollouts over several rounds count for in a candidate's value.
        correction: see `botapp.advisor.calibration.Calibration`; none by default, as what was learnt of it
            from a few thousand states lost fights (LOG.md).
    """

    batch: int = 512
    lr: float = 1e-3
    warmup: int = 100
    weight_decay: float = 0.05
    temperature: float = 1.5
    regret: float = 0.3
    outcome: float = 0.5
    value_weight: float = 0.5
    halt_weight: float = 0.1
    look_weight: float = 0.1
    late: float = 0.2
    largest: float = 15.0
    ema: float = 0.998
    far: float = FAR
    correction: float = 0.0


@dataclass(frozen=True, slots=True)
class Records:
    """M states and K deliberations of each, on one device; see `botapp.learning.recorded.record`."""

    arrays: dict[str, Tensor]

    def __len__(self) -> int:
        return len(self.arrays["fight"])

    def rows(self, index: Tensor) -> "Records":
        """Returns some states."""
        return Records({key: array[index] for key, array in self.arrays.items()})

    @property
    def held_out(self) -> Tensor:
        """Whether a state is kept for grading, (M,) bool; fights with one beginning go together."""
        mixed = (self.arrays["fight"] // 2 * _MIXER) % 1000
        return mixed < HELD_OUT * 1000


def load(folders: Sequence[Path], device: torch.device) -> Records:
    """Reads all shards of some folders.

    Raises:
        ValueError: there is none.
    """
    paths = [path for folder in folders for path in sorted(folder.glob("records-*.npz"))]
    if not paths:
        raise ValueError(f"{folders[0]} has no records; make some with python -m botapp.learning.record")
    parts: list[dict[str, Any]] = []
    for path in paths:
        with np.load(path) as shard:
            parts.append({key: shard[key] for key in shard.files})
    most = max(part["mode"].shape[1] for part in parts)
    whole = {key: np.concatenate([_widened(part, key, most) for part in parts]) for key in parts[0]}
    return Records({key: torch.from_numpy(array).to(device) for key, array in whole.items()})


def _widened(part: dict[str, Any], key: str, most: int) -> Any:
    """Repeats the last deliberation of each state where others have more."""
    array, count = part[key], part["mode"].shape[1]
    if key not in ("evidence", "progress", "odds", "looked", "gains", "mode") or count == most:
        return array
    return np.concatenate([array, np.repeat(array[:, -1:], most - count, axis=1)], axis=1)


@dataclass(frozen=True, slots=True)
class RecordBatch:
    """B deliberations.

    Attributes:
        context, candidates, fighters: what does not change.
        mask: (B, 1 + C + F) bool, which tokens are real.
        evidence: (B, R, C, ...); progress: (B, R, ...); odds: (B, R, C) fp32.
        gains: (B, R, C), what looks bring, NaN where it was not tried.
        regrets: (B, C), percent points of winning lost against the deep search's best, 100 for padding.
        chance: (B,), the deep search's best.
        outcome: (B,), -1..1.
        mode: (B,).
    """

    context: Tensor
    candidates: Tensor
    fighters: Tensor
    mask: Tensor
    evidence: Tensor
    progress: Tensor
    odds: Tensor
    gains: Tensor
    regrets: Tensor
    chance: Tensor
    outcome: Tensor
    mode: Tensor

    @property
    def real(self) -> Tensor:
        """Which candidates are real, (B, C)."""
        return self.mask[:, 1 : 1 + self.candidates.shape[1]]


def batch_of(records: Records, states: Tensor, which: Tensor, far: float = FAR) -> RecordBatch:
    """Returns one deliberation of each of some states: (B,) numbers of states and of deliberations."""
    a = records.arrays
    device = states.device
    candidates, fighters = a["candidates"][states].float(), a["fighters"][states].float()
    counts, places = a["candidate_count"][states].long(), torch.arange(candidates.shape[1], device=device)
    real = places < counts[:, None]
    there = torch.arange(fighters.shape[1], device=device) < a["fighter_count"][states].long()[:, None]
    odds = a["deep"][states].double().lerp(a["far"][states].double(), far)
    chances = torch.sigmoid(odds.clamp(-30, 30)).float()
    best = chances.masked_fill(~real, -1).amax(-1)
    return RecordBatch(
        context=a["context"][states].float(),
        candidates=candidates,
        fighters=fighters,
        mask=torch.cat((torch.ones_like(real[:, :1]), real, there), dim=1),
        evidence=a["evidence"][states, which].float(),
        progress=a["progress"][states, which].float(),
        odds=a["odds"][states, which],
        gains=a["gains"][states, which],
        regrets=(100 * (best[:, None] - chances)).masked_fill(~real, 100.0),
        chance=best,
        outcome=a["outcome"][states],
        mode=a["mode"][states, which].long(),
    )


@dataclass(frozen=True, slots=True)
class Said:
    """What a network says of a batch after R readings: each (B, R, ...)."""

    logits: Tensor
    looks: Tensor
    outcome: Tensor
    q: Tensor


def think(
    model: Thinker, batch: RecordBatch, correction: float, first: int = 0, autocast: bool = False
) -> Said:
    """Lets a network read a batch from reading `first` on, however sure it is; gradients stay in a step."""
    tokens = model.tokens(batch.context, batch.candidates, batch.fighters)
    carry = model.core.start(len(tokens), tokens.shape[1])
    carry = Carry(*(part.to(tokens.device) for part in carry))
    logits, looks, outcomes, qs = [], [], [], []
    count = batch.candidates.shape[1]
    for reading in range(first, READINGS):
        x = model.with_evidence(tokens, batch.evidence[:, reading], batch.progress[:, reading])
        with torch.autocast(tokens.device.type, torch.bfloat16, enabled=autocast):
            after, q = model.core(carry, x, batch.mask)
        carry = after.detach()
        told = answer_of(model.heads(after.z_H), count)
        odds = batch.odds[:, reading]
        logits.append(told.logits(odds, correction).masked_fill(~batch.real, -1e4))
        looks.append(told.looks)
        best = odds.masked_fill(~batch.real, -1e9).amax(-1)
        outcomes.append(best.clamp(-30, 30) + told.outcome)
        qs.append(q.float())
    return Said(*(torch.stack(part, dim=1) for part in (logits, looks, outcomes, qs)))


def losses(
    batch: RecordBatch, said: Said, recipe: ThinkingRecipe, price: Tensor, ends: Tensor, first: int
) -> dict[str, Tensor]:
    """Returns the parts of the loss, means over deliberations and readings.

    Args:
        batch, said: what was read, and what was said of it.
        recipe: how to train.
        price: of a slice, in percent points, (B,).
        ends: the last reading of each deliberation, (B,).
        first: the first reading there is.
    """
    readings = torch.arange(first, READINGS, device=price.device)
    real = (readings <= ends[:, None]).float()
    regrets = batch.regrets.clamp_max(recipe.largest)
    target = (-batch.regrets / recipe.temperature).masked_fill(~batch.real, -1e4).softmax(-1)[:, None]
    shares = said.logits.log_softmax(-1)
    policy = -(target * shares).sum(-1) + recipe.regret * (shares.exp() * regrets[:, None]).sum(-1)
    won = (1 + batch.outcome) / 2 * recipe.outcome + (1 - recipe.outcome) * batch.chance
    value = nn.functional.binary_cross_entropy_with_logits(
        said.outcome, won[:, None].expand_as(said.outcome), reduction="none"
    )
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
        "policy": mean(policy),
        "value": recipe.value_weight * mean(value),
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


def train(
    data: Sequence[Path],
    out: Path,
    seconds: float,
    recipe: ThinkingRecipe,
    start: Path | None = None,
    device: str = "auto",
    steps: int | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Trains weights and writes them; returns the figures on held-out fights.

    Args:
        data: folders of records.
        out: file for the weights.
        seconds: for the training itself.
        recipe: how to train.
        start: weights to go on from.
        device: "auto", or as torch calls it.
        steps: optimiser steps at most.
        seed: of the draws.

    Raises:
        ValueError: the data cannot be used.
    """
    place = pick_device(device)
    torch.manual_seed(seed)
    records = load(data, place)
    held = records.held_out
    training, testing = (~held).nonzero()[:, 0], held.nonzero()[:, 0]
    if not len(training) or not len(testing):
        raise ValueError("there are too few fights to train on some and test on others; record more")
    model = (fresh(forward_dtype="float32") if start is None else load_thinker(start)[0]).to(place).train()
    if start is None:
        fit_scales(model, records, training)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=recipe.lr, betas=(0.9, 0.98), weight_decay=recipe.weight_decay
    )
    averaged = Ema(model, recipe.ema)
    kinds = records.arrays["mode"].shape[1]
    log, begun, step = [], time.monotonic(), 0
    while (spent := time.monotonic() - begun) < seconds and (steps is None or step < steps):
        done = max(spent / seconds, 0 if steps is None else step / steps)
        rate = (
            recipe.lr
            * min(1.0, (step + 1) / recipe.warmup)
            * (0.02 + 0.98 * math.cos(done * math.pi / 2) ** 2)
        )
        for group in optimiser.param_groups:
            group["lr"] = rate
        states = training[torch.randint(len(training), (recipe.batch,), device=place)]
        which = torch.randint(kinds, (recipe.batch,), device=place)
        batch, price, ends = drawn(batch_of(records, states, which, recipe.far))
        first = 0 if torch.rand(()) > recipe.late else int(torch.randint(1, READINGS, ()))
        said = think(model, batch, recipe.correction, first, place.type == "cuda")
        parts = losses(batch, said, recipe, price, ends.clamp_min(first), first)
        loss = sum(parts.values(), torch.zeros((), device=place))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        averaged.update(model)
        step += 1
        if step % 50 == 1:
            log.append({"step": step, **{key: round(part.item(), 4) for key, part in parts.items()}})
            print(json.dumps(log[-1]), flush=True)
    model.load_state_dict(averaged.average)
    model.eval()
    found, calibration = _graded(model, records, testing, recipe.correction)
    notes = {
        "parameters": count_parameters(model),
        "states": len(training),
        "optimiser_steps": step,
        "seconds": round(time.monotonic() - begun, 1),
        "recipe": asdict(recipe),
        "start": None if start is None else start.name,
        "figures": found,
    }
    save_thinker(out, model.cpu(), calibration, notes)
    return {**notes, "log": log}


def measure(weights: Path, data: Sequence[Path], device: str = "auto") -> dict[str, Any]:
    """Grades stored weights on all states of some folders."""
    place = pick_device(device)
    model, calibration = load_thinker(weights)
    records = load(data, place)
    return _figures(model.to(place), records, torch.arange(len(records), device=place), calibration)


def _graded(
    model: Thinker, records: Records, rows: Tensor, correction: float
) -> tuple[dict[str, Any], Calibration]:
    """Fits temperatures on half of the held-out fights and grades on the other half; on all where few."""
    odd = (records.arrays["fight"][rows] // 2) % 2 == 1
    fitting, testing = (rows[odd], rows[~odd]) if odd.any() and not odd.all() else (rows, rows)
    calibration = _calibrated(*_said(model, records, fitting, correction), correction)
    return _figures(model, records, testing, calibration), calibration


def _figures(model: Thinker, records: Records, rows: Tensor, calibration: Calibration) -> dict[str, Any]:
    return {
        name: figures(*_said(model, records, rows, calibration.correction, which), calibration)
        for which, name in enumerate(MODES[: records.arrays["mode"].shape[1]])
        if name != "random"
    }


@torch.inference_mode()
def _said(
    model: Thinker, records: Records, rows: Tensor, correction: float, which: int = 0
) -> tuple[RecordBatch, Said]:
    parts = []
    for some in torch.split(rows, 1024):
        batch = batch_of(records, some, torch.full_like(some, which))
        parts.append((batch, think(model, batch, correction)))
    return _all([batch for batch, _ in parts]), _all([said for _, said in parts])


def _all(parts: list[Any]) -> Any:
    names = parts[0].__dataclass_fields__
    return type(parts[0])(*(torch.cat([getattr(part, name) for part in parts]).cpu() for name in names))


def _calibrated(batch: RecordBatch, said: Said, correction: float) -> Calibration:
    """Fits a temperature of the shares and a slope of the outcome for each reading."""
    best = batch.regrets.argmin(-1)
    won = (1 + batch.outcome) / 2
    policy, slopes = [], []
    for reading in range(READINGS):
        tried = [
            (nn.functional.cross_entropy(said.logits[:, reading] / scale, best).item(), scale)
            for scale in np.geomspace(0.25, 6, 40).tolist()
        ]
        policy.append(round(min(tried)[1], 4))
        tried = [
            (
                nn.functional.binary_cross_entropy_with_logits(said.outcome[:, reading] * slope, won).item(),
                slope,
            )
            for slope in np.geomspace(0.25, 2, 30).tolist()
        ]
        slopes.append(round(min(tried)[1], 4))
    return Calibration(policy=tuple(policy), outcome=tuple(slopes), correction=correction)


def main(arguments: list[str] | None = None) -> int:
    """Trains the network that thinks while the search goes on."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.think", description=main.__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="folders of records")
    parser.add_argument("--out", type=Path, required=True, help="safetensors file for the weights")
    parser.add_argument("--metrics", type=Path, default=None, help="JSON file for the figures")
    parser.add_argument("--seconds", type=float, default=240)
    parser.add_argument("--steps", type=int, default=None, help="optimiser steps at most")
    parser.add_argument("--start", type=Path, default=None, help="weights to go on from")
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
            found = measure(given.out, given.data, given.device)
        else:
            found = train(
                given.data,
                given.out,
                given.seconds,
                recipe,
                given.start,
                given.device,
                given.steps,
                given.seed,
            )
    except (ValueError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    if given.metrics:
        given.metrics.write_text(json.dumps(found, indent=1), encoding="utf-8")
    print(json.dumps(found.get("figures", found)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Trains a network on drawn canvases and says how right and how sure it is on others."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.extract.dofus.rings_seen import SHAPE, SIZE
from vision.learn import LAYERS, SCORED, network
from vision.learn.data import IGNORED
from vision.view import SURE

_PACE, _GOING_ON, _DECAY = 3e-3, 5e-4, 0.02
"""The optimizer's pace at its highest for an untrained network, and for one to go on with."""
_STEEPEST = 1.0
"""The most that gradients count, which a network without norms needs."""
_BARE_WEIGHT = {"ring": 1 / 15, "lit": 1 / 4}
"""What a cell without a ring, and one that is not lit, counts beside others: one cell in 140 has a ring."""
_FILES_A_LOOK = 12
"""New files that are loaded a second while training goes on: more than are drawn in that time."""
_WAIT = 1 / 3
"""For such a share of the time a whole batch is waited for."""
_SAY_EVERY, _KEEP_EVERY = 10.0, 20.0
"""Seconds between two lines of progress and, at least, between two networks that are kept."""
_WORTH = 8
"""So many times as long as keeping one takes is trained before the next: half a minute on a processor."""
_CONTRAST, _COLOURFUL = 0.3, (0.4, 1.5)
"""The logarithm of an image's gamma (spread), and how strong its colours are (range): real screens in other
light, whose rings the network did not know, lie within twice the one and inside the other."""
_ODD, _HUES = 0.4, (0.06, 0.2)
"""How often a canvas has other hues, and the spread of each channel's light otherwise and then. If all have,
a range is not told from what is out of sight, nor a cell where one is tackled from brown ground."""
_CHUNK = 8
"""So many canvases of a batch are moved and mirrored alike."""


class Drawn:
    """The canvases of a folder on a device, with those that are still being drawn as they come."""

    def __init__(self, folder: Path, device: str, most: int) -> None:
        """Prepares for so many canvases at most."""
        self._folder, self._files = folder, set[Path]()
        self._x = torch.empty((most, SIZE[1], SIZE[0], 3), dtype=torch.uint8, device=device)
        self._y = torch.empty((most, len(LAYERS), *SHAPE), dtype=torch.uint8, device=device)
        self.seeds: set[int] = set()
        self.clients: Counter[str] = Counter()
        self.count = 0

    def take_in(self, most: int = 1_000_000) -> None:
        """Loads new files, so many at most."""
        new = sorted(set(self._folder.glob("*.npz")) - self._files)[:most]
        for file in new:
            self._files.add(file)
            with np.load(file) as part:
                x, y, seeds = (torch.from_numpy(part[name]) for name in ("x", "y", "seed"))
                self.clients.update(part["client"].tolist())
            fits = min(len(x), len(self._x) - self.count)
            rows = slice(self.count, self.count + fits)
            self._x[rows], self._y[rows] = x[:fits].to(self._x.device), y[:fits].to(self._y.device)
            self.count += fits
            self.seeds |= set(seeds.tolist())

    @property
    def pair(self) -> tuple[Tensor, Tensor]:
        """Canvases (n, rows, columns, 3) and labels (n, layers, rows, columns)."""
        return self._x[: self.count], self._y[: self.count]


def train(
    size: str,
    drawn: Drawn,
    seconds: float,
    device: str,
    keep: Callable[[nn.Sequential, int], None],
    batch: int = 64,
    start: nn.Sequential | None = None,
) -> None:
    """Trains until the time is up, on what is drawn by then.

    Args:
        size: of the network, see `vision.learn.SCORED`.
        keep: is given a folded copy of the network and the number of steps, every eighth of the time or less
            often and at the end, so that a run that is cut short leaves a network.
        batch: canvases a step.
        start: a folded network of the size to go on with, at a lower pace, instead of an untrained one.

    Raises:
        FileNotFoundError: nothing is drawn after a third of the time.
    """
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    model = (start or network.network(size)).to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    pace = _PACE if start is None else _GOING_ON
    weights = [_weights(name, device) for name in SCORED[size]]
    counts, wanted_of = network.classes(size), [list(LAYERS).index(name) for name in SCORED[size]]
    optimizer = torch.optim.AdamW(model.parameters(), lr=pace, weight_decay=_DECAY)
    began = looked = said = saved_at = time.monotonic()
    pause = max(_KEEP_EVERY, seconds / 8)
    step, total = 0, torch.zeros((), device=device)
    drawn.take_in()
    while (gone := (time.monotonic() - began) / seconds) < 1:
        now = time.monotonic()
        if now - looked > 1 or not drawn.count:
            drawn.take_in(_FILES_A_LOOK)
            looked = now
        if drawn.count < batch and gone < _WAIT:
            time.sleep(0.2)
            continue
        if not drawn.count:
            raise FileNotFoundError("nothing is drawn to train on: run the command draw first")
        for group in optimizer.param_groups:
            group["lr"] = pace * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * gone))
        seen, labels = drawn.pair
        pick = torch.randint(len(seen), (batch,), device=device)
        images, wanted = _varied(seen[pick], labels[pick])
        with torch.autocast(images.device.type, torch.bfloat16, enabled=images.is_cuda):
            answers = model(images)
        loss = torch.zeros((), device=device)
        for answer, layer, weight in zip(answers.float().split(counts, 1), wanted_of, weights, strict=True):
            known = wanted[:, layer].long()
            loss = loss + functional.cross_entropy(
                answer, known, weight, ignore_index=IGNORED, label_smoothing=0.005
            )
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), _STEEPEST)
        optimizer.step()
        step, total = step + 1, 0.98 * total + 0.02 * loss.detach()
        if now - said > _SAY_EVERY:
            said = now
            part = f"{size}: {gone:.0%}, {step} steps, {drawn.count} canvases"
            print(f"{part}, loss {total.item() / (1 - 0.98**step):.4f}", flush=True)
        if now - saved_at > pause:
            keep(network.folded(deepcopy(model).eval()), step)
            saved_at = time.monotonic()
            pause = max(pause, _WORTH * (saved_at - now))
    keep(network.folded(model.eval()), step)


def _weights(layer: str, device: str) -> Tensor:
    weight = torch.ones(len(LAYERS[layer]), device=device)
    weight[0] = _BARE_WEIGHT.get(layer, 1.0)
    return weight


def _varied(seen: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Returns canvases as planes of 0..1, moved, mirrored and in other light, with their labels."""
    images, wanted = [], []
    for image, label in zip(seen.split(_CHUNK), labels.split(_CHUNK), strict=True):
        down, across = int(torch.randint(-1, 2, ())), int(torch.randint(-2, 3, ()))
        image = torch.roll(image, (down, across), (1, 2))  # noqa: PLW2901  a lattice is a little off at times
        if torch.rand(()) < 0.5:  # column c becomes -c: the cells of even rows stay in even columns
            image = torch.roll(image.flip(2), 1, 2)  # noqa: PLW2901
            label = torch.roll(label.flip(3), 1, 3)  # noqa: PLW2901
        images.append(image)
        wanted.append(label)
    x = torch.cat(images).permute(0, 3, 1, 2).float() / 255
    count, device = len(x), x.device
    odd = torch.rand(count, 1, 1, 1, device=device) < _ODD
    spread = torch.where(odd, _HUES[1], _HUES[0])
    x = x * (1 + spread * torch.randn(count, 3, 1, 1, device=device)).clamp(0.4, 1.8)
    x = x + 0.08 * torch.randn(count, 1, 1, 1, device=device)
    x = x.clamp(1e-4, 1) ** torch.exp(_CONTRAST * torch.randn(count, 1, 1, 1, device=device))
    grey = x.mean(1, keepdim=True)
    strong = _COLOURFUL[0] + (_COLOURFUL[1] - _COLOURFUL[0]) * torch.rand(count, 1, 1, 1, device=device)
    x = grey + (x - grey) * strong
    noisy = (torch.rand(count, 1, 1, 1, device=device) < 0.3).float()
    x = x + 0.03 * noisy * torch.randn_like(x)
    blurred = (torch.rand(count, 1, 1, 1, device=device) < 0.15).float()
    x = x + blurred * (functional.avg_pool2d(x, (1, 3), 1, (0, 1)) - x)
    return x.clamp(0, 1).contiguous(memory_format=torch.channels_last), torch.cat(wanted)


@torch.no_grad()
def scores(
    model: nn.Sequential, size: str, layer: str, seen: Tensor, labels: Tensor, device: str
) -> tuple[Tensor, Tensor, Tensor]:
    """Returns a layer's scores, labels and the canvas of every labelled cell."""
    scored, known, whose = [], [], []
    for first in range(0, len(seen), 64):
        x = seen[first : first + 64].to(device).permute(0, 3, 1, 2).float() / 255
        label = labels[first : first + 64, list(LAYERS).index(layer)].to(device)
        answer = model(x)[:, part_of(size, layer)].permute(0, 2, 3, 1)
        cells = label != IGNORED
        scored.append(answer[cells])
        known.append(label[cells].long())
        whose.append(cells.nonzero()[:, 0] + first)
    return torch.cat(scored), torch.cat(known), torch.cat(whose)


def part_of(size: str, layer: str) -> slice:
    """Returns which of a network's classes are those of a layer."""
    counts, index = network.classes(size), SCORED[size].index(layer)
    return slice(sum(counts[:index]), sum(counts[: index + 1]))


def finish(model: nn.Sequential, size: str, seen: Tensor, labels: Tensor, device: str) -> dict[str, Any]:
    """Calibrates a network on half of the held-out canvases and judges it on the others, by layer."""
    temperatures = {}
    for layer in SCORED[size]:
        scored, known, whose = scores(model, size, layer, seen, labels, device)
        first = whose % 4 < 2  # both canvases of a screen are in one half
        part = part_of(size, layer)
        temperatures[layer] = round(network.calibrate(model, part, scored[first], known[first]), 3)
    network.rounded(model)
    figures: dict[str, Any] = {"temperatures": temperatures}
    for layer in SCORED[size]:
        scored, known, whose = scores(model, size, layer, seen, labels, device)
        others = whose % 4 >= 2
        figures[layer] = judged(layer, scored[others].softmax(1), known[others])
    return figures


def judged(layer: str, chances: Tensor, known: Tensor) -> dict[str, Any]:
    """Returns how right and how sure probabilities of a layer are, by class."""
    sure, said = chances.max(1)
    classes: dict[str, Any] = {}
    for index, name in enumerate(LAYERS[layer]):
        there, answered = known == index, said == index
        certain = answered & (sure >= SURE)
        classes[name] = {
            "cells": int(there.sum()),
            "right": _share(answered & there, there),
            "sure_and_right": _share(certain & there, there),
            "sure": int(certain.sum()),
            "sure_and_wrong": int((certain & ~there).sum()),
            "wrong_on_bare": int((certain & (known == 0)).sum()) if index else 0,
        }
    return {"classes": classes, "reliability": list(_reliability(chances, known))}


def _reliability(chances: Tensor, known: Tensor) -> Iterable[dict[str, float]]:
    """Yields how often a class but the first was there of those that were given some probability."""
    bins = (0.05, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999, 1.0001)
    rings = chances[:, 1:]
    there = functional.one_hot(known, chances.shape[1])[:, 1:].bool()
    for low, high in pairwise(bins):
        part = (rings >= low) & (rings < high)
        if part.any():
            yield {
                "from": low,
                "count": int(part.sum()),
                "said": round(float(rings[part].mean()), 4),
                "right": round(float(there[part].float().mean()), 4),
            }


def _share(some: Tensor, of: Tensor) -> float | None:
    return round(float(some.sum() / of.sum()), 4) if of.any() else None

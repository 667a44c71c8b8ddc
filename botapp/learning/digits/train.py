"""Trains the digit reader on drawn text and writes `resources/profiles/digits.npz`.

    python -m botapp.learning.digits.train --fonts FOLDER [--fonts FOLDER ...] [--strips 120000] [--minutes
    12] [--workers 16] [--device cuda]

Fonts come from the machine, for instance from Debian's `fonts-*` packages; only the weights are shipped. A
tenth of the fonts is kept back: what is said of accuracy at the end is about fonts and strips never seen.
"""

import argparse
import multiprocessing
import time
from functools import partial
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from botapp.learning.digits import glyphs, strips
from vision import profiles
from vision.extract.dofus.digits import BLANK, OTHER, Network, characters
from vision.view import SURE

_MEANINGS = BLANK + 1


def network() -> nn.Sequential:
    """Returns the network that `vision.extract.dofus.digits.Network` runs, untrained."""
    return nn.Sequential(
        nn.Conv2d(1, 24, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(24, 48, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d((2, 1)),
        nn.Conv2d(48, 64, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d((2, 1)),
        nn.Conv2d(64, 128, 3, padding=(0, 1)),
        nn.ReLU(),
        nn.Conv2d(128, 128, (1, 3), padding=(0, 1)),
        nn.ReLU(),
        nn.Conv2d(128, _MEANINGS, 1),
    )


def weights(model: nn.Sequential) -> dict[str, npt.NDArray[np.float16]]:
    convolutions = [layer for layer in model if isinstance(layer, nn.Conv2d)]
    named = {}
    for index, layer in enumerate(convolutions):
        assert layer.bias is not None
        named[f"w{index}"] = layer.weight.detach().cpu().numpy().astype(np.float16)
        named[f"b{index}"] = layer.bias.detach().cpu().numpy().astype(np.float16)
    return named


def restore(model: nn.Sequential, path: Path) -> None:
    convolutions = [layer for layer in model if isinstance(layer, nn.Conv2d)]
    with np.load(path, allow_pickle=False) as file:
        for index, layer in enumerate(convolutions):
            layer.weight.data = torch.from_numpy(file[f"w{index}"].astype(np.float32))
            layer.bias = nn.Parameter(torch.from_numpy(file[f"b{index}"].astype(np.float32)))


def between(
    start: Path, learnt: dict[str, npt.NDArray[np.float16]], share: float
) -> dict[str, npt.NDArray[np.float16]]:
    """Returns the mean of weights in a file and what was learnt from them, of the latter by `share` (0..1).

    A short training on other strips gains most of what it does on the way, and forgets at its end.
    """
    with np.load(start, allow_pickle=False) as file:
        before = {name: file[name].astype(np.float32) for name in file.files}
    return {
        name: ((1 - share) * before[name] + share * values.astype(np.float32)).astype(np.float16)
        for name, values in learnt.items()
    }


def draw(
    faces: list[glyphs.Face], count: int, seed: int, workers: int = 1
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draws strips and their labels.

    Args:
        count: how many strips; rounded up to whole thousands if there is more than one worker.
        seed: of what is drawn; another number of workers draws others.

    Returns:
        Strips of shape (count, 1, *STRIP), half precision, and labels of shape (count, columns / STRIDE).
    """
    if workers == 1:
        parts = [_drawn(faces, count, (seed,))]
    else:
        each = 1000
        seeds = [(seed, part) for part in range(-(-count // each))]
        with multiprocessing.get_context("fork").Pool(workers, cv2.setNumThreads, (1,)) as pool:
            parts = pool.map(partial(_drawn, faces, each), seeds)
    seen = np.concatenate([part[0] for part in parts])
    return torch.from_numpy(seen)[:, None], torch.from_numpy(np.concatenate([part[1] for part in parts]))


def _drawn(
    faces: list[glyphs.Face], count: int, seed: tuple[int, ...]
) -> tuple[npt.NDArray[np.float16], strips.Labels]:
    rng = np.random.default_rng(seed)
    pairs = [strips.sample(faces, rng) for _ in range(count)]
    seen = np.stack([pair[0] for pair in pairs]).astype(np.float16)
    return seen, np.stack([pair[1] for pair in pairs])


def train(
    model: nn.Sequential,
    seen: torch.Tensor,
    labels: torch.Tensor,
    minutes: float,
    pace: float,
    batch: int = 128,
) -> None:
    """Trains until the time is up, the step size falling from `pace` to 0."""
    where = next(model.parameters()).device
    seen, labels = seen.to(where), labels.to(where)
    optimizer = torch.optim.AdamW(model.parameters(), lr=pace, weight_decay=1e-4)
    weight = torch.ones(_MEANINGS, device=where)
    weight[BLANK] = 0.5
    started, step, total = time.monotonic(), 0, torch.zeros((), device=where)
    while True:
        gone = (time.monotonic() - started) / (60 * minutes)
        if gone >= 1:
            return
        for group in optimizer.param_groups:
            group["lr"] = pace * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * gone))
        pick = torch.randint(len(seen), (batch,), device=where)
        gain, noise = torch.rand(2, batch, 1, 1, 1, device=where)
        inputs = seen[pick].float() * (0.85 + 0.3 * gain)
        inputs = inputs + 0.04 * noise * torch.randn_like(inputs)
        scores = model(inputs)[:, :, 0]
        loss = functional.cross_entropy(
            scores, labels[pick], weight, ignore_index=strips.IGNORED, label_smoothing=0.002
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step, total = step + 1, total + loss.detach()
        if step % 250 == 0:
            print(f"{step} steps, {gone:.0%} of the time, loss {total.item() / 250:.4f}", flush=True)
            total = torch.zeros_like(total)


def judge(reader: Network, faces: list[glyphs.Face], count: int, seed: int) -> tuple[int, int, int]:
    """Returns how many whole drawn numbers were read right, wrong, and withheld."""
    seen, labels = draw(faces, count, seed)
    right = wrong = withheld = 0
    for strip, truth in zip(seen[:, 0].float().numpy(), labels.numpy(), strict=True):
        runs = np.flatnonzero(np.diff(truth, prepend=BLANK) != 0)
        spelled = [int(truth[i]) for i in runs if 0 <= truth[i] != BLANK]
        characters_read = characters(reader.columns(strip[None])[0])
        read = [c.meaning for c in characters_read]
        if not read or OTHER in read or min(c.sure for c in characters_read) < SURE:
            withheld += 1
        elif read == spelled:
            right += 1
        else:
            wrong += 1
    return right, wrong, withheld


def main() -> int:
    """Trains, writes the weights, and says how well they read fonts that were kept back."""
    parser = argparse.ArgumentParser(prog="python -m botapp.learning.digits.train", description=__doc__)
    parser.add_argument("--fonts", type=Path, action="append", required=True)
    parser.add_argument("--start", type=Path, help="go on from these weights")
    parser.add_argument(
        "--share",
        type=float,
        default=1.0,
        help="of what is learnt, in the mean with those weights",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strips", type=int, default=120_000)
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that draw")
    parser.add_argument("--device", default="cpu", help="torch's name of the device that trains")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--pace", type=float, help="the largest step size")
    parser.add_argument("--out", type=Path, default=Path(str(profiles.folder())) / "digits.npz")
    asked = parser.parse_args()
    torch.manual_seed(7)
    torch.set_num_threads(asked.threads)
    faces = glyphs.faces(asked.fonts)
    kept_back = faces[::10]
    known = [face for index, face in enumerate(faces) if index % 10]
    print(f"{len(known)} fonts, {len(kept_back)} kept back", flush=True)
    seen, labels = draw(known, asked.strips, asked.seed, asked.workers)
    print("strips drawn", flush=True)
    model = network()
    if asked.start is not None:
        restore(model, asked.start)
    model.to(asked.device)
    pace = asked.pace or (3e-3 if asked.start is None else 1.5e-3)
    train(model, seen, labels, asked.minutes, pace, asked.batch)
    named = weights(model)
    if asked.start is not None and asked.share < 1:
        named = between(asked.start, named, asked.share)
    np.savez_compressed(asked.out, **cast(dict[str, Any], named))
    right, wrong, withheld = judge(Network(named), kept_back, 3000, 2)
    print(f"{asked.out}: {right} right, {wrong} wrong, {withheld} withheld")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

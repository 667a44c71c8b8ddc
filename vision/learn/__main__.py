"""Teaches the network that scores the rings under fighters: `python -m vision.learn all --out DIR`.

draw DIR      draws screens, and writes canvases with the ring of each cell
train DIR     trains on what was drawn, calibrates, and writes DIR/rings-SIZE.onnx with a card, and
              rings-SIZE.pt to go on with
all           both: draws for two fifths of the time, trains a network of each size, one a device
measure       counts the fighters that the reader and the network alone find on labelled or drawn screens
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from vision.learn import SCORED, data
from vision.synthetic import clients

TRAINED, HELD, MEASURED = 92_000_000, 92_900_000, 91_100_000
"""The first seeds of the screens to train on, of those kept back, and of others to measure on."""
_DRAWING = 0.75
"""The share of the time in which screens are drawn; training goes on with those."""
_LAST = 12.0
"""Seconds for the last calibration and the files."""
_MOST, _MOST_HELD = (6_000, 30_000), (240, 1_500)
"""Canvases in memory, 0.6 MB each, on a processor and on a GPU."""


def train(folder: Path, out: Path, size: str, number: int, minutes: float, start: Path | None = None) -> None:
    """Trains on `folder/train`, judges on `folder/held`, writes the network and its card.

    Both folders may still be growing. What is written every few seconds is whole and calibrated.

    Args:
        number: of the GPU; where there is none, 0 is the processor, and others do nothing.
        minutes: how long, all in all.
        start: a network to go on with, OUT/rings-SIZE.pt of an earlier run or the file of one to run.

    Raises:
        FileNotFoundError: nothing is drawn.
        OSError: the files cannot be written.
        ValueError: `start` is a network of another size.
    """
    begun = time.monotonic()
    import torch  # noqa: PLC0415  takes seconds, which every process that draws would spend too

    from vision.learn import network, training  # noqa: PLC0415

    gpus = torch.cuda.device_count()
    if number >= max(1, gpus):
        return
    on_gpu, device = gpus > 0, f"cuda:{number}" if gpus else "cpu"
    drawn = training.Drawn(folder / "train", device, _MOST[on_gpu])
    held_out = training.Drawn(folder / "held", device, _MOST_HELD[on_gpu])
    print(f"{size} on {device}: ready after {time.monotonic() - begun:.0f} s", flush=True)
    out.mkdir(parents=True, exist_ok=True)

    def keep(model: torch.nn.Sequential, steps: int) -> None:
        held_out.take_in()
        if not held_out.count:
            raise FileNotFoundError("no screens are kept back: run the command draw for the folder held too")
        figures = training.finish(model, size, *held_out.pair, device)
        content = network.to_onnx(model, size)
        (out / f"rings-{size}.onnx").write_bytes(content)
        torch.save(model, out / f"rings-{size}.pt")
        card = {
            "what": "scores the ring under each cell of a board; see vision/extract/dofus/rings_seen.py",
            "data": f"{len(drawn.seeds)} screens drawn by vision.synthetic, two canvases each, no real ones",
            "canvases_of": dict(sorted(drawn.clients.items())),
            "seeds": [min(drawn.seeds), max(drawn.seeds)],
            "held_out": [min(held_out.seeds), max(held_out.seeds)],
            "weights": sum(weight.numel() for weight in model.parameters()),
            "bytes": len(content),
            "steps": steps,
            "gone_on_from": start.name if start is not None else None,
            "minutes": round((time.monotonic() - begun) / 60, 2),
            "device": torch.cuda.get_device_name(device) if on_gpu else device,
            "licence": "MIT, as the rest of the project",
            "held_out_figures": figures,
        }
        (out / f"rings-{size}.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
        for layer in SCORED[size]:
            for name, row in figures[layer]["classes"].items():
                print(f"{size} {layer} {name:>10}: {row}", flush=True)

    left = 60 * minutes - (time.monotonic() - begun)
    known = network.started(start) if start is not None else None
    if known is not None and not network.fits(known, size):
        raise ValueError(f"{start} is no network of the size {size}: name another --size")
    training.train(size, drawn, left - min(_LAST, 0.1 * left), device, keep, 64 if on_gpu else 16, known)


def everything(
    out: Path,
    jobs: int,
    minutes: float,
    count: int,
    held: int,
    start: Path | None = None,
    also: Sequence[Path] = (),
    sizes: Sequence[str] = tuple(SCORED),
) -> int:
    """Draws, and trains a network of each size on what is drawn by then; returns the exit code.

    Without a GPU for each size only the first sizes are trained, one a GPU or the first on the processor.
    `also` are drawings of clients that do not come with the app.
    """
    begun = time.time()
    end = begun + 60 * minutes
    with tempfile.TemporaryDirectory(prefix="learn-") as place:
        folder = Path(place)
        running = []
        for number, size in enumerate(sizes):
            command = [sys.executable, "-m", "vision.learn", "train", str(folder), "--out", str(out)]
            command += ["--size", size, "--number", str(number), "--minutes", f"{minutes - 0.05:.3f}"]
            command += [] if start is None else ["--start", str(start)]
            running.append(subprocess.Popen(command))
        work = data.files(folder / "held", HELD, held) + data.files(folder / "train", TRAINED, count)
        drawn, said = 0, begun
        try:
            for many in data.write(work, jobs, begun + _DRAWING * 60 * minutes, also):
                drawn += many
                if time.time() - said > 10:
                    said = time.time()
                    print(f"{said - begun:.0f} s: {drawn} screens drawn", flush=True)
                if any(process.poll() for process in running):
                    break
            print(f"{time.time() - begun:.0f} s: {drawn} screens drawn, no more", flush=True)
            codes = [process.wait(max(1.0, end - time.time())) for process in running]
        except subprocess.TimeoutExpired:
            print("the time is up: what was kept last stays", flush=True)
            codes = [1]
        finally:
            for process in running:
                process.kill()
    return max(codes)


def measure(
    labels: Path | None, count: int, seed: int, boards: bool, weights: Path | None, notes: bool, client: str
) -> None:
    """Prints what the reader and the network alone find of the fighters of some screens.

    Raises:
        OSError: a file cannot be read.
    """
    from vision.learn import comparing  # noqa: PLC0415

    screens = comparing.drawn(seed, count, boards, client) if labels is None else comparing.real(labels)
    for name, row in comparing.compare(screens, weights).items():
        print(f"{name}: {row.screens} screens, without a lattice {len(row.unplaced)}; {row.time()}")
        for way, tally in (("reader", row.reader), ("network", row.network)):
            print(f"  {way:>8}: {tally}")
            for note in tally.notes if notes else ():
                print(f"            {note}")


def main(arguments: list[str] | None = None) -> int:
    """Runs a command; returns the exit code. `--minutes` is the time for all of it."""
    parser = argparse.ArgumentParser(prog="python -m vision.learn", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw", help="draw screens to train on")
    drawing.add_argument("folder", type=Path)
    drawing.add_argument("--seed", type=int, default=TRAINED)
    training_ = commands.add_parser("train", help="train on drawn screens")
    training_.add_argument("folder", type=Path, help="with what was drawn in train and held")
    training_.add_argument("--size", choices=tuple(SCORED), default="medium")
    training_.add_argument("--number", type=int, default=0, help="which GPU, counted from 0")
    whole = commands.add_parser("all", help="draw and train")
    whole.add_argument("--held", type=int, default=240, help="how many screens are kept back")
    whole.add_argument("--size", choices=tuple(SCORED), help="train a network of this size alone")
    measuring = commands.add_parser("measure", help="the reader and the network alone side by side")
    measuring.add_argument("--labels", type=Path, help="labels.json of real screens, beside their pictures")
    measuring.add_argument("--count", type=int, default=100, help="screens to draw where none are given")
    measuring.add_argument("--seed", type=int, default=MEASURED)
    measuring.add_argument("--boards", action="store_true", help="draw boards as other players' look")
    measuring.add_argument("--weights", type=Path, help="rings-SIZE.onnx; the network in use if left out")
    measuring.add_argument("--notes", action="store_true", help="list what was not right")
    measuring.add_argument("--client", default="", help="draw screens of this one only")
    for command in (drawing, whole, measuring):
        command.add_argument(
            "--also",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="the drawing of a client that does not come with the app, its profile beside it",
        )
    for command in (training_, whole):
        command.add_argument("--out", type=Path, required=True)
        command.add_argument(
            "--start", type=Path, help="rings-SIZE.pt or .onnx of an earlier run, to go on with"
        )
        command.add_argument("--minutes", type=float, default=6.0)
    for command in (drawing, whole):
        command.add_argument("--jobs", type=int, default=1, help="processes that draw")
        command.add_argument("--count", type=int, default=20_000, help="screens at most")
    asked = parser.parse_args(arguments)
    try:
        for file in () if asked.command == "train" else asked.also:
            clients.add(file)
        if asked.command == "measure" and asked.client and asked.client not in clients.CLIENTS:
            parser.error(f"no client {asked.client} is drawn; there are: {', '.join(clients.CLIENTS)}")
        if asked.command == "draw":
            work = data.files(asked.folder, asked.seed, asked.count)
            drawn = data.write(work, asked.jobs, float("inf"), asked.also)
            print(f"{sum(drawn)} screens are in {asked.folder}")
        elif asked.command == "measure":
            measure(
                asked.labels,
                asked.count,
                asked.seed,
                asked.boards,
                asked.weights,
                asked.notes,
                asked.client,
            )
        elif asked.command == "train":
            train(asked.folder, asked.out, asked.size, asked.number, asked.minutes, asked.start)
        else:
            return everything(
                asked.out,
                asked.jobs,
                asked.minutes,
                asked.count,
                asked.held,
                asked.start,
                asked.also,
                (asked.size,) if asked.size else tuple(SCORED),
            )
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""What a change that only moves code must leave alone: decisions, readings and fights, recorded and compared.

    python -m botapp.bench.golden record|compare|exactly FILE.json.gz [decisions] [readings] [tournament]

Everything is made anew from seeds, in one process, without a clock; only the answers are kept. Another
processor adds up in another order, so that sums differ in their last digits and, where two choices are worth
the same, the choice: `compare` prints all that differs and fails where more does than rounding explains
(`LIMITS`), on any processor. `exactly` fails on any difference, for a change that moves code, on the
processor of the recording.
"""

import gzip
import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import chain, count, islice
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

import cv2
import numpy as np
import numpy.typing as npt
import torch
import typer

from botapp.advisor.advisor import create_advisor
from botapp.advisor.device import place
from botapp.advisor.turn_advisor import TurnAdvisor
from botapp.arena.fixtures import begin
from botapp.arena.pairing import Arrangement, run
from botapp.arena.player_spec import make_player
from botapp.arena.scenarios import adventure, outcome
from botapp.content.library import classes
from botapp.content.state_json import action_to_json, state_to_json
from botapp.fight.rules import DRAW, apply
from botapp.fight.state import FightState
from botapp.host.versions import versions
from botapp.runtime.readings import to_json
from botapp.tracking.image_file import image_frame
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame
from vision.synthetic import moving, screen

Entry = dict[str, Any]
Pixels = npt.NDArray[np.uint8]
Progress = Callable[[str], None]

PARTS = ("decisions", "readings", "tournament")
TOLERANCE = 1e-6  # How far two numbers that are not whole may be apart where nothing is rounded otherwise

LIMITS = {
    "decisions": {
        "states that are others": 0.02,
        "other first choices": 0.08,
        "values apart by more than 0.05": 0.04,
        "mean of the value's difference": 0.005,
    },
    "readings": {
        f"readings with another {name}": 0.02
        for name in ("phase", "turn", "hp", "ap", "mp", "player", "enemies")
    },
    "tournament": {"share of the points": 0.1, "turns of a fight, as a factor": 1.2},
}
"""Shares of the entries unless said otherwise, by what was seen on other processors. Of decisions 61 of 500
differed in any digit; of 45 looked at one by one 44 had the same choice, sums 1e-6 apart at most, and one
another choice worth 0.004 less. Of fights 17 of 40 went another way: three standard deviations of a mean of
which 17 fights are drawn again are some 15 % of the turns. The rules' whole numbers are the same everywhere,
and so are states; 2 % are for a greedy choice that rounding turns round."""

_WEIGHTS = "advisor-lite.safetensors"
_FIRST_SEED = 9001
_KINDS = ("adventure", "duel", "team of 2", "team of 3", "team of 4")
_PER_FIGHT, _STRIDES = 5, (3, 5, 8, 13, 21)
"""States out of a fight, and actions between two of them, by fight: beginnings and ends both come."""

_CLIENTS = ("arena", *screen.CLIENTS)
_SINGLE, _MOVING = 60, 15
"""A client's screens that are read by themselves, and those of one fight that goes on."""
_SIZES = ((1280, 720), (1600, 900), (1920, 1080), (1366, 768))
_UNREAD = frozenset(("elapsed_ms", "captured_ns", "seq", "reason", "log_told", "log_round", "unmoved"))


def record(path: Path, progress: Progress, parts: Sequence[str] = PARTS, limit: int | None = None) -> None:
    """Writes what the code answers now, as gzipped JSON; parts of the file that are not made anew stay.

    Args:
        parts: which of `PARTS`.
        limit: only so many entries of each part, the first ones; None for all.
    """
    before: Entry = json.loads(gzip.decompress(path.read_bytes())) if path.exists() else {}
    anew = {part: made(part, progress, limit) for part in parts}
    recorded: Entry = before | {"made_with": versions()} | anew
    path.write_bytes(gzip.compress(_canonical(recorded), mtime=0))


@dataclass(frozen=True)
class Comparison:
    """How answers differ from those recorded, in words."""

    differences: list[str]  # All of them, rounding too
    faults: list[str]  # What rounding does not explain


def compare(
    path: Path, progress: Progress, parts: Sequence[str] = PARTS, limit: int | None = None
) -> Comparison:
    """Makes the answers anew and compares them with those recorded.

    The arguments are those of `record`; only parts and entries that were recorded can be compared.
    """
    recorded = json.loads(gzip.decompress(path.read_bytes()))
    progress(f"recorded with {recorded['made_with']}, compared with {versions()}")
    differences: list[str] = []
    faults: list[str] = []
    for part in parts:
        old = recorded[part][:limit]
        new = made(part, progress, len(old))
        differences += [f"{part}, {words}" for words in map(_difference, old, new) if words]
        faults += [f"{part}: {words}" for words in judged(part, old, new)]
    return Comparison(differences, faults)


def judged(part: str, old: Sequence[Entry], new: Sequence[Entry]) -> list[str]:
    """Returns in words by how much a part differs beyond what rounding explains; empty where it does not."""
    if len(old) != len(new):
        return [f"{len(old)} were recorded, {len(new)} are made now"]
    measured = _MEASURES[part](list(zip(old, new, strict=True)))
    return [
        f"{what}: {measured[what]:.3g}, at most {most:g}"
        for what, most in LIMITS[part].items()
        if measured[what] > most
    ]


def _decisions_apart(pairs: list[tuple[Entry, Entry]]) -> dict[str, float]:
    """Returns shares of the decisions, and how far the values of the same states are apart."""
    same = [(was, now) for was, now in pairs if was["state"] == now["state"]]
    apart = [abs(was["value"] - now["value"]) for was, now in same]
    return {
        "states that are others": 1 - len(same) / len(pairs),
        "other first choices": _share(was["actions"][:1] != now["actions"][:1] for was, now in same),
        "values apart by more than 0.05": _share(far > 0.05 for far in apart),
        "mean of the value's difference": fmean(apart or [0.0]),
    }


def _readings_apart(pairs: list[tuple[Entry, Entry]]) -> dict[str, float]:
    """Returns the share of the screens of which another value is read, whatever the picture's bits are."""
    return {
        f"readings with another {name}": _share(not _same(was[name], now[name]) for was, now in pairs)
        for name in ("phase", "turn", "hp", "ap", "mp", "player", "enemies")
    }


def _fights_apart(pairs: list[tuple[Entry, Entry]]) -> dict[str, float]:
    """Returns how far the results of all fights together are apart; rounding may change any single one."""
    old, new = zip(*pairs, strict=True)
    length = fmean(fight["turns"] for fight in new) / fmean(fight["turns"] for fight in old)
    return {
        "share of the points": abs(fmean(map(_won, new)) - fmean(map(_won, old))),
        "turns of a fight, as a factor": max(length, 1 / length),
    }


def _won(fight: Entry) -> float:
    """Returns the points of a fight for the first player: a win 1, a draw half."""
    return 0.5 if fight["winner"] == DRAW else float(fight["winner"] == fight["a_team"])


def _share(holds: Iterable[bool]) -> float:
    outcomes = list(holds)
    return sum(outcomes) / max(1, len(outcomes))


_MEASURES = {"decisions": _decisions_apart, "readings": _readings_apart, "tournament": _fights_apart}


def made(part: str, progress: Progress, limit: int | None = None) -> list[Entry]:
    """Returns the entries of a part, made now; the first so many, None for all."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    maker, most = _MAKERS[part]
    wanted = most if limit is None else min(limit, most)
    entries: list[Entry] = []
    for entry in islice(maker(), wanted):
        entries.append(entry)
        if len(entries) % 10 == 0 or len(entries) == wanted:
            progress(f"{part}: {len(entries)} of {wanted}")
    return entries


def decisions() -> Iterator[Entry]:
    """Yields what the `lite` weights advise on states of every kind of fight, the kinds in turn.

    With a precision asked for, no benchmark of this computer counts.
    """
    advisor = create_advisor(_weights(), place("auto", "cpu", "fp32", Path(_weights())), budget_ms=0)
    for name, state in chain.from_iterable(zip(*map(_states, _KINDS), strict=True)):
        yield {"name": name, "state": _hash(state_to_json(state)), **_decision(advisor, state)}


def readings() -> Iterator[Entry]:
    with TemporaryDirectory(prefix="botapp-golden-") as folder:
        streams = [_screens(client, Path(folder)) for client in _CLIENTS]
        readers: dict[str, Reader] = {}
        for number, screens in enumerate(zip(*streams, strict=True)):
            for client, (name, pixels) in zip(_CLIENTS, screens, strict=True):
                if number <= _SINGLE:
                    readers[client] = Reader(profiles.load(client))
                yield {"name": f"{client}, {name}", **_reading(readers[client], pixels)}


def fights() -> Iterator[Entry]:
    """Yields how fights of `lite` against `greedy` come out, without a clock; each seed is fought twice."""
    player = f"lite:weights={_weights()},device=cpu,precision=fp32"
    for seed in count(_FIRST_SEED):
        for result in run(Arrangement(player, "greedy", "team", (1, 2, 3, 4)), 2, seed).results:
            yield {"name": f"seed {result.seed}, lite in team {result.a_team}", **asdict(result)}


_MAKERS = {"decisions": (decisions, 500), "readings": (readings, 300), "tournament": (fights, 40)}
"""What makes the entries of each part, and how many there are."""


def _weights() -> str:
    return str(files("resources").joinpath("weights", _WEIGHTS))


def _states(kind: str) -> Iterator[tuple[str, FightState]]:
    greedy = make_player("greedy")
    for seed in count(_FIRST_SEED):
        rng, stride = random.Random(seed), _STRIDES[seed % len(_STRIDES)]
        name, state = _beginning(kind, seed)
        for actions in range(1, stride * _PER_FIGHT + 1):
            state = apply(state, greedy.choose(state, rng), rng)
            if outcome(state) is not None:
                break
            if actions % stride == 0:
                yield f"{name}, seed {seed}, after {actions} actions", state


def _beginning(kind: str, seed: int) -> tuple[str, FightState]:
    """Returns a fight's beginning: an adventure of each class in turn, else every third one unseen."""
    if kind == "adventure":
        keys = sorted(classes())
        key = keys[seed % len(keys)]
        return f"adventure of {key}", adventure(seed, key, "hour-veil" if classes()[key].unseen else "seen")
    of_unseen = seed % 3 == 0
    scenario, *sizes = kind.split(" of ")
    return f"unseen {kind}" if of_unseen else kind, begin(
        scenario, seed, tuple(map(int, sizes)), "hour-veil" if of_unseen else "seen"
    )


def _decision(advisor: TurnAdvisor, state: FightState) -> Entry:
    decision = advisor.decide(state)
    return {
        "actions": [action_to_json(choice.action) for choice in decision.choices],
        "confidences": [choice.confidence for choice in decision.choices],
        "reflex": action_to_json(decision.reflex.action),
        "value": decision.value,
        "stop": decision.stop,
        "steps": len(decision.trace),
    }


def _screens(client: str, folder: Path) -> Iterator[tuple[str, Pixels]]:
    """Yields drawn screens of a client: single ones (some without a fight), then those of one fight."""
    if client == "arena":
        for seed in range(_SINGLE):
            yield f"screen {seed}", _arena(folder, seed, _SIZES[seed % len(_SIZES)], seed * 7 % 60, seed)
        for step in range(_MOVING):
            yield f"moment {step}", _arena(folder, 3, _SIZES[0], 2 * step, step)
        return
    for seed in range(_FIRST_SEED, _FIRST_SEED + _SINGLE):
        fight = seed % 10 != 9
        picture, _ = screen.draw(seed, client) if fight else screen.draw_elsewhere(seed)
        yield f"screen {seed}{'' if fight else ' without a fight'}", picture
    for step, moment in enumerate(moving.moments(client, _MOVING, size=_SIZES[0])):
        yield f"moment {step}", moment.picture


def _arena(folder: Path, seed: int, size: tuple[int, int], actions: int, variant: int) -> Pixels:
    from botapp.arena.window.render import main as draw_arena  # noqa: PLC0415 - needs Qt

    out = folder / "arena.png"
    how = ["--seed", seed, "--size", f"{size[0]}x{size[1]}", "--actions", actions, "--out", out]
    how += ["--turn", "other" if variant % 3 == 1 else "mine", "--language", ("en", "fr")[variant % 4 == 3]]
    how += ["--spell", variant % 5] if variant % 3 == 2 else []
    if draw_arena([str(option) for option in how]) != 0:
        raise OSError(f"the arena's window cannot be drawn to {out}")
    return image_frame(out).pixels


def _reading(reader: Reader, pixels: Pixels) -> Entry:
    """Returns hashes of a picture and of its reading, numbers to six decimals, and some of what was read."""
    view = reader.read(Frame.still(pixels))
    values = {name: value for name, value in to_json(view).items() if name not in _UNREAD}
    rounded = json.loads(json.dumps(values), parse_float=lambda text: round(float(text), 6) + 0.0)
    return {
        "picture": hashlib.sha256(pixels.tobytes()).hexdigest()[:16],
        "reading": _hash(rounded),
        **{name: values[name][0] for name in ("phase", "turn", "hp", "ap", "mp")},
        "player": None if view.player is None else view.player.cell,
        "enemies": len(view.enemies),
    }


def _difference(was: Entry, now: Entry) -> str:
    """Returns in words how two entries differ, "" where they do not."""
    pairs = [(name, was.get(name), now.get(name)) for name in {**was, **now}]
    lines = [f"{name} was {json.dumps(a)}, is {json.dumps(b)}" for name, a, b in pairs if not _same(a, b)]
    return f"{was['name']}: {'; '.join(lines)}" if lines else ""


def _same(was: Any, now: Any) -> bool:
    if isinstance(was, float) and isinstance(now, float):
        return abs(was - now) <= TOLERANCE
    if isinstance(was, list) and isinstance(now, list):
        return len(was) == len(now) and all(map(_same, was, now))
    return bool(was == now)


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _hash(value: Any) -> str:
    return hashlib.sha256(_canonical(value)).hexdigest()[:16]


def main(
    what: Annotated[Literal["record", "compare", "exactly"], typer.Argument()],
    file: Annotated[Path, typer.Argument(help="the recording, such as tests/bench/golden.json.gz")],
    parts: Annotated[list[str] | None, typer.Argument(help=f"of {', '.join(PARTS)}; all if left out")] = None,
) -> None:
    """Records, or compares and prints; ends with 1 where it differs by more than it may."""

    def progress(line: str) -> None:
        print(line, file=sys.stderr)

    if what != "record" and not file.is_file():
        raise typer.BadParameter(f"{file} is no file: `record {file}` writes one.")
    if unknown := set(parts or ()).difference(PARTS):
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: the parts are {', '.join(PARTS)}.")
    if what == "record":
        record(file, progress, parts or PARTS)
        print("recorded")
        return
    differences = compare(file, progress, parts or PARTS)
    print(*differences.differences, sep="\n")
    faults = differences.differences if what == "exactly" else differences.faults
    print(
        *(
            differences.faults
            or [f"{len(differences.differences)} differ, by no more than rounding explains"]
        ),
        sep="\n",
    )
    raise typer.Exit(int(bool(faults)))


if __name__ == "__main__":
    typer.run(main)

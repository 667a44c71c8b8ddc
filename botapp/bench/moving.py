"""Vision against the truth while things move: each field of fights in the arena, picture by picture.

`python -m botapp.bench.moving --seed 1 --fights 6` plays fights that the arena plays with itself, reads
each picture of walks, spells, figures and deaths as the worker does, and counts the fields right, withheld
and wrong, as read off a picture alone and as kept over time. Wrong ones are listed, their pictures kept in
`--keep FOLDER`.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import cv2
import typer

from botapp.arena.options import SCENARIOS, ArenaOptions
from botapp.arena.window.film import Film, Pixels
from botapp.host.statistics import percentiles
from vision import profiles, track
from vision.extract import Reader
from vision.frame import Frame
from vision.scoring.score import score
from vision.view import FightView

PLAYERS = "greedy"


@dataclass(slots=True)
class FieldsFound:
    """What came of some fights: outcomes by the way of reading, wrong fields, and times of reading in ms."""

    outcomes: dict[str, Counter[str]] = field(default_factory=lambda: {"read": Counter(), "kept": Counter()})
    wrong: list[dict[str, Any]] = field(default_factory=list)
    work_ms: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {
            **{way: {"fields": sum(counts.values()), **counts} for way, counts in self.outcomes.items()},
            "wrong_by_field": Counter(_group(f"{each['way']} {each['field']}") for each in self.wrong),
            "work_ms": percentiles(self.work_ms),
            "wrong": self.wrong,
        }


def options(seed: int, size: tuple[int, int]) -> ArenaOptions:
    """Returns a fight that the arena plays with itself; the scenarios take turns with the seeds."""
    scenario = SCENARIOS[seed % len(SCENARIOS)]
    return ArenaOptions(seed=seed, scenario=scenario, adviser=PLAYERS, fights=1, size=size)


def pictures(film: Film, count: int) -> Iterator[tuple[Pixels, Mapping[str, Any]]]:
    """Yields at most so many pictures of a fight, each with what it shows."""
    for _ in range(count):
        if film.bout.finished:
            return
        yield film.picture(), film.truth()
        film.advance()


def measure(
    seed: int, fights: int, count: int, size: tuple[int, int], fps: float = 10.0, keep: Path | None = None
) -> FieldsFound:
    """Reads fights picture by picture.

    Args:
        seed: of the first fight.
        fights: how many.
        count: at most so many pictures of each.
        size: of the window's client area, in pixels.
        fps: pictures a second while something moves.
    """
    tally = FieldsFound()
    reader = Reader(profiles.load("arena"))
    for number in range(seed, seed + fights):
        memory = track.NOTHING
        for index, (pixels, truth) in enumerate(pictures(Film(options(number, size), fps), count)):
            now_ns = round((index + 1) * 1e9 / fps)
            frame = Frame.still(pixels, now_ns, seq=index)
            began = time.thread_time()
            view = reader.read(frame)
            tally.work_ms.append((time.thread_time() - began) * 1000)
            memory, followed = track.follow(memory, view, now_ns)
            wrong = _judge(tally, {"read": view, "kept": followed}, truth, {"seed": number, "picture": index})
            if wrong and keep is not None:
                cv2.imwrite(str(keep / f"{number}-{index:04}.png"), pixels[..., :3])
    return tally


def _judge(
    tally: FieldsFound, views: Mapping[str, FightView], truth: Mapping[str, Any], where: Mapping[str, Any]
) -> bool:
    """Counts the fields of a picture by each way of reading; returns whether one was wrong."""
    wrong = False
    for way, view in views.items():
        for name, outcome in score(view, truth).items():
            tally.outcomes[way][outcome] += 1
            if outcome == "wrong":
                wrong = True
                both = {"true": _true(truth, name), "seen": _seen(view, truth, name)}
                tally.wrong.append({**where, "way": way, "field": name, **both})
    return wrong


def _true(truth: Mapping[str, Any], name: str) -> Any:
    who, _, rest = name.partition(" ")
    if who in _PLACES:
        entries = [truth["player"]] if who == "player" else truth[_PLACES[who]]
        number = rest.split()[0]
        return entries[int(number)] if number.isdigit() else entries
    return truth.get(who) if who != "highlight" else truth["highlights"].get(rest)


def _seen(view: FightView, truth: Mapping[str, Any], name: str) -> str:
    who, _, rest = name.partition(" ")
    if who in _PLACES:
        seen = (view.player,) if who == "player" else getattr(view, _PLACES[who])
        entry = _true(truth, name)
        cell = entry["cell"] if isinstance(entry, Mapping) else int(rest.split()[-1])
        return str([fighter for fighter in seen if fighter is not None and fighter.cell == cell])
    value = view.highlights.get(rest) if who == "highlight" else getattr(view, who, None)  # type: ignore[call-overload]
    return str(value)


_PLACES = {"player": "player", "enemy": "enemies", "ally": "allies"}


def _group(name: str) -> str:
    return " ".join(part for part in name.split() if not part.isdigit())


def main(
    seed: Annotated[int, typer.Option(help="of the first fight")] = 1,
    fights: int = 6,
    pictures: Annotated[int, typer.Option(help="at most so many of a fight")] = 400,
    size: Annotated[str, typer.Option(help="of the window, WIDTHxHEIGHT")] = "1280x720",
    fps: Annotated[float, typer.Option(help="pictures a second while something moves")] = 10.0,
    keep: Annotated[Path | None, typer.Option(help="folder for pictures with a wrong field")] = None,
) -> None:
    """Measures and prints the figures as JSON."""
    width, _, height = size.partition("x")
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    tally = measure(seed, fights, pictures, (int(width), int(height)), fps, keep)
    print(json.dumps(tally.to_json(), indent=1))


if __name__ == "__main__":
    typer.run(main)

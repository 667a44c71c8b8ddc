"""What a log in words is worth: the state with it against the state without, from the same pictures.

`python -m botapp.bench.log_gain --minutes 10` films fights of the arena whose log is written in words.
Two trackers see the same pictures: one reads the log off them, the other has to infer. In each turn of the
player's, once a state stands, it is held against the true one. The player's side is played by the simple
player, so that both see the same fight.
"""

import json
import random
import time
from collections import Counter, deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from botapp.arena.players.simple import GreedyPlayer
from botapp.bench.pixels import aligned, captured, fights, repairs
from botapp.fight.actions import EndTurn
from botapp.fight.rules import observation
from botapp.fight.state import FightState
from botapp.tracking.log_facts import FactReader, LogFact
from botapp.tracking.log_names import known_names
from botapp.tracking.log_words import FactKind, is_log_line
from botapp.tracking.state_tracker import StateTracker
from botapp.tracking.text_log import TextLog
from vision.frame import Frame
from vision.text.reader import LogReader

if TYPE_CHECKING:
    from botapp.arena.window.film import Film

_PATIENCE_S = 4.0
_SIZE = (1920, 1080)


@dataclass(slots=True)
class Figures:
    """What came of one tracker."""

    states: int = 0  # Moments at which both trackers had to have a state
    withheld: int = 0  # Those at which this one had none
    right: int = 0  # Those whose state was the true one in everything that was judged
    wrong: Counter[str] = field(default_factory=Counter)  # How often each fact was wrong

    def judge(self, seen: FightState | None, true: FightState) -> tuple[str, ...]:
        """Counts a state; returns what was wrong."""
        self.states += 1
        if seen is None:
            self.withheld += 1
            return ("withheld",)
        wrong = tuple(fact for fact, _ in repairs(aligned(seen, true), true) if not fact.endswith("sheet"))
        self.right += not wrong
        self.wrong.update(wrong)
        return wrong


@dataclass(slots=True)
class Course:
    """The figures of all fights: with the log, without it, and what became of the log's lines."""

    with_log: Figures = field(default_factory=Figures)
    silent: Figures = field(default_factory=Figures)
    better: int = 0
    worse: int = 0
    casts: int = 0
    casts_read: int = 0
    casts_wrong: int = 0
    film_s: float = 0.0
    text_s: float = 0.0


def watch(film: "Film", course: Course, seed: int) -> None:
    text = TextLog(threaded=False)
    text.facts = deque()  # all of them: the casts of a whole fight are counted
    informed, silent = StateTracker(None, text), StateTracker()
    bout, player, dice = film.bout, GreedyPlayer(), random.Random(seed)
    last: tuple[FightState | None, FightState | None] = (None, None)
    since = film.now
    began = film.now
    while not bout.finished and bout.fight.winner is None:
        frame = captured(film.picture(), film.now)
        before = time.thread_time()
        view = informed.read(frame)
        course.text_s += time.thread_time() - before
        with_log, without_log = informed.situate(view).state, silent.update(frame).state
        true = observation(bout.fight.state, bout.fight.team)
        if not bout.free:
            last, since = (None, None), film.now
        elif (
            with_log is not None and without_log is not None and (with_log, without_log) == last
        ) or film.now - since > _PATIENCE_S:
            _judge(course, with_log, without_log, true)
            if bout.submit(player.choose(bout.fight.state, dice), film.now):
                bout.submit(EndTurn(), film.now)
            last, since = (None, None), film.now
        else:
            last = (with_log, without_log)
        film.advance()
    course.film_s += film.now - began
    told_casts = [  # what is called is written as a cast
        (read_fact.fact.who, read_fact.fact.what)
        for read_fact in text.facts
        if read_fact.kind in (FactKind.CAST, FactKind.SUMMONS) and read_fact.sure
    ]
    true_casts = Counter(film.bout.chronicle.casts_written)
    course.casts += sum(true_casts.values())
    read = Counter(told_casts)
    course.casts_read += sum((read & true_casts).values())
    course.casts_wrong += sum((read - true_casts).values())


def _judge(course: Course, informed: FightState | None, silent: FightState | None, true: FightState) -> None:
    with_log, without = course.with_log.judge(informed, true), course.silent.judge(silent, true)
    course.better += len(with_log) < len(without)
    course.worse += len(with_log) > len(without)


def measure(minutes: float, seed: int, scenario: str, language: str) -> Course:
    from botapp.arena.window.film import Film  # noqa: PLC0415 - Qt only where pictures are painted

    course = Course()
    for options in fights(seed, scenario):
        watch(Film(replace(options, log_words=True, size=_SIZE, language=language)), course, options.seed)
        if course.film_s >= 60 * minutes:
            return course
    raise AssertionError("there is no last seed")


def live(seconds: float, seed: int, language: str) -> dict[str, Any]:
    """Shows fights at their own pace to a reader in a thread; returns how late facts come, and its cost."""
    from botapp.arena.window.film import Film  # noqa: PLC0415 - Qt only where pictures are painted

    facts = FactReader(known_names())
    reader: LogReader[LogFact] = LogReader(is_log_line, facts.read)
    reader.start()
    player, dice, late_ms = GreedyPlayer(), random.Random(seed), []
    began, offering_s, pictures = time.monotonic(), 0.0, 0
    for options in fights(seed, "all"):
        given = replace(options, log_words=True, size=_SIZE, language=language)
        film, start = Film(given), time.monotonic()
        while film.bout.fight.winner is None and time.monotonic() - began < seconds:
            pixels = film.picture()
            before = time.perf_counter()
            frame = Frame.still(pixels, time.monotonic_ns(), seq=pictures)
            reader.offer(frame, frame.rect)
            reader.is_behind(frame)
            offering_s += time.perf_counter() - before
            pictures += 1
            if film.bout.free:
                film.bout.submit(player.choose(film.bout.fight.state, dice), film.now)
            film.advance()
            late_ms += [(fact.read_ns - fact.captured_ns) / 1e6 for fact in reader.take() if not fact.old]
            time.sleep(max(0.0, film.now - (time.monotonic() - start)))
        if time.monotonic() - began >= seconds:
            break
    took = time.monotonic() - began
    reader.close()
    ordered = sorted(late_ms) or [0.0]
    return {
        "seconds": round(took, 1),
        "facts": len(late_ms),
        "late_ms": {
            share: round(ordered[min(len(ordered) - 1, len(ordered) * share // 100)]) for share in (50, 95)
        },
        "share of a core": round(reader.busy_s / took, 4),
        "handing over a picture takes ms": round(1000 * offering_s / max(1, pictures), 3),
    }


def summed(course: Course) -> dict[str, Any]:
    def one(figures: Figures) -> dict[str, Any]:
        return {
            "states": figures.states,
            "withheld": figures.withheld,
            "right": figures.right,
            "wrong": dict(figures.wrong.most_common()),
        }

    return {
        "minutes": round(course.film_s / 60, 2),
        "with the log": one(course.with_log),
        "without": one(course.silent),
        "better with it": course.better,
        "worse with it": course.worse,
        "casts written": course.casts,
        "casts read": course.casts_read,
        "casts read that were not written": course.casts_wrong,
        "reading_cpu_s": round(course.text_s, 1),
    }


def main(
    minutes: Annotated[float, typer.Option(help="of the fights' own time")] = 10.0,
    seed: Annotated[int, typer.Option(help="of the first fight")] = 1,
    scenario: Literal["adventure", "duel", "team", "all"] = "all",
    language: Literal["en", "fr"] = "fr",
    at_own_pace: Annotated[
        float | None,
        typer.Option("--live", help="seconds at the fights' own pace: how late, and what it takes"),
    ] = None,
) -> None:
    """Prints the figures as JSON."""
    if at_own_pace is not None:
        print(json.dumps(live(at_own_pace, seed, language), indent=1))
    else:
        print(json.dumps(summed(measure(minutes, seed, scenario, language)), indent=1))


if __name__ == "__main__":
    typer.run(main)

"""What a log in words is worth: the state with it against the state without, from the same pictures.

`python -m botapp.bench.told --minutes 10` films fights of the practice arena whose log is written in words.
Two trackers see the same pictures: one reads the log off them, the other has to infer. In each turn of the
player's, once a state stands, it is held against the true one. The player's side is played by the simple
player, so that both see the same fight.
"""

import argparse
import json
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botapp.arena.options import ArenaOptions
from botapp.arena.players import GreedyPlayer
from botapp.bench.pixels import aligned, captured, fights, repairs
from botapp.fight.actions import EndTurn
from botapp.fight.rules import observation
from botapp.fight.state import FightState
from botapp.tracking.log_words import FactKind
from botapp.tracking.state_tracker import StateTracker
from botapp.tracking.text_log import TextLog

if TYPE_CHECKING:
    from botapp.arena.window.film import Film

_PATIENCE_S = 4.0
_SIZE = (1920, 1080)


@dataclass(slots=True)
class Figures:
    """What came of one tracker.

    Attributes:
        states: moments at which both trackers had to have a state.
        withheld: those at which this one had none.
        right: those whose state was the true one in everything that was judged.
        wrong: how often each fact was wrong.
    """

    states: int = 0
    withheld: int = 0
    right: int = 0
    wrong: Counter[str] = field(default_factory=Counter)

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

    told: Figures = field(default_factory=Figures)
    silent: Figures = field(default_factory=Figures)
    better: int = 0
    worse: int = 0
    casts: int = 0
    casts_read: int = 0
    casts_wrong: int = 0
    film_s: float = 0.0
    text_s: float = 0.0


def watch(film: "Film", course: Course, seed: int) -> None:
    """Follows one fight with both trackers."""
    text = TextLog(threaded=False)
    told, silent = StateTracker(None, text), StateTracker()
    bout, player, dice = film.bout, GreedyPlayer(), random.Random(seed)
    last: tuple[FightState | None, FightState | None] = (None, None)
    since = film.now
    began = film.now
    while not bout.finished and bout.winner is None:
        frame = captured(film.picture(), film.now)
        before = time.thread_time()
        view = told.read(frame)
        course.text_s += time.thread_time() - before
        one, other = told.situate(view).state, silent.update(frame).state
        true = observation(bout.state, bout.team)
        if not bout.free:
            last, since = (None, None), film.now
        elif (
            one is not None and other is not None and (one, other) == last
        ) or film.now - since > _PATIENCE_S:
            _judge(course, one, other, true)
            if bout.submit(player.choose(bout.state, dice), film.now):
                bout.submit(EndTurn(), film.now)
            last, since = (None, None), film.now
        else:
            last = (one, other)
        film.advance()
    course.film_s += film.now - began
    told_casts = [
        (one.fact.who, one.fact.what) for one in text.told if one.kind is FactKind.CAST and one.sure
    ]
    true_casts = Counter(film.bout.casts_written)
    course.casts += sum(true_casts.values())
    read = Counter(told_casts)
    course.casts_read += sum((read & true_casts).values())
    course.casts_wrong += sum((read - true_casts).values())


def _judge(course: Course, one: FightState | None, other: FightState | None, true: FightState) -> None:
    with_log, without = course.told.judge(one, true), course.silent.judge(other, true)
    course.better += len(with_log) < len(without)
    course.worse += len(with_log) > len(without)


def measure(minutes: float, seed: int, scenario: str, language: str) -> Course:
    """Films fights for so many minutes of their own time."""
    from botapp.arena.window.film import Film  # noqa: PLC0415 - Qt only where pictures are painted

    course = Course()
    for options in fights(seed, scenario):
        given = ArenaOptions(
            seed=options.seed,
            scenario=options.scenario,
            side=options.side,
            autopilot=True,
            fights=1,
            log_words=True,
            size=_SIZE,
            language=language,
        )
        watch(Film(given), course, options.seed)
        if course.film_s >= 60 * minutes:
            return course
    raise AssertionError("there is no last seed")


def summed(course: Course) -> dict[str, Any]:
    """Returns the figures as JSON takes them."""

    def one(figures: Figures) -> dict[str, Any]:
        return {
            "states": figures.states,
            "withheld": figures.withheld,
            "right": figures.right,
            "wrong": dict(figures.wrong.most_common()),
        }

    return {
        "minutes": round(course.film_s / 60, 2),
        "with the log": one(course.told),
        "without": one(course.silent),
        "better with it": course.better,
        "worse with it": course.worse,
        "casts written": course.casts,
        "casts read": course.casts_read,
        "casts read that were not written": course.casts_wrong,
        "reading_cpu_s": round(course.text_s, 1),
    }


def main(arguments: list[str] | None = None) -> int:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m botapp.bench.told", description=main.__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="of the fights' own time")
    parser.add_argument("--seed", type=int, default=1, help="of the first fight")
    parser.add_argument("--scenario", choices=("adventure", "duel", "team", "all"), default="all")
    parser.add_argument("--language", choices=("en", "fr"), default="fr")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args(arguments)
    text = json.dumps(summed(measure(given.minutes, given.seed, given.scenario, given.language)), indent=1)
    if given.out is not None:
        given.out.write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

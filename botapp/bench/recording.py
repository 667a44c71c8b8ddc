"""`botapp bench recording`: a film of fights through the whole app, from picture to advice.

The worker's pipeline takes each picture from the film in place of a window: it reads, tracks, makes the
state and advises, as while one plays. Turns are timed by the film, ten pictures a second, and the work on a
picture by the thread's own time, so that a busy computer changes little of what is measured.
"""

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import cv2

from botapp.bench.film import CLASS, RATE, DrawnFilm, FilmFrame, Shown
from botapp.fight.state import FightState
from botapp.host.clients import SHORT
from botapp.host.settings import AdvisorSettings, CaptureSettings, EngineSettings, Settings
from botapp.host.statistics import percentiles
from botapp.host.translation import Language, Translator
from botapp.runtime.messages import Snapshot
from botapp.runtime.pipeline import Pipeline
from botapp.runtime.start import Start
from botapp.runtime.watch import Sight
from vision import profiles
from vision.frame import Frame
from vision.view import FightView

IN_TIME_S = 0.5  # Seconds after a turn's first picture by which there should be advice

SLOW_MS = 30.0  # What reading a picture may take of the thread's own time, the first few of a film left out

_FIRST = 3
_REMEMBERED = RATE  # A state is there as long as a picture of the last second showed it
_BUDGET_MS = 5
_BAR_OFF = 0.03  # How far HP told by a life bar of some 60 pixels may be off, as a share of the maximum
_TICK_NS = 1_000_000_000 // RATE
_EXAMPLES = 30


@dataclass(slots=True)
class OwnTurn:
    """One of the player's turns in the film."""

    begins: int  # Its first picture
    covered: bool
    # Seconds until there was right advice, by the film's time and then the thread's own for the picture with
    # which it came; None where there never was any
    delay_s: float | None = None
    # What was said in place of advice in its first half second, the most frequent
    why: Counter[str] = field(default_factory=Counter)

    @property
    def late(self) -> bool:
        """Whether there was no right advice in time."""
        return self.delay_s is None or self.delay_s > IN_TIME_S


@dataclass(slots=True)
class _Showing:
    """What was counted on the way."""

    turns: dict[int, OwnTurn] = field(default_factory=dict)
    recent: list[Shown | None] = field(default_factory=list)
    advised: int = 0
    own: int = 0
    false: list[str] = field(default_factory=list)
    denied: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    read_ms: list[float] = field(default_factory=list)
    work_s: float = 0.0


def measure_recording(
    client: str, seconds: int, seed: int, size: tuple[int, int] = (1920, 1080), begin_s: float = 0.0
) -> dict[str, Any]:
    """Shows a film to the worker's pipeline.

    Args:
        client: a key of `botapp.host.clients.SHORT`.
        seconds: how long the film is.
        size: width and height of its pictures, in pixels.
        begin_s: how many seconds at its start are left out; the first three are a placement.

    Returns:
        How many of the player's turns there were, how many had right advice in time, later and never, what
        was said in place of it in the first half second of those, in how many pictures advice was for a
        state that no picture of the last second had shown, how many pictures of a fight were said to show
        none, why there was no advice, and the thread's own milliseconds for reading a picture.
    """
    name = SHORT[client]
    rules = profiles.load(name).screen
    film = DrawnFilm(name, seed, size, allies=rules is not None and rules.border.marks_player)
    pipeline = Pipeline(Start(_settings(name), "", 0))
    course = _Showing()
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        shots = film.frames(seconds * RATE, round(begin_s * RATE))
        for index, (shot, snapshot) in enumerate(_through(pipeline, shots, course)):
            _judge(course, index, shot, snapshot)
    finally:
        pipeline.close()
        cv2.setNumThreads(threads)
    return _figures(course) | {"client": name, "size": list(size), "seconds": seconds, "seed": seed}


def recording_text(figures: dict[str, Any], language: Language = "en") -> str:
    tr = Translator(language)
    width, height = figures["size"]
    lines = [
        tr(
            "{client}, {width}x{height}, {seconds} s of fights, {rate} pictures a second",
            client=figures["client"],
            width=width,
            height=height,
            seconds=figures["seconds"],
            rate=RATE,
        ),
        tr(
            "{turns} own turns: advice within 0.5 s of the film's time and the work on a picture in "
            "{in_time} ({share:.1%}), later in {later}, never in {never}",
            **{key: figures[key] for key in ("turns", "in_time", "share", "later", "never")},
        ),
        tr(
            "a window was open as {covered} of them began, {missed} of these had no advice in time",
            covered=figures["covered"],
            missed=figures["covered_missed"],
        ),
        tr(
            "pictures of own turns with advice: {advised} of {own}; with advice for a state that was not "
            "there: {false}",
            advised=figures["advised"],
            own=figures["own_pictures"],
            false=figures["false"],
        ),
        tr("pictures of a fight said to show none: {denied}", denied=figures["denied"]),
        tr(
            "reading, at work: p50 {p50:.2f}  p95 {p95:.2f}  p99 {p99:.2f} ms, slowest {slowest:.1f} ms; "
            "{slow} pictures above {limit:.0f} ms",
            **{key: figures["read_cpu_ms"][key] for key in ("p50", "p95", "p99")},
            slowest=figures["slowest_cpu_ms"],
            slow=len(figures["slow"]),
            limit=SLOW_MS,
        ),
    ]
    lines += [f"  late: {number} {cause}" for cause, number in figures["causes"].items()]
    lines += [f"  {number:5} {reason}" for reason, number in figures["reasons"].items()]
    lines += [f"  picture {place}: {cost:.1f} ms" for place, cost in figures["slow"].items()]
    return "\n".join([*lines, *(f"  {line}" for line in figures["late"] + figures["examples"])])


def _settings(client: str) -> Settings:
    return Settings(
        capture=CaptureSettings.model_validate({"target": client}),
        advisor=AdvisorSettings(player_class=CLASS),
        engine=EngineSettings(latency_budget_ms=_BUDGET_MS),
    )


def _through(
    pipeline: Pipeline, shots: Iterator[FilmFrame], course: _Showing
) -> Iterator[tuple[FilmFrame, Snapshot]]:
    """Yields each picture with the app's snapshot of it; records the time that reading takes."""
    now: list[Sight] = []
    stages = pipeline.loop.stages

    def read(frame: Frame) -> FightView:
        started = time.thread_time()
        view = stages.read(frame)
        course.read_ms.append((time.thread_time() - started) * 1000)
        return view

    pipeline.loop.stages = replace(stages, look=now.pop, read=read)
    for index, shot in enumerate(shots):
        frame = Frame.still(shot.pixels, (index + 1) * _TICK_NS, seq=index)
        now.append(Sight("watching", frame=frame))
        started = time.thread_time()
        snapshot = pipeline.loop.step()
        course.work_s = time.thread_time() - started
        yield shot, snapshot


def _judge(course: _Showing, index: int, shot: FilmFrame, snapshot: Snapshot) -> None:
    shown = shot.shown
    course.recent = [*course.recent[1 - _REMEMBERED :], shown]
    fresh = snapshot.advice == "fresh" and snapshot.state is not None and not snapshot.state.placing
    by_bar = snapshot.view is not None and snapshot.view.hp.value is None
    right = fresh and any(_is(snapshot.state, state, by_bar) for state in course.recent if state is not None)
    if fresh and not right:
        course.false.append(f"picture {index}: {_difference(snapshot.state, shown)}")
    course.denied += shown is not None and snapshot.capture == "no-fight"
    if shown is None or not shown.mine:
        return
    course.own += 1
    course.advised += right
    turn = course.turns.setdefault(shown.turn, OwnTurn(index, shot.covered is not None))
    since_s = (index - turn.begins) / RATE
    if right and turn.delay_s is None:
        turn.delay_s = since_s + course.work_s
    if not right:
        why = f"{snapshot.advice}: {Translator()(snapshot.reason)}" if not fresh else "false"
        course.reasons[why] += 1
        if since_s <= IN_TIME_S:
            turn.why[why] += 1


def facts_of(state: FightState) -> Shown:
    own = state.actor
    others = [fighter for fighter in state.fighters if fighter.alive and fighter.id != own.id]
    return Shown(
        True,
        0,
        own.cell,
        frozenset(f.cell for f in others if f.team != own.team),
        frozenset(f.cell for f in others if f.team == own.team),
        own.hp,
        own.ap,
        own.mp,
    )


def _is(state: FightState | None, shown: Shown, by_bar: bool) -> bool:
    """Returns whether a state is what is shown.

    Args:
        by_bar: whether the HP were told by the life bar of the player's card, so only about.
    """
    if state is None or not shown.mine:
        return False
    facts = facts_of(state)
    if by_bar and abs(facts.hp - shown.hp) <= _BAR_OFF * state.actor.max_hp:
        facts = replace(facts, hp=shown.hp)
    return facts == replace(shown, turn=0)


def _difference(state: FightState | None, shown: Shown | None) -> str:
    if state is None or shown is None:
        return "no fight is shown"
    facts = facts_of(state)
    names = ("mine", "own", "enemies", "allies", "hp", "ap", "mp")
    pairs = ((name, getattr(facts, name), getattr(shown, name)) for name in names)
    return ", ".join(
        f"{name} {_plain(said)} for {_plain(true)}" for name, said, true in pairs if said != true
    )


def _plain(value: object) -> object:
    return sorted(value) if isinstance(value, frozenset) else value


def _figures(course: _Showing) -> dict[str, Any]:
    turns = list(course.turns.values())
    late = [turn for turn in turns if turn.late]
    causes = Counter(turn.why.most_common(1)[0][0] if turn.why else "the work on a picture" for turn in late)
    read_ms = course.read_ms[_FIRST:]
    return {
        "turns": len(turns),
        "in_time": len(turns) - len(late),
        "share": (len(turns) - len(late)) / max(1, len(turns)),
        "later": sum(turn.delay_s is not None for turn in late),
        "never": sum(turn.delay_s is None for turn in turns),
        "covered": sum(turn.covered for turn in turns),
        "covered_missed": sum(turn.covered for turn in late),
        "own_pictures": course.own,
        "advised": course.advised,
        "false": len(course.false),
        "denied": course.denied,
        "causes": dict(causes.most_common()),
        "reasons": dict(course.reasons.most_common()),
        "late": [_late_text(turn) for turn in late[:_EXAMPLES]],
        "examples": course.false[:_EXAMPLES],
        "first_cpu_ms": [round(cost, 2) for cost in course.read_ms[:_FIRST]],
        "read_cpu_ms": percentiles(read_ms),
        "slowest_cpu_ms": round(max(read_ms), 2),
        "slow": {place: round(cost, 2) for place, cost in enumerate(read_ms, _FIRST) if cost > SLOW_MS},
    }


def _late_text(turn: OwnTurn) -> str:
    after = "none" if turn.delay_s is None else f"{turn.delay_s:.2f} s"
    return f"turn from picture {turn.begins}, advice after {after}, window {turn.covered}: {dict(turn.why)}"

"""`botapp bench`: what a decision and a reading cost on this computer, over real fights and drawn frames."""

import os
import platform
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from itertools import cycle, islice
from time import perf_counter
from typing import TYPE_CHECKING, Any

from botapp.advisor.bare import BareAdvisor
from botapp.arena.player_spec import make_player
from botapp.arena.scenarios import adventure, duel, outcome
from botapp.bench.vision import DrawingError, arena_frames
from botapp.content.library import classes
from botapp.fight.rules import apply
from botapp.fight.state import FightState
from botapp.host.children import tied
from botapp.host.message import mark
from botapp.host.statistics import percentiles
from botapp.host.translation import Language, Translator
from botapp.host.versions import versions
from vision import profiles
from vision.extract import Reader

if TYPE_CHECKING:
    from botapp.advisor.deliberating import DeliberatingAdvisor


_BUSY = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
while True:
    pass
"""
"""Computes until its standard input closes, which also happens when the process that began it dies."""

_FEWEST = 2


def cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


@contextmanager
def busy_cores() -> Iterator[int]:
    """Keeps every core busy with a process of this one's priority, two at the least; yields how many.

    They end with the block, or with this process, however it ends.
    """
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(max(_FEWEST, cores())):
            processes.append(subprocess.Popen(tied([sys.executable, "-c", _BUSY]), stdin=subprocess.PIPE))
        yield len(processes)
    finally:
        for process in processes:
            process.kill()
        for process in processes:
            process.communicate()


PICTURES = 4  # How many frames are read, each of another fight

_DRAWING = (
    "import sys; from botapp.arena.window.render import main\n"
    "for seed in range(int(sys.argv[1])):\n"
    "    main(['--seed', str(seed), '--out', f'{sys.argv[2]}/{seed}.png'])"
)
_WARM_UP = 20
_STRIDE = 3
_STAGES = {
    "search": mark("search"),
    "encode": mark("encode"),
    "think": mark("think"),
    "decode": mark("decode"),
}
_STOPS = {
    "halted": mark("halted"),
    "step-limit": mark("step-limit"),
    "exhausted": mark("exhausted"),
    "budget": mark("budget"),
    "only-choice": mark("only-choice"),
    "searched": mark("searched"),
}


def states(count: int, seed: int = 1) -> Iterator[FightState]:
    """Yields states out of fights between greedy players, adventures and duels in turn.

    Args:
        count: how many.
        seed: of the first fight and of the dice.
    """
    kinds = sorted(classes())
    greedy = make_player("greedy")
    made = 0
    while made < count:
        rng = random.Random(seed)
        state = duel(seed) if seed % 2 else adventure(seed, kinds[seed // 2 % len(kinds)])
        step = 0
        while outcome(state) is None and made < count:
            if state.actor.team == 0:
                step += 1
                if step % _STRIDE == 1:
                    made += 1
                    yield state
            state = apply(state, greedy.choose(state, rng), rng)
        seed += 1


def measure(
    advisor: "DeliberatingAdvisor | BareAdvisor",
    count: int = 200,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
    *,
    decisions: int | None = None,
    busy: bool = False,
) -> dict[str, Any]:
    """Times decisions; returns p50, p95 and p99 in milliseconds, in all, by stage and of the first answer.

    Args:
        advisor: the adviser to time: the model or the search alone, with its budget and limits.
        count: how many states.
        seed: of the first fight.
        decisions: how many to time, the states again and again; each state once unless given.
        busy: whether other processes keep all cores busy meanwhile.
    """
    stages: dict[str, list[float]] = defaultdict(list)
    totals: list[float] = []
    answered: list[float] = []
    begun = 0.0
    steps: list[float] = []
    stops: dict[str, int] = defaultdict(int)
    searched: dict[str, list[float]] = {"nodes": [], "rollouts": []}
    sample = list(states(count, seed))
    wanted = len(sample) if decisions is None else decisions
    with busy_cores() if busy else nullcontext(0) as others:
        for state in sample[:_WARM_UP]:
            advisor.decide(state)
        if hasattr(advisor, "on_reflex"):
            advisor.on_reflex = lambda _reflex: answered.append((perf_counter() - begun) * 1000)
        for done, state in enumerate(islice(cycle(sample), wanted), 1):
            begun = perf_counter()
            decision = advisor.decide(state)
            total = (perf_counter() - begun) * 1000
            if decision.stop != "only-choice":
                for name, cost in decision.effort.timings_ms:
                    stages[name].append(cost)
                totals.append(total)
                steps.append(len(decision.trace))
                searched["nodes"].append(decision.effort.nodes)
                searched["rollouts"].append(decision.effort.rollouts)
            stops[decision.stop] += 1
            if progress is not None:
                progress(done)
    return {
        "states": len(sample),
        "decisions": wanted,
        "busy_processes": others,
        "budget_ms": advisor.budget_ms,
        **_who(advisor),
        "decision_ms": percentiles(totals),
        "first_answer_ms": percentiles(answered),
        "stages_ms": {name: percentiles(costs) for name, costs in stages.items()},
        "steps": percentiles(steps),
        "search": {name: percentiles(times) for name, times in searched.items()},
        "stops": dict(stops),
        "machine": platform.processor() or platform.machine(),
        "versions": versions(),
    }


def _who(advisor: Any) -> dict[str, Any]:
    """Returns who advises, and where; the search alone has no placement and takes no steps."""
    if hasattr(advisor, "placement"):
        return {
            "adviser": "model",
            "step_limit": advisor.thinking.max_steps,
            "device": asdict(advisor.placement),
        }
    device = {"device": "cpu", "precision": "", "engine": "search", "level": ""}
    return {"adviser": "search", "step_limit": None, "device": device}


def measure_vision(rounds: int = 10) -> dict[str, Any] | None:
    """Times readings of frames that the arena draws, 1280x720; None where it cannot draw here.

    Args:
        rounds: how often each frame is read; between two readings the reader sees the others.
    """
    try:
        frames = arena_frames(_DRAWING, PICTURES)
    except DrawingError:
        return None
    reader = Reader(profiles.load("arena"))
    costs = [reader.read(frame).elapsed_ms for _ in range(rounds) for frame in frames]
    return percentiles(costs[len(frames) :])


def text(figures: dict[str, Any], language: Language = "en") -> str:
    tr = Translator(language)
    device, count = figures["device"], figures["states"]
    if figures["adviser"] == "search":
        who = tr("{count} states, the search alone advises", count=count)
    else:
        who = tr(
            "{count} states, the model advises on {device} in {precision}",
            count=count,
            device=device["device"],
            precision=device["precision"],
        )
    lines = [who]
    if figures["busy_processes"]:
        lines.append(tr("{count} other processes keep the cores busy", count=figures["busy_processes"]))
    lines.append(_line(tr("decision"), figures["decision_ms"], tr))
    if figures["first_answer_ms"] is not None:
        lines.append(_line(tr("first answer"), figures["first_answer_ms"], tr))
    lines += [_line(f"  {tr(_STAGES[name])}", values, tr) for name, values in figures["stages_ms"].items()]
    if all(figures["search"].values()):
        nodes, rollouts = (figures["search"][name]["p50"] for name in ("nodes", "rollouts"))
        lines.append(
            tr("  searched {nodes:.0f} states, {rollouts:.0f} rollouts (p50)", nodes=nodes, rollouts=rollouts)
        )
    if "vision_ms" in figures:
        lines.append(_line(tr("vision"), figures["vision_ms"], tr))
    stops = (f"{tr(_STOPS[stop])} {count}" for stop, count in figures["stops"].items())
    lines.append(tr("ended by: {stops}", stops=", ".join(stops)))
    return "\n".join(lines)


def _line(name: str, values: dict[str, float] | None, tr: Translator) -> str:
    if values is None:
        return tr("{name:<10} nothing measured", name=name)
    shares = {share: values[share] for share in ("p50", "p95", "p99")}
    return tr("{name:<10} p50 {p50:7.2f}  p95 {p95:7.2f}  p99 {p99:7.2f} ms", name=name, **shares)

"""`botapp bench rules`: how fast the rules and the search run on one core, compiled and interpreted.

Beside the figures of `botapp.bench.speed`, fights of the arena's own content are played at random through
`FightState`, as the app does. What is counted is the process's own time on the processor, so that a busy
computer does not change the figures much.
"""

import platform
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from botapp.arena.scenarios import LARGEST_TEAM, adventure, team
from botapp.bench.speed import ACTIONS, Scale, measure_interpreted, measure_speed
from botapp.fight.core.compiler import INTERPRETED
from botapp.fight.rules import apply, legal_actions
from botapp.fight.state import FightState
from botapp.host.message import mark
from botapp.host.translation import Language, Translator

_FIGHTS = 4
_WARM_UP_S = 0.5
_STRIDE = 10
_NAMES = {"all": mark("all"), "adventure": mark("adventure")}


def measure_rules(seconds: float = 3.0, seed: int = 1) -> dict[str, Any]:
    """Times the rules on one core, warm.

    Args:
        seconds: how long each figure is measured, in seconds of processor time.

    Returns:
        What `measure_speed` does; "compiled": whether that was compiled code; "interpreted": the same of
        interpreted code, with smaller counts.
        Through `FightState`, "playouts_per_s": actions applied a second where each follows one look at all
        legal actions, one of which is taken at random, by kind of fight and over "all"; "expansions_per_s":
        actions applied a second where every legal action of a state is applied; "legal": how many legal
        actions a state has on average; "machine" and "python".
    """
    groups = {
        f"{size}v{size}": [team(seed + number, size, size) for number in range(_FIGHTS)]
        for size in range(1, LARGEST_TEAM + 1)
    }
    groups["adventure"] = [adventure(seed + number) for number in range(_FIGHTS)]
    everything = [start for starts in groups.values() for start in starts]
    seen = _states(everything, seed)
    return {
        **measure_speed(Scale(seconds), seed),
        "compiled": not INTERPRETED,
        "interpreted": measure_interpreted(seed=seed),
        "playouts_per_s": {
            **{name: round(_playouts(starts, seconds, seed)) for name, starts in groups.items()},
            "all": round(_playouts(everything, seconds, seed)),
        },
        "expansions_per_s": round(_rate(lambda: sum(map(_expand, seen)), seconds)),
        "legal": round(sum(len(legal_actions(state)) for state in seen) / len(seen), 1),
        "machine": platform.processor() or platform.machine(),
        "python": sys.version.split()[0],
    }


def _rate(work: Callable[[], int], seconds: float) -> float:
    """Returns how many units a second `work` does, warm; it returns how many it has done in one go."""
    _timed(work, min(seconds, _WARM_UP_S))
    return _timed(work, seconds)


def _timed(work: Callable[[], int], seconds: float) -> float:
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds or not done:
        done += work()
    return done / max(spent, 1e-9)


def _playouts(starts: Sequence[FightState], seconds: float, seed: int) -> float:
    dice = random.Random(seed)
    return _rate(lambda: sum(_play(start, dice) for start in starts), seconds)


def _play(state: FightState, dice: random.Random) -> int:
    """Plays at random, at most `ACTIONS` actions; returns how many it were."""
    for count in range(ACTIONS):
        legal = legal_actions(state)
        if not legal:
            return count
        state = apply(state, dice.choice(legal), dice)
    return ACTIONS


def _states(starts: Sequence[FightState], seed: int) -> list[FightState]:
    dice = random.Random(seed)
    states = []
    for start in starts:
        state = start
        for count in range(ACTIONS):
            legal = legal_actions(state)
            if not legal:
                break
            if count % _STRIDE == 0:
                states.append(state)
            state = apply(state, dice.choice(legal), dice)
    return states


def _expand(state: FightState) -> int:
    """Applies every legal action of a state, nothing about which is known yet; returns how many it were."""
    fresh = state.changed()
    dice = random.Random(0)
    legal = legal_actions(fresh)
    for action in legal:
        apply(fresh, action, dice)
    return len(legal)


def rules_text(figures: dict[str, Any], language: Language = "en") -> str:
    tr = Translator(language)
    lines = [tr("compiled") if figures["compiled"] else tr("not compiled here, so interpreted")]
    lines += [f"  {line}" for line in _speed_lines(figures, tr)]
    lines += [tr("interpreted"), *(f"  {line}" for line in _speed_lines(figures["interpreted"], tr))]
    lines.append(tr("through the app's own states"))
    lines += [
        "  " + tr("{name:<10} {rate:>9,} actions a second, legal ones listed", name=name, rate=rate)
        for name, rate in (
            (tr(_NAMES.get(name, name)), rate) for name, rate in figures["playouts_per_s"].items()
        )
    ]
    rate = figures["expansions_per_s"]
    lines.append(
        "  "
        + tr(
            "{name:<10} {rate:>9,} actions a second, all of a state applied", name=tr("expansion"), rate=rate
        )
    )
    lines.append(
        tr(
            "{legal} legal actions a state, one core of {machine}",
            legal=figures["legal"],
            machine=figures["machine"],
        )
    )
    return "\n".join(lines)


def _speed_lines(figures: dict[str, Any], tr: Translator) -> list[str]:
    return [
        *(
            tr("{name:<10} {rate:>9,} actions a second, at random", name=name, rate=rate)
            for name, rate in figures["actions_per_s"].items()
        ),
        tr("{name:<10} {cost:>9,} µs an action", name=tr("rollouts"), cost=figures["rollout_action_us"]),
        tr(
            "{name:<10} {rate:>9,} states a second, {judgements} judgements",
            name=tr("judging"),
            rate=figures["states_per_s"],
            judgements=figures["judgements_per_s"],
        ),
        tr(
            "{name:<10} p50 {p50} ms, p95 {p95} ms a decision",
            name="bare 96",
            p50=figures["bare_96_p50_ms"],
            p95=figures["bare_96_p95_ms"],
        ),
    ]

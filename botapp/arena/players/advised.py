"""Players by an advisor: the model's advice, or that of the search alone."""

import math
import random
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache, partial
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from botapp.advisor.bare import bare_advisor
from botapp.advisor.decision import Decision
from botapp.arena.players.base import (
    Reader,
    milliseconds,
    one_of,
    player,
    share,
    switch,
    text,
    whole,
)
from botapp.fight.actions import Action, Ready
from botapp.fight.rules import observation
from botapp.fight.state import FightState

MODELS = ("hrm", "lite", "full")
"""The players by a model: the one that the device would get, the small one, the large one."""
_TIMES: Mapping[str, Reader] = {"ms": milliseconds, "decision_ms": milliseconds, "share": share}
_MODEL: Mapping[str, Reader] = {
    "steps": whole(1),
    "exit": switch,
    "device": text,
    "precision": one_of("fp32", "bf16", "fp16"),
    "weights": text,
    "looks": one_of("model", "schedule", "first"),
    "evaluation": text,
    "beside": switch,
    "threads": whole(1),
    "price": milliseconds,
    "model_share": share,
    "simplest": switch,
    **_TIMES,
}
"""The options of a model and of `bare` (below).

`rollout_actions`: actions of the others that rollouts take; `nodes`: the node budget;
`rounds`, `ends`: how far rollouts go, and from how many ends of turn they begin;
`replies`: states evaluated for the turn of each of the others in them, 0 for the default policy;
`threads`: threads that run rollouts;
`evaluation`: a file of weights for the search's evaluation, `learned` for those that the app has (a model's
default) or `none` (that of `bare`);
`steps`: ACT steps at most; `exit`: whether the model may stop before;
`simplest`: whether of turns that are worth the same the one with fewest actions is taken;
`looks`: who says where slices of search go, the model or the schedule, or all by the schedule before the only
step; `price`: of a slice, in percent points of winning;
`beside`: whether the model's steps run while the next slice is searched;
`device`, `precision`, `weights`: where it runs, in what, its file (no comma in its path); `ms`: time for a
turn, `decision_ms` for each decision, in milliseconds of wall time;
`share`: what a decision gets of what is left of a turn (`ms`), 0..1; `model_share`: the share of a decision's
time that the model may take.
"""
_SHARE, _SMALLEST_SHARE = 0.4, 0.1
"""Of what is left of a turn's time, and of the whole of it, for an advisor's next decision."""
_LEAST_MS = 1.0


class PlayingAdvisor(Protocol):
    """What a player needs of an advisor."""

    budget_ms: float

    def decide(self, state: FightState, planned: tuple[Action, ...] = ()) -> Decision:
        """Returns the decision for the current actor of a state."""
        ...


class AdvisorPlayer:
    """Plays what an advisor decides; what it thought best for the rest of a turn it looks at again.

    Args:
        advisor: an `Advisor` or a `BareAdvisor`.
        ms: milliseconds for a whole turn; each decision gets a share of what is left, and a tenth of the
            turn at the least while that much is left.
        decision_ms: milliseconds for each decision. With neither of both there is no limit, and the same
            seed is the same fight.
        share: what a decision gets of what is left of a turn's time, 0..1.

    Raises:
        ValueError: both are given.
    """

    def __init__(
        self,
        advisor: PlayingAdvisor,
        ms: float | None = None,
        decision_ms: float | None = None,
        share: float = _SHARE,
    ) -> None:
        if ms is not None and decision_ms is not None:
            raise ValueError("ms is for a turn, decision_ms for each decision: give one of them")
        self._advisor = advisor
        self._ms = ms
        self._decision_ms = decision_ms
        self._of_rest = share
        self._turn = (-1, -1)
        self._left = 0.0
        self._planned: tuple[Action, ...] = ()

    def choose(self, state: FightState, rng: random.Random) -> Action:
        """Returns the action advised; the enemies' traps are not shown to the advisor.

        Before the fight it takes the place it has.
        """
        if state.placing:
            return Ready()
        begun = perf_counter()
        if (state.turn, state.current) != self._turn:
            self._turn, self._planned = (state.turn, state.current), ()
            self._left = self._ms or 0.0
        self._advisor.budget_ms = (self._decision_ms or 0.0) if self._ms is None else self._share(self._ms)
        best = self._advisor.decide(observation(state, state.actor.team), self._planned).best
        self._planned = best.line[1:]
        self._left -= (perf_counter() - begun) * 1000
        return best.action

    def _share(self, whole: float) -> float:
        """Returns the milliseconds for the next decision of a turn of so many."""
        return max(self._of_rest * self._left, min(_SMALLEST_SHARE * whole, self._left), _LEAST_MS)


@lru_cache(maxsize=4)
def model_advisor(device: str, precision: str, options: tuple[tuple[str, Any], ...]) -> Any:
    """Returns a model's advisor, which is slow to make and keeps nothing of a fight.

    It runs on plain torch, whatever a benchmark found faster on this computer.

    Args:
        device: where it runs, "auto" for the best there is.
        precision: what it computes in, "auto" for what the app would choose.
        options: further arguments of `create_advisor`, and fields of `Thinking`.

    Raises:
        ValueError: the device or the precision asked for cannot be had; the text says why.
    """
    from botapp.advisor import own_weights  # noqa: PLC0415 - torch is loaded only where the model plays
    from botapp.advisor.advisor import create_advisor  # noqa: PLC0415 (as above)
    from botapp.advisor.deliberating import Thinking  # noqa: PLC0415 (as above)
    from botapp.advisor.device import exact, stored_config  # noqa: PLC0415 (as above)
    from hrm.backends import choose  # noqa: PLC0415 (as above)

    placed = choose("auto", device, precision)
    config = stored_config(Path(dict(options).get("weights", own_weights.weights_for(placed.backend))))
    if precision == "auto" and config is not None:
        placed = exact(placed, config)
    devices = ("auto", placed.device, placed.device.removesuffix(":0"))
    if device not in devices or precision not in ("auto", placed.precision):
        raise ValueError(f"the model cannot play on {device} in {precision}: {placed.reason}")
    given = dict(options)
    thinking = {field.name: given.pop(field.name) for field in fields(Thinking) if field.name in given}
    return create_advisor(placement=placed, thinking=Thinking(**thinking), **given)


def weights_of(name: str) -> str | None:
    """Returns the file of the app's own weights of a model, None for those that suit the device.

    Raises:
        ValueError: they are not there.
    """
    if name == "hrm":
        return None
    folder = Path(str(files("resources").joinpath("weights")))
    pattern = f"advisor-{name}*.safetensors"
    matching = sorted(folder.glob(pattern))
    if not matching:
        raise ValueError(
            f"the {name} model's weights are not there ({folder / pattern}). Play another one, or fetch them."
        )
    return str(matching[0])


def model_options(
    name: str, steps: int | None = None, exit: bool = True, weights: str | None = None, **others: Any
) -> dict[str, Any]:
    """Returns what `model_advisor` takes for a model's options; what is left to it is left out."""
    options: dict[str, Any] = dict(others)
    if steps is not None:
        options["max_steps"] = steps
    if not exit:
        options["halt_threshold"] = math.inf
    file = weights or weights_of(name)
    return options if file is None else {**options, "weights": file}


def _model(name: str, *, device: str = "auto", precision: str = "auto", **given: Any) -> AdvisorPlayer:
    times = {key: given.pop(key) for key in _TIMES if key in given}
    options = model_options(name, **given)
    return AdvisorPlayer(model_advisor(device, precision, tuple(sorted(options.items()))), **times)


for _name in MODELS:
    player(_name, **_MODEL)(partial(_model, _name))


@player(
    "bare",
    rollout_actions=whole(0),
    nodes=whole(0),
    rounds=whole(1),
    ends=whole(2),
    walks=whole(1),
    replies=whole(0),
    threads=whole(1),
    evaluation=text,
    simplest=switch,
    **_TIMES,
)
def bare(**options: Any) -> AdvisorPlayer:
    times = {name: options.pop(name) for name in _TIMES if name in options}
    return AdvisorPlayer(bare_advisor(**options), **times)

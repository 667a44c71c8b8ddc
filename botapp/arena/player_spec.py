"""Players in one word: a name with options of its own, such as `lite:steps=8,exit=off` or `bare:ms=150`."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from botapp.advisor.bare import bare_advisor
from botapp.arena.advisor_player import AdvisorPlayer, model_advisor
from botapp.arena.other_program import OtherProgram
from botapp.arena.players import EasyPlayer, GreedyPlayer, MonsterPlayer, Player, RandomPlayer
from botapp.arena.search_player import QuickPlayer, SearchPlayer
from botapp.search.whole_fights import Policy

PRECISIONS = ("fp32", "bf16", "fp16")
LOOKS = ("model", "schedule", "first")


class OptionError(ValueError):
    """A player's word that makes no sense; the text names what is wrong and says what there is."""


@dataclass(frozen=True, slots=True)
class PlayerSpec:
    """A player's name and options, read from its word.

    Attributes:
        name: a key of `PLAYERS`.
        options: names and values, sorted by name.
    """

    name: str
    options: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        """Returns the word, the options in order: equal players have equal words."""
        given = ",".join(f"{name}={_shown(value)}" for name, value in self.options)
        return f"{self.name}:{given}" if given else self.name

    def make(self) -> Player:
        """Returns a fresh player.

        Raises:
            ValueError: its weights are missing, or it cannot run where it should.
        """
        return _MAKERS[self.name](**dict(self.options))


def _whole(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise OptionError(f"a whole number, {least} or more")
        return value

    return read


def _number(fits: Callable[[float], bool], wanted: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not fits(value):
            raise OptionError(wanted)
        return value

    return read


_milliseconds = _number(lambda value: 0 < value < math.inf, "a number of milliseconds above 0")
_share = _number(lambda value: 0 <= value <= 1, "a number from 0 to 1")


def _switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise OptionError("on or off")
    return text == "on"


def _precision(text: str) -> str:
    if text not in PRECISIONS:
        raise OptionError(f"one of {', '.join(PRECISIONS)}")
    return text


def _looks(text: str) -> str:
    if text not in LOOKS:
        raise OptionError(f"one of {', '.join(LOOKS)}")
    return text


def _text(text: str) -> str:
    if not text:
        raise OptionError("not empty")
    return text


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


_Readers = Mapping[str, Callable[[str], Any]]
_TIMES: _Readers = {"ms": _milliseconds, "decision_ms": _milliseconds, "share": _share}
_MODEL: _Readers = {
    "steps": _whole(1),
    "exit": _switch,
    "device": _text,
    "precision": _precision,
    "weights": _text,
    "looks": _looks,
    "evaluation": _text,
    "beside": _switch,
    "threads": _whole(1),
    "price": _milliseconds,
    "model_share": _share,
    "simplest": _switch,
    **_TIMES,
}
PLAYERS: Mapping[str, _Readers] = {
    "random": {},
    "easy": {},
    "greedy": {},
    "monster": {},
    "quick": {
        "states": _whole(0),
        "actions": _whole(0),
        "replies": _whole(0),
        "ends": _whole(2),
        "evaluation": _text,
    },
    "search": {"states": _whole(0), "ms": _milliseconds},
    "bare": {
        "rollout_actions": _whole(0),
        "nodes": _whole(0),
        "rounds": _whole(1),
        "ends": _whole(2),
        "walks": _whole(1),
        "replies": _whole(0),
        "threads": _whole(1),
        "evaluation": _text,
        "simplest": _switch,
        **_TIMES,
    },
    "other": {"folder": _text, "player": _text},
    "hrm": _MODEL,
    "lite": _MODEL,
    "full": _MODEL,
}
"""The players there are, each with its options and what reads their values.

`states`: states that a decision evaluates; `rollout_actions`, `actions`: actions of the others that rollouts
take;
`nodes`: the node budget; `rounds`, `ends`: how far rollouts go, and from how many ends of turn they begin;
`replies`: states evaluated for the turn of each of the others in them, 0 for the default policy; `threads`:
threads that run rollouts;
`evaluation`: a file of weights for the search's evaluation, `learned` for those that the app has (a model's
default) or `none` (that of `bare`);
`folder`, `player`: another checkout of this program, and a player's word there;
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

MODELS = ("hrm", "lite", "full")
"""The players by a model: the one that the device would get, the small one, the large one."""


def parse(word: str) -> PlayerSpec:
    """Reads a player's word.

    Raises:
        OptionError: there is no such player, it has no such option, or a value makes no sense.
    """
    name, _, rest = word.strip().partition(":")
    if name not in PLAYERS:
        raise OptionError(f"no player {name!r}; there are {', '.join(PLAYERS)}")
    readers = PLAYERS[name]
    found: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, equals, text = part.partition("=")
        if key not in readers:
            there = f"it has {', '.join(readers)}" if readers else "it has none"
            raise OptionError(f"{word}: {name} has no option {key!r}; {there}")
        if key in found:
            raise OptionError(f"{word}: {key} is given twice")
        try:
            found[key] = readers[key](text)
        except OptionError as error:
            told = f"not {text!r}" if equals else f"such as {key}=VALUE"
            raise OptionError(f"{word}: {key} is {error}, {told}") from None
    if {"ms", "decision_ms"} <= set(found):
        raise OptionError(f"{word}: ms is for a turn, decision_ms for each decision; give one of them")
    if "share" in found and "ms" not in found:
        raise OptionError(f"{word}: share is of a turn's time, which ms gives")
    if {"ms", "states"} <= set(found):
        raise OptionError(f"{word}: search goes by states or by ms; give one of them")
    return PlayerSpec(name, tuple(sorted(found.items())))


def split(words: str) -> list[str]:
    """Returns the words of several players, separated by commas as their options are.

    A part such as `exit=off` belongs to the player before it.
    """
    found: list[str] = []
    for part in words.split(","):
        before, equals, _ = part.partition("=")
        if found and equals and ":" not in before:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def make_player(word: str) -> Player:
    """Returns a fresh player of this word.

    Raises:
        ValueError: the word makes no sense, its weights are missing, or it cannot run where it should.
    """
    return parse(word).make()


@lru_cache(maxsize=64)
def policy_of(word: str) -> Policy:
    """Returns how a player plays a fight in compiled code.

    Raises:
        ValueError: see `make_player`; or it does not play in compiled code.
    """
    policy = policy_in(make_player(word))
    if policy is None:
        raise ValueError(f"{word} does not play in compiled code; greedy, monster and quick do")
    return policy


def policy_in(player: Player) -> Policy | None:
    """Returns how a player plays a fight in compiled code, None where it does not."""
    policy = getattr(player, "policy", None)
    return policy if isinstance(policy, Policy) else None


def weights_of(name: str) -> str | None:
    """Returns the file of the app's own weights of a model, None for those that suit the device.

    Raises:
        ValueError: they are not there.
    """
    if name == "hrm":
        return None
    folder = Path(str(files("resources").joinpath("weights")))
    pattern = f"advisor-{name}*.safetensors"
    found = sorted(folder.glob(pattern))
    if not found:
        raise ValueError(
            f"the {name} model's weights are not there ({folder / pattern}). Play another one, or fetch them."
        )
    return str(found[0])


def model_options(
    name: str, steps: int | None, exit: bool, weights: str | None, **others: Any
) -> dict[str, Any]:
    """Returns the arguments of `create_advisor` for a model's options; what is left to it is left out."""
    options: dict[str, Any] = {key: value for key, value in others.items() if value is not None}
    if steps is not None:
        options["max_steps"] = steps
    if not exit:
        options["halt_threshold"] = math.inf
    file = weights or weights_of(name)
    return options if file is None else {**options, "weights": file}


def _model(
    name: str,
    *,
    steps: int | None = None,
    exit: bool = True,
    weights: str | None = None,
    looks: str | None = None,
    price: float | None = None,
    evaluation: str | None = None,
    beside: bool = False,
    threads: int = 1,
    device: str = "auto",
    precision: str = "auto",
    model_share: float | None = None,
    simplest: bool = True,
    **times: float,
) -> AdvisorPlayer:
    options = model_options(
        name, steps, exit, weights, looks=looks, price=price, evaluation=evaluation, model_share=model_share
    )
    options |= {"beside": beside, "threads": threads, "simplest": simplest}
    return AdvisorPlayer(model_advisor(device, precision, tuple(sorted(options.items()))), **times)


def _bare(**options: Any) -> AdvisorPlayer:
    times = {name: options.pop(name) for name in _TIMES if name in options}
    return AdvisorPlayer(bare_advisor(**options), **times)


_MAKERS: Mapping[str, Callable[..., Player]] = {
    "random": RandomPlayer,
    "easy": EasyPlayer,
    "greedy": GreedyPlayer,
    "monster": MonsterPlayer,
    "quick": QuickPlayer,
    "search": SearchPlayer,
    "bare": _bare,
    "other": OtherProgram,
    "hrm": lambda **options: _model("hrm", **options),
    "lite": lambda **options: _model("lite", **options),
    "full": lambda **options: _model("full", **options),
}

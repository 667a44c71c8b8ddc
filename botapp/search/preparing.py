"""The first start: compiles all that Python asks of the rules and the search, and tells how far it has come.

`obstacle` and `advice` say why the search runs as plain Python where it does, and what to do about it.
"""

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any

from botapp.fight.core import cache, compiler
from botapp.fight.core import requests as rules
from botapp.fight.core.cache import is_damaged, is_ready, note_ready, throw_away_damaged, unkept
from botapp.host.message import say
from botapp.search.core import requests as search

ENTRIES: tuple[Any, ...] = (rules.ask, search.request)  # All compiled functions that Python calls

_FINISHING = 0.2
"""Making machine code of an entry, when all it calls has been read, takes this part of the time for reading
all of it."""
_FEW = 0.03  # Before this share is done nothing is said of the time left
_EVERY_S = 0.25


@dataclass(frozen=True, slots=True)
class Headway:
    """How far it has come."""

    share: float  # What is done, 0..1
    # How long the rest takes if it goes on like that, None while that cannot be said
    seconds_left: float | None


class Pace:
    """Turns steps of known size into a steady share: goes on within a step at the pace of those before it.

    A step that takes longer than its size promised goes on more and more slowly, never to its end, and the
    time left is not said until it is over.

    Args:
        total: the size of all steps.
        clock: the time in seconds.
    """

    def __init__(self, total: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._clock = total, clock
        self._begun = self._reached_at = clock()
        self._done = self._step = self._share = 0.0

    def reach(self, done: float, step: float = 0.0) -> None:
        """Notes that so much is done, and how large the step is that begins now."""
        self._done, self._step, self._reached_at = done, step, self._clock()

    def headway(self) -> Headway:
        """Returns how far it has come by now; the share never falls."""
        now = self._clock()
        before = self._reached_at - self._begun
        going = self._done / before * (now - self._reached_at) if before > 0 else 0.0
        within = self._step * (1 - math.exp(-going / self._step)) if self._step else 0.0
        self._share = max(self._share, (self._done + within) / self._total)
        late = going > self._step and self._step > 0
        known = self._share > _FEW and not late
        return Headway(self._share, (now - self._begun) * (1 - self._share) / self._share if known else None)


def prepared() -> bool:
    """Tells whether the code need not be compiled any more."""
    return compiler.FOLDER is not None and is_ready(compiler.FOLDER)


def damaged() -> bool:
    """Tells whether the code was compiled once and has been damaged since."""
    return compiler.FOLDER is not None and is_damaged(compiler.FOLDER)


def prepare(tell: Callable[[Headway], object] = lambda _: None) -> None:
    """Compiles everything and notes that it is there; does nothing where it is, or where it is interpreted.

    Args:
        tell: called with the progress a few times a second on another thread, and at the end on this one.

    Raises:
        OSError: what was compiled cannot be kept.
    """
    if compiler.FOLDER is None or prepared():
        return
    throw_away_damaged(compiler.FOLDER)
    with _listening(tell):
        load()
    if unkept:
        raise OSError(unkept[0].errno, unkept[0].strerror, str(compiler.FOLDER))
    note_ready(compiler.FOLDER)
    tell(Headway(1.0, 0.0))


def load() -> None:
    """Loads what is compiled, or compiles it, so that no question asked later has to wait for that."""
    for function in ENTRIES:
        compiler.load(function)


class Plan:
    """What is compiled, one entry after the other, and how far that has come.

    Args:
        pace: makes what measures the progress out of the size of it all.
    """

    def __init__(self, entries: Sequence[Any], pace: Callable[[float], Pace] = Pace) -> None:
        self._waiting: dict[Any, float] = {}
        self._order: list[tuple[Any, set[Any], float]] = []
        for entry in entries:
            called = all_called(entry)
            sizes = {function: float(len(function.__code__.co_code)) for function in called}
            self._order.append((entry.py_func, called, _FINISHING * sum(sizes.values())))
            self._waiting |= sizes
        self._done = 0.0
        self.pace = pace(sum(self._waiting.values()) + sum(size for _, _, size in self._order))

    def ended(self, function: Any) -> None:
        self._done += self._waiting.pop(function, 0.0)
        if self._order and function is self._order[0][0]:
            self._done += self._order.pop(0)[2]
        step = 0.0
        if self._order and not self._order[0][1] & self._waiting.keys():
            step = self._order[0][2]
        self.pace.reach(self._done, step)


def all_called(entry: Any) -> set[Any]:
    """Returns the compiled functions that become part of an entry, as they are written."""
    kinds: set[Any] = set()
    ahead = [entry.py_func]
    while ahead:
        function = ahead.pop()
        for name in function.__code__.co_names:
            called = getattr(function.__globals__.get(name), "py_func", None)
            if called is not None and called not in kinds:
                kinds.add(called)
                ahead.append(called)
    return kinds


@contextmanager
def _listening(tell: Callable[[Headway], object]) -> Iterator[None]:
    from numba.core import event  # noqa: PLC0415 - where the rules are interpreted it need not be there

    plan, over = Plan(ENTRIES), Event()

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            plan.ended(event.data["dispatcher"].py_func)

    def tick() -> None:
        while not over.wait(_EVERY_S):
            tell(plan.pace.headway())

    ticking = Thread(target=tick, name="compile-progress")
    ticking.start()
    try:
        with event.install_listener("numba:compile", Listener()):
            yield
    finally:
        over.set()
        ticking.join()


def obstacle() -> str:
    """Returns what keeps the search from being compiled on this computer, "" where nothing does."""
    if compiler.FAULT == "numba":
        return say(
            "The search is slow and looks less far here, as numba cannot be used ({problem}). "
            "Install it: {python} -m pip install --force-reinstall numba",
            problem=compiler.WHY_INTERPRETED,
            python=sys.executable,
        )
    if compiler.FAULT == "folder":
        return say(
            "The search is slow and looks less far here, as nothing can be kept in the folder {folder} "
            "({problem}). Make it writable, or name another one in the environment variable {variable}.",
            folder=str(cache.base_folder()),
            problem=compiler.WHY_INTERPRETED,
            variable=cache.FOLDER_VARIABLE,
        )
    if compiler.FAULT == "asked":
        return say(
            "The search is slow and looks less far here, as {problem}. "
            "Take that variable out of the environment.",
            problem=compiler.WHY_INTERPRETED,
        )
    return ""


def advice() -> str:
    """Returns the same, and else what to do where the search has not been prepared; "" where it is ready."""
    if not obstacle() and not prepared():
        return say(
            "The search is not prepared for this computer yet: the app does that at its next start, "
            "`botapp compile` at once."
        )
    return obstacle()

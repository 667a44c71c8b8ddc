"""What an attack came to: how much was tried, taken, refused with a clear line, and broken."""

import resource
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

LONGEST_S = 2.0
"""Processor time of one try at most."""
MOST_GROWN = 300 << 20
LONGEST_LINE = 1200
_EXAMPLES = 8


@dataclass
class Tally:
    """The count of one attack.

    Attributes:
        taken: what was sound after all, and used.
        refused: what was refused in one clear line.
        broken: what neither happened to, with how often.
        said: writes for which there was no room, and which said so.
        notes: figures worth telling.
        processor_s: processor time, children included.
        slowest_s: processor time of the slowest try.
    """

    name: str
    tried: int = 0
    taken: int = 0
    refused: int = 0
    broken: dict[str, int] = field(default_factory=dict)
    said: int = 0
    notes: str = ""
    seconds: float = 0.0
    processor_s: float = 0.0
    grown_mb: int = 0
    slowest_s: float = 0.0

    def breaks(self, what: str) -> None:
        if what in self.broken or len(self.broken) < _EXAMPLES:
            self.broken[what] = self.broken.get(what, 0) + 1

    def expect(self, holds: bool, what: str) -> None:
        """Counts a try that is right where `holds` is."""
        self.tried += 1
        if holds:
            self.taken += 1
        else:
            self.breaks(what)

    @contextmanager
    def trying(self, what: str, *refusals: type[Exception]):
        """Counts what happens in the block: it goes through, or raises one of `refusals`, clearly."""
        self.tried += 1
        begun = time.process_time()
        try:
            yield
        except refusals as error:
            line = str(getattr(error, "message", None) or error)
            if not line or "\n" in line or len(line) > LONGEST_LINE or "Traceback" in line:
                self.breaks(f"{what}: an unclear line ({line[:80]!r})")
            else:
                self.refused += 1
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(where.filename).name}:{where.lineno}"
            self.breaks(f"{what}: {type(error).__name__} at {place} ({str(error)[:80]})")
        else:
            self.taken += 1
        took = time.process_time() - begun
        self.slowest_s = max(self.slowest_s, round(took, 2))
        if took > LONGEST_S:
            self.breaks(f"{what}: took {took:.1f} s")


Attack = Callable[[Tally, Random, int, Path], None]


def carry_out(name: str, attack: Attack, seed: str, count: int, folder: Path) -> Tally:
    """Carries an attack out in a folder of its own, and weighs this process meanwhile."""
    tally = Tally(name)
    warm = Tally(name)
    attack(warm, Random(f"{name} {seed} warm"), 1, folder / "warm")
    before, begun, worked = _peak(), time.perf_counter(), _processor_s()
    attack(tally, Random(f"{name} {seed}"), count, folder / "main")
    tally.seconds = round(time.perf_counter() - begun, 1)
    tally.processor_s = round(_processor_s() - worked, 1)
    tally.grown_mb = max(0, _peak() - before) >> 20
    if _peak() - before > MOST_GROWN:
        tally.breaks(f"grew by {tally.grown_mb} MB")
    return tally


def _peak() -> int:
    """Returns the most memory that this process has held, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _processor_s() -> float:
    both = (resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def joined(slices: list[Tally]) -> Tally:
    """Returns one tally of an attack's slices: sums, and the most memory and time of any."""
    whole = Tally(slices[0].name)
    for one in slices:
        for name in ("tried", "taken", "refused", "said", "seconds", "processor_s"):
            setattr(whole, name, round(getattr(whole, name) + getattr(one, name), 1))
        for what, times in one.broken.items():
            whole.broken[what] = whole.broken.get(what, 0) + times
        whole.grown_mb = max(whole.grown_mb, one.grown_mb)
        whole.slowest_s = max(whole.slowest_s, one.slowest_s)
    whole.notes = "; ".join(sorted({one.notes for one in slices if one.notes}))
    return whole


def table(tallies: list[Tally]) -> str:
    """Returns the counts as a table, and below it what broke."""
    head = (
        f"{'attack':<13}{'tried':>8}{'taken':>8}{'refused':>9}{'said full':>11}{'broken':>8}"
        f"{'s':>9}{'core s':>9}{'slowest':>9}{'MB':>6}"
    )
    lines = [head, "-" * len(head)]
    for one in tallies:
        broken = sum(one.broken.values())
        line = (
            f"{one.name:<13}{one.tried:>8}{one.taken:>8}{one.refused:>9}{one.said:>11}{broken:>8}"
            f"{one.seconds:>9.1f}{one.processor_s:>9.1f}{one.slowest_s:>9.2f}{one.grown_mb:>6}  {one.notes}"
        )
        lines.append(line.rstrip())
    lines += [
        f"broken: {one.name}: {what} ({times}x)" for one in tallies for what, times in one.broken.items()
    ]
    return "\n".join(lines)

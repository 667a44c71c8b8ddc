"""Keeps the fight that is watched, own action by own action: what is on the disk is whole at any time.

A fight of a single own action is not worth keeping.
"""

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from botapp.advisor.grounds import may_tell_chance
from botapp.fight.state import FightState
from botapp.host.files import write_whole
from botapp.host.message import Message, say, unwritten
from botapp.host.settings import Settings
from botapp.host.versions import versions
from botapp.review.account import END_CHANCE, Result
from botapp.review.course import Course, OwnAction, settled
from botapp.review.form import first_line, moment_line, new_packer, packed
from botapp.review.kept_fight import KeptFight, Summary, summed_up
from botapp.review.shelf import FightShelf, claim, drop_others, drop_waiting
from botapp.runtime.messages import Snapshot
from botapp.tracking.situation import over

_log = logging.getLogger(__name__)
_LEAST_ACTIONS = 2
_EVEN = 0.5
_OPEN = 2  # Own actions at the end that may still change: the last one, and what the one before it cost


class FightRecorder:
    """Follows a course and writes it down; files are written on a thread of its own.

    Args:
        settings: whether and how much is kept.
        course: what has taken in each snapshot before it is offered here.
        shelf: where fights are kept, the app's own if left out.
        tell: called on another thread with the reason why a fight is not kept; once until one is kept again.
        ended: is given each fight of two own actions or more whose end was seen, kept or not.
    """

    def __init__(
        self,
        settings: Settings,
        course: Course,
        shelf: FightShelf | None = None,
        tell: Callable[[Message], object] = lambda _: None,
        ended: Callable[[KeptFight], object] = lambda _: None,
    ) -> None:
        self._settings = settings
        self._course = course
        self._shelf = shelf or FightShelf()
        self._version = versions()["botapp"]
        self.writer = ThreadPoolExecutor(1, "kept-fights")
        self._blocked = self._closed = False
        self._tell = tell
        self._ended = ended
        self._record = _Record(course.moments)
        self._do(drop_waiting)

    @property
    def under_way(self) -> Path | None:
        """The file of the fight that is being watched, None where there is none."""
        return None if self._record.over else self._record.path

    def apply(self, settings: Settings) -> None:
        self._settings = settings

    def offer(self, snapshot: Snapshot, *, autoplayed: bool = False) -> None:
        """Takes in a snapshot; `autoplayed` says that the app plays by itself."""
        if self._course.moments is not self._record.moments:
            self._finish(end_seen=False)
            self._record = _Record(self._course.moments)
        record = self._record
        if record.fight is None and record.moments:
            record.fight = snapshot.fight
        if snapshot.state is not None and snapshot.fight == record.fight:
            record.last = snapshot.state
            record.autoplayed = record.autoplayed or autoplayed
        if snapshot.view is not None and over(snapshot.view):
            self._finish(end_seen=True)
        elif not record.over and record.news():
            self._store("unfinished")

    def close(self) -> None:
        """Writes down what there is, and waits until it is on the disk; once closed it is left alone."""
        if self._closed:
            return
        self._closed = True
        self._finish(end_seen=False)
        self._do(drop_waiting)
        self.writer.shutdown(wait=True)

    def _finish(self, *, end_seen: bool) -> None:
        record = self._record
        if record.over or not record.moments:
            return
        record.over = True
        result = record.result(end_seen=end_seen)
        if result in END_CHANCE:
            record.moments[-1] = settled(record.moments[-1], END_CHANCE[result])
        self._store(result)
        if end_seen and len(record.moments) >= _LEAST_ACTIONS:
            self._ended(KeptFight(self._summary(result), tuple(record.moments)))
        most_bytes = self._settings.review.limit_mb << 20
        path, pictures = record.path, {moment.picture for moment in record.moments}
        self._do(lambda: self._tidy(path, pictures, most_bytes))

    def _store(self, result: Result) -> None:
        record = self._record
        if record.taken_back != self._course.taken_back:
            record.take_back(self._course.taken_back)
            if record.path is not None and len(record.moments) < _LEAST_ACTIONS:
                path, record.path, record.written = record.path, None, False
                self._do(lambda: self._shelf.remove(path))
        if not self._settings.review.keep or len(record.moments) < _LEAST_ACTIONS:
            return
        if record.path is None:
            record.path = self._shelf.free_path(record.begun)
        lines = record.packed_lines()
        data = packed(first_line(self._summary(result))) + lines
        path, pictures = record.path, [moment.picture for moment in record.moments if moment.picture]
        self._do(lambda: self._write(record, path, data, pictures))

    def _summary(self, result: Result) -> Summary:
        record, client = self._record, self._settings.capture.target
        return summed_up(
            record.moments,
            record.begun,
            self._version,
            client,
            result,
            autoplayed=record.autoplayed,
            taken_back=record.taken_back,
        )

    def _write(self, record: "_Record", path: Path, data: bytes, pictures: Sequence[str]) -> None:
        """Writes a file with its pictures; one that was written and deleted since stays deleted."""
        if record.written and not path.exists():
            return
        write_whole(path, data)
        record.written, self._blocked = True, False
        for name in pictures:
            claim(name, path)

    def _tidy(self, path: Path | None, pictures: set[str], most_bytes: int) -> None:
        """Drops pictures that no own action has, and fights that there is no room for."""
        if path is not None:
            drop_others(pictures, path)
        self._shelf.trim(most_bytes)

    def _do(self, job: Callable[[], object]) -> None:
        """Runs file work on its thread; a folder that cannot be written is reported once."""

        def work() -> None:
            try:
                job()
            except OSError as error:
                if not self._blocked:
                    self._blocked = True
                    problem_text = say("The fight is not kept: {problem}.", problem=unwritten(error))
                    _log.warning(problem_text)
                    self._tell(problem_text)

        self.writer.submit(work)


class _Record:
    """What is written of one fight.

    Attributes:
        moments: the course's own list, which grows.
        over: whether nothing will be added.
        begun: when, in seconds since 1970.
        path: its file, None before the first writing.
        last: the state seen last.
        autoplayed: whether the app itself has played in it.
        taken_back: how many own actions were taken back, of which nothing is kept.
    """

    def __init__(self, moments: list[OwnAction]) -> None:
        self.moments = moments
        self.over = False
        self.begun = time.time()
        self.path: Path | None = None
        self.written = False
        self.fight: int | None = None
        self.last: FightState | None = None
        self.autoplayed = False
        self.taken_back = 0
        self._known: tuple[object, ...] = ()
        self._packer = new_packer()
        self._whole = bytearray()
        self._whole_moments = 0

    def news(self) -> bool:
        """Tells whether there is another own action, or what was done last, or what it cost, is known now."""
        known = len(self.moments), *((moment.done, moment.cost) for moment in self.moments[-_OPEN:])
        changed, self._known = known != self._known, known
        return changed

    def take_back(self, number: int) -> None:
        """Packs all own actions anew: some of those that were packed are none any more."""
        self.taken_back = number
        self._packer, self._whole, self._whole_moments = new_packer(), bytearray(), 0

    def packed_lines(self) -> bytes:
        """Returns the own actions packed; those that stay as they are are packed once."""
        for moment in self.moments[self._whole_moments : -_OPEN]:
            self._whole += self._packer.compress(moment_line(moment))
        self._whole_moments = max(0, len(self.moments) - _OPEN)
        tail = self._packer.copy()
        lines = b"".join(map(moment_line, self.moments[-_OPEN:]))
        return bytes(self._whole) + tail.compress(lines) + tail.flush()

    def result(self, *, end_seen: bool) -> Result:
        """Returns how the fight ended: by who stood last, else by who was likelier to win."""
        own = self.moments[0].state.actor.team
        standing = _standing(self.last) if self.last is not None else set()
        if len(standing) == 1:
            return "won" if own in standing else "lost"
        if not end_seen or not may_tell_chance(self.moments[-1].state):
            return "unfinished"
        return "won" if self.moments[-1].chance >= _EVEN else "lost"


def _standing(state: FightState) -> set[int]:
    """Returns the teams that have a fighter left; summons cannot fight on alone."""
    return {fighter.team for fighter in state.fighters if fighter.alive and fighter.summoner is None}

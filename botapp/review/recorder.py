"""Keeps the fight that is watched, own action by own action: what is on the disk is whole at any time.

A fight of a single own action is not worth keeping. Next hop: `botapp.review.shelf`.
"""

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from botapp.fight.state import FightState
from botapp.host.files import write_whole
from botapp.host.message import error_text, say
from botapp.host.settings import Settings
from botapp.host.versions import versions
from botapp.review.course import Course, OwnAction
from botapp.review.form import first_line, moment_line, new_packer, packed
from botapp.review.kept import Result, summed_up
from botapp.review.shelf import FightShelf, claim, drop_others, drop_waiting
from botapp.runtime.messages import Snapshot
from vision.view import Phase

_log = logging.getLogger(__name__)
_LEAST_ACTIONS = 2
_EVEN = 0.5


class FightRecorder:
    """Follows a course and writes it down; files are written on a thread of its own.

    Args:
        settings: whether and how much is kept.
        course: what has taken in each snapshot before it is offered here.
        shelf: where fights are kept, the app's own if left out.
    """

    def __init__(self, settings: Settings, course: Course, shelf: FightShelf | None = None) -> None:
        self._settings = settings
        self._course = course
        self._shelf = shelf or FightShelf()
        self._version = versions()["botapp"]
        self._writer = ThreadPoolExecutor(1, "kept-fights")
        self._blocked = self._closed = False
        self._record = _Record(course.moments)
        self._do(drop_waiting)

    @property
    def under_way(self) -> Path | None:
        """The file of the fight that is being watched, None where there is none."""
        return None if self._record.over else self._record.path

    def apply(self, settings: Settings) -> None:
        """Takes over settings; what was kept stays."""
        self._settings = settings

    def offer(self, snapshot: Snapshot) -> None:
        """Takes in a snapshot."""
        if self._course.moments is not self._record.moments:
            self._finish(end_seen=False)
            self._record = _Record(self._course.moments)
        record = self._record
        if record.fight is None and record.moments:
            record.fight = snapshot.fight
        if snapshot.state is not None and snapshot.fight == record.fight:
            record.last = snapshot.state
        if snapshot.view is not None and snapshot.view.phase.value is Phase.NOT_FIGHT:
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
        self._writer.shutdown(wait=True)

    def _finish(self, *, end_seen: bool) -> None:
        record = self._record
        if record.over or not record.moments:
            return
        record.over = True
        self._store(record.result(end_seen=end_seen))
        most_bytes = self._settings.review.limit_mb << 20
        path, pictures = record.path, {moment.picture for moment in record.moments}
        self._do(lambda: self._tidy(path, pictures, most_bytes))

    def _store(self, result: Result) -> None:
        record = self._record
        if not self._settings.review.keep or len(record.moments) < _LEAST_ACTIONS:
            return
        begun = record.path is not None
        if record.path is None:
            record.path = self._shelf.free_path(record.begun)
        lines = record.packed_lines()
        client = self._settings.capture.target
        summary = summed_up(record.moments, record.begun, self._version, client, result)
        data = packed(first_line(summary)) + lines
        path, pictures = record.path, [moment.picture for moment in record.moments if moment.picture]
        self._do(lambda: _write(path, data, pictures, begun=begun))

    def _tidy(self, path: Path | None, pictures: set[str], most_bytes: int) -> None:
        """Drops pictures that no own action has, and fights that there is no room for."""
        if path is not None:
            drop_others(pictures, path)
        self._shelf.trim(most_bytes)

    def _do(self, job: Callable[[], object]) -> None:
        """Does something with files on the thread for that; a folder that cannot be written is told once."""

        def work() -> None:
            try:
                job()
            except OSError as error:
                if not self._blocked:
                    _log.warning(say("The fight is not kept: {problem}.", problem=error_text(error)))
                self._blocked = True

        self._writer.submit(work)


class _Record:
    """What is written of one fight.

    Attributes:
        moments: the course's own list, which grows.
        over: whether nothing will be added.
        begun: when, in seconds since 1970.
        path: its file, None before the first writing.
        fight: its number, as snapshots have it.
        last: the state seen last.
    """

    def __init__(self, moments: list[OwnAction]) -> None:
        self.moments = moments
        self.over = False
        self.begun = time.time()
        self.path: Path | None = None
        self.fight: int | None = None
        self.last: FightState | None = None
        self._known = (0, False)
        self._packer = new_packer()
        self._whole = bytearray()
        self._whole_moments = 0

    def news(self) -> bool:
        """Tells whether there is another own action, or what was done last is known now."""
        known = len(self.moments), bool(self.moments) and self.moments[-1].done is not None
        changed, self._known = known != self._known, known
        return changed

    def packed_lines(self) -> bytes:
        """Returns the own actions packed; all but the last stay as they are and are packed once."""
        for moment in self.moments[self._whole_moments : -1]:
            self._whole += self._packer.compress(moment_line(moment))
        self._whole_moments = len(self.moments) - 1
        tail = self._packer.copy()
        return bytes(self._whole) + tail.compress(moment_line(self.moments[-1])) + tail.flush()

    def result(self, *, end_seen: bool) -> Result:
        """Returns how the fight ended: by who stood last, else by who was likelier to win."""
        own = self.moments[0].state.actor.team
        standing = _standing(self.last) if self.last is not None else set()
        if len(standing) == 1:
            return "won" if own in standing else "lost"
        if not end_seen:
            return "unfinished"
        return "won" if self.moments[-1].chance >= _EVEN else "lost"


def _standing(state: FightState) -> set[int]:
    """Returns the teams that have somebody left; summons cannot fight on alone."""
    return {fighter.team for fighter in state.fighters if fighter.alive and fighter.summoner is None}


def _write(path: Path, data: bytes, pictures: Sequence[str], *, begun: bool) -> None:
    """Writes a file with its pictures; one that was begun and deleted since stays deleted."""
    if begun and not path.exists():
        return
    write_whole(path, data)
    for name in pictures:
        claim(name, path)

"""What the log has told of a fight, and what of it came since the belief was concluded last.

The arena's log shows its last few lines; a log in words counts what it has told, since lines repeat.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from botapp.tracking.picture import CastMoments, News, Scene, moments_of
from vision.view import ChronicleLine, FightView

Lines = tuple[ChronicleLine, ...]


@dataclass(frozen=True, slots=True)
class FightLog:
    """The log as last read."""

    lines: Lines | None = None  # None where there never was one
    casts_told: int = 0  # How many casts a log in words had told of by then
    heard: int = 0  # How much it has told of fighters by now, over all fights: `ToldChange.number`
    cast_ns: int | None = None  # When it was first seen to tell of the last cast
    # Whether what stood in the log when it was found is among the news, or was concluded from
    recalled: bool = False
    scenes: tuple[Scene, ...] = ()  # Who was at turn and where in the last seconds
    news: News = field(default_factory=News)

    def recalls(self, view: FightView) -> bool:
        """Tells whether a log just found names every cast of this round, so that it can be gone over."""
        past = view.log_past or ()
        whole = view.log_round and bool(past) and all(line.spells and line.caster for line in past)
        return whole and not self.recalled

    def after(
        self, view: FightView, scenes: tuple[Scene, ...], standing: Sequence[tuple[int, int]], recalls: bool
    ) -> "FightLog":
        """Returns the log after a view.

        Args:
            standing: (id, cell) of those who stand where they stood a frame before.
            recalls: whether this round is gone over from its beginning.
        """
        before = self.news
        casts = (view.log_past or ()) if recalls else self._new_casts(view)
        moments = tuple(moments_of(scenes, line.captured_ns or view.captured_ns) for line in casts)
        news = News(
            casts if recalls else before.casts + casts,
            (CastMoments(),) * len(casts) if recalls else before.moments + moments,
            before.changes + tuple(entry for entry in view.changes if entry.number > self.heard),
            (*before.stood, *(entry for entry in standing if entry not in before.stood)),
        )
        return FightLog(
            lines=self.lines if view.log is None else view.log,
            casts_told=self.casts_told if view.log is None else view.log_told,
            heard=max((self.heard, *(entry.number for entry in view.changes))),
            cast_ns=view.captured_ns if casts else self.cast_ns,
            recalled=view.log_past is not None and (self.recalled or recalls),
            scenes=scenes,
            news=news,
        )

    def concluded(self) -> "FightLog":
        """Returns the log once the belief has all that it has told."""
        return replace(self, news=News())

    def taken_back_in(self, view: FightView) -> int:
        """Returns how many own actions were taken back by the lines that have come with a view."""
        return sum(line.taken_back for line in _lines_since(self.lines, view.log))

    def _new_casts(self, view: FightView) -> Lines:
        if self.lines is None or view.log is None or not view.log_told:
            return casts_since(self.lines, view.log)
        new = max(0, min(len(view.log), view.log_told - self.casts_told))
        return tuple(line for line in view.log[len(view.log) - new :] if line.spells)


def casts_since(before: Lines | None, now: Lines | None) -> Lines:
    """Returns the casts among the lines that have come since."""
    return tuple(line for line in _lines_since(before, now) if line.spells)


def _lines_since(before: Lines | None, now: Lines | None) -> Lines:
    if before is None or now is None:
        return ()
    same = next(n for n in range(min(len(before), len(now)), -1, -1) if before[len(before) - n :] == now[:n])
    return now[same:]

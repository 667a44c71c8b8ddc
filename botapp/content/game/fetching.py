"""Downloads the game's public data, page by page, once the player has been told what it takes and has agreed.

One request at a time, with a pause between them
and as long a wait as the server asks for; pages that have come are kept until all have, so that a broken
download goes on where it stopped.
"""

import json
import math
import time
import urllib.error
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from botapp.content.game.importing import ImportProgress
from botapp.content.game.reading import GameDataError
from botapp.host.files import write_whole
from botapp.host.message import error_text, say
from botapp.host.online import TROUBLE, body, opener, said

ADDRESS = "https://api.dofusdb.fr"  # The public database of the game's players
PAGE = 50  # Records in a page: the database gives no more at once
_SERVICES: dict[str, tuple[str, ...]] = {
    "breeds": ("id", "shortName", "breedSpellsId"),
    "spell-variants": ("id", "breedId", "spellIds"),
    "spells": ("id", "name", "iconId", "spellLevels"),
    "spell-levels": (),
    "monsters": ("id", "name", "gfxId", "grades", "spells", "spellGrades"),
    "spell-states": (),
}
"""What is asked for, and which fields of it; all of them where none are named."""
_LARGEST_PAGE = 32 << 20
_MOST_RECORDS = 1_000_000
PAUSE_S = 0.25
_TIMEOUT_S = 30.0
_TRIES = 5
_LONGEST_WAIT_S = 300.0
_OLDEST_S = 86_400.0  # Seconds for which a page that has come stands for what the database would say
_BUSY = (429, 503)
_GONE = (403, 404, 410)


class FetchStopped(Exception):
    """The player has stopped the download; what has come is kept."""


class NotThereError(Exception):
    """There is nothing at a path of the database."""


class DownloadPlan(NamedTuple):
    """What a download takes, told by the first answers."""

    address: str  # Where the data come from
    records: Mapping[str, int]  # How many of each service there are
    pages: int  # How many pages are still to come
    megabytes: float  # About how much these are
    minutes: float  # About how long they take


class Site:
    """The database: asked for one thing after the other, with a pause between.

    Args:
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        address: str = ADDRESS,
        stopped: Callable[[], bool] = lambda: False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.address = address.rstrip("/")
        self._stopped = stopped
        self._sleep = sleep
        self._opener = opener("application/json, image/png")
        self._asked_at = -math.inf

    def get(self, path: str) -> bytes:
        """Returns what lies at a path, asking again after breaks and as late as the server wants.

        Raises:
            NotThereError: there is nothing.
            GameDataError: the database does not answer as it should.
            FetchStopped: the player has stopped it.
        """
        trouble: BaseException | None = None
        for attempt in range(_TRIES):
            if self._stopped():
                raise FetchStopped
            wait = PAUSE_S - (time.monotonic() - self._asked_at)
            self._sleep(max(0.0, wait) if attempt == 0 else 2.0**attempt)
            self._asked_at = time.monotonic()
            try:
                with self._opener.open(f"{self.address}/{path}", timeout=_TIMEOUT_S) as answer:
                    return body(answer, _LARGEST_PAGE)
            except urllib.error.HTTPError as error:
                trouble = error
                if error.code in _GONE:
                    raise NotThereError(path) from error
                if error.code in _BUSY:
                    self._sleep(_wanted_wait(error))
                elif error.code < 500:
                    break
            except TROUBLE as error:
                trouble = error
        raise self.no_answer(trouble) from trouble

    def no_answer(self, trouble: BaseException | None) -> GameDataError:
        """Returns the error that the database does not answer as it should."""
        return GameDataError(
            say(
                "{address} does not answer as it should ({problem}). Try again later: what has come is kept.",
                address=self.address,
                problem=said(trouble),
            )
        )


class Fetcher:
    """One download.

    Args:
        folder: where pages are kept until all have come.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        folder: Path,
        address: str = ADDRESS,
        progress: Callable[[ImportProgress], None] = lambda _: None,
        stopped: Callable[[], bool] = lambda: False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder = folder
        self._progress = progress
        self._site = Site(address, stopped, sleep)
        self._totals: dict[str, int] = {}

    def plan(self) -> DownloadPlan:
        """Asks for the first page of each service and tells what the whole takes.

        Raises:
            GameDataError: the database does not answer as it should, or a page cannot be kept.
            FetchStopped: the player has stopped it.
        """
        size = seconds = 0.0
        for service in _SERVICES:
            begun = time.monotonic()
            first = self._page(service, 0)
            total = self._totals[service] = _total(first, service)
            self._forget_others(service, total)
            keep(self._path(service, 0), first)
            waiting = sum(1 for _ in self._missing(service))
            size += waiting * len(first)
            seconds += waiting * max(PAUSE_S, time.monotonic() - begun)
        pages = sum(1 for service in _SERVICES for _ in self._missing(service))
        return DownloadPlan(self._site.address, dict(self._totals), pages, size / 1e6, seconds / 60)

    def fetch(self) -> Path:
        """Asks for all pages that have not come yet; returns the folder that holds them.

        Raises:
            GameDataError: the database does not answer as it should, or a page cannot be kept; what has
                come is there.
            FetchStopped: the player has stopped it.
        """
        missing = [(service, skip) for service in self._totals for skip in self._missing(service)]
        for done, (service, skip) in enumerate(missing):
            self._progress(ImportProgress(done / len(missing), say("downloading")))
            page = self._page(service, skip)
            if _total(page, service) != self._totals[service]:
                raise GameDataError(
                    say("The data have changed while they were downloaded. Begin the download again.")
                )
            keep(self._path(service, skip), page)
        return self._folder

    def clear(self) -> None:
        """Takes the pages away, once they have been read."""
        for path in self._folder.glob("*.json"):
            path.unlink(missing_ok=True)

    def _missing(self, service: str) -> Iterator[int]:
        """Returns where the pages begin that have not come yet."""
        for skip in range(0, self._totals[service], PAGE):
            if not self._path(service, skip).exists():
                yield skip

    def _path(self, service: str, skip: int) -> Path:
        return self._folder / f"{service}-{self._totals[service]}-{skip}.json"

    def _forget_others(self, service: str, total: int) -> None:
        """Takes pages away that came while there were more or fewer records, or before yesterday."""
        for path in self._folder.glob(f"{service}-*.json"):
            same = path.name.removeprefix(f"{service}-").split("-")[0] == str(total)
            if not same or time.time() - path.stat().st_mtime > _OLDEST_S:
                path.unlink(missing_ok=True)

    def _page(self, service: str, skip: int) -> bytes:
        fields = [("$limit", str(PAGE)), ("$skip", str(skip)), ("$sort[id]", "1")]
        fields += [("$select[]", field) for field in _SERVICES[service]]
        try:
            return self._site.get(f"{service}?{urllib.parse.urlencode(fields)}")
        except NotThereError as error:
            raise self._site.no_answer(error.__cause__) from error


def keep(path: Path, data: bytes) -> None:
    """Writes what has come to a file, whole or not at all.

    Raises:
        GameDataError: it cannot be written.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        raise GameDataError(
            say(
                "{file} cannot be written ({problem}). Make room, or correct the permissions.",
                file=str(path),
                problem=error_text(error),
            )
        ) from error


def _wanted_wait(error: urllib.error.HTTPError) -> float:
    """Returns how many seconds the server wants to be left alone."""
    seconds = error.headers.get("Retry-After", "") if error.headers is not None else ""
    return min(_LONGEST_WAIT_S, float(seconds)) if seconds.isdecimal() else 0.0


def _total(page: bytes, service: str) -> int:
    """Returns how many records a service has.

    Raises:
        GameDataError: this is no page of the database.
    """
    try:
        answer = json.loads(page)
        total, data = answer["total"], answer["data"]
    except (ValueError, KeyError, TypeError, RecursionError):
        total, data = None, None
    if isinstance(total, bool) or not isinstance(total, int) or not isinstance(data, list):
        raise GameDataError(
            say("The answer for {service} is not what the app knows. Update the app.", service=service)
        )
    if not 0 <= total <= _MOST_RECORDS or len(data) > PAGE:
        raise GameDataError(
            say("The answer for {service} is not what the app knows. Update the app.", service=service)
        )
    return total


def plan_lines(plan: DownloadPlan) -> Iterator[str]:
    """Returns what a player is to know before a download, as messages."""
    yield say("The game's data come from {address}, the players' public database.", address=plan.address)
    yield say(
        "To come: {pages} pages, about {megabytes:.0f} MB, in about {minutes:.0f} min, one after the other.",
        pages=plan.pages,
        megabytes=max(1.0, plan.megabytes),
        minutes=max(1.0, plan.minutes),
    )
    yield say(
        "Kept on this computer are classes, spells, monsters and states; nothing of yours is sent. "
        "The app goes online for nothing else."
    )

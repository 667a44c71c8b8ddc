"""`botapp compile`: prepares the search for this computer, once for each version of the program.

The app starts it in the background where it was not run.
"""

import json
import os
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from botapp.commands.answers import Trouble, answer, spoken
from botapp.commands.options import Json, Spoken
from botapp.fight.core.cache import INTERPRETED_VARIABLE, MEANWHILE
from botapp.host.message import mark
from botapp.host.translation import Language, Translator

if TYPE_CHECKING:
    from botapp.search.preparing import Headway

DAMAGED = mark("The code that was compiled for this computer is damaged; it is thrown away and made again.")
_STEP = 0.1  # Where there is no terminal, a line is written each time this share more is done
_NICE = 10


def compile_search(
    background: Annotated[
        bool, typer.Option("--background", help="Leave the processor to other programs that want it.")
    ] = False,
    language: Spoken = None,
    as_json: Json = False,
) -> None:
    """Prepares the search for this computer; takes about a minute, once for each version."""
    if os.environ.get(INTERPRETED_VARIABLE) == MEANWHILE:
        del os.environ[INTERPRETED_VARIABLE]
    from botapp.search.preparing import (  # noqa: PLC0415
        damaged,
        obstacle,
        prepare,
        prepared,
    )

    wanted = spoken(language, as_json)
    tr = Translator(wanted)
    if why := obstacle():
        if as_json:
            answer({"ready": False, "why": why}, "", True)
            raise typer.Exit(1)
        raise Trouble(tr(why))
    if background:
        _step_back()
    begun, before = time.monotonic(), prepared()
    teller = _Teller(wanted, as_json)
    if damaged():
        teller.say(DAMAGED)
    prepare(teller.tell)
    teller.close()
    seconds = round(time.monotonic() - begun, 1)
    text = tr("The search is ready for this computer.")
    answer({"ready": True, "before": before, "seconds": seconds}, text, as_json)


def prepare_first() -> None:
    """Prepares the search before a command that needs it, saying so where it takes long."""
    from botapp.search.preparing import damaged, prepare  # noqa: PLC0415

    teller = _Teller(spoken(None, False), as_json=False)
    if damaged():
        teller.say(DAMAGED)
    prepare(teller.tell)
    teller.close()


def _step_back() -> None:
    import psutil  # noqa: PLC0415

    psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if sys.platform == "win32" else _NICE)


class _Teller:
    """Tells on the error stream how far it has come: as JSON, on one line of a terminal, or now and then."""

    def __init__(self, language: Language, as_json: bool) -> None:
        self._tr = Translator(language)
        self._as_json = as_json
        self._next = 0.0
        self._open = False

    def tell(self, progress: "Headway") -> None:
        share, left = progress.share, progress.seconds_left
        if self._as_json:
            values = {"share": round(share, 3), "seconds_left": None if left is None else round(left)}
            print(json.dumps(values), file=sys.stderr, flush=True)
            return
        tr, percent = self._tr, round(100 * share)
        text = tr("Preparing the search for this computer, once: {percent} %", percent=percent)
        if left is not None:
            text = tr(
                "Preparing the search for this computer, once: {percent} %, about {seconds} s left",
                percent=percent,
                seconds=round(left),
            )
        if sys.stderr.isatty():
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
            self._open = True
        elif share >= self._next:
            self._next = share + _STEP
            print(text, file=sys.stderr, flush=True)

    def say(self, sentence: str) -> None:
        """Says a sentence of the catalogues on a line of its own; nothing of it is JSON."""
        if not self._as_json:
            print(self._tr(sentence), file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._open:
            print(file=sys.stderr)

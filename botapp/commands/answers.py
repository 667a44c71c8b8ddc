"""What commands need before they begin, how they answer, and the files that they write.

Files are written whole or not at all, and none that is there already unless that is asked for.
"""

import json
import logging
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from botapp.host.message import say
from botapp.host.translation import Language, Translator, resolve


class Trouble(Exception):
    """Something a person can put right; the text says what and how."""


_log = logging.getLogger(__name__)


def answer(values: dict[str, Any], text: str, as_json: bool) -> None:
    print(json.dumps(values, indent=2) if as_json else text)


def load_settings() -> tuple[Any, tuple[str, ...]]:
    """Returns the settings of this run, and what there is to say about them."""
    from botapp.host.settings_file import load  # noqa: PLC0415

    loaded = load()
    mention(loaded.messages, resolve(loaded.settings.ui.language))
    return loaded.settings, loaded.messages


def mention(messages: Iterable[str], language: Language) -> None:
    translate = Translator(language)
    for message in messages:
        print(f"botapp: {translate(message)}", file=sys.stderr)


def spoken(wanted: str | None, as_json: bool) -> Language:
    """Returns the language of an answer: the one asked for, else the app's own, and English for JSON."""
    if wanted is None and not as_json:
        wanted = load_settings()[0].ui.language
    return resolve(wanted or "en")


def prepare(option: str, folder: Path) -> None:
    """Makes a folder that is written to at the end, lest a run be for nothing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(f"{option}: the folder {folder} cannot be made ({error.strerror}).") from error
    if not os.access(folder, os.W_OK):
        raise Trouble(f"{option}: the folder {folder} cannot be written to. Choose another one.")


def where_it_runs(advisor: Any, settings: Any) -> tuple[str, str]:
    """Returns the device that an advisor runs on, and why that is not the one wished for; "" where it is."""
    wish, plan = settings.engine, getattr(advisor, "placement", None)
    wished = {"device": wish.device, "backend": wish.backend}
    if plan is None:
        others = [name for name in wished.values() if name not in ("auto", "cpu")]
        why = say(
            "The search alone advises, which runs on the processor: {wished} is for the model.",
            wished=", ".join(others),
        )
        return "cpu", why if others else ""
    got = {"device": plan.device, "backend": plan.backend}
    met = all(wished[name] in ("auto", got[name]) for name in wished)
    return plan.device, "" if met else say(
        "The model runs on {device}: {why}.", device=plan.device, why=plan.reason
    )


def make_advisor(settings: Any = None) -> Any:
    """Makes the advisor that the settings name, those of this run if left out."""
    from botapp.host.cores import usual_threads  # noqa: PLC0415

    wish = (settings or load_settings()[0]).engine
    threads = wish.cpu_threads or usual_threads()
    if wish.adviser == "search":
        from botapp.advisor.bare import SearchAdvisor  # noqa: PLC0415

        return SearchAdvisor(float(wish.latency_budget_ms), threads)
    try:
        from botapp import create_advisor  # noqa: PLC0415
        from botapp.advisor.deliberating import Thinking  # noqa: PLC0415
        from botapp.advisor.device import place  # noqa: PLC0415
    except (ImportError, OSError) as error:
        from botapp.advisor.bare import SearchAdvisor  # noqa: PLC0415

        _log.warning("the model cannot be loaded (%s), so the search advises alone; try make torch", error)
        return SearchAdvisor(float(wish.latency_budget_ms), threads)

    return create_advisor(
        placement=place(wish.backend, wish.device, wish.precision, level=wish.level),
        budget_ms=float(wish.latency_budget_ms),
        thinking=Thinking(wish.step_limit, wish.halt_threshold, beside=threads > 1, threads=threads),
        memory_cap=wish.memory_cap_mb << 20,
    )


Force = Annotated[bool, typer.Option("--force", help="Overwrite the file that is there already.")]


def place(option: str, path: Path, *, force: bool, inputs: Iterable[Path] = ()) -> Path:
    """Returns where a command writes its file, its folder made, before any work is done for it.

    Args:
        option: by which the file was given, for errors.
        path: the file; what a link leads to is what is written.
        force: whether a file that is there may be overwritten.
        inputs: what the command reads: never overwritten.

    Raises:
        Trouble: it must not be written to, or cannot be.
    """
    try:
        path = path.resolve() if path.is_symlink() else path
        entry = path.stat() if path.exists() else None
    except (OSError, RuntimeError) as error:
        raise Trouble(f"{option}: {path} cannot be written ({error}). Choose another place.") from error
    prepare(option, path.parent)
    if entry is None:
        return path
    if stat.S_ISDIR(entry.st_mode):
        raise Trouble(f"{option} {path} is a folder. Give the path of a file in it.")
    if not stat.S_ISREG(entry.st_mode):
        raise Trouble(f"{option} {path} is no regular file. Choose another place.")
    if any(path.samefile(source) for source in inputs if source.exists()):
        raise Trouble(f"{option} {path} is what is read, and would be lost. Choose another file.")
    if not force:
        raise Trouble(f"{option} {path} is there already. Choose another file, or overwrite it with --force.")
    return path


def written(option: str, path: Path, data: str | bytes) -> None:
    """Writes a file of a command.

    Raises:
        Trouble: there is no room, or it may not be written; what was there is as it was.
    """
    from botapp.host.files import write_whole  # noqa: PLC0415

    try:
        write_whole(path, data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Trouble(f"{option}: {path} cannot be written ({reason}). Nothing has changed.") from error

"""Whether a newer version has been published: asked once, when a person presses the button for it.

The address is the person's own (the setting `ui.releases`), else the one that the publisher of this copy
wrote into pyproject.toml: `[project.urls]`, `"Newest release"`. It answers in JSON as GitHub, Gitea and
Codeberg do for `repos/OWNER/NAME/releases/latest` (`tag_name`), or as a package index does for
`pypi/NAME/json` (`info.version`).
"""

import json
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from urllib.parse import urlsplit

from botapp.host.message import one_line, say
from botapp.host.online import TROUBLE, body, opener, said

URL_NAME = "Newest release"
_LARGEST = 1 << 20  # Bytes; GitHub's answer for a release with many files has about 100,000
_TIMEOUT_S = 15.0  # Longer than a slow connection takes; a person waits for it
_VERSION = re.compile(r"\D{0,12}(\d{1,6}(?:\.\d{1,6}){0,3})([^\d.][\w.+-]{0,20})?")
"""Figures such as 0.3.0 after a prefix such as "v" or "botapp-"; then what makes it a trial version: rc1."""


class NewerError(ValueError):
    """It could not be found out; says why, for a person."""


@dataclass(frozen=True, slots=True)
class Release:
    """What was published last."""

    version: str  # Its figures, such as "0.3.0"
    page: str = ""  # Where it can be got, "" where the answer does not say


def published_address() -> str:
    """Returns the address that this copy was published with, "" for none."""
    try:
        urls = distribution("botapp").metadata.get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named = [str(url).split(", ", 1) for url in urls]
    return next((parts[1] for parts in named if len(parts) > 1 and parts[0] == URL_NAME), "")


def newest(address: str) -> Release:
    """Asks an address what was published last.

    Raises:
        NewerError: it is no https address, does not answer, or not with a version.
    """
    where = urlsplit(address)
    if where.scheme != "https" and not (where.scheme == "http" and where.hostname == "127.0.0.1"):
        raise NewerError(say("{address} is no address that begins with https://", address=address))
    try:
        with opener("application/json").open(address, timeout=_TIMEOUT_S) as answer:
            release = json.loads(body(answer, _LARGEST))
    except TROUBLE as error:
        text = say("{address} does not answer as it should ({problem})", address=address, problem=said(error))
        raise NewerError(text) from error
    except (ValueError, RecursionError):
        release = None
    version = _text(release, "tag_name") or _text(_part(release, "info"), "version")
    match = _VERSION.fullmatch(version)
    if match is None:
        raise NewerError(say("The answer of {address} names no version", address=address))
    page = _text(release, "html_url") or _text(_part(release, "info"), "package_url")
    return Release(match[1], page if page.startswith("https://") else "")


def is_newer(version: str, own: str) -> bool:
    """Tells whether a version comes after one's own; a trial version comes before the one it tries."""
    theirs, ours = _figures(version), _figures(own)
    return theirs is not None and ours is not None and theirs > ours


def _figures(version: str) -> tuple[tuple[int, ...], bool] | None:
    match = _VERSION.fullmatch(version)
    if match is None:
        return None
    figures = [int(part) for part in match[1].split(".")]
    while figures and figures[-1] == 0:
        figures.pop()
    return tuple(figures), not match[2]


def _part(answer: object, name: str) -> object:
    return answer.get(name) if isinstance(answer, dict) else None


def _text(answer: object, name: str) -> str:
    value = _part(answer, name)
    return one_line(ValueError(value)) if isinstance(value, str) and value else ""

"""Tells a game's windows by their titles, as the clients write them, and what such a title says.

A pattern is a regular expression for a whole title; its groups `character` and `game_class` are read where
it has them.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from vision.window.model import WindowInfo

OTHER_PROGRAMS = frozenset(
    (
        "explorer",
        "nautilus",
        "org.gnome.nautilus",
        "dolphin",
        "nemo",
        "thunar",
        "pcmanfm",
        "pcmanfm-qt",
        "caja",
        "finder",
        "krusader",
        "doublecmd",
        "firefox",
        "firefox-esr",
        "firefox-bin",
        "librewolf",
        "chrome",
        "google-chrome",
        "chromium",
        "chromium-browser",
        "msedge",
        "brave",
        "brave-browser",
        "opera",
        "vivaldi",
        "vivaldi-bin",
        "safari",
        "epiphany",
        "falkon",
        "konqueror",
        "arc",
        "discord",
        "teams",
        "slack",
        "obs",
        "obs64",
        "vlc",
        "mpv",
        "gedit",
        "kate",
        "notepad",
        "notepad++",
        "code",
    )
)
"""Programs whose windows are called by what they show: a folder or a page called like the game is not it."""

_LONGEST, _CUT = 300, 15


@dataclass(frozen=True, slots=True)
class GameWindow:
    """A window of a game."""

    window: WindowInfo
    client: str
    character: str = ""  # The character's name, "" where the title has none
    game_class: str = ""  # Its class's name in the client's language, "" where the title has none


def is_other_program(process: str) -> bool:
    """Returns whether a process is one of `OTHER_PROGRAMS`; Linux cuts long names after 15 letters."""
    name = process.casefold().removesuffix(".exe")
    return name in OTHER_PROGRAMS or (
        len(name) == _CUT and any(other.startswith(name) for other in OTHER_PROGRAMS)
    )


def fits(title: str, patterns: Collection[str]) -> bool:
    """Returns whether a title is one that a client writes."""
    return _match(title, patterns) is not None


def game_of(info: WindowInfo, clients: Mapping[str, Collection[str]]) -> GameWindow | None:
    """Returns what a window's title tells, None where it is none of a game's, or another program's."""
    if is_other_program(info.process):
        return None
    for client, patterns in clients.items():
        match = _match(info.title, patterns)
        if match is not None:
            parts = match.groupdict()
            return GameWindow(info, client, parts.get("character") or "", parts.get("game_class") or "")
    return None


def class_in(title: str, patterns: Collection[str]) -> str:
    """Returns the class's name in a title, "" where it has none."""
    return _part("game_class", title, patterns)


def character_in(title: str, patterns: Collection[str]) -> str:
    """Returns the character's name in a title, "" where it has none."""
    return _part("character", title, patterns)


def _part(group: str, title: str, patterns: Collection[str]) -> str:
    match = _match(title, patterns)
    return (match.groupdict().get(group) or "") if match is not None else ""


def _match(title: str, patterns: Collection[str]) -> re.Match[str] | None:
    cut = title.strip()[:_LONGEST]
    matches = (re.fullmatch(pattern, cut, re.IGNORECASE) for pattern in patterns)
    return next((match for match in matches if match is not None), None)

"""Takes out of a text what tells who a person is: names, home folders, the computer's name, serials."""

import contextlib
import getpass
import os
import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HIDDEN = "***"
_SHORT = 4  # Names below so many letters are taken out as whole words only, lest "al" tear "also"
_SHORTEST_PART = 3  # Of a name of several words, each of so many letters is taken out by itself too
_WINDOWS_HOME = re.compile(
    r"[A-Za-z]:[\\/]{1,2}(?:Users|Documents and Settings)[\\/]{1,2}"
    r"(?:[^\\/:*?\"'<>|;,\r\n]+(?=[\\/\"'<>|;,]|$)|[^/\\\s\"':;,]+)",
    re.IGNORECASE | re.MULTILINE,
)
"""A person's name on Windows may have blanks in it: all up to the next part of the path, or the end."""
_ANY_HOME = re.compile(r"(?:/home/|/Users/|/var/home/|/export/home/)[^/\\\s\"':;,]+", re.IGNORECASE)
_WINDOWS_FOLDERS = re.compile(
    r"(?<![A-Za-z])(?:[A-Za-z]:|~(?=\\))[\\/]{1,2}(?:[^\\/:*?\"'<>|;,\r\n]+[\\/]{1,2})*"
)
_FOLDERS = re.compile(r"(?<![\w./\\~-])(?!//)~?(?:/+[^/\s\"':;,()=]+)*/+(?=[^/\s\"':;,()=]+)")
_PUBLIC = re.compile(r"/(?:dev|sys|proc|usr|lib\w*|etc|opt/(?:rocm|amdgpu)\b)")
"""Where paths begin that are the same on every computer."""
_ROOT_HOME = re.compile(r"(?<![\w/])/root(?=[/\s\"':;,]|$)")
_SERIAL = re.compile(
    r"\bGPU-[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*\b|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is at the computer: names of the person, of the computer, and home folders."""

    users: tuple[str, ...]
    hosts: tuple[str, ...]
    homes: tuple[str, ...]

    @classmethod
    def here(cls) -> "Identity":
        users = {os.environ.get(name, "") for name in ("USER", "USERNAME", "LOGNAME", "SUDO_USER")}
        with contextlib.suppress(OSError, KeyError, ImportError):
            users.add(getpass.getuser())
        hosts = {platform.node(), platform.node().partition(".")[0], os.environ.get("COMPUTERNAME", "")}
        homes = {os.environ.get(name, "") for name in ("HOME", "USERPROFILE")}
        with contextlib.suppress(RuntimeError):
            homes.add(str(Path.home()))
        return cls(*(tuple(sorted(filter(None, names))) for names in (users, hosts, homes)))


def scrub(text: str, identity: Identity) -> str:
    """Returns a text without what tells who a person is."""
    for home in sorted(identity.homes, key=len, reverse=True):
        for form in (home, home.replace("\\", "\\\\"), home.replace("\\", "/")):
            if len(form.strip("/\\")) > 0:
                text = re.sub(re.escape(form), "~", text, flags=re.IGNORECASE)
    text = _SERIAL.sub(HIDDEN, _ROOT_HOME.sub("~", _ANY_HOME.sub("~", _WINDOWS_HOME.sub("~", text))))
    names = [*identity.users, *identity.hosts]
    text = _without(text, names)
    parts = {part for name in names for part in re.split(r"[\s._-]+", name) if len(part) >= _SHORTEST_PART}
    return _without(text, parts, whole=True)


def without_folders(text: str, public: bool = False) -> str:
    """Returns a text with nothing left of its paths but the files' names.

    Args:
        text: as `scrub` returned it.
        public: whether paths stay that are the same on every computer, such as /opt/rocm/lib.
    """

    def name_only(match: re.Match[str]) -> str:
        return match[0] if public and _PUBLIC.match(match[0]) else ""

    return _FOLDERS.sub(name_only, _WINDOWS_FOLDERS.sub("", text))


def _without(text: str, names: Iterable[str], whole: bool = False) -> str:
    for name in sorted(set(names), key=len, reverse=True):
        if not name.strip():
            continue
        pattern = re.escape(name)
        if whole or len(name) < _SHORT:
            pattern = rf"(?<![^\W_]){pattern}(?![^\W_])"
        text = re.sub(pattern, HIDDEN, text, flags=re.IGNORECASE)
    return text

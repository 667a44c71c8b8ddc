"""The licences of the packages that botapp needs, read off what is installed."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageMetadata, PackageNotFoundError, distribution

_NAME = re.compile(r"[A-Za-z0-9._-]+")
_LONGEST = 90
_CLASSIFIER = "License :: "


@dataclass(frozen=True, slots=True)
class Dependency:
    """An installed package."""

    name: str
    version: str
    licence: str  # Its name or SPDX expression, "" where the package states none


@cache
def dependencies(of: str = "botapp") -> tuple[Dependency, ...]:
    """Returns what a package needs, and what that needs in turn, as far as it is installed, by name.

    Extras, such as what the tests need, do not count. Read once: it takes a tenth of a second.
    """
    by_name: dict[str, Dependency] = {}
    try:
        ahead = _required(distribution(of).metadata)
    except PackageNotFoundError:
        return ()
    while ahead:
        name = ahead.pop()
        key = _key(name)
        if key in by_name or key == _key(of):
            continue
        try:
            there = distribution(name)
        except PackageNotFoundError:
            continue
        stated = there.metadata  # each look at it reads the file anew
        by_name[key] = Dependency(stated["Name"], stated["Version"], licence(stated))
        ahead += _required(stated)
    return tuple(by_name[key] for key in sorted(by_name))


def licence(package: PackageMetadata) -> str:
    """Returns what a package says of its licence: an SPDX expression, a short name or a classifier."""
    licence, named = _field(package, "License-Expression"), _field(package, "License")
    if not licence and named and "\n" not in named and len(named) <= _LONGEST and named.upper() != "UNKNOWN":
        licence = named
    if not licence:
        lines = (line for line in package.get_all("Classifier") or () if line.startswith(_CLASSIFIER))
        names = (line.rpartition(" :: ")[2] for line in lines)
        licence = ", ".join(dict.fromkeys(name for name in names if name != "OSI Approved"))
    return licence


def _field(package: PackageMetadata, name: str) -> str:
    return str((package.get_all(name) or [""])[0]).strip()


def _required(package: PackageMetadata) -> list[str]:
    """Returns the names of what a package needs without its extras."""
    lines = package.get_all("Requires-Dist") or ()
    plain = (line for line in lines if not re.search(r";.*\bextra\s*==", line))
    return [match[0] for line in plain if (match := _NAME.match(line))]


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()

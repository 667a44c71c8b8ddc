"""Things of one kind that stand in modules of their own: importing a package's modules finds them all.

A module registers what it holds with a decorator, and no list anywhere else names it.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """What the modules of one package register, by key.

    Attributes:
        things: what has been registered by the modules imported so far; `all` imports the rest first.
    """

    def __init__(self, package: str) -> None:
        """Takes the package's full name; it is imported when `all` is first called."""
        self._package = package
        self.things: dict[str, T] = {}

    def add(self, key: str, thing: T) -> None:
        """Registers a thing.

        Raises:
            ValueError: another one has its key.
        """
        if self.things.setdefault(key, thing) is not thing:
            raise ValueError(f"{self._package}: there are two {key!r}")

    def all(self) -> dict[str, T]:
        """Returns everything there is, in the order of the modules' names and, within one, of the source."""
        for module in sorted(info.name for info in iter_modules(import_module(self._package).__path__)):
            import_module(f"{self._package}.{module}")
        return dict(self.things)

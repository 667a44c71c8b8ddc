"""Processes that the app starts: they import nothing from the folder it is in, and end with it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from hrm.children import end_with_parent, hold, tied

__all__ = ["end_with_parent", "hold", "spawning", "tied"]


@contextmanager
def spawning(**variables: str) -> Iterator[None]:
    """Keeps processes spawned within the block from importing modules of the current folder.

    Args:
        **variables: of their environment, besides this process's own.
    """
    variables["PYTHONSAFEPATH"] = "1"
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})

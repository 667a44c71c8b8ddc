"""Work in parts, one a frame, so that no frame waits for all of it.

A generator yields between its parts and returns the result. Used by `vision.extract.dofus.board` and
`vision.extract.dofus.cells`.
"""

from collections.abc import Generator
from typing import Generic, TypeVar

Result = TypeVar("Result")


class WorkInParts(Generic[Result]):
    """Work that has begun; `result` is known once `go_on` has returned True."""

    result: Result

    def __init__(self, parts: Generator[None, None, Result]) -> None:
        self._parts = parts

    def go_on(self, to_the_end: bool = False) -> bool:
        """Does the next part, or all that is left; returns whether all is done."""
        try:
            next(self._parts)
            while to_the_end:
                next(self._parts)
        except StopIteration as end:
            self.result = end.value
            return True
        return False

"""JSON files of a person's: states and sheets, read within bounds of time and memory.

What is too large is refused with its place before anything is made of it; whether the rest is right, the
forms say.
"""

import json
from functools import reduce
from pathlib import Path
from typing import Any

from botapp.content.errors import FieldError, place_in
from botapp.host.files import open_regular

_LARGEST = 4 << 20
_MOST_VALUES = 50_000  # In a whole file; a fight of sixteen has a tenth of it
_MOST_LISTED = 1000
_LONGEST_TEXT = 1000
_DEEPEST = 40

_Place = tuple["_Place", str | int] | None
"""Where a value stands: the place of what holds it, and its key or number there."""


def read_json(path: Path) -> Any:
    """Returns what a JSON file holds.

    Raises:
        OSError: it cannot be opened, or is no regular file.
        FieldError: it is too large, no JSON, or something in it is beyond the bounds; one line says what.
    """
    with open_regular(path) as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise FieldError(f"larger than {_LARGEST >> 20} MB")
    return parse_json(data)


def parse_json(data: bytes) -> Any:
    """Returns what a JSON text in UTF-8 holds.

    Raises:
        FieldError: it is no JSON, or something in it is beyond the bounds; one line says what.
    """
    try:
        values = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FieldError("not a text in UTF-8") from error
    except json.JSONDecodeError as error:
        raise FieldError(f"not JSON (line {error.lineno}: {error.msg})") from error
    except RecursionError as error:
        raise FieldError(f"nested more than {_DEEPEST} deep") from error
    except ValueError as error:  # Python reads no number of thousands of digits
        raise FieldError("a number of thousands of digits in it") from error
    check_size(values)
    return values


def check_size(values: object) -> None:
    """Sees to it that plain data are within the bounds.

    Raises:
        FieldError: they are not; the text names the place and the bound.
    """
    count = 0
    waiting: list[tuple[object, _Place, int]] = [(values, None, 1)]
    while waiting:
        value, place, depth = waiting.pop()
        count += 1
        if isinstance(value, str):
            if len(value) > _LONGEST_TEXT:
                raise _beyond(place, f"a text of at most {_LONGEST_TEXT} letters, got {len(value)}")
        elif isinstance(value, dict | list):
            if len(value) > _MOST_LISTED:
                raise _beyond(place, f"at most {_MOST_LISTED} of them, got {len(value)}")
            if depth > _DEEPEST:
                raise _beyond(place, f"nesting of at most {_DEEPEST}")
            within = value.items() if isinstance(value, dict) else enumerate(value)
            waiting += [(inner, (place, step), depth + 1) for step, inner in within]
    if count > _MOST_VALUES:
        raise FieldError(f"top level: expected at most {_MOST_VALUES} values in all, got {count}")


def _beyond(place: _Place, bound: str) -> FieldError:
    steps: list[str | int] = []
    while place is not None:
        place, step = place
        steps.append(step)
    return FieldError(f"{reduce(place_in, reversed(steps), '') or 'top level'}: expected {bound}")

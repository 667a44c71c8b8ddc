"""What is wrong with stored data, in one line: where it stands, what was expected, what was found.

pydantic finds the faults; here alone are they put into words.
"""

from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

_WORDS = {
    "missing": "missing",
    "int_type": "expected a whole number, got {found}",
    "string_type": "expected a text, got {found}",
    "bool_type": "expected true or false, got {found}",
    "tuple_type": "expected a list, got {found}",
    "frozen_set_type": "expected a list, got {found}",
    "dict_type": "expected an object, got {found}",
    "model_type": "expected an object, got {found}",
    "enum": "expected one of {expected}, got {found}",
    "literal_error": "expected one of {expected}, got {found}",
    "too_short": "expected a list of at least {min_length}, got {actual_length}",
    "too_long": "expected a list of at most {max_length}, got {actual_length}",
}
"""Messages for pydantic's kinds of errors; a form's own checks bring theirs, see `wrong`."""


_LONGEST_PATH = 300


class FieldError(ValueError):
    """Data that is not what it should be; the text starts with the field's path."""


class ContentError(ValueError):
    """A content file that cannot be used; the text names the file, the line, the field and the remedy."""

    def __init__(self, text: str, source: str) -> None:
        super().__init__(text)
        self.source = source


def shown(value: object) -> str:
    """Returns a value as it is quoted in an error, cut to a readable length."""
    return repr(value)[:60]


def wrong(text: str, field: str = "") -> PydanticCustomError:
    """Returns what a form's check raises: the words, and the field's path below the value being checked."""
    return PydanticCustomError("wrong", "{text}", {"text": text, "field": field})


def field_error(error: ValidationError, path: str) -> ValueError:
    """Returns the first fault as a `FieldError`; `path` is where the data stands, "" for the top level.

    A `ContentError`, raised where a check had to read another entry first, is returned as it is.
    """
    first = error.errors(include_url=False)[0]
    context: dict[str, Any] = first.get("ctx", {})
    if isinstance(context.get("error"), ContentError):
        raised: ContentError = context["error"]
        return raised
    for step in (*first["loc"], context.get("field", "")):
        path = place_in(path, step)
    return FieldError(f"{path or 'top level'}: {_words(first, context)}")


def place_in(path: str, step: str | int) -> str:
    """Returns the path of a field of what stands at a path, in one line of a readable length."""
    if isinstance(step, int):
        return f"{path}[{step}]"[:_LONGEST_PATH]
    name = step if step.isprintable() else ascii(step)
    joint = "." if path and name and not name.startswith("[") else ""
    return f"{path}{joint}{name}"[:_LONGEST_PATH]


def _words(fault: ErrorDetails, context: dict[str, Any]) -> str:
    if "text" in context:
        return str(context["text"])
    expected = str(context.get("expected", "")).replace("'", "").replace(" or ", ", ")
    template = _WORDS.get(fault["type"], f"{fault['msg']}, got {{found}}")
    return template.format_map({**context, "expected": expected, "found": shown(fault["input"])})

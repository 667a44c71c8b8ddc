"""Texts for a person that can still be translated: English, with the template and the values they came from.

Whatever is put into words before it is known who reads it is a `Message`: reasons of the worker process,
findings of the doctor, what is wrong with a file. It is a `str`, so a caller that knows nothing of this may
print it; adding to it or formatting it makes a plain `str` that no catalogue knows. Next hop:
`botapp.host.translation` looks the template up.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, Self, TypeGuard, runtime_checkable


@runtime_checkable
class Translatable(Protocol):
    """What a translator needs of a message; `hrm` and `vision` have classes of their own for it."""

    @property
    def template(self) -> str:
        """The id in the catalogues: an English text with {placeholders}."""

    @property
    def values(self) -> Mapping[str, object]:
        """What is put in for the placeholders; may be messages themselves."""


class Message(str):
    """An English text that remembers how it was made.

    Attributes:
        template: its id in the catalogues, an English sentence with {placeholders}.
        values: by placeholder, what was put in; may be messages themselves.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, values: Mapping[str, object] | None = None) -> Self:
        """Makes the English text of a template; one without values is taken as it is, braces included."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values or {}
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, object]]:  # type: ignore[override]
        return self.template, self.values


class _TranslatableText(str, Translatable):
    """For the type checker: a `str` that is `Translatable`."""


def is_message(value: object) -> TypeGuard[_TranslatableText]:
    """Tells whether a value is a text that remembers its template and values."""
    return isinstance(value, str) and isinstance(value, Translatable)


def say(template: str, /, **values: object) -> Message:
    """Returns the English text of a template; give the template as a literal, for it is extracted.

    Raises:
        KeyError: a placeholder has no value.
    """
    return Message(template, values)


def mark(text: str) -> str:
    """Returns the text itself; marks a constant that is given to `say` or to a translator later."""
    return text


def join(parts: Iterable[str]) -> str:
    """Returns the parts that are not empty in one text, "; " between them; "" for none."""
    first, *rest = [part for part in parts if part] or [""]
    for part in rest:
        first = say("{first}; {second}", first=first, second=part)
    return first


def listed(parts: Iterable[str]) -> str:
    """Returns the parts in one text with commas between them; "" for none."""
    first, *rest = list(parts) or [""]
    for part in rest:
        first = say("{first}, {second}", first=first, second=part)
    return first


def error_text(error: BaseException) -> str:
    """Returns what an error says; unlike in `str(error)`, a `Message` that it was raised with stays one."""
    told = getattr(error, "message", None) or (error.args[0] if error.args else None)
    return told if is_message(told) else str(error)


def pack(value: Any) -> Any:
    """Returns plain values for JSON, every message in them as {"template", "values"}."""
    if is_message(value):
        return {"template": value.template, "values": pack(value.values)}
    if isinstance(value, Mapping):
        return {key: pack(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [pack(item) for item in value]
    return value


def unpack(value: Any) -> Any:
    """Returns what `pack` was given, tuples as lists.

    Raises:
        KeyError, ValueError: a template and its values do not fit each other.
    """
    if isinstance(value, dict):
        found = {key: unpack(item) for key, item in value.items()}
        if found.keys() == {"template", "values"}:
            return Message(str(found["template"]), dict(found["values"]))
        return found
    return [unpack(item) for item in value] if isinstance(value, list) else value

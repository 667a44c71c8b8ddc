"""Texts for a person that can still be translated: English, with the template and the values they came from.

Every text of this library that the app shows to a person is a `Message`. It is a `str`, so any caller may
print it. `pack` and `unpack` carry messages through JSON.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Self

COUNT, PLURAL = "_count", "_plural"
"""Under these names a message's values have how many things it is about, and the English text of several."""
_LONGEST_LINE = 300


class Message(str):
    """An English text that remembers how it was made."""

    __slots__ = ("template", "values")
    template: str  # Its id in the catalogues, an English sentence with {placeholders}
    values: Mapping[str, object]  # By placeholder, what was put in; may be messages themselves

    def __new__(cls, template: str, values: Mapping[str, object] | None = None) -> Self:
        """Makes the English text of a template; one without values is taken as it is, braces included."""
        english = template
        if values and values.get(COUNT, 1) != 1:
            english = str(values[PLURAL])
        made = super().__new__(cls, english.format(**values) if values else template)
        made.template, made.values = template, values or {}
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, object]]:  # type: ignore[override]
        return self.template, self.values


def say(template: str, /, **values: object) -> Message:
    """Returns the English text of a template; give the template as a literal, for it is extracted."""
    return Message(template, values)


def counted(count: float, template: str, plural: str, /, **values: object) -> Message:
    """Returns the English text for a number of things; give both forms as literals, for they are extracted.

    Args:
        count: how many there are, which chooses the form: "{number} step" of 1, "{number} steps" of others.
        template: the text of one, the id in the catalogues, where other languages have forms of their own.
        **values: what is put in for the placeholders, the number as it is shown among them.
    """
    return Message(template, {**values, COUNT: count, PLURAL: plural})


def mark(text: str) -> str:
    """Returns the text itself; marks a constant that is given to `say` or to a translator later."""
    return text


def join(parts: Iterable[str]) -> str:
    """Returns the parts one after the other, "; " between them; "" for none."""
    first, *rest = [part for part in parts if part] or [""]
    for part in rest:
        first = say("{first}; {second}", first=first, second=part)
    return first


def one_line(error: BaseException) -> str:
    """Returns what an error says in one line of a readable length: it may quote what is in a file."""
    words = " ".join(str(error).split()) or type(error).__name__
    words = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words)
    return words if len(words) <= _LONGEST_LINE else f"{words[:_LONGEST_LINE]}..."


def pack(value: Any) -> Any:
    """Returns plain values with every message in them as {"template", "values"}, for JSON."""
    if isinstance(value, str) and hasattr(value, "template"):
        return {"template": value.template, "values": pack(getattr(value, "values", {}))}
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
        values = {key: unpack(item) for key, item in value.items()}
        if values.keys() == {"template", "values"}:
            return Message(str(values["template"]), dict(values["values"]))
        return values
    return [unpack(item) for item in value] if isinstance(value, list) else value

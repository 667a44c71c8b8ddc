"""Texts for a person: English now, translated where they are shown.

A `Message` is an English text that also carries its template, which identifies it in the translation
catalogues, and the values that were filled in.
"""

from collections.abc import Mapping
from typing import Self


class Message(str):
    """An English text that knows how it was made."""

    __slots__ = ("template", "values")
    template: str  # An English sentence with `{placeholders}`, the text's id in the catalogues
    values: Mapping[str, object]  # The values of the placeholders; they may be messages themselves

    def __new__(cls, template: str, values: Mapping[str, object] | None = None) -> Self:
        """Fills the placeholders of a template; one without values is taken as it is, braces included."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values or {}
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, object]]:  # type: ignore[override]
        return self.template, self.values


def say(template: str, /, **values: object) -> Message:
    """Returns a message; translations are collected from calls with a literal template.

    Raises:
        KeyError: a placeholder of the template has no value.
    """
    return Message(template, values)


def mark(text: str) -> str:
    """Returns the text itself, marked as a template that is passed to `Message` later."""
    return text

"""The app's words in another language: English in the code, the others in `resources/translations`.

A text is looked up when it is shown. What is put into words before anybody knows who reads it is `say`:
English, with what it was made of. Knows no Qt. Next hop: `botapp.ui.translation` for the app, `botapp.doctor`
for the command line.
"""

import locale
import os
import re
import string
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, Self

Language = Literal["en", "fr"]
_SPACED = re.compile(r"(?<=\S) (?=[;!?»]|:(?!\w))|(?<=«) ")
"""The spaces that French puts before high punctuation and inside quotation marks: no line breaks there."""


class Said(str):
    """An English text that knows how it was made: a template, and the values of its placeholders."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, values: Mapping[str, object] | None = None) -> Self:
        """Makes the English text of a template."""
        made = super().__new__(cls, template.format(**values) if values else template)
        made.template, made.values = template, values or {}
        return made

    def __getnewargs__(self) -> tuple[str, Mapping[str, object]]:
        return self.template, self.values


def say(template: str, /, **values: object) -> Said:
    """Returns an English text that `Translator.plain` can say in another language later."""
    return Said(template, values)


def mark(text: str) -> str:
    """Returns the text itself; it is given to `say` or to a `Translator` when it is shown."""
    return text


def heard(text: str) -> Said:
    """Returns a text that another part composed, to be translated where it is known."""
    return Said(text)


@cache
def catalogue(language: Language) -> dict[str, dict[str, str]]:
    """Returns a language's texts by section: English text to translated text. English has none."""
    if language == "en":
        return {}
    file = files("resources").joinpath("translations", f"{language}.toml")
    sections = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        name: {english: _SPACED.sub("\u00a0", text) for english, text in entries.items()}
        for name, entries in sections.items()
    }


class Translator:
    """Says things in one language: `tr(text, **values)`, and what others composed."""

    def __init__(self, language: Language = "en") -> None:
        self.language = language
        sections = catalogue(language)
        self._texts = {english: text for entries in sections.values() for english, text in entries.items()}
        self._patterns = [
            (_pattern(english), translated)
            for english, translated in sections.get("worker", {}).items()
            if "{" in english
        ]
        self._figures = _Figures(self)

    def __call__(self, text: str, /, **values: object) -> str:
        """Returns the text in this language, with `{placeholders}` filled in."""
        found = self._texts.get(text, text)
        return self._figures.vformat(found, (), values) if values else found

    def composed(self, text: str) -> str:
        """Returns a text that another process composed, translated where it is known, else as it is."""
        if text in self._texts:
            return self._texts[text]
        for pattern, translated in self._patterns:
            if match := pattern.fullmatch(text):
                return translated.format(**{k: self.composed(v) for k, v in match.groupdict().items()})
        return text

    def plain(self, found: Any) -> Any:
        """Returns plain values with all that is `Said` in this language; everything else stays as it is."""
        if isinstance(found, Said):
            return self(found.template, **found.values) if found.values else self.composed(found.template)
        if isinstance(found, Mapping):
            return {key: self.plain(value) for key, value in found.items()}
        if isinstance(found, list | tuple):
            return type(found)(self.plain(value) for value in found)
        return found


class _Figures(string.Formatter):
    """Fills placeholders with what is `Said` in the language, and figures with its decimal sign."""

    def __init__(self, translator: Translator) -> None:
        self._translator = translator

    def format_field(self, value: Any, format_spec: str) -> str:
        shown: str = super().format_field(self._translator.plain(value), format_spec)
        if self._translator.language == "fr" and isinstance(value, int | float):
            return shown.replace(",", "\u00a0").replace(".", ",")
        return shown


def resolve(wanted: str, environment: Mapping[str, str] = os.environ) -> Language:
    """Returns the language that a setting means; "auto" is the system's, English where we have not got it."""
    name = _system(environment) if wanted == "auto" else wanted
    return "fr" if name[:2].lower() == "fr" else "en"


def _system(environment: Mapping[str, str]) -> str:
    """Returns the system's language, such as fr_FR.UTF-8; "" where it says none."""
    told = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, told), "")
    if not name and sys.platform == "win32":
        import ctypes  # noqa: PLC0415

        name = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return name


def _pattern(english: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", english)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts)), re.DOTALL
    )

"""The app's texts in another language: English in the code, the others in gettext catalogues.

Catalogues lie in `resources/translations/LANGUAGE/LC_MESSAGES`; `make translations` collects the texts of
the code and compiles them. A text is looked up when it is shown. Knows no Qt.
"""

import locale
import os
import re
import string
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from typing import Any

from botapp.host.message import COUNT, PLURAL, is_message

Language = str  # A language as its folder of catalogues is named, such as "fr"
ENGLISH: Language = "en"
_FILE = "botapp.mo"


@dataclass(frozen=True, slots=True)
class Typography:
    """How a language sets figures and punctuation."""

    decimal: str = "."  # The decimal sign
    group: str = ","  # What stands between thousands
    percent: str = "%"  # The percent sign, with the space before it
    unbreakable: re.Pattern[str] | None = None  # The spaces at which no line may break

    def figure(self, text: str) -> str:
        return text.translate({ord(","): self.group, ord("."): self.decimal, ord("-"): "−"})

    def spaced(self, text: str) -> str:
        """Returns a text with no-break spaces where this language wants them."""
        return self.unbreakable.sub("\u00a0", text) if self.unbreakable else text


_TYPOGRAPHY = {
    "fr": Typography(",", "\u00a0", "\u00a0%", re.compile(r"(?<=\S) (?=[;!?»]|:(?!\w))|(?<=«) ")),
}


@cache
def languages() -> tuple[Language, ...]:
    """Returns the languages that the app speaks: English, and those with a catalogue."""
    folder = files("resources").joinpath("translations")
    names = (entry.name for entry in folder.iterdir() if entry.joinpath("LC_MESSAGES", _FILE).is_file())
    return ENGLISH, *sorted(names)


@cache
def _catalogue(language: Language) -> NullTranslations:
    if language == ENGLISH:
        return NullTranslations()
    with files("resources").joinpath("translations", language, "LC_MESSAGES", _FILE).open("rb") as file:
        return GNUTranslations(file)


class Translator:
    """Says things in one language: `tr(text, **values)`.

    Attributes:
        typography: how it sets figures and punctuation.
    """

    def __init__(self, language: Language = ENGLISH) -> None:
        self.language = language
        self.typography = _TYPOGRAPHY.get(language, Typography())
        self._catalogue = _catalogue(language)
        self._known: dict[str, str] = {}

    def __call__(self, text: str, /, **values: object) -> str:
        """Returns a text or a message in this language; one that the catalogue has not got stays English.

        Args:
            text: a text of the catalogue, or a message, which brings its values along.
        """
        if is_message(text):
            return self(text.template, **text.values)
        form = self._form(text, values) if PLURAL in values else self._translated(text)
        if not values:
            return form
        parts = _parts(form)
        return "".join(
            text if name is None else text + self._shown(values[name], spec) for text, name, spec in parts
        )

    def _shown(self, value: Any, spec: str) -> str:
        """Returns a placeholder's text: a message in this language, a figure with its signs."""
        shown = format(self.plain(value), spec)
        if not isinstance(value, int | float):
            return shown
        return self.typography.figure(shown).replace("%", self.typography.percent)

    def percent(self, share: float, digits: int = 0) -> str:
        """Returns a share 0..1 in percent, as the language writes it."""
        return self.typography.figure(f"{100 * share:.{digits}f}") + self.typography.percent

    def plain(self, answer: Any) -> Any:
        """Returns plain values with every message in this language; everything else stays as it is."""
        if is_message(answer):
            return self(answer)
        if isinstance(answer, Mapping):
            return {key: self.plain(value) for key, value in answer.items()}
        if isinstance(answer, list | tuple):
            return type(answer)(self.plain(value) for value in answer)
        return answer

    def _form(self, text: str, values: Mapping[str, Any]) -> str:
        """Returns the form of a text that a number of things wants; a share of one is less than one."""
        count, plural = values[COUNT], values[PLURAL]
        if self.language == ENGLISH:
            return text if count == 1 else str(plural)
        return self.typography.spaced(self._catalogue.ngettext(text, str(plural), int(abs(count))))

    def _translated(self, text: str) -> str:
        if not text:  # gettext keeps the catalogue's own header there
            return ""
        if text not in self._known:
            self._known[text] = self.typography.spaced(self._catalogue.gettext(text))
        return self._known[text]


@cache
def _parts(text: str) -> tuple[tuple[str, str | None, str], ...]:
    """Returns a text with placeholders in parts: plain text, the placeholder behind it and its format.

    Taken apart once: a panel fills hundreds of texts for each advice.
    """
    parsed = string.Formatter().parse(text)
    return tuple((literal, name, spec or "") for literal, name, spec, _ in parsed)


def resolve(wanted: str, environment: Mapping[str, str] = os.environ) -> Language:
    """Returns the language that a setting means; "auto" is the system's, English where we have not got it.

    Args:
        wanted: "auto", a language, or a locale such as fr_CA.
        environment: where the system's language is looked up.
    """
    name = _system(environment) if wanted == "auto" else wanted
    name = name.partition(".")[0].replace("-", "_")
    return next((known for known in (name, name.partition("_")[0].lower()) if known in languages()), ENGLISH)


def _system(environment: Mapping[str, str]) -> str:
    """Returns the system's language, such as fr_FR.UTF-8; "" where it says none."""
    wanted = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    name = next(filter(None, wanted), "")
    if not name and sys.platform == "win32":
        import ctypes  # noqa: PLC0415

        name = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    return name

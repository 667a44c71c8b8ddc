"""The app's words in the person's language: English in the code, the others in `resources/translations`.

`tr` looks a text up when it is shown, `mark` only marks one that is shown later, and `from_worker` translates
what another process put into words (reasons, log lines), placeholders included.
Next hop: every widget of `botapp.ui`.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import ClassVar, Literal

from PySide6.QtCore import QLocale

Language = Literal["en", "fr"]


class _Spoken:
    """The language in use: its texts, and patterns for what other processes compose."""

    language: Language = "en"
    texts: ClassVar[dict[str, str]] = {}
    patterns: ClassVar[list[tuple[re.Pattern[str], str]]] = []


@cache
def catalogue(language: Language) -> dict[str, dict[str, str]]:
    """Returns a language's texts by section: English text to translated text. English has none."""
    if language == "en":
        return {}
    file = files("resources").joinpath("translations", f"{language}.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def resolve(language: str) -> Language:
    """Returns the language that a setting means; "auto" is the system's, English where we have not got it."""
    name = QLocale.system().name()[:2] if language == "auto" else language
    return "fr" if name == "fr" else "en"


def use(language: Language) -> None:
    """Makes `tr` speak this language from now on."""
    sections = catalogue(language)
    _Spoken.language = language
    QLocale.setDefault(QLocale(language))
    _Spoken.texts = {english: text for entries in sections.values() for english, text in entries.items()}
    _Spoken.patterns = [
        (_pattern(english), translated)
        for english, translated in sections.get("worker", {}).items()
        if "{" in english
    ]


def language() -> Language:
    """Returns the language in use."""
    return _Spoken.language


def tr(text: str, **values: object) -> str:
    """Returns the text in the language in use, with `{placeholders}` filled in."""
    found = _Spoken.texts.get(text, text)
    return found.format(**values) if values else found


def mark(text: str) -> str:
    """Returns the text itself; it is given to `tr` when it is shown."""
    return text


def from_worker(text: str) -> str:
    """Returns a text that another process composed, translated where it is known, else as it is."""
    if text in _Spoken.texts:
        return _Spoken.texts[text]
    for pattern, translated in _Spoken.patterns:
        if match := pattern.fullmatch(text):
            return translated.format(**{k: from_worker(v) for k, v in match.groupdict().items()})
    return text


def _pattern(english: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", english)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts)), re.DOTALL
    )

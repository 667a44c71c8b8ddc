"""The app's words in the person's language: English in the code, the others in `resources/translations`.

`tr` looks a text up when it is shown, `mark` only marks one that is shown later, and `from_worker` translates
what another process put into words (reasons, log lines), placeholders included.
Next hop: every widget of `botapp.ui`.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from PySide6.QtCore import QLocale

Language = Literal["en", "fr"]

_texts: dict[str, str] = {}
_patterns: list[tuple[re.Pattern[str], str]] = []
_language: Language = "en"


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
    global _language
    sections = catalogue(language)
    _language = language
    _texts.clear()
    _patterns.clear()
    for entries in sections.values():
        _texts.update(entries)
    _patterns.extend(
        (_pattern(english), translated)
        for english, translated in sections.get("worker", {}).items()
        if "{" in english
    )


def language() -> Language:
    """Returns the language in use."""
    return _language


def tr(text: str, **values: object) -> str:
    """Returns the text in the language in use, with `{placeholders}` filled in."""
    found = _texts.get(text, text)
    return found.format(**values) if values else found


def mark(text: str) -> str:
    """Returns the text itself; it is given to `tr` when it is shown."""
    return text


def from_worker(text: str) -> str:
    """Returns a text that another process composed, translated where it is known, else as it is."""
    if text in _texts:
        return _texts[text]
    for pattern, translated in _patterns:
        if match := pattern.fullmatch(text):
            return translated.format(**{k: from_worker(v) for k, v in match.groupdict().items()})
    return text


def _pattern(english: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", english)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts)), re.DOTALL
    )

"""The app's texts in the person's language; see `botapp.host.translation` for where they come from.

`tr` looks up a text, or a message that another part made, when it is shown; `mark` only marks one that is
shown later. Next hop: every widget of `botapp.ui`.
"""

from PySide6.QtCore import QLocale

from botapp.host.message import mark
from botapp.host.translation import Language, Translator, Typography
from botapp.host.translation import resolve as resolve_locale

__all__ = ["Language", "language", "mark", "own_name", "resolve", "tr", "typography", "use"]


class _InUse:
    """The language in use."""

    translator = Translator()


def resolve(language: str) -> Language:
    """Returns the language that a setting means; "auto" is the system's, English where we have not got it."""
    return resolve_locale(QLocale.system().name() if language == "auto" else language)


def use(language: Language) -> None:
    """Makes `tr` speak this language from now on."""
    QLocale.setDefault(QLocale(language))
    _InUse.translator = Translator(language)


def language() -> Language:
    """Returns the language in use."""
    return _InUse.translator.language


def own_name(language: Language) -> str:
    """Returns what a language calls itself."""
    # The name of this language in itself, such as "Deutsch".
    return Translator(language)(mark("English"))


def typography() -> Typography:
    """Returns how the language in use sets figures."""
    return _InUse.translator.typography


def tr(text: str, /, **values: object) -> str:
    """Returns a text or a message in the language in use, with `{placeholders}` filled in."""
    return _InUse.translator(text, **values)

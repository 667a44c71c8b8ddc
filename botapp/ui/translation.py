"""The app's words in the person's language; see `botapp.host.translation` for where they come from.

`tr` looks a text up when it is shown, `mark` only marks one that is shown later, and `from_worker` translates
what another process put into words (reasons, log lines), placeholders included.
Next hop: every widget of `botapp.ui`.
"""

from PySide6.QtCore import QLocale

from botapp.host.translation import Language, Translator, mark

__all__ = ["Language", "from_worker", "language", "mark", "resolve", "tr", "use"]


class _Spoken:
    """The language in use."""

    translator = Translator()


def resolve(language: str) -> Language:
    """Returns the language that a setting means; "auto" is the system's, English where we have not got it."""
    name = QLocale.system().name()[:2] if language == "auto" else language
    return "fr" if name == "fr" else "en"


def use(language: Language) -> None:
    """Makes `tr` speak this language from now on."""
    QLocale.setDefault(QLocale(language))
    _Spoken.translator = Translator(language)


def language() -> Language:
    """Returns the language in use."""
    return _Spoken.translator.language


def tr(text: str, /, **values: object) -> str:
    """Returns the text in the language in use, with `{placeholders}` filled in."""
    return _Spoken.translator(text, **values)


def from_worker(text: str) -> str:
    """Returns a text that another process composed, translated where it is known, else as it is."""
    return _Spoken.translator.composed(text)

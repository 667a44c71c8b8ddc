"""The app's texts in the person's language; see `botapp.host.translation` for where they come from.

`tr` looks up a text, or a message that another part made, when it is shown; `mark` only marks one that is
shown later.
"""

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from botapp.host.message import counted, mark
from botapp.host.translation import Language, Translator, Typography
from botapp.host.translation import resolve as resolve_locale

__all__ = ["Language", "counted", "mark"]  # of other modules, for those who take their texts from here


class _InUse:
    """The language in use, and Qt's own texts in it: names of keys, buttons of its dialogs."""

    translator = Translator()
    of_qt: QTranslator | None = None


def resolve(language: str) -> Language:
    """Returns the language that a setting means; "auto" is the system's, English if untranslated."""
    return resolve_locale(QLocale.system().name() if language == "auto" else language)


def use(language: Language) -> None:
    QLocale.setDefault(QLocale(language))
    _InUse.translator = Translator(language)
    app = QCoreApplication.instance()
    if app is None:
        return
    if _InUse.of_qt is not None:
        app.removeTranslator(_InUse.of_qt)
    translator, folder = QTranslator(app), QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    _InUse.of_qt = translator if translator.load(f"qtbase_{language}", folder) else None
    if _InUse.of_qt is not None:
        app.installTranslator(_InUse.of_qt)


def language() -> Language:
    return _InUse.translator.language


def own_name(language: Language) -> str:
    # The name of this language in itself, such as "Deutsch".
    return Translator(language)(mark("English"))


def typography() -> Typography:
    return _InUse.translator.typography


def tr(text: str, /, **values: object) -> str:
    """Returns a text or a message in the language in use, with `{placeholders}` filled in."""
    return _InUse.translator(text, **values)


def tr_counted(number: float, one: str, many: str, /, **values: object) -> str:
    """Returns a text in the language in use as a number asks for it; see `counted`."""
    return tr(counted(number, one, many, **values))

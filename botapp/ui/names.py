"""Names of the app's content and the imported game's in the person's language; own names stay as they are."""

from functools import cache

from botapp.content.knowledge.base import knowledge
from botapp.content.library import classes, monsters
from botapp.content.names import in_french
from botapp.tracking.fighters import NAMELESS
from botapp.ui.translation import language, tr


@cache
def _kinds() -> dict[str, str]:
    return {key: template.name for key, template in {**classes(), **monsters()}.items()}


def kind_named(kind: str) -> str:
    """Returns the name of a class or monster by its key; another key stays as it is."""
    known = _kinds().get(kind)
    if known is None:
        game = knowledge().game
        known = game.name_of_kind(kind) if game is not None else ""
    return named(known or kind)


class _Watched:
    """Whether the practice arena is watched: two things of one English name may differ in French."""

    arena = True


def watch(client: str) -> None:
    """Says which client is watched: names without a key are looked up among its own first."""
    _Watched.arena = client == "arena"


def named(name: str, key: str = "") -> str:
    """Returns a spell's or a fighter's name to show; the number of a namesake ("Boar 2") stays.

    Args:
        key: of the spell, where it is known; only the arena's own spells are called by the arena's names.
    """
    if name in NAMELESS.values():
        return tr(name)
    return in_french(name, key, arena=_Watched.arena) if language() == "fr" else name

"""Pictures of the game's spells and monsters, brought from the public database onto this computer alone.

Their addresses follow from the numbers that the data have: `iconId` of a spell, `gfxId` of a monster. What
has come is kept, so that a download that broke goes on where it stopped.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from botapp.content.game.fetching import NotThereError, Site, keep
from botapp.content.game.importing import ImportProgress
from botapp.content.game.store import GameStore
from botapp.host.message import say

_PATHS = {"spell": "img/spells/sort_{number}.png", "monster": "img/monsters/{number}.png"}
_LARGEST = 2 << 20
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")
_SECONDS = 0.35  # About as long as one picture takes, the pause before it with it


class Wanted(NamedTuple):
    """A picture: of a spell ("spell") or a monster ("monster"), by the number of the picture."""

    kind: str
    number: int


class PictureReport(NamedTuple):
    """How many pictures came, and how many the database does not have."""

    came: int
    absent: int


def picture_path(folder: Path, wanted: Wanted) -> Path:
    """Returns where a picture is kept, whether or not it has come."""
    return folder / wanted.kind / f"{wanted.number}.png"


def wanted_of(store: GameStore) -> list[Wanted]:
    """Returns the pictures of the classes' spells, then of the monsters, each once."""
    of_classes = {spell for _, _, pairs in store.classes() for pair in pairs for spell in pair}
    spells = (Wanted("spell", icon) for spell, icon in store.pictures("spell") if spell in of_classes)
    monsters = (Wanted("monster", portrait) for _, portrait in store.pictures("monster"))
    return list(dict.fromkeys((*spells, *monsters)))


def plan_line(wanted: list[Wanted], folder: Path) -> str:
    missing = sum(1 for _ in _missing(wanted, folder))
    return say(
        "Pictures of spells and monsters: {count}, one after the other, in about {minutes:.0f} min. They are "
        "kept on this computer only.",
        count=missing,
        minutes=max(1.0, missing * _SECONDS / 60),
    )


def fetch_pictures(
    site: Site,
    wanted: list[Wanted],
    folder: Path,
    progress: Callable[[ImportProgress], None] = lambda _: None,
) -> PictureReport:
    """Brings the pictures that have not come yet; those that the database lacks are passed over.

    Raises:
        GameDataError: the database does not answer as it should, or a picture cannot be kept; what has come
            is there.
        botapp.content.game.fetching.FetchStopped: the player has stopped it.
    """
    missing = list(_missing(wanted, folder))
    came = absent = 0
    for done, missing_picture in enumerate(missing):
        progress(ImportProgress(done / len(missing), say("downloading pictures")))
        try:
            picture = site.get(_PATHS[missing_picture.kind].format(number=missing_picture.number))
        except NotThereError:
            absent += 1
            continue
        if len(picture) > _LARGEST or not picture.startswith(_PICTURES):
            absent += 1
            continue
        keep(picture_path(folder, missing_picture), picture)
        came += 1
    progress(ImportProgress(1.0, say("done")))
    return PictureReport(came, absent)


def _missing(wanted: list[Wanted], folder: Path) -> Iterator[Wanted]:
    return (picture for picture in wanted if not picture_path(folder, picture).exists())

"""Why there is no advice, as a player would say it: what the readers tell in their own terms is put plainly.

Before it: `Snapshot.reason` and `FightView.reason`. Next hop: the panels, the status bar and the overlay.
"""

from collections.abc import Mapping

from botapp.host.message import is_message
from botapp.runtime.watch import NOT_OPEN, OTHER_CLIENT
from botapp.ui.translation import mark, tr

CLIENTS = {
    "arena": mark("Practice arena"),
    "dofus-unity": "DOFUS (Unity)",
    "dofus-2": "DOFUS 2",
    "dofus-retro": "DOFUS Retro",
}
"""What the clients are called."""

_PLAINLY: Mapping[str, str] = {
    "The HUD of {client} is not where it should be: {missing}.": mark(
        "This does not look like a fight in {client}. Is it the right client, and is all of it in view?"
    ),
    "The HUD of {client} has not been described.": mark("{client} cannot be read yet."),
    "The life, AP and MP of {client} are not seen in the picture.": mark(
        "Your HP, AP and MP are not in view. Is a fight on, and is it {client}?"
    ),
    "No client area of {client} is found in the picture.": mark("{client} is not found in this window."),
    "The board of {client} is not found in the picture.": mark("The board of {client} is not found."),
    OTHER_CLIENT: OTHER_CLIENT,
    NOT_OPEN: NOT_OPEN,
}


def told(reason: str) -> str:
    """Returns a reason in the person's language; "" stays that."""
    if not is_message(reason) or reason.template not in _PLAINLY:
        return tr(reason)
    clients = {
        name: tr(CLIENTS.get(str(reason.values[name]), str(reason.values[name])))
        for name in ("client", "watched")
        if name in reason.values
    }
    return tr(_PLAINLY[reason.template], **clients)

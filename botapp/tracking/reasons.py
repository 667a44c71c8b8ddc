"""Why a picture is no fight, as a player would say it: what readers say in their own terms is put plainly.

Panels and the command line put the message into the person's language.
"""

from collections.abc import Mapping

from botapp.host.clients import CLIENTS
from botapp.host.message import is_message, mark, say

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
}
_NAMED = ("client", "watched")


def plainly(reason: str) -> str:
    """Returns a reason in plain words that can still be translated, clients by their names."""
    if not is_message(reason) or not any(name in reason.values for name in _NAMED):
        return reason
    values = dict(reason.values)
    for name in _NAMED:
        if name in values:
            values[name] = say(CLIENTS.get(str(values[name]), str(values[name])))
    return say(_PLAINLY.get(reason.template, reason.template), **values)

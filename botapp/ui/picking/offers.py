"""The windows that a person can pick, the games' first, with what their titles tell."""

from dataclasses import dataclass

from botapp.host.clients import CLIENTS
from botapp.ui.translation import tr
from vision import profiles
from vision.window import WindowInfo, WindowSystem, list_windows
from vision.window.titles import told


@dataclass(frozen=True, slots=True)
class WindowOffer:
    """One window."""

    window: WindowInfo
    client: str = ""  # Whose its title is, a name of `vision.profiles`; "" for no game's
    character: str = ""  # The character's name in the title, "" where it has none
    game_class: str = ""  # Its class's name in the title, "" where it has none

    @property
    def heading(self) -> str:
        """Returns what tells the window from others: its character, else its client or its title."""
        return self.character or tr(CLIENTS.get(self.client, "")) or self.window.title

    @property
    def kind(self) -> str:
        """Returns what it is: the client and the class, or the program of another window."""
        if not self.client:
            return self.window.process or tr("Another program")
        parts = (tr(CLIENTS[self.client]) if self.character else "", self.game_class)
        return "  ·  ".join(filter(None, parts))


def offers(windows: WindowSystem | None = None) -> tuple[WindowOffer, ...]:
    """Returns the windows there are, the games' first, the topmost first among each.

    Raises:
        vision.window.UnsupportedSession: this desktop session cannot be watched.
    """
    clients = profiles.titles()
    found = []
    for info in list_windows(windows=windows):
        game = told(info, clients)
        if game is None:
            found.append(WindowOffer(info))
        else:
            found.append(WindowOffer(info, game.client, game.character, game.game_class))
    return tuple(sorted(found, key=lambda offer: not offer.client))


def fits(profile: profiles.Profile, title: str, process: str) -> bool:
    """Tells whether a window may be a client's, by its title and its program's name."""
    parts = ((profile.title, title), (profile.process, process))
    return any(part and part.lower() in whole.lower() for part, whole in parts)

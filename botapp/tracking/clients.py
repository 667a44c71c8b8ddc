"""Whose screen a picture shows: the client whose reader finds its HUD in it.

On 48 real screens and the practice arena no reader found its HUD in another client's picture. So the player's
own client is believed where its HUD is found, and several clients can fit alike only where hardly more than a
HUD is in the picture.
"""

from collections.abc import Mapping
from dataclasses import replace

from botapp.tracking.player_profile import PlayerProfile
from vision import profiles
from vision.extract import Reader
from vision.frame import Frame
from vision.view import FightView, Phase


def fit(view: FightView) -> int:
    """Returns how much of its client's screen a reading has found, 0 for nothing that tells the client.

    A quiet picture without a HUD, which a reader calls no fight, tells nothing.
    """
    phase = view.phase.value
    figures = sum(map(bool, (view.hp or view.hp_share, view.ap, view.mp)))
    if phase in (Phase.FIGHT, Phase.PLACEMENT):
        return 2 + figures
    if phase is Phase.NOT_FIGHT and not view.hud_hidden:
        return 1 + figures
    return figures


def best(views: Mapping[str, FightView]) -> tuple[str, ...]:
    """Returns the clients whose screen these readings tell: one, several where they fit alike, or none."""
    fits = {client: fit(view) for client, view in views.items()}
    most = max(fits.values(), default=0)
    return tuple(client for client, score in fits.items() if most and score == most)


def read_as(frame: Frame, client: str, profile: PlayerProfile) -> FightView:
    """Reads a picture by itself as a client's, with the boards that the player has accepted for it."""
    return Reader(profiles.load(client), profile.calibrations).read(frame)


def other_clients(client: str) -> tuple[str, ...]:
    return tuple(name for name in profiles.names() if name != client)


def client_on_picture(frame: Frame, profile: PlayerProfile) -> PlayerProfile:
    """Returns the profile with the client whose screen a picture shows; its own where no other fits better.

    Args:
        profile: the player's; its client is tried first, and believed where its HUD is found.
    """
    own = read_as(frame, profile.client, profile)
    if fit(own):
        return profile
    fits = best({client: read_as(frame, client, profile) for client in other_clients(profile.client)})
    return replace(profile, client=fits[0]) if fits else profile

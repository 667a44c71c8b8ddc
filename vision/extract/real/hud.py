"""Reads a real client's HUD: life, AP, MP, timer, the turn's number, whose turn it is, whether it is a fight.

Nothing is looked for at a fixed place: the star and the diamond (or the heart) anchor the numbers about them,
the end-turn button those about it. Next hop: `vision.extract.real.reader`.
"""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from vision.extract.real import anchors, cards, numbers
from vision.extract.real.anchors import Anchor
from vision.extract.real.cards import Card
from vision.extract.real.model import HudSeen
from vision.frame import Rect
from vision.panels import FieldRule, HudRules
from vision.profiles import Profile
from vision.view import Phase, Seen, Turn

Picture = npt.NDArray[np.uint8]


def read_hud(bgr: Picture, client: Rect, profile: Profile) -> HudSeen:
    """Reads the HUD of a client's picture.

    Args:
        bgr: the picture, uint8, shape (height, width, 3).
        client: the client area in it.
        profile: whose HUD it is.
    """
    if profile.hud is None:
        return HudSeen(reason=f"the HUD of {profile.name} has not been described")
    part = np.ascontiguousarray(bgr[client.y : client.bottom, client.x : client.right])
    tones = anchors.hsv(part)
    vitals = anchors.vitals(tones, profile.hud)
    if vitals is None:
        return HudSeen(reason=f"the life, AP and MP of {profile.name} are not seen in the picture")
    rule, timeline = profile.hud.button, profile.hud.timeline
    button = anchors.button(tones, rule, vitals.unit) if rule is not None else None
    row = cards.find(part, timeline) if timeline is not None else []
    read = _numbers(part, vitals, profile.hud.fields)
    if rule is not None and button is not None:
        read |= _numbers(part, button, rule.fields)
    return _judged(profile.hud, read, button is not None, row)


def _numbers(part: Picture, anchor: Anchor, fields: Mapping[str, FieldRule]) -> dict[str, Seen[int]]:
    return {name: numbers.read(part, anchor, rule) for name, rule in fields.items()}


def _judged(rules: HudRules, read: dict[str, Seen[int]], button: bool, row: list[Card]) -> HudSeen:
    """Puts together what was read; what contradicts itself is withheld."""
    hp, max_hp = read.get("hp", Seen()), read.get("max_hp", Seen())
    if hp.value is not None and max_hp.value is not None and hp.value > max_hp.value:
        hp, max_hp = Seen(), Seen()
    ap, mp = read.get("ap", Seen()), read.get("mp", Seen())
    return HudSeen(
        phase=_phase(button or bool(row) or (rules.points_tell and bool(ap) and bool(mp))),
        turn=_turn(button, row),
        hp=hp,
        max_hp=max_hp,
        shield=read.get("shield", Seen()),
        ap=ap,
        mp=mp,
        timer_s=read.get("timer_s", Seen()),
        turn_number=read.get("turn_number", Seen()),
        fighters_shown=Seen(len(row), 0.9) if row else Seen(),
    )


def _phase(fight: bool) -> Seen[Phase]:
    """Returns the phase; that nothing tells a fight is a weaker sign than that something does."""
    return Seen(Phase.FIGHT, 0.95) if fight else Seen(Phase.NOT_FIGHT, 0.7)


def _turn(button: bool, row: list[Card]) -> Seen[Turn]:
    """Returns whose turn it is: the bright button is the player's, a framed card of the other side is theirs.

    Where the card of the player's side is framed but no button is seen, an ally may be playing.
    """
    playing = next((card.team for card in row if card.current), None)
    if button:
        return Seen("mine", 0.95) if playing != "enemy" else Seen()
    return Seen("other", 0.9) if playing == "enemy" else Seen()

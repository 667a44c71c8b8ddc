"""The player's HP while their number is hidden, by the life bar of its card on the timeline."""

from dataclasses import dataclass, replace

from botapp.host.message import say
from vision.view import FightView, Seen

_BAR_OFF = 0.03
"""How far HP over their maximum may be from the life bar of the player's card, of some 60 pixels, and how far
that bar may differ while they stay the same: the card's width is measured to a pixel or two."""
_LASTING_NS = 500_000_000
"""How long a life bar must show another life until it counts while the number is hidden: a pointer that went
over the card changed it for 0.3 s."""


@dataclass(frozen=True, slots=True)
class LifeBar:
    """The life bar of the player's card."""

    known: tuple[int, float] | None = None  # The HP and the share that it shows, as last read together
    now: tuple[float, int] | None = None  # That share as it is now, and since when

    def after(self, view: FightView) -> "LifeBar":
        share = None if view.player is None else view.player.hp_fraction.value
        if share is None:
            return self
        same = self.now is not None and abs(share - self.now[0]) <= _BAR_OFF
        hp = view.hp.value
        return LifeBar(
            self.known if hp is None else (hp, share), self.now if same else (share, view.captured_ns)
        )

    def filled_in(self, view: FightView, most: int) -> tuple[FightView, list[str]]:
        """Returns a view with HP where the screen does not show their number, and what was assumed for that.

        The screen may show their share alone, or a window lies over them while the life bar of the player's
        card is in sight. That bar tells HP only where it agreed with HP and maximum before, and only what
        they have changed by since: of a maximum that erosion has lowered it shows a larger share. Another
        life has to be shown for a while: a pointer or an effect over the card changes the bar for some
        pictures.

        Args:
            most: the maximum, 0 where it is not known.
        """
        share = view.hp_share
        if view.hp or not most:
            return view, []
        if share.value is not None:
            hp = max(1, round(share.value * most))
            note = say(
                "your HP ({hp} of {max_hp}: your screen shows {share} %)",
                hp=hp,
                max_hp=most,
                share=round(100 * share.value),
            )
            return replace(view, hp=Seen(hp, share.confidence)), [note]
        bar = None if view.player is None else view.player.hp_fraction
        if bar is None or bar.value is None or self.known is None or view.shield.value:
            return view, []
        hp, before = self.known
        lasts = self.now is not None and view.captured_ns - self.now[1] >= _LASTING_NS
        if abs(bar.value - before) <= _BAR_OFF:
            note = say("your HP ({hp}, as read before: the life bar of your card has not changed)", hp=hp)
        elif abs(hp / most - before) <= _BAR_OFF and lasts:
            hp = min(most, max(1, round(hp + (bar.value - before) * most)))
            note = say("your HP (about {hp} of {max_hp}, by the life bar of your card)", hp=hp, max_hp=most)
        else:
            return view, []
        return replace(view, hp=Seen(hp, bar.confidence)), [note]

"""Whether a life that was told earlier still stands, by the timeline's cards that are matched to no fighter.

A figure's HP are known only while its card is. Where it no longer is, the last value stays, and is old
once the cards left over show no such life, or fewer than there are figures that should have it.
"""

from collections.abc import Sequence

from vision.view import FightView

_SAME_LIFE = 0.04  # How far two lives of one bar may be read apart


def outdated(view: FightView, kept: Sequence[float]) -> list[bool] | None:
    """Tells of lives that enemies were told to have before whether they are old; None without a timeline.

    Args:
        view: what was read; the enemies whose life it tells have claimed their cards.
        kept: the shares of life of the other enemies, as told last.
    """
    left = [card.hp_fraction.value for card in view.timeline if card.team == "enemy"]
    if not left:
        return None
    lives = [life for life in left if life is not None]
    for enemy in view.enemies:
        if (told := enemy.hp_fraction.value) is not None and lives:
            nearest = min(lives, key=lambda life: abs(life - told))
            if abs(nearest - told) <= _SAME_LIFE:
                lives.remove(nearest)
    return [_count(lives, life) < _count(kept, life) for life in kept]


def _count(lives: Sequence[float], life: float) -> int:
    return sum(abs(other - life) <= _SAME_LIFE for other in lives)

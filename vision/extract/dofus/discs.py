"""Tells borders under fighters from discs of glyphs, which have their size and colours.

Nothing stands on a disc. A body hides the upper edges of its border and the floor behind it, so the upper
edges are less clear than the lower ones, and what is above the cell's middle differs from what is below.
Where figures are hidden, as Retro's players can have it, neither tells anything. Used by
`vision.extract.dofus.board`.
"""

from collections.abc import Mapping

from vision.extract.dofus.borders import FoundBorder
from vision.view import Team

_OPEN, _AS_OPEN = 8.0, 0.3
"""How clear an upper edge in sight is at least, also as a share of the lower ones. On 28 real screens those
that bodies hide have 5.3 at most on Unity and 2.x; on Retro, whose lines are cleaner, 13.8, but 0.05 of the
lower ones. Discs had 13 and 59, and 1.1 and 5 times the lower ones."""
_BODY, _BARE = 56.0, 16.0
"""Below so many levels a cell is alike above and below, and bare. Bodies in sight had 62 and more on 20 of
22 real screens of Unity, two behind blocks 29, a drawn one of the floor's colour 24; 15 of 17 drawn discs
had 10 to 52."""
_IN_FULL = 0.7
"""From this share on a border is a fighter's however dark its body: one on a real screen has 35 levels and
a share of 0.81; discs of Unity have 0.62 at most."""
_ALIKE = 0.3
"""How much of the clearest edge the faintest has at least on a disc (0.3 to 0.9); a block hides some edges
whole."""
_FAR_FLATTER, _LITTLE_BODY, _FRONT = 0.75, 76.0, 2.5
"""Where a side has too many: how much flatter the surplus is than its flattest fighter (discs had 0.3 to
0.65 of it), its levels at most (10 to 73), and how much clearer the lower edges of a fighter are than the
upper ones: 3 times and more in full view, on discs 0.3 to 2.4 times."""
_MOST = 0.5
"""The share of a board's borders that bodies hide from which on figures are taken to be shown."""


def without_discs(
    found: list[FoundBorder], accepted: list[FoundBorder], oval: bool = False
) -> list[FoundBorder]:
    """Returns the borders found without discs.

    Args:
        found: all borders found.
        accepted: those among them of which enough is seen; where most of them lie open nothing is left out.
        oval: whether borders are as round as discs, else diamonds.
    """
    hidden = sum(min(border.clear[0], border.clear[3]) < _OPEN for border in accepted)
    if not accepted or hidden < _MOST * len(accepted):
        return found
    return [border for border in found if not _is_open(border) and not _is_flat(border, oval)]


def without_surplus(accepted: list[FoundBorder], shown: Mapping[Team, int]) -> list[FoundBorder]:
    """Returns the borders without what a side has too many of, where that is flat beside its fighters.

    Args:
        accepted: borders of which enough is seen.
        shown: how many fighters of each side the timeline shows, 0 where it is not found.
    """
    left = list(accepted)
    for team, count in shown.items():
        over = sum(border.team == team for border in accepted) - count
        if not count or over <= 0:
            continue
        side = [border for border in accepted if border.team == team and border.body is not None]
        side.sort(key=_body)
        flat, rest = side[:over], side[over:]
        likely = all(_body(border) < _LITTLE_BODY and not _shows_front(border) for border in flat)
        if rest and likely and _body(flat[-1]) <= _FAR_FLATTER * _body(rest[0]):
            left = [border for border in left if border not in flat]
    return left


def _body(border: FoundBorder) -> float:
    return border.body or 0.0


def _is_open(border: FoundBorder) -> bool:
    """Returns whether both upper edges are in sight, or one where what is above is like what is below."""
    right, left = border.clear[0], border.clear[3]
    flat = border.body is not None and border.body < _BODY
    upper = max(left, right) if flat else min(left, right)
    return upper >= max(_OPEN, _AS_OPEN * min(border.clear[1], border.clear[2]))


def _is_flat(border: FoundBorder, oval: bool) -> bool:
    """Returns whether a cell is alike above and below, and no block hides a part of its border.

    A disc follows all edges of a diamond as little. An oval that is seen as evenly may be a fighter's whose
    body has the floor's colour.
    """
    if border.body is None or border.body >= _BODY or border.share >= _IN_FULL:
        return False
    least, most = min(border.clear), max(border.clear)
    alike = least >= _ALIKE * most if most > 0 else border.mark > 0
    return (alike and not oval) or border.body < _BARE


def _shows_front(border: FoundBorder) -> bool:
    """Returns whether the lower edges are far clearer than the upper ones, which a body hides."""
    return min(border.clear[1], border.clear[2]) >= _FRONT * max(border.clear[0], border.clear[3])

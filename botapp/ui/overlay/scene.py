"""What the overlay draws for one snapshot, as plain shapes in the overlay's coordinates. No Qt in here.

Two equal scenes look the same, so that nothing is painted again for a frame that changed nothing.
Next hop: `botapp.ui.overlay.paint` puts a scene on a surface.
"""

from dataclasses import dataclass

from botapp.fight.actions import Cast, Move
from botapp.fight.state import FightState
from botapp.host.settings import OverlaySettings
from botapp.runtime.messages import Snapshot
from botapp.ui import words
from botapp.ui.overlay.geometry import OverlayGeometry, Point, Polygon
from botapp.ui.overlay.visibility import OverlayLook
from botapp.ui.reasons import told
from vision.view import Lattice

HEAT_LEAST = 0.02
BADGE_AT = (0.012, 0.115)
"""The badge's corner, in fractions of the game's window."""


BADGE_WIDTH, _BADGE_SHARE = 420.0, 0.6
"""How wide the badge's text may be, in logical pixels and as a share of the game's window."""


@dataclass(frozen=True, slots=True)
class OverlayScene:
    """Shapes to draw, in logical pixels of the overlay.

    Attributes:
        target: the cell where the action ends, None for the end of the turn.
        source: the cell the fighter stands on, None where it is not known.
        path: centres of the cells to walk over, the fighter's own first.
        aim: a line from the caster to the target of a spell.
        heat: other candidates' cells with their share of the largest, 0..1.
        pill: a word below the target, "" for none.
        badge: lines of the badge, the first one bold.
        badge_at: the badge's top left corner.
        badge_width: how wide its text may be.
        unit: half a cell's height, which widths of lines go by.
        warning: whether the badge says why there is no advice.
    """

    target: Polygon | None = None
    source: Polygon | None = None
    path: tuple[Point, ...] = ()
    aim: tuple[Point, Point] | None = None
    heat: tuple[tuple[Polygon, float], ...] = ()
    pill: str = ""
    badge: tuple[str, ...] = ()
    badge_at: Point = (0.0, 0.0)
    badge_width: float = BADGE_WIDTH
    unit: float = 16.0
    warning: bool = False


EMPTY = OverlayScene()


def build(
    snapshot: Snapshot, look: OverlayLook, settings: OverlaySettings, placement: OverlayGeometry
) -> OverlayScene:
    """Returns what to draw; empty where there is nothing to say."""
    if look.mode == "hidden":
        return EMPTY
    corner = placement.width * BADGE_AT[0], placement.height * BADGE_AT[1]
    widest = min(BADGE_WIDTH, placement.width * _BADGE_SHARE)
    if look.mode == "reason":
        return OverlayScene(badge=(told(look.reason),), badge_at=corner, badge_width=widest, warning=True)
    decision = snapshot.decision
    lattice = snapshot.view.lattice.value if snapshot.view else None
    if decision is None:
        return EMPTY
    figures = []
    if settings.show_confidence:
        figures.append(words.confidence(decision.confidence, decision.adviser))
    if settings.show_latency:
        spent = sum(cost for _, cost in decision.timings_ms)
        figures.append(words.milliseconds(spent))
    headline = words.headline(decision.best, snapshot.state)
    badge = (headline, "  ·  ".join(figures)) if figures else (headline,)
    if lattice is None:
        return OverlayScene(badge=badge, badge_at=corner, badge_width=widest)
    action, state = decision.action, snapshot.state
    standing = state.actor.cell if state else None
    target = decision.target
    pill = words.short(decision.best) if isinstance(action, Cast) else ""
    if target is not None and settings.show_confidence:
        pill = f"{pill}  {words.confidence(decision.confidence, decision.adviser)}".strip()
    return OverlayScene(
        target=placement.diamond(lattice, target) if target is not None else None,
        source=placement.diamond(lattice, standing) if standing is not None else None,
        path=_path(action, state, lattice, placement) if settings.show_path else (),
        aim=_aim(action, state, lattice, placement) if settings.show_path else None,
        heat=_heat(decision.heat, target, lattice, placement) if settings.show_heat else (),
        pill=pill,
        badge=badge,
        badge_at=corner,
        badge_width=widest,
        unit=lattice.cell_h / 2 / placement.ratio,
    )


def _path(
    action: object, state: FightState | None, lattice: Lattice, placement: OverlayGeometry
) -> tuple[Point, ...]:
    if not isinstance(action, Move):
        return ()
    cells = ((state.actor.cell,) if state else ()) + action.path
    return tuple(placement.centre(lattice, cell) for cell in cells)


def _aim(
    action: object, state: FightState | None, lattice: Lattice, placement: OverlayGeometry
) -> tuple[Point, Point] | None:
    if not isinstance(action, Cast) or state is None or state.actor.cell == action.target:
        return None
    return placement.centre(lattice, state.actor.cell), placement.centre(lattice, action.target)


def _heat(
    heat: tuple[tuple[int, float], ...], target: int | None, lattice: Lattice, placement: OverlayGeometry
) -> tuple[tuple[Polygon, float], ...]:
    others = [(cell, share) for cell, share in heat if cell != target and share >= HEAT_LEAST]
    most = max((share for _, share in heat), default=1.0)
    return tuple((placement.diamond(lattice, cell, 0.86), share / most) for cell, share in others)

"""What the overlay draws for one snapshot, as plain shapes in the overlay's coordinates. No Qt in here.

Two equal scenes look the same, so that nothing is painted again for a frame that changed nothing.
"""

from dataclasses import dataclass, replace

from botapp.advisor.decision import Decision, ScoredAction
from botapp.fight.actions import Cast
from botapp.fight.state import FightState
from botapp.host.settings import OverlaySettings
from botapp.runtime.messages import Snapshot
from botapp.runtime.turns import TurnLine, TurnStep
from botapp.ui import outcomes, words
from botapp.ui.overlay.geometry import OverlayGeometry, Point, Polygon
from botapp.ui.overlay.marks import NO_MARKS, CellNote, Shade, StepMark, TurnMarks, marks
from botapp.ui.overlay.visibility import OverlayLook
from botapp.ui.translation import counted, tr
from vision.view import Lattice

HEAT_LEAST = 0.02
BADGE_WIDTH, _BADGE_SHARE = 420.0, 0.6
"""How wide the badge's text may be, in logical pixels and as a share of the game's window."""
_MOST_ROWS = 6  # Actions of a turn that the badge lists


@dataclass(frozen=True, slots=True)
class Badge:
    """A few lines of text on a ground."""

    lines: tuple[str, ...]  # The first one bold
    at: Point  # Its top left corner
    width: float = BADGE_WIDTH  # How wide its text may be at scale 1
    scale: float = 1.0  # How many times its usual size it is
    warning: bool = False  # Whether it says why there is no advice
    small: str = ""  # A last line in small, faint letters, "" for none
    label: str = ""  # A first small line over the others, "" for none


@dataclass(frozen=True, slots=True)
class OverlayScene:
    """Shapes to draw, in logical pixels of the overlay."""

    marks: TurnMarks = NO_MARKS
    source: Polygon | None = None  # The cell the fighter stands on, None where it is not known
    # Other candidates' cells with their share of the largest, 0..1
    heat: tuple[tuple[Polygon, float], ...] = ()
    alike: tuple[Polygon, ...] = ()  # Cells that are as good as the one where the first action ends
    # The place of the first action's spell on the bar: left, top, width, height
    slot: tuple[float, float, float, float] | None = None
    badge: Badge | None = None  # The advice in words, None for none
    unit: float = 16.0  # Half a cell's height, which widths of lines go by
    room: tuple[float, float] | None = None  # Width and height that notes keep within, None for no bound
    # Whether this is another turn than the advised one, which looks unlike the advice
    looked_at: bool = False


EMPTY = OverlayScene()


def build(
    snapshot: Snapshot,
    look: OverlayLook,
    settings: OverlaySettings,
    placement: OverlayGeometry,
    chosen: TurnLine | None = None,
) -> OverlayScene:
    """Returns what to draw; empty where there is nothing to say.

    `chosen` is the turn that the person looks at in place of the advised one.
    """
    if look.mode in ("hidden", "blank"):
        return EMPTY
    if look.mode == "reason":
        return OverlayScene(badge=_badge((words.reason(look.reason),), settings, placement, warning=True))
    decision = snapshot.decision
    lattice = snapshot.view.lattice.value if snapshot.view else None
    if decision is None:
        return EMPTY
    of_advice = _advised(snapshot, decision)
    line = chosen or of_advice
    advised = line == of_advice
    full = settings.preset == "full"
    names = words.names_of(decision, snapshot.state)
    groups = names.groups
    rows = _words(snapshot, decision, line, names, settings)
    deep = settings.show_latency and advised and decision.effort.depth > 1
    small = words.unconfirmed(snapshot), words.depth(decision) if deep else ""
    badge = replace(
        _badge(rows, settings, placement),
        small="  ·  ".join(filter(None, small)),
        label="" if advised else tr("Another turn, not the advice"),
    )
    if lattice is None:
        return OverlayScene(badge=badge, looked_at=not advised)
    state = snapshot.state
    standing = state.actor.cell if state else None
    first = line.choice.action
    alike = groups[0].cells if advised else ()
    heat = decision.heat if full and settings.show_heat and advised else ()
    return OverlayScene(
        marks=place_marks(decision, state, lattice, placement, paths=settings.show_path)
        if state is not None and state.placing
        else marks(line, state, lattice, placement, whole=full, paths=settings.show_path),
        source=placement.diamond(lattice, standing) if standing is not None else None,
        heat=_heat(heat, {*alike, first.target}, lattice, placement),
        alike=tuple(placement.diamond(lattice, cell, 0.86) for cell in alike if cell != first.target),
        slot=_slot(snapshot, line.steps if full else line.steps[:1], placement),
        badge=badge,
        unit=lattice.cell_h / 2 / placement.ratio,
        looked_at=not advised,
    )


def _advised(snapshot: Snapshot, decision: Decision) -> TurnLine:
    if snapshot.turn is not None and snapshot.turn.lines:
        return snapshot.turn.lines[0]
    best = decision.best
    origin = snapshot.state.actor.cell if snapshot.state is not None else -1
    steps = (TurnStep(best.action, origin, best.spell_name, decision.expected),) if origin >= 0 else ()
    return TurnLine(best, steps, decision.chance)


def _words(
    snapshot: Snapshot, decision: Decision, line: TurnLine, names: words.Names, settings: OverlaySettings
) -> tuple[str, ...]:
    advised = line.choice.action == decision.action
    figures = []
    if settings.show_confidence:
        figures.append(words.to_win(line.chance, snapshot.state))
        may_be_sure = advised and not words.unconfirmed(snapshot)
        sure = words.sureness(decision, snapshot.state)[0] if may_be_sure else ""
        figures += [sure] if sure else []
    notes = []
    others = len(names.groups[0].choices) - 1
    if settings.preset == "full" and advised and others:
        text = counted(others, "{number} other cell as good", "{number} other cells as good", number=others)
        notes.append(tr(text))
    if settings.preset == "full" and advised and outcomes.waiting(snapshot):
        notes.append(tr(outcomes.WAIT))
    headline = words.headline_of_turn(line, names)
    rows = [headline, *(["  ·  ".join(figures)] if figures else []), *notes]
    if settings.preset == "full" and len(line.steps) > 1:
        rows += words.turn(line, snapshot.state)[1:_MOST_ROWS]
    return tuple(rows)


def _badge(
    lines: tuple[str, ...], settings: OverlaySettings, placement: OverlayGeometry, *, warning: bool = False
) -> Badge:
    corner = placement.width * settings.badge_x, placement.height * settings.badge_y
    widest = min(BADGE_WIDTH, placement.width * _BADGE_SHARE)
    return Badge(lines, corner, widest, settings.badge_scale, warning)


def _slot(
    snapshot: Snapshot, steps: tuple[TurnStep, ...], placement: OverlayGeometry
) -> tuple[float, float, float, float] | None:
    cast = next((step.action for step in steps if isinstance(step.action, Cast)), None)
    box = dict(snapshot.slots).get(cast.spell) if cast is not None else None
    if box is None:
        return None
    left, top = placement.point((box.x, box.y))
    return left, top, box.width / placement.ratio, box.height / placement.ratio


def _heat(
    heat: tuple[tuple[int, float], ...],
    shown: set[int | None],
    lattice: Lattice,
    placement: OverlayGeometry,
) -> tuple[tuple[Polygon, float], ...]:
    others = [(cell, share) for cell, share in heat if cell not in shown and share >= HEAT_LEAST]
    most = max((share for _, share in heat), default=1.0)
    return tuple((placement.diamond(lattice, cell, 0.86), share / most) for cell, share in others)


def place_marks(
    decision: Decision,
    state: FightState,
    lattice: Lattice,
    geometry: OverlayGeometry,
    *,
    paths: bool = True,
) -> TurnMarks:
    """Returns what to draw before the fight: the best cell outlined with the way there, both places with
    their chances.
    """
    own = state.actor.cell
    best, here = _cell(decision.best, own), geometry.centre(lattice, own)
    route = (here, geometry.centre(lattice, best)) if paths and best != own else ()
    step = StepMark(False, route, geometry.diamond(lattice, best), first=True)
    unit = lattice.cell_h / 2 / geometry.ratio
    noted = [choice for choice in decision.candidates if choice == decision.best or _cell(choice, own) == own]
    notes = []
    for choice in noted:
        x, y = geometry.centre(lattice, _cell(choice, own))
        shade: Shade = "heal" if choice == decision.best else "name"
        notes.append(CellNote((x, y + unit + 4), ((words.chance(choice.chance, state), shade),)))
    return TurnMarks((step,), (), tuple(notes))


def _cell(choice: ScoredAction, own: int) -> int:
    target = choice.action.target
    return own if target is None else target

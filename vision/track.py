"""Filters views over time: fills short gaps with earlier values and rejects implausible jumps.

A gap is filled only while it is the player's own turn, if the value was read before in that turn, nothing
visible has changed and the turn was known since, and for at most `LIMIT_NS`; its confidence decays and its
name is listed in `FightView.remembered`. AP and MP are not filled in once the fight was out of sight. A
fighter that jumps across the board and a number that loses or gains digits are accepted once a second view
confirms them; HP of which one digit has changed are unread until then.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from vision.view import ROW_LENGTH, FighterSeen, FightView, Phase, Seen, Team

LIMIT_NS: Final = 2_000_000_000  # How long a gap is filled, in nanoseconds

JUMP_CELLS: Final = 10
"""A fighter that moved at least this far between two views must be confirmed by a third."""

NUMBERS: Final = ("hp", "max_hp", "ap", "mp", "turn_number")
"""Numbers whose gaps are filled. A timer runs on by itself; a shield that is not shown may be gone."""

_LEAST = 0.5
_SURELY = 0.9
_SIDES: Mapping[Team, str] = {"own": "player", "ally": "allies", "enemy": "enemies"}


@dataclass(frozen=True, slots=True)
class Track:
    """The tracker's state between two views."""

    view: FightView | None = None  # The last filtered view, None before the first fight
    # The last reading of each field in this turn and its time in nanoseconds
    read: Mapping[str, tuple[Any, int]] = field(default_factory=dict)
    changed_ns: int = 0  # When something visible last changed
    peak: tuple[int, int] = (0, 0)  # The largest AP and MP read in this turn
    # Readings that the next view must confirm, by field
    pending: Mapping[str, object] = field(default_factory=dict)

    def fresh(self, name: str, now_ns: int) -> bool:
        """Returns whether a field was read a short while ago and nothing visible has changed since."""
        _, read_ns = self.read.get(name, (None, -1))
        return read_ns >= max(0, self.changed_ns) and 0 <= now_ns - read_ns <= LIMIT_NS

    def left(self, name: str, now_ns: int) -> float:
        """Returns the share of its confidence that a field keeps: 1 at once, `_LEAST` at the limit."""
        return 1 - (1 - _LEAST) * min(1.0, (now_ns - self.read[name][1]) / LIMIT_NS)


NOTHING: Final = Track()


def follow(memory: Track, view: FightView, now_ns: int) -> tuple[Track, FightView]:
    """Returns the new state, and the view with gaps filled and implausible changes held back.

    Args:
        memory: what the previous call returned, `NOTHING` at the start and after another window was chosen.
        now_ns: when that frame was taken, in nanoseconds of a clock that does not go back.
    """
    if view.phase.value is not Phase.FIGHT:
        over = view.phase.value is Phase.NOT_FIGHT and view.phase.confidence >= _SURELY
        over = over and not view.hud_hidden
        if over or view.phase.value is Phase.PLACEMENT:
            return NOTHING, view
        spent = {name: read for name, read in memory.read.items() if name not in ("ap", "mp")}
        return replace(memory, read=spent), view  # those may have been spent unseen
    last = memory.view
    if last is None or is_other(last, view):
        return _updated(NOTHING, view, view, now_ns, {}), view
    accepted, pending = _reject_outliers(memory, last, view, now_ns)
    if _other_digit(last.hp.value, accepted.hp.value):
        accepted, pending["hp"] = replace(accepted, hp=Seen()), accepted.hp.value
    if _changed(last, accepted):
        memory = replace(memory, changed_ns=now_ns)
    answer, names = _turn(memory, last, accepted, now_ns)
    if answer.turn.value == "mine":
        answer, numbers = _numbers(memory, answer, now_ns, pending)
        answer, fighters = _fighters(memory, last, answer, now_ns)
        names |= numbers | fighters
    elif answer.turn.value is None:  # what was read before may have changed unseen
        memory = replace(memory, changed_ns=now_ns)
    answer = replace(answer, remembered=frozenset(names | set(pending)))
    return _updated(memory, view, answer, now_ns, pending), answer


def _updated(
    memory: Track, view: FightView, answer: FightView, now_ns: int, pending: Mapping[str, object]
) -> Track:
    """Returns the state after a view; its pending readings do not count as read."""
    read = dict(memory.read)
    for name in ("turn", *NUMBERS):
        if getattr(view, name) and name not in pending:
            read[name] = (getattr(view, name), now_ns)
    for fighter in view.fighters:
        if fighter.cell is not None and _SIDES[fighter.team] not in pending:
            read[_key(fighter)] = (fighter, now_ns)
    ap, mp = view.ap.value or 0, view.mp.value or 0
    peak = (max(memory.peak[0], ap), max(memory.peak[1], mp))
    return Track(answer, read, memory.changed_ns, peak, pending)


def is_other(last: FightView, view: FightView) -> bool:
    """Returns whether a view is of another turn or another round than the one before."""
    pairs = ((last.turn.value, view.turn.value), (last.turn_number.value, view.turn_number.value))
    return any(before is not None and after is not None and before != after for before, after in pairs)


def _changed(last: FightView, view: FightView) -> bool:
    """Returns whether something that both views show differs, as it does after any action.

    MP that were not known before may have been paid for steps since, where the player is not seen now; a
    spell that cannot be cast any more tells of one that was.
    """
    usable = {slot.index for slot in last.spells if slot.usable.value}
    if any(slot.index in usable and slot.usable.value is False for slot in view.spells):
        return True
    if last.mp.value is None and view.mp.value is not None and view.player is None:
        return True
    for name in (*NUMBERS, "shield", "fighters_shown"):
        before, after = getattr(last, name).value, getattr(view, name).value
        if before is not None and after is not None and before != after:
            return True
    lives = {
        _key(fighter): fighter.hp_fraction.value for fighter in last.fighters if fighter.cell is not None
    }
    for fighter in view.fighters:
        before, after = lives.get(_key(fighter)), fighter.hp_fraction.value
        moved = fighter.cell is None or _key(fighter) not in lives
        if moved or (before is not None and after is not None and before != after):
            return True
    return False


def _reject_outliers(
    memory: Track, last: FightView, view: FightView, now_ns: int
) -> tuple[FightView, dict[str, object]]:
    """Replaces implausible readings by the previous ones until the next view confirms them."""
    pending: dict[str, object] = {}
    for name in ("hp", "max_hp"):
        before, after = getattr(last, name), getattr(view, name)
        sudden = _lost_digits(before.value, after.value) and memory.pending.get(name) != after.value
        if sudden and memory.fresh(name, now_ns):
            pending[name] = after.value
            former: dict[str, Any] = {name: Seen(before.value, _LEAST * before.confidence)}
            view = replace(view, **former)
    for side in _SIDES.values():
        jump = _jump(_of(last, side), _of(view, side))
        if (
            jump is None
            or memory.pending.get(side) == jump[1].cell
            or not memory.fresh(_key(jump[0]), now_ns)
        ):
            continue
        pending[side] = jump[1].cell
        standing = tuple(
            _faded(jump[0], _LEAST) if fighter is jump[1] else fighter for fighter in _of(view, side)
        )
        view = _with(view, side, standing)
    return view, pending


def _lost_digits(before: int | None, after: int | None) -> bool:
    """Returns whether one number is the other with digits cut off at an end."""
    if before is None or after is None:
        return False
    short, long = sorted((str(before), str(after)), key=len)
    return len(short) < len(long) and (long.startswith(short) or long.endswith(short))


def _other_digit(before: int | None, after: int | None) -> bool:
    """Returns whether two numbers differ in one digit: something small may lie over it for a moment."""
    if before is None or after is None:
        return False
    was, now = str(before), str(after)
    return len(was) == len(now) and sum(a != b for a, b in zip(was, now, strict=True)) == 1


def _jump(
    before: tuple[FighterSeen, ...], after: tuple[FighterSeen, ...]
) -> tuple[FighterSeen, FighterSeen] | None:
    """Returns the only fighter of a side that moved, before and after, if it is further than one can walk."""
    cells, others = {fighter.cell for fighter in before}, {fighter.cell for fighter in after}
    gone = [fighter for fighter in before if fighter.cell not in others]
    come = [fighter for fighter in after if fighter.cell not in cells]
    if len(gone) != 1 or len(come) != 1 or gone[0].cell is None or come[0].cell is None:
        return None
    return (gone[0], come[0]) if steps_between(gone[0].cell, come[0].cell) >= JUMP_CELLS else None


def steps_between(first: int, second: int) -> int:
    """Returns the distance between two cells, in steps to neighbours."""
    (row, col), (other_row, other_col) = divmod(first, ROW_LENGTH), divmod(second, ROW_LENGTH)
    across = col + (row + 1) // 2 - other_col - (other_row + 1) // 2
    along = col - row // 2 - other_col + other_row // 2
    return abs(across) + abs(along)


def _turn(memory: Track, last: FightView, view: FightView, now_ns: int) -> tuple[FightView, set[str]]:
    """Fills the turn while AP and MP prove that the player's turn goes on.

    At a turn's end AP and MP are full again: while they are read, unchanged and not full, it has not ended.
    """
    points = (view.ap.value, view.mp.value)
    unchanged = None not in points and points == (last.ap.value, last.mp.value)
    spent = unchanged and not {"ap", "mp"} & last.remembered and points != memory.peak
    if view.turn or last.turn.value != "mine" or not spent or not memory.fresh("turn", now_ns):
        return view, set()
    return replace(view, turn=_aged(memory, "turn", now_ns)), {"turn"}


def _numbers(
    memory: Track, view: FightView, now_ns: int, doubted: Collection[str]
) -> tuple[FightView, set[str]]:
    """Fills in numbers that were not read, except for those whose last value may have changed.

    A player out of sight may have walked: its MP alone tell.
    """
    asked = NUMBERS if view.player is not None else [name for name in NUMBERS if name != "mp"]
    gaps = {name for name in asked if not getattr(view, name) and memory.fresh(name, now_ns)} - {*doubted}
    bridged: dict[str, Any] = {name: _aged(memory, name, now_ns) for name in gaps}
    return replace(view, **bridged), gaps


def _fighters(memory: Track, last: FightView, view: FightView, now_ns: int) -> tuple[FightView, set[str]]:
    """Fills in fighters that are not seen while the timeline shows more of them than the board."""
    names: set[str] = set()
    missing = (view.fighters_shown.value or 0) - len(view.fighters)
    for fighter in last.fighters:
        if missing <= 0 or not memory.fresh(_key(fighter), now_ns) or _is_taken(view, fighter):
            continue
        side = _SIDES[fighter.team]
        faded = _faded(memory.read[_key(fighter)][0], memory.left(_key(fighter), now_ns))
        view = _with(view, side, (*_of(view, side), faded))
        names.add(side)
        missing -= 1
    return view, names


def _is_taken(view: FightView, fighter: FighterSeen) -> bool:
    """Returns whether a fighter is still seen, or another one stands in its place."""
    if fighter.cell is None or (fighter.team == "own" and view.player is not None):
        return True
    reach = view.lattice.value.cell_w / 2 if view.lattice.value is not None else 0.0
    return any(
        other.cell == fighter.cell or math.dist(other.px, fighter.px) < reach for other in view.fighters
    )


def _of(view: FightView, side: str) -> tuple[FighterSeen, ...]:
    if side == "player":
        return () if view.player is None else (view.player,)
    return view.allies if side == "allies" else view.enemies


def _with(view: FightView, side: str, fighters: tuple[FighterSeen, ...]) -> FightView:
    if side == "player":
        return replace(view, player=fighters[0])
    return replace(view, allies=fighters) if side == "allies" else replace(view, enemies=fighters)


def _key(fighter: FighterSeen) -> str:
    return f"{fighter.team} {fighter.cell}"


def _faded(fighter: FighterSeen, share: float) -> FighterSeen:
    return replace(fighter, confidence=fighter.confidence * share)


def _aged(memory: Track, name: str, now_ns: int) -> Seen[Any]:
    seen = memory.read[name][0]
    return Seen(seen.value, seen.confidence * memory.left(name, now_ns))

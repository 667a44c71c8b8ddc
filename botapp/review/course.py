"""The course of a fight: how likely it was won before each own action, what was advised and what was done.

What was done is inferred from the states before and after: the casts of the turn, AP and the
own cell. `botapp.ui.samples.History` feeds it, the Course panel draws it, `botapp.review.recorder` keeps it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from botapp.advisor.decision import Adviser, Decision, ScoredAction, Sureness, reading
from botapp.advisor.grounds import may_tell_chance
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.spells import EffectKind, Spell
from botapp.fight.state import Fighter, FightState
from botapp.review.grades import Grade, grade_of
from botapp.runtime.messages import Snapshot
from botapp.runtime.turns import TurnLine
from botapp.tracking.ground import Ground
from botapp.tracking.situation import over

MOST = 400  # Own actions kept of one fight, its first
UNKNOWN_CELL = -1  # Target of a cast that was seen, though not at which cell of the ground
_WALKS_NS = 1_500_000_000  # How long a fighter seen on the advised way may still be on it
_SOON_NS = 600_000_000
"""A cast and the click that ends the turn take longer: the arena draws a cast's flight and impact for 0.64 s.
A turn that is over sooner after a picture with all AP left was ended without anything being cast."""


@dataclass(frozen=True, slots=True)
class OwnAction:
    """One of the person's own actions."""

    turn: int
    chance: float  # Of winning, before it, 0..1
    state: FightState
    advised: ScoredAction
    # What was done instead or just that, as a candidate of the decision where it was one; None where it is
    # not known yet
    done: ScoredAction | None = None
    # By how much the chance of winning fell by what was done instead of what was advised, 0..1, as `settled`
    # has it; None where it is not known
    cost: float | None = None
    lines: tuple[TurnLine, ...] = ()  # The best turns of the advice, the advised one first
    adviser: Adviser = "search"
    picture: str = ""  # File name of the picture that was kept of the moment, "" for none
    # What the decision said that this would cost, 0..1; None where the search had not looked at what was done
    said: float | None = None
    # How sure the advice was, as the app showed it: "" also while board or level was not confirmed
    sure: Sureness = ""

    @property
    def departed(self) -> bool:
        return self.done is not None and self.done.action != self.advised.action

    @property
    def idle(self) -> bool:
        """Tells whether the turn was ended though something was advised that casts a spell in it."""
        if not self.departed or self.done is None or not isinstance(self.done.action, EndTurn):
            return False
        planned = self.advised.line or (self.advised.action,)
        return any(isinstance(action, Cast) for action in planned)

    @property
    def points_lost(self) -> int | None:
        """The points of the curve, in whole percent as it is drawn, that it cost; None where not known.

        Where the chance itself may not be told no fault has a price, and none is one.
        """
        if not may_tell_chance(self.state):
            return None
        if self.cost is None:
            return 0 if self.done is not None and not self.departed else None
        return reading(self.chance) - reading(self.chance - self.cost)

    @property
    def grade(self) -> Grade | None:
        """How bad a fault it was; None for none, or where its cost is not known."""
        lost = self.points_lost
        return None if lost is None or not self.departed else grade_of(lost)


def settled(moment: OwnAction, after: float | None) -> OwnAction:
    """Returns an own action with what it cost, now that the chance after it is known.

    A turn ended instead of a cast costs all that the chance then falls by until the next own action: the
    search looks a round ahead and often calls the lost turn nearly as good. Where the chance rose all the
    same, by the dice or the enemies' play, it costs what was said of it, and at most what is missing to a
    sure win. Any other departure costs what was said of it and no more than the chance fell; one that the
    search had not looked at costs all of the fall.

    Args:
        after: the chance of winning before the next own action, or 1 or 0 where the fight is won or lost;
            None where neither is known yet.
    """
    if not moment.departed:
        return replace(moment, cost=None if moment.done is None else 0.0)
    if after is None:
        return replace(moment, cost=moment.said)
    fall = max(0.0, moment.chance - after)
    if moment.idle:
        cost = fall or min(moment.said or 0.0, 1.0 - after)
    else:
        cost = fall if moment.said is None else min(moment.said, fall)
    return replace(moment, cost=min(cost, moment.chance))


def played(moments: Sequence[OwnAction]) -> int:
    """Returns how many own actions were played: what was advised last may still be to do, or was not seen."""
    return len(moments) - (bool(moments) and moments[-1].done is None)


def departures(moments: Sequence[OwnAction]) -> list[OwnAction]:
    """Returns where something else was done than advised, the dearest first, those without a price last."""
    moments_departed = [moment for moment in moments if moment.departed]
    return sorted(
        moments_departed, key=lambda moment: -1.0 if moment.cost is None else moment.cost, reverse=True
    )


class Course:
    """The moments of the fight that is watched; a new fight begins a new course.

    An engine that was started again goes on counting fights where the one before was: whether it has found
    the same fight is recognised by the round and the map.

    An action that was taken back, as the practice arena allows, is no part of the course any more, nor is
    what came after it.

    Attributes:
        moments: oldest first.
        taken_back: how many own actions were taken back.
    """

    def __init__(self) -> None:
        self.moments: list[OwnAction] = []
        self.taken_back = 0
        self._fight: int | None = None
        self._decision: Decision | None = None
        self._earlier: list[OwnAction] = []
        self._walking_ns: int | None = None
        self._untouched_ns = 0
        self._frames = 0
        self._restarted = False

    def add(self, snapshot: Snapshot) -> None:
        state = snapshot.state
        self._restarted |= snapshot.frames < self._frames
        self._frames = snapshot.frames
        if self._restarted and snapshot.view is not None and over(snapshot.view):
            self._fight = None
        if state is None or state.placing or snapshot.capture != "watching":
            return
        if snapshot.fight == self._fight and snapshot.taken_back > self.taken_back:
            self._take_back(state)
            self.taken_back = snapshot.taken_back
        decision = snapshot.decision if snapshot.advice == "fresh" else None
        if decision is None and snapshot.advice != "not-my-turn":
            self._watch(snapshot, state)
            return
        if self._restarted:
            self._restarted = False
            if self.moments and not _goes_on(self.moments[-1].state, state):
                self._fight = None
        if snapshot.fight != self._fight:
            self.moments, self._fight, self._decision = [], snapshot.fight, None
            self._earlier, self.taken_back = [], snapshot.taken_back
        if self._decision is not None:
            last = self.moments[-1].state
            if decision is not None and (state == last or _nothing_done(last, state)):
                if decision.action != self._decision.action:
                    self._earlier.append(self.moments[-1])
                self.moments[-1] = _moment(snapshot, state, decision)
                self._decision = decision
                self._settle()
                self._watch(snapshot, state)
                return
            if decision is not None and self._walks(state, snapshot.captured_ns):
                return
            soon = snapshot.captured_ns - self._untouched_ns < _SOON_NS
            self._conclude(state, over=decision is None, soon=soon)
        if decision is not None and len(self.moments) < MOST:
            self._decision = decision
            self.moments.append(_moment(snapshot, state, decision))
            self._settle()
            self._watch(snapshot, state)

    def departures(self) -> list[OwnAction]:
        """Returns where something else was done than advised, the dearest first."""
        return departures(self.moments)

    def _take_back(self, state: FightState) -> None:
        """Drops the own actions from the one that begins in a state on; it can be played anew."""
        while self.moments and not _is_before(self.moments[-1].state, state):
            self.moments.pop()
        self._decision, self._earlier, self._walking_ns = None, [], None

    def _watch(self, snapshot: Snapshot, state: FightState) -> None:
        """Notes when the own turn was last seen with nothing done since the advice."""
        if self._decision is not None and _nothing_done(self.moments[-1].state, state):
            self._untouched_ns = snapshot.captured_ns

    def _walks(self, state: FightState, now_ns: int) -> bool:
        """Tells whether the person is seen in the middle of the walk that was advised."""
        assert self._decision is not None
        action, was = self._decision.action, self.moments[-1].state.actor
        on_the_way = isinstance(action, Move) and state.actor.cell in action.path[:-1]
        if not on_the_way or (state.actor.id, state.actor.ap) != (was.id, was.ap):
            self._walking_ns = None
            return False
        if self._walking_ns is None:
            self._walking_ns = now_ns
        return now_ns - self._walking_ns < _WALKS_NS

    def _conclude(self, after: FightState, *, over: bool, soon: bool) -> None:
        """Works out what was done in the last moment, by the state after it.

        What was advised a moment ago, before the search had thought on, counts as advised: it was followed.
        The moment is that answer's then, with its chance, its turns and how sure it was.
        """
        self._walking_ns = None
        decision, last, earlier = self._decision, self.moments[-1], self._earlier
        assert decision is not None
        self._decision, self._earlier = None, []
        done = what_was_done(decision, last.state, after, over=over, soon=soon)
        if done is None:
            return
        followed = next((moment for moment in earlier if moment.advised.action == done.action), None)
        if followed is not None and done.action != decision.action:
            self.moments[-1] = settled(replace(followed, done=followed.advised, said=0.0), None)
            self._settle()
            return
        known = done in (decision.candidates or decision.choices)
        said = max(0.0, decision.best.chance - done.chance) if known else None
        self.moments[-1] = settled(replace(last, done=done, said=said), None)

    def _settle(self) -> None:
        if len(self.moments) > 1:
            now = self.moments[-1]
            after = now.chance if may_tell_chance(now.state) else None
            self.moments[-2] = settled(self.moments[-2], after)


def _moment(snapshot: Snapshot, state: FightState, decision: Decision) -> OwnAction:
    return OwnAction(
        state.turn,
        decision.chance,
        state,
        decision.best,
        lines=snapshot.turn.lines if snapshot.turn is not None else (),
        adviser=decision.adviser,
        picture=snapshot.picture,
        sure=decision.sure if snapshot.confirmed else "",
    )


def what_was_done(
    decision: Decision, before: FightState, after: FightState, *, over: bool, soon: bool = False
) -> ScoredAction | None:
    """Returns the action that led from one state to a later one, None where that cannot be told.

    Args:
        decision: made in the state before; what was done is taken from its candidates where it is one.
        before: the state in which the decision was made.
        soon: whether there was no time for a cast that leaves no trace.
    """
    was = before.actor
    now = next((fighter for fighter in after.fighters if fighter.id == was.id), None)
    if now is None:
        return None
    same_turn = after.turn == before.turn
    ended = over or not same_turn or after.actor.id != was.id
    spent = was.ap - (0 if ended else now.ap)
    actions: list[Action] = [_cast(cast, before) for cast in _new_casts(was, now, spent)] if same_turn else []
    if now.cell != was.cell:
        actions.append(Move((now.cell,)))
    if any(_same(action, decision.action) for action in actions) or _cools_down(decision.action, was, now):
        return decision.best
    options = decision.candidates or decision.choices
    for action in actions:
        option = next((option for option in options if _same(action, option.action)), None)
        return option or ScoredAction(action, 0.0, "", _spell_name(was, action))
    if not ended or now.ap < was.ap or _hurt(before, after) or (not soon and _unseen(decision, before)):
        return None
    ending = next((option for option in options if isinstance(option.action, EndTurn)), None)
    return ending or ScoredAction(EndTurn(), 0.0, "")


def _cools_down(action: Action, was: Fighter, now: Fighter) -> bool:
    """Tells whether the spell of an action cannot be cast now, though it could before: it was cast."""
    if not isinstance(action, Cast):
        return False
    before, after = dict(was.cooldowns), dict(now.cooldowns)
    return after.get(action.spell, 0) > before.get(action.spell, 0)


def _unseen(decision: Decision, before: FightState) -> bool:
    """Tells whether the action advised could have been done without a trace: a spell that hurts no enemy."""
    if not isinstance(decision.action, Cast):
        return False
    foes = (
        fighter.cell for fighter in before.fighters if fighter.alive and fighter.team != before.actor.team
    )
    return decision.action.target not in foes and not any(
        expectation.enemy and expectation.damage for expectation in decision.expected
    )


def _is_before(earlier: FightState, state: FightState) -> bool:
    """Tells whether an own state is an earlier one of the fight than the one that was gone back to.

    Within a turn AP or MP are spent, and by what gives them the state is another in something else.
    """
    if earlier.turn != state.turn:
        return earlier.turn < state.turn
    return not _nothing_done(earlier, state) and (earlier.actor.ap, earlier.actor.mp) >= (
        state.actor.ap,
        state.actor.mp,
    )


def _goes_on(before: FightState, after: FightState) -> bool:
    return after.turn >= before.turn and Ground(before.map.cells).is_same(after.map.cells)


def _nothing_done(before: FightState, after: FightState) -> bool:
    """Tells whether a state is the one before, only known better: AP, MP and cell are the same."""
    was = before.actor
    now = next((fighter for fighter in after.fighters if fighter.id == was.id), None)
    if now is None or (after.turn, after.actor.id) != (before.turn, was.id):
        return False
    return (now.ap, now.mp, now.cell) == (was.ap, was.mp, was.cell)


def _new_casts(was: Fighter, now: Fighter, spent: int) -> list[tuple[str, int]]:
    """Returns the casts since, as far as the AP spent are enough for them, unless they may give some.

    A cast of before may be recognised only now.
    """
    costs = {spell.key: 0 if _gives_ap(spell) else spell.ap for spell in was.spells}
    return [cast for cast in _beyond(now.casts, was.casts) if costs.get(cast[0], 0) <= spent]


def _gives_ap(spell: Spell) -> bool:
    """Tells whether a spell may give AP to who casts it, so that fewer or none are missing after it."""
    return any(
        effect.kind in (EffectKind.STEAL_AP, EffectKind.GIVE_AP)
        or (effect.kind is EffectKind.BUFF and effect.stat == "ap")
        for effect in spell.effects
    )


def _cast(cast: tuple[str, int], before: FightState) -> Cast:
    """Returns a cast at where its target stood; of one at the ground the cell is not known."""
    cells = {fighter.id: fighter.cell for fighter in before.fighters}
    return Cast(cast[0], cells.get(cast[1], UNKNOWN_CELL))


def _hurt(before: FightState, after: FightState) -> bool:
    """Tells whether an enemy has lost HP: then more was done than is known."""
    known = {fighter.id: fighter.hp for fighter in before.fighters if fighter.team != before.actor.team}
    return any(fighter.hp < known.get(fighter.id, 0) for fighter in after.fighters)


def _beyond(casts: Sequence[tuple[str, int]], before: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    left = list(before)
    beyond = []
    for cast in casts:
        if cast in left:
            left.remove(cast)
        else:
            beyond.append(cast)
    return beyond


def _same(seen: Action, action: Action) -> bool:
    """Tells whether what was seen may be an action; of a cast at the ground the target is not known."""
    if isinstance(seen, Cast) and isinstance(action, Cast):
        return seen.spell == action.spell and seen.target in (UNKNOWN_CELL, action.target)
    return isinstance(seen, Move) and isinstance(action, Move) and seen.target == action.target


def _spell_name(actor: Fighter, action: Action) -> str:
    if not isinstance(action, Cast):
        return ""
    return next((spell.name for spell in actor.spells if spell.key == action.spell), action.spell)

"""A kept fight run again: what is advised today, and what is read today off the pictures that were kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from botapp.advisor.decision import Decision, ScoredAction, Withheld
from botapp.fight.state import FightState
from botapp.host.message import error_text, say
from botapp.review.course import OwnAction
from botapp.review.kept_fight import KeptFight
from botapp.tracking.image_file import ImageError, image_frame
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.state_tracker import StateTracker

_FACTS = {
    "hp": say("HP"),
    "max_hp": say("maximum HP"),
    "shield": say("shield"),
    "ap": say("AP"),
    "mp": say("MP"),
}
"""What is read of the own fighter, and its words."""
_NEAR = 0.015  # A difference between two readings of an HP bar that is none


class Adviser(Protocol):
    """What is needed of an advisor."""

    def decide(self, state: FightState) -> Decision:
        """Returns the decision for the current actor of a state; may raise `Withheld`."""
        ...


@dataclass(frozen=True, slots=True)
class Replayed:
    """One own action, then and today."""

    number: int  # Of the own action, from 1
    moment: OwnAction
    decision: Decision | None  # What is said today, None where the advice is withheld
    withheld: str = ""  # Why, "" where it is not
    # Today's opinion of what was advised then, None where it is not looked at
    then: ScoredAction | None = None

    @property
    def differs(self) -> bool:
        return self.decision is None or self.decision.action != self.moment.advised.action

    @property
    def gain(self) -> float | None:
        """How much likelier the fight is won today than after what was advised then; None: not known."""
        if self.decision is None or self.then is None:
            return None
        return max(0.0, self.decision.best.chance - self.then.chance)


@dataclass(frozen=True, slots=True)
class Reread:
    """One picture that was kept, read again."""

    number: int  # Of the own action, from 1
    differences: tuple[str, ...]  # What is read otherwise than then, in a few words each


def replay(fight: KeptFight, adviser: Adviser) -> Iterator[Replayed]:
    """Yields each own action with what the adviser says of it today."""
    for number, moment in enumerate(fight.moments, 1):
        try:
            decision = adviser.decide(moment.state)
        except Withheld as error:
            yield Replayed(number, moment, None, error_text(error))
            continue
        options = decision.candidates or decision.choices
        then = next((option for option in options if option.action == moment.advised.action), None)
        yield Replayed(number, moment, decision, then=then)


def read_again(fight: KeptFight, folder: Path, profile: PlayerProfile) -> Iterator[Reread]:
    """Yields what is read today off each picture that was kept of a fight, each by itself.

    What was known from the frames between is not known here; so only what a picture shows is compared.
    """
    for number, moment in enumerate(fight.moments, 1):
        if not moment.picture:
            continue
        try:
            frame = image_frame(folder / moment.picture)
        except ImageError as error:
            yield Reread(number, (error_text(error),))
            continue
        reread = StateTracker(profile).update(frame)
        if reread.state is None:
            yield Reread(number, (reread.withheld or say("no state of the fight"),))
        else:
            yield Reread(number, tuple(differences(moment.state, reread.state)))


def differences(then: FightState, now: FightState) -> Iterator[str]:
    """Yields what two states of the same moment differ in of what a picture shows, in a few words each."""
    if then.turn != now.turn:
        yield say("round {then} -> {now}", then=then.turn, now=now.turn)
    if then.map.cells != now.map.cells:
        cells = sum(1 for a, b in zip(then.map.cells, now.map.cells, strict=True) if a != b)
        yield say("the map in {number} of {all} cells", number=cells, all=len(then.map.cells))
    before = {(fighter.team, fighter.cell): fighter for fighter in then.fighters if fighter.alive}
    after = {(fighter.team, fighter.cell): fighter for fighter in now.fighters if fighter.alive}
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            present = old or new
            assert present is not None
            text = say("{name} on {cell}: not seen", name=present.name, cell=present.cell)
            there = say("{name} on {cell}: not there then", name=present.name, cell=present.cell)
            yield text if new is None else there
            continue
        own = old.id == then.actor.id
        facts = [(fact, getattr(old, fact), getattr(new, fact)) for fact in _FACTS if own]
        for fact, was, now_is in facts:
            if was != now_is:
                values = {"fact": _FACTS[fact], "name": old.name, "then": was, "now": now_is}
                yield say("{fact} of {name} {then} -> {now}", **values)
        if not own and abs(old.hp / old.max_hp - new.hp / new.max_hp) > _NEAR:
            shares = {"then": old.hp / old.max_hp, "now": new.hp / new.max_hp}
            yield say("HP of {name} {then:.0%} -> {now:.0%}", name=old.name, **shares)

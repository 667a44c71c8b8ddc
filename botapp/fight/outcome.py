"""What a cast may be expected to do to each fighter, without dice and without writing anything down."""

from dataclasses import dataclass

from botapp.fight.core import expected as answers
from botapp.fight.core.capacity import fault, numbers_of
from botapp.fight.core.content import STAT_WORDS
from botapp.fight.core.fight import Fight, Gift
from botapp.fight.core.requests import EXPECT
from botapp.fight.spells import Buff, Spell
from botapp.fight.state import Fighter
from botapp.fight.workspace import Workspace


@dataclass(slots=True)
class Outcome:
    """What a cast is expected to do to one fighter, in HP, AP and MP; all of it 0 or more.

    `damage` counts what a shield would take and may exceed the HP left; `heal` is what is really given back.

    Attributes:
        ap_gain, mp_gain: points won by theft; what buffs give is in `buffs`.
        moved: cells it is pushed or pulled over.
        cell: where that or a teleport takes it, -1 where it stays.
        buffs: stats changed and states given, amounts as rounded means.
    """

    damage: float = 0.0
    heal: float = 0.0
    shield: float = 0.0
    ap: float = 0.0
    mp: float = 0.0
    ap_gain: float = 0.0
    mp_gain: float = 0.0
    moved: int = 0
    cell: int = -1
    buffs: tuple[Buff, ...] = ()
    marks: int = 0
    summons: int = 0


Outcomes = dict[int, Outcome]


def outcomes(desk: Workspace, caster: Fighter, spell: Spell, target: int) -> Outcomes:
    """Returns what the spell is expected to do when cast at a cell, by fighter id.

    Each effect is looked at by itself, from the state as it is; what traps on the way do is left out.
    """
    s, e = desk.s, desk.e
    desk.ask(EXPECT, desk.number(caster), desk.slot(caster, spell), target)
    fault(s)
    ids = [fighter.id for fighter in desk.parts.state.fighters]
    rows = [
        list(map(float, e[at : at + answers.OUTCOME]))
        for at in range(0, len(ids) * answers.OUTCOME, answers.OUTCOME)
    ]
    reached = [number for number in range(len(ids)) if rows[number][answers.E_PLACE]]
    reached.sort(key=lambda number: rows[number][answers.E_PLACE])
    by_id = {ids[number]: _outcome(rows[number]) for number in reached}
    gifts = numbers_of(s, Fight.word("gifts"), int(desk.fight.gift_count) * Gift.SIZE)
    states = desk.parts.book.content.states
    for at in range(0, len(gifts), Gift.SIZE):
        on, turns, stat, amount, state = gifts[at : at + Gift.SIZE]
        given = None if state < 0 else states[state]
        by_id[ids[on]].buffs += (Buff(caster.id, turns, STAT_WORDS[stat], amount, given),)
    return by_id


def _outcome(row: list[float]) -> Outcome:
    _, damage, heal, shield, ap, mp, ap_gain, mp_gain, moved, cell, marks, summons = row
    return Outcome(
        damage, heal, shield, ap, mp, ap_gain, mp_gain, int(moved), int(cell), (), int(marks), int(summons)
    )

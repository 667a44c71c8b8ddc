"""What a cast may be expected to do to each fighter, without dice and without writing anything down.

Next hop: the advisor's features and the labels.
"""

from dataclasses import dataclass

from botapp.fight import damage
from botapp.fight.buffs import most_ap, most_mp
from botapp.fight.marks import trap_cells
from botapp.fight.push import pulled, pushed
from botapp.fight.sight import terrain
from botapp.fight.spells import Buff, Effect, EffectKind, Spell
from botapp.fight.state import Fighter, FightState, State
from botapp.fight.targets import reached


@dataclass(slots=True)
class Outcome:
    """What a cast is expected to do to one fighter, in HP, AP and MP; all of it 0 or more.

    `damage` counts what a shield would take and may exceed the HP left; `heal` is what is really given back.

    Attributes:
        ap, mp: points taken away.
        ap_gain, mp_gain: points won by theft; what buffs give is in `buffs`.
        moved: cells it is pushed or pulled over.
        cell: where that or a teleport takes it, -1 where it stays.
        buffs: stats changed and states given, amounts as rounded means.
        marks: glyphs and traps it lays.
        summons: fighters it calls.
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


def outcomes(state: FightState, caster: Fighter, spell: Spell, target: int) -> Outcomes:
    """Returns what the spell is expected to do when cast at a cell, by fighter id.

    Each effect is looked at by itself, from the state as it is; what traps on the way do is left out.
    """
    found: Outcomes = {}
    for effect in spell.effects:
        kind = effect.kind
        if kind is EffectKind.GLYPH or kind is EffectKind.TRAP:
            _of(found, caster).marks += 1
        elif kind is EffectKind.SUMMON:
            _of(found, caster).summons += 1
        elif kind is EffectKind.TELEPORT:
            _of(found, caster).cell = target
        else:
            for reached_one, steps in reached(state, caster, effect, target):
                mean = damage.expected_amount(effect, spell, caster, reached_one, steps)
                _add(found, state, effect, caster, reached_one, mean, target)
    return found


def _of(found: Outcomes, fighter: Fighter) -> Outcome:
    outcome = found.get(fighter.id)
    if outcome is None:
        outcome = found[fighter.id] = Outcome()
    return outcome


def _add(
    found: Outcomes,
    state: FightState,
    effect: Effect,
    caster: Fighter,
    target: Fighter,
    mean: float,
    centre: int,
) -> None:
    """Adds what one effect is expected to do to one fighter, `mean` being its mean amount."""
    kind = effect.kind
    outcome = _of(found, target)
    if kind is EffectKind.DAMAGE or kind is EffectKind.STEAL:
        if target.buffs and target.has(State.INVULNERABLE):
            return
        outcome.damage += mean
        if kind is EffectKind.STEAL:
            own = _of(found, caster)
            taken = max(0.0, min(mean - target.shield, target.hp))
            own.heal = min(own.heal + taken / 2, caster.max_hp - caster.hp)
    elif kind is EffectKind.HEAL:
        outcome.heal = min(outcome.heal + mean, target.max_hp - target.hp)
    elif kind is EffectKind.SHIELD:
        outcome.shield += mean
    elif kind is EffectKind.REMOVE_AP or kind is EffectKind.STEAL_AP:
        gone = damage.expected_removed(mean, caster, target, target.ap, target.base_ap)
        outcome.ap += gone
        if kind is EffectKind.STEAL_AP:
            _of(found, caster).ap_gain += max(0.0, min(gone, most_ap(caster) - caster.ap))
    elif kind is EffectKind.REMOVE_MP or kind is EffectKind.STEAL_MP:
        gone = damage.expected_removed(mean, caster, target, target.mp, target.base_mp)
        outcome.mp += gone
        if kind is EffectKind.STEAL_MP:
            _of(found, caster).mp_gain += max(0.0, min(gone, most_mp(caster) - caster.mp))
    elif kind is EffectKind.BUFF:
        outcome.buffs += (Buff(caster.id, effect.turns, effect.stat, round(mean)),)
    elif kind is EffectKind.STATE:
        outcome.buffs += (Buff(caster.id, effect.turns, state=effect.state),)
    else:
        _moved(found, state, effect, caster, target, round(mean), centre)


def _moved(
    found: Outcomes,
    state: FightState,
    effect: Effect,
    caster: Fighter,
    target: Fighter,
    cells: int,
    centre: int,
) -> None:
    """Adds where a push or a pull takes the target, and the damage of the impact."""
    traps = trap_cells(state)
    plan = pushed if effect.kind is EffectKind.PUSH else pulled
    walkable = terrain(state.map.cells).walkable
    course = plan(caster, target, centre, cells, state.fighters, walkable, traps.__contains__)
    if course.path:
        outcome = _of(found, target)
        outcome.moved += len(course.path)
        outcome.cell = course.path[-1]
    for struck, dose in course.hits:
        one = state.fighter(struck)
        if not one.has(State.INVULNERABLE):
            _of(found, one).damage += dose

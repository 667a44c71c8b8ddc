"""What each kind of effect does to a draft: to the fighters it reaches, or to the board itself.

Traps are sprung here, as moving is what springs them; their payload is made of effects again.
Next hop: `botapp.fight.rules` resolves whole casts with it, `botapp.fight.turns` the glyphs.
"""

from typing import NamedTuple

from botapp.fight import damage
from botapp.fight.buffs import most_ap, most_mp, take_on, without
from botapp.fight.draft import Draft
from botapp.fight.marks import laid
from botapp.fight.push import pulled, pushed
from botapp.fight.spells import Affects, Buff, Effect, EffectKind, Shape, Spell, State
from botapp.fight.state import Fighter, FightState, Mark, MarkKind
from botapp.fight.summons import call
from botapp.fight.targets import among, meant, reached

ON_THE_BOARD = (EffectKind.TELEPORT, EffectKind.GLYPH, EffectKind.TRAP, EffectKind.SUMMON)
"""Effects that act on the target cell, whoever stands there."""


class EffectSource(NamedTuple):
    """Where effects come from.

    Attributes:
        caster: id of who cast the spell, or laid the glyph or trap.
        origin: the cell it was cast from.
        centre: the cell it was cast at, or the mark's centre.
        name: of the spell.
        crit_bonus: what a critical hit adds to dice counted in HP.
        chance: of a critical hit in percent, for the means.
        critical: whether it is one.
    """

    caster: int
    origin: int
    centre: int
    name: str
    crit_bonus: int = 0
    chance: int = 0
    critical: bool = False


def resolve(draft: Draft, state: FightState, caster: Fighter, spell: Spell, target: int) -> None:
    """Writes down what a cast does. Whom its effects reach is settled before the first of them acts."""
    chance = damage.crit_chance(spell, caster)
    critical = draft.rng is not None and chance > 0 and draft.rng.random() * 100 < chance
    source = EffectSource(caster.id, caster.cell, target, spell.name, spell.crit_bonus, chance, critical)
    for effect in spell.effects:
        if effect.kind in ON_THE_BOARD:
            change_board(draft, effect, source)
        else:
            for standing, steps in reached(state, caster, effect, target):
                strike(draft, effect, source, standing.id, steps)


def change_board(draft: Draft, effect: Effect, source: EffectSource) -> None:
    """Writes down what an effect does to the target cell; it does nothing once its caster is dead."""
    caster = draft.fighters[source.caster]
    if caster.hp <= 0:
        return
    kind = effect.kind
    if kind is EffectKind.GLYPH or kind is EffectKind.TRAP:
        mark = laid(effect, caster.id, source.origin, source.centre, draft.ground.walkable, source.name)
        draft.marks = (*draft.marks, mark)
    elif draft.free(source.centre):
        if kind is EffectKind.TELEPORT:
            draft.put(caster.changed(cell=source.centre))
            spring(draft, caster.id)
        elif effect.summon is not None:
            spring(draft, call(draft, caster, effect.summon, source.centre).id)


def strike(draft: Draft, effect: Effect, source: EffectSource, target_id: int, steps: int) -> None:
    """Writes down what an effect does to one fighter `steps` from the centre; nothing to the dead.

    Buffs and states last as long as who gave them lives: the dead give none.
    """
    target = draft.fighters[target_id]
    if target.hp <= 0:
        return
    kind = effect.kind
    caster = draft.fighters[source.caster]
    if kind is EffectKind.DAMAGE:
        draft.hurt(target_id, _dose(draft, effect, source, caster, target, steps))
    elif kind is EffectKind.STEAL:
        lost = draft.hurt(target_id, _dose(draft, effect, source, caster, target, steps))
        thief = draft.fighters[source.caster]
        if thief.hp > 0:
            draft.put(thief.changed(hp=min(thief.max_hp, thief.hp + lost // 2)))
    elif kind is EffectKind.HEAL:
        dose = _dose(draft, effect, source, caster, target, steps)
        draft.put(target.changed(hp=min(target.max_hp, target.hp + dose)))
    elif kind is EffectKind.SHIELD:
        dose = _dose(draft, effect, source, caster, target, steps)
        draft.put(target.changed(shield=target.shield + dose))
    elif kind is EffectKind.PUSH or kind is EffectKind.PULL:
        _move(draft, effect, source, caster, target)
    elif kind is EffectKind.BUFF or kind is EffectKind.STATE:
        if caster.hp > 0:
            _give(draft, effect, source, caster, target)
    else:
        _remove(draft, effect, source, caster, target)


def _dose(
    draft: Draft, effect: Effect, source: EffectSource, caster: Fighter, target: Fighter, steps: int
) -> int:
    """Returns the effect's amount on one target, rolled or as its rounded mean."""
    if draft.rng is None:
        mean = damage.mean_amount(effect, source.crit_bonus, source.chance, caster, target, steps)
        return round(mean)
    low, high = damage.dice(effect, source.crit_bonus, source.critical)
    return damage.amount(effect, damage.rolled(low, high, draft.rng), caster, target, steps, source.critical)


def _give(draft: Draft, effect: Effect, source: EffectSource, caster: Fighter, target: Fighter) -> None:
    """Gives a state, or changes a stat where that makes a difference."""
    if effect.kind is EffectKind.STATE:
        draft.put(take_on(target, Buff(caster.id, effect.turns, state=effect.state)))
    elif dose := _dose(draft, effect, source, caster, target, 0):
        draft.put(take_on(target, Buff(caster.id, effect.turns, effect.stat, dose)))


def _remove(draft: Draft, effect: Effect, source: EffectSource, caster: Fighter, target: Fighter) -> None:
    """Takes AP or MP away, for the caster where it steals."""
    kind = effect.kind
    of_ap = kind is EffectKind.REMOVE_AP or kind is EffectKind.STEAL_AP
    left, base = (target.ap, target.base_ap) if of_ap else (target.mp, target.base_mp)
    if draft.rng is None:
        tries = damage.mean_amount(effect, source.crit_bonus, source.chance, caster, target, 0)
        gone = round(damage.expected_removed(tries, caster, target, left, base))
    else:
        low, high = damage.dice(effect, source.crit_bonus, source.critical)
        gone = damage.removed(damage.rolled(low, high, draft.rng), caster, target, left, base, draft.rng)
    draft.put(target.changed(ap=left - gone) if of_ap else target.changed(mp=left - gone))
    if kind is EffectKind.STEAL_AP or kind is EffectKind.STEAL_MP:
        thief = draft.fighters[source.caster]
        if thief.hp > 0 and of_ap:
            draft.put(thief.changed(ap=max(thief.ap, min(most_ap(thief), thief.ap + gone))))
        elif thief.hp > 0:
            draft.put(thief.changed(mp=max(thief.mp, min(most_mp(thief), thief.mp + gone))))


def _move(draft: Draft, effect: Effect, source: EffectSource, caster: Fighter, target: Fighter) -> None:
    """Pushes or pulls the target, hurts who is in the way, and springs the trap it is moved into."""
    cells = _dose(draft, effect, source, caster, target, 0)
    plan = pushed if effect.kind is EffectKind.PUSH else pulled
    course = plan(
        caster,
        target,
        source.centre,
        cells,
        draft.fighters.values(),
        draft.ground.walkable,
        lambda cell: _trap_on(draft.marks, cell) is not None,
    )
    if course.path:
        draft.put(target.changed(cell=course.path[-1]))
    for struck, dose in course.hits:
        draft.hurt(struck, dose)
    if course.path:
        spring(draft, target.id)


def _trap_on(marks: tuple[Mark, ...], cell: int) -> Mark | None:
    return next((mark for mark in marks if mark.kind is MarkKind.TRAP and cell in mark.cells), None)


def spring(draft: Draft, fighter_id: int) -> None:
    """Springs the traps on the cell where a fighter has just come, the oldest first, as long as it stays."""
    cell = draft.fighters[fighter_id].cell
    while draft.marks and (trap := _trap_on(draft.marks, cell)) is not None:
        here = draft.fighters[fighter_id]
        if here.hp <= 0 or here.cell != cell:
            return
        draft.marks = tuple(mark for mark in draft.marks if mark is not trap)
        _act(draft, trap, here)


def _act(draft: Draft, mark: Mark, victim: Fighter) -> None:
    """Writes down what a mark's payload does once a fighter has sprung it or begun its turn in it."""
    source = EffectSource(mark.owner, draft.fighters[mark.owner].cell, mark.cell, mark.name)
    for effect in mark.payload:
        for struck, steps in _reached_by(draft, effect, mark, victim):
            strike(draft, effect, source, struck, steps)


def _reached_by(draft: Draft, effect: Effect, mark: Mark, victim: Fighter) -> list[tuple[int, int]]:
    """Returns whom an effect of a mark's payload reaches, as (fighter id, steps from the mark's centre).

    A glyph acts on the victim alone; so does a trap's effect without an area.
    """
    owner = draft.fighters[mark.owner]
    if effect.affects is not Affects.CASTER and (mark.kind is MarkKind.GLYPH or effect.shape is Shape.POINT):
        return [(victim.id, 0)] if meant(effect, owner, victim) else []
    return [
        (f.id, steps) for f, steps in among(draft.fighters.values(), owner, effect, mark.cell, owner.cell)
    ]


def begin_in(draft: Draft, fighter_id: int) -> None:
    """Lets the glyphs act in which a fighter begins its turn, the oldest first."""
    cell = draft.fighters[fighter_id].cell
    for glyph in draft.marks:
        if glyph.kind is MarkKind.GLYPH and cell in glyph.cells and glyph in draft.marks:
            _act(draft, glyph, draft.fighters[fighter_id])


def reveal(draft: Draft, fighter_id: int) -> None:
    """Ends a fighter's invisibility."""
    fighter = draft.fighters[fighter_id]
    if fighter.has(State.INVISIBLE):
        kept = tuple(buff for buff in fighter.buffs if buff.state is not State.INVISIBLE)
        draft.put(without(fighter, kept, ()))

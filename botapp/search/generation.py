"""The actions a search considers: casts that do something to somebody, and places to cast from.

Every kind of spell has its aims: fighters for what hurts and helps, the ground near the enemies for traps,
glyphs and summons, a few cells near and far for jumps. Next hop: `botapp.arena.players` weighs them by what
comes of them, `botapp.search.turn` tries them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from botapp.fight.actions import Cast
from botapp.fight.board import CELLS, ROW_LENGTH, distance
from botapp.fight.casting import aims, hindrance, max_range, spent_on
from botapp.fight.rules import casts_of
from botapp.fight.shapes import area, area_mask, ring
from botapp.fight.sight import BITS, cells_of, mask_of, terrain
from botapp.fight.spells import Affects, Effect, EffectKind, Shape, Spell, State
from botapp.fight.state import Fighter, FightState
from botapp.fight.targets import helps
from botapp.search.identity_cache import IdentityCache

_HURTING = frozenset({EffectKind.DAMAGE, EffectKind.STEAL})
_MOVING = frozenset({EffectKind.PUSH, EffectKind.PULL})
_ROUND = frozenset({Shape.POINT, Shape.CIRCLE, Shape.CROSS, Shape.SQUARE, Shape.RING})
_JUMPS = 8
_BETWEEN = 5
_SUMMONS = 4
_TRAPS = 4


_EVEN = mask_of(c for c in range(CELLS) if not c // ROW_LENGTH % 2 and c % ROW_LENGTH)
_ODD = mask_of(c for c in range(CELLS) if c // ROW_LENGTH % 2 and c % ROW_LENGTH < ROW_LENGTH - 1)


@dataclass(frozen=True, slots=True)
class Use:
    """What a spell is for.

    Attributes:
        harms: areas, as (shape, radius), in which enemies are to stand.
        helps: areas in which the own side is to stand.
        hurts: whether it takes HP.
        itself: whether it does something to the caster wherever it is aimed.
        jumps, calls, traps: whether it teleports, summons, lays traps.
        moves: whether it pushes or pulls, so that the side it comes from matters.
        wide: whether any of its areas is more than a cell.
    """

    harms: tuple[tuple[Shape, int], ...]
    helps: tuple[tuple[Shape, int], ...]
    hurts: bool
    itself: bool
    jumps: bool
    calls: bool
    traps: bool
    moves: bool
    wide: bool


_uses: IdentityCache[int, Use] = IdentityCache()
_MOST_USES = 1 << 12


def use_of(spell: Spell) -> Use:
    """Returns what a spell is for; worked out once for each spell object."""
    known = _uses.get(id(spell))
    if known is None:
        if len(_uses) >= _MOST_USES:
            _uses.clear()
        known = _uses.keep(id(spell), _use(spell), spell)
    return known


def _use(spell: Spell) -> Use:
    harms: dict[tuple[Shape, int], None] = {}
    good: dict[tuple[Shape, int], None] = {}
    itself = False
    kinds = {effect.kind for effect in spell.effects}
    for effect in spell.effects:
        if effect.kind in (EffectKind.TELEPORT, EffectKind.SUMMON, EffectKind.TRAP):
            continue
        if effect.affects is Affects.CASTER:
            itself = True
        elif effect.kind is EffectKind.GLYPH:
            for does in effect.payload:
                _aim(does, harms, good)[effect.shape, effect.radius] = None
        else:
            _aim(effect, harms, good)[effect.shape, effect.radius] = None
    return Use(
        harms=tuple(harms),
        helps=tuple(good),
        hurts=bool(kinds & _HURTING),
        itself=itself,
        jumps=EffectKind.TELEPORT in kinds,
        calls=EffectKind.SUMMON in kinds,
        traps=EffectKind.TRAP in kinds,
        moves=bool(kinds & _MOVING),
        wide=any(shape is not Shape.POINT for shape, _ in (*harms, *good)),
    )


def _aim(
    effect: Effect, harms: dict[tuple[Shape, int], None], good: dict[tuple[Shape, int], None]
) -> dict[tuple[Shape, int], None]:
    """Returns the set of areas that an effect's own area belongs to."""
    if effect.affects is Affects.ENEMIES:
        return harms
    if effect.affects in (Affects.TEAM, Affects.ALLIES):
        return good
    return good if helps(effect) else harms


def spread(goal: int, walkable: int, most: int = CELLS) -> list[int]:
    """Returns the sets of cells within 0, 1, 2 ... steps of the set `goal`, until it grows no more.

    Args:
        goal: set of cells to start from.
        walkable: set of the cells to walk on.
        most: steps at most.
    """
    levels = [goal]
    edge = goal
    while len(levels) <= most:
        even, odd = edge & _EVEN, edge & _ODD
        near = edge << ROW_LENGTH | edge >> ROW_LENGTH
        near |= (
            even << ROW_LENGTH - 1 | even >> ROW_LENGTH + 1 | odd << ROW_LENGTH + 1 | odd >> ROW_LENGTH - 1
        )
        edge = near & walkable & ~levels[-1]
        if not edge:
            break
        levels.append(levels[-1] | edge)
    return levels


def sides(state: FightState, team: int) -> tuple[list[Fighter], list[Fighter]]:
    """Returns the living fighters of a team, and those of the other one."""
    own: list[Fighter] = []
    foes: list[Fighter] = []
    for fighter in state.fighters:
        if fighter.hp > 0:
            (own if fighter.team == team else foes).append(fighter)
    return own, foes


def sensible_casts(state: FightState) -> Iterator[tuple[Spell, Cast]]:
    """Yields the current actor's legal casts that may have a useful effect."""
    actor = state.actor
    own, foes = sides(state, actor.team)
    open_to = aims(state, actor)
    for spell in actor.spells:
        aim = open_to.get(spell.key, 0)
        if aim:
            casts = casts_of(spell.key)
            for cell in _aims(actor, spell, aim, own, foes):
                yield spell, casts[cell]


def _aims(actor: Fighter, spell: Spell, aim: int, own: list[Fighter], foes: list[Fighter]) -> list[int]:
    """Returns the cells where a cast reaches somebody it is meant for, among the cells `aim`."""
    use = use_of(spell)
    mask = _covering(use, own, foes) & aim
    cells = list(cells_of(mask))
    if use.wide and len(cells) > 1:
        cells = _distinct(actor, spell, use, cells, [*own, *foes])
    if use.jumps or use.calls or use.traps:
        cells += [cell for cell in _ground(actor, use, aim, foes) if cell not in cells]
    elif use.itself and not cells:
        cells.append(actor.cell if aim >> actor.cell & 1 else (aim & -aim).bit_length() - 1)
    return cells


def _distinct(actor: Fighter, spell: Spell, use: Use, cells: list[int], fighters: list[Fighter]) -> list[int]:
    """Returns one cell for each set of fighters that the spell's areas can reach."""
    kept: dict[tuple[tuple[int, int, int, int], ...], int] = {}
    areas = (*use.harms, *use.helps)
    for cell in cells:
        reached = tuple(
            (index, fighter.id, steps, _side(cell, fighter.cell) if use.moves else 0)
            for index, (shape, radius) in enumerate(areas)
            for covered in (area(shape, radius, actor.cell, cell),)
            for fighter in fighters
            if (steps := covered.get(fighter.cell)) is not None
        )
        if reached:
            kept.setdefault(reached, cell)
    return list(kept.values())


def _side(centre: int, cell: int) -> int:
    """Returns which way a push from the centre goes, as far as it takes to tell two pushes apart."""
    return 0 if centre == cell else cell - centre


def _ground(actor: Fighter, use: Use, aim: int, foes: list[Fighter]) -> list[int]:
    """Returns free cells for a jump, a summon or a trap."""
    cells = (
        sorted(cells_of(aim), key=lambda cell: (min(distance(cell, foe.cell) for foe in foes), cell))
        if foes
        else list(cells_of(aim))
    )
    if use.jumps:
        step = max(1, len(cells) // _JUMPS)
        return cells[: _JUMPS // 2] + cells[_JUMPS // 2 :: step]
    return cells[:_TRAPS] if use.traps else cells[:_SUMMONS]


@dataclass(frozen=True, slots=True)
class Stand:
    """A spell aimed at a cell, and the places from which that is possible.

    Attributes:
        spell: the spell.
        aim: the cell to aim it at; None for the caster's own cell, wherever that is.
        origins: set of the cells to cast it from.
    """

    spell: Spell
    aim: int | None
    origins: int


def stands(state: FightState, actor: Fighter) -> Iterator[Stand]:
    """Yields from where the actor could reach whom with the spells that it can cast.

    Sight is as symmetric as the rules have it, so what is seen from the aim is taken; the actor itself is
    in nobody's way. Jumps, traps and summons are left out.
    """
    own, foes = sides(state, actor.team)
    own = [friend for friend in own if friend.id != actor.id]
    ground = terrain(state.map.cells)
    blocking = mask_of(f.cell for f in (*own, *foes) if not f.has(State.INVISIBLE))
    for spell in actor.spells:
        use = use_of(spell)
        if use.jumps or use.calls or use.traps or hindrance(actor, spell, state):
            continue
        far = max_range(actor, spell)
        if far == 0:
            origins = _covering(use, own, foes) & ground.walkable
            if origins and not spent_on(actor, spell, actor.id):
                yield Stand(spell, None, origins)
            continue
        for aim in _targets(actor, spell, use, own, foes, ground.walkable):
            origins = ring(aim, spell.min_range, far, spell.in_line, spell.on_diagonal)
            if spell.needs_sight:
                origins &= ground.view(aim, blocking & ~BITS[aim])
            origins &= ground.walkable
            if origins:
                yield Stand(spell, aim, origins)


def _covering(use: Use, own: list[Fighter], foes: list[Fighter]) -> int:
    """Returns the set of cells around which an area of the spell reaches somebody it is meant for."""
    mask = 0
    for areas, fighters in ((use.harms, foes), (use.helps, own)):
        for shape, radius in areas:
            for fighter in fighters:
                mask |= area_mask(shape, radius, fighter.cell)
    return mask


def _targets(
    actor: Fighter, spell: Spell, use: Use, own: list[Fighter], foes: list[Fighter], walkable: int
) -> list[int]:
    """Returns cells to aim at: those of the fighters it is meant for, and those between several of them."""
    meant = [*(foes if use.harms else ()), *(own if use.helps else ())]
    cells = [
        fighter.cell
        for fighter in meant
        if not spent_on(actor, spell, fighter.id)
        and not (fighter.team != actor.team and spell.needs_taken_cell and fighter.has(State.INVISIBLE))
    ]
    if spell.needs_free_cell:
        cells = []
    round_areas = all(shape in _ROUND for shape, _ in (*use.harms, *use.helps))
    if use.wide and round_areas and not spell.needs_taken_cell and len(meant) > 1:
        taken = mask_of(fighter.cell for fighter in (*own, *foes))
        between = list(cells_of(_covering(use, own, foes) & walkable & ~taken))
        several = _distinct(actor, spell, use, between, meant)
        several.sort(key=lambda cell: (-_count(use, cell, foes), _count(use, cell, own), cell))
        cells += several[:_BETWEEN]
    return cells


def _count(use: Use, cell: int, fighters: list[Fighter]) -> int:
    return sum(
        fighter.cell in area(shape, radius, cell, cell)
        for shape, radius in (*use.harms, *use.helps)
        for fighter in fighters
    )

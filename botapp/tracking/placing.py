"""Before the fight: the state in which a place is chosen, from a screen that shows the start cells."""

from dataclasses import replace

from botapp.fight.board import distance
from botapp.fight.order import turn_order
from botapp.fight.state import Fighter, FightMap, FightState
from botapp.tracking.bestiary import Bestiary
from botapp.tracking.fighters import FighterBuilder
from botapp.tracking.identity import OWN_TEAM, PLAYER_ID, identified
from botapp.tracking.memory import Memory
from botapp.tracking.spellbook import Spellbook
from vision.view import FightView, Seen

_CLEARLY = 1  # How many cells nearer each fighter must stand to its own side's start cells

Starts = frozenset[int]


def own_starts(view: FightView) -> tuple[Starts, Starts] | None:
    """Returns the free start cells of the player's side and of the others, None where that is not clear.

    The colour is that of the cell under the player. Where fighters hide what they stand on, each of them must
    be nearer to the cells of its own side; some clients light only one side's.
    """
    red, blue = (view.highlights.get(name, frozenset()) for name in ("red_start", "blue_start"))
    own = view.own_cell
    if (own in red) != (own in blue):
        return (red, blue) if own in red else (blue, red)
    ours = [seen.cell for seen in (view.player, *view.allies) if seen is not None and seen.cell is not None]
    theirs = [seen.cell for seen in view.enemies if seen.cell is not None]
    if not ours or not theirs:
        return None
    for own_side, not_own in ((red, blue), (blue, red)):
        if own_side and _stand_apart(ours, theirs, own_side, not_own):
            return own_side, not_own
    return None


def _stand_apart(ours: list[int], theirs: list[int], own_side: Starts, not_own: Starts) -> bool:
    """Tells whether each fighter stands clearly nearer to its side's cells; `other` may not be lit."""
    if not_own:
        leads = [_nearest(cell, not_own) - _nearest(cell, own_side) for cell in ours]
        leads += [_nearest(cell, own_side) - _nearest(cell, not_own) for cell in theirs]
        return min(leads) >= _CLEARLY
    farthest = max(_nearest(cell, own_side) for cell in ours)
    return min(_nearest(cell, own_side) for cell in theirs) - farthest >= _CLEARLY


def choosing(view: FightView, spellbook: Spellbook, bestiary: Bestiary, memory: Memory) -> FightState | None:
    """Returns the state in which the player chooses a place, the player being its actor.

    Args:
        view: what was read; the player's cell and HP are among it.
        memory: of the frames before; only the board is taken from it.

    Returns:
        None where it is not clear which start cells are the player's.
    """
    assert view.player is not None and view.player.cell is not None
    starts = own_starts(view)
    if starts is None:
        return None
    ours, theirs = starts
    cells = memory.ground.read(view, memory.sightings)
    mp = view.mp if view.mp.value is not None else Seen(spellbook.base_mp, 1.0)
    bare = replace(view, spells=(), mp=mp)
    builder = FighterBuilder(bare, spellbook, bestiary, Memory(), cells)
    fresh = tuple((spell.key, spell.initial_cooldown) for spell in spellbook.spells if spell.initial_cooldown)
    others = [builder.not_own(seen) for seen in identified(view) if seen.cell is not None]
    fighters: tuple[Fighter, ...] = (replace(builder.player(Memory()), cooldowns=fresh), *others)
    order = turn_order(fighters)
    ground = FightMap("seen", cells, tuple(sorted(ours | {view.player.cell})), tuple(sorted(theirs)))
    assert fighters[0].team == OWN_TEAM
    return FightState(ground, fighters, order, order.index(PLAYER_ID), 1, placing=True)


def _nearest(cell: int, cells: Starts) -> int:
    return min(distance(cell, not_own) for not_own in cells)

"""The fight as the actor sees it: where it can go, what it can do from there, what can be done to it there.

Everything that attention would have to find out about the board is worked out here by the rules, once a
state. Next hop: `botapp.advisor.candidates` lists what may be done, `botapp.advisor.features` puts it in
tokens.
"""

from dataclasses import dataclass

import numpy as np

from botapp.advisor.geometry import DISTANCE, Ints, Screen
from botapp.advisor.threat import Assault, Floats, Prospect, cells_array, full_damage
from botapp.fight.board import neighbours
from botapp.fight.paths import UNREACHED, Walk, grips, walking_distances, walks
from botapp.fight.sight import terrain
from botapp.fight.state import Fighter, FightState

FAR = 40
"""Walking distances are cut here, in cells."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the rules say about a state; rows of `cells` are the actor's own cell first, then those in reach.

    Attributes:
        state: the fight.
        actor: whose turn it is.
        enemies, allies: the others alive.
        cells: where the actor can stand this turn, (C,).
        ways: how it gets there, in the order of `cells`, the first being no walk at all.
        mp, ap: what is left there, (C,).
        danger: mean damage each enemy can do to the actor on each cell in its next turn, (E, C), in HP.
        hits: mean damage the actor can do to each enemy from each cell with the AP left there, (C, E), in HP.
        assaults: the actor against each enemy, in the order of `enemies`.
        walk: steps from each cell to be next to each enemy, (C, E), `FAR` at most.
        spotted: whether each enemy sees each cell from where it stands, (E, C).
        grip: the share of MP kept on leaving each cell, (C,).
        worst: mean damage of each enemy's whole turn if everything reached, (E,), in HP.
        prospect: what the actor may hope for next turn.
        strike: mean damage of the actor's whole turn on each enemy if everything reached, (E,), in HP.
    """

    state: FightState
    actor: Fighter
    enemies: tuple[Fighter, ...]
    allies: tuple[Fighter, ...]
    cells: Ints
    ways: tuple[Walk, ...]
    mp: Ints
    ap: Ints
    danger: Floats
    hits: Floats
    assaults: tuple[Assault, ...]
    walk: Floats
    spotted: Floats
    grip: Floats
    worst: Floats
    strike: Floats
    prospect: Prospect

    def retreat(self, row: int, mp: int, spared: frozenset[int] = frozenset()) -> float:
        """Returns the least danger within `mp` steps of a row's cell, enemies `spared` left out."""
        near = DISTANCE[self.cells[row], self.cells] <= mp
        rows = [index for index in range(len(self.enemies)) if index not in spared]
        return float(self.danger[rows].sum(axis=0)[near].min()) if rows else 0.0


def look(state: FightState) -> Outlook:
    """Works out what the rules say about the current actor's options."""
    actor = state.actor
    living = sorted((f for f in state.fighters if f.hp > 0), key=lambda f: f.id)
    enemies = tuple(f for f in living if f.team != actor.team)
    allies = tuple(f for f in living if f.team == actor.team and f.id != actor.id)
    ways = (Walk((), actor.mp, actor.ap), *walks(state, actor).values())
    cells = cells_array([actor.cell, *(way.path[-1] for way in ways[1:])])
    mp = cells_array(way.mp for way in ways)
    ap = cells_array(way.ap for way in ways)
    taken = [f.cell for f in living if f.id != actor.id]
    ground = terrain(state.map.cells)
    standing = cells_array(f.cell for f in enemies)
    held = grips(state, actor)

    screen = Screen(state.map.cells, taken)
    assaults = tuple(
        Assault(actor, enemy, cells, standing[index : index + 1], screen)
        for index, enemy in enumerate(enemies)
    )
    hits = np.stack([assault.damage(ap)[:, 0] for assault in assaults], axis=1)
    danger = np.zeros((len(enemies), len(cells)))
    for index, enemy in enumerate(enemies):
        moving = Screen(state.map.cells, [cell for cell in taken if cell != enemy.cell])
        origins = cells_array([enemy.cell, *walks(state, enemy)])
        danger[index] = Assault(enemy, actor, origins, cells, moving).damage(enemy.ap).max(axis=0)
    steps = np.array([walking_distances(ground, enemy.cell) for enemy in enemies])
    walk = np.minimum(np.where(steps >= UNREACHED, FAR, steps), FAR)[:, cells].T.astype(float)
    spotted = np.stack([screen.sees(np.full(len(cells), cell), cells) for cell in standing]).astype(float)
    return Outlook(
        state=state,
        actor=actor,
        enemies=enemies,
        allies=allies,
        cells=cells,
        ways=ways,
        mp=mp,
        ap=ap,
        danger=danger,
        hits=hits,
        assaults=assaults,
        walk=walk,
        spotted=spotted,
        grip=np.array([held.get(int(cell), 1.0) for cell in cells]),
        worst=np.array([full_damage(enemy, actor, enemy.ap) for enemy in enemies]),
        prospect=Prospect(actor, enemies, state.map.cells),
        strike=np.array([full_damage(actor, enemy, actor.ap) for enemy in enemies]),
    )


def exits(outlook: Outlook) -> Floats:
    """Returns how many free cells are next to each of the actor's cells, (C,)."""
    ground = terrain(outlook.state.map.cells)
    taken = {f.cell for f in (*outlook.enemies, *outlook.allies)}
    free: Floats = np.array(
        [
            sum(1 for n in neighbours(int(c)) if ground.walkable >> n & 1 and n not in taken)
            for c in outlook.cells
        ],
        float,
    )
    return free

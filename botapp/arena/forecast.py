"""What the next turn may bring, estimated for one decision: the enemies' reply and the actor's prospects.

During the actor's turn its enemies stay where they are, so what depends on their cells is worked out once:
where each can hit, and from where each can be hit. Next hop: `botapp.arena.search` scores states with it.
"""

from functools import lru_cache

from botapp.arena.worth import HURTING, KILL_BONUS, full_hp
from botapp.fight.board import CELLS
from botapp.fight.casting import max_range, ring
from botapp.fight.damage import expected_amount
from botapp.fight.paths import UNREACHED, walking_distances
from botapp.fight.sight import cells_of, terrain
from botapp.fight.state import Fighter, FightState, Spell

REPLY_WEIGHT = 0.5
OUTLOOK_WEIGHT = 0.5
NOW_WEIGHT = 0.85
WON = 2000.0

_Options = tuple[tuple[float, int, int], ...]


@lru_cache(maxsize=1 << 13)
def volley(options: _Options, ap: int) -> float:
    """Returns the most damage that `ap` action points buy.

    Args:
        options: what there is to cast, each as (damage in HP, cost in AP, how many times at most).
        ap: the action points to spend.
    """
    best = [0.0] * (ap + 1)
    for damage, cost, times in options:
        for _ in range(min(times, ap // max(1, cost))):
            for budget in range(ap, cost - 1, -1):
                best[budget] = max(best[budget], best[budget - cost] + damage)
    return max(best)


def _hurting(fighter: Fighter) -> list[tuple[Spell, int]]:
    """Returns the fighter's spells that hurt, with the radius of their widest effect."""
    return [
        (spell, max(effect.radius for effect in spell.effects))
        for spell in fighter.spells
        if any(effect.kind in HURTING for effect in spell.effects)
    ]


def _ring_of(fighter: Fighter, spell: Spell, radius: int, origin: int) -> int:
    low, high = max(0, spell.min_range - radius), max_range(fighter, spell) + radius
    return ring(origin, low, high, spell.in_line, spell.on_diagonal)


def _damage(caster: Fighter, spell: Spell, target: Fighter) -> float:
    return sum(
        expected_amount(effect, spell, caster, target, 0)
        for effect in spell.effects
        if effect.kind in HURTING
    )


def _times(spell: Spell) -> int:
    """Returns how often the spell can be cast at one target in a turn."""
    limits = [limit for limit in (spell.casts_per_turn, spell.casts_per_target) if limit]
    return 1 if spell.cooldown else min(limits, default=12)


class Forecast:
    """Scores states that come up during one turn, from the side of the fighter whose turn it is.

    Args:
        state: the fight as it is at the decision; all states scored must follow from it within the turn.
    """

    def __init__(self, state: FightState) -> None:
        actor = state.actor
        self._actor_id = actor.id
        self._team = actor.team
        self._ground = terrain(state.map.cells)
        self._enemies = {f.id: f for f in state.fighters if f.hp > 0 and f.team != actor.team}
        self._others = [f.cell for f in state.fighters if f.hp > 0 and f.id != actor.id]
        self._enemy_cells = {f.cell for f in self._enemies.values()}
        self._own_spells = _hurting(actor)
        self._aimed: dict[tuple[int, int], list[int]] = {}
        self._blows: dict[tuple[int, int, int, int], float] = {}
        self._hit_now: dict[int, list[int]] = {}
        self._ways: dict[int, list[list[int]]] = {}
        self._outlooks: dict[tuple[int, int, tuple[tuple[str, int], ...]], float] = {}
        self._steps = {
            id: walking_distances(self._ground, enemy.cell, self._enemy_cells)
            for id, enemy in self._enemies.items()
        }
        self._damages = {
            id: [_damage(actor, spell, enemy) for spell, _ in self._own_spells]
            for id, enemy in self._enemies.items()
        }

    def leaf(self, state: FightState) -> float:
        """Returns how good it is to end the turn in this state, in HP; more is better for the actor."""
        total, own_alive, enemy_alive = 0.0, False, False
        for fighter in state.fighters:
            if fighter.hp <= 0:
                continue
            value = fighter.hp + KILL_BONUS * full_hp(fighter)
            if fighter.team == self._team:
                own_alive = True
                total += value
            else:
                enemy_alive = True
                total -= value
        if not enemy_alive:
            return total + WON
        if not own_alive:
            return total - WON
        return total - REPLY_WEIGHT * self._reply(state) + OUTLOOK_WEIGHT * self._outlook(state)

    def promise(self, state: FightState) -> float:
        """Returns what the actor's remaining AP could still do from where it stands, in HP."""
        actor = state.actor
        best = 0.0
        if not actor.ap:
            return best
        closed = {key for key, _ in actor.cooldowns}
        for enemy in state.fighters:
            if enemy.hp <= 0 or enemy.team == self._team:
                continue
            masks = self._hit_now.get(enemy.id)
            if masks is None:
                masks = self._hit_now[enemy.id] = self._origins(actor, enemy, now=True)
            options = []
            for index, (spell, _) in enumerate(self._own_spells):
                if masks[index] >> actor.cell & 1 and spell.ap <= actor.ap and spell.key not in closed:
                    done = sum(1 for key, _ in actor.casts if key == spell.key)
                    if done < _times(spell):
                        options.append((self._damages[enemy.id][index], spell.ap, _times(spell) - done))
            lost = max(0.0, volley(tuple(options), actor.ap) - enemy.shield) if options else 0.0
            if lost >= enemy.hp:
                lost = enemy.hp + KILL_BONUS * full_hp(enemy)
            best = max(best, lost)
        return NOW_WEIGHT * best

    def _origins(self, actor: Fighter, enemy: Fighter, now: bool) -> list[int]:
        """Returns, for each hurting spell of the actor, the cells from which it hits the enemy.

        With `now` the fighters in the way count, else only the map does.
        """
        between = [cell for cell in self._others if cell != enemy.cell] if now else []
        seen = self._ground.visible(enemy.cell, between)
        masks = []
        for spell, radius in self._own_spells:
            mask = _ring_of(actor, spell, radius, enemy.cell) & self._ground.walkable
            masks.append(mask & seen if spell.needs_sight else mask)
        return masks

    def _reply(self, state: FightState) -> float:
        """Returns the HP that the enemies' next turns are expected to take, each at the one it hurts most."""
        suffered: dict[int, float] = {}
        own = [f for f in state.fighters if f.hp > 0 and f.team == self._team]
        for enemy in state.fighters:
            if enemy.hp <= 0 or enemy.team == self._team:
                continue
            aimed = self._aimed.get((enemy.id, enemy.mp))
            if aimed is None:
                aimed = self._aimed[enemy.id, enemy.mp] = self._threatened(enemy)
            worst, victim = 0.0, -1
            for fighter in own:
                bits = 0
                for index, mask in enumerate(aimed):
                    bits |= (mask >> fighter.cell & 1) << index
                if bits:
                    blow = self._blow(enemy, fighter, bits)
                    if blow > worst:
                        worst, victim = blow, fighter.id
            if victim >= 0:
                suffered[victim] = suffered.get(victim, 0.0) + worst
        total = 0.0
        for fighter in own:
            lost = max(0.0, suffered.get(fighter.id, 0.0) - fighter.shield)
            total += lost if lost < fighter.hp else fighter.hp + KILL_BONUS * full_hp(fighter)
        return total

    def _threatened(self, enemy: Fighter) -> list[int]:
        """Returns, for each hurting spell of an enemy, the cells it can hit after walking."""
        steps = self._steps[enemy.id]
        origins = [
            cell
            for cell in range(CELLS)
            if steps[cell] <= enemy.mp and (cell == enemy.cell or cell not in self._enemy_cells)
        ]
        closed = {key for key, _ in enemy.cooldowns}
        masks = []
        for spell, radius in _hurting(enemy):
            mask = 0
            if spell.key not in closed:
                for origin in origins:
                    hit = _ring_of(enemy, spell, radius, origin)
                    mask |= hit & self._ground.seen_from(origin) if spell.needs_sight else hit
            masks.append(mask)
        return masks

    def _blow(self, enemy: Fighter, target: Fighter, bits: int) -> float:
        """Returns the damage of an enemy's best turn at one target with the spells of the set `bits`."""
        key = (enemy.id, target.id, bits, enemy.ap)
        blow = self._blows.get(key)
        if blow is None:
            options = tuple(
                (_damage(enemy, spell, target), spell.ap, _times(spell))
                for index, (spell, _) in enumerate(_hurting(enemy))
                if bits >> index & 1
            )
            blow = self._blows[key] = volley(options, enemy.ap)
        return blow

    def _outlook(self, state: FightState) -> float:
        """Returns the damage the actor may hope to do next turn from where it stands."""
        actor = state.fighter(self._actor_id)
        best = 0.0
        for enemy in state.fighters:
            if enemy.hp > 0 and enemy.team != self._team:
                key = (actor.cell, enemy.id, actor.cooldowns)
                hope = self._outlooks.get(key)
                if hope is None:
                    hope = self._outlooks[key] = self._hope(actor, enemy)
                best = max(best, hope)
        return best

    def _hope(self, actor: Fighter, enemy: Fighter) -> float:
        ways = self._ways.get(enemy.id)
        if ways is None:
            origins = self._origins(actor, enemy, now=False)
            ways = self._ways[enemy.id] = [_spread(self._ground.steps, mask) for mask in origins]
        waiting = {key for key, turns in actor.cooldowns if turns > 1}
        open_spells = [
            (self._damages[enemy.id][index], spell.ap, _times(spell), ways[index][actor.cell])
            for index, (spell, _) in enumerate(self._own_spells)
            if spell.key not in waiting
        ]
        near = tuple((damage, ap, times) for damage, ap, times, way in open_spells if way <= actor.base_mp)
        hope = volley(near, actor.base_ap)
        if open_spells:
            way = min(way for *_, way in open_spells)
            whole = volley(tuple((damage, ap, times) for damage, ap, times, _ in open_spells), actor.base_ap)
            hope = max(hope, 0.8 * whole * actor.base_mp / max(1, actor.base_mp + way))
        return hope


def _spread(steps: tuple[tuple[int, ...], ...], goal: int) -> list[int]:
    """Returns the number of steps from each cell to the nearest cell of the set `goal`."""
    distances = [UNREACHED] * CELLS
    edge = list(cells_of(goal))
    for cell in edge:
        distances[cell] = 0
    count = 0
    while edge:
        count += 1
        further = []
        for cell in edge:
            for near in steps[cell]:
                if distances[near] == UNREACHED:
                    distances[near] = count
                    further.append(near)
        edge = further
    return distances

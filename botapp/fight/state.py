"""The state of a fight as values: spells, fighters, the map and whose turn it is.

Everything here is immutable and hashable; `botapp.fight.rules` makes new states out of old ones.
`hidden` facts of an enemy are filled by `botapp.advisor.situation` from a bestiary and named in `assumed`.
"""

from dataclasses import dataclass, field
from enum import Enum, IntFlag


class Element(Enum):
    """What a damage effect is made of; it picks the caster's stat and the target's resistance."""

    NEUTRAL = "neutral"
    EARTH = "earth"
    FIRE = "fire"
    WATER = "water"
    AIR = "air"


class EffectKind(Enum):
    """What one line of a spell does to whoever stands in its area."""

    DAMAGE = "damage"
    STEAL = "steal"
    HEAL = "heal"
    REMOVE_MP = "remove_mp"
    REMOVE_AP = "remove_ap"
    SHIELD = "shield"


class Shape(Enum):
    """The cells an effect covers around the target cell."""

    POINT = "point"
    CIRCLE = "circle"
    CROSS = "cross"
    LINE = "line"


class CellFlag(IntFlag):
    """What a map says of one of its cells; a cell with no flag is an obstacle."""

    NONE = 0
    WALKABLE = 1
    SIGHT = 2
    FLOOR = 3
    """Walkable and lets sight through; SIGHT alone is a hole."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One line of a spell: `low`..`high` is the dice range in the effect's own unit (HP, AP or MP)."""

    kind: EffectKind
    low: int
    high: int
    element: Element = Element.NEUTRAL
    shape: Shape = Shape.POINT
    radius: int = 0


@dataclass(frozen=True, slots=True)
class Spell:
    """What a fighter can cast. Ranges are in cells; `cooldown` is the interval in turns, 0 for none.

    `casts_per_turn` and `casts_per_target` are 0 where there is no limit; `crit` is in percent.
    """

    key: str
    name: str
    ap: int
    min_range: int
    max_range: int
    effects: tuple[Effect, ...]
    in_line: bool = False
    on_diagonal: bool = False
    needs_sight: bool = True
    needs_free_cell: bool = False
    needs_taken_cell: bool = False
    boostable_range: bool = False
    crit: int = 0
    crit_bonus: int = 0
    casts_per_turn: int = 0
    casts_per_target: int = 0
    cooldown: int = 0
    initial_cooldown: int = 0


@dataclass(frozen=True, slots=True)
class Stats:
    """A fighter's sheet: elemental stats, flat damage and resistances; resistances in percent by element."""

    strength: int = 0
    intelligence: int = 0
    chance: int = 0
    agility: int = 0
    power: int = 0
    damage: int = 0
    heals: int = 0
    wisdom: int = 0
    lock: int = 0
    flee: int = 0
    range: int = 0
    initiative: int = 0
    resistance: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    fixed_resistance: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Fighter:
    """Someone on the board. `team` 0 is the challengers (red cells), 1 the defenders (blue cells).

    `cooldowns` holds (spell key, turns left) for the spells that cannot be cast yet, `casts` what was cast
    this turn as (spell key, target fighter id or -1). `assumed` names the facts that nobody has seen.
    """

    id: int
    name: str
    kind: str
    team: int
    cell: int
    level: int
    hp: int
    max_hp: int
    ap: int
    mp: int
    base_ap: int
    base_mp: int
    spells: tuple[Spell, ...]
    stats: Stats = Stats()
    shield: int = 0
    eroded: int = 0
    cooldowns: tuple[tuple[str, int], ...] = ()
    casts: tuple[tuple[str, int], ...] = ()
    assumed: frozenset[str] = field(default_factory=frozenset)

    @property
    def alive(self) -> bool:
        """Tells whether the fighter still has HP."""
        return self.hp > 0


@dataclass(frozen=True, slots=True)
class FightMap:
    """560 cell flags (`CellFlag` values as bytes) and the start cells of both teams."""

    key: str
    cells: bytes
    red_starts: tuple[int, ...] = ()
    blue_starts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FightState:
    """A fight at one moment. `order` lists fighter ids by turn, `current` indexes into it.

    `turn` counts rounds from 1. Dead fighters stay in `fighters` with 0 HP and are skipped.
    """

    map: FightMap
    fighters: tuple[Fighter, ...]
    order: tuple[int, ...]
    current: int = 0
    turn: int = 1

    def fighter(self, fighter_id: int) -> Fighter:
        """Returns the fighter with this id.

        Raises:
            KeyError: nobody in the fight has it.
        """
        for fighter in self.fighters:
            if fighter.id == fighter_id:
                return fighter
        raise KeyError(f"no fighter {fighter_id} in this fight")

    @property
    def actor(self) -> Fighter:
        """The fighter whose turn it is."""
        return self.fighter(self.order[self.current])

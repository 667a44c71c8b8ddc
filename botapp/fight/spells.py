"""What a spell is: its conditions, its effects and whom they reach; and what a sheet of stats says.

Values only, immutable and hashable. Next hop: `botapp.fight.state` puts spells into fighters' hands.
"""

from dataclasses import dataclass
from enum import Enum


class Named(Enum):
    """An enumeration whose members are found in tables by being themselves, which is quick."""

    __hash__ = object.__hash__


class Element(Named):
    """What a damage effect is made of; it picks the caster's stat and the target's resistance."""

    NEUTRAL = "neutral"
    EARTH = "earth"
    FIRE = "fire"
    WATER = "water"
    AIR = "air"


class EffectKind(Named):
    """What one line of a spell does to whoever stands in its area, or on the board."""

    DAMAGE = "damage"
    STEAL = "steal"
    HEAL = "heal"
    REMOVE_MP = "remove_mp"
    REMOVE_AP = "remove_ap"
    SHIELD = "shield"
    STEAL_AP = "steal_ap"
    STEAL_MP = "steal_mp"
    PUSH = "push"
    PULL = "pull"
    TELEPORT = "teleport"
    BUFF = "buff"
    STATE = "state"
    GLYPH = "glyph"
    TRAP = "trap"
    SUMMON = "summon"


class Shape(Named):
    """The cells an effect covers around the target cell."""

    POINT = "point"
    CIRCLE = "circle"
    CROSS = "cross"
    LINE = "line"
    T = "t"
    SQUARE = "square"
    RING = "ring"
    CONE = "cone"


class State(Named):
    """A condition that a fighter is in for some turns."""

    ROOTED = "rooted"
    """Nobody moves it against its will; it walks away from enemies for free."""
    GRAVITY = "gravity"
    """It cannot teleport."""
    INVULNERABLE = "invulnerable"
    """It takes no damage of any kind."""
    INVISIBLE = "invisible"
    """Enemies cannot aim at it, it hides nothing, holds nobody and is not held; its own attack ends it."""
    UNLOCKABLE = "unlockable"
    """No enemy holds it when it leaves."""
    PACIFIED = "pacified"
    """It cannot cast a spell that damages."""
    FOCUSED = "focused"
    """Does nothing by itself: spells may need it or be barred by it."""


class Affects(Named):
    """Whom in the area an effect reaches, seen from its caster (or from the owner of a glyph or trap)."""

    DEFAULT = "default"
    """Helpful effects reach the caster's side, the caster among them; all others everyone but the caster."""
    ENEMIES = "enemies"
    ALLIES = "allies"
    """The caster's side without the caster."""
    TEAM = "team"
    """The caster's side, the caster among them."""
    OTHERS = "others"
    """Everyone but the caster."""
    ALL = "all"
    CASTER = "caster"
    """The caster alone, wherever it stands."""


@dataclass(frozen=True, slots=True)
class Stats:
    """A fighter's sheet as it counts now, buffs included; resistances in percent by element.

    Attributes:
        power: percent added to every element's stat.
        damage: flat damage of every hit, in HP.
        wisdom: a tenth of it counts as `withdraw` and as `dodge`.
        crit: percent added to a spell's own chance, where it has one.
        crit_damage: flat damage added on critical hits, in HP.
        push_damage, push_resistance: HP, in the formula of collisions.
        withdraw, dodge: how well AP and MP are taken away and kept.
        erosion: percent points on top of the usual share of damage that lowers maximum HP.
        summons: how many living summons it may have at once.
    """

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
    crit: int = 0
    crit_damage: int = 0
    push_damage: int = 0
    push_resistance: int = 0
    withdraw: int = 0
    dodge: int = 0
    erosion: int = 0
    summons: int = 1


BUFF_STATS = (
    *(name for name, field in Stats.__dataclass_fields__.items() if field.type in (int, "int")),
    *(f"{element.value}_resistance" for element in Element),
    "resistance",
    "ap",
    "mp",
)
"""What a buff may change: a number of the sheet, one resistance or all five in percent, AP or MP."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One line of a spell: `low`..`high` is the dice range in the effect's own unit (HP, AP, MP or cells).

    Attributes:
        crit_low, crit_high: the dice of a critical hit; None where it adds the spell's `crit_bonus` instead.
        turns: how long a buff, a state, a glyph or a trap lasts, in turns of its caster; 0 has no end.
        stat: what a buff changes, one of `BUFF_STATS`; its dice may be negative.
        state: what a state effect gives.
        affects: whom in the area it reaches.
        payload: what a glyph does to who begins a turn in it, or a trap once it is sprung.
        summon: whom a summon effect calls.
    """

    kind: EffectKind
    low: int = 0
    high: int = 0
    element: Element = Element.NEUTRAL
    shape: Shape = Shape.POINT
    radius: int = 0
    crit_low: int | None = None
    crit_high: int | None = None
    turns: int = 1
    stat: str = ""
    state: State | None = None
    affects: Affects = Affects.DEFAULT
    payload: tuple["Effect", ...] = ()
    summon: "Summon | None" = None


@dataclass(frozen=True, slots=True)
class Spell:
    """What a fighter can cast. Ranges are in cells; `cooldown` is the interval in turns, 0 for none.

    `casts_per_turn` and `casts_per_target` are 0 where there is no limit; `crit` is in percent. The states
    required and forbidden are the caster's. A spell that summons or teleports always needs a free cell.
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
    required_states: tuple[State, ...] = ()
    forbidden_states: tuple[State, ...] = ()

    def __post_init__(self) -> None:
        """Sees to it that whoever comes to a cell finds it free."""
        if any(e.kind is EffectKind.SUMMON or e.kind is EffectKind.TELEPORT for e in self.effects):
            object.__setattr__(self, "needs_free_cell", True)


@dataclass(frozen=True, slots=True)
class Summon:
    """A monster that a spell calls: it fights on its summoner's side and acts right after it."""

    kind: str
    name: str
    level: int
    hp: int
    ap: int
    mp: int
    spells: tuple[Spell, ...] = ()
    stats: Stats = Stats()


@dataclass(frozen=True, slots=True)
class Buff:
    """A change of a stat, or a state, that lasts on a fighter until it has run out of turns.

    Attributes:
        caster: id of who gave it; its turns are counted at the beginning of that fighter's turns.
        turns: turns left; 0 has no end.
        stat: one of `BUFF_STATS`, "" for a state.
        amount: what was added to the stat, may be negative.
        state: the state given, None for a stat.
    """

    caster: int
    turns: int
    stat: str = ""
    amount: int = 0
    state: State | None = None

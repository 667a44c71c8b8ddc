"""The words of the rules: elements, kinds of effects, shapes, states, targets of effects, triggers.

Values only.
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
    """What one line of a spell does to those who stand in its area, or on the board."""

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
    SWAP = "swap"  # Caster and target change places
    DISPEL = "dispel"  # Buffs and states end, or by `low` turns sooner; see `Effect.dispellable`
    END_STATE = "end_state"
    KILL = "kill"
    RETREAT = "retreat"  # The caster steps back from the target
    ADVANCE = "advance"  # The caster steps up to the target
    SHOVE = "shove"  # A push that hurts no fighter
    MIRROR_CASTER = "mirror_caster"
    """The caster jumps to the other side of the target, changing places with who stands there."""
    MIRROR_TARGET = "mirror_target"  # The target jumps to the other side of the caster
    MIRROR_AROUND = "mirror_around"  # The target jumps to the other side of the cell aimed at
    CAST = "cast"  # The caster applies the payload to each fighter reached, and around it, like another spell
    CAST_BY = "cast_by"  # Each fighter reached applies the payload where it stands
    CAST_ON_CELL = "cast_on_cell"
    """The caster does the payload to the cell aimed at, with or without a fighter there."""
    END_TAGGED = "end_tagged"  # What effects of the same `tag` have given ends
    GIVE_AP = "give_ap"
    GIVE_MP = "give_mp"


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
    DIAGONAL = "diagonal"  # A cross along the diagonals
    STAR = "star"
    LINE_FROM_CASTER = "line_from_caster"
    ACROSS_DIAGONAL = "across_diagonal"
    """A T on the diagonals: all four of them where the caster is further away along an axis."""
    HALF_CIRCLE = "half_circle"  # Two arms that come back towards the caster on diagonals
    EVERYWHERE = "everywhere"
    LISTED = "listed"  # The cells that `Effect.cells` lists
    LINE_TO_TARGET = "line_to_target"  # A line from the caster that ends at the cell aimed at


class State(Named):
    """A condition that a fighter is in for some turns."""

    ROOTED = "rooted"  # It cannot be moved against its will; it walks away from enemies for free
    GRAVITY = "gravity"  # It cannot teleport
    INVULNERABLE = "invulnerable"  # It takes no damage of any kind
    INVISIBLE = "invisible"
    """Enemies cannot aim at it, it hides nothing, holds no enemy and is not held; its own attack ends it."""
    UNLOCKABLE = "unlockable"  # No enemy holds it when it leaves
    PACIFIED = "pacified"  # It cannot cast a spell that damages
    FOCUSED = "focused"  # Does nothing by itself: spells may need it or be barred by it


class Affects(Named):
    """The fighters of an area that an effect reaches, seen from its caster (of a mark from its owner)."""

    DEFAULT = "default"
    """Helpful effects reach the caster's side, the caster among them; all others everyone but the caster."""
    ENEMIES = "enemies"
    ALLIES = "allies"  # The caster's side without the caster
    TEAM = "team"  # The caster's side, the caster among them
    OTHERS = "others"  # Everyone but the caster
    ALL = "all"
    CASTER = "caster"  # The caster alone, wherever it stands
    CAUSE = "cause"  # The fighter that triggered the effect, wherever it stands; none otherwise


class Who(Named):
    """Everyone in a fight is one of these, seen from an effect's caster."""

    CASTER = "caster"
    ALLIED_PLAYER = "allied_player"
    ALLIED_MONSTER = "allied_monster"
    ALLIED_SUMMON = "allied_summon"
    ALLIED_STATIC = "allied_static"  # A summon that has neither AP nor MP
    ENEMY_PLAYER = "enemy_player"
    ENEMY_MONSTER = "enemy_monster"
    ENEMY_SUMMON = "enemy_summon"
    ENEMY_STATIC = "enemy_static"


class Asks(Named):
    """A condition on a fighter."""

    STATE = "state"  # It is in a state
    KIND = "kind"  # It is of a class, or a monster of a kind
    HP_BELOW = "hp_below"  # Its HP are below a share of the maximum
    SUMMON = "summon"
    OWN_SUMMON = "own_summon"  # The caster has summoned it
    SUMMONER = "summoner"  # It has summoned the caster
    FAMILY = "family"  # It is the caster, its summoner, or a summon of either of them
    PLAYER = "player"
    ALLY = "ally"  # It is on the caster's side, the caster included
    CASTER = "caster"
    SHIELDED = "shielded"
    FULL_OF_SUMMONS = "full_of_summons"  # It has as many summons as it may have
    CALLED = "called"  # The cast in progress has summoned it


class Trigger(Named):
    """What happens to a fighter that an effect may wait for."""

    TURN_BEGIN = "turn_begin"
    TURN_END = "turn_end"
    DAMAGE = "damage"  # It loses HP, collisions left out
    NEUTRAL = "neutral"
    EARTH = "earth"
    FIRE = "fire"
    WATER = "water"
    AIR = "air"
    MELEE = "melee"  # Damage from the next cell
    RANGED = "ranged"
    HEALED = "healed"
    PUSH_DAMAGE = "push_damage"
    DEATH = "death"
    AP_LOST = "ap_lost"
    MP_LOST = "mp_lost"
    FROM_ENEMY = "from_enemy"  # Damage from an enemy
    FROM_ALLY = "from_ally"
    MOVED = "moved"  # Against its will, or by changing places
    PUSHED = "pushed"
    PULLED = "pulled"
    SWAPPED = "swapped"
    TELEPORTED = "teleported"
    STATE_GAINED = "state_gained"  # See `Effect.trigger_state`
    STATE_LOST = "state_lost"
    DISPELLED = "dispelled"
    KILLS = "kills"
    CRITICAL = "critical"  # It casts a spell with a critical hit
    SUMMONS = "summons"


class Basis(Named):
    """What an effect's dice mean: points, or percent of something, which the caster's stats do not raise."""

    POINTS = "points"
    LEVEL = "level"  # The caster's
    CASTER_HP = "caster_hp"
    CASTER_MAX_HP = "caster_max_hp"
    CASTER_MISSING_HP = "caster_missing_hp"
    CASTER_ERODED_HP = "caster_eroded_hp"
    TARGET_HP = "target_hp"
    TARGET_MAX_HP = "target_max_hp"
    TARGET_ERODED_HP = "target_eroded_hp"
    DAMAGE_TAKEN = "damage_taken"  # The HP lost to what triggered the effect


StateName = State | str
"""A state of the rules, or one that is only a name: it begins with "#", as in "#drunk"."""


def name_of_state(state: StateName) -> str:
    return state.value if isinstance(state, State) else state


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on a fighter that an effect would reach, or on its caster.

    Attributes:
        state, kind, percent: what it is about, where it asks for a state, a kind or a share of HP.
        unless: it must not hold.
    """

    asks: Asks
    state: StateName | None = None
    kind: str = ""
    percent: int = 0
    of_caster: bool = False
    unless: bool = False


Conditions = tuple[tuple[Condition, ...], ...]  # All of them must hold; of each, one of its parts

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
    SWAP = "swap"
    """Caster and target change places."""
    DISPEL = "dispel"
    """Buffs and states end, or by `low` turns sooner; see `Effect.dispellable`."""
    END_STATE = "end_state"
    KILL = "kill"
    RETREAT = "retreat"
    """The caster steps back from the target."""
    ADVANCE = "advance"
    """The caster steps up to the target."""
    SHOVE = "shove"
    """A push that hurts nobody."""
    MIRROR_CASTER = "mirror_caster"
    """The caster jumps to the other side of the target, changing places with who stands there."""
    MIRROR_TARGET = "mirror_target"
    """The target jumps to the other side of the caster."""
    MIRROR_AROUND = "mirror_around"
    """The target jumps to the other side of the cell aimed at."""
    CAST = "cast"
    """The caster does the payload to whom it reaches, and around that one, as if it cast another spell."""
    CAST_BY = "cast_by"
    """Whom it reaches does the payload where it stands."""
    CAST_ON_CELL = "cast_on_cell"
    """The caster does the payload to the cell aimed at, whoever stands there."""
    END_TAGGED = "end_tagged"
    """Whatever effects of the same `tag` have given ends."""
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
    DIAGONAL = "diagonal"
    """A cross along the diagonals."""
    STAR = "star"
    LINE_FROM_CASTER = "line_from_caster"
    ACROSS_DIAGONAL = "across_diagonal"
    """A T on the diagonals: all four of them where the caster is further away along an axis."""
    HALF_CIRCLE = "half_circle"
    """Two arms that come back towards the caster on diagonals."""
    EVERYWHERE = "everywhere"
    LISTED = "listed"
    """The cells that `Effect.cells` lists."""
    LINE_TO_TARGET = "line_to_target"
    """A line from the caster that ends at the cell aimed at."""


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
    CAUSE = "cause"
    """Who did what triggered the effect, wherever that one stands; nobody otherwise."""


class Who(Named):
    """Everyone in a fight is one of these, seen from an effect's caster."""

    CASTER = "caster"
    ALLIED_PLAYER = "allied_player"
    ALLIED_MONSTER = "allied_monster"
    ALLIED_SUMMON = "allied_summon"
    ALLIED_STATIC = "allied_static"
    """A summon that has neither AP nor MP."""
    ENEMY_PLAYER = "enemy_player"
    ENEMY_MONSTER = "enemy_monster"
    ENEMY_SUMMON = "enemy_summon"
    ENEMY_STATIC = "enemy_static"


class Asks(Named):
    """What a condition asks of somebody."""

    STATE = "state"
    """Is it in a state?"""
    KIND = "kind"
    """Is it of a class, or a monster of a kind?"""
    HP_BELOW = "hp_below"
    """Has it less than a share of its HP?"""
    SUMMON = "summon"
    OWN_SUMMON = "own_summon"
    """Did the caster call it?"""
    SUMMONER = "summoner"
    """Did it call the caster?"""
    FAMILY = "family"
    """Is it the caster, its summoner, or one that either of them has called?"""
    PLAYER = "player"
    ALLY = "ally"
    """Is it on the caster's side? The caster is."""
    CASTER = "caster"
    SHIELDED = "shielded"
    FULL_OF_SUMMONS = "full_of_summons"
    """Has it as many summons as it may have?"""


class Trigger(Named):
    """What happens to somebody that an effect may wait for."""

    TURN_BEGIN = "turn_begin"
    TURN_END = "turn_end"
    DAMAGE = "damage"
    """It loses HP, collisions left out."""
    NEUTRAL = "neutral"
    EARTH = "earth"
    FIRE = "fire"
    WATER = "water"
    AIR = "air"
    MELEE = "melee"
    """Damage from the next cell."""
    RANGED = "ranged"
    HEALED = "healed"
    PUSH_DAMAGE = "push_damage"
    DEATH = "death"
    AP_LOST = "ap_lost"
    MP_LOST = "mp_lost"
    FROM_ENEMY = "from_enemy"
    """Damage from an enemy."""
    FROM_ALLY = "from_ally"
    MOVED = "moved"
    """Against its will, or by changing places."""
    PUSHED = "pushed"
    PULLED = "pulled"
    SWAPPED = "swapped"
    TELEPORTED = "teleported"
    STATE_GAINED = "state_gained"
    """See `Effect.trigger_state`."""
    STATE_LOST = "state_lost"
    DISPELLED = "dispelled"
    KILLS = "kills"
    CRITICAL = "critical"
    """It casts a spell with a critical hit."""
    SUMMONS = "summons"


class Basis(Named):
    """What an effect's dice mean: points, or percent of something; the stats of the caster do not raise those."""

    POINTS = "points"
    LEVEL = "level"
    """The caster's."""
    CASTER_HP = "caster_hp"
    CASTER_MAX_HP = "caster_max_hp"
    CASTER_MISSING_HP = "caster_missing_hp"
    CASTER_ERODED_HP = "caster_eroded_hp"
    TARGET_HP = "target_hp"
    TARGET_MAX_HP = "target_max_hp"
    TARGET_ERODED_HP = "target_eroded_hp"
    DAMAGE_TAKEN = "damage_taken"
    """The HP lost to what triggered the effect."""


StateName = State | str
"""A state of the rules, or one that is only a name: it begins with "#", as in "#drunk"."""


def name_of_state(state: StateName) -> str:
    """Returns the word for a state in stored data."""
    return state.value if isinstance(state, State) else state


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing asked of whom an effect would reach, or of its caster.

    Attributes:
        state, kind, percent: what it is about, where it asks for a state, a kind or a share of HP.
        of_caster: it is asked of the caster.
        unless: it must not hold.
    """

    asks: Asks
    state: StateName | None = None
    kind: str = ""
    percent: int = 0
    of_caster: bool = False
    unless: bool = False


Conditions = tuple[tuple[Condition, ...], ...]
"""All of them must hold; of each, one of its parts."""


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
        crit_resistance: HP taken off critical hits.
        final_damage, spell_damage, weapon_damage, melee_damage, ranged_damage: percent that damage grows by in the
            end: any, by spells or by blows with a weapon, from the next cell or from further away.
        spell_resistance, weapon_resistance, melee_resistance, ranged_resistance: percent that it shrinks by.
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
    crit_resistance: int = 0
    final_damage: int = 0
    spell_damage: int = 0
    weapon_damage: int = 0
    melee_damage: int = 0
    ranged_damage: int = 0
    spell_resistance: int = 0
    weapon_resistance: int = 0
    melee_resistance: int = 0
    ranged_resistance: int = 0


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
        payload: what a glyph does to who begins a turn in it, or a trap once it is sprung; what is cast.
        summon: whom a summon effect calls.
        inner: cells nearer to the centre of the area than that are left out.
        fall_off: percent of its amount that is lost with each step from the centre.
        fall_steps: steps from which on it loses no more.
        cells: the area where it is listed, as (dx, dy) from the cell aimed at.
        among: whom it reaches, in place of `affects`, where any are named.
        conditions: what must hold for each whom it reaches.
        trigger: it waits on whom it reaches until one of these happens; empty for at once.
        trigger_state: which state must come or go, where that is what it waits for.
        listens: turns of its caster that it waits for its trigger; 0 has no end.
        delay: turns of its caster until it happens.
        group: of a spell's groups, one happens, all its effects with it; 0 is no group.
        chance: its part in its group's weight; without a group its chance in percent, 0 for always.
        dispellable: whether what it gives can be dispelled.
        tag: by which `END_TAGGED` finds what it has given.
        order: a spell's effects happen in this order, those alike as they are listed.
        percent_of: what the dice are percent of.
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
    state: StateName | None = None
    affects: Affects = Affects.DEFAULT
    payload: tuple["Effect", ...] = ()
    summon: "Summon | None" = None
    inner: int = 0
    fall_off: int = 10
    fall_steps: int = 4
    cells: tuple[tuple[int, int], ...] = ()
    among: tuple[Who, ...] = ()
    conditions: Conditions = ()
    trigger: tuple[Trigger, ...] = ()
    trigger_state: StateName | None = None
    listens: int = 0
    delay: int = 0
    group: int = 0
    chance: int = 0
    dispellable: bool = True
    tag: str = ""
    order: int = 0
    percent_of: Basis = Basis.POINTS


@dataclass(frozen=True, slots=True)
class Spell:
    """What a fighter can cast. Ranges are in cells; `cooldown` is the interval in turns, 0 for none.

    `casts_per_turn` and `casts_per_target` are 0 where there is no limit; `crit` is in percent. The states
    required and forbidden are the caster's. A spell that summons or teleports always needs a free cell.

    Attributes:
        criterion: what else must hold for the caster, as "in this state or that one".
        weapon: whether it is a blow with a weapon.
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
    required_states: tuple[StateName, ...] = ()
    forbidden_states: tuple[StateName, ...] = ()
    criterion: Conditions = ()
    weapon: bool = False

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
        effect: what waits for its trigger or its time, where it is neither a stat nor a state; else the effect that
            gave it, where that cannot be dispelled or has a tag.
        delay: turns until it begins.
    """

    caster: int
    turns: int
    stat: str = ""
    amount: int = 0
    state: StateName | None = None
    effect: Effect | None = None
    delay: int = 0

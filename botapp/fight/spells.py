"""What a spell is: its conditions, its effects and their targets; and what a sheet of stats says.

Values only, immutable and hashable.
"""

from dataclasses import dataclass

from botapp.fight.vocabulary import (
    Affects,
    Asks,
    Basis,
    Condition,
    Conditions,
    EffectKind,
    Element,
    Named,
    Shape,
    State,
    StateName,
    Trigger,
    Who,
    name_of_state,
)

__all__ = [
    "BUFF_STATS",
    "CHANGEABLE",
    "Affects",
    "Asks",
    "Basis",
    "Buff",
    "Condition",
    "Conditions",
    "Effect",
    "EffectKind",
    "Element",
    "Named",
    "Shape",
    "Spell",
    "SpellChange",
    "State",
    "StateName",
    "Stats",
    "Summon",
    "Trigger",
    "Who",
    "name_of_state",
]


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
        final_damage, spell_damage, weapon_damage, melee_damage, ranged_damage: percent that damage grows by
            in the end: any, by spells or by blows with a weapon, from the next cell or from further away.
        spell_resistance, weapon_resistance, melee_resistance, ranged_resistance: percent that it shrinks by.
        final_heals, heals_received: percent that heals grow by in the end, those it gives and those it gets.
        armor: HP taken off every hit, as a fixed resistance to all elements.
        luck: above 0 its dice fall on their highest faces, below 0 on their lowest.
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
    final_heals: int = 0
    heals_received: int = 0
    armor: int = 0
    luck: int = 0


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
        stat: what a buff changes, one of `BUFF_STATS`; its dice may be negative. What a heal grows by, "" for
            intelligence.
        payload: what a glyph does to who begins a turn in it, or a trap once it is sprung; what is cast.
        inner: cells nearer to the centre of the area than that are left out.
        fall_off: percent of its amount that is lost with each step from the centre.
        fall_steps: steps from which on it loses no more.
        cells: the area where it is listed, as (dx, dy) from the cell aimed at.
        among: the fighters that it reaches in place of `affects`, where any are named.
        conditions: what must hold for each fighter that it reaches.
        trigger: it waits on the fighters that it reaches until one of these happens; empty for at once.
        trigger_state: which state must come or go, where that is what it waits for.
        listens: turns of its caster that it waits for its trigger; 0 has no end.
        delay: turns of its caster until it happens.
        group: of a spell's groups, one happens, all its effects with it; 0 is no group.
        chance: its part in its group's weight; without a group its chance in percent, 0 for always.
        tag: by which `END_TAGGED` finds what it has given.
        order: a spell's effects happen in this order, those alike as they are listed.
        stacks: how often a change of a stat, or what waits, may lie on a fighter at once, by each caster: one
            more ends the oldest; 0 for no limit. Changes of stats need a tag for it.
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
    stacks: int = 0


CHANGEABLE = (
    "ap", "min_range", "max_range", "crit", "casts_per_turn", "casts_per_target", "needs_sight",
    "needs_free_cell", "needs_taken_cell",
)  # fmt: skip
"""The fields of a spell that a state of its caster may change."""


@dataclass(frozen=True, slots=True)
class SpellChange:
    """What a state of its caster changes of a spell."""

    state: StateName
    name: str  # The field of the spell, one of `CHANGEABLE`
    amount: int  # What is added to it; for a condition 1 or 0, whether there is one
    sets: bool = False  # Whether the field becomes the amount, as conditions always do


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
    required_states: tuple[StateName, ...] = ()
    forbidden_states: tuple[StateName, ...] = ()
    criterion: Conditions = ()  # What else must hold for the caster, as "in this state or that one"
    weapon: bool = False
    # What states of its caster change of it, in the order in which they count
    changes: tuple[SpellChange, ...] = ()

    def __post_init__(self) -> None:
        """Makes sure that a fighter that comes to a cell finds it free."""
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
    """A change of a stat, or a state, that lasts on a fighter until it has run out of turns."""

    caster: int  # Id of who gave it; its turns are counted at the beginning of that fighter's turns
    turns: int  # Turns left; 0 has no end
    stat: str = ""  # One of `BUFF_STATS`, "" for a state
    amount: int = 0  # What was added to the stat, may be negative
    state: StateName | None = None  # The state given, None for a stat
    # What waits for its trigger or its time, where it is neither a stat nor a state; else what gave it, where
    # that cannot be dispelled or has a tag
    effect: Effect | None = None
    delay: int = 0  # Turns until it begins

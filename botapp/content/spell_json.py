"""How spells, what they do and sheets are stored, in JSON and in content files alike.

Fields that say nothing beyond their default may be left out; the newer ones are left out when written.
"""

from dataclasses import fields
from typing import Annotated, Any, Self

from pydantic import AfterValidator, GetPydanticSchema, create_model, model_validator
from pydantic_core import core_schema

from botapp.content.errors import shown, wrong
from botapp.content.fields import (
    ClosedForm,
    Dice,
    Flag,
    Form,
    Health,
    Id,
    Json,
    Level,
    Number,
    Points,
    Text,
    Turns,
    Weight,
    Whole,
    at_most,
    holds,
    one_of,
    stored,
    unwritten,
    within,
)
from botapp.fight.board import CELLS
from botapp.fight.core.content import MOST_STATES
from botapp.fight.core.fight import MOST_SPELLS
from botapp.fight.spell_changes import MOST_CHANGES
from botapp.fight.spells import (
    BUFF_STATS,
    CHANGEABLE,
    Affects,
    Asks,
    Basis,
    Buff,
    Condition,
    Effect,
    EffectKind,
    Element,
    Shape,
    Spell,
    SpellChange,
    State,
    StateName,
    Stats,
    Summon,
    Trigger,
    Who,
    name_of_state,
)

_MARKS = (EffectKind.GLYPH, EffectKind.TRAP)
_CASTS = (EffectKind.CAST, EffectKind.CAST_BY, EffectKind.CAST_ON_CELL)
_NOT_FOR_MARKS = (*_MARKS, EffectKind.SUMMON, EffectKind.TELEPORT)
_WITHOUT_DICE = (
    *_NOT_FOR_MARKS,
    *_CASTS,
    EffectKind.STATE,
    EffectKind.SWAP,
    EffectKind.DISPEL,
    EffectKind.END_STATE,
    EffectKind.KILL,
    EffectKind.MIRROR_CASTER,
    EffectKind.MIRROR_TARGET,
    EffectKind.MIRROR_AROUND,
    EffectKind.END_TAGGED,
)
_NEEDED = {
    EffectKind.STATE: "state",
    EffectKind.END_STATE: "state",
    EffectKind.SUMMON: "summon",
    EffectKind.END_TAGGED: "tag",
}

Steps = Annotated[Whole, within(0, 63)]  # A range or a radius in cells, or a number of turns

MOST_EFFECTS = 100  # Of a spell, and of a payload

Limit = Annotated[Whole, within(0, 100)]


def _state(word: str) -> StateName:
    """Returns the state of a word; a name of its own begins with "#"."""
    known = next((state for state in State if state.value == word), None)
    if known is None and not (word.startswith("#") and len(word) > 1):
        raise wrong(
            f'expected one of {", ".join(state.value for state in State)} or a name that begins with "#", '
            f"got {shown(word)}"
        )
    return known or word


StoredState = Annotated[
    StateName,
    GetPydanticSchema(
        lambda _, handler: core_schema.no_info_after_validator_function(
            _state,
            handler.generate_schema(Text),
            serialization=core_schema.plain_serializer_function_ser_schema(name_of_state),
        )
    ),
]

Step = Annotated[
    tuple[Annotated[Whole, within(-63, 63)], ...],
    holds("two numbers, as (dx, dy) in cells", lambda values: len(values) == 2),
]

_ByElement = Annotated[
    tuple[Number, ...],
    holds(
        f"{len(Element)} numbers ({', '.join(element.value for element in Element)})",
        lambda values: len(values) == len(Element),
    ),
]
_STAT_NAMES = [stat.name for stat in fields(Stats)]
_NEWER = _STAT_NAMES[_STAT_NAMES.index("summons") + 1 :]  # Stats that are left out when they are 0
_STATS: dict[str, Any] = {
    stat.name: (
        _ByElement if isinstance(stat.default, tuple) else Number,
        unwritten(stat.default) if stat.name in _NEWER else stat.default,
    )
    for stat in fields(Stats)
}
StatsForm = create_model("StatsForm", __base__=ClosedForm, **_STATS)
StatsForm.makes = Stats
StoredStats = Annotated[Stats, stored(StatsForm)]


class ConditionForm(ClosedForm):
    """A condition on the fighters that an effect reaches, or on its caster."""

    makes = Condition

    asks: Asks
    state: StoredState | None = unwritten(None)
    kind: Text = unwritten("")
    percent: Limit = unwritten(0)
    of_caster: Flag = unwritten(False)
    unless: Flag = unwritten(False)

    @model_validator(mode="after")
    def _checked(self) -> Self:
        needed = {Asks.STATE: "state", Asks.KIND: "kind", Asks.HP_BELOW: "percent"}.get(self.asks)
        if needed is not None and not getattr(self, needed):
            raise wrong("missing", needed)
        return self


StoredCondition = Annotated[Condition, stored(ConditionForm)]
StoredConditions = Annotated[tuple[Annotated[tuple[StoredCondition, ...], at_most(32)], ...], at_most(32)]


class EffectForm(ClosedForm):
    """An effect; its `high` is as its `low` where it is left out, and so for critical hits."""

    makes = Effect

    kind: EffectKind
    low: Dice = 0
    high: Dice = 0
    element: Element = Element.NEUTRAL
    shape: Shape = Shape.POINT
    radius: Steps = 0
    crit_low: Dice | None = unwritten(None)
    crit_high: Dice | None = unwritten(None)
    turns: Steps = unwritten(1)
    stat: Text = unwritten("")
    state: StoredState | None = unwritten(None)
    affects: Affects = unwritten(Affects.DEFAULT)
    payload: "Annotated[tuple[StoredEffect, ...], at_most(MOST_EFFECTS)]" = unwritten(())
    summon: "StoredSummon | None" = unwritten(None)
    inner: Steps = unwritten(0)
    fall_off: Limit = unwritten(10)
    fall_steps: Steps = unwritten(4)
    cells: Annotated[tuple[Step, ...], at_most(CELLS)] = unwritten(())
    among: Annotated[tuple[Who, ...], at_most(len(Who))] = unwritten(())
    conditions: StoredConditions = unwritten(())
    trigger: Annotated[tuple[Trigger, ...], at_most(len(Trigger))] = unwritten(())
    trigger_state: StoredState | None = unwritten(None)
    listens: Steps = unwritten(0)
    delay: Steps = unwritten(0)
    group: Weight = unwritten(0)
    chance: Weight = unwritten(0)
    dispellable: Flag = unwritten(True)
    tag: Text = unwritten("")
    order: Annotated[Whole, within(-1_000_000, 1_000_000)] = unwritten(0)
    percent_of: Basis = unwritten(Basis.POINTS)
    stacks: Steps = unwritten(0)

    @model_validator(mode="after")
    def _checked(self) -> Self:
        given = self.model_fields_set
        needed = _NEEDED.get(self.kind) if self.kind in _WITHOUT_DICE else "low"
        if needed is not None and (needed not in given or getattr(self, needed) is None):
            raise wrong("missing", needed)
        self.high = self._dice("low", self.low, "high", self.high if "high" in given else self.low)
        if self.crit_low is not None:
            high = self.crit_low if self.crit_high is None else self.crit_high
            self.crit_high = self._dice("crit_low", self.crit_low, "crit_high", high)
        elif self.crit_high is not None:
            raise wrong("missing", "crit_low")
        if (self.kind is EffectKind.BUFF or self.stat) and self.stat not in BUFF_STATS:
            raise wrong(f"expected one of {', '.join(BUFF_STATS)}, got {shown(self.stat)}", "stat")
        if (self.kind in (*_MARKS, *_CASTS)) != bool(self.payload):
            wanted = "none for the kind " + self.kind.value if self.payload else "at least one effect"
            raise wrong(f"expected {wanted}, got {len(self.payload)}", "payload")
        if self.kind in _MARKS:
            for index, effect in enumerate(self.payload):
                if effect.kind in _NOT_FOR_MARKS:
                    raise wrong(f"a payload cannot hold {effect.kind.value}", f"payload[{index}].kind")
        if (self.shape is Shape.LISTED) != bool(self.cells):
            raise wrong("expected cells for the shape listed, and for no other", "cells")
        by_state = Trigger.STATE_GAINED in self.trigger or Trigger.STATE_LOST in self.trigger
        if by_state and self.trigger_state is None:
            raise wrong("missing", "trigger_state")
        if self.group and not self.chance:
            raise wrong("missing", "chance")
        return self

    def _dice(self, low_name: str, low: int, high_name: str, high: int) -> int:
        """Returns `high`; the dice of a buff alone may be negative."""
        if low < 0 and self.kind is not EffectKind.BUFF:
            raise wrong(f"expected 0 or more, got {low}", low_name)
        if high < low:
            raise wrong(f"expected {low} or more, got {high}", high_name)
        return high


StoredEffect = Annotated[Effect, stored(EffectForm)]


class SpellChangeForm(ClosedForm):
    """What a state of its caster changes of a spell."""

    makes = SpellChange

    state: StoredState
    name: Annotated[Text, one_of(CHANGEABLE)]
    amount: Annotated[Whole, within(-100, 100)]
    sets: Flag = unwritten(False)


StoredChange = Annotated[SpellChange, stored(SpellChangeForm)]


class SpellRulesForm(Form):
    """What JSON and content files say of a spell in the same words."""

    effects: Annotated[tuple[StoredEffect, ...], at_most(MOST_EFFECTS)]
    in_line: Flag = False
    on_diagonal: Flag = False
    needs_sight: Flag = True
    needs_free_cell: Flag = False
    needs_taken_cell: Flag = False
    boostable_range: Flag = False
    crit: Limit = 0
    crit_bonus: Limit = 0
    casts_per_turn: Limit = 0
    casts_per_target: Limit = 0
    cooldown: Limit = 0
    initial_cooldown: Limit = 0
    required_states: Annotated[tuple[StoredState, ...], at_most(MOST_STATES)] = unwritten(())
    forbidden_states: Annotated[tuple[StoredState, ...], at_most(MOST_STATES)] = unwritten(())
    criterion: StoredConditions = unwritten(())
    weapon: Flag = unwritten(False)
    changes: Annotated[tuple[StoredChange, ...], at_most(MOST_CHANGES)] = unwritten(())


class SpellHeadForm(Form):
    """What comes first of a spell in JSON."""

    key: Text
    name: Text
    ap: Annotated[Whole, within(0, 12)]
    min_range: Steps
    max_range: Steps


class FullSpellForm(ClosedForm, SpellRulesForm, SpellHeadForm):
    """A spell."""

    makes = Spell

    @model_validator(mode="after")
    def _checked(self) -> Self:
        if self.max_range < self.min_range:
            raise wrong(f"expected {self.min_range} to 63, got {self.max_range}", "max_range")
        return self


StoredSpell = Annotated[Spell, stored(FullSpellForm)]


def _each_once(spells: tuple[Spell, ...]) -> tuple[Spell, ...]:
    keys = [spell.key for spell in spells]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise wrong(f"the spell {shown(key)} is there twice; leave one out", f"[{place}]")
    return spells


SpellList = Annotated[tuple[StoredSpell, ...], at_most(MOST_SPELLS), AfterValidator(_each_once)]
"""The spells of a fighter."""


class SummonForm(ClosedForm):
    """A monster that a spell calls."""

    makes = Summon

    kind: Text
    name: Text
    level: Annotated[Level, within(1)]
    hp: Annotated[Health, within(1)]
    ap: Points
    mp: Points
    spells: SpellList = ()
    stats: StoredStats = Stats()


StoredSummon = Annotated[Summon, stored(SummonForm)]


class BuffForm(ClosedForm):
    """A buff: with a `state`, with a `stat` and an `amount`, or with an `effect` that waits."""

    makes = Buff

    caster: Id
    turns: Turns
    state: StoredState | None = unwritten(None)
    stat: Annotated[Text, one_of(BUFF_STATS)] = ""
    amount: Number = 0
    effect: StoredEffect | None = unwritten(None)
    delay: Steps = unwritten(0)

    @model_validator(mode="after")
    def _checked(self) -> Self:
        for name in ("stat", "amount"):
            if self.state is None and self.effect is None and name not in self.model_fields_set:
                raise wrong("missing", name)
        return self

    @classmethod
    def written(cls, value: Buff) -> Json:
        data = super().written(value)
        return {name: data[name] for name in data if value.stat or name not in ("stat", "amount")}

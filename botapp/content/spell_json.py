"""How spells, what they do and sheets are stored, in JSON and in content files alike.

Which fields there are, and their defaults, the dataclasses of `botapp.fight.spells` say; here stand their
limits and what must go together. A field may be left out that says nothing beyond its default; the newer
ones are left out when written.
"""

from dataclasses import fields
from typing import Annotated, Any, Self

from pydantic import AfterValidator, GetPydanticSchema, model_validator
from pydantic_core import core_schema

from botapp.content.errors import shown, wrong
from botapp.content.fields import (
    STORED,
    ClosedForm,
    Dice,
    Health,
    Id,
    Json,
    Level,
    Limits,
    Number,
    Points,
    Text,
    Turns,
    Weight,
    Whole,
    at_most,
    form_of,
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
    Asks,
    Buff,
    Condition,
    Conditions,
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
STORED[StateName] = StoredState
STORED[Conditions] = Annotated[
    tuple[Annotated[tuple[Annotated[Condition, stored()], ...], at_most(32)], ...], at_most(32)
]


def each_once(spells: tuple[Spell, ...]) -> tuple[Spell, ...]:
    keys = [spell.key for spell in spells]
    for place, key in enumerate(keys):
        if key in keys[:place]:
            raise wrong(f"the spell {shown(key)} is there twice; leave one out", f"[{place}]")
    return spells


SpellList = Annotated[tuple[Annotated[Spell, stored()], ...], at_most(MOST_SPELLS), AfterValidator(each_once)]
"""The spells of a fighter."""


def _check_condition(condition: Any) -> None:
    needed = {Asks.STATE: "state", Asks.KIND: "kind", Asks.HP_BELOW: "percent"}.get(condition.asks)
    if needed is not None and not getattr(condition, needed):
        raise wrong("missing", needed)


def _check_effect(effect: Any) -> None:
    """Sees to what an effect of its kind needs; `high` is as `low` where it is left out."""
    given = effect.model_fields_set
    needed = _NEEDED.get(effect.kind) if effect.kind in _WITHOUT_DICE else "low"
    if needed is not None and (needed not in given or getattr(effect, needed) is None):
        raise wrong("missing", needed)
    effect.high = _dice(effect, "low", effect.low, "high", effect.high if "high" in given else effect.low)
    if effect.crit_low is not None:
        high = effect.crit_low if effect.crit_high is None else effect.crit_high
        effect.crit_high = _dice(effect, "crit_low", effect.crit_low, "crit_high", high)
    elif effect.crit_high is not None:
        raise wrong("missing", "crit_low")
    if (effect.kind is EffectKind.BUFF or effect.stat) and effect.stat not in BUFF_STATS:
        raise wrong(f"expected one of {', '.join(BUFF_STATS)}, got {shown(effect.stat)}", "stat")
    if (effect.kind in (*_MARKS, *_CASTS)) != bool(effect.payload):
        wanted = "none for the kind " + effect.kind.value if effect.payload else "at least one effect"
        raise wrong(f"expected {wanted}, got {len(effect.payload)}", "payload")
    if effect.kind in _MARKS:
        for index, inner in enumerate(effect.payload):
            if inner.kind in _NOT_FOR_MARKS:
                raise wrong(f"a payload cannot hold {inner.kind.value}", f"payload[{index}].kind")
    if (effect.shape is Shape.LISTED) != bool(effect.cells):
        raise wrong("expected cells for the shape listed, and for no other", "cells")
    by_state = Trigger.STATE_GAINED in effect.trigger or Trigger.STATE_LOST in effect.trigger
    if by_state and effect.trigger_state is None:
        raise wrong("missing", "trigger_state")
    if effect.group and not effect.chance:
        raise wrong("missing", "chance")


def _dice(effect: Any, low_name: str, low: int, high_name: str, high: int) -> int:
    """Returns `high`; the dice of a buff alone may be negative."""
    if low < 0 and effect.kind is not EffectKind.BUFF:
        raise wrong(f"expected 0 or more, got {low}", low_name)
    if high < low:
        raise wrong(f"expected {low} or more, got {high}", high_name)
    return high


def _check_spell(spell: Any) -> None:
    if spell.max_range < spell.min_range:
        raise wrong(f"expected {spell.min_range} to 63, got {spell.max_range}", "max_range")


_STATS = {stat.name: Number for stat in fields(Stats)} | dict.fromkeys(
    ("resistance", "fixed_resistance"), _ByElement
)
_EFFECT = {
    **dict.fromkeys(("low", "high", "crit_low", "crit_high"), Dice),
    **dict.fromkeys(("radius", "turns", "inner", "fall_steps", "listens", "delay", "stacks"), Steps),
    **dict.fromkeys(("group", "chance"), Weight),
    "fall_off": Limit,
    "order": Annotated[Whole, within(-1_000_000, 1_000_000)],
    "payload": MOST_EFFECTS,
    "cells": Annotated[tuple[Step, ...], at_most(CELLS)],
    "among": len(Who),
    "trigger": len(Trigger),
}
SPELL_LIMITS: Limits = {
    "ap": Annotated[Whole, within(0, 12)],
    **dict.fromkeys(("min_range", "max_range"), Steps),
    **dict.fromkeys(("crit", "crit_bonus", "casts_per_turn", "casts_per_target"), Limit),
    **dict.fromkeys(("cooldown", "initial_cooldown"), Limit),
    **dict.fromkeys(("required_states", "forbidden_states"), MOST_STATES),
    "effects": MOST_EFFECTS,
    "changes": MOST_CHANGES,
}
NOT_OF_TABLES = ("key", "name", "min_range", "max_range")
"""What content files say of a spell in other words than JSON."""
_CHANGE = {"name": Annotated[Text, one_of(CHANGEABLE)], "amount": Annotated[Whole, within(-100, 100)]}
_SUMMON = {
    "level": Annotated[Level, within(1)],
    "hp": Annotated[Health, within(1)],
    **dict.fromkeys(("ap", "mp"), Points),
    "spells": SpellList,
}
StatsForm = form_of(Stats, _STATS, "crit_resistance")
form_of(Condition, {"percent": Limit}, "state", _check_condition)
EffectForm = form_of(Effect, _EFFECT, "crit_low", _check_effect)
form_of(SpellChange, _CHANGE, "sets")
SpellForm = form_of(Spell, SPELL_LIMITS, "required_states", _check_spell)
form_of(Summon, _SUMMON)


class BuffForm(ClosedForm):
    """A buff: with a `state`, with a `stat` and an `amount`, or with an `effect` that waits."""

    makes = Buff

    caster: Id
    turns: Turns
    state: StoredState | None = unwritten(None)
    stat: Annotated[Text, one_of(BUFF_STATS)] = ""
    amount: Number = 0
    effect: Annotated[Effect, stored()] | None = unwritten(None)
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

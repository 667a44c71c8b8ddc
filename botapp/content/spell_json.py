"""How spells, what they do and sheets are stored, in JSON and in content files alike.

Fields that say nothing beyond their default may be left out; the newer ones are left out when written.
Next hop: `botapp.content.state_json` for whole fights, `botapp.content.forms` for content files.
"""

from dataclasses import fields
from typing import Annotated, Any, Self

from pydantic import AfterValidator, create_model, model_validator

from botapp.content.errors import shown, wrong
from botapp.content.fields import (
    ClosedForm,
    Count,
    Flag,
    Form,
    Json,
    Text,
    Whole,
    holds,
    one_of,
    stored,
    unwritten,
    within,
)
from botapp.fight.spells import (
    BUFF_STATS,
    Affects,
    Buff,
    Effect,
    EffectKind,
    Element,
    Shape,
    Spell,
    State,
    Stats,
    Summon,
)

_MARKS = (EffectKind.GLYPH, EffectKind.TRAP)
_NOT_IN_PAYLOADS = (*_MARKS, EffectKind.SUMMON, EffectKind.TELEPORT)
_WITHOUT_DICE = (*_NOT_IN_PAYLOADS, EffectKind.STATE)

Steps = Annotated[Whole, within(0, 63)]
"""A range or a radius in cells, or a number of turns."""

Limit = Annotated[Whole, within(0, 100)]


_ByElement = Annotated[
    tuple[Whole, ...],
    holds(
        f"{len(Element)} numbers ({', '.join(element.value for element in Element)})",
        lambda values: len(values) == len(Element),
    ),
]
_STATS: dict[str, Any] = {
    stat.name: (_ByElement if isinstance(stat.default, tuple) else Whole, stat.default)
    for stat in fields(Stats)
}
StatsForm = create_model("StatsForm", __base__=ClosedForm, **_STATS)
StatsForm.makes = Stats
StoredStats = Annotated[Stats, stored(StatsForm)]


class EffectForm(ClosedForm):
    """An effect; its `high` is as its `low` where it is left out, and so for critical hits."""

    makes = Effect

    kind: EffectKind
    low: Whole = 0
    high: Whole = 0
    element: Element = Element.NEUTRAL
    shape: Shape = Shape.POINT
    radius: Steps = 0
    crit_low: Whole | None = unwritten(None)
    crit_high: Whole | None = unwritten(None)
    turns: Steps = unwritten(1)
    stat: Text = unwritten("")
    state: State | None = unwritten(None)
    affects: Affects = unwritten(Affects.DEFAULT)
    payload: "tuple[Annotated[StoredEffect, AfterValidator(of_a_payload)], ...]" = unwritten(())
    summon: "StoredSummon | None" = unwritten(None)

    @model_validator(mode="after")
    def _checked(self) -> Self:
        given = self.model_fields_set
        needed = {EffectKind.STATE: "state", EffectKind.SUMMON: "summon"}.get(self.kind)
        needed = needed if self.kind in _WITHOUT_DICE else "low"
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
        if (self.kind in _MARKS) != bool(self.payload):
            wanted = "at least one effect" if self.kind in _MARKS else f"none for the kind {self.kind.value}"
            raise wrong(f"expected {wanted}, got {len(self.payload)}", "payload")
        return self

    def _dice(self, low_name: str, low: int, high_name: str, high: int) -> int:
        """Returns `high`; the dice of a buff alone may be negative."""
        if low < 0 and self.kind is not EffectKind.BUFF:
            raise wrong(f"expected 0 or more, got {low}", low_name)
        if high < low:
            raise wrong(f"expected {low} or more, got {high}", high_name)
        return high


StoredEffect = Annotated[Effect, stored(EffectForm)]


def of_a_payload(effect: Effect) -> Effect:
    """Refuses an effect that a glyph or a trap cannot have."""
    if effect.kind in _NOT_IN_PAYLOADS:
        raise wrong(f"a payload cannot hold {effect.kind.value}", "kind")
    return effect


class SpellRulesForm(Form):
    """What JSON and content files say of a spell in the same words."""

    effects: tuple[StoredEffect, ...]
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
    required_states: tuple[State, ...] = unwritten(())
    forbidden_states: tuple[State, ...] = unwritten(())


class SpellHeadForm(Form):
    """What comes first of a spell in JSON."""

    key: Text
    name: Text
    ap: Annotated[Whole, within(0, 12)]
    min_range: Steps
    max_range: Steps


class FullSpellForm(SpellRulesForm, SpellHeadForm):
    """A spell."""

    makes = Spell

    @model_validator(mode="after")
    def _checked(self) -> Self:
        if self.max_range < self.min_range:
            raise wrong(f"expected {self.min_range} to 63, got {self.max_range}", "max_range")
        return self


StoredSpell = Annotated[Spell, stored(FullSpellForm)]


class SummonForm(ClosedForm):
    """A monster that a spell calls."""

    makes = Summon

    kind: Text
    name: Text
    level: Annotated[Whole, within(1)]
    hp: Annotated[Whole, within(1)]
    ap: Count
    mp: Count
    spells: tuple[StoredSpell, ...] = ()
    stats: StoredStats = Stats()


StoredSummon = Annotated[Summon, stored(SummonForm)]


class BuffForm(Form):
    """A buff: with a `state`, or with a `stat` and an `amount`."""

    makes = Buff

    caster: Count
    turns: Count
    state: State | None = unwritten(None)
    stat: Annotated[Text, one_of(BUFF_STATS)] = ""
    amount: Whole = 0

    @model_validator(mode="after")
    def _checked(self) -> Self:
        for name in ("stat", "amount"):
            if self.state is None and name not in self.model_fields_set:
                raise wrong("missing", name)
        return self

    @classmethod
    def written(cls, value: Buff) -> Json:
        """Returns a buff as plain data, with what counts of it."""
        data = super().written(value)
        return {name: data[name] for name in data if value.state is None or name not in ("stat", "amount")}

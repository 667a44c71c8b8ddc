"""Spells and sheets as plain dicts for JSON and TOML, both ways; what cannot be read is named by its path.

Fields that say nothing beyond their default may be left out; the newer ones are left out when written.
Next hop: `botapp.content.state_json` for whole fights, `botapp.content.library` for the arena's files.
"""

from typing import Any

from botapp.content.fields import FieldError, Fields, shown, whole_number
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

Json = dict[str, Any]

_SPELL_FLAGS = (
    "in_line",
    "on_diagonal",
    "needs_sight",
    "needs_free_cell",
    "needs_taken_cell",
    "boostable_range",
)
_SPELL_COUNTS = (
    "crit",
    "crit_bonus",
    "casts_per_turn",
    "casts_per_target",
    "cooldown",
    "initial_cooldown",
)
_SPELL_STATES = ("required_states", "forbidden_states")
_STAT_NAMES = tuple(Stats.__dataclass_fields__)
_DICED = frozenset(EffectKind) - {
    EffectKind.TELEPORT,
    EffectKind.STATE,
    EffectKind.GLYPH,
    EffectKind.TRAP,
    EffectKind.SUMMON,
}
_MARKS = (EffectKind.GLYPH, EffectKind.TRAP)
_NOT_IN_PAYLOADS = (*_MARKS, EffectKind.SUMMON, EffectKind.TELEPORT)
_EFFECT_NAMES = tuple(Effect.__dataclass_fields__)
_SUMMON_NAMES = tuple(Summon.__dataclass_fields__)
_LONGEST = 63
_NEW_EFFECT_VALUES: Json = {"crit_low": None, "crit_high": None, "turns": 1, "stat": ""}


def effect_to_json(effect: Effect) -> Json:
    """Returns an effect as a plain dict."""
    data: Json = {
        "kind": effect.kind.value,
        "low": effect.low,
        "high": effect.high,
        "element": effect.element.value,
        "shape": effect.shape.value,
        "radius": effect.radius,
    }
    for name, usual in _NEW_EFFECT_VALUES.items():
        if getattr(effect, name) != usual:
            data[name] = getattr(effect, name)
    if effect.state is not None:
        data["state"] = effect.state.value
    if effect.affects is not Affects.DEFAULT:
        data["affects"] = effect.affects.value
    if effect.payload:
        data["payload"] = [effect_to_json(inner) for inner in effect.payload]
    if effect.summon is not None:
        data["summon"] = summon_to_json(effect.summon)
    return data


def effect_from_json(data: object, path: str = "effect") -> Effect:
    """Returns the effect a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing, unknown or wrong; the text names it.
    """
    reader = Fields(data, path)
    reader.only(_EFFECT_NAMES)
    kind = reader.choice("kind", EffectKind)
    least = None if kind is EffectKind.BUFF else 0
    low = reader.whole("low", low=least) if kind in _DICED else reader.whole("low", 0, low=0)
    crit_low = crit_high = None
    if reader.raw("crit_low", None) is not None or reader.raw("crit_high", None) is not None:
        crit_low = reader.whole("crit_low", low=least)
        crit_high = reader.whole("crit_high", crit_low, low=crit_low)
    stat = reader.text("stat", "")
    if (kind is EffectKind.BUFF or stat) and stat not in BUFF_STATS:
        raise FieldError(f"{reader.at('stat')}: expected one of {', '.join(BUFF_STATS)}, got {stat!r}")
    state = reader.raw("state", None)
    if kind is EffectKind.STATE or state is not None:
        state = reader.choice("state", State)
    payload = reader.items("payload", _payload_effect, ())
    if (kind in _MARKS) != bool(payload):
        wanted = "at least one effect" if kind in _MARKS else f"none for the kind {kind.value}"
        raise FieldError(f"{reader.at('payload')}: expected {wanted}, got {len(payload)}")
    summon = None
    if kind is EffectKind.SUMMON or reader.raw("summon", None) is not None:
        summon = summon_from_json(reader.raw("summon"), reader.at("summon"))
    return Effect(
        kind,
        low,
        reader.whole("high", low, low=low),
        reader.choice("element", Element, Element.NEUTRAL),
        reader.choice("shape", Shape, Shape.POINT),
        reader.whole("radius", 0, low=0, high=_LONGEST),
        crit_low,
        crit_high,
        reader.whole("turns", 1, low=0, high=_LONGEST),
        stat,
        state,
        reader.choice("affects", Affects, Affects.DEFAULT),
        payload,
        summon,
    )


def _payload_effect(data: object, path: str) -> Effect:
    effect = effect_from_json(data, path)
    if effect.kind in _NOT_IN_PAYLOADS:
        raise FieldError(f"{path}.kind: a payload cannot hold {effect.kind.value}")
    return effect


def spell_to_json(spell: Spell) -> Json:
    """Returns a spell as a plain dict."""
    return {
        "key": spell.key,
        "name": spell.name,
        "ap": spell.ap,
        "min_range": spell.min_range,
        "max_range": spell.max_range,
        "effects": [effect_to_json(effect) for effect in spell.effects],
        **{name: getattr(spell, name) for name in (*_SPELL_FLAGS, *_SPELL_COUNTS)},
        **{
            name: [state.value for state in getattr(spell, name)]
            for name in _SPELL_STATES
            if getattr(spell, name)
        },
    }


def spell_from_json(data: object, path: str = "spell") -> Spell:
    """Returns the spell a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    flags: dict[str, Any] = {name: reader.flag(name, name == "needs_sight") for name in _SPELL_FLAGS}
    counts: dict[str, Any] = {name: reader.whole(name, 0, low=0, high=100) for name in _SPELL_COUNTS}
    states: dict[str, Any] = {name: reader.items(name, state_name, ()) for name in _SPELL_STATES}
    nearest = reader.whole("min_range", low=0, high=_LONGEST)
    return Spell(
        reader.text("key"),
        reader.text("name"),
        reader.whole("ap", low=0, high=12),
        nearest,
        reader.whole("max_range", low=nearest, high=_LONGEST),
        reader.items("effects", effect_from_json),
        **flags,
        **counts,
        **states,
    )


def state_name(value: object, path: str) -> State:
    """Returns the state of this name; raises `FieldError` with `path` where there is none."""
    try:
        return State(value)
    except ValueError:
        allowed = ", ".join(state.value for state in State)
        raise FieldError(f"{path}: expected one of {allowed}, got {shown(value)}") from None


def stats_to_json(stats: Stats) -> Json:
    """Returns a fighter's sheet as a plain dict."""
    sheet = {name: getattr(stats, name) for name in _STAT_NAMES}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in sheet.items()}


def stats_from_json(data: object, path: str = "stats") -> Stats:
    """Returns the sheet a plain dict describes; what it leaves out is as in `Stats()`.

    Raises:
        FieldError: a field is unknown or wrong; the text names it.
    """
    reader = Fields(data, path)
    reader.only(_STAT_NAMES, "stat")
    values: dict[str, Any] = {}
    for name in reader.names():
        if name.endswith("resistance") and name != "push_resistance":
            found = reader.items(name, whole_number)
            if len(found) != len(Element):
                order = ", ".join(element.value for element in Element)
                raise FieldError(
                    f"{reader.at(name)}: expected {len(Element)} numbers ({order}), got {len(found)}"
                )
            values[name] = found
        else:
            values[name] = reader.whole(name)
    return Stats(**values)


def summon_to_json(summon: Summon) -> Json:
    """Returns the monster that a spell calls as a plain dict."""
    return {
        **{name: getattr(summon, name) for name in ("kind", "name", "level", "hp", "ap", "mp")},
        "spells": [spell_to_json(spell) for spell in summon.spells],
        "stats": stats_to_json(summon.stats),
    }


def summon_from_json(data: object, path: str = "summon") -> Summon:
    """Returns the monster a plain dict describes; `path` is where it stands, for the error.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    reader.only(_SUMMON_NAMES)
    return Summon(
        reader.text("kind"),
        reader.text("name"),
        reader.whole("level", low=1),
        reader.whole("hp", low=1),
        reader.whole("ap", low=0),
        reader.whole("mp", low=0),
        reader.items("spells", spell_from_json, ()),
        stats_from_json(reader.raw("stats", {}), reader.at("stats")),
    )


def buff_to_json(buff: Buff) -> Json:
    """Returns a buff as a plain dict."""
    data: Json = {"caster": buff.caster, "turns": buff.turns}
    if buff.state is not None:
        return {**data, "state": buff.state.value}
    return {**data, "stat": buff.stat, "amount": buff.amount}


def buff_from_json(data: object, path: str = "buff") -> Buff:
    """Returns the buff a plain dict describes: with a `state`, or with a `stat` and an `amount`.

    Raises:
        FieldError: a field is missing or wrong; the text names it.
    """
    reader = Fields(data, path)
    caster, turns = reader.whole("caster", low=0), reader.whole("turns", low=0)
    if reader.raw("state", None) is not None:
        return Buff(caster, turns, state=reader.choice("state", State))
    stat = reader.text("stat")
    if stat not in BUFF_STATS:
        raise FieldError(f"{reader.at('stat')}: expected one of {', '.join(BUFF_STATS)}, got {stat!r}")
    return Buff(caster, turns, stat, reader.whole("amount"))

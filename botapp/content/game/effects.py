"""The lines of a spell of the game become effects of the rules; what does not is told in words.

Other spells that a line casts, and monsters that it calls, are looked up and translated along. A line is left
out as a whole or understood as a whole. Next hop: `botapp.content.game.spells` makes spells of them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

from botapp.content.game.effect_ids import EFFECT_IDS, EffectId, How
from botapp.content.game.grammar import (
    AreaSpread,
    Mask,
    Triggers,
    area,
    read_mask,
    read_triggers,
    states_of_criterion,
    states_of_mask,
    states_of_trigger,
)
from botapp.content.game.lines import GameLine, SpellLevel
from botapp.fight.spells import (
    Affects,
    Asks,
    Basis,
    Conditions,
    Effect,
    EffectKind,
    Element,
    Shape,
    Stats,
    Summon,
    Trigger,
    Who,
)
from botapp.host.message import say

MOST_EFFECTS = 600
"""Effects of one spell, those of the spells that it casts counted in."""
_MOST_STEPS = 3000
"""Lines looked at for one spell: data made to grow without end stop here."""
DEEPEST = 8
"""How many spells may cast each other in a row."""
_LONGEST = 63
_ON_THE_GROUND = (
    EffectKind.TELEPORT,
    EffectKind.GLYPH,
    EffectKind.TRAP,
    EffectKind.SUMMON,
    EffectKind.CAST_ON_CELL,
)
_NOT_FROM_MARKS = (EffectKind.GLYPH, EffectKind.TRAP, EffectKind.SUMMON, EffectKind.TELEPORT)
_UNKNOWN_SHEET = Stats()
_WHOLE_DAMAGE = frozenset((Trigger.DAMAGE, Trigger.FROM_ENEMY))


class LeftOut(NamedTuple):
    """What of a spell is not judged.

    Attributes:
        why: in words, a message.
        misleads: whether the spell must not be judged without it.
    """

    why: str
    misleads: bool = False


class Translated(NamedTuple):
    """Effects, and what was left out of them."""

    effects: tuple[Effect, ...]
    left_out: tuple[LeftOut, ...]


class Data(Protocol):
    """What the translation asks of the game's data."""

    def level(self, spell: int, grade: int) -> SpellLevel | None:
        """Returns a spell at a grade, None where it is not there."""
        ...

    def state(self, number: int) -> Any:
        """Returns the rules' state of a number."""
        ...

    def matters(self, number: int) -> bool:
        """Tells whether anything asks for a state, or the rules know it."""
        ...


Calls = Callable[[int, int], Summon | None]
"""Gives the monster of a number at a grade, None where it is not there."""


class Left(Exception):
    """A line that is left out."""

    def __init__(self, why: str, misleads: bool = False) -> None:
        super().__init__(why)
        self.left_out = LeftOut(why, misleads)


def turns_of(turns: int) -> int:
    """Returns how long something lasts in the rules' words, where 0 has no end."""
    if turns < 0 or turns >= _LONGEST:
        return 0
    return max(1, turns)


def sort_elements(stats: Stats) -> tuple[Element, Element]:
    """Returns the best and the worst element of a sheet; earth before neutral."""
    of = {
        Element.EARTH: stats.strength,
        Element.FIRE: stats.intelligence,
        Element.WATER: stats.chance,
        Element.AIR: stats.agility,
    }
    return max(of, key=lambda element: of[element]), min(of, key=lambda element: of[element])


@dataclass(frozen=True, slots=True)
class _Whom:
    """A line's area, mask and triggers, read."""

    area: AreaSpread
    mask: Mask
    waits: Triggers

    @property
    def caster_alone(self) -> bool:
        """Whether it reaches its caster and nobody else."""
        return (self.mask.caster and self.mask.affects is None) or self.mask.among == (Who.CASTER,)

    @property
    def about_caster(self) -> bool:
        """Whether its conditions ask the caster alone."""
        asked = all(c.of_caster for clause in self.mask.conditions for c in clause)
        return asked or self.caster_alone


class EffectTranslator:
    """Translates the lines of spells that one fighter has.

    Args:
        data: the game's data.
        calls: the monsters.
        stats: the fighter's sheet, by which its best element is told.
        own_class: the number of its class, 0 for a monster.
    """

    def __init__(self, data: Data, calls: Calls, stats: Stats = _UNKNOWN_SHEET, own_class: int = 0) -> None:
        self._data = data
        self._calls = calls
        self._best, self._worst = sort_elements(stats)
        self._own_class = own_class
        self._known: dict[tuple[int, int], Translated] = {}
        self._open: list[tuple[int, int]] = []
        self._cut = False
        self._room = MOST_EFFECTS
        self._steps = _MOST_STEPS

    def translate(self, level: SpellLevel) -> Translated:
        """Returns the effects of a spell at a grade."""
        self._room = MOST_EFFECTS
        self._steps = _MOST_STEPS
        return self._lines(level)

    def _lines(self, level: SpellLevel) -> Translated:
        """Returns the effects of a spell's lines, in their order."""
        effects: list[Effect] = []
        left_out: list[LeftOut] = []
        spare = list(level.critical)
        chances = _chances(level.lines)
        self._open.append((level.spell, level.grade))
        for line, chance in zip(level.lines, chances, strict=True):
            critical = _taken(spare, line)
            try:
                made = self._line(line, critical, left_out)
            except Left as error:
                left_out.append(error.left_out)
                continue
            self._room -= len(made)
            if self._room < 0:
                left_out.append(LeftOut(say("more effects than there is room for")))
                break
            effects += [replace(effect, **chance) for effect in made] if chance else made
        self._open.pop()
        if any(not _does_nothing(line) for line in spare):
            left_out.append(LeftOut(say("what only critical hits do")))
        return Translated(tuple(effects), tuple(dict.fromkeys(left_out)))

    def _line(self, line: GameLine, critical: GameLine | None, left_out: list[LeftOut]) -> list[Effect]:
        """Returns a line's effects.

        Raises:
            Left: the line is not understood.
        """
        self._steps -= 1
        if self._steps < 0:
            self._cut = True
            raise Left(say("more effects than there is room for"))
        row = EFFECT_IDS.get(line.number)
        if row is None:
            raise Left(say("an effect unknown to this version (number {number})", number=line.number))
        if row.how is How.NOTHING:
            return []
        if row.how is How.OUT or (row.how is How.RANGE and (line.first or not line.third)):
            raise Left(say(row.left_out), row.misleads)
        whom = self._whom(line, row)
        if whom.mask.never:
            return []
        return self._effects(row, line, critical, whom, left_out)

    def _whom(self, line: GameLine, row: EffectId) -> _Whom:
        """Reads whom a line reaches, and when."""
        mask = read_mask(line.mask, self._data.state, self._own_class)
        if mask.unknown:
            raise Left(say("targets told in a way that is not understood ({mask})", mask=mask.unknown[0]))
        waits = read_triggers(line.triggers, self._data.state)
        if waits.unknown and not waits.triggers:
            raise Left(say("a trigger that is not understood ({trigger})", trigger=waits.unknown[0]))
        found = area(line.zone)
        if found is None:
            raise Left(say("an area of a shape that is not understood ({shape})", shape=line.zone.shape))
        if mask.cause and waits.triggers:
            raise Left(say("targets told in a way that is not understood ({mask})", mask=line.mask))
        return _Whom(found, mask, waits)

    def _effects(
        self,
        row: EffectId,
        line: GameLine,
        critical: GameLine | None,
        whom: _Whom,
        left_out: list[LeftOut],
    ) -> list[Effect]:
        if row.how in (How.CAST, How.MARK):
            return self._casting(row, line, whom, left_out)
        if row.how in (How.SUMMON, How.REPLACE):
            return self._calling(row, line, whom)
        if row.how in (How.BUFF, How.STEAL_STAT, How.RANGE):
            return self._buffs(row, line, critical, whom)
        if row.how in (How.DICE, How.GIFT, How.REWARD):
            return self._amounts(row, line, critical, whom)
        return self._others(row, line, whom)

    def _amounts(self, row: EffectId, line: GameLine, critical: GameLine | None, whom: _Whom) -> list[Effect]:
        """Returns damage, heals, shields, points and cells."""
        if row.how is How.REWARD:
            heal = Effect(
                EffectKind.HEAL, line.third, line.third, affects=Affects.CAUSE, percent_of=Basis.DAMAGE_TAKEN
            )
            hurt = Triggers((Trigger.DAMAGE,), None, ())
            waiting = whom if whom.waits.triggers else replace(whom, waits=hurt)
            return self._placed(waiting, line, Effect(EffectKind.CAST_BY, payload=(heal,)))
        if row.how is How.GIFT:
            loss = _diced(line, critical, EffectKind.DAMAGE, Basis.CASTER_HP)
            return [
                *self._placed(whom, line, _diced(line, critical, EffectKind.HEAL, Basis.CASTER_HP)),
                *self._placed(_on_caster(whom), line, loss),
            ]
        element = {1: self._best, -1: self._worst}.get(row.best, row.element)
        effect = _diced(line, critical, _kind(row), row.basis)
        return self._placed(whom, line, replace(effect, element=element, turns=turns_of(line.turns)))

    def _others(self, row: EffectId, line: GameLine, whom: _Whom) -> list[Effect]:
        """Returns states, ends of effects, and what has no numbers."""
        if row.how is How.MULTIPLY:
            return self._multiplied(line, whom)
        if row.how is How.END_SPELL:
            return self._placed(whom, line, Effect(EffectKind.END_TAGGED, tag=str(line.third)))
        if row.how is How.STATE:
            state = self._data.state(line.third) if self._data.matters(line.third) else None
        elif row.kind is EffectKind.TELEPORT and not (whom.area.shape is Shape.POINT and whom.about_caster):
            raise Left(say("a jump that depends on more than its cell"), row.misleads)
        else:
            state = row.state
        if row.how is How.STATE and state is None:
            return []
        return self._placed(whom, line, Effect(_kind(row), state=state, turns=turns_of(line.turns)))

    def _buffs(self, row: EffectId, line: GameLine, critical: GameLine | None, whom: _Whom) -> list[Effect]:
        """Returns changes of a stat."""
        turns = turns_of(line.turns)
        if row.how is How.RANGE:
            return self._placed(
                whom, line, Effect(EffectKind.BUFF, line.third, line.third, stat=row.stat, turns=turns)
            )
        gain = replace(_diced(line, critical, EffectKind.BUFF), stat=row.stat, turns=turns)
        if row.how is How.STEAL_STAT:
            return [
                *self._placed(whom, line, _negative(gain)),
                *self._placed(_on_caster(whom), line, gain),
            ]
        return self._placed(whom, line, gain if row.sign > 0 else _negative(gain))

    def _multiplied(self, line: GameLine, whom: _Whom) -> list[Effect]:
        """Returns resistances at any distance that make a share of all damage."""
        triggers = set(whom.waits.triggers)
        stats = ["melee_resistance", "ranged_resistance"]
        if triggers and not triggers & _WHOLE_DAMAGE:
            near = [("melee_resistance", Trigger.MELEE), ("ranged_resistance", Trigger.RANGED)]
            stats = [stat for stat, trigger in near if trigger in triggers]
            if not stats or whom.waits.state is not None:
                raise Left(say("a change of the damage of some kinds only"))
        turns = turns_of(line.listens if triggers and line.listens else line.turns)
        off = max(-1000, min(100, 100 - line.first))
        at_once = replace(whom, waits=Triggers((), None, ()))
        made = [Effect(EffectKind.BUFF, off, off, stat=stat, turns=turns) for stat in stats]
        return [effect for one in made for effect in self._placed(at_once, line, one)]

    def _calling(self, row: EffectId, line: GameLine, whom: _Whom) -> list[Effect]:
        summon = self._calls(line.first, max(1, line.second))
        if summon is None:
            raise Left(say("a summon that is not in the data (number {number})", number=line.first))
        if not whom.about_caster and row.how is How.SUMMON:
            raise Left(say("a summon whose place depends on who stands there"))
        call = Effect(EffectKind.SUMMON, summon=summon)
        if row.how is How.SUMMON:
            return self._placed(replace(whom, area=AreaSpread(Shape.POINT)), line, call)
        if whom.waits.triggers or line.delay:
            inside = (Effect(EffectKind.KILL), Effect(EffectKind.CAST_ON_CELL, payload=(call,)))
            return self._placed(whom, line, Effect(EffectKind.CAST, payload=inside))
        place = Effect(EffectKind.CAST_ON_CELL, payload=(call,))
        return [
            *self._placed(whom, line, Effect(EffectKind.KILL)),
            *self._placed(_on_caster(whom), line, place),
        ]

    def _casting(self, row: EffectId, line: GameLine, whom: _Whom, left_out: list[LeftOut]) -> list[Effect]:
        """Returns the effect that casts another spell, or lays a mark that does."""
        kind = _kind(row)
        if kind is EffectKind.CAST_ON_CELL and not whom.about_caster:
            raise Left(say("a spell cast at the cell by others than the caster"))
        if row.number in (2794, 2795) and not whom.caster_alone:
            raise Left(say("a spell cast at the cell by others than the caster"))
        if row.number == 1017 and not whom.waits.triggers:
            raise Left(say("a spell cast back by its target"))
        payload = self._payload(line.first, max(1, line.second), left_out)
        if kind in (EffectKind.GLYPH, EffectKind.TRAP):
            kept = tuple(effect for effect in payload if effect.kind not in _NOT_FROM_MARKS)
            if len(kept) < len(payload):
                left_out.append(LeftOut(say("summons and marks that come of glyphs and traps")))
            payload = kept
        if not payload:
            return []
        turns = 0 if kind is EffectKind.TRAP and line.turns <= 0 else turns_of(line.turns)
        if row.number == 1017:
            payload = (Effect(EffectKind.CAST, affects=Affects.CAUSE, payload=payload),)
            kind = EffectKind.CAST_BY
        elif kind is EffectKind.CAST_ON_CELL:
            whom = replace(whom, area=AreaSpread(Shape.POINT))
        made = self._placed(whom, line, Effect(kind, payload=payload, turns=turns))
        if line.weight or line.delay or whom.waits.triggers or whom.area.shape is not Shape.POINT:
            return made
        return [effect for one in made for effect in _unwrapped(one)]

    def _payload(self, spell: int, grade: int, left_out: list[LeftOut]) -> tuple[Effect, ...]:
        """Returns the effects of another spell; what of it is left out is noted."""
        key = (spell, grade)
        if key in self._open or len(self._open) >= DEEPEST:
            self._cut = True
            raise Left(say("spells that cast each other in a circle"))
        found = self._known.get(key)
        if found is not None:
            self._room -= _size(found.effects)
            if self._room < 0:
                raise Left(say("more effects than there is room for"))
        else:
            level = self._data.level(spell, grade)
            if level is None:
                raise Left(say("a spell that is not in the data (number {number})", number=spell))
            before, self._cut = self._cut, False
            found = self._lines(level)
            if not self._cut:
                self._known[key] = found
            self._cut = self._cut or before
        left_out += found.left_out
        return found.effects

    def _placed(self, whom: _Whom, line: GameLine, effect: Effect) -> list[Effect]:
        """Returns an effect for everyone whom a line reaches: in its area, and the caster apart from it.

        Raises:
            Left: it acts on the ground, and should wait for something.
        """
        waits, mask, found = whom.waits, whom.mask, whom.area
        common: dict[str, Any] = {
            "dispellable": line.dispellable == 1,
            "tag": effect.tag or str(self._open[-1][0]),
            "conditions": mask.conditions,
        }
        if waits.triggers or line.delay:
            common |= {
                "trigger": waits.triggers,
                "trigger_state": waits.state,
                "listens": turns_of(line.listens or line.turns) if waits.triggers else 0,
                "delay": min(_LONGEST, line.delay),
            }
        in_area: dict[str, Any] = {
            "shape": found.shape,
            "radius": found.radius,
            "inner": found.inner,
            "fall_off": found.fall_off,
            "fall_steps": found.fall_steps,
        }
        if effect.kind in _ON_THE_GROUND:
            if not whom.caster_alone:
                common["conditions"] = _of_caster(mask.conditions)
            if not waits.triggers and not line.delay:
                return [replace(effect, affects=Affects.ALL, **in_area, **common)]
            if effect.kind not in (EffectKind.GLYPH, EffectKind.TRAP) or not whom.caster_alone:
                raise Left(say("what should happen on the ground later"))
            laid = replace(effect, affects=Affects.ALL, tag=common["tag"], **in_area)
            return [Effect(EffectKind.CAST_BY, affects=Affects.CASTER, payload=(laid,), **common)]
        if mask.cause:
            return [replace(effect, affects=Affects.CAUSE, **common)]
        reached = []
        if mask.among == (Who.CASTER,) and found.shape is Shape.EVERYWHERE:
            reached.append(replace(effect, affects=Affects.CASTER, **common))
        elif mask.affects is not None:
            reached.append(replace(effect, affects=mask.affects, among=mask.among, **in_area, **common))
        if mask.caster:
            reached.append(replace(effect, affects=Affects.CASTER, **common))
        return reached


_CASTER_ALONE = Mask(None, (), True, False, (), False, ())


def _on_caster(whom: _Whom) -> _Whom:
    """Returns the same for the caster alone."""
    mask = _CASTER_ALONE._replace(conditions=_of_caster(whom.mask.conditions))
    return replace(whom, area=AreaSpread(Shape.POINT), mask=mask)


def _kind(row: EffectId) -> EffectKind:
    assert row.kind is not None
    return row.kind


def _of_caster(conditions: Conditions) -> Conditions:
    """Returns the conditions that ask the caster alone."""
    return tuple(clause for clause in conditions if all(c.of_caster or c.asks is Asks.CASTER for c in clause))


def _dice(line: GameLine) -> tuple[int, int]:
    low = max(0, line.first)
    return low, max(low, line.second)


def _diced(
    line: GameLine, critical: GameLine | None, kind: EffectKind, basis: Basis = Basis.POINTS
) -> Effect:
    """Returns an effect with a line's dice, and those of its critical hit where they differ."""
    low, high = _dice(line)
    crit_low, crit_high = (None, None) if critical is None else _dice(critical)
    if (crit_low, crit_high) == (low, high):
        crit_low = crit_high = None
    return Effect(kind, low, high, crit_low=crit_low, crit_high=crit_high, percent_of=basis)


def _unwrapped(cast: Effect) -> tuple[Effect, ...]:
    """Returns a cast of another spell as that spell's own effects, as far as they come to the same.

    The search looks at what a spell does itself when it weighs threats: casts within casts are slower and
    count for less.
    """
    if cast.kind is EffectKind.CAST_ON_CELL:
        bare = all(_stays_the_same(effect) for effect in cast.payload)
        asked = tuple(tuple(replace(c, of_caster=True) for c in clause) for clause in cast.conditions)
        if not bare:
            return (cast,)
        return tuple(replace(effect, conditions=(*asked, *effect.conditions)) for effect in cast.payload)
    if cast.kind is not EffectKind.CAST or cast.affects in (Affects.CASTER, Affects.CAUSE):
        return (cast,)
    own = tuple(effect for effect in cast.payload if _is_for_who_stands_there(effect, cast))
    rest = tuple(effect for effect in cast.payload if effect not in own)
    unwrapped = tuple(
        replace(
            effect,
            affects=cast.affects if effect.affects is Affects.ALL and not effect.among else effect.affects,
            among=cast.among if effect.affects is Affects.ALL and not effect.among else effect.among,
            conditions=(*cast.conditions, *effect.conditions),
        )
        for effect in own
    )
    return (*unwrapped, replace(cast, payload=rest)) if rest else unwrapped


def _stays_the_same(effect: Effect) -> bool:
    """Tells whether an effect of another spell cast at the cell may be the spell's own."""
    free = effect.kind not in (EffectKind.TELEPORT, EffectKind.SUMMON)
    return free and not effect.group and not effect.chance


def _is_for_who_stands_there(effect: Effect, cast: Effect) -> bool:
    """Tells whether an effect of another spell cast at somebody may be the spell's own."""
    everyone = Affects.ALL, ()
    whom = effect.affects, effect.among
    alike = whom == everyone or (cast.affects, cast.among) in (everyone, whom)
    aside = effect.affects in (Affects.CASTER, Affects.CAUSE) or effect.kind in _ON_THE_GROUND
    return effect.shape is Shape.POINT and alike and not aside and _stays_the_same(effect)


def _negative(effect: Effect) -> Effect:
    """Returns a buff that takes away what it would give."""
    crit_low = None if effect.crit_high is None else -effect.crit_high
    crit_high = None if effect.crit_low is None else -effect.crit_low
    return replace(effect, low=-effect.high, high=-effect.low, crit_low=crit_low, crit_high=crit_high)


def _taken(spare: list[GameLine], line: GameLine) -> GameLine | None:
    """Takes the line of a critical hit that stands for a usual one out of those that are left."""
    for index, other in enumerate(spare):
        same_target = other.number == line.number and other.mask == line.mask
        if same_target and other.triggers == line.triggers and other.third == line.third:
            return spare.pop(index)
    return None


def _does_nothing(line: GameLine) -> bool:
    row = EFFECT_IDS.get(line.number)
    return row is not None and row.how is How.NOTHING


def _size(effects: Sequence[Effect]) -> int:
    return sum(1 + _size(effect.payload) for effect in effects)


def _chances(lines: Sequence[GameLine]) -> Iterable[dict[str, Any]]:
    """Returns each line's part in chance: one of several groups happens, a lone one by its percent."""
    groups = [0 if not line.weight else line.group or 10_000 + index for index, line in enumerate(lines)]
    lone = len(set(groups) - {0}) == 1
    for line, group in zip(lines, groups, strict=True):
        if not group:
            yield {}
        elif lone:
            yield {} if line.weight >= 10_000 else {"chance": max(1, line.weight // 100)}
        else:
            yield {"group": group, "chance": line.weight}


def states_asked(level: SpellLevel) -> Iterable[int]:
    """Returns the numbers of the states that a spell's masks, triggers and condition on casting ask for."""
    yield from states_of_criterion(level.criterion)
    for line in (*level.lines, *level.critical):
        yield from states_of_mask(line.mask)
        if line.triggers != "I":
            yield from states_of_trigger(line.triggers)

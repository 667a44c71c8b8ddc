"""Translates the lines of a game's spell into effects of the rules; what is left out is named in words.

Other spells that a line casts, and monsters that it calls, are looked up and translated along. A line is
left out as a whole or understood as a whole.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from botapp.content.game.boosts import COOLDOWN, OF_SPELLS, Boosts, boost_state, changes_of, raised
from botapp.content.game.effect_ids import EFFECT_IDS, EffectId, How
from botapp.content.game.grammar import (
    AreaSpread,
    Triggers,
    area,
    read_mask,
    read_triggers,
    states_of_criterion,
    states_of_mask,
    states_of_trigger,
)
from botapp.content.game.line_parts import (
    added,
    chances_of,
    diced,
    does_nothing,
    negative,
    taken,
    told_once,
    unwrapped,
)
from botapp.content.game.lines import GameLine, SpellLevel
from botapp.content.game.targeting import Targeting, on_caster, placed, turns_of
from botapp.content.game.wanted import Left, LeftOut, notes_of
from botapp.fight.spell_changes import MOST_CHANGES
from botapp.fight.spells import (
    Affects,
    Asks,
    Basis,
    Condition,
    Conditions,
    Effect,
    EffectKind,
    Element,
    Shape,
    SpellChange,
    StateName,
    Stats,
    Summon,
    Trigger,
)
from botapp.host.message import say

MOST_EFFECTS = 600  # Effects of one spell, those of the spells that it casts counted in
_MOST_STEPS = 3000  # Lines looked at for one spell: data made to grow without end stop here
DEEPEST = 8  # How many spells may cast each other in a row
_MOST_STACKS = 63
_NOT_FROM_MARKS = (EffectKind.GLYPH, EffectKind.TRAP, EffectKind.SUMMON, EffectKind.TELEPORT)
_AT_THE_CAUSE = (1017, 1019)
_UNKNOWN_SHEET = Stats()
_HEALS_BY = {
    Element.NEUTRAL: "",
    Element.FIRE: "",
    Element.WATER: "chance",
    Element.AIR: "agility",
    Element.EARTH: "strength",
}
"""The stat by which heals of an element grow, "" for the rules' own."""
_WHOLE_DAMAGE = frozenset((Trigger.DAMAGE, Trigger.FROM_ENEMY))


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

    def doubt(self, number: int) -> str:
        """Returns why it is not known what a state does, "" where it is."""
        ...


Calls = Callable[[int, int], Summon | None]
"""Gives the monster of a number at a grade, None where it is not there."""


def _stat_of(stats: Stats, element: Element) -> int:
    of = {Element.FIRE: stats.intelligence, Element.WATER: stats.chance, Element.AIR: stats.agility}
    return of.get(element, stats.strength)


def sort_elements(stats: Stats) -> tuple[Element, Element]:
    """Returns the best and the worst element of a sheet; earth before neutral."""
    of = {
        Element.EARTH: stats.strength,
        Element.FIRE: stats.intelligence,
        Element.WATER: stats.chance,
        Element.AIR: stats.agility,
    }
    return max(of, key=lambda element: of[element]), min(of, key=lambda element: of[element])


class EffectTranslator:
    """Translates the lines of spells that one fighter has.

    Args:
        stats: the fighter's sheet, which determines its best element.
        own_class: the number of its class, 0 for a monster.
        boosts: which of its spells raise which others.
        element_damage: flat damage of its hits of one element, which its sheet has no place for.
    """

    def __init__(
        self,
        data: Data,
        calls: Calls,
        stats: Stats = _UNKNOWN_SHEET,
        own_class: int = 0,
        boosts: Boosts | None = None,
        element_damage: Mapping[Element, int] | None = None,
    ) -> None:
        self._data = data
        self._calls = calls
        self._best, self._worst = sort_elements(stats)
        self._more = {
            element: round(extra * 100 / (100 + max(0, _stat_of(stats, element) + stats.power)))
            for element, extra in (element_damage or {}).items()
        }
        self._own_class = own_class
        self._boosts = boosts or {}
        self._known: dict[tuple[int, int], Translated] = {}
        self._levels: list[SpellLevel] = []
        self._cut = False
        self._room = MOST_EFFECTS
        self._steps = _MOST_STEPS

    def translate(self, level: SpellLevel) -> Translated:
        self._room = MOST_EFFECTS
        self._steps = _MOST_STEPS
        translated = self._lines(level)
        if len(changes_of(level.spell, self._boosts)) <= MOST_CHANGES:
            return translated
        more = LeftOut(say("changes of spells' costs, ranges or dice"))
        return translated._replace(left_out=tuple(dict.fromkeys((*translated.left_out, more))))

    def changes(self, spell: int) -> tuple[SpellChange, ...]:
        """Returns what others of the fighter's spells change of the spell of a number."""
        return changes_of(spell, self._boosts)[:MOST_CHANGES]

    def _lines(self, level: SpellLevel) -> Translated:
        effects: list[Effect] = []
        left_out = notes_of(_of_lines(level.missing), _of_lines(level.odd))
        spare = list(level.critical)
        lines = told_once(level.lines)
        chances = chances_of(lines)
        self._levels.append(level)
        for line, chance in zip(lines, chances, strict=True):
            critical = taken(spare, line)
            try:
                made = self._line(line, critical, left_out)
            except Left as error:
                left_out.append(error.left_out)
                continue
            doubts = (self._data.doubt(number) for number in _states_in(line))
            left_out += (LeftOut(why) for why in doubts if why)
            self._room -= len(made)
            if self._room < 0:
                left_out.append(LeftOut(say("more effects than there is room for")))
                break
            effects += [replace(effect, **chance) for effect in made] if chance else made
        self._levels.pop()
        if any(not does_nothing(line) for line in spare):
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
        unsaid = row.how in (How.BOOST, How.COOLDOWN) and not line.first
        if row.how is How.OUT or unsaid or (row.how is How.RANGE and not line.third):
            raise Left(say(row.left_out), row.misleads)
        targeting = self._targeting(line, row)
        if targeting.mask.never:
            return []
        return self._effects(row, line, critical, targeting, left_out)

    def _targeting(self, line: GameLine, row: EffectId) -> Targeting:
        mask = read_mask(line.mask, self._data.state, self._own_class)
        if mask.unknown:
            raise Left(say("targets told in a way that is not understood ({mask})", mask=mask.unknown[0]))
        waits = read_triggers(line.triggers, self._data.state)
        if waits.unknown and not waits.triggers:
            raise Left(say("a trigger that is not understood ({trigger})", trigger=waits.unknown[0]))
        zone = area(line.zone)
        if zone is None:
            raise Left(say("an area of a shape that is not understood ({shape})", shape=line.zone.shape))
        if mask.cause and waits.triggers:
            raise Left(say("targets told in a way that is not understood ({mask})", mask=line.mask))
        return Targeting(zone, mask, waits)

    def _effects(
        self,
        row: EffectId,
        line: GameLine,
        critical: GameLine | None,
        targeting: Targeting,
        left_out: list[LeftOut],
    ) -> list[Effect]:
        if row.how in (How.CAST, How.MARK):
            return self._casting(row, line, targeting, left_out)
        if row.how in (How.SUMMON, How.REPLACE):
            return self._calling(row, line, targeting)
        if row.how in (How.BUFF, How.STEAL_STAT) or (row.how is How.RANGE and not line.first):
            return self._buffs(row, line, critical, targeting)
        if row.how in (How.DICE, How.GIFT, How.REWARD, How.REFLECT):
            return self._amounts(row, line, critical, targeting)
        if row.how in OF_SPELLS:
            return self._change_of_a_spell(row, line, targeting)
        return self._others(row, line, targeting)

    def _amounts(
        self, row: EffectId, line: GameLine, critical: GameLine | None, targeting: Targeting
    ) -> list[Effect]:
        if row.how is How.REWARD:
            heal = Effect(
                EffectKind.HEAL, line.third, line.third, affects=Affects.CAUSE, percent_of=Basis.DAMAGE_TAKEN
            )
            hurt = Triggers((Trigger.DAMAGE,), None, ())
            waiting = targeting if targeting.waits.triggers else replace(targeting, waits=hurt)
            return self._placed(waiting, line, Effect(EffectKind.CAST_BY, payload=(heal,)))
        if row.how is How.REFLECT:
            if not targeting.waits.triggers:
                raise Left(say(row.left_out), row.misleads)
            back = Effect(
                EffectKind.DAMAGE,
                line.first,
                line.first,
                affects=Affects.CAUSE,
                percent_of=Basis.DAMAGE_TAKEN,
            )
            return self._placed(targeting, line, Effect(EffectKind.CAST_BY, payload=(back,)))
        if row.how is How.GIFT:
            loss = diced(line, critical, EffectKind.DAMAGE, Basis.CASTER_HP)
            return [
                *self._placed(targeting, line, diced(line, critical, EffectKind.HEAL, Basis.CASTER_HP)),
                *self._placed(on_caster(targeting), line, loss),
            ]
        element = {1: self._best, -1: self._worst}.get(row.best, row.element)
        effect = diced(line, critical, _kind(row), row.basis)
        if effect.kind is EffectKind.HEAL and effect.percent_of is Basis.POINTS:
            effect = replace(effect, stat=_HEALS_BY[element])
        effect = self._with_more(replace(effect, element=element, turns=turns_of(line.turns)))
        made = self._placed(targeting, line, effect)
        return raised(made, self._levels[-1].spell, self._boosts)

    def _with_more(self, effect: Effect) -> Effect:
        more = self._more.get(effect.element, 0)
        hurts = effect.kind in (EffectKind.DAMAGE, EffectKind.STEAL)
        return added(effect, more) if more and hurts and effect.percent_of is Basis.POINTS else effect

    def _others(self, row: EffectId, line: GameLine, targeting: Targeting) -> list[Effect]:
        """Returns states, ends of effects, and what has no numbers."""
        if row.how is How.ARMOR:
            plain = Effect(EffectKind.BUFF, line.third, line.third, stat=row.stat)
            by_level = replace(plain, low=5 * line.third, high=5 * line.third, percent_of=Basis.LEVEL)
            return [e for part in (plain, by_level) for e in self._while_it_listens(targeting, line, part)]
        if row.how is How.MULTIPLY:
            return self._multiplied(row, line, targeting)
        if row.how is How.PLAIN and row.kind is EffectKind.BUFF:
            luck = Effect(EffectKind.BUFF, row.sign, row.sign, stat=row.stat, turns=turns_of(line.turns))
            return self._placed(targeting, line, luck)
        if row.how is How.END_SPELL:
            return self._placed(targeting, line, Effect(EffectKind.END_TAGGED, tag=str(line.third)))
        state: StateName | None
        if row.how is How.STATE:
            state = self._data.state(line.third) if self._data.matters(line.third) else None
            if state is None:
                return []
        elif row.kind is EffectKind.TELEPORT and not (
            targeting.area.shape is Shape.POINT and targeting.about_caster
        ):
            raise Left(say("a jump that depends on more than its cell"), row.misleads)
        else:
            state = row.state
        return self._placed(targeting, line, Effect(_kind(row), state=state, turns=turns_of(line.turns)))

    def _change_of_a_spell(self, row: EffectId, line: GameLine, targeting: Targeting) -> list[Effect]:
        if row.how is How.COOLDOWN and line.third <= 0:
            raise Left(say(row.left_out), row.misleads)
        if (row.number, line.first) not in self._boosts:
            return []
        turns = turns_of(line.third if row.how is How.COOLDOWN else line.turns)
        state = boost_state(row.number, line.first)
        return self._placed(targeting, line, Effect(EffectKind.STATE, state=state, turns=turns))

    def criterion(self, spell: int) -> Conditions:
        """Returns what must hold for the caster of a spell: that no other one has set its cooldown."""
        waits = Condition(Asks.STATE, state=boost_state(COOLDOWN, spell), of_caster=True, unless=True)
        return ((waits,),) if (COOLDOWN, spell) in self._boosts else ()

    def _buffs(
        self, row: EffectId, line: GameLine, critical: GameLine | None, targeting: Targeting
    ) -> list[Effect]:
        turns = turns_of(line.turns)
        if row.how is How.RANGE:
            return self._placed(
                targeting, line, Effect(EffectKind.BUFF, line.third, line.third, stat=row.stat, turns=turns)
            )
        gain = replace(diced(line, critical, EffectKind.BUFF), stat=row.stat, turns=turns)
        if row.how is How.STEAL_STAT:
            return [
                *self._placed(targeting, line, negative(gain)),
                *self._placed(on_caster(targeting), line, gain),
            ]
        return self._placed(targeting, line, gain if row.sign > 0 else negative(gain))

    def _multiplied(self, row: EffectId, line: GameLine, targeting: Targeting) -> list[Effect]:
        """Returns resistances at any distance that make a share of all damage, or what makes one of heals."""
        if row.stat:
            more = max(-100, line.first - 100)
            return self._while_it_listens(targeting, line, Effect(EffectKind.BUFF, more, more, stat=row.stat))
        triggers = set(targeting.waits.triggers)
        stats = ["melee_resistance", "ranged_resistance"]
        if triggers and not triggers & _WHOLE_DAMAGE:
            near = [("melee_resistance", Trigger.MELEE), ("ranged_resistance", Trigger.RANGED)]
            stats = [stat for stat, trigger in near if trigger in triggers]
            if not stats or targeting.waits.state is not None:
                raise Left(say("a change of the damage of some kinds only"))
        off = max(-1000, min(100, 100 - line.first))
        made = [Effect(EffectKind.BUFF, off, off, stat=stat) for stat in stats]
        return [effect for part in made for effect in self._while_it_listens(targeting, line, part)]

    def _while_it_listens(self, targeting: Targeting, line: GameLine, effect: Effect) -> list[Effect]:
        """Returns what lasts as long as a line would wait for its triggers."""
        turns = turns_of(line.listens if targeting.waits.triggers and line.listens else line.turns)
        at_once = replace(targeting, waits=Triggers((), None, ()))
        return self._placed(at_once, line, replace(effect, turns=turns))

    def _calling(self, row: EffectId, line: GameLine, targeting: Targeting) -> list[Effect]:
        summon = self._calls(line.first, max(1, line.second))
        if summon is None:
            raise Left(say("a summon that is not in the data (number {number})", number=line.first))
        spread = not targeting.about_caster or targeting.area.shape is not Shape.POINT
        if spread and row.how is How.SUMMON:
            raise Left(say("a summon whose place depends on who stands there"))
        call = Effect(EffectKind.SUMMON, summon=summon)
        if row.how is How.SUMMON:
            return self._placed(targeting, line, call)
        if targeting.waits.triggers or line.delay:
            inside = (Effect(EffectKind.KILL), Effect(EffectKind.CAST_ON_CELL, payload=(call,)))
            return self._placed(targeting, line, Effect(EffectKind.CAST, payload=inside))
        place = Effect(EffectKind.CAST_ON_CELL, payload=(call,))
        return [
            *self._placed(targeting, line, Effect(EffectKind.KILL)),
            *self._placed(on_caster(targeting), line, place),
        ]

    def _casting(
        self, row: EffectId, line: GameLine, targeting: Targeting, left_out: list[LeftOut]
    ) -> list[Effect]:
        kind = _kind(row)
        if kind is EffectKind.CAST_ON_CELL and not targeting.about_caster:
            raise Left(say("a spell cast at the cell by others than the caster"))
        if row.number in (2794, 2795) and not targeting.caster_alone:
            raise Left(say("a spell cast at the cell by others than the caster"))
        if row.number in _AT_THE_CAUSE and not targeting.waits.triggers:
            raise Left(say("a spell cast back by its target"))
        payload = self._payload(line.first, max(1, line.second), left_out)
        if kind in (EffectKind.GLYPH, EffectKind.TRAP):
            castable = tuple(effect for effect in payload if effect.kind not in _NOT_FROM_MARKS)
            if len(castable) < len(payload):
                left_out.append(LeftOut(say("summons and marks that come of glyphs and traps")))
            payload = castable
        if not payload:
            return []
        turns = 0 if kind is EffectKind.TRAP and line.turns <= 0 else turns_of(line.turns)
        if row.number in _AT_THE_CAUSE:
            payload = (Effect(kind, affects=Affects.CAUSE, payload=payload),)
            kind = EffectKind.CAST_BY
        elif kind is EffectKind.CAST_ON_CELL:
            targeting = replace(targeting, area=AreaSpread(Shape.POINT))
        made = self._placed(targeting, line, Effect(kind, payload=payload, turns=turns))
        if line.weight or line.delay or targeting.waits.triggers or targeting.area.shape is not Shape.POINT:
            return made
        return [effect for part in made for effect in unwrapped(part)]

    def _payload(self, spell: int, grade: int, left_out: list[LeftOut]) -> tuple[Effect, ...]:
        """Returns the effects of another spell; what of it is left out is noted."""
        key = (spell, grade)
        open_now = [(level.spell, level.grade) for level in self._levels]
        if key in open_now or len(open_now) >= DEEPEST:
            self._cut = True
            raise Left(say("spells that cast each other in a circle"))
        known = self._known.get(key)
        if known is not None:
            self._room -= _size(known.effects)
            if self._room < 0:
                raise Left(say("more effects than there is room for"))
        else:
            level = self._data.level(spell, grade)
            if level is None:
                raise Left(say("a spell that is not in the data (number {number})", number=spell))
            before, self._cut = self._cut, False
            known = self._lines(level)
            if not self._cut:
                self._known[key] = known
            self._cut = self._cut or before
        left_out += known.left_out
        return known.effects

    def _placed(self, targeting: Targeting, line: GameLine, effect: Effect) -> list[Effect]:
        level = self._levels[-1]
        return placed(targeting, line, effect, level.spell, min(_MOST_STACKS, level.max_stack))


def _of_lines(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith("effects.")]


def _kind(row: EffectId) -> EffectKind:
    assert row.kind is not None
    return row.kind


def _states_in(line: GameLine) -> Iterable[int]:
    row = EFFECT_IDS.get(line.number)
    if row is not None and row.how is How.STATE:
        yield line.third
    yield from _asked_by(line)


def _asked_by(line: GameLine) -> Iterable[int]:
    yield from states_of_mask(line.mask)
    if line.triggers != "I":
        yield from states_of_trigger(line.triggers)


def _size(effects: Sequence[Effect]) -> int:
    return sum(1 + _size(effect.payload) for effect in effects)


def states_asked(level: SpellLevel) -> Iterable[int]:
    """Returns the numbers of the states that a spell's masks, triggers and condition on casting ask for."""
    yield from states_of_criterion(level.criterion)
    for line in (*level.lines, *level.critical):
        yield from _asked_by(line)

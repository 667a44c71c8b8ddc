"""Spells, effects and summons as words of the book, and the tables that lead back to the objects."""

import threading
from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from botapp.fight.board import CELLS
from botapp.fight.core import fight, kinds, spellbook
from botapp.fight.core.acts import Act, acts_of, areas_of, attacks, helps, spell_use
from botapp.fight.core.capacity import check_count, check_numbers
from botapp.fight.spell_changes import changed_by
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
    Spell,
    SpellChange,
    State,
    StateName,
    Stats,
    Summon,
    Trigger,
    Who,
)

Key = TypeVar("Key")
Entry = TypeVar("Entry")

_EFFECT_KINDS = {kind: number for number, kind in enumerate(EffectKind)}
_ELEMENTS = {element: number for number, element in enumerate(Element)}
_SHAPES = {shape: number for number, shape in enumerate(Shape)}
_AFFECTS = {affects: number for number, affects in enumerate(Affects)}
_BASES = {basis: number for number, basis in enumerate(Basis)}
_ASKS = {asks: number for number, asks in enumerate(Asks)}
_WHO = {who: number for number, who in enumerate(Who)}
_TRIGGERS = {trigger: 1 << number for number, trigger in enumerate(Trigger)}
STAT_NUMBERS = {
    "": -1,
    **{name: number for number, name in enumerate(fight.STAT_NAMES)},
    "ap": fight.STAT_AP,
    "mp": fight.STAT_MP,
    "resistance": fight.STAT_ALL_RESISTANCES,
}
STAT_WORDS = {number: name for name, number in STAT_NUMBERS.items()}
"""The names of `BUFF_STATS` by number; -1 is none."""
_STATE_BITS = 31
MOST_STATES = 62
_WORD_BITS = 28


class FighterKind(NamedTuple):
    """What never changes about the fighters of a kind."""

    name: str
    kind: str
    spells: tuple[Spell, ...]


def set_words(cells: Iterable[int]) -> list[int]:
    """Returns a set of cells as words."""
    words = [0] * fight.SET
    for cell in cells:
        words[cell // _WORD_BITS] |= 1 << cell % _WORD_BITS
    return words


def cells_in(words: Sequence[int]) -> tuple[int, ...]:
    """Returns the cells of a set that is given as words, in ascending order."""
    return tuple(cell for cell in range(CELLS) if words[cell // _WORD_BITS] >> cell % _WORD_BITS & 1)


def stat_words(stats: Stats) -> list[int]:
    """Returns a sheet in the order of `STAT_NAMES`."""
    return [
        stats.strength, stats.intelligence, stats.chance, stats.agility, stats.power, stats.damage,
        stats.heals, stats.wisdom, stats.lock, stats.flee, stats.range, stats.initiative, stats.crit,
        stats.crit_damage, stats.push_damage, stats.push_resistance, stats.withdraw, stats.dodge,
        stats.erosion, stats.summons, *stats.resistance, *stats.fixed_resistance, stats.crit_resistance,
        stats.final_damage, stats.spell_damage, stats.weapon_damage, stats.melee_damage, stats.ranged_damage,
        stats.spell_resistance, stats.weapon_resistance, stats.melee_resistance, stats.ranged_resistance,
        stats.final_heals, stats.heals_received, stats.armor, stats.luck,
    ]  # fmt: skip


_adding = threading.Lock()


class Numbered(list[Entry], Generic[Key, Entry]):
    """Entries by number, each once by its key; states may be packed in several threads."""

    def __init__(self, known: Iterable[tuple[Key, Entry]] = ()) -> None:
        self._numbers: dict[Key, int] = {}
        super().__init__()
        for key, entry in known:
            self.number(key, entry)

    def number(self, key: Key, entry: Entry) -> int:
        """Returns the number of an entry, a new one at the end where its key is new."""
        number = self._numbers.get(key)
        if number is not None:
            return number
        with _adding:
            if key not in self._numbers:
                self.append(entry)
                self._numbers[key] = len(self) - 1
            return self._numbers[key]


class ContentWriter:
    """Words of spell lists, spells, effects and summons, each object written once.

    Attributes:
        words: what has been written, the first of them being at `CONTENT` in the book.
        lists: places of the spell lists, by the id of the tuple.
        payloads: places of the payloads, by the tuple's id and the name of the spell that they belong to.
        spells_at, payloads_at: the objects by place.
        slots: the slots of a spell list's spells, by the id of the tuple and the spell's key.
        effects: the effects by number.
        kinds: the kinds of fighters by number; see `FighterKind`.
        species: the classes and kinds of monsters by number.
        names: names of spells and marks by number.
        states: the states by number, those of the rules first.
        places: where an effect stands, by its id; one of them where it belongs to several spells.
    """

    def __init__(self) -> None:
        self.words: list[int] = []
        self.lists: dict[int, int] = {}
        self.payloads: dict[tuple[int, str], int] = {}
        self.spells_at: dict[int, Spell] = {}
        self.payloads_at: dict[int, tuple[Effect, ...]] = {0: ()}
        self.effects: list[Effect] = []
        self.kinds: Numbered[tuple[str, str, int], FighterKind] = Numbered()
        self.species: Numbered[str, str] = Numbered()
        self.names: Numbered[str, str] = Numbered()
        self.slots: dict[int, dict[str, int]] = {}
        self.states: Numbered[StateName, StateName] = Numbered((state, state) for state in State)
        self.places: dict[int, int] = {}
        self._written: dict[int, int] = {}  # Places of spells and summons, by their ids
        self._kept: list[object] = []  # What is known by its id and stands nowhere else

    @property
    def has_shares(self) -> bool:
        """Whether what an effect does may be a share of something, such as a fighter's HP."""
        return any(effect.percent_of is not Basis.POINTS for effect in self.effects)

    def write_list(self, spells: tuple[Spell, ...]) -> int:
        """Writes a spell list with all that its spells lead to; returns its place in the book.

        Raises:
            CapacityError: there are too many spells, or a number is too large.
        """
        if id(spells) not in self.lists:
            check_count("spells of a fighter", len(spells), fight.MOST_SPELLS)
            places = [self._write_spell(spell) for spell in spells]
            self.lists[id(spells)] = self._append([len(places), *places])
            self._kept.append(spells)
            self.slots[id(spells)] = {spell.key: slot for slot, spell in reversed(list(enumerate(spells)))}
        return self.lists[id(spells)]

    def write_payload(self, payload: tuple[Effect, ...], name: str) -> int:
        """Writes what a glyph or trap does; returns its place in the book, 0 where it does nothing.

        Raises:
            CapacityError: a number is too large.
        """
        if not payload:
            return 0
        if (id(payload), name) not in self.payloads:
            place = self.payloads[id(payload), name] = self._write_effects(payload, name)
            self.payloads_at[place] = payload
        return self.payloads[id(payload), name]

    def kind_number(self, name: str, kind: str, spells: tuple[Spell, ...]) -> int:
        """Returns the number of a kind of fighters, a new one where it is new."""
        return self.kinds.number((name, kind, id(spells)), FighterKind(name, kind, spells))

    def state_number(self, state: StateName) -> int:
        """Returns the number of a state, a new one where it is new.

        Raises:
            CapacityError: there are too many states.
        """
        number = self.states.number(state, state)
        check_count("states", number + 1, MOST_STATES)
        return number

    def state_bits(self, states: Iterable[StateName]) -> tuple[int, int]:
        """Returns the bits of the states 0 to 30, and those of the states 31 to 61."""
        bits = 0
        for state in states:
            bits |= 1 << self.state_number(state)
        return bits & (1 << _STATE_BITS) - 1, bits >> _STATE_BITS

    def write_waiting(self, effect: Effect) -> int:
        """Writes an effect that waits on a fighter, or has given a buff; returns its place in the book.

        Raises:
            CapacityError: a number is too large.
        """
        if id(effect) not in self.places:
            self._write_effects((effect,), "")
        return self.places[id(effect)]

    def _append(self, words: list[int], what: str = "") -> int:
        check_numbers(what, words)
        place = spellbook.CONTENT + len(self.words)
        self.words += words
        return place

    def _write_spell(self, spell: Spell) -> int:
        if id(spell) not in self._written:
            effects = self._write_effects(spell.effects, spell.name, spell.weapon, spell.max_range == 0)
            behind = [
                *self.state_bits(spell.forbidden_states),
                [effect.kind for effect in spell.effects].count(EffectKind.SUMMON),
                len(spell.effects),
                effects + 1,
                spell_use(spell),
                self._write_conditions(spell.criterion, (), spell.name),
                self.words[effects + 1 + len(spell.effects) - spellbook.CONTENT],
            ]
            place = self._write_as_changed(spell, (), 0, behind)
            self._written[id(spell)] = place
            self.spells_at[place] = spell
        return self._written[id(spell)]

    def _write_as_changed(
        self, spell: Spell, made: tuple[SpellChange, ...], done: int, behind: list[int]
    ) -> int:
        """Writes a spell, and before it what further states of its caster make of it; returns its place.

        Args:
            spell: the spell as it is without any.
            made: the changes that are made.
            done: how many of its changes were looked at, made or not.
            behind: its words after the states that it needs.
        """
        changed: list[int] = []
        for place in range(done, len(spell.changes)):
            change = spell.changes[place]
            other = self._write_as_changed(spell, (*made, change), place + 1, behind)
            changed += [self.state_number(change.state), other]
        changes = self._append([len(changed) // 2, *changed], f"changes of {spell.name}") if changed else 0
        now = changed_by(made, spell) if made else spell
        words = [*_spell_words(now, self.state_bits(spell.required_states)), *behind, changes]
        return self._append(words, f"spell {spell.name}")

    def _write_effects(
        self, effects: tuple[Effect, ...], name: str, weapon: bool = False, on_own_cell: bool = False
    ) -> int:
        """Writes effects, how many and where they are in their order, and what they come to.

        Args:
            effects: those of a spell, or of a payload.
            name: what the spell is called.
            weapon: whether they belong to a blow with a weapon.
            on_own_cell: whether the spell can only be aimed at its caster's own cell.

        Returns:
            The place of the list of them.
        """
        places = []
        own: dict[int, int] = {}
        for effect in sorted(effects, key=lambda effect: effect.order):
            state = -1 if effect.state is None else self.state_number(effect.state)
            about = -1 if effect.trigger_state is None else self.state_number(effect.trigger_state)
            payload = self.write_payload(effect.payload, name)
            summon = self._write_summon(effect.summon) if effect.summon else 0
            mask = self._write_conditions(effect.conditions, effect.among, name)
            cells = self._append([len(effect.cells), *chain.from_iterable(effect.cells)], f"area of {name}")
            trigger = sum(_TRIGGERS[one] for one in set(effect.trigger))
            words = [
                *_effect_words(effect), state, payload, summon, mask, trigger, effect.delay, effect.group,
                effect.chance, effect.dispellable, helps(effect), self.names.number(name, name), cells,
                len(self.effects), about, effect.listens, self._tag_number(effect.tag),
                _BASES[effect.percent_of], weapon, effect.stacks,
            ]  # fmt: skip
            self.effects.append(effect)
            places.append(self._append(words, f"effect of {name}"))
            own[id(effect)] = places[-1]
            self.places.setdefault(id(effect), places[-1])
        acts = self._write_acts(acts_of(effects, on_own_cell), ChainMap(own, self.places), name)
        return self._append([len(places), *places, acts])

    def _write_acts(self, acts: tuple[Act, ...], places: Mapping[int, int], name: str) -> int:
        """Writes what effects come to that stand at places by their ids; returns where that is."""
        words: list[int] = []
        for root, area, does, side, percent, asks in acts:
            aimed = 0 if area is None else places[id(area)]
            words += [places[id(root)], aimed, places[id(does)], side, percent, asks]
        areas = [word for area, helps in areas_of(acts) for word in (places[id(area)], helps)]
        return self._append([len(acts), *words, len(areas) // 2, *areas], f"acts of {name}")

    def _tag_number(self, tag: str) -> int:
        if not tag:
            return 0
        tag = f"#{tag}"
        return self.names.number(tag, tag) + 1

    def _write_conditions(self, conditions: Conditions, among: tuple[Who, ...], name: str) -> int:
        """Writes conditions, those who are meant being the first; returns their place, 0 for none."""
        clauses: list[list[int]] = []
        if among:
            clauses.append([kinds.IF_AMONG, sum(1 << _WHO[who] for who in set(among))])
        for clause in conditions:
            clauses.append([word for condition in clause for word in self._atom(condition)])
        if not clauses:
            return 0
        words = [word for clause in clauses for word in (len(clause) // 2, *clause)]
        return self._append([len(clauses), *words], f"conditions of {name}")

    def _atom(self, condition: Condition) -> tuple[int, int]:
        code = _ASKS[condition.asks] + kinds.OF_CASTER * condition.of_caster + kinds.UNLESS * condition.unless
        if condition.asks is Asks.STATE:
            return code, -1 if condition.state is None else self.state_number(condition.state)
        if condition.asks is Asks.KIND:
            return code, self.species.number(condition.kind, condition.kind)
        return code, condition.percent

    def _write_summon(self, summon: Summon) -> int:
        if id(summon) not in self._written:
            number = self.kind_number(summon.name, summon.kind, summon.spells)
            head = [number, summon.level, summon.hp, summon.ap, summon.mp, self.write_list(summon.spells)]
            head.append(self.species.number(summon.kind, summon.kind))
            place = self._append([*head, *stat_words(summon.stats)], f"summon {summon.name}")
            self._written[id(summon)] = place
            self._kept.append(summon)
        return self._written[id(summon)]


def _spell_words(spell: Spell, required: tuple[int, int]) -> list[int]:
    """Returns a spell's words before the states that it forbids."""
    does = [effect.kind for effect in spell.effects]
    flags = {
        spellbook.IN_LINE: spell.in_line,
        spellbook.ON_DIAGONAL: spell.on_diagonal,
        spellbook.NEEDS_SIGHT: spell.needs_sight,
        spellbook.NEEDS_FREE: spell.needs_free_cell,
        spellbook.NEEDS_TAKEN: spell.needs_taken_cell,
        spellbook.BOOSTABLE: spell.boostable_range,
        spellbook.ATTACKS: attacks(spell),
        spellbook.TELEPORTS: EffectKind.TELEPORT in does,
        spellbook.WEAPON: spell.weapon,
    }
    return [
        spell.ap, spell.min_range, spell.max_range, sum(flag for flag, holds in flags.items() if holds),
        spell.crit, spell.crit_bonus, spell.casts_per_turn, spell.casts_per_target,
        spell.cooldown, spell.initial_cooldown, *required,
    ]  # fmt: skip


def _effect_words(effect: Effect) -> list[int]:
    """Returns an effect's words before its state."""
    crit_low, crit_high = spellbook.NO_DICE, spellbook.NO_DICE
    if effect.crit_low is not None:
        crit_low = effect.crit_low
        crit_high = crit_low if effect.crit_high is None else effect.crit_high
    return [
        _EFFECT_KINDS[effect.kind], effect.low, effect.high, crit_low, crit_high, _ELEMENTS[effect.element],
        _SHAPES[effect.shape], effect.radius, effect.inner, effect.fall_off, effect.fall_steps,
        _AFFECTS[Affects.ALL if effect.among and effect.affects is Affects.DEFAULT else effect.affects],
        effect.turns, STAT_NUMBERS[effect.stat],
    ]  # fmt: skip

"""The imported game as the rest of the app knows it: classes, monsters, spells and maps, made on demand."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from botapp.content.game.boosts import boosts_among
from botapp.content.game.effect_ids import EFFECT_IDS
from botapp.content.game.effects import EffectTranslator
from botapp.content.game.few_states import with_few_states
from botapp.content.game.grammar import monster_kind
from botapp.content.game.monsters import Grade, grades_from, spells_of, with_share
from botapp.content.game.names import plain
from botapp.content.game.sheets import stats_table, usual_sheet
from botapp.content.game.spells import (
    GameContent,
    GameSpell,
    Levels,
    States,
    make_spell,
    nearest_grade,
    parsed_key,
    spell_key,
)
from botapp.content.game.store import GameName, GameStore
from botapp.content.templates import FighterTemplate, MapTemplate
from botapp.fight.spells import EffectKind, Element, Spell, Stats, Summon
from botapp.fight.state import Fighter, FightMap
from botapp.host.message import is_message, unpack

_HURTING = (EffectKind.DAMAGE, EffectKind.STEAL)
_STATES_OF_A_CLASS, _STATES_OF_A_MONSTER = 24, 7
"""How many states one fighter's spells may speak of: a class and four kinds of monsters fit into a fight."""
_DEEPEST_SUMMON = 2
_MOST_SPELLS = 32  # As many as the rules have room for in one fighter's hands
_MOST_FOUND = 40  # Spells of a name that are looked at for a class that has one of them
_UNKNOWN_SHEET = Stats()
_MOST_TEMPLATES = 64
"""Templates kept of classes at a level with the spells on a bar; beyond, all are made anew."""
_PLAIN = "#8A8F9C"
_CLASS_SHAPE, _MONSTER_SHAPE = "mask", "beast"
_MAP_KEY = "game-map-"


class GameClass(NamedTuple):
    """A class of the game."""

    names: GameName
    key: str  # By which files and the command line know it
    # The numbers of its spells in the order of its list; of each pair one may be on the bar
    pairs: tuple[tuple[int, ...], ...]


class SpellOfClass(NamedTuple):
    """A spell that a class can learn.

    Attributes:
        from_level: the level from which on it is known.
        pair: its place in the class's list; of a pair one may be on the bar.
        verdict, left_out: how far it is understood at its highest grade.
    """

    names: GameName
    from_level: int
    pair: int
    verdict: str
    left_out: tuple[str, ...]


class GameData:
    """What was imported, made into the rules' words as it is asked for."""

    def __init__(self, store: GameStore) -> None:
        self.store = store
        states = {number: flags for number, (_, flags) in store.states().items()}
        self._states = States(states, store.asked())
        self._levels = Levels(store.level, self._grades)
        self._content = GameContent(self._levels, self._states)
        self._monsters: dict[tuple[int, int], FighterTemplate] = {}
        self._spells: dict[str, GameSpell] = {}
        self._classes: dict[tuple[str, int, frozenset[int]], FighterTemplate] = {}
        self._calling: list[int] = []
        self._french: dict[str, str] = {}

    def assumed_of(self, kind: str) -> frozenset[str]:
        """Returns which facts of a monster the data lack a part of: "stats", "spells", by its key."""
        number = self.monster_of_key(kind)
        if number is None:
            return frozenset()
        assumed = set()
        for why in self.judged_monster(number[0])[1]:
            values = why.values if is_message(why) else {}
            about_spells = "number" in values or values.get("field") == "spells"
            assumed.add("spells" if about_spells else "stats" if "field" in values else "")
        return frozenset(assumed - {""})

    @cached_property
    def classes(self) -> tuple[GameClass, ...]:
        return tuple(
            GameClass(names, key, tuple(tuple(pair) for pair in pairs))
            for names, key, pairs in self.store.classes()
        )

    @cached_property
    def _class_of_spell(self) -> dict[int, int]:
        return {
            spell: game_class.names.number
            for game_class in self.classes
            for pair in game_class.pairs
            for spell in pair
        }

    @cached_property
    def monsters(self) -> list[GameName]:
        return self.store.monsters()

    def french(self, name: str) -> str:
        """Returns the French name of a spell, monster or class with an English one; another name as it is."""
        if name not in self._french:
            if len(self._french) > 5000:
                self._french.clear()
            named = self.store.called(name)
            self._french[name] = named.name_fr if named is not None else name
        return self._french[name]

    def name_of_kind(self, kind: str) -> str:
        """Returns the English name of a class or monster by its key, "" where there is none."""
        number = self.monster_of_key(kind)
        monster = self.store.monster(number[0]) if number is not None else None
        if monster is not None:
            return monster[0].name
        game_class = self.class_called(kind)
        return game_class.names.name if game_class is not None else ""

    def written_names(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Returns all names of monsters and of spells in all languages, each with a key that it stands for.

        A spell has a key for each of its grades.
        """
        monsters = [(name, monster_kind(number)) for number, _, name in self.store.names("monster")]
        spells = [
            (name, spell_key(number, grade))
            for number, name, grades in self.store.spell_names()
            for grade in grades
        ]
        return monsters, spells

    def class_called(self, key: str) -> GameClass | None:
        return next((game_class for game_class in self.classes if game_class.key == key), None)

    def find_monsters(self, wanted: str, limit: int = 20) -> list[GameName]:
        """Returns the monsters that are called so in any language, the best first; all for ""."""
        asked = plain(wanted)
        if not asked:
            return self.monsters[:limit]
        return self.store.find("monster", asked, limit)

    def find_spells(self, wanted: str, limit: int = 20) -> list[str]:
        """Returns the keys of the spells that are called so in any language, each at its highest grade."""
        asked = plain(wanted)
        hits = self.store.find("spell", asked, limit) if asked else []
        return [spell_key(hit.number, grades[-1]) for hit in hits if (grades := self._grades(hit.number))]

    def classes_with_spell(self, wanted: str) -> dict[str, GameName]:
        """Returns the keys of the classes with a spell that is called so in any language, and that spell."""
        asked = plain(wanted)
        keys = {game_class.names.number: game_class.key for game_class in self.classes}
        classes: dict[str, GameName] = {}
        for spell in self.store.find("spell", asked, _MOST_FOUND) if asked else []:
            number = self._class_of_spell.get(spell.number)
            if number is not None:
                classes.setdefault(keys[number], spell)
        return classes

    def names_in_all(self, kind: str, number: int) -> tuple[str, ...]:
        """Returns what a spell ("spell"), monster ("monster") or map ("map") is called in all languages."""
        return tuple(name for _, _, name in self.store.names(kind, number))

    def spells_of(self, game_class: GameClass) -> tuple[SpellOfClass, ...]:
        """Returns all spells of a class in the order of its list, variants after each other."""
        spells = []
        for place, pair in enumerate(game_class.pairs):
            for number in pair:
                known = self.store.spell(number)
                if known is not None and known[1]:
                    first = self._levels.level(number, known[1][0])
                    verdict, left_out = self.judged(number)
                    from_level = 1 if first is None else max(1, first.min_level)
                    spells.append(SpellOfClass(known[0], from_level, place, verdict, left_out))
        return tuple(spells)

    def judged(self, spell: int) -> tuple[str, tuple[str, ...]]:
        """Returns how far a spell is understood at its highest grade, and what is left out of it."""
        verdict, why = self.store.judged(spell)
        return verdict, tuple(unpack(why))

    def usual_spells(self, game_class: GameClass, level: int) -> tuple[int, ...]:
        """Returns the first known spell of each pair at a level."""
        bar = []
        for pair in game_class.pairs:
            known = [number for number in pair if self.grade_at(number, level) is not None]
            bar += known[:1]
        return tuple(bar[:_MOST_SPELLS])

    def usual_character(self, game_class: GameClass, level: int, spells: Iterable[int]) -> dict[str, Any]:
        """Returns a class's table for a content file: these spells, and the usual sheet of a level."""
        known = {spell: self.grade_at(spell, level) for spell in spells}
        hp, ap, mp, stats = usual_sheet(level, self._elements(known, level))
        return {
            "name": game_class.names.name,
            "name_fr": game_class.names.name_fr,
            "level": level,
            "hp": hp,
            "ap": ap,
            "mp": mp,
            "stats": stats_table(stats),
            "spells": [spell_key(spell, grade) for spell, grade in known.items() if grade is not None],
        }

    def grade_at(self, spell: int, level: int) -> int | None:
        """Returns the grade of a spell that a player of a level has, None where it is not known yet."""
        best = None
        for grade in self._grades(spell):
            stored = self._levels.level(spell, grade)
            if stored is not None and stored.min_level <= level:
                best = grade
        return best

    def spells_with(self, game_class: GameClass, level: int, on_bar: Iterable[int | None] = ()) -> list[int]:
        """Returns a class's spells at a level, by number: of each pair the one on the bar, else the usual."""
        seen, usual = set(on_bar) - {None}, self.usual_spells(game_class, level)
        chosen: list[int] = []
        for pair in game_class.pairs:
            known = [n for n in pair if n in seen and self.grade_at(n, level) is not None]
            chosen += known[:1] or [number for number in usual if number in pair]
        return chosen

    def class_template(
        self, game_class: GameClass, level: int = 200, on_bar: Iterable[int] = ()
    ) -> FighterTemplate:
        """Returns a class at a level with its usual sheet and spells, those on the bar among them."""
        key = game_class.key, level, frozenset(on_bar)
        if key not in self._classes:
            if len(self._classes) >= _MOST_TEMPLATES:
                self._classes.clear()
            self._classes[key] = self._class(game_class, level, key[2])
        return self._classes[key]

    def _class(self, game_class: GameClass, level: int, on_bar: frozenset[int]) -> FighterTemplate:
        spells = self.spells_with(game_class, level, on_bar)
        hp, ap, mp, stats = usual_sheet(level, self._elements(spells, level))
        keys = [spell_key(spell, self.grade_at(spell, level) or 1) for spell in spells]
        return FighterTemplate(
            kind=game_class.key,
            name=game_class.names.name,
            name_fr=game_class.names.name_fr,
            colour=_PLAIN,
            shape=_CLASS_SHAPE,
            level=level,
            hp=hp,
            ap=ap,
            mp=mp,
            spells=self.spells(keys, stats, game_class.names.number, hp),
            stats=stats,
            unseen=True,
        )

    def _elements(self, spells: Iterable[int], level: int) -> list[Element]:
        elements = []
        for spell in spells:
            own = self._levels.level(spell, self.grade_at(spell, level) or 1)
            rows = [EFFECT_IDS.get(line.number) for line in own.lines] if own is not None else []
            elements += [
                row.element for row in rows if row is not None and row.kind in _HURTING and not row.best
            ]
        return elements

    def spells(
        self,
        keys: Iterable[str],
        stats: Stats,
        own_class: int = 0,
        hp: int = 0,
        element_damage: Mapping[Element, int] | None = None,
    ) -> tuple[Spell, ...]:
        """Returns spells of the game in the hands of a fighter; keys that are none of it are passed over.

        Args:
            own_class: the number of its class, 0 for a monster.
            hp: its maximum HP, of which what it calls may have a share; 0 where that is not known.
            element_damage: flat damage of its hits of one element.
        """
        wanted = list(keys)
        translator = self._translator(wanted, stats, own_class, hp, element_damage)
        spells = []
        for key in wanted:
            made = self._made(key, translator)
            if made is not None:
                spells.append(made.spell)
        return with_few_states(spells, _STATES_OF_A_CLASS if own_class else _STATES_OF_A_MONSTER)

    def spell(self, key: str) -> GameSpell | None:
        """Returns a spell of the game by its key, as no fighter's own."""
        if key not in self._spells:
            made = self._made(key, self._translator([key]))
            if made is None:
                return None
            self._spells[key] = made
        return self._spells[key]

    def _translator(
        self,
        keys: Iterable[str],
        stats: Stats = _UNKNOWN_SHEET,
        own_class: int = 0,
        hp: int = 0,
        element_damage: Mapping[Element, int] | None = None,
    ) -> EffectTranslator:
        spells = [spell for key in keys if (spell := parsed_key(key)) is not None]
        boosts = boosts_among(self._content, spells)

        def called(monster: int, grade: int) -> Summon | None:
            return self._summon(monster, grade, stats, hp)

        return EffectTranslator(self._content, called, stats, own_class, boosts, element_damage)

    def _made(self, key: str, translator: EffectTranslator) -> GameSpell | None:
        wanted = parsed_key(key)
        known = self.store.spell(wanted[0]) if wanted else None
        if wanted is None or known is None:
            return None
        level = self._levels.level(*wanted)
        return None if level is None else make_spell(level, known[0].name, translator, self._states)

    def names_of_spell(self, key: str) -> GameName | None:
        wanted = parsed_key(key)
        known = self.store.spell(wanted[0]) if wanted else None
        return known[0] if known else None

    def fitted(self, template: FighterTemplate) -> FighterTemplate:
        """Returns a fighter of a person's with the spells of the game made for its sheet and its class.

        Spells that the person has put in the place of the game's are left as they are.
        """
        own = [spell.key for spell in template.spells if self._is_ours(spell)]
        if not own:
            return template
        spells = self.spells(own, template.stats, self.class_of(template), template.hp)
        made = {spell.key: spell for spell in spells}
        return replace(template, spells=tuple(made.get(spell.key, spell) for spell in template.spells))

    def class_of(self, template: FighterTemplate | Fighter) -> int:
        """Returns the number of the class that most of a fighter's spells belong to, 0 for none."""
        numbers = [parsed[0] for spell in template.spells if (parsed := parsed_key(spell.key))]
        classes = [self._class_of_spell[number] for number in numbers if number in self._class_of_spell]
        return max(set(classes), key=classes.count) if classes else 0

    def _is_ours(self, spell: Spell) -> bool:
        known = self._spells.get(spell.key)
        return known is not None and known.spell is spell

    def grades(self, monster: int) -> list[Grade]:
        """Returns a monster's grades, the lowest first; none where there is no such monster."""
        monster_row = self.store.monster(monster)
        if monster_row is None:
            return []
        spells = spells_of(monster_row[1]) if isinstance(monster_row[1], dict) else []
        only = {number: own[0] for number in spells if len(own := self._grades(number)) == 1}
        return grades_from(monster_row[1], only)

    def judged_monster(self, monster: int) -> tuple[str, tuple[str, ...]]:
        """Returns how far a monster is known: wholly, in part or not at all, and what is not known of it."""
        verdict, why = self.store.judged_monster(monster)
        return verdict, tuple(unpack(why))

    def monster_of_key(self, key: str) -> tuple[int, int | None] | None:
        """Returns the monster and the grade that a key such as monster-31-3 names; None for no grade."""
        begins = monster_kind("")
        first, _, second = key.removeprefix(begins).partition("-")
        if not (key.startswith(begins) and first.isdecimal() and (second or "0").isdecimal()):
            return None
        return int(first), int(second) if second else None

    def fighter(self, key: str, level: int | None = None) -> FighterTemplate | None:
        """Returns a class or a monster by its key, None where the game has none.

        Args:
            key: such as iop, monster-31 or, at its third grade, monster-31-3.
            level: the level of a class, 200 where it is left out; of a monster without a grade, the nearest.
        """
        named = self.monster_of_key(key)
        if named is not None:
            return self.monster_template(named[0], named[1] or self.grade_by(named[0], level))
        game_class = self.class_called(key)
        return self.class_template(game_class, level or 200) if game_class is not None else None

    def monster_template(self, monster: int, grade: int | None = None) -> FighterTemplate | None:
        """Returns a monster at a grade, the highest where it is left out; None where there is none."""
        grades = self.grades(monster)
        monster_row = self.store.monster(monster)
        if not grades or monster_row is None:
            return None
        wanted = nearest_grade((option.grade for option in grades), grade or grades[-1].grade)
        own = next(option for option in grades if option.grade == wanted)
        key = (monster, own.grade)
        if key not in self._monsters:
            self._monsters[key] = self._monster(monster_row[0], own)
        return self._monsters[key]

    def grade_by(self, monster: int, level: int | None = None, hp: int | None = None) -> int | None:
        """Returns the grade of a monster whose level or HP are nearest, the lower of two."""
        grades = self.grades(monster)
        if not grades:
            return None
        if hp is not None:
            return min(grades, key=lambda option: (abs(option.hp - hp), option.grade)).grade
        if level is not None:
            return min(grades, key=lambda option: (abs(option.level - level), option.grade)).grade
        return grades[-1].grade

    def _monster(self, named: GameName, grade: Grade) -> FighterTemplate:
        keys = [spell_key(*spell) for spell in grade.spells]
        self._calling.append(named.number)
        try:
            deep = len(self._calling) > _DEEPEST_SUMMON
            more = grade.element_damage
            spells = () if deep else self.spells(keys, grade.stats, 0, grade.hp, more)[:_MOST_SPELLS]
        finally:
            self._calling.pop()
        return FighterTemplate(
            kind=monster_kind(named.number),
            name=named.name,
            name_fr=named.name_fr,
            colour=_PLAIN,
            shape=_MONSTER_SHAPE,
            level=grade.level,
            hp=max(1, grade.hp),
            ap=grade.ap,
            mp=grade.mp,
            spells=spells,
            stats=grade.stats,
            points=1,
            play_style="melee",
            unseen=True,
        )

    def _summon(self, monster: int, grade: int, stats: Stats, hp: int) -> Summon | None:
        """Returns a monster as a spell calls it, with its share of its summoner's HP and sheet.

        One that is being made already comes without spells. For a grade that it lacks, the next lower counts.
        """
        monster_row = self.store.monster(monster)
        grades = self.grades(monster)
        wanted = nearest_grade((option.grade for option in grades), max(1, grade))
        if monster_row is None or wanted is None:
            return None
        own = next(option for option in grades if option.grade == wanted)
        if monster in self._calling:
            kind, life = monster_kind(monster), max(1, own.hp)
            summon = Summon(kind, monster_row[0].name, own.level, life, own.ap, own.mp, (), own.stats)
        elif self._calling:
            summon = self._monster(monster_row[0], own).summon
        else:
            template = self.monster_template(monster, own.grade)
            assert template is not None
            summon = template.summon
        return with_share(replace(summon, hp=own.hp), own.shares, stats, hp) if own.shares else summon

    def find_maps(self, wanted: str, limit: int = 20) -> list[str]:
        """Returns the keys of the maps that are called so in any language, the best first; all for ""."""
        asked = plain(wanted)
        hits = self.store.find("map", asked, limit) if asked else self.store.maps()[:limit]
        return [f"{_MAP_KEY}{hit.number}" for hit in hits]

    def names_of_map(self, key: str) -> tuple[str, ...]:
        """Returns what the map of a key is called in all languages."""
        return self.names_in_all("map", int(key.removeprefix(_MAP_KEY)))

    def map_of_key(self, key: str) -> MapTemplate | None:
        """Returns a map by its key, such as game-map-77; None where there is none."""
        number = key.removeprefix(_MAP_KEY)
        board = self.store.map(int(number)) if key.startswith(_MAP_KEY) and number.isdecimal() else None
        if board is None:
            return None
        named, cells, red, blue = board
        ground = FightMap(key, cells, tuple(red), tuple(blue))
        return MapTemplate(key, named.name, named.name_fr, "clearing", True, ground)

    def _grades(self, spell: int) -> list[int]:
        known = self.store.spell(spell)
        return known[1] if known is not None else []

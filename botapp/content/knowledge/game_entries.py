"""The imported game as entries of the knowledge base: found by key and by name, made on demand."""

from typing import Any

from botapp.content.game.data import GameData
from botapp.content.game.grammar import monster_kind
from botapp.content.game.sheets import stats_table
from botapp.content.knowledge.entry import Entry, EntryKind
from botapp.content.spell_json import NOT_OF_TABLES, EffectForm, SpellForm
from botapp.content.templates import FighterTemplate, SpellLook
from botapp.fight.spells import EffectKind, Element, Spell, Summon

_GLYPHS = {
    EffectKind.DAMAGE: "burst",
    EffectKind.STEAL: "drop",
    EffectKind.HEAL: "heart",
    EffectKind.SHIELD: "shield",
    EffectKind.PUSH: "gust",
    EffectKind.PULL: "hook",
    EffectKind.TELEPORT: "blink",
    EffectKind.SUMMON: "sprout",
    EffectKind.GLYPH: "rune",
    EffectKind.TRAP: "snare",
    EffectKind.BUFF: "rise",
    EffectKind.STATE: "eye",
}
_COLOURS = {
    Element.NEUTRAL: "#8A8F9C",
    Element.EARTH: "#9A6B3F",
    Element.FIRE: "#D9532B",
    Element.WATER: "#3A6FD8",
    Element.AIR: "#4FA35B",
}


class GameEntries:
    """Entries of the imported game; what they describe cannot be changed, only copied."""

    def __init__(self, game: GameData) -> None:
        self._game = game

    def get(self, kind: EntryKind, key: str) -> Entry | None:
        if kind is EntryKind.SPELL:
            return self._spell(key)
        return self._map(key) if kind is EntryKind.MAP else self._fighter(kind, key)

    def _spell(self, key: str) -> Entry | None:
        made = self._game.spell(key)
        names = self._game.names_of_spell(key)
        if made is None or names is None:
            return None
        table = spell_table(made.spell, look_of(made.spell, names.name_fr))
        others = self._game.names_in_all("spell", names.number)
        return Entry(EntryKind.SPELL, key, names.name, names.name_fr, table, made.spell, False, others)

    def _map(self, key: str) -> Entry | None:
        ground = self._game.map_of_key(key)
        if ground is None:
            return None
        others = self._game.names_of_map(key)
        return Entry(EntryKind.MAP, key, ground.name, ground.name_fr, {}, ground, False, others)

    def _fighter(self, kind: EntryKind, key: str) -> Entry | None:
        template = self._game.fighter(key)
        is_class = template is not None and not template.play_style
        if template is None or is_class != (kind is EntryKind.CLASS):
            return None
        number = self._game.monster_of_key(key)
        others = self._game.names_in_all("monster", number[0]) if number is not None else ()
        table = fighter_table(template)
        return Entry(kind, key, template.name, template.name_fr, table, template, False, others)

    def find(self, query: str, kind: EntryKind | None, limit: int) -> list[Entry]:
        """Returns classes, spells, monsters and maps that are called so in any language, the best first."""
        entries: list[Entry | None] = []
        if kind in (None, EntryKind.CLASS):
            entries += [self.get(EntryKind.CLASS, named_item.key) for named_item in self._game.classes]
        if kind in (None, EntryKind.SPELL):
            entries += [self.get(EntryKind.SPELL, key) for key in self._game.find_spells(query, limit)]
        if kind in (None, EntryKind.MONSTER):
            named = self._game.find_monsters(query, limit)
            entries += [self.get(EntryKind.MONSTER, monster_kind(named_item.number)) for named_item in named]
        if kind in (None, EntryKind.MAP):
            entries += [self.get(EntryKind.MAP, key) for key in self._game.find_maps(query, limit)]
        return [entry for entry in entries if entry is not None]

    def entry(self, key: str) -> tuple[Spell, SpellLook] | None:
        """Returns a spell and its look; see `botapp.content.library.OtherContent`."""
        made = self._game.spell(key)
        names = self._game.names_of_spell(key)
        return (made.spell, look_of(made.spell, names.name_fr)) if made and names else None

    def called(self, key: str) -> Summon | None:
        """Returns a monster as a spell calls it, None where there is none of this key."""
        named = self._game.monster_of_key(key)
        template = self._game.monster_template(*named) if named is not None else None
        return template.summon if template is not None else None

    def fitted(self, template: FighterTemplate) -> FighterTemplate:
        return self._game.fitted(template)


def look_of(spell: Spell, name_fr: str) -> SpellLook:
    """Returns a look for a spell of the game by what it does first."""
    kinds = [effect.kind for effect in spell.effects]
    glyph = next((_GLYPHS[kind] for kind in kinds if kind in _GLYPHS), "star")
    hurting = [e.element for e in spell.effects if e.kind in (EffectKind.DAMAGE, EffectKind.STEAL)]
    return SpellLook(spell.name, name_fr, glyph, _COLOURS[hurting[0] if hurting else Element.NEUTRAL])


def spell_table(spell: Spell, look: SpellLook) -> dict[str, Any]:
    rules = SpellForm.written(spell)
    usual = {name: field.default for name, field in SpellForm.model_fields.items()}
    return {
        "name": look.name,
        "name_fr": look.name_fr,
        "ap": rules.pop("ap"),
        "range": [spell.min_range, spell.max_range],
        "effects": [_effect_table(effect) for effect in rules.pop("effects")],
        **{
            name: value for name, value in rules.items() if name not in NOT_OF_TABLES and value != usual[name]
        },
        "icon": {"glyph": look.glyph, "colour": look.colour},
    }


def _effect_table(effect: dict[str, Any]) -> dict[str, Any]:
    usual = {name: field.default for name, field in EffectForm.model_fields.items()}
    table = {name: value for name, value in effect.items() if name == "kind" or value != usual[name]}
    if "payload" in table:
        table["payload"] = [_effect_table(inner) for inner in table["payload"]]
    if table.get("summon"):
        table["summon"] = table["summon"]["kind"]
    return table


def fighter_table(template: FighterTemplate) -> dict[str, Any]:
    return {
        "name": template.name,
        "name_fr": template.name_fr,
        "colour": template.colour,
        "shape": template.shape,
        "level": template.level,
        "hp": template.hp,
        "ap": template.ap,
        "mp": template.mp,
        "spells": [spell.key for spell in template.spells],
        "stats": stats_table(template.stats),
    }

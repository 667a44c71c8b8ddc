"""What a player brought of the real game is known where the app looks up classes and fighters."""

import pytest

from botapp.content.knowledge.base import knowledge
from botapp.content.knowledge.entry import EntryKind
from botapp.tracking.bestiary import arena_bestiary
from botapp.tracking.log_names import known_names
from botapp.tracking.spellbook import class_called, preset, presets


def test_a_class_of_the_game_can_be_played_and_is_known_by_its_name_in_both_languages(game):
    assert "locksmith" in presets()
    assert "warden" in presets()
    assert class_called("LOCKSMITH") == class_called("serrurier") == "locksmith"
    book = preset("locksmith")
    assert [spell.name for spell in book.spells] == ["Hammer blow", "Oil can"]
    assert book.level == 200
    with pytest.raises(ValueError, match="locksmith"):
        preset("nobody")


def test_a_character_made_of_a_class_goes_before_the_class_itself(game):
    table = game.game.usual_character(game.game.classes[0], 60, [1002])
    game.save(game.draft(EntryKind.CLASS, "my-bob", {**table, "name": "Bob", "name_fr": "Bob"}))
    assert class_called("Serrurier") == "my-bob"
    assert [spell.name for spell in preset("my-bob").spells] == ["Wrench throw"]
    assert class_called("Warden") == "warden"


def test_a_monster_of_the_game_has_its_stats_at_the_grade_told_or_nearest_to_the_level(game):
    bestiary = arena_bestiary()
    near, told = bestiary.find("monster-3001", 45), bestiary.find("monster-3001-5", 45)
    assert (near.level, near.max_hp, near.stats.resistance) == (40, 400, (5, 2, -5, 0, 10))
    assert (told.level, told.max_hp) == (100, 1000)
    assert near.assumed == frozenset()
    assert [spell.name for spell in near.spells] == ["Bite", "Roar"]
    assert bestiary.find("monster-3001", 45).spells is near.spells
    assert bestiary.find("monster-9999", 45).assumed


def test_without_the_game_all_is_as_before(tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path))
    assert presets() == tuple(knowledge().content.classes)
    assert arena_bestiary().find("monster-3001").assumed


def test_a_log_in_words_may_name_all_that_the_game_has_in_any_language(game):
    names = known_names()
    assert (
        names.fighters.find("Chien de c0ur").keys == names.fighters.find("Yard dog").keys == ("monster-3001",)
    )
    bite = next(
        spell.key for spell in arena_bestiary().find("monster-3001", 45).spells if spell.name == "Bite"
    )
    assert bite in names.spells.find("Morsure").keys

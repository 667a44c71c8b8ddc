"""The arena's names in French, and names that are nobody's but the person's own."""

import madeup_game as made
import pytest

from botapp.content import names as content_names
from botapp.content.knowledge.base import knowledge
from botapp.content.library import classes, monsters, spell_looks, spells
from botapp.ui import names, translation
from botapp.ui.names import kind_named, named


@pytest.fixture
def french():
    translation.use("fr")
    yield
    translation.use("en")


def test_every_arena_name_has_its_french_one(french):
    for template in (*classes().values(), *monsters().values()):
        assert named(template.name) == template.name_fr
    for key, spell in spells().items():
        assert named(spell.name) == spell_looks()[key].name_fr


def test_a_kind_has_its_name_and_an_unknown_one_stays(french):
    assert kind_named("boar") == monsters()["boar"].name_fr
    assert kind_named("somebody") == "somebody"


def test_a_namesake_keeps_its_number(french):
    assert named("Boar 2") == monsters()["boar"].name_fr + " 2"


@pytest.mark.parametrize("name", ["Épée de Boisaille", "Route 66", "", "7"])
def test_a_name_of_ones_own_stays(french, name):
    assert named(name) == name


def test_names_of_the_imported_game_have_their_french_ones(french, tmp_path, monkeypatch):
    monkeypatch.setenv("BOTAPP_CONFIG_DIR", str(tmp_path / "config"))
    assert named("Yard dog") == "Yard dog"
    knowledge().import_game([made.write(tmp_path / "game", made.small())])
    assert named("Yard dog") == "Chien de cour"
    assert named("Yard dog 2") == "Chien de cour 2"
    assert named("Hammer blow") == "Coup de marteau"
    assert kind_named("monster-3001-2") == "Chien de cour"
    assert kind_named("locksmith") == "Serrurier"
    assert kind_named("monster-1") == "monster-1"
    assert named("Somebody 3") == "Somebody 3"


def test_a_name_of_the_game_is_never_replaced_by_the_arenas(french, monkeypatch):
    """A real spell is called "Backlash" in English as one of the arena is: in French they differ."""
    ours = next(key for key, spell in spells().items() if spell.name == "Backlash")
    known = {"Backlash": "Retour du Bâton", "Boar": "Sanglier des bois"}
    monkeypatch.setattr(content_names, "_of_game", lambda name: known.get(name, ""))
    for client in ("arena", "dofus-unity"):
        names.watch(client)
        assert named("Backlash", "game-13382-3") == "Retour du Bâton"
        assert named("Backlash", ours) == spell_looks()[ours].name_fr
        assert named("Ward", "game-1-1") == "Ward", "the arena has a French one"
    assert named("Boar 2") == "Sanglier des bois 2"
    names.watch("arena")
    assert named("Boar 2") == monsters()["boar"].name_fr + " 2"


def test_english_stays_english():
    assert named("Boar 2") == "Boar 2"

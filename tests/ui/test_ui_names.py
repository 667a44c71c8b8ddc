"""The arena's names in French, and names that are nobody's but the person's own."""

import pytest

from botapp.content.library import classes, monsters, spell_looks, spells
from botapp.ui import translation
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


def test_english_stays_english():
    assert named("Boar 2") == "Boar 2"

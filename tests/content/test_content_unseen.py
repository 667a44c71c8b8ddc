"""Classes and maps of the pool `unseen` in a file of their own: nothing is ever trained on them."""

import pytest

from botapp.content.library import content, unseen_content
from botapp.content.maps import faults
from botapp.fight.spells import Effect, EffectKind, Spell

KINDS = {
    "beekeeper": {EffectKind.SUMMON, EffectKind.SWAP},
    "dowser": {EffectKind.HEAL, EffectKind.DISPEL, EffectKind.STEAL},
    "poacher": {EffectKind.TRAP, EffectKind.PUSH, EffectKind.PULL},
    "hauler": {EffectKind.PULL, EffectKind.ADVANCE, EffectKind.REMOVE_MP},
    "scarbearer": {EffectKind.DAMAGE, EffectKind.TELEPORT},
    "wrestler": {EffectKind.MIRROR_TARGET, EffectKind.PUSH, EffectKind.SHOVE},
    "oathshield": {EffectKind.SHIELD, EffectKind.SWAP, EffectKind.CAST_BY},
    "nightshade": {EffectKind.DAMAGE, EffectKind.GLYPH, EffectKind.END_TAGGED},
    "doorwalker": {
        EffectKind.TELEPORT,
        EffectKind.SWAP,
        EffectKind.MIRROR_CASTER,
        EffectKind.MIRROR_AROUND,
    },
    "powdermaker": {EffectKind.SUMMON, EffectKind.CAST_BY, EffectKind.RETREAT},
}
"""What each class is there for."""


def lines_of(spell: Spell) -> list[Effect]:
    return [*spell.effects, *(inner for effect in spell.effects for inner in effect.payload)]


def test_each_class_has_the_spells_of_its_kind():
    found = unseen_content().classes
    assert set(found) == set(KINDS)
    for key, wanted in KINDS.items():
        used = {effect.kind for spell in found[key].spells for effect in lines_of(spell)}
        assert wanted <= used, key
        assert len(found[key].spells) == 8


def test_poison_waits_for_its_bearers_turn_and_a_keg_bursts_when_lit():
    spells = unseen_content().spells
    assert any(effect.trigger for effect in spells["envenom"].effects)
    (fuse,) = spells["light_fuse"].effects
    assert [effect.kind for effect in fuse.payload] == [EffectKind.DAMAGE, EffectKind.KILL]
    assert spells["last_stand"].criterion


def test_all_are_marked_and_share_no_key_with_what_is_trained_on():
    found, others = unseen_content(), content()
    assert all(one.unseen for one in (*found.classes.values(), *found.maps.values()))
    assert all(one.points == 0 for one in found.monsters.values())
    for section in ("spells", "classes", "monsters", "maps"):
        assert not set(getattr(found, section)) & set(getattr(others, section))
    assert not set(found.classes) & set(others.monsters)


def test_every_spell_is_someones_and_named_once_in_both_languages():
    found, others = unseen_content(), content()
    used = {spell.key for one in (*found.classes.values(), *found.monsters.values()) for spell in one.spells}
    assert used == set(found.spells)
    for name in ("name", "name_fr"):
        names = [getattr(one, name) for one in (*found.looks.values(), *others.looks.values())]
        assert len(names) == len(set(names)), name
        kinds = [getattr(one, name) for one in (*found.classes.values(), *others.classes.values())]
        assert len(kinds) == len(set(kinds)), name


@pytest.mark.slow
def test_the_maps_are_fair_and_those_of_no_other_file():
    found = unseen_content().maps
    assert len(found) == 12
    boards = [one.board.cells for one in (*found.values(), *content().maps.values())]
    assert len(set(boards)) == len(boards)
    for one in found.values():
        assert faults(one.board) == [], one.key

"""What ships in resources/arena holds together; a broken file is named with its field."""

import colorsys
from importlib.resources import files
from pathlib import Path

import pytest

from botapp.arena.content import (
    ContentError,
    classes,
    content,
    load,
    monsters,
    spell_looks,
    spells,
)
from botapp.fight.state import EffectKind, Shape


def test_there_are_four_classes_and_six_monsters_with_enough_spells():
    assert len(classes()) == 4
    assert len(monsters()) == 6
    assert all(5 <= len(one.spells) <= 6 for one in classes().values())
    assert all(one.spells for one in monsters().values())


def test_every_effect_shape_and_condition_occurs():
    known = spells().values()
    effects = [effect for spell in known for effect in spell.effects]
    assert {effect.kind for effect in effects} == set(EffectKind)
    assert {effect.shape for effect in effects} == set(Shape)
    for condition in ("in_line", "on_diagonal", "needs_taken_cell", "boostable_range"):
        assert any(getattr(spell, condition) for spell in known)
    assert any(not spell.needs_sight for spell in known)
    for limit in ("cooldown", "initial_cooldown", "casts_per_turn", "casts_per_target", "crit"):
        assert any(getattr(spell, limit) for spell in known)


def _hue(colour: str) -> float:
    """Returns the hue of a "#RRGGBB" colour in degrees."""
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return colorsys.rgb_to_hsv(red, green, blue)[0] * 360


def test_no_two_kinds_are_near_in_hue():
    hues = sorted(_hue(one.colour) for one in (*classes().values(), *monsters().values()))
    gaps = [b - a for a, b in zip(hues, [*hues[1:], hues[0] + 360], strict=True)]
    assert min(gaps) >= 18


def test_figures_are_in_the_usual_range():
    for one in classes().values():
        assert 6 <= one.ap <= 8
        assert 3 <= one.mp <= 5
        assert 200 <= one.hp <= 500
    assert all(20 <= one.level <= 60 for one in (*classes().values(), *monsters().values()))


def test_every_spell_is_someones_and_has_its_looks_in_both_languages():
    used = {spell.key for one in (*classes().values(), *monsters().values()) for spell in one.spells}
    assert used == set(spells()) == set(spell_looks())
    assert all(look.name and look.name_fr for look in spell_looks().values())


def test_a_fresh_fighter_is_rested_and_waits_for_slow_spells():
    one = classes()["ember"].fighter(3, 1, 200, "Ash")
    assert (one.id, one.team, one.cell, one.name, one.kind) == (3, 1, 200, "Ash", "ember")
    assert (one.hp, one.ap, one.mp) == (one.max_hp, one.base_ap, one.base_mp)
    assert ("meteor", 1) in one.cooldowns


@pytest.fixture
def folder(tmp_path):
    for file in files("resources").joinpath("arena").iterdir():
        if file.name.endswith(".toml"):
            (tmp_path / file.name).write_text(file.read_text("utf-8"), "utf-8")
    return tmp_path


def test_the_copied_files_read_the_same(folder):
    assert load(folder) == content()


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("spells.toml", "range = [1, 1]", "range = [3, 1]", "spells.toml: cleave.range: expected .nearest"),
        ("spells.toml", "range = [1, 1]", "range = [1]", "spells.toml: cleave.range: expected .nearest"),
        (
            "spells.toml",
            "range = [1, 1]",
            "range = [1, 99]",
            r"spells.toml: cleave.range\[1\]: expected 0 to 63",
        ),
        ("spells.toml", "ap = 3", 'ap = "3"', "spells.toml: cleave.ap: expected a whole number"),
        ("spells.toml", "crit = 15", "critt = 15", "spells.toml: cleave.critt: no such field"),
        ("spells.toml", '"sword"', '"spoon"', "spells.toml: cleave.icon.glyph: expected one of sword"),
        ("spells.toml", '"#E8574A"', '"red"', "spells.toml: cleave.icon.colour: expected a colour"),
        (
            "spells.toml",
            'kind = "damage"',
            'kind = "hug"',
            r"spells.toml: cleave.effects\[0\].kind: expected one of",
        ),
        (
            "spells.toml",
            "low = 14",
            "low = 99",
            r"spells.toml: cleave.effects\[0\].high: expected 99 or more",
        ),
        ("spells.toml", "[cleave]", "[cleave", "spells.toml: .*line"),
        ("classes.toml", '"cleave"', '"cleaver"', r"classes.toml: warden.spells\[0\]: no spell 'cleaver'"),
        ("classes.toml", '"#D92B2B"', '"#D92B2"', "classes.toml: warden.colour: expected a colour"),
        ("classes.toml", '"knight"', '"blimp"', "classes.toml: warden.shape: expected one of knight"),
        (
            "classes.toml",
            "resistance = [30",
            "resistance = [60",
            "classes.toml: warden.stats.resistance: expected at",
        ),
        (
            "classes.toml",
            "level = 50",
            "points = 3\nlevel = 50",
            "classes.toml: warden.points: no such field",
        ),
        ("classes.toml", "level = 50\n", "", "classes.toml: warden.level: missing"),
        (
            "monsters.toml",
            "[golem]",
            "[warden]",
            "monsters.toml: warden: classes.toml has a kind of that name",
        ),
        ("monsters.toml", "points = 10\n", "", "monsters.toml: golem.points: missing"),
    ],
)
def test_a_broken_file_is_named_with_its_field(folder, file, old, new, message):
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(ContentError, match=message):
        load(folder)


def test_a_missing_file_is_named(folder):
    (folder / "monsters.toml").unlink()
    with pytest.raises(ContentError, match=r"monsters\.toml: cannot be read"):
        load(Path(folder))

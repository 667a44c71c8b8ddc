"""What ships in resources/arena holds together; a broken file is named with its field."""

import itertools
import math
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from wild import KINDS, SHAPES, SIDES

from botapp.content.errors import ContentError
from botapp.content.library import classes, content, load, monsters, spell_looks, spells
from botapp.content.templates import PLAY_STYLES
from botapp.content.words import EFFECTS
from botapp.fight.spells import EffectKind, Element, Shape, State
from vision.extract.arena.paints import mix


def test_there_are_eight_classes_of_which_two_are_unseen():
    assert len(classes()) >= 8
    assert all(6 <= len(one.spells) <= 8 for one in classes().values())
    assert [kind for kind, one in classes().items() if one.unseen] == ["hour", "veil"]
    assert list(classes())[:4] == ["warden", "ranger", "ember", "leech"]


def test_there_are_sixteen_monsters_of_every_manner():
    met = [one for one in monsters().values() if one.points]
    assert len(met) >= 16
    assert {one.play_style for one in met} == set(PLAY_STYLES)
    assert all(one.spells and one.play_style in PLAY_STYLES for one in monsters().values())


def lines_of(spell):
    return [*spell.effects, *(inner for effect in spell.effects for inner in effect.payload)]


def mechanisms(templates):
    """Returns what the spells of some fighters use, those of whom they call among them."""
    known = {spell.key: spell for one in templates for spell in one.spells}
    found = [effect for spell in known.values() for effect in lines_of(spell)]
    called = {e.summon.kind for e in found if e.summon}
    known |= {spell.key: spell for kind in called for spell in monsters()[kind].spells}
    found = [effect for spell in known.values() for effect in lines_of(spell)]
    used = {effect.kind for effect in found} | {effect.shape for effect in found}
    used |= {effect.element for effect in found} | {effect.affects for effect in found}
    used |= {effect.state for effect in found} - {None}
    used |= {effect.stat for effect in found} - {""}
    for name in CONDITIONS:
        if any(getattr(spell, name) for spell in known.values()):
            used.add(name)
    if any(not spell.needs_sight for spell in known.values()):
        used.add("no sight")
    return used


CONDITIONS = (
    "in_line", "on_diagonal", "needs_free_cell", "needs_taken_cell", "boostable_range", "crit", "cooldown",
    "initial_cooldown", "casts_per_turn", "casts_per_target", "required_states",
)  # fmt: skip


def test_every_mechanism_occurs():
    used = mechanisms([*classes().values(), *monsters().values()])
    assert {*KINDS, *SHAPES, *State, *SIDES, *Element, *CONDITIONS, "no sight"} <= used
    assert {"ap", "mp", "power", "resistance", "range", "erosion", "crit", "push_damage", "flee"} <= used
    straight = [spell for spell in spells().values() if spell.in_line and spell.on_diagonal]
    only_diagonal = [spell for spell in spells().values() if spell.on_diagonal and not spell.in_line]
    assert straight and only_diagonal
    assert any(effect.crit_low for spell in spells().values() for effect in spell.effects)


def test_the_unseen_classes_need_no_kind_of_effect_that_was_never_trained_on():
    seen = mechanisms([*(one for one in classes().values() if not one.unseen), *monsters().values()])
    unseen = mechanisms([one for one in classes().values() if one.unseen])
    missing = {one for one in unseen - seen if isinstance(one, EffectKind | Shape)}
    assert not missing


def tones_of(template):
    """Returns the tones that a body is drawn with, as vision's palette has them."""
    body = tuple(int(template.colour[i : i + 2], 16) for i in (1, 3, 5))
    return [body, mix(body, (255, 246, 224), 0.30), mix(body, (20, 15, 34), 0.32)]


def test_no_two_kinds_have_tones_that_vision_could_take_for_each_other():
    kinds = [*classes().values(), *monsters().values()]
    for one, other in itertools.combinations(kinds, 2):
        apart = min(math.dist(a, b) for a in tones_of(one) for b in tones_of(other))
        assert apart >= 36, (one.kind, other.kind, apart)


def test_visions_profile_knows_every_kind_by_its_colour():
    profile = tomllib.loads(files("resources").joinpath("profiles/arena.toml").read_text("utf-8"))
    assert profile["kinds"] == {k: one.colour for k, one in {**classes(), **monsters()}.items()}


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


SPELL, CLASS, MONSTER, MAP = ("spells.toml", "classes.toml", "monsters.toml", "maps.toml")


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (SPELL, "range = [1, 1]", "range = [3, 1]", "spells.cleave.range: expected .nearest"),
        (SPELL, "range = [1, 1]", "range = [1]", "spells.cleave.range: expected .nearest"),
        (SPELL, "range = [1, 1]", "range = [1, 99]", r"spells.cleave.range\[1\]: expected 0 to 63"),
        (SPELL, "ap = 3", 'ap = "3"', "spells.cleave.ap: expected a whole number"),
        (SPELL, "crit = 15", "critt = 15", "spells.cleave.critt: no such field; remove it, or"),
        (SPELL, '"sword"', '"spoon"', "spells.cleave.icon.glyph: expected one of sword"),
        (SPELL, '"#E8574A"', '"red"', "spells.cleave.icon.colour: expected a colour"),
        (SPELL, 'kind = "damage"', 'kind = "hug"', r"spells.cleave.effects\[0\].kind: expected one of"),
        (SPELL, "low = 14", "loow = 14", r"spells.cleave.effects\[0\].loow: no such field"),
        (SPELL, "low = 14", "low = 99", r"spells.cleave.effects\[0\].high: expected 99 or more"),
        (SPELL, "[spells.cleave]", "[spells.Cleave]", "spells.Cleave: a key is a small letter"),
        (SPELL, 'name = "Cleave"', 'name = ""', "spells.cleave.name: expected a name of 1 to 60"),
        (SPELL, "format = 2", "format = 9", "format: 9 is newer than this version of the app"),
        (SPELL, "format = 2", "format = 2\n[spoils.x]", "spoils: no such section; write it under one of"),
        (CLASS, '"cleave"', '"cleaver"', r"classes.warden.spells\[0\]: no spell has the key 'cleaver'"),
        (CLASS, '"shockwave"', '"cleave"', r"classes.warden.spells\[1\]: the spell 'cleave' is there twice"),
        (CLASS, '"#D92B2B"', '"#D92B2"', "classes.warden.colour: expected a colour"),
        (CLASS, '"knight"', '"blimp"', "classes.warden.shape: expected one of knight"),
        (CLASS, "resistance = [30", "resistance = [60", "classes.warden.stats.resistance: expected at most"),
        (CLASS, "level = 50", "points = 3\nlevel = 50", "classes.warden.points: no such field"),
        (CLASS, "level = 50\n", "", "classes.warden.level: missing; add it"),
        (MONSTER, "[monsters.golem]", "[monsters.warden]", "monsters.warden: classes.toml has this key"),
        (MONSTER, "points = 10\n", "", "monsters.golem.points: missing; add it"),
        (MONSTER, 'manner = "melee"', 'manner = "rude"', "monsters.golem.manner: expected one of melee"),
        (MAP, 'theme = "grass"', 'theme = "cheese"', "maps.willow_green.theme: expected one of clearing"),
        (MAP, "rows = 22", "rows = 23", "maps.willow_green.rows: expected an even number"),
        (MAP, "seed = 1,", "", "maps.willow_green.seed: missing; add it"),
        (MAP, "seed = 1,", "seed = -1,", "maps.willow_green.seed: expected 0 to"),
    ],
)
def test_a_broken_file_is_named_with_its_line_and_field(folder, file, old, new, message):
    text = (folder / file).read_text("utf-8")
    assert old in text
    broken = text.replace(old, new, 1)
    (folder / file).write_text(broken, "utf-8")
    with pytest.raises(ContentError, match=rf"{file}, line \d+: {message}") as raised:
        load(folder)
    line = int(re.search(r"line (\d+)", str(raised.value))[1])
    changed = broken[: text.index(old) + len(new)].count("\n") + 1
    assert abs(line - changed) <= 12 and line <= broken.count("\n")


def test_what_is_no_toml_is_said_with_the_line(folder):
    path = folder / "spells.toml"
    path.write_text(path.read_text("utf-8").replace("[spells.cleave]", "[spells.cleave", 1), "utf-8")
    with pytest.raises(ContentError, match=r"spells\.toml: not TOML: .*line"):
        load(folder)
    path.write_bytes(b"format = 2\nname = '\xff'")
    with pytest.raises(ContentError, match=r"spells\.toml, line 2: not UTF-8"):
        load(folder)
    path.write_bytes(b"a = " + b"[" * 100_000)
    with pytest.raises(ContentError, match="far too deep"):
        load(folder)


def test_a_missing_file_is_named(folder):
    (folder / "monsters.toml").unlink()
    with pytest.raises(ContentError, match=r"monsters\.toml: cannot be read"):
        load(Path(folder))


def test_every_kind_of_effect_has_words() -> None:
    assert set(EFFECTS) == {kind.value for kind in EffectKind}

"""Profiles are data: each is checked, and a message names the file and the field."""

import pytest

from vision import profiles
from vision.frame import Rect
from vision.profiles import ProfileError, load, parse


def source(name="arena"):
    return (profiles.folder() / f"{name}.toml").read_text(encoding="utf-8")


def test_every_shipped_profile_loads():
    assert {"arena", "dofus-unity", "dofus-2", "dofus-retro"} <= set(profiles.names())
    for name in profiles.names():
        assert load(name).name == name


def test_an_unknown_profile_lists_those_there_are():
    with pytest.raises(ProfileError, match=r"dofus-9.*arena"):
        load("dofus-9")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cell_w = 0.0860", 'cell_w = "wide"', r"mine\.toml: board\.cell_w must be a number from 0\.01"),
        ("cell_w = 0.0860", "cell_w = 9", r"board\.cell_w must be a number .* got 9"),
        ("cell_w = 0.0860", "", r"board\.cell_w is missing"),
        ("[board]", "[bored]", r"board is missing"),
        ("[board]", "[[board]]", r"board must be a table"),
        ('title = "botapp arena"', "title = 3", r"title must be a text, got 3"),
        ('title = "botapp arena"', "title = ", r"mine\.toml: not TOML"),
        ("card = [", "card = [0.1, ", r"timeline\.card must be a shorter list, got \[0\.1, "),
        ("current = [0.078, ", "current = [", r"timeline\.current must be a longer list"),
        ("red_start =", "red_stat =", r"highlights\.red_stat must be .*'red_start'"),
        ("trap = ", "trip = ", r"signs\.trip must be"),
        ("mp = {", "mq = {", r"numbers must be a table with hp, max_hp, ap, mp"),
        ("cap = 0.02805", "cap = true", r"numbers\.hp\.cap must be a number from 0\.01 to 2, got True"),
        ("[shield]", "[shelf]", r"shield is missing"),
    ],
)
def test_a_wrong_field_is_named(old, new, message):
    text = source()
    assert old in text
    with pytest.raises(ProfileError, match=message):
        parse(text.replace(old, new, 1), "mine.toml")


@pytest.mark.parametrize("value", ['"#12345"', '"#12345g"', '"red"', "7", "true"])
def test_a_wrong_colour_is_named(value):
    with pytest.raises(ProfileError, match=r"palette\.reachable must be a colour like"):
        parse(source("dofus-2").replace('["#006600"]', f"[{value}]"), "mine.toml")
    with pytest.raises(ProfileError, match=r"palette\.reachable must be a list"):
        parse(source("dofus-2").replace('["#006600"]', value), "mine.toml")


def test_the_lattice_follows_the_client_area():
    lattice = load("arena").lattice(Rect(10, 20, 1280, 720))
    assert lattice.cell_w == pytest.approx(61.92)
    assert lattice.centre(0) == pytest.approx((10 + 640 - 6.75 * 61.92, 20 + 720 * 0.885 - 20 * 30.96))
    assert lattice.centre(559)[1] < 740

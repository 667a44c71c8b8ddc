"""However a content file is broken, the error is the content's own and points at a line."""

import re
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from botapp.content.errors import ContentError
from botapp.content.formats import SECTIONS
from botapp.content.library import parse, read
from botapp.content.toml_lines import Lines

ARENA = files("resources").joinpath("arena")
TEXTS = {f"{name}.toml": ARENA.joinpath(f"{name}.toml").read_text("utf-8") for name in SECTIONS}
SMALL = {
    name: text[: text.index("\n\n[", 3000)] if name == "spells.toml" else text for name, text in TEXTS.items()
}
many = settings(max_examples=40, deadline=None)

values = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


def reads(texts):
    """Reads files; returns the error's text, "" for none."""
    try:
        read([parse(name, data) for name, data in texts.items()])
    except ContentError as error:
        return str(error)
    return ""


@many
@given(st.binary(max_size=200))
def test_any_bytes_are_refused_in_words_or_read(data):
    try:
        parse("x.toml", data)
    except ContentError as error:
        assert str(error).startswith("x.toml")


@pytest.mark.slow
@many
@given(st.sampled_from(sorted(TEXTS)), st.data())
def test_a_file_with_a_piece_cut_out_is_refused_in_words_or_read(name, data):
    text = SMALL[name]
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 60)))
    try:
        parse(name, (text[:start] + text[stop:]).encode())
    except ContentError as error:
        assert name in str(error)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.sampled_from(["monsters.golem", "classes.warden", "spells.cleave", "maps.willow_green"]), st.data())
def test_a_field_of_any_kind_is_refused_with_its_line_or_read(entry, data):
    section, key = entry.split(".")
    name = f"{section}.toml"
    tables = tomllib.loads(TEXTS[name])
    field = data.draw(st.sampled_from(sorted(tables[section][key])))
    value = data.draw(values.filter(lambda one: one is not None))
    found = reads(
        {**_without(name), name: _written(section, key, {**tables[section][key], field: value}).encode()}
    )
    if found:
        assert re.match(r"[a-z]+\.toml, line \d+: ", found), found


def _without(name):
    """Returns the shipped files, this one left out."""
    return {other: text.encode() for other, text in TEXTS.items() if other != name and other == "spells.toml"}


def _written(section, key, table):
    import tomlkit

    return tomlkit.dumps({"format": 2, section: {key: table}})


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_the_line_of_every_field_is_where_its_name_stands(name):
    text = TEXTS[name]
    lines, rows, found = Lines(text), text.splitlines(), 0
    for path, field in _paths(tomllib.loads(text)):
        assert re.search(rf"\b{re.escape(field)}\b", rows[lines.of(path) - 1]), path
        found += 1
    assert found > 100


def _paths(value, path=""):
    for key, inner in value.items():
        here = f"{path}.{key}" if path else key
        if not (isinstance(inner, dict) and path == "" and inner and key in SECTIONS):
            yield here, key
        if isinstance(inner, dict):
            yield from _paths(inner, here)
        for index, item in enumerate(inner if isinstance(inner, list) else ()):
            if isinstance(item, dict):
                yield from _paths(item, f"{here}[{index}]")


EXOTIC = '''# a comment with [brackets] = { and "quotes
format = 2
"quoted key".'other one' = 1
text = """
[not.a.table]
key = 1
"""
raw = \'\'\'
a = "b\'\'\'
date = 1979-05-27 07:32:00
[[people]]
name = "first"  # = 3
[people.home]
street = { number = 3, names = ["x", { deep = "]" }] }
[[people]]
name = 'second'
list = [
    1, # one
    2,
    [3, 4],
]
'''


def test_lines_are_found_in_all_that_toml_allows():
    tomllib.loads(EXOTIC)
    lines = Lines(EXOTIC)
    rows = EXOTIC.splitlines()
    for path, row in {
        "quoted key.other one": 3,
        "text": 4,
        "raw": 8,
        "date": 10,
        "people[0].name": 12,
        "people[0].home.street": 14,
        "people[0].home.street.names[1].deep": 14,
        "people[1].name": 16,
        "people[1].list": 17,
        "people[1].list[1]": 19,
        "people[1].list[2][1]": 20,
        "people[1].missing": 15,
        "nothing": 1,
    }.items():
        assert lines.of(path) == row, (path, rows[row - 1])


letters = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=6)
keys = st.from_regex(r"[a-z]{1,4}", fullmatch=True)
plain = st.recursive(
    st.booleans()
    | st.integers(-9, 9)
    | st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.dictionaries(keys, plain, max_size=4))
def test_any_toml_can_be_walked_over(tables):
    import tomlkit

    text = tomlkit.dumps(tables)
    lines, count = Lines(text), text.count("\n") + 1
    for path, field in _paths(tables):
        line = lines.of(path)
        assert 1 <= line <= count
        assert field in text.splitlines()[line - 1]

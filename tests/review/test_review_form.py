"""A kept fight as a file: what is written is read again, and nothing else is."""

import gzip
import json
import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kept_fights import fight

from botapp.content.errors import FieldError
from botapp.content.state_json import state_from_json
from botapp.fight.actions import Cast
from botapp.review.course import MOST
from botapp.review.form import packed, read_fight, read_summary, to_bytes
from botapp.review.kept_fight import nameless
from botapp.ui.review import texts


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "20261123-100000.fight"
    path.write_bytes(to_bytes(fight()))
    return path


def lines_of(path):
    return gzip.decompress(path.read_bytes()).splitlines()


def test_what_is_written_is_read_again(file):
    assert read_fight(file) == fight()
    assert read_summary(file) == fight().summary


def test_a_cast_at_the_ground_whose_cell_was_not_seen_is_read_again(tmp_path):
    """The whole fight could not be opened any more for one such cast."""
    kept = fight()
    first = replace(kept.moments[0], done=replace(kept.moments[0].advised, action=Cast("spark", -1)))
    kept = replace(kept, moments=(first, *kept.moments[1:]))
    path = tmp_path / "20261128-100000.fight"
    path.write_bytes(to_bytes(kept))
    assert read_fight(path) == kept
    assert texts.done_line(first) is None, "nothing can be drawn of it"


@pytest.mark.parametrize(("sure", "word"), [("close", "close choice"), ("", "")])
def test_how_sure_the_advice_was_is_kept_and_shown(tmp_path, sure, word):
    kept = replace(fight(), moments=tuple(replace(one, sure=sure) for one in fight().moments))
    path = tmp_path / "20261128-110000.fight"
    path.write_bytes(to_bytes(kept))
    moment = read_fight(path).moments[0]
    assert moment.sure == sure
    assert texts.advised(moment).partition(" to win)")[2] == (f"  ·  {word}" if word else "")


def test_a_state_of_it_is_one_that_other_commands_read(file):
    second = json.loads(lines_of(file)[2])
    assert state_from_json(second["state"]) == fight().moments[1].state


def test_it_is_small(file):
    assert file.stat().st_size < 2000 * len(fight().moments)


def data_with_format(data, version):
    """Returns a kept fight that is whole but for the number of its format."""
    return packed(re.sub(rb'"botapp_fight": ?\d+', b'"botapp_fight": ' + version, gzip.decompress(data)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda data: b"", "empty"),
        (lambda data: b"PK\x03\x04 something else", "it is damaged"),
        (lambda data: data[: len(data) // 2], "it is damaged"),
        (lambda data: packed(b"[1, 2]\n"), "no fight that botapp has kept"),
        (lambda data: packed(b'{"botapp_fight": 5, "summary": {}}\n'), "written by a newer botapp"),
        (lambda data: packed(b'{"botapp_fight": 1}\n'), "summary: missing"),
        (lambda data: data_with_format(data, b"0"), "no fight that botapp has kept"),
        (lambda data: data_with_format(data, b"-1"), "no fight that botapp has kept"),
        (lambda data: data_with_format(data, b"true"), "no fight that botapp has kept"),
        (lambda data: packed(b"{" + b" " * (2 << 20) + b"}\n"), "larger than"),
        (lambda data: packed(b"[" * 100_000 + b"\n"), "nested"),
        (lambda data: packed(gzip.decompress(data).splitlines(True)[0]), "no own action"),
        (lambda data: data + packed(b'{"turn": 1}\n'), "moments[3].chance: missing"),
        (lambda data: data + packed(b"nonsense\n"), "moments[3]: not JSON"),
    ],
)
def test_anything_else_is_refused_in_one_line(file, damage, told):
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(FieldError) as refused:
        read_fight(file)
    assert told in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"chance": 1.5}, "moments[0].chance"),
        ({"chance": float("nan")}, "moments[0].chance"),
        ({"picture": "../../secret.png"}, "moments[0].picture"),
        (
            {"advised": {"action": {"type": "cast", "spell": "x", "target": 999}, "confidence": 1}},
            "moments[0].advised",
        ),
        ({"more": 1}, "moments[0].more: no such field"),
    ],
)
def test_a_field_that_is_wrong_is_named(file, change, told):
    first, moment, *_ = lines_of(file)
    file.write_bytes(packed(first + b"\n" + json.dumps(json.loads(moment) | change).encode() + b"\n"))
    with pytest.raises(FieldError, match=r"^moments\[0\]") as refused:
        read_fight(file)
    assert told in str(refused.value)


@pytest.mark.long
def test_a_file_that_would_fill_the_memory_is_refused(file):
    first, moment, *_ = lines_of(file)
    file.write_bytes(packed(first + b"\n" + (moment + b"\n") * (MOST + 1)))
    with pytest.raises(FieldError, match="more than 400 own actions"):
        read_fight(file)


@pytest.mark.long
@settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_no_damage_to_a_file_raises_anything_else(file, data):
    whole = to_bytes(fight())
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(whole) - 1))
        file.write_bytes(
            whole[:at] + data.draw(st.binary(max_size=8)) + whole[at + data.draw(st.integers(0, 9)) :]
        )
    else:
        lines = gzip.decompress(whole).splitlines(True)
        number = data.draw(st.integers(0, len(lines) - 1))
        text = lines[number]
        at = data.draw(st.integers(0, len(text) - 1))
        put = data.draw(
            st.sampled_from([b"9", b"-", b'"', b"null", b"[]", b"1e999", b"{", b"}", b"\xff", b"\n"])
        )
        lines[number] = text[:at] + put + text[at + data.draw(st.integers(0, 3)) :]
        file.write_bytes(packed(b"".join(lines)))
    try:
        found = read_fight(file)
    except (FieldError, OSError) as error:
        assert "\n" not in str(error)
    else:
        assert all(0 <= moment.chance <= 1 for moment in found.moments)


@pytest.mark.parametrize("kind", ["ember", "my-gertrude"])
def test_names_that_people_gave_are_left_out_on_request(kind):
    kept = fight()
    called = {"Ember Mage": "Gertrude", "Toad": "My friend"}

    def renamed(moment):
        fighters = tuple(
            f.changed(name=called.get(f.name, f.name), kind=kind if f.player else f.kind)
            for f in moment.state.fighters
        )
        label = replace(moment.advised, label="Cast Spark on My friend")
        return replace(moment, state=moment.state.changed(fighters=fighters), advised=label)

    summary = replace(kept.summary, own=kind, own_name="Gertrude", opponents=("My friend", "Moss Shaman"))
    told = nameless(replace(kept, summary=summary, moments=tuple(map(renamed, kept.moments))))
    written = gzip.decompress(to_bytes(told)).lower()
    assert b"gertrude" not in written and b"my friend" not in written
    known = ("ember", "Ember Mage") if kind == "ember" else ("someone", "Someone 0")
    assert (told.summary.own, told.summary.own_name) == known
    assert told.summary.opponents == ("Toad", "Moss Shaman")
    assert [moment.picture for moment in told.moments] == [""] * len(told.moments)

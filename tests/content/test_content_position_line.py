"""A position as a line of text: copied and pasted it is the same state; anything else is refused in words."""

import base64
import json
import zlib

import pytest
from fights import fight, fighter, spell
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from policy_states import policy_state

from botapp.content.errors import FieldError
from botapp.content.nameless import called, without_names
from botapp.content.position_line import START, from_text, to_line
from botapp.content.state_json import state_to_json
from botapp.fight.state import FightState
from botapp.host.message import is_message

SMALL = fight(fighter(0, 0, 300, (spell(),)), fighter(1, 1, 303, (spell("bite"),), hp=41))
OF_FORMAT_1 = (
    "botapp://position/1/5016b07d/qwYm7wJQhEDyQUlqMShVwkqF-FEwCkgAZFcIbgaI6hmaBglXDob0qRuyEpOAzoE6FM"
    "IhVE-YklZPGOCv9QemroBK4GoBUlRbGIzWFgNeW9TqIHKfIdbcZwjLfYaI3GeMkftMDGmZ-ZIyS1IRuQ_KG81-o9lvyGc_o"
    "ppnAA"
)
FEW = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def refused(text: str) -> str:
    with pytest.raises(FieldError) as raised:
        from_text(text)
    said = raised.value.args[0]
    assert is_message(said) and "\n" not in said and len(said) < 300
    return str(said)


@pytest.mark.slow
@FEW
@given(st.integers(0, 10_000))
def test_what_is_copied_and_pasted_is_the_same_state(number: int) -> None:
    state = policy_state(number)
    line = to_line(state)
    assert len(line.split()) == 1 and line.isprintable() and line.isascii()
    assert from_text(line) == state


def equal_or_refused(text: str, state: FightState) -> None:
    try:
        found = from_text(text)
    except FieldError as error:
        assert is_message(error.args[0])
        return
    assert found == state


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_line_that_was_changed_is_the_same_state_or_refused(data: st.DataObject) -> None:
    line = to_line(SMALL)
    for _ in range(data.draw(st.integers(1, 3))):
        at, much = data.draw(st.integers(0, len(line))), data.draw(st.integers(0, 3))
        put = data.draw(st.text(st.sampled_from("aZ09-_/=. \n\0é漢:"), max_size=3))
        line = line[:at] + put + line[at + much :]
    equal_or_refused(line, SMALL)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=400))
def test_any_other_text_is_refused_in_a_line(text: str) -> None:
    refused(text)
    refused(f"{START}1/{text}")


def forged(data: bytes, version: str = "1") -> str:
    """Returns a line with the right checksum around anything."""
    letters = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    return f"{START}{version}/{zlib.crc32(data):08x}/{letters}"


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_anything_at_all_behind_a_right_checksum_is_refused(data: bytes) -> None:
    said = refused(forged(data))
    assert "cannot be read" in said or "not whole" in said


def packed(text: bytes) -> bytes:
    packer = zlib.compressobj(9, wbits=-15)
    return packer.compress(text) + packer.flush()


@pytest.mark.parametrize(
    "inside",
    [
        b"",
        b"[" * 100_000,
        b"9" * 9000,
        b" " * (50 << 20),
        b"[" + b"0," * 400_000 + b"0]",
        b'{"map": null}',
        b"\xff\xfe",
        json.dumps({**state_to_json(SMALL), "order": [7]}).encode(),
        json.dumps({**state_to_json(SMALL), "more": 1}).encode(),
    ],
    ids=["nothing", "deep", "number", "bomb", "many", "no-map", "no-utf8", "no-order", "more"],
)
def test_hostile_text_behind_a_right_checksum_is_refused_soon(inside: bytes) -> None:
    assert "cannot be read" in refused(forged(packed(inside)))


def test_each_kind_of_bad_text_is_told_apart() -> None:
    line = to_line(SMALL)
    assert "no position" in refused("hello")
    assert "no position" in refused("x" * 50_000_000)
    assert "not whole" in refused(line[: len(START) + 6])
    assert "checksum" in refused(line[:-1])
    assert "newer botapp" in refused(line.replace("/1/", "/2/"))
    assert "longer than any" in refused(START + "1/00000000/" + "A" * 200_000)


def test_a_line_is_found_in_what_stands_around_it() -> None:
    line = to_line(SMALL)
    for text in (
        f"  {line}\n",
        f"look: {line} - what now?",
        f"botapp arena --position '{line}'",
        f"<{line}>",
    ):
        assert from_text(text) == SMALL


def test_a_line_of_format_1_can_be_read_for_good() -> None:
    assert from_text(OF_FORMAT_1) == SMALL


@pytest.mark.parametrize("kind", ["zoe", "ember"])
def test_names_that_people_gave_are_left_out(kind: str) -> None:
    named = SMALL.changed(fighters=tuple(one.changed(name="Zoé-du-13", kind=kind) for one in SMALL.fighters))
    bare = without_names(named)
    assert from_text(to_line(named)) == named
    assert "Zo" not in json.dumps(state_to_json(bare)) and "zoe" not in json.dumps(state_to_json(bare))
    assert without_names(bare) == bare
    assert [one.changed(name="", kind="") for one in bare.fighters] == [
        one.changed(name="", kind="") for one in named.fighters
    ]


def test_what_the_app_calls_several_of_a_kind_keeps_its_number() -> None:
    for name, shown in (("Toad 2", "Toad 2"), ("Toad of Zoé", "Toad")):
        one = SMALL.fighters[0].changed(name=name, kind="toad")
        assert called(one) == ("toad", shown)

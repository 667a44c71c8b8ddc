"""Whatever a state's file holds, one line says what is wrong with it, soon and without filling the memory."""

import json
import os
import time
import tracemalloc

import pytest

from botapp.arena.scenarios import duel, team
from botapp.content.errors import FieldError
from botapp.content.json_file import read_json
from botapp.content.state_json import fighter_from_json, state_from_json, state_to_json
from botapp.fight.board import CELLS

GOOD = json.dumps(state_to_json(team(1)))
SWAP = {"kind": "swap"}


def changed(change):
    data = json.loads(GOOD)
    change(data)
    return json.dumps(data)


def first(**fields):
    return changed(lambda data: data["fighters"][0].update(fields))


def effects(*listed):
    return changed(lambda data: data["fighters"][0]["spells"][0].update(effects=listed))


ATTACKS = {
    "mp": (first(mp=1_000_000), r"fighters\[0\]\.mp: expected 0 to 100, got 1000000"),
    "dice": (
        effects({"kind": "damage", "low": 10**9}),
        r"spells\[0\]\.effects\[0\]\.low: expected -10000 to 10000, got 1000000000",
    ),
    "many effects": (effects(*[SWAP] * 100_000), r"spells\[0\]\.effects: .* at most 1000 .* got 100000"),
    "some effects": (effects(*[SWAP] * 101), r"spells\[0\]\.effects: .* at most 100, got 101"),
    "many spells": (
        changed(lambda d: d["fighters"][0].update(spells=d["fighters"][0]["spells"] * 9)),
        r"fighters\[0\]\.spells: expected a list of at most 32",
    ),
    "a spell twice": (
        changed(lambda d: d["fighters"][0].update(spells=d["fighters"][0]["spells"][:1] * 2)),
        r"fighters\[0\]\.spells\[1\]: the spell .* is there twice",
    ),
    "many states": (
        effects(*({"kind": "state", "state": f"#{number}"} for number in range(90))),
        "states: 63 of them, at most 62",
    ),
    "not a number": (first(hp=float("nan")), r"fighters\[0\]\.hp: expected a whole number, got nan"),
    "infinite": (first(level=float("inf")), r"fighters\[0\]\.level: expected a whole number, got inf"),
    "stats": (first(stats={"power": 10**6}), r"stats\.power: expected -100000 to 100000"),
    "a long name": (first(name="x" * 500), r"fighters\[0\]\.name: expected a printable text"),
    "escapes": (first(name="\x1b[2J"), r"fighters\[0\]\.name: expected a printable text"),
    "one cell": (
        changed(lambda d: d["fighters"][1].update(cell=d["fighters"][0]["cell"])),
        r"fighters\[1\]\.cell: fighters\[0\] stands on \d+ already",
    ),
    "in a wall": (
        changed(lambda d: d["map"].update(cells="#" * CELLS)),
        r"fighters\[0\]\.cell: no fighter can stand on",
    ),
    "no turn": (changed(lambda d: d["order"].remove(3)), r"order: fighters\[3\] has HP left and no turn"),
    "two turns": (changed(lambda d: d["order"].append(3)), "order: expected each id once"),
    "an unknown field": (changed(lambda d: d.update(colour=3)), "colour: no such field"),
    "an unknown fact": (first(mood="bad"), r"fighters\[0\]\.mood: no such field"),
    "a long field": (json.dumps({"x" * 100_000: 1}), "^x{300}: no such field"),
    "many fields": (json.dumps({str(number): 1 for number in range(5000)}), "top level: .* at most 1000"),
    "nesting": ("[" * 200_000, "nested more than 40 deep"),
    "nested lists": ('{"map": ' + "[" * 60 + "]" * 60 + "}", r"map\[0\].*: expected nesting of at most 40"),
    "many values": (
        json.dumps({"fighters": [[0] * 999] * 99}),
        "top level: expected at most 50000 values in all, got 99",
    ),
    "a huge number": ('{"turn": ' + "9" * 10_000 + "}", "a number of thousands of digits"),
    "a huge list": ("[" + "{}," * 1_300_000 + "{}]", "top level: expected at most 1000"),
    "a huge text": (json.dumps({"map": "x" * 3_000_000}), "map: expected a text of at most 1000 letters"),
    "a huge file": (" " * (5 << 20), "larger than 4 MB"),
    "no JSON": ("{", r"not JSON \(line 1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_one_line_names_the_field_and_the_bound_within_seconds(name, tmp_path):
    text, words = ATTACKS[name]
    path = tmp_path / "state.json"
    path.write_text(text)
    begun = time.process_time()
    with pytest.raises(FieldError, match=words) as refused:
        state_from_json(read_json(path))
    assert time.process_time() - begun < 10
    assert len(str(refused.value)) < 800 and "\n" not in str(refused.value)


@pytest.mark.long
@pytest.mark.parametrize("name", ["many effects", "many values", "a huge list", "nesting"])
def test_a_refusal_takes_little_memory(name, tmp_path):
    path = tmp_path / "state.json"
    path.write_text(ATTACKS[name][0])
    tracemalloc.start()
    try:
        with pytest.raises(FieldError):
            state_from_json(read_json(path))
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()


def test_a_file_that_is_no_regular_one_is_not_read(tmp_path):
    pipe = tmp_path / "state.json"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="no regular file"):
        read_json(pipe)


def test_what_the_arena_writes_is_taken(tmp_path):
    path = tmp_path / "state.json"
    for state in (duel(1), team(2), team(3, 4, 4)):
        path.write_text(json.dumps(state_to_json(state)))
        assert state_from_json(read_json(path)) == state


def test_the_dead_may_lie_anywhere():
    def kill(data):
        data["fighters"][1] |= {"hp": 0, "cell": data["fighters"][0]["cell"]}
        data["order"].remove(data["fighters"][1]["id"])
        data["current"] = 0

    assert state_from_json(json.loads(changed(kill))).fighters[1].hp == 0


def test_a_sheet_the_rules_have_no_room_for_is_refused():
    sheet = json.loads(effects(*({"kind": "state", "state": f"#{number}"} for number in range(90))))
    with pytest.raises(FieldError, match="sheet: states: 63 of them"):
        fighter_from_json(sheet["fighters"][0], "sheet")

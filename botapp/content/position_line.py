"""A position as one line of text, to be copied and pasted: what is the fight's, packed, with a checksum.

The line is `botapp://position/1/CHECKSUM/STATE`: the format's number, the CRC-32 of what follows it as eight
hexadecimal digits, and the state as JSON (`state_json`, the form that kept fights and `--state` have too),
deflated, in the 64 letters that may stand in an address. Nothing of it is registered with the system.
"""

import base64
import json
import re
import zlib

from botapp.content.errors import FieldError
from botapp.content.json_file import parse_json
from botapp.content.state_json import state_from_json, state_to_json
from botapp.fight.state import FightState
from botapp.host.message import say

START = "botapp://position/"
_VERSION = 1
_WHOLE = re.compile(re.escape(START) + r"([0-9]{1,6})/([0-9a-f]{8})/([A-Za-z0-9_-]+)")
_LONGEST = 100_000
"""Letters that are looked at of a text; a fight of sixteen with long spells has some 15,000."""
_LARGEST = 1 << 20  # Bytes of the JSON; a fight of sixteen has some 100,000
_RAW = -15  # zlib's word for a stream without a header: the line has its own
_OFTEN = (
    '"boostable_range": false, "payload": [], "turns": 0, "triangle": "circle", "cross", "ring", "square", '
    '{"kind": "summon", "template": {"play_style": "kind": "trap", "kind": "glyph", "kind": "shield", '
    '"kind": "push", "kind": "heal", "kind": "buff", "stat": "state": "duration": "caster": "delay": '
    '"kind": "remove_ap", "low": 1, "high": 2, "kind": "remove_mp", "element": "earth", "element": "fire", '
    '"element": "water", "element": "neutral", "shape": "line", "radius": 2}, '
    '"marks": [{"kind": "owner": "placing": true, "summoner": 0, "buffs": [{'
    '"cells": "##########################_________________________oo", "red_starts": [], "blue_starts": []}, '
    '"fighters": [{"name": "kind": "id": 0, "team": 0, "cell": 300, "level": 200, "hp": 100, "max_hp": 100, '
    '"ap": 6, "mp": 3, "base_ap": 6, "base_mp": 3, "shield": 0, "eroded": 0, "spells": [{"key": "name": '
    '"ap": 3, "min_range": 1, "max_range": 6, "effects": [{"kind": "damage", "low": 10, "high": 14, '
    '"element": "air", "shape": "point", "radius": 0}], "in_line": false, "on_diagonal": false, '
    '"needs_sight": true, "needs_free_cell": false, "needs_taken_cell": true, "boostable_range": true, '
    '"crit": 0, "crit_bonus": 0, "casts_per_turn": 0, "casts_per_target": 2, "cooldown": 0, '
    '"initial_cooldown": 0}], "stats": {"strength": 0, "intelligence": 0, "chance": 0, "agility": 0, '
    '"power": 0, "damage": 0, "heals": 0, "wisdom": 0, "lock": 0, "flee": 0, "range": 0, "initiative": 0, '
    '"resistance": [0, 0, 0, 0, 0], "fixed_resistance": [0, 0, 0, 0, 0], "crit": 0, "crit_damage": 0, '
    '"push_damage": 0, "push_resistance": 0, "withdraw": 0, "dodge": 0, "erosion": 0, "summons": 1}, '
    '"cooldowns": [], "casts": [], "assumed": [], "player": true}], "order": [0, 1], "current": 0, "turn": 1}'
)
"""What nearly every state has, for deflating: lines get a third shorter. It belongs to format 1: with one
letter changed no line written before can be read."""
_DICTIONARY = _OFTEN.replace(": ", ":").replace(", ", ",").encode()


def to_line(state: FightState) -> str:
    """Returns a state as a line of text; the names of its fighters are in it (see `nameless`)."""
    packer = zlib.compressobj(9, wbits=_RAW, zdict=_DICTIONARY)
    data = json.dumps(state_to_json(state), separators=(",", ":")).encode()
    packed = packer.compress(data) + packer.flush()
    letters = base64.urlsafe_b64encode(packed).rstrip(b"=").decode()
    return f"{START}{_VERSION}/{zlib.crc32(packed):08x}/{letters}"


def from_text(text: str) -> FightState:
    """Returns the state of the first position in a text, whatever else stands around it.

    Raises:
        FieldError: there is none, or it cannot be read; one line, a message, says what is wrong.
    """
    match = _WHOLE.search(text[:_LONGEST])
    if match is None:
        if START in text[:_LONGEST]:
            raise FieldError(
                say("This position is not whole. Copy its line again, from {start} to its end.", start=START)
            )
        raise FieldError(say("This is no position. One is a line that begins with {start}", start=START))
    if match.end() == _LONGEST:
        raise FieldError(say("This position is longer than any that botapp writes."))
    version, checksum, letters = match.groups()
    if int(version) != _VERSION:
        raise FieldError(say("This position was written by a newer botapp; update this one to open it."))
    packed = _bytes_of(letters)
    if packed is None or zlib.crc32(packed) != int(checksum, 16):
        raise FieldError(
            say(
                "This position was changed or cut on its way: its checksum does not fit. Copy its line again."
            )
        )
    try:
        return state_from_json(parse_json(_unpacked(packed)))
    except FieldError as error:
        raise FieldError(say("This position cannot be read: {problem}.", problem=str(error))) from None


def _bytes_of(letters: str) -> bytes | None:
    """Returns what letters stand for, None where they stand for nothing that is written so."""
    if len(letters) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    # several spellings of the last letter mean the same bytes; only the one that is written counts
    return data if base64.urlsafe_b64encode(data).rstrip(b"=").decode() == letters else None


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj(_RAW, zdict=_DICTIONARY)
    try:
        data = unpacker.decompress(packed, _LARGEST)
    except zlib.error:
        raise FieldError("it is damaged") from None
    if not unpacker.eof or unpacker.unused_data:
        raise FieldError(f"it is damaged, or larger than {_LARGEST >> 20} MB")
    return data

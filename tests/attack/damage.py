"""Damage, drawn from a seed: to bytes, and to what JSON and TOML hold."""

import copy
import json
import math
from random import Random
from typing import Any

NASTY: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2**31, -(2**63), 10**30, 1e308, math.nan, math.inf, -math.inf, 0.5, "", "x",
    "\0", "\x1b[2J", "a\nb", "é" * 300, "x" * 5000, "../../etc/passwd", "{x.__class__}", "%s%n", "#", [], {},
    [[]], [{}], {"": ""}, [0] * 2000, ["x"] * 300,
)  # fmt: skip


def spoilt(data: bytes, dice: Random) -> bytes:
    """Returns bytes with one to three kinds of damage."""
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(len(data) + 1)
        kind = dice.randrange(8)
        if kind == 0:
            data = data[:at]
        elif kind == 1:
            data = data[:at] + dice.randbytes(dice.choice([1, 4, 64])) + data[at:]
        elif kind == 2:
            data = data[:at] + data[at + dice.choice([1, 7, 300]) :]
        elif kind == 3 and data:
            flipped = bytearray(data)
            for _ in range(dice.choice([1, 5, 50])):
                flipped[dice.randrange(len(flipped))] ^= 1 << dice.randrange(8)
            data = bytes(flipped)
        elif kind == 4:
            data = data[:at] + b"\0" * dice.choice([1, 100]) + data[at + 100 :]
        elif kind == 5:
            data = data[:at] + data[at // 2 : at] + data[at:]
        elif kind == 6 and len(data) > 40:
            head = bytearray(data)
            for _ in range(dice.randint(1, 4)):
                head[dice.randrange(40)] = dice.choice([0, 1, 0x7F, 0x80, 0xFF])
            data = bytes(head)
        else:
            data = dice.choice([b"", b"\xff\xfe" + data, b"[" * 50_000, data * 2, data[::-1]])
    return data


def twisted(values: Any, dice: Random) -> Any:
    """Returns plain values with one to four of them replaced, dropped, doubled or added."""
    values = copy.deepcopy(values)
    for _ in range(dice.randint(1, 4)):
        holder = _somewhere(values, dice)
        if isinstance(holder, dict) and holder:
            key = dice.choice(list(holder))
            kind = dice.randrange(4)
            if kind == 0:
                del holder[key]
            elif kind == 1:
                holder[dice.choice(["x", "", "version", "id", key + "s"])] = _nasty(dice)
            else:
                holder[key] = _nearby(holder[key], dice)
        elif isinstance(holder, list) and holder:
            place = dice.randrange(len(holder))
            if dice.random() < 0.3:
                holder.append(copy.deepcopy(holder[place]))
            elif dice.random() < 0.3:
                holder.pop(place)
            else:
                holder[place] = _nearby(holder[place], dice)
    return values


def _somewhere(values: Any, dice: Random) -> Any:
    """Returns a dict or list within values; those deep down as likely as those at the top."""
    holders, waiting = [], [values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            holders.append(value)
            waiting += value.values() if isinstance(value, dict) else value
    return dice.choice(holders) if holders else values


def _nearby(value: Any, dice: Random) -> Any:
    """Returns what may stand in a value's place: another of its kind, or anything."""
    if isinstance(value, int) and not isinstance(value, bool) and dice.random() < 0.5:
        return value + dice.choice([-1, 1, 10, -1000, 10**6, 10**9])
    return _nasty(dice)


def _nasty(dice: Random) -> Any:
    return copy.deepcopy(dice.choice(NASTY))


def toml(values: Any) -> str:
    """Returns plain values as TOML, as far as that goes: null is left out, what cannot be a key is quoted."""
    lines: list[str] = []
    for key, value in values.items() if isinstance(values, dict) else ():
        if value is not None:
            lines.append(f"{json.dumps(str(key))} = {_inline(value)}")
    return "\n".join(lines) + "\n"


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        parts = (f"{json.dumps(str(key))} = {_inline(v)}" for key, v in value.items() if v is not None)
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(v) for v in value if v is not None) + "]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value)

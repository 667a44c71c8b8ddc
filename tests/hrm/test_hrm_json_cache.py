"""Measurements of this computer are used as they were written, or set aside and made anew."""

import pytest

from hrm.backends.json_cache import JsonCache
from hrm.message import say

VALUES = {
    "figures_ms": {"decision": 12.5, "10": 3, 9: 4},
    "why": say("as {kind} asked", kind="you"),
    "list": (1,),
}


@pytest.fixture
def cache(tmp_path):
    made = JsonCache(tmp_path / "tuning.json")
    assert made.write(VALUES)
    return made


def test_what_was_written_is_read(cache):
    found = cache.read()
    assert found["figures_ms"] == {"decision": 12.5, "10": 3, "9": 4} and found["list"] == [1]
    assert found["why"].template == "as {kind} asked"


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: bytes(len(content)),
        lambda content: content.replace(b"12.5", b"92.5"),
        lambda content: content.replace(b"figures_ms", b"figurez_ms"),
        lambda content: content.replace(b"12.5", b"92.5").replace(b"checksum", b"checkrum"),
        lambda content: b'{"a": 1}',
        lambda content: content[:-1] + b"\xff",
        lambda content: b"[]",
        lambda content: b"[" * 50_000,
    ],
)
def test_what_was_damaged_is_set_aside_once_also_where_it_is_json_still(cache, damage, caplog):
    content = damage(cache.path.read_bytes())
    cache.path.write_bytes(content)
    assert cache.read_or_set_aside() == {}
    assert "is set aside and measured anew" in caplog.text
    assert cache.path.with_suffix(".json.bak").read_bytes() == content
    assert cache.read_or_set_aside() == {}
    assert cache.write(VALUES) and cache.read()["list"] == [1]

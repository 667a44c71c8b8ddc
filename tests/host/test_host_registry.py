"""What stands in a module of its own is found by importing a package's modules."""

import pytest

from botapp.host.registry import Registry


def test_a_module_that_nothing_imports_is_found(tmp_path, monkeypatch):
    for name, key in (("b_second", "two"), ("a_first", "one")):
        source = f"from madeup_things import THINGS\nTHINGS.add({key!r}, {key!r} * 2)\n"
        (tmp_path / "madeup_kinds").mkdir(exist_ok=True)
        (tmp_path / "madeup_kinds" / f"{name}.py").write_text(source)
    (tmp_path / "madeup_kinds" / "__init__.py").touch()
    (tmp_path / "madeup_things.py").write_text(
        "from botapp.host.registry import Registry\nTHINGS = Registry('madeup_kinds')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from madeup_things import THINGS

    assert THINGS.things == {}
    assert list(THINGS.all().items()) == [("one", "oneone"), ("two", "twotwo")]


def test_a_key_is_given_once():
    things = Registry("madeup_kinds")
    things.add("one", 1)
    things.add("one", 1)
    with pytest.raises(ValueError, match="madeup_kinds: there are two 'one'"):
        things.add("one", 2)

"""A person's own sheet: read as written, or refused with the file and the field."""

import json
from pathlib import Path
from typing import Any

import pytest

from botapp.content.spell_json import SpellForm, StatsForm
from botapp.tracking.spellbook import SheetError, preset, presets, read_sheet


def sheet(**changes: Any) -> dict[str, Any]:
    book = preset(presets()[0])
    return {
        "name": book.name,
        "kind": book.key,
        "level": book.level,
        "max_hp": book.max_hp,
        "base_ap": book.base_ap,
        "base_mp": book.base_mp,
        "stats": StatsForm.written(book.stats),
        "spells": [SpellForm.written(spell) for spell in book.spells],
        **changes,
    }


def test_a_sheet_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "me.json"
    path.write_text(json.dumps(sheet()))
    assert read_sheet(path) == preset(presets()[0])


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (None, "cannot be opened"),
        ("{", "line 1"),
        ("[]", "expected an object"),
        (json.dumps(sheet(level="high")), "sheet.level"),
        (json.dumps({**sheet(), "spells": [{"key": "x"}]}), "spells[0]"),
        (json.dumps({"name": "x"}), "sheet."),
    ],
)
def test_a_sheet_that_cannot_be_used_names_the_file_and_the_field(
    tmp_path: Path, text: str | None, named: str
) -> None:
    path = tmp_path / "me.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(SheetError) as raised:
        read_sheet(path)
    assert "me.json" in str(raised.value)
    assert named in str(raised.value)
    assert "advisor.spellbook" in str(raised.value)

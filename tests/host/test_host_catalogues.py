"""The catalogues hold every text of the code, nothing else, and translations with the same placeholders."""

import ast
import re
import string
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
TRANSLATIONS = ROOT / "resources" / "translations"
CATALOGUES = sorted(TRANSLATIONS.glob("*/LC_MESSAGES/botapp.po"))
PACKAGES = ("botapp", "hrm", "vision")
AGAIN = "run `make translations`"
CRAMPED = {"fr": re.compile(r"\w[;!?»]|«\S|’|\b(?:tu|toi|ton|tes)\b")}


def _read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def _ids(catalogue: Catalog) -> set[str]:
    return {form for message in catalogue for form in _forms(message.id) if form}


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """The one form of a text, or its singular and plural."""
    return (text,) if isinstance(text, str) else tuple(text)


@cache
def _sources() -> dict[Path, str]:
    """The files that call `tr`, `say`, `mark` or `counted`: no others have texts, and babel reads slowly."""
    known = re.compile(rf"\b(?:{'|'.join(_keywords())})\(")
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return {file: text for file in files if known.search(text := file.read_text("utf-8"))}


def _keywords() -> set[str]:
    babel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["babel"]["mappings"]
    return {each.partition(":")[0] for each in babel[0]["keywords"]}


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    found = tmp_path_factory.mktemp("texts") / "found.pot"
    command = [sys.executable, "-m", "babel.messages.frontend", "-q", "extract", "-F", "pyproject.toml"]
    subprocess.run([*command, "-o", str(found), *map(str, _sources())], cwd=ROOT, check=True, timeout=120)
    return _ids(_read(found))


@pytest.mark.slow
def test_the_template_is_what_the_code_says(extracted: set[str]) -> None:
    known = _ids(_read(TRANSLATIONS / "botapp.pot"))
    assert extracted - known == set(), AGAIN
    assert known - extracted == set(), AGAIN


@cache
def _literals() -> tuple[tuple[str, str, bool], ...]:
    """Every text that is given to one of the keywords, with its place; whether it is counted."""
    return tuple(_literals_of(_keywords()))


def _literals_of(known: set[str]) -> Iterator[tuple[str, str, bool]]:
    for file, source in _sources().items():
        for node in ast.walk(ast.parse(source)):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if not isinstance(node, ast.Call) or name not in known:
                continue
            is_counted = name.endswith("counted")
            texts = node.args[1:3] if is_counted else node.args[:1]
            place = f"{file.relative_to(ROOT)}:{node.lineno}"
            for text in texts:
                for part in ast.walk(text):
                    assert not isinstance(part, ast.JoinedStr), f"{place}: an f-string cannot be looked up"
                if isinstance(text, ast.Constant):
                    yield text.value, place, is_counted


@pytest.mark.slow
def test_a_text_with_a_plural_is_never_said_without_its_number() -> None:
    """Else it would be in the singular: "15 dégât"."""
    found = _literals()
    counted = {text for text, _, by_number in found if by_number}
    assert [(text, place) for text, place, by_number in found if text in counted and not by_number] == []


@pytest.mark.slow
def test_babel_finds_every_text_of_the_code(extracted: set[str]) -> None:
    """It overlooks calls within f-strings and within other calls' arguments, and takes `x.say` for `say`."""
    said = {text: place for text, place, _ in _literals()}
    assert {text: place for text, place in said.items() if text not in extracted} == {}
    assert extracted - set(said) == set()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-3])
class TestCatalogue:
    def test_no_message_of_the_template_is_missing_and_none_is_stale(self, path: Path) -> None:
        catalogue = _read(path)
        known = _ids(_read(TRANSLATIONS / "botapp.pot"))
        assert known - _ids(catalogue) == set()
        assert _ids(catalogue) - known == set(), AGAIN
        assert [message.id for message in catalogue if message.id and not all(_forms(message.string))] == []
        assert {message.id for message in catalogue if message.fuzzy and message.id} == set()

    def test_placeholders_agree(self, path: Path) -> None:
        for message in _read(path):
            for form in _forms(message.string) if message.id else ():
                assert _placeholders(_forms(message.id)[0]) == _placeholders(form), message.id

    def test_it_is_set_as_the_language_wants(self, path: Path) -> None:
        wrong = CRAMPED.get(path.parts[-3])
        for message in _read(path):
            for form in _forms(message.string) if message.id and wrong is not None else ():
                assert not wrong.search(form), form

    def test_the_compiled_catalogue_is_up_to_date(self, path: Path) -> None:
        compiled = BytesIO()
        write_mo(compiled, _read(path))
        assert path.with_suffix(".mo").read_bytes() == compiled.getvalue(), AGAIN


def _placeholders(text: str) -> list[tuple[str, str | None]]:
    return sorted((name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name)

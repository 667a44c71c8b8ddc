"""The drawing of the packages: what it counts, how it lies, and that the one in docs is today's."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from botapp.bench.architecture import draw, layers, main, read

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "botapp/__init__.py": "",
    "botapp/__main__.py": "import botapp.ui.app",
    "botapp/ui/__init__.py": "",
    "botapp/ui/app.py": "from botapp.rules import state, dice\nfrom botapp.rules.state import HP\nimport re",
    "botapp/ui/panels/__init__.py": "def late():\n    from vision.screen import Screen",
    "botapp/rules/__init__.py": "dice = 6",
    "botapp/rules/state.py": "",
    "vision/__init__.py": "",
    "vision/screen.py": "import vision.deep",
    "vision/deep/__init__.py": "",
    "vision/deep/net.py": "import vision.screen",
    "hrm/__init__.py": "",
}


@pytest.fixture
def tree(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(scope="module")
def ours():
    return read(ROOT)


def test_imports_are_counted_by_pairs_of_files(tree):
    imports = read(tree)
    assert imports.counts == {
        ("botapp.ui", "botapp.rules"): 2,
        ("botapp.ui", "vision"): 1,
        ("vision", "vision.deep"): 1,
        ("vision.deep", "vision"): 1,
    }
    assert imports.packages == ("botapp", "botapp.rules", "botapp.ui", "hrm", "vision", "vision.deep")


def test_a_package_lies_below_all_that_import_it(tree):
    assert layers(read(tree))[:2] == [["botapp.ui"], ["botapp", "botapp.rules"]]


@pytest.mark.long
def test_boxes_do_not_overlap(ours):
    boxes = re.findall(r'x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" rx', draw(ours))
    places = [tuple(map(int, box)) for box in boxes]
    assert len(places) == len(ours.packages)
    assert all(below >= y + height for (_, y, _, height), (_, below, _, _) in pairwise(places))


def test_the_command_draws_and_tells_the_figures(tree, capsys):
    assert main([str(tree / "drawing.svg"), "--root", str(tree)]) == 0
    assert "6 packages, 4 import edges" in capsys.readouterr().out
    assert "botapp.rules" in (tree / "drawing.svg").read_text()


@pytest.mark.slow
def test_the_drawing_in_docs_shows_todays_packages_and_arrows(ours):
    """How many imports an arrow stands for may lag: a number must not redden what no reader would miss."""
    drawn = (ROOT / "docs" / "architecture.svg").read_text(encoding="utf-8")
    number = re.compile(r">\d+<")
    assert number.sub("", drawn) == number.sub("", draw(ours)), "out of date: make architecture"

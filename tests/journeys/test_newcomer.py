"""A new user comes to the first advice in at most twelve clicks, with made-up data of a game."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from botapp.demo.display import missing_packages

MOST_CLICKS = 12
PICTURES = Path(__file__).parents[2] / "out" / "newcomer"
HEADS = {"en": "Cast Hammer blow on the enemy", "fr": "Lancer Coup de marteau sur l'ennemi à"}

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual display is for Linux"),
    pytest.mark.skipif(bool(missing_packages()), reason="Xvfb, openbox or picom is missing"),
]


def journey(language: str, folder: Path) -> dict:
    script = Path(__file__).with_name("newcomer.py")
    done = subprocess.run(
        [sys.executable, script, language, folder],
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
        env={**os.environ, "PYTHONPATH": str(script.parents[2])},
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert not found["trouble"], found
    return found


def check(found: dict, language: str) -> None:
    assert len(found["clicks"]) <= MOST_CLICKS, found["clicks"]
    assert found["advice"].startswith(HEADS[language])
    assert len(found["all_clicks"]) <= MOST_CLICKS, "with a character of one's own and the board confirmed"


@pytest.mark.slow
def test_the_first_advice_takes_twelve_clicks_at_most(tmp_path):
    check(journey("en", tmp_path), "en")


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_way_there_in_pictures(language):
    """Leaves the pictures in `out/newcomer/`."""
    shutil.rmtree(PICTURES / language, ignore_errors=True)
    check(journey(language, PICTURES / language), language)

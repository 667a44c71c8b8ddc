"""Journeys 1 to 5 in both languages: first start, another class, withheld advice, the overlay, a review.

`first.py` takes them on a virtual screen. Its pictures are for people:

    BOTAPP_JOURNEYS=FOLDER python -m pytest -m long tests/journeys

keeps those of all ten.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from botapp.demo.display import missing_packages

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual display is for Linux"),
    pytest.mark.skipif(
        bool(missing_packages()),
        reason=f"no virtual display without: apt-get install {' '.join(missing_packages())}",
    ),
]

FIRST = Path(__file__).with_name("first.py")
WORDS = {
    "en": (
        "Open the practice arena",
        "nor the window's title tells it",
        "Bring the game's data",
        "Not as advised, the dearest first",
    ),
    "fr": (
        "Ouvrir l'arène",
        "Choisissez-la si ni l'écran",
        "Apporter les données du jeu",
        "Écarts avec le conseil, les plus coûteux d'abord",
    ),
}
STEPS = ("your-game", "settings-class", "withheld", "review-opened")
SCREENS = [(language, *screen) for screen in ((1280, 720, 1), (3840, 2160, 2)) for language in WORDS]


@pytest.fixture(params=SCREENS)
def seen(request, tmp_path):
    """What one person saw, with the words to look for."""
    language, width, height, scale = request.param
    kept = os.environ.get("BOTAPP_JOURNEYS")
    folder = Path(kept) / f"first-{language}-{width}" if kept else tmp_path / "seen"
    environment = {
        **os.environ,
        "BOTAPP_CONFIG_DIR": str(tmp_path / "config"),
        "QT_SCALE_FACTOR": str(scale),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        environment.pop(name, None)
    command = [sys.executable, str(FIRST), str(folder), language, str(width), str(height)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "seen.json").read_text("utf-8")), WORDS[language]


def test_the_first_journeys_go_through_and_nothing_is_cut_off(seen):
    told, words = seen
    assert not {step: cut for step, cut in told.items() if step.endswith("cut off") and cut}
    for step, word in zip(STEPS, words, strict=True):
        assert any(word in text for text in told[step]), (step, word)

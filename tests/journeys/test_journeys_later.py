"""Journeys 6 to 10 in both languages: what if, placement, record and export, crash, what is left behind.

`later.py` takes them on a virtual screen. Its pictures are for people: BOTAPP_JOURNEYS=FOLDER keeps them.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from botapp.demo.display import missing_packages
from botapp.review.form import read_fight

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the virtual display is for Linux"),
    pytest.mark.skipif(
        bool(missing_packages()),
        reason=f"no virtual display without: apt-get install {' '.join(missing_packages())}",
    ),
]

LATER = Path(__file__).with_name("later.py")
WORDS = {
    "en": ("What if?", "best place is lit", "Safe mode", "keeps on this computer"),
    "fr": ("Et si", "meilleur placement est", "Mode sans échec", "garde sur cet ordinateur"),
}
STEPS = ("what-if-spell", "placement", "safe-mode", "what-is-kept")
SCREENS = [(language, *screen) for screen in ((1280, 720, 1), (3840, 2160, 2)) for language in WORDS]


@pytest.fixture(params=SCREENS)
def taken(request, tmp_path):
    """What one person saw, the words to look for, and the folder."""
    language, width, height, scale = request.param
    kept = os.environ.get("BOTAPP_JOURNEYS")
    folder = Path(kept) / f"{language}-{width}" if kept else tmp_path / "seen"
    home = {name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    environment = {
        **os.environ,
        **home,
        "QT_SCALE_FACTOR": str(scale),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "BOTAPP_CONFIG_DIR"):
        environment.pop(name, None)
    command = [sys.executable, str(LATER), str(folder), language, str(width), str(height)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "seen.json").read_text("utf-8")), WORDS[language], folder, tmp_path


def test_the_journeys_go_through_and_nothing_is_cut_off(taken):
    seen, words, folder, home = taken
    cut = {step: found for step, found in seen.items() if step.endswith("cut off") and found}
    assert not cut
    for step, word in zip(STEPS, words, strict=True):
        assert any(word in text for text in seen[step]), step
    assert seen["board seen"] == [1.0]
    assert read_fight(folder / "mine.fight").moments
    assert cv2.imreadanimation(str(folder / "mine.webp"))[0]
    code, told, _ = seen["replay"]
    assert code == 0 and told
    left = {path.relative_to(home).parts[:2] for path in home.rglob("*") if path.is_file()}
    assert {part[1] for part in left if part[0].startswith("XDG")} <= {"botapp", "hrm"}

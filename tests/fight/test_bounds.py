"""Nothing outside an array, row or table is read or written: the core's own source, bounds checked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from botapp.fight.core.cache import CHECKED, INTERPRETED_VARIABLE

ROOT = Path(__file__).parents[2]

TRIES = {
    "an array, before its first word": "words[-1]",
    "an array, after its last word": "words[len(words)]",
    "an array, written": "words.__setitem__(-3, 7)",
    "a part of an array, cut short by Python": "words[0:len(words) + 1]",
    "a row, in the words of its neighbour": "fight.fighters[0].cooldowns[MOST_SPELLS]",
    "a row, before its first word": "fight.fighters[1].cooldowns[-1]",
    "a table, from its end": "fight.fighters[-1]",
    "a record's words, before its first": "fight.fighters[1].all[-1]",
}


def run(*command):
    paths = (ROOT, ROOT / "tests", ROOT / "tests/fight", ROOT / "tests/fight/core")
    environment = os.environ | {INTERPRETED_VARIABLE: CHECKED, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_a_place_outside_is_an_error_wherever_it_is():
    lines = [
        "from botapp.fight.core.compiler import OutOfBoundsError, whole_numbers",
        "from botapp.fight.core.fight import MOST_SPELLS, STATE, Fight",
        "words = whole_numbers(STATE)",
        "fight = Fight(words)",
        "fight.fighters[1].cooldowns[MOST_SPELLS - 1] = 5",
    ]
    for expression in TRIES.values():
        lines += ["try:", f"    {expression}", "except OutOfBoundsError:", "    print('refused')"]
        lines += ["else:", "    print('taken')"]
    done = run("-c", "\n".join(lines))
    assert done.returncode == 0, done.stderr
    assert dict(zip(TRIES, done.stdout.split(), strict=True)) == dict.fromkeys(TRIES, "refused")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_rules_and_searches_stay_within_bounds():
    done = run("tests/fight/bounds_run.py", "rules:2", "search:1", "damaged:4")
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("within bounds") == 3


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", ["rules:390", "search:90", "fights:12", "imported:12", "damaged:400"])
def test_content_of_every_origin_stays_within_bounds(part):
    done = run("tests/fight/bounds_run.py", part)
    assert done.returncode == 0, done.stderr[-3000:]

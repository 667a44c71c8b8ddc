"""Where compiled code is kept, and under which name: nothing stale is ever loaded."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from botapp.fight.core import cache

ROOT = Path(__file__).parents[3]
TINY = """
import sys
from botapp.fight.core import compiler
from botapp.fight.core.compiler import compiled, entry

@compiled
def doubled(x: int) -> int:
    return 2 * x

@entry
def ask(x: int) -> int:
    return doubled(x) + 1

compiler.load(ask)
print(ask(20), sum(ask.stats.cache_hits.values()), compiler.FOLDER)
"""


def run(code, **environment):
    kept = {name: value for name, value in os.environ.items() if name != cache.INTERPRETED_VARIABLE}
    done = subprocess.run(
        [sys.executable, *code], env=kept | environment, capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture
def package(tmp_path):
    for name in ("fight/core/rules.py", "fight/core/sight.py", "search/core/tree.py", "ui/window.py"):
        file = tmp_path / "program" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# {name}\n")
    return tmp_path / "program"


@pytest.mark.parametrize("name", ["fight/core/rules.py", "fight/core/sight.py", "search/core/tree.py"])
def test_another_source_is_another_key(package, name):
    before = cache.key("1.0", package=package)
    (package / name).write_text("# changed\n")
    assert cache.key("1.0", package=package) != before


def test_a_new_source_and_another_name_are_another_key(package):
    keys = {cache.key("1.0", package=package)}
    (package / "fight/core/zones.py").write_text("")
    keys.add(cache.key("1.0", package=package))
    (package / "fight/core/zones.py").rename(package / "fight/core/areas.py")
    keys.add(cache.key("1.0", package=package))
    assert len(keys) == 3


def test_versions_count_and_what_is_not_compiled_does_not(package):
    before = cache.key("1.0", package=package)
    (package / "ui/window.py").write_text("# changed\n")
    assert cache.key("1.0", package=package) == before
    assert cache.key("1.1", package=package) != before


def test_another_checkout_of_the_same_sources_has_a_key_of_its_own(package, tmp_path):
    other = shutil.copytree(package, tmp_path / "elsewhere")
    assert cache.key("1.0", package=other) != cache.key("1.0", package=package)


def filled(folder, code=b"machine code"):
    (folder / "core_1").mkdir(parents=True, exist_ok=True)
    (folder / "core_1" / "ask.nbi").write_bytes(b"index")
    (folder / "core_1" / "ask.1.nbc").write_bytes(code)
    return folder


def test_a_folder_is_ready_when_that_was_noted(tmp_path):
    folder = filled(tmp_path / "a")
    assert not cache.is_ready(folder)
    cache.note_ready(folder)
    assert cache.is_ready(folder)


def test_a_folder_whose_files_were_cut_short_or_lost_is_not_ready(tmp_path):
    folder = filled(tmp_path / "a")
    cache.note_ready(folder)
    (folder / "core_1" / "ask.1.nbc").write_bytes(b"")
    assert not cache.is_ready(folder)
    shutil.rmtree(folder / "core_1")
    assert not cache.is_ready(folder)


def test_the_oldest_of_other_versions_go_and_what_is_being_compiled_stays(tmp_path):
    old = [f"{age:016x}" for age in range(6)]
    for age, name in enumerate(old):
        folder = filled(tmp_path / name)
        cache.note_ready(folder)
        os.utime(folder / "ready", (1000 - age, 1000 - age))
    filled(tmp_path / "unfinished")
    cache.note_ready(filled(tmp_path / "new"))
    assert {folder.name for folder in tmp_path.iterdir()} == {"new", "unfinished", *old[:4]}


def test_nothing_is_removed_that_is_not_compiled_code(tmp_path):
    mine = filled(tmp_path / "mine")
    (mine / "ready").touch()
    for number in range(6):
        filled(tmp_path / f"photos-{number}")
        (tmp_path / f"photos-{number}" / "ready").touch()
        (tmp_path / f"{number:016x}").symlink_to(mine)
    cache.note_ready(filled(tmp_path / "new"))
    assert len([*tmp_path.iterdir()]) == 14 and (mine / "core_1" / "ask.nbi").exists()


def test_the_environment_names_another_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.FOLDER_VARIABLE, str(tmp_path))
    assert cache.base_folder() == tmp_path


SAY = (
    "from botapp.fight.core import compiler as c; print(c.INTERPRETED, c.FAULT, c.FOLDER, c.WHY_INTERPRETED)"
)


@pytest.mark.slow
def test_without_a_folder_to_write_to_it_runs_interpreted(tmp_path):
    (tmp_path / "file").write_text("")
    found = run(["-c", SAY], **{cache.FOLDER_VARIABLE: str(tmp_path / "file" / "below")})
    assert found[:3] == ["True", "folder", "None"]
    assert "NotADirectoryError" in found[3]


@pytest.mark.slow
def test_without_numba_it_runs_interpreted():
    found = run(["-c", f"import sys; sys.modules['numba'] = None; {SAY}"])
    assert found[:3] == ["True", "numba", "None"]


@pytest.mark.slow
@pytest.mark.parametrize(("value", "fault"), [("1", "asked"), (cache.MEANWHILE, "None")])
def test_the_environment_has_it_run_interpreted(value, fault):
    assert run(["-c", SAY], **{cache.INTERPRETED_VARIABLE: value})[:2] == ["True", fault]


DAMAGES = {
    "cut to nothing": lambda content: b"",
    "cut to half": lambda content: content[: len(content) // 2],
    "zeroed": lambda content: bytes(len(content)),
    "four bytes changed": lambda content: (
        content[: len(content) // 2] + b"\xaa\x55" * 2 + content[len(content) // 2 + 4 :]
    ),
}
"""Of files of the same size too."""


@pytest.mark.long
def test_a_program_is_compiled_into_an_empty_folder_loaded_by_the_next_process_and_anew_once_damaged(
    tmp_path,
):
    script = tmp_path / "tiny.py"
    script.write_text(TINY)
    given = {cache.FOLDER_VARIABLE: str(tmp_path / "compiled"), "PYTHONPATH": str(ROOT)}
    first, second = run([str(script)], **given), run([str(script)], **given)
    assert (first[:2], second[:2]) == (["41", "0"], ["41", "1"])
    folder = Path(first[2])
    assert first[2] == second[2] and folder.parent == tmp_path / "compiled"
    for suffix, kind in ((".nbi", "four bytes changed"), (".nbc", "cut to half")):
        (file,) = folder.glob(f"*/*{suffix}")
        file.write_bytes(DAMAGES[kind](file.read_bytes()))
        assert run([str(script)], **given)[:2] == ["41", "0"], suffix
    assert run([str(script)], **given)[:2] == ["41", "1"]


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("which", ["core_1/ask.nbi", "core_1/ask.1.nbc", "ready"])
def test_a_folder_with_a_damaged_file_is_not_ready_and_the_file_is_thrown_away(tmp_path, damage, which):
    folder = filled(tmp_path / "a", b"machine code" * 100)
    cache.note_ready(folder)
    whole = (folder / which).read_bytes()
    (folder / which).write_bytes(damage(whole))
    assert not cache.is_ready(folder) and cache.is_damaged(folder)
    assert cache.throw_away_damaged(folder)
    assert not (folder / which).exists() and not cache.is_damaged(folder)
    assert not cache.throw_away_damaged(folder)


def test_nothing_that_is_as_it_was_is_thrown_away(tmp_path):
    folder = filled(tmp_path / "a")
    assert not cache.throw_away_damaged(folder)
    cache.note_ready(folder)
    assert not cache.throw_away_damaged(folder) and cache.is_ready(folder)


@pytest.mark.long
def test_code_for_which_there_is_no_room_is_run_all_the_same(tmp_path):
    script = tmp_path / "tiny.py"
    full = "import numba.core.caching as c\ndef full(*_): raise OSError(28, 'No space left on device')\n"
    full += "c.IndexDataCacheFile._save_data = full\n"
    script.write_text(full + TINY + "\nfrom botapp.fight.core.cache import unkept\nprint(len(unkept))")
    given = {cache.FOLDER_VARIABLE: str(tmp_path / "compiled"), "PYTHONPATH": str(ROOT)}
    for _ in range(2):
        found = run([str(script)], **given)
        assert found[:2] == ["41", "0"] and found[3] == "1"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders there")
@pytest.mark.parametrize("odd", ["pipe", "folder", "link"])
@pytest.mark.parametrize("which", ["core_1/ask.1.nbc", "ready"])
def test_what_stands_in_place_of_a_file_is_not_waited_for_and_goes(tmp_path, odd, which):
    folder = filled(tmp_path / "a")
    cache.note_ready(folder)
    path = folder / which
    path.unlink()
    if odd == "pipe":
        os.mkfifo(path)
    elif odd == "folder":
        (path / "within").mkdir(parents=True)
    else:
        path.symlink_to("/dev/zero")
    assert not cache.is_ready(folder)
    assert cache.throw_away_damaged(folder)
    assert not os.path.lexists(path)
    assert not cache.is_damaged(folder)
    filled(folder)
    cache.note_ready(folder)
    assert cache.is_ready(folder)

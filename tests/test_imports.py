"""The import rule of the architecture, held by a test."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
QT = {"PySide6", "pyqtgraph", "superqt", "shiboken6"}
ALLOWED_IN_FIGHT = set(sys.stdlib_module_names) | {"numpy", "numba", "botapp"}


def imported(path: Path) -> set[str]:
    """Full names of the modules that a file imports, wherever in the file it does so."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def top(names: set[str]) -> set[str]:
    return {name.split(".")[0] for name in names}


def files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert found, f"no modules under {folders}"
    return found


@pytest.mark.parametrize("path", files("hrm"), ids=str)
def test_hrm_stands_alone(path):
    assert not top(imported(path)) & {"vision", "botapp", *QT}


@pytest.mark.parametrize("path", files("vision"), ids=str)
def test_vision_knows_neither_rules_nor_torch_nor_qt(path):
    assert not top(imported(path)) & {"hrm", "botapp", "torch", *QT}


@pytest.mark.parametrize("path", files("botapp/fight"), ids=str)
def test_rules_are_pure(path):
    names = imported(path)
    assert top(names) <= ALLOWED_IN_FIGHT
    assert all(name.startswith("botapp.fight") for name in names if name.startswith("botapp"))


def test_only_the_ui_and_the_arena_window_know_qt():
    allowed = [ROOT / "botapp" / "ui", ROOT / "botapp" / "arena" / "window"]
    for path in files("botapp"):
        if not any(path.is_relative_to(folder) for folder in allowed):
            assert not top(imported(path)) & QT, f"{path} imports Qt"


def test_the_core_imports_without_qt():
    code = (
        "import sys\n"
        f"for name in {sorted(QT)!r}: sys.modules[name] = None\n"
        "import hrm, vision, botapp.fight, botapp.advisor, botapp.runtime, botapp.arena\n"
        "import botapp.commands.cli\n"
        "import vision.extract, vision.capture, vision.window\n"
        "import botapp.runtime.worker, botapp.advisor.advisor\n"
        "import botapp.arena.pairing\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_importing_botapp_is_light():
    code = "import sys, botapp\nassert 'torch' not in sys.modules and 'PySide6' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr


def test_the_top_level_holds_what_the_user_fixed():
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
    generated = {"out", "runs", "build", "dist"}
    assert {f for f in folders if f not in generated and not f.endswith(".egg-info")} == {
        "botapp",
        "hrm",
        "vision",
        "resources",
        "tests",
    }

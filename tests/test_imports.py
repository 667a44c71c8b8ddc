"""What of the import rule import-linter's contracts (pyproject.toml, `make imports`) cannot say."""

import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from own_process import run_python

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("hrm", "vision", "botapp")
QT = {"PySide6", "pyqtgraph", "shiboken6"}


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


def own_modules(graph):
    return {name for name in graph.modules if name.split(".")[0] in PACKAGES}


@pytest.mark.slow
def test_no_files_import_each_other_in_a_circle(graph):
    """`acyclic_siblings` does not see a circle that goes through a package's own `__init__`."""
    own = own_modules(graph)
    imports = {name: graph.find_modules_directly_imported_by(name) & own for name in own}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as circle:
        pytest.fail(" <- ".join(circle.args[1]))


@pytest.mark.slow
def test_the_rules_contract_names_every_library(graph):
    """import-linter has no list of what may be imported, only of what may not: this one is whole."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    rules = next(contract for contract in contracts if contract.get("source_modules") == ["botapp.fight"])
    libraries = graph.modules - own_modules(graph) - sys.stdlib_module_names - {"numpy", "numba", "llvmlite"}
    assert libraries <= set(rules["forbidden_modules"])


@pytest.mark.long
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
    run_python("-c", code, cwd=ROOT)


def test_importing_botapp_is_light():
    code = "import sys, botapp\nassert 'torch' not in sys.modules and 'PySide6' not in sys.modules"
    run_python("-c", code, cwd=ROOT)


def test_the_top_level_holds_what_the_user_fixed():
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")}
    generated = {"out", "runs", "build", "dist"}
    assert {f for f in folders if f not in generated and not f.endswith(".egg-info")} == {
        "botapp",
        "docs",
        "examples",
        "hrm",
        "vision",
        "resources",
        "tests",
    }


@pytest.mark.long
def test_the_window_waits_for_no_library_that_is_wanted_later():
    code = (
        "import sys, botapp.commands.run, botapp.ui.app\n"
        "print(*{'pyqtgraph', 'torch', 'onnxruntime'} & set(sys.modules))"
    )
    assert run_python("-c", code, cwd=ROOT).split() == []

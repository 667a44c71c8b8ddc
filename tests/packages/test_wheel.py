"""What pip and pipx install: the wheel and the archive of the sources have all that the program reads."""

import os
import shutil
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from own_process import run_python

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("botapp", "hrm", "vision", "resources")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOADS_ALL = """
import sys
from importlib.resources import files
from pathlib import Path
from botapp.advisor.thinker import load_thinker
from botapp.content.library import classes
from botapp.host.translation import languages
from botapp.search.learned import load
from hrm.commands import WEIGHTS
from vision.profiles import load as profile
assert str(files("resources")) == str(Path(sys.argv[1], "resources")), files("resources")
assert classes() and load().weights.size and load_thinker() and languages() == ("en", "fr")
assert profile("dofus-unity") and (WEIGHTS / "sudoku.safetensors").is_file()
"""


def resources():
    """Returns what of `resources` is for people who use the program, as paths from the root."""
    left_out = PROJECT["tool"]["setuptools"]["exclude-package-data"]["resources"]
    unused = {file for pattern in left_out for file in (ROOT / "resources").glob(pattern)}
    found = {file for file in (ROOT / "resources").rglob("*") if file.is_file() and file.suffix != ".pyc"}
    return {file.relative_to(ROOT).as_posix() for file in found - unused}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Builds the archive of the sources from the tree, in a folder of its own."""
    folder = tmp_path_factory.mktemp("built")
    tree = folder / "tree"
    for name in PACKAGES:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE", "MANIFEST.in", "constraints.txt"):
        shutil.copy(ROOT / name, tree)
    return folder / build(tree, "sdist", folder)


@pytest.fixture(scope="module")
def wheel(archive):
    """Builds the wheel from the archive, as pip does."""
    folder = archive.parent
    with tarfile.open(archive) as packed:
        packed.extractall(folder / "unpacked", filter="data")
    (sources,) = (folder / "unpacked").iterdir()
    return folder / build(sources, "wheel", folder)


def build(tree, what, out):
    """Has setuptools build in a folder, as pip does; returns the name of what it wrote to another."""
    code = f"import sys; from setuptools import build_meta; print(build_meta.build_{what}(sys.argv[1]))"
    return run_python("-P", "-c", code, str(out), cwd=tree).splitlines()[-1]


@pytest.mark.long
def test_the_wheel_has_every_module_and_every_resource_and_nothing_else(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    modules = {
        file.relative_to(ROOT).as_posix() for package in PACKAGES for file in (ROOT / package).rglob("*.py")
    }
    assert names >= modules | {f"{package}/py.typed" for package in ("botapp", "hrm", "vision")}
    assert {name for name in names if name.startswith("resources/")} == resources()
    assert {name.split("/")[0] for name in names} == {
        *PACKAGES,
        f"botapp-{PROJECT['project']['version']}.dist-info",
    }


@pytest.mark.long
def test_the_archive_of_the_sources_has_the_same_and_the_pinned_versions(archive):
    with tarfile.open(archive) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert names >= resources() | {"constraints.txt", "LICENSE", "README.md"}
    assert not any(name.startswith("tests/") for name in names)


@pytest.mark.long
def test_what_the_wheel_installs_finds_its_resources_from_an_empty_folder(wheel, tmp_path):
    site, empty = tmp_path / "site-packages", tmp_path / "empty"
    empty.mkdir()
    zipfile.ZipFile(wheel).extractall(site)
    run_python("-P", "-c", LOADS_ALL, str(site), cwd=empty, env=os.environ | {"PYTHONPATH": str(site)})
    assert not list(empty.iterdir())

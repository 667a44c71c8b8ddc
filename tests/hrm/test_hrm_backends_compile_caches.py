"""Compile caches are trimmed and emptied, and nothing outside the user's own folders is removed."""

import os
from pathlib import Path

import pytest

from hrm.backends import compile_caches
from hrm.backends.compile_caches import clear, find_mode, refusal, secure_inductor_folder, trim
from hrm.backends.errors import ConfigurationError


@pytest.fixture
def triton(tmp_path: Path) -> dict[str, str]:
    """A cache of three kernels of 1000 bytes in two files each, "old" the oldest."""
    for age, kernel in enumerate(("new", "middle", "old")):
        for name in ("kernel.json", "kernel.bin"):
            file = tmp_path / "cache" / kernel / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(b"x" * 500)
            os.utime(file, (1e9 - age * 1000, 1e9 - age * 1000))
    return {"TRITON_CACHE_DIR": str(tmp_path / "cache")}


def left(variables: dict[str, str]) -> set[str]:
    return {entry.name for entry in Path(variables["TRITON_CACHE_DIR"]).iterdir()}


def test_the_oldest_go_first_and_whole(triton: dict[str, str]) -> None:
    gone = trim("triton", 2500, triton)
    assert (gone.files, gone.size) == (2, 1000)
    assert left(triton) == {"new", "middle"}
    assert trim("triton", 2000, triton).files == 0
    assert trim("triton", 0, triton).size == 2000
    assert left(triton) == set()


def test_a_file_alone_is_an_entry_too(triton: dict[str, str]) -> None:
    alone = Path(triton["TRITON_CACHE_DIR"]) / "alone.bin"
    alone.write_bytes(b"x" * 100)
    os.utime(alone, (1e8, 1e8))
    assert trim("triton", 3000, triton).size == 100
    assert left(triton) == {"new", "middle", "old"}


def test_a_cache_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert trim("triton", 0, {"TRITON_CACHE_DIR": str(tmp_path / "none")}).files == 0


def test_bad_arguments_are_refused(triton: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="cannot hold"):
        trim("triton", -1, triton)
    with pytest.raises(ConfigurationError, match="no cache"):
        trim("documents", 0, triton)
    with pytest.raises(ConfigurationError, match="more than a cache"):
        trim("triton", 0, {"TRITON_CACHE_DIR": "/"})


def test_miopens_find_mode_is_reported() -> None:
    assert find_mode({"MIOPEN_FIND_MODE": "FAST"}) == "MIOPEN_FIND_MODE=FAST"
    assert "not set" in find_mode({})


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder of the user's that no cache is."""
    folder = tmp_path / "documents"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "thesis.txt").write_text("three years")
    os.utime(folder / "deep" / "thesis.txt", (1e8, 1e8))
    return folder


@pytest.mark.parametrize("act", [lambda v: clear("triton", v), lambda v: trim("triton", 0, v)])
@pytest.mark.parametrize("below", ["", "cache"])
def test_a_cache_reached_by_a_link_is_not_emptied(act, below: str, tmp_path: Path, documents: Path) -> None:
    (documents / "cache").mkdir()
    (documents / "cache" / "file").write_text("kept")
    link = tmp_path / "link"
    link.symlink_to(documents, target_is_directory=True)
    with pytest.raises(ConfigurationError, match=r"reached by the link .*link"):
        act({"TRITON_CACHE_DIR": str(link / below)})
    assert (documents / "deep" / "thesis.txt").exists()
    assert (documents / "cache" / "file").exists()


def test_links_in_a_cache_are_removed_and_what_they_lead_to_stays(
    triton: dict[str, str], documents: Path
) -> None:
    cache = Path(triton["TRITON_CACHE_DIR"])
    (cache / "link").symlink_to(documents, target_is_directory=True)
    (cache / "old" / "link").symlink_to(documents, target_is_directory=True)
    trim("triton", 0, triton)
    assert left(triton) <= {"link"}
    clear("triton", triton)
    assert (documents / "deep" / "thesis.txt").read_text() == "three years"


def test_a_folder_above_the_users_own_is_more_than_a_cache(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="more than a cache"):
        clear("triton", {"TRITON_CACHE_DIR": str(Path.home().parent)})


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="Windows' owners are not compared")
def test_a_folder_of_another_user_is_neither_emptied_nor_compiled_into(
    triton: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_caches.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "")
    monkeypatch.setenv("LOGNAME", "player")
    folder = compile_caches.places()["inductor"]
    folder.mkdir()
    secure_inductor_folder(tmp_path / "ours")
    assert os.environ["TORCHINDUCTOR_CACHE_DIR"] == ""
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    with pytest.raises(ConfigurationError, match="not a folder of this user's"):
        clear("triton", triton)
    assert left(triton) == {"new", "middle", "old"}
    secure_inductor_folder(tmp_path / "ours")
    assert os.environ["TORCHINDUCTOR_CACHE_DIR"] == str(tmp_path / "ours")


def test_a_link_in_the_shared_temporary_folder_is_not_used(
    tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_caches.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "")
    monkeypatch.setenv("LOGNAME", "player")
    compile_caches.places()["inductor"].symlink_to(documents, target_is_directory=True)
    assert "link" in refusal("inductor")
    secure_inductor_folder(tmp_path / "ours")
    assert os.environ["TORCHINDUCTOR_CACHE_DIR"] == str(tmp_path / "ours")

"""A compile cache can be kept to a size: its oldest entries go first, and each goes whole."""

import os
from pathlib import Path

import pytest

from hrm.backends.compile_caches import find_mode, trim
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


def test_nonsense_is_refused(triton: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match="cannot hold"):
        trim("triton", -1, triton)
    with pytest.raises(ConfigurationError, match="no cache"):
        trim("documents", 0, triton)
    with pytest.raises(ConfigurationError, match="more than a cache"):
        trim("triton", 0, {"TRITON_CACHE_DIR": "/"})


def test_miopens_way_of_looking_is_said() -> None:
    assert find_mode({"MIOPEN_FIND_MODE": "FAST"}) == "MIOPEN_FIND_MODE=FAST"
    assert "not set" in find_mode({})

"""Autotuning stores each child's results as they come, and times candidates one after the other."""

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from hrm.backends.bench import autotune
from hrm.backends.bench.gpu_bench import Tuned
from hrm.backends.kernels.tiles import LAYOUTS, Tile, layout_for, tile_for

CHILDREN = {
    "layout": 'import time; print(\'{"kind": "layouts"}\', flush=True); time.sleep(600)',  # hangs
    "tile": "print('{\"kind\": \"tiles\"}'); print('{\"kind', end='')",  # dies in the middle of a line
}


def test_what_a_child_wrote_is_kept_if_it_hangs_or_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def start(tokens: int, kind: str, which: str, out: Path, seconds: float) -> tuple[object, Path]:
        path = out / f"{kind}-{which}.jsonl"
        with path.open("w") as lines:
            child = subprocess.Popen([sys.executable, "-c", CHILDREN[kind]], stdout=lines)
        child.wait() if kind == "tile" else _until_written(path)
        started.append(child)
        return child, path

    monkeypatch.setattr(autotune, "_start", start)
    monkeypatch.setattr(autotune, "layouts", lambda tokens: LAYOUTS[:1])
    monkeypatch.setattr(autotune, "KERNELS", ("project",))
    times = iter([0.0, 0.0, 0.0, 0.0, *[100.0] * 1000])
    monkeypatch.setattr(autotune.time, "monotonic", lambda: next(times))
    options = argparse.Namespace(out=tmp_path, tokens=[64], seconds=50.0)
    rows = list(autotune._gather(options))
    kinds = {row["kind"] for row in rows}
    assert "layouts" in kinds
    assert {row["kind"] for row in json.loads((tmp_path / "autotune.json").read_text())} == kinds
    assert all(child.poll() is not None for child in started)


def _until_written(path: Path) -> None:
    while not path.read_text().endswith("\n"):
        pass


def test_the_fastest_right_candidate_is_taken() -> None:
    def row(time: float, ok: bool, shape: str) -> dict[str, object]:
        return {"kind": "tiles", "key": "add 64 512 512", "time": time, "ok": ok, "shape": shape}

    rows = [row(3.0, True, "slow"), row(1.0, False, "wrong"), row(2.0, True, "right"), {"kind": "tiles"}]
    assert autotune.best(rows) == {"tiles": {"add 64 512 512": "right"}, "layouts": {}}


@pytest.mark.parametrize("tokens", [64, 128, 560])
def test_candidates_fit_the_widths(tokens: int) -> None:
    for layout in autotune.layouts(tokens):
        for columns, depth, shape in (
            (1536, 512, layout.project),
            (512, 512 // layout.split, layout.out),
            (1536, 512, layout.gate),
            (512, 1536 // layout.split, layout.down),
        ):
            assert columns % shape[1] == 0
            assert depth % shape[2] == 0
    for kernel, columns, depth in (("project", 1536, 512), ("gate", 1536, 512), ("out", 512, 512)):
        found = autotune.tiles(kernel, tokens, columns, depth)
        assert len(found) > 5
        for tile in found:
            assert columns % tile.columns == 0
            assert depth % (tile.depth * tile.split) == 0
    assert len(autotune.tiles("attend", tokens, 64, 64)) > 5


def test_shapes_found_are_the_ones_used(tmp_path: Path) -> None:
    path = tmp_path / "shapes.json"
    tile, layout = Tile(16, 16, 64, 4, 2, 2), LAYOUTS[2]
    shapes = {"tiles": {"add 64 512 512": asdict(tile)}, "layouts": {"64": asdict(layout)}}
    path.write_text(json.dumps(shapes))
    tuned = Tuned.read(path)
    assert tuned.tile("add", 64, 512, 512) == tile
    assert tuned.tile("add", 65, 512, 512) == tile_for("add", 65, 512, 512)
    assert tuned.layout(64, 512, 1536) == layout
    assert tuned.layout(65, 512, 1536) == layout_for(65, 512, 1536)
    assert Tuned.read(tmp_path / "none.json") == Tuned({}, {})

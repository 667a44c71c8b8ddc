"""The blocks of our kernels divide what they cover and fit the chip."""

import pytest

from hrm.backends.kernels.tiles import MANY, TILES, tile_for


def test_blocks_fit_the_local_memory_of_the_chip() -> None:
    assert tile_for("project", 128, 1536, 512).stages == 4
    assert tile_for("project", 128, 1536, 512, "sm_90") == tile_for("project", 128, 1536, 512)
    for kernel in ("project", "gate", "add"):
        for rows in (64, 128, 560):
            tile = tile_for(kernel, rows, 1536, 512, "gfx1101")
            columns = tile.columns * (2 if kernel == "gate" else 1)
            assert (tile.rows + columns) * tile.depth * 2 * tile.stages <= 64 << 10
    assert tile_for("attend", 560, 64, 64, "gfx1201").columns == 16
    for kernel in TILES:
        largest = tile_for(kernel, MANY + 1, 1536, 512, "sm_90")
        assert largest == tile_for(kernel, MANY + 1, 1536, 512) != tile_for(kernel, MANY, 1536, 512)
        assert tile_for(kernel, MANY + 1, 1536, 512, "gfx1101") == tile_for(
            kernel, MANY, 1536, 512, "gfx1101"
        )


@pytest.mark.parametrize("rows", [1, 64, 128, 560])
@pytest.mark.parametrize(("columns", "depth"), [(1536, 512), (512, 1536), (128, 64), (192, 320)])
def test_blocks_divide_what_they_cover(rows: int, columns: int, depth: int) -> None:
    for kernel in TILES:
        tile = tile_for(kernel, rows, columns, depth)
        assert kernel == "attend" or (columns % tile.columns, depth % tile.depth) == (0, 0)
        assert min(tile.rows, tile.columns) >= 16

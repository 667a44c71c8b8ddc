"""Weights come in one file or in parts; parts are found from any of them, never mixed, and missed by name."""

import pytest
import torch

from botapp.advisor import weights_file
from botapp.advisor.calibration import Calibration
from botapp.advisor.thinker import Thinker, full, load_thinker, save_thinker
from hrm.backends.levels import fits_kernels
from hrm.tensor_file import CheckpointError


@pytest.fixture
def parts(tmp_path):
    """A middling model in int8 and three parts."""
    torch.manual_seed(1)
    model = Thinker(full(hidden_size=64, num_heads=2, mlp_inner=64, L_layers=1, H_layers=2))
    path = tmp_path / "weights" / "big.safetensors"
    return model, save_thinker(path, model, Calibration((2.0,), ((3.0, 1.0),), 0.5), {"a": 1}, "int8", 3)


@pytest.mark.slow
def test_parts_are_found_from_any_of_them_their_name_or_their_folder(parts):
    model, files = parts
    assert [file.name for file in files] == ["big-1.safetensors", "big-2.safetensors", "big-3.safetensors"]
    ways = (*files, files[0].parent, files[0].with_name("big.safetensors"))
    for way in ways:
        loaded, calibration = load_thinker(way)
        assert calibration == Calibration((2.0,), ((3.0, 1.0),), 0.5)
        for name, value in model.state_dict().items():
            found = loaded.state_dict()[name]
            assert found.dtype == torch.float32
            largest = value.abs().amax(-1, keepdim=True) if value.dim() == 2 else value.abs()
            assert ((found - value).abs() <= largest / 250 + 1e-6).all(), name


def test_the_parts_are_about_as_large_and_the_large_matrices_are_bytes(parts):
    model, files = parts
    sizes = [file.stat().st_size for file in files]
    assert max(sizes) < 1.7 * min(sizes)
    packed, _ = weights_file.read(files[0], "")
    large = [value for value in packed.values() if value.dtype == torch.int8]
    assert sum(value.numel() for value in large) > 0.8 * sum(p.numel() for p in model.parameters())


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_missing_part_is_named(parts, gone):
    _, files = parts
    files[gone].unlink()
    way = files[1 if gone == 0 else 0]
    with pytest.raises(
        CheckpointError, match=rf"part {gone + 1} of 3.*big-{gone + 1}\.saf.*install botapp again"
    ):
        load_thinker(way)


def test_a_part_asked_for_by_name_that_is_not_there_is_named(parts):
    _, files = parts
    files[0].unlink()
    with pytest.raises(CheckpointError, match=r"big-1\.safetensors"):
        load_thinker(files[0])


def test_parts_of_different_weights_are_not_mixed(parts, tmp_path):
    model, files = parts
    other = Thinker(model.config)
    strangers = save_thinker(tmp_path / "other" / "big.safetensors", other, Calibration(), {}, "int8", 3)
    files[1].write_bytes(strangers[1].read_bytes())
    with pytest.raises(CheckpointError, match=r"big-2\.saf.* and .*big-1\.saf.* are parts of diff"):
        load_thinker(files[0])


def test_a_damaged_part_is_named(parts):
    _, files = parts
    files[2].write_bytes(files[2].read_bytes()[:200])
    with pytest.raises(CheckpointError, match=r"big-3\.safetensors is damaged"):
        load_thinker(files[0])


def test_a_folder_must_hold_one_set_of_parts(parts, tmp_path):
    _, files = parts
    (tmp_path / "empty").mkdir()
    with pytest.raises(CheckpointError, match="has 0 files named"):
        load_thinker(tmp_path / "empty")
    files[0].with_name("more-1.safetensors").write_bytes(b"")
    with pytest.raises(CheckpointError, match="has 2 files named"):
        load_thinker(files[0].parent)


def test_the_full_model_fits_two_files_of_28_megabytes():
    with torch.device("meta"):
        model = Thinker(full())
    numbers = sum(p.numel() for p in model.parameters())
    assert 25e6 < numbers < 29e6
    rows = sum(p.shape[0] for p in model.parameters() if p.dim() == 2)
    small = sum(p.numel() for p in model.parameters() if p.dim() == 1 or min(p.shape) < 64)
    assert numbers + 4 * rows + small + 100_000 < 28e6


def test_the_kernels_of_our_own_fit_the_large_model() -> None:
    assert fits_kernels(full())

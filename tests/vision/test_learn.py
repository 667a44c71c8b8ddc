import json
import math

import numpy as np
import pytest

from vision.extract.dofus.rings_seen import RINGS, SHAPE, SIZE, Network
from vision.learn import LAYERS, SCORED


@pytest.mark.long  # it loads all that teaches
def test_the_command_says_what_is_missing(tmp_path, capsys):
    from vision.learn.__main__ import main

    arguments = ["train", str(tmp_path), "--out", str(tmp_path / "out"), "--minutes", "0.02"]
    assert main(arguments) == 1
    assert "draw" in capsys.readouterr().err


@pytest.mark.long
def test_a_network_is_the_same_in_torch_and_in_its_file(tmp_path):
    import torch

    from vision.learn import network

    torch.manual_seed(1)
    model = network.network("whole").eval()
    for layer in model:
        if isinstance(layer, torch.nn.BatchNorm2d):
            layer.running_mean.normal_()
            layer.running_var.uniform_(0.5, 2)
    folded = network.rounded(network.folded(model))
    file = tmp_path / "rings.onnx"
    file.write_bytes(network.to_onnx(folded, "whole"))
    assert file.stat().st_size < 300_000
    picture = np.random.default_rng(2).integers(0, 256, (SIZE[1], SIZE[0], 3), np.uint8)
    seen = torch.from_numpy(picture[None]).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        wanted = folded(seen)[:, : len(RINGS)].softmax(1)[0].permute(1, 2, 0).numpy()
    found = Network(file).scores(picture)
    assert found.shape == (*SHAPE, len(RINGS))
    assert np.allclose(found, wanted, atol=1e-5)


@pytest.mark.long
def test_drawing_and_training_write_a_network_with_its_card(tmp_path):
    import torch

    from vision.learn import data
    from vision.learn.__main__ import train

    torch.set_num_threads(1)
    for name, first in (("train", 92_000_000), ("held", 92_900_000)):
        assert list(data.write(data.files(tmp_path / name, first, 2), 1, math.inf)) == [2]
    train(tmp_path, tmp_path / "out", "whole", 0, 0.2)
    card = json.loads((tmp_path / "out" / "rings-whole.json").read_text())
    assert card["seeds"] == [92_000_000, 92_000_001] and card["held_out"] == [92_900_000, 92_900_001]
    assert card["steps"] > 0
    assert card["bytes"] == (tmp_path / "out" / "rings-whole.onnx").stat().st_size
    for layer, classes in LAYERS.items():
        assert set(card["held_out_figures"][layer]["classes"]) == set(classes)


def test_training_goes_on_with_the_network_in_use(tmp_path):
    from vision import profiles
    from vision.extract.dofus.rings_seen import FILE
    from vision.learn import network

    content = (profiles.folder() / FILE).read_bytes()
    file = tmp_path / "rings.onnx"
    file.write_bytes(content)
    model = network.started(file)
    [size] = (size for size in SCORED if network.fits(model, size))
    assert network.to_onnx(network.rounded(model), size) == content
    file.write_bytes((profiles.folder() / FILE).read_bytes().replace(b"w3h", b"v3h"))
    with pytest.raises(ValueError, match=r"rings\.onnx is no network"):
        network.started(file)

"""The network that scores rings, in torch, and the ONNX file that `vision.extract.dofus.rings_seen` runs."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from hrm.backends.onnx.file import Graph
from vision.halves import weights
from vision.learn import CHANNELS, LAYERS, SCORED

_KERNELS = ((3, 5), (3, 3), (3, 3), (3, 3), (3, 3), (3, 1))
_STRIDES = ((1, 2), (2, 2), (2, 2), (2, 2), (1, 1), (1, 1))
"""Rows and columns. The canvas has cells twice as wide as high; from the second layer on they are square."""


def network(size: str) -> nn.Sequential:
    """Returns an untrained network; it takes (n, 3, rows, columns) of 0..1 and returns a score a class.

    The classes are those of all layers that it scores, one after the other.
    """
    layers: list[nn.Module] = []
    shapes = zip(pairwise((3, *CHANNELS)), _KERNELS, _STRIDES, strict=True)
    for (before, after), kernel, stride in shapes:
        around = (kernel[0] // 2, kernel[1] // 2)
        layers += [
            nn.Conv2d(before, after, kernel, stride, around, bias=False),
            nn.BatchNorm2d(after),
            nn.ReLU(),
        ]
    return nn.Sequential(*layers, nn.Conv2d(CHANNELS[-1], sum(classes(size)), 1))


def started(file: Path) -> nn.Sequential:
    """Returns a folded network to go on with: of a file to run, or of the one that training wrote beside it.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no network to run that training wrote.
        pickle.UnpicklingError: it is no file that training writes.
    """
    if file.suffix == ".onnx":
        return _of_onnx(weights(file.read_bytes()), file.name)
    with torch.serialization.safe_globals([nn.Sequential, nn.Conv2d, nn.ReLU, set]):
        model = torch.load(file, map_location="cpu", weights_only=True)
    assert isinstance(model, nn.Sequential)
    return model.float().requires_grad_(True)


def fits(model: nn.Sequential, size: str) -> bool:
    """Returns whether a network has the channels and classes of a size."""
    made = [layer.out_channels for layer in model if isinstance(layer, nn.Conv2d)]
    return made == [*CHANNELS, sum(classes(size))]


def _of_onnx(stored: dict[str, npt.NDArray[np.float32]], name: str) -> nn.Sequential:
    layers: list[nn.Module] = []
    last = len(_KERNELS)
    for index in range(last + 1):
        weight, bias = (stored.get(f"{part}{index}h") for part in "wb")
        if weight is None or bias is None or weight.shape[2:] != (*_KERNELS, (1, 1))[index]:
            raise ValueError(f"{name} is no network that vision.learn wrote")
        kernel, stride = weight.shape[2:], (*_STRIDES, (1, 1))[index]
        around = (kernel[0] // 2, kernel[1] // 2)
        layer = nn.Conv2d(weight.shape[1], weight.shape[0], kernel, stride, around)
        with torch.no_grad():
            layer.weight.copy_(torch.from_numpy(weight * (255 if index == 0 else 1)))
            layer.bias.copy_(torch.from_numpy(bias))  # type: ignore[union-attr]
        layers += [layer] if index == last else [layer, nn.ReLU()]
    return nn.Sequential(*layers)


def classes(size: str) -> list[int]:
    """Returns how many classes each layer of a network has."""
    return [len(LAYERS[name]) for name in SCORED[size]]


def folded(model: nn.Sequential) -> nn.Sequential:
    """Returns the network without its norms, which become part of the convolutions before them."""
    layers: list[nn.Module] = []
    for layer in model:
        if isinstance(layer, nn.BatchNorm2d):
            before = layers[-1]
            assert isinstance(before, nn.Conv2d)
            layers[-1] = nn.utils.fuse_conv_bn_eval(before.eval(), layer.eval())
        else:
            layers.append(layer)
    return nn.Sequential(*layers)


def calibrate(model: nn.Sequential, part: slice, scores: Tensor, labels: Tensor) -> float:
    """Makes a layer of a folded network as sure as it is right; returns the temperature.

    Training weighs rings more than bare cells, so that it is too sure of rings.

    Args:
        model: the network; its last convolution is changed.
        part: the layer's classes among those of all.
        scores: what it said of cells not trained on, (n, classes).
        labels: what they are, (n,).
    """
    slope = nn.Parameter(torch.ones((), device=scores.device))
    shift = nn.Parameter(torch.zeros(scores.shape[1], device=scores.device))
    steps = torch.optim.LBFGS([slope, shift], max_iter=60)

    def loss() -> Tensor:
        steps.zero_grad()
        value = nn.functional.cross_entropy(scores * slope + shift, labels)
        value.backward()
        return value

    steps.step(loss)
    last = model[-1]
    assert isinstance(last, nn.Conv2d) and last.bias is not None
    with torch.no_grad():
        last.weight[part] *= slope
        last.bias[part] = last.bias[part] * slope + shift
    return 1 / slope.item()


def rounded(model: nn.Sequential) -> nn.Sequential:
    """Rounds a network's weights to half precision, as its file holds them."""
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight.half().float())
    return model


def to_onnx(model: nn.Sequential, size: str) -> bytes:
    """Returns the file of a folded, rounded network: uint8 (1, rows, columns, 3) in, probabilities out.

    Each layer is an output, "ring", "ground" or "lit".

    Weights are kept in half precision, and made single as the file is loaded.
    """
    graph = Graph()
    graph.inputs.append(("in0", "uint8", (1, "rows", "columns", 3)))
    seen = graph.add("Cast", ["in0"], "single", to=1)
    seen = graph.add("Transpose", [seen], "planes", perm=[0, 3, 1, 2])
    convolutions = [layer for layer in model if isinstance(layer, nn.Conv2d)]
    for index, layer in enumerate(convolutions):
        assert layer.bias is not None
        weight, bias = (
            graph.add("Cast", [graph.constant(f"{name}{index}h", _half(value))], f"{name}{index}", to=1)
            for name, value in (("w", layer.weight / 255 if index == 0 else layer.weight), ("b", layer.bias))
        )
        tall, wide = layer.kernel_size
        seen = graph.add(
            "Conv",
            [seen, weight, bias],
            f"c{index}",
            kernel_shape=layer.kernel_size,
            strides=layer.stride,
            pads=2 * [tall // 2, wide // 2],
        )
        if index < len(convolutions) - 1:
            seen = graph.add("Relu", [seen], f"r{index}")
    seen = graph.add("Transpose", [seen], "scores", perm=[0, 2, 3, 1])
    counts = classes(size)
    parts = [f"{name}s" for name in SCORED[size]]
    sizes = graph.constant("sizes", np.array(counts, np.int64))
    graph.add("Split", [seen, sizes], parts, axis=3)
    for part, name, count in zip(parts, SCORED[size], counts, strict=True):
        graph.outputs.append(
            (graph.add("Softmax", [part], name, axis=3), "float32", (1, "down", "across", count))
        )
    return graph.to_bytes()


def _half(value: Tensor) -> npt.NDArray[np.float16]:
    return np.asarray(value.detach().cpu().numpy(), np.float16)

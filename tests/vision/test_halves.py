import numpy as np
import pytest

from hrm.backends.onnx.file import Graph
from vision import session
from vision.halves import halves


def model():
    graph = Graph()
    graph.inputs.append(("in0", "float32", (1, "n")))
    weight = graph.constant("w", np.arange(200, dtype=np.float32))
    graph.add("Mul", ["in0", weight], "middle")
    graph.add("Add", ["middle", graph.constant("b", np.float32([3]))], "more")
    graph.outputs.append((graph.add("Neg", ["more"], "end"), "float32", (1, "n")))
    return graph.to_bytes()


def test_the_halves_one_after_the_other_are_the_model():
    whole = model()
    before, after = (session.opened(half) for half in halves(whole, "middle"))
    seen = np.linspace(0, 1, 200, dtype=np.float32)[None]
    [middle] = before.run(["middle"], {"in0": seen})
    assert np.allclose(middle, seen * np.arange(200))
    [found], [wanted] = after.run(None, {"middle": middle}), session.opened(whole).run(None, {"in0": seen})
    assert np.array_equal(found, wanted)


def test_each_half_holds_the_constants_that_it_uses():
    before, after = halves(model(), "middle")
    assert len(before) > 200 * 4  # a float for each place
    assert len(after) < 200 * 4


def test_a_model_without_the_value_is_refused_by_its_name():
    with pytest.raises(ValueError, match="no value absent"):
        halves(model(), "absent")

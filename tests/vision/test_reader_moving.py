"""Nothing is read wrong while spells strike, figures rise and fighters walk in the arena."""

import os

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
pytest.importorskip("PySide6")

from botapp.bench.moving import measure

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.long
@pytest.mark.parametrize(("seed", "count"), [(3, 54), (5, 42)])
def test_no_field_is_wrong_while_a_fight_moves(seed, count):
    """Fighters flash paler here, and a glow makes a ring look like an ally's, a floor like start cells."""
    found = measure(seed, 1, count, (1280, 720)).to_json()
    assert found["wrong"] == []
    for way in ("read", "kept"):
        assert found[way]["right"] > 0.98 * found[way]["fields"]

import pytest

from botapp.fight.core import kinds
from botapp.fight.vocabulary import Affects, Asks, Basis, EffectKind, Element, Shape, State, Trigger


@pytest.mark.parametrize(
    ("words", "prefix"),
    [
        (EffectKind, ""),
        (Shape, ""),
        (Element, ""),
        (State, ""),
        (Affects, "TO_"),
        (Basis, "OF_"),
        (Asks, "IF_"),
    ],
)
def test_compiled_code_calls_a_member_by_its_own_name(words, prefix):
    names = [prefix + member.name for member in words]
    assert [getattr(kinds, name, None) for name in names] == list(range(len(words)))


def test_triggers_are_bits_under_their_own_names():
    bits = [getattr(kinds, f"ON_{trigger.name}", None) for trigger in Trigger]
    assert bits == [1 << number for number in range(len(Trigger))]

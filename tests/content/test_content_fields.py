"""A form is taken from the class of what it stores: one more field there needs nothing but its limit."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated

import pytest

from botapp.content.errors import FieldError, wrong
from botapp.content.fields import Whole, form_of, within


class Wood(Enum):
    OAK = "oak"
    ASH = "ash"


@dataclass(frozen=True)
class Knot:
    width: int = 3


@dataclass(frozen=True)
class Board:
    length: int
    wood: Wood = Wood.OAK
    painted: bool = False
    knots: tuple[Knot, ...] = ()
    stamp: str | None = None


WIDTH = Annotated[Whole, within(1, 9)]
form_of(Knot, {"width": WIDTH})


def long_enough(board):
    if board.length < len(board.knots):
        raise wrong("shorter than its knots", "length")


FORM = form_of(Board, {"length": Annotated[Whole, within(1, 99)], "knots": 2}, "painted", long_enough)


def test_what_is_written_reads_back_and_defaults_of_newer_fields_are_left_out():
    plain, other = Board(5), Board(7, Wood.ASH, True, (Knot(), Knot(4)), "mill")
    assert FORM.written(plain) == {"length": 5, "wood": "oak"}
    assert FORM.written(other)["knots"] == [{"width": 3}, {"width": 4}]
    assert [FORM.read(FORM.written(one)).value() for one in (plain, other)] == [plain, other]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, "length: missing"),
        ({"length": 100}, "length: expected 1 to 99, got 100"),
        ({"length": 1, "wood": "fir"}, "wood: expected one of oak, ash, got 'fir'"),
        ({"length": 1, "painted": 1}, "painted: expected true or false, got 1"),
        ({"length": 9, "knots": [{}] * 3}, "knots: expected a list of at most 2, got 3"),
        ({"length": 9, "knots": [{"width": 0}]}, r"knots\[0\]\.width: expected 1 to 9, got 0"),
        ({"length": 9, "knots": [{"depth": 1}]}, r"knots\[0\]\.depth: no such field; .* one of width"),
        ({"length": 1, "knots": [{}, {}]}, "length: shorter than its knots"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(data, words):
    with pytest.raises(FieldError, match=words):
        FORM.read(data)


def test_a_number_without_limits_is_no_form():
    with pytest.raises(TypeError, match=r"Knot\.width needs a limit"):
        form_of(Knot, {})

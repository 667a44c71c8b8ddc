"""Records: words of an array read and written by name, in compiled code and in plain Python alike.

    class Fighter(Record):
        hp: int
        cooldowns: Words = row(MOST_SPELLS)

    class Fight(Record):
        turn: int
        fighters: Table[Fighter] = table(Fighter, MOST_FIGHTERS)

A record is a view: `fight.fighters[3].hp` is a word of the array that the fight lies in, and writing it
writes
that word. Compiled code sees a numpy record of the same layout (`dtype_of`); where the rules are interpreted
the class itself does the same on a list. A state is copied and hashed as the words that it is.
"""

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, Protocol, TypeVar, cast, overload

import numpy as np

from botapp.fight.core.compiler import BOUNDS_CHECKED, INTERPRETED, TYPES, in_bounds

Some = TypeVar("Some", bound="Record")
Some_co = TypeVar("Some_co", bound="Record", covariant=True)


class Words(Protocol):
    """Whole numbers in a row: an array, or part of a record, which goes as an array by `[:]`."""

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> "Words": ...

    def __setitem__(self, place: int, word: int) -> None: ...


class Longs(Protocol):
    """Whole numbers of 64 bits in a row: an array, or part of a wide record, which goes as an array by
    `[:]`."""

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> "Longs": ...

    def __setitem__(self, place: int, word: int) -> None: ...


class Decimals(Protocol):
    """Decimals in a row: an array, or part of a wide record, which goes as an array by `[:]`."""

    @overload
    def __getitem__(self, place: int) -> float: ...

    @overload
    def __getitem__(self, place: slice) -> "Decimals": ...

    def __setitem__(self, place: int, number: float) -> None: ...


class Table(Protocol[Some_co]):
    """Records of one kind in a row."""

    def __getitem__(self, place: int) -> Some_co: ...


class _Row:
    """Some words of a list, counted from the first of them."""

    __slots__ = ("first", "words")

    def __init__(self, words: Any, first: int) -> None:
        self.words, self.first = words, first

    def __getitem__(self, place: Any) -> Any:
        return self if isinstance(place, slice) else self.words[self.first + place]

    def __setitem__(self, place: int, word: Any) -> None:
        self.words[self.first + place] = word


class _CheckedRow(_Row):
    """The same of `count` words, and of no others."""

    __slots__ = ("count",)

    def __init__(self, words: Any, first: int, count: int) -> None:
        super().__init__(words, first)
        self.count = count

    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(in_bounds(place, self.count))

    def __setitem__(self, place: int, word: Any) -> None:
        super().__setitem__(in_bounds(place, self.count), word)


class _CheckedTable(tuple[Any, ...]):
    """Records in a row, none of which is counted from the end."""

    __slots__ = ()

    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(in_bounds(place, len(self)))


def _row(words: Any, first: int, count: int) -> _Row:
    return _CheckedRow(words, first, count) if BOUNDS_CHECKED else _Row(words, first)


class _Field:
    """A field of a record: how many words it has, and where they begin.

    Attributes:
        size: in words.
        kind: `int` or `float` for plain numbers, else the kind of record.
        count: how many there are of these in a row; 0 where it is not a row.
        over: the field that it lies over, "" where it has words of its own.
        at: its first word, counted from the record's.
    """

    def __init__(self, kind: Any, count: int = 0, over: str = "") -> None:
        self.kind, self.count, self.over, self.at = kind, count, over, 0
        self.size = (1 if kind in (int, float) else kind.SIZE) * max(1, count)
        self.name = ""

    def __set_name__(self, owner: Any, name: str) -> None:
        self.name = name

    def __get__(self, record: Any, owner: Any = None) -> Any:
        if record is None:
            return self
        words, first = record._words, record._first + self.at
        if self.kind in (int, float):
            if self.kind is float and isinstance(words, np.ndarray):
                words = words.view(np.float64)
            made: Any = _row(words, first, self.count)
        elif self.count:
            size = self.kind.SIZE
            made = tuple(self.kind(words, first + size * place) for place in range(self.count))
            made = _CheckedTable(made) if BOUNDS_CHECKED else made
        else:
            made = self.kind(words, first)
        record.__dict__[self.name] = made
        return made


def row(count: int) -> Any:
    """Returns a field of `count` whole numbers."""
    return _Field(int, count)


def decimals_row(count: int) -> Any:
    """Returns a field of `count` decimals."""
    return _Field(float, count)


def part(kind: type[Some]) -> Some:
    """Returns a field that is a record."""
    return cast(Some, _Field(kind))


def table(kind: type[Some], count: int) -> Table[Some]:
    """Returns a field of `count` records."""
    return cast("Table[Some]", _Field(kind, count))


def decimals_over(first: str, count: int) -> Any:
    """Returns a field of `count` decimals that lies over others, from the field `first` on."""
    return _Field(float, count, first)


def over(first: str, count: int) -> Any:
    """Returns a field of `count` whole numbers that lies over others, from the field `first` on."""
    return _Field(int, count, first)


class _All:
    """The words of a record, counted from its first one."""

    def __get__(self, record: Any, owner: Any = None) -> Any:
        if record is None:
            return self
        made = record.__dict__["all"] = _row(record._words, record._first, len(record._words) - record._first)
        return made


class Record:
    """A view of words by name; see this module's docstring.

    Args:
        words: the array, or list, that it lies in.
        place: its first word there.

    Attributes:
        all: its words, counted from the first one; beyond its end those that follow it.
    """

    SIZE: ClassVar[int] = 0
    """Its length in words."""
    WIDE: ClassVar[bool] = False
    """Whether its words have 64 bits, so that they may be decimals; else they have 32."""
    FIELDS: ClassVar[dict[str, _Field]] = {}

    all: Words = cast(Words, _All())

    def __init_subclass__(cls, wide: bool = False) -> None:
        cls.WIDE, cls.SIZE, cls.FIELDS = wide, 0, {}
        for name, kind in inspect.get_annotations(cls).items():
            field = cls.__dict__.get(name)
            if field is None:
                field = _Field(kind)
                setattr(cls, name, _word(kind, cls.SIZE))
            field.at = cls.FIELDS[field.over].at if field.over else cls.SIZE
            cls.FIELDS[name] = field
            cls.SIZE += 0 if field.over else field.size

    def __init__(self, words: Any, place: int = 0) -> None:
        if BOUNDS_CHECKED:  # only the start: a fight's last fields are room for work, which kept states lack
            in_bounds(place, len(words))
        self._words, self._first = words, place

    @classmethod
    def numba_type(cls) -> Any:
        """Returns this kind of record as numba has it."""
        if cls not in TYPES:
            TYPES[cls] = numba.from_dtype(dtype_of(cls))
        return TYPES[cls]

    @classmethod
    def word(cls, name: str) -> int:
        """Returns the first word of a field, counted from the record's."""
        return cls.FIELDS[name].at


def _word(kind: Any, at: int) -> property:
    """Returns the property that reads and writes one word."""

    def read(record: Any) -> Any:
        return record._words[record._first + at]

    def write(record: Any, word: Any) -> None:
        record._words[record._first + at] = word

    def read_decimal(record: Any) -> Any:
        words = record._words
        return (words if INTERPRETED else words.view(np.float64))[record._first + at]

    def write_decimal(record: Any, number: Any) -> None:
        words = record._words
        (words if INTERPRETED else words.view(np.float64))[record._first + at] = number

    return property(read_decimal, write_decimal) if kind is float else property(read, write)


def copied(copy: Record, record: Record, first: int, until: int) -> None:
    """Copies the words `first`..`until` - 1 of a record to the same places of another one, in Python."""
    to, at = copy._first, record._first
    copy._words[to + first : to + until] = record._words[at + first : at + until]


def words_in(record: Record, name: str) -> Any:
    """Returns the words of a field that is a row, in Python."""
    field = record.FIELDS[name]
    return record._words[record._first + field.at : record._first + field.at + field.count]


def dtype_of(kind: type[Record]) -> Any:
    """Returns a kind of record as numpy has it."""
    width = 8 if kind.WIDE else 4
    whole = np.dtype(np.int64 if kind.WIDE else np.int32)
    names, formats, offsets = ["all"], [(whole, (kind.SIZE,))], [0]
    for name, field in kind.FIELDS.items():
        scalar: Any = whole
        if field.kind is float:
            scalar = np.dtype(np.float64)
        elif field.kind is not int:
            scalar = dtype_of(field.kind)
        names.append(name)
        formats.append((scalar, (field.count,)) if field.count else scalar)
        offsets.append(width * field.at)
    itemsize = width * kind.SIZE
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": itemsize})


if INTERPRETED:

    def viewer(kind: type[Some]) -> Callable[[Any, int], Some]:
        """Returns what makes a record of a kind out of the words from a place on, of a record or an array."""

        def view(source: Any, place: int) -> Some:
            words = source
            if isinstance(source, Record):
                words, place = source._words, source._first + place
            key = kind, place
            made = words.views.get(key)
            if made is None:
                made = words.views[key] = kind(words, place)
            return cast(Some, made)

        return view

    def place_in(whole: Record, record: Record) -> int:
        """Returns the first word of a record that is part of another one, counted from that one's."""
        return record._first - whole._first

else:
    import numba
    from llvmlite import ir
    from numba.extending import intrinsic

    TYPES[Words] = numba.types.Array(numba.types.int32, 1, "C")
    TYPES[Longs] = numba.types.Array(numba.types.int64, 1, "C")
    TYPES[Decimals] = numba.types.Array(numba.types.float64, 1, "C")

    def _words_at(context: Any, builder: Any, kind: Any, value: Any, width: int) -> Any:
        """Returns where the words of an array or of a record begin."""
        where = value
        if isinstance(kind, numba.types.Array):
            where = context.make_array(kind)(context, builder, value).data
        return builder.bitcast(where, ir.IntType(width).as_pointer())

    def viewer(kind: type[Some]) -> Callable[[Any, int], Some]:
        """Returns what makes a record of a kind out of the words from a place on, of a record or an array."""
        made, width = kind.numba_type(), 64 if kind.WIDE else 32

        @intrinsic
        def view(_: Any, source: Any, place: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                first = _words_at(context, builder, signature.args[0], arguments[0], width)
                first = builder.gep(first, [arguments[1]])
                return builder.bitcast(first, context.get_value_type(made))

            return made(source, numba.types.int64), generate

        seen: Any = view
        return cast("Callable[[Any, int], Some]", seen)

    @intrinsic
    def place_in(_: Any, whole: Any, record: Any) -> Any:
        """Returns the first word of a record that is part of another one, counted from that one's."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            first, at = (builder.ptrtoint(argument, word) for argument in arguments)
            return builder.sdiv(builder.sub(at, first), ir.Constant(word, 4))

        return numba.types.int64(whole, record), generate

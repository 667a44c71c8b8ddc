"""What the forms of stored data are made of: pydantic models that read and write values of the rules.

A form has the fields of the value that it makes, in the order in which they are written. `form_of` takes them
from the value's class, with their defaults; what that does not say stands beside it: limits and checks.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import EnumType
from functools import reduce
from operator import or_
from types import NoneType
from typing import Annotated, Any, ClassVar, Self, get_args, get_type_hints

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetPydanticSchema,
    StrictBool,
    StrictInt,
    StrictStr,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic_core import core_schema

from botapp.content.errors import field_error, shown, wrong
from botapp.fight.board import CELLS

Json = dict[str, Any]
Limits = Mapping[str, Any]


class Form(BaseModel):
    """How a value is stored; unknown fields are passed over, see `ClosedForm`."""

    model_config = ConfigDict(defer_build=True)

    makes: ClassVar[Any]
    check: ClassVar[Any] = None
    """Sees to it that what was read goes together; it may put values right and raises what `wrong` makes."""

    @classmethod
    def read(cls, data: object, path: str = "", context: object = None) -> Self:
        """Returns the form filled with plain data.

        Args:
            path: where it stands, for the error.
            context: what checks may ask, see pydantic's validation context.

        Raises:
            FieldError: a field is missing or wrong; the text names it.
        """
        try:
            return cls.model_validate(data, context=context)
        except ValidationError as error:
            raise field_error(error, path) from None

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        if type(self).check is not None:
            type(self).check(self)
        return self

    def value(self) -> Any:
        return self.makes(**dict(self))

    @classmethod
    def written(cls, value: Any) -> Json:
        fields = {name: getattr(value, name) for name in cls.model_fields}
        return cls.model_construct(**fields).model_dump(mode="json", warnings=False)


class ClosedForm(Form):
    """A form that refuses unknown fields."""

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:
        known = cls.model_fields
        for name in data if isinstance(data, Mapping) else ():
            if name not in known:
                raise wrong(f"no such field; remove it, or write one of {', '.join(known)}", str(name))
        return data


def stored(form: type[Form] | None = None) -> GetPydanticSchema:
    """Returns the annotation of a field whose value is read and written by a form.

    Without one it is the form that `form_of` has made, or makes later, of the value's class.
    """

    def schema(kind: Any, handler: Any) -> Any:
        of = form or _FORMS[kind]
        return core_schema.no_info_after_validator_function(
            of.value,
            handler.generate_schema(of),
            serialization=core_schema.plain_serializer_function_ser_schema(of.written),
        )

    return GetPydanticSchema(schema)


def form_of(
    makes: Any, limits: Limits, newer: str = "", check: Callable[[Any], None] | None = None
) -> type[Form]:
    """Returns the form of a dataclass.

    Args:
        limits: how fields are stored whose type does not say it: an annotation, or for a list how many
            entries it may have.
        newer: the field from which on fields are left out when written that have their default, "" for none.
        check: see `Form.check`.
    """
    form = create_model(f"{makes.__name__}Form", __base__=ClosedForm, **stored_fields(makes, limits, newer))
    form.makes, form.check = makes, staticmethod(check) if check else None
    _FORMS[makes] = form
    return form


def stored_fields(makes: Any, limits: Limits, newer: str = "") -> dict[str, Any]:
    """Returns the fields of a dataclass as `create_model` takes them; see `form_of`."""
    hints, fields_by_name, is_newer = get_type_hints(makes), {}, False
    for field in fields(makes):
        if not field.init:
            continue
        is_newer |= field.name == newer
        default = field.default if field.default_factory is MISSING else field.default_factory()
        if default is MISSING:
            default = ...
        kind = _stored_as(hints[field.name], limits.get(field.name), f"{makes.__name__}.{field.name}")
        fields_by_name[field.name] = kind, unwritten(default) if is_newer else default
    return fields_by_name


def _stored_as(kind: Any, limit: Any, name: str) -> Any:
    """Returns the annotation by which values of a type are stored."""
    parts = get_args(kind)
    if NoneType in parts:
        return _stored_as(reduce(or_, (part for part in parts if part is not NoneType)), limit, name) | None
    if isinstance(limit, int):
        entry: Any = _stored_as(parts[0], None, name)
        return Annotated[tuple[entry, ...], at_most(limit)]
    if limit is not None:
        return limit
    if kind in STORED:
        return STORED[kind]
    if is_dataclass(kind):
        return Annotated[kind, stored()]
    if isinstance(kind, EnumType):
        return kind
    raise TypeError(f"{name} needs a limit")


_FORMS: dict[Any, type[Form]] = {}


def holds(expected: str, test: Callable[[Any], object]) -> AfterValidator:
    """Returns the check that a value passes a test; `expected` says in an error what would."""

    def check(value: Any) -> Any:
        if not test(value):
            raise wrong(f"expected {expected}, got {shown(value)}")
        return value

    return AfterValidator(check)


def within(low: int, high: int | None = None) -> AfterValidator:
    """Returns the check that a whole number is from `low` to `high`."""
    if high is None:
        return holds(f"{low} or more", lambda value: value >= low)
    return holds(f"{low} to {high}", lambda value: low <= value <= high)


def one_of(allowed: tuple[str, ...]) -> AfterValidator:
    return holds(f"one of {', '.join(allowed)}", allowed.__contains__)


def at_most(count: int) -> Any:
    """Returns the check that a list has not more than `count` entries."""
    return Field(max_length=count)


def unwritten(default: Any) -> Any:
    """Returns the field of a default that is left out when written."""
    return Field(default, exclude_if=lambda value: value == default)


Whole = StrictInt
Letters = StrictStr
Text = Annotated[
    Letters,
    holds("a printable text of at most 200 letters", lambda text: len(text) <= 200 and text.isprintable()),
]
Flag = StrictBool
Number = Annotated[Whole, within(-100_000, 100_000)]  # A number of a sheet, or what a buff adds to one
Dice = Annotated[Whole, within(-10_000, 10_000)]
Health = Annotated[Whole, within(0, 10_000_000)]
Points = Annotated[Whole, within(0, 100)]  # AP or MP
Turns = Annotated[Whole, within(0, 1000)]
Level = Annotated[Whole, within(0, 10_000)]
Weight = Annotated[Whole, within(0, 1_000_000)]
Id = Annotated[Whole, within(0, 2**31 - 1)]
Cell = Annotated[Whole, within(0, CELLS - 1)]

STORED: dict[Any, Any] = {bool: Flag, str: Text}  # How values of some types are stored, wherever they stand

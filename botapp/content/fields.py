"""What the forms of stored data are made of: pydantic models that read and write values of the rules.

A form has the fields of the value that it makes, in the order in which they are written; their limits stand
beside them.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, ClassVar, Self

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
    model_validator,
)
from pydantic_core import core_schema

from botapp.content.errors import field_error, shown, wrong
from botapp.fight.board import CELLS

Json = dict[str, Any]


class Form(BaseModel):
    """How a value is stored; unknown fields are passed over, see `ClosedForm`."""

    model_config = ConfigDict(defer_build=True)

    makes: ClassVar[Any]

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


def stored(form: type[Form]) -> GetPydanticSchema:
    """Returns the annotation of a field whose value is read and written by a form."""
    return GetPydanticSchema(
        lambda _, handler: core_schema.no_info_after_validator_function(
            form.value,
            handler.generate_schema(form),
            serialization=core_schema.plain_serializer_function_ser_schema(form.written),
        )
    )


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

"""A kept fight as a file: packed by gzip, JSON line by line, its summary first, then one own action a line.

A line's `state` is one that `botapp advise` and `botapp arena --state` read too. Everything is bounded when
read.
"""

import json
import zlib
from collections.abc import Generator
from dataclasses import replace
from gzip import GzipFile
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainSerializer

from botapp.advisor.decision import Expectation, Prospect, ScoredAction
from botapp.content.errors import FieldError, wrong
from botapp.content.fields import (
    Cell,
    ClosedForm,
    Flag,
    Id,
    Json,
    Letters,
    Text,
    Whole,
    at_most,
    holds,
    stored,
    unwritten,
    within,
)
from botapp.content.json_file import parse_json
from botapp.content.state_json import StateForm, action_from_json, action_to_json, state_from_json
from botapp.fight.actions import Action, Cast
from botapp.fight.state import FightState
from botapp.host.files import open_regular
from botapp.host.message import say
from botapp.review.course import MOST, UNKNOWN_CELL, OwnAction
from botapp.review.kept_fight import KeptFight, Summary
from botapp.runtime.kept_pictures import NAME as PICTURE
from botapp.runtime.turns import TurnLine, TurnStep

VERSION = 4
"""Format 1 had no grades, no accuracy and did not say whether the app itself had played; format 2 did not say
what the search had said of a departure, only what it cost, nor how sure the advice was; format 3 knew of no
action that was taken back."""
SUFFIX = ".fight"
_LONGEST_LINE = 1 << 20
_MOST_BYTES = 32 << 20  # Of a whole file, unpacked
_GZIP = 31  # zlib's word for a gzip header


def _read_action(data: object) -> Action:
    """Reads an action; a cast seen at the ground may have no known target."""
    try:
        if isinstance(data, dict) and (data.get("type"), data.get("target")) == ("cast", UNKNOWN_CELL):
            cast = action_from_json({**data, "target": 0})
            assert isinstance(cast, Cast)
            return replace(cast, target=UNKNOWN_CELL)
        return action_from_json(data)
    except FieldError as error:
        raise wrong(str(error)) from None


def _read_state(data: object) -> FightState:
    try:
        return state_from_json(data)
    except FieldError as error:
        raise wrong(str(error)) from None


def _figure(low: float, high: float) -> Any:
    return Field(ge=low, le=high, strict=True, allow_inf_nan=False)


_Share = Annotated[float, _figure(0, 1)]
_Amount = Annotated[float, _figure(-1e9, 1e9)]
_Action = Annotated[Any, BeforeValidator(_read_action), PlainSerializer(action_to_json)]
_Actions = Annotated[tuple[_Action, ...], at_most(64)]
_OF_CHOICE = {"worth": "value"}
_Picture = Annotated[
    Letters, holds("the name of a picture", lambda name: not name or PICTURE.fullmatch(name))
]


class ExpectationForm(ClosedForm):
    """What an action should do to a fighter."""

    makes = Expectation

    fighter: Id
    name: Text
    enemy: Flag
    damage: _Amount = unwritten(0.0)
    heal: _Amount = unwritten(0.0)
    shield: _Amount = unwritten(0.0)
    ap: _Amount = unwritten(0.0)
    mp: _Amount = unwritten(0.0)
    kills: Flag = unwritten(False)


class ProspectForm(ClosedForm):
    """What a turn leaves."""

    makes = Prospect

    lead: Annotated[float, within(-1e9, 1e9)]
    kills: Annotated[Whole, within(0, 64)] = unwritten(0)
    turns: Annotated[Whole, within(0, 2**31 - 1)] | None = unwritten(None)
    ap: Annotated[Whole, within(-1000, 1000)] = unwritten(0)
    cooldown: Annotated[Whole, within(0, 100_000)] = unwritten(0)


class ChoiceForm(ClosedForm):
    """An action with what it is worth: its `value` is written as `worth`."""

    makes = staticmethod(lambda worth, **fields: ScoredAction(value=worth, **fields))

    action: _Action
    confidence: _Share
    label: Text = unwritten("")
    spell_name: Text = unwritten("")
    visits: Annotated[Whole, within(0, 2**31 - 1)] = unwritten(0)
    worth: _Share | None = unwritten(None)
    line: _Actions = unwritten(())
    prospect: Annotated[Prospect, stored(ProspectForm)] | None = unwritten(None)

    @classmethod
    def written(cls, value: ScoredAction) -> Json:
        fields = {field: getattr(value, _OF_CHOICE.get(field, field)) for field in cls.model_fields}
        return cls.model_construct(**fields).model_dump(mode="json", warnings=False)


class StepForm(ClosedForm):
    """An action of a turn."""

    makes = TurnStep

    action: _Action
    origin: Cell
    spell: Text = unwritten("")
    expected: Annotated[tuple[Annotated[Expectation, stored(ExpectationForm)], ...], at_most(64)] = unwritten(
        ()
    )


class LineForm(ClosedForm):
    """A whole turn."""

    makes = TurnLine

    choice: Annotated[ScoredAction, stored(ChoiceForm)]
    steps: Annotated[tuple[Annotated[TurnStep, stored(StepForm)], ...], at_most(64)]
    chance: _Share
    kills: Annotated[tuple[tuple[Id, _Share], ...], at_most(64)] = unwritten(())
    worst: _Share | None = unwritten(None)


class MomentForm(ClosedForm):
    """An own action."""

    makes = OwnAction

    turn: Annotated[Whole, within(1, 1_000_000)]
    chance: _Share
    state: Annotated[Any, BeforeValidator(_read_state), PlainSerializer(StateForm.written)]
    advised: Annotated[ScoredAction, stored(ChoiceForm)]
    done: Annotated[ScoredAction, stored(ChoiceForm)] | None = unwritten(None)
    cost: _Share | None = unwritten(None)
    lines: Annotated[tuple[Annotated[TurnLine, stored(LineForm)], ...], at_most(8)] = unwritten(())
    adviser: Literal["search", "model"] = "search"
    picture: _Picture = unwritten("")
    said: _Share | None = unwritten(None)
    sure: Literal["sure", "fairly sure", "close", ""] = unwritten("")


class SummaryForm(ClosedForm):
    """What a list says of a fight."""

    makes = Summary

    begun: Annotated[float, _figure(0, 1e11)]
    version: Text
    client: Text
    own: Text
    own_name: Text
    opponents: Annotated[tuple[Text, ...], at_most(64)]
    result: Literal["won", "lost", "unfinished"]
    rounds: Annotated[Whole, within(1, 1_000_000)]
    actions: Annotated[Whole, within(0, MOST)]
    mistakes: Annotated[Whole, within(0, MOST)]
    lost: Annotated[float, _figure(0, MOST)]
    blunders: Annotated[Whole, within(0, MOST)] | None = unwritten(None)
    inaccuracies: Annotated[Whole, within(0, MOST)] | None = unwritten(None)
    accuracy: _Share | None = unwritten(None)
    autoplayed: Flag = unwritten(False)
    taken_back: Annotated[Whole, within(0, 1_000_000)] = unwritten(0)


class _FirstLine(ClosedForm):
    """The first line: the format's version, then the summary."""

    botapp_fight: Whole
    summary: Annotated[Summary, stored(SummaryForm)]


def first_line(summary: Summary) -> bytes:
    """Returns the first line of a file, not packed."""
    return _line({"botapp_fight": VERSION, "summary": SummaryForm.written(summary)})


def moment_line(moment: OwnAction) -> bytes:
    """Returns the line of an own action, not packed."""
    return _line(MomentForm.written(moment))


def packed(lines: bytes) -> bytes:
    """Returns lines packed; what is packed by itself may follow one another in a file."""
    packer = new_packer()
    return packer.compress(lines) + packer.flush()


def new_packer() -> "zlib._Compress":
    return zlib.compressobj(wbits=_GZIP)


def to_bytes(fight: KeptFight) -> bytes:
    return packed(first_line(fight.summary)) + packed(b"".join(map(moment_line, fight.moments)))


def read_summary(path: Path) -> Summary:
    """Reads what a list says of a fight, and nothing further.

    Raises:
        OSError: the file cannot be opened.
        FieldError: it is no kept fight; one line says what is wrong.
    """
    lines = _lines(path)
    try:
        return _summary(next(lines, b""))
    finally:
        lines.close()


def read_fight(path: Path) -> KeptFight:
    """Reads a whole fight.

    Raises:
        OSError: the file cannot be opened.
        FieldError: it is no kept fight, or beyond the bounds; one line says what is wrong.
    """
    lines = _lines(path)
    summary = _summary(next(lines, b""))
    moments: list[OwnAction] = []
    for line in lines:
        if len(moments) == MOST:
            raise FieldError(f"more than {MOST} own actions")
        where = f"moments[{len(moments)}]"
        try:
            moments.append(MomentForm.read(parse_json(line), where).value())
        except FieldError as error:
            text = str(error)
            raise FieldError(text if text.startswith(where) else f"{where}: {text}") from None
    if not moments:
        raise FieldError(say("there is no own action in it"))
    return KeptFight(summary, tuple(moments))


def _summary(line: bytes) -> Summary:
    if not line:
        raise FieldError(say("it is empty"))
    data = parse_json(line)
    version = data.get("botapp_fight") if isinstance(data, dict) else None
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise FieldError(say("it is no fight that botapp has kept"))
    if version > VERSION:
        raise FieldError(say("it was written by a newer botapp; update this one to open it"))
    return _FirstLine.read(data).summary


def _lines(path: Path) -> Generator[bytes, None, None]:
    read = 0
    with open_regular(path) as file, GzipFile(fileobj=file) as unpacked:
        while True:
            try:
                line = unpacked.readline(_LONGEST_LINE + 1)
            except (OSError, EOFError, zlib.error) as error:
                raise FieldError(say("it is damaged, or no fight that botapp has kept")) from error
            if not line:
                return
            read += len(line)
            if len(line) > _LONGEST_LINE or read > _MOST_BYTES:
                raise FieldError(
                    f"larger than {_MOST_BYTES >> 20} MB, or a line of it than {_LONGEST_LINE >> 20}"
                )
            yield line


def _line(values: Json) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"

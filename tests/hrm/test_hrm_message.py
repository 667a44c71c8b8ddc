"""A message is its English text, and keeps the template and values for a translator."""

import copy
import json
import pickle

from hrm.backends import Fault
from hrm.backends.errors import OutOfMemoryError
from hrm.message import Message, join, pack, say, unpack
from hrm.tensor_file import CheckpointError

NESTED = say("{first}; {second}", first=say("using {name}", name="cpu"), second="as asked")


def test_a_message_is_its_english_text() -> None:
    assert NESTED == "using cpu; as asked"
    assert NESTED.template == "{first}; {second}"
    assert say("a brace {") == "a brace {"


def test_parts_are_joined_as_messages() -> None:
    joined = join(["one", "", say("two"), "three"])
    assert joined == "one; two; three"
    assert isinstance(joined, Message)
    assert join([]) == ""


def test_a_message_crosses_a_process_and_a_file() -> None:
    carried = (
        pickle.loads(pickle.dumps(NESTED)),
        copy.deepcopy(NESTED),
        unpack(json.loads(json.dumps(pack({"why": [NESTED]}))))["why"][0],
    )
    for found in carried:
        assert found == NESTED
        assert found.template == NESTED.template
        assert found.values["first"].template == "using {name}"


def test_errors_and_faults_keep_their_message_as_text() -> None:
    for thing in (
        OutOfMemoryError(say("full")),
        CheckpointError(say("gone")),
        Fault("crash", "SIGSEGV (11)"),
    ):
        assert isinstance(str(thing), Message)
        assert str(thing) == thing.message

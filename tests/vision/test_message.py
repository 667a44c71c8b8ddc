"""A message is its English text, and remembers its template and values wherever it goes."""

import copy
import json
import pickle

import pytest

from vision.message import Message, mark, say


def test_a_message_is_its_english_text():
    said = say("{share} of the window is covered.", share="40%")
    assert said == "40% of the window is covered." and isinstance(said, str)
    assert (said.template, said.values) == ("{share} of the window is covered.", {"share": "40%"})
    assert json.loads(json.dumps({"reason": said})) == {"reason": "40% of the window is covered."}


def test_values_may_be_messages():
    said = say("It failed: {problem}.", problem=say("{name} is gone", name="the window"))
    assert said == "It failed: the window is gone."
    assert said.values["problem"].template == "{name} is gone"


@pytest.mark.parametrize("pass_on", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_a_message_survives_copies_and_processes(pass_on):
    said = say("It failed: {problem}.", problem=say("{name} is gone", name="the window"))
    other = pass_on(said)
    assert isinstance(other, Message) and other == said and other.template == said.template
    assert other.values == said.values and other.values["problem"].template == "{name} is gone"


def test_without_values_braces_stay():
    assert say("100 % {sure}") == "100 % {sure}" and say("Done.").values == {}
    assert mark("{a} and {b}") == "{a} and {b}"


def test_a_missing_value_is_an_error():
    with pytest.raises(KeyError):
        say("{a} and {b}", a=1)

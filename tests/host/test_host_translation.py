"""A message keeps its template and values on its way, and is said in the language of whoever reads it."""

import copy
import json
import pickle
import re

import pytest

from botapp.host.message import Message, counted, error_text, join, listed, mark, pack, say, unpack
from botapp.host.translation import Translator, languages, resolve
from botapp.runtime.messages import DeviceStatus, Snapshot, WorkerFault

FRENCH = Translator("fr")
STORY = say(
    "{fault} The engine is restarting.",
    fault=say("The engine has not responded for {time} s.", time=10),
)
STORY_IN_FRENCH = "Le moteur ne répond plus depuis 10 s. Le moteur redémarre."


class Foreign(str):
    """A message of a library that does not know the app's own class."""

    @property
    def template(self) -> str:
        return "{first}; {second}"

    @property
    def values(self) -> dict[str, object]:
        return {"first": say("Paused."), "second": "abc"}


def test_a_message_is_its_english_text() -> None:
    said = say("The engine stopped with exit code {code}. See the log for details.", code=3)
    assert said == "The engine stopped with exit code 3. See the log for details."
    assert json.loads(json.dumps({"text": said})) == {"text": said}
    assert mark("Pause") == "Pause" and say("100 % {sure}") == "100 % {sure}"
    with pytest.raises(KeyError):
        say("{a} and {b}", a=1)


@pytest.mark.parametrize(
    "pass_on", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)), lambda m: unpack(pack(m))]
)
def test_a_message_survives_copies_processes_and_files(pass_on) -> None:
    other = pass_on(STORY)
    assert isinstance(other, Message) and other == STORY
    assert FRENCH(other) == STORY_IN_FRENCH


def test_a_snapshot_crosses_to_the_app_and_is_shown_in_french() -> None:
    why = join(("", say("It is not your turn."), say("Paused.")))
    device = DeviceStatus("auto", "cpu", "cpu", "fp32", why, measures=(STORY,))
    sent = Snapshot(1, 0, 0, "watching", "withheld", reason=STORY, device=device)
    got = pickle.loads(pickle.dumps(sent))
    assert got == sent
    assert FRENCH(got.reason) == STORY_IN_FRENCH
    assert FRENCH(got.device.reason) == "Ce n'est pas votre tour.\u00a0; En pause."
    assert FRENCH(got.device.measures[0]) == STORY_IN_FRENCH
    assert FRENCH(pickle.loads(pickle.dumps(WorkerFault(STORY, True))).text) == STORY_IN_FRENCH


def test_messages_of_other_libraries_are_messages_too() -> None:
    assert FRENCH(Foreign("Paused.; abc")) == "En pause.\u00a0; abc"
    assert FRENCH.plain({"reason": [Foreign("Paused.; abc")], "key": "Paused."}) == {
        "reason": ["En pause.\u00a0; abc"],
        "key": "Paused.",
    }


def test_what_no_catalogue_knows_is_shown_as_it_is() -> None:
    assert FRENCH("something new") == "something new"
    assert FRENCH(say("something {what}", what="new")) == "something new"
    assert FRENCH("") == ""
    assert Translator("en")(STORY) == STORY


def test_an_error_keeps_the_message_it_was_raised_with() -> None:
    assert FRENCH(error_text(ValueError(STORY))) == STORY_IN_FRENCH
    assert error_text(ValueError("plain")) == "plain"
    assert error_text(OSError(2, "No such file")) == "No such file"
    assert error_text(ValueError()) == ""


def test_lists_are_messages() -> None:
    assert (join(()), join(("", "a", "")), join(("a", "b", "c"))) == ("", "a", "a; b; c")
    assert (listed(()), listed(("a",)), listed(("a", "b", "c"))) == ("", "a", "a, b, c")


def test_french_figures_and_spaces() -> None:
    counts = FRENCH("{count:,} parameters, on a graphics card {more:,}", count=12345, more=6)
    assert counts == "12\u00a0345 paramètres, sur une carte graphique 6"
    assert FRENCH("{total:.1f} GB", total=7.94) == "7,9 Go"
    assert Translator("en")("{total:.1f} GB", total=7.94) == "7.9 GB"
    assert Translator("en")("{elo:+.0f} Elo", elo=-12.4) == "−12 Elo"
    breakable = re.compile(r"« |\s(?<!\u00a0)[:;!?»](?!\w)")
    texts = [found for text, found in FRENCH._catalogue._catalog.items() if text]
    assert len(texts) > 500
    assert not [text for text in map(FRENCH.typography.spaced, texts) if breakable.search(text)]


def test_languages_are_those_with_a_catalogue() -> None:
    assert languages()[0] == "en" and "fr" in languages()


@pytest.mark.parametrize(
    ("wanted", "environment", "language"),
    [
        ("fr", {}, "fr"),
        ("en", {"LANG": "fr_FR.UTF-8"}, "en"),
        ("xx", {"LANG": "fr_FR.UTF-8"}, "en"),
        ("auto", {"LANG": "fr_FR.UTF-8"}, "fr"),
        ("auto", {"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ("auto", {"LANG": "xx_XX.UTF-8", "LC_MESSAGES": "fr_CA"}, "fr"),
        ("auto", {"LANG": "xx_XX.UTF-8"}, "en"),
    ],
)
def test_auto_is_the_systems_language(wanted: str, environment: dict[str, str], language: str) -> None:
    assert resolve(wanted, environment) == language


@pytest.mark.parametrize(
    ("number", "english", "french"),
    [
        (0, "0 points given away", "0 point perdu"),
        (1, "1 point given away", "1 point perdu"),
        (0.4, "0.4 points given away", "0,4 point perdu"),
        (1.5, "1.5 points given away", "1,5 point perdu"),
        (2, "2 points given away", "2 points perdus"),
    ],
)
def test_a_number_of_things_takes_the_form_that_its_language_wants(
    number: float, english: str, french: str
) -> None:
    text = counted(number, "{number} point given away", "{number} points given away", number=number)
    assert (text, Translator("en")(text), FRENCH(text)) == (english, english, french)
    again = unpack(json.loads(json.dumps(pack(text))))
    assert (again, FRENCH(again)) == (english, french)
    assert FRENCH(pickle.loads(pickle.dumps(text))) == french

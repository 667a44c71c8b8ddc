"""`search:states=3000` plays as it did when it was frozen: what is measured against it can be compared.

Where this fails, the search has changed for everybody who asks `TurnSearch.run` for a number of states. Let
what is new be a setting (an argument of `TurnSearch`, `grow` or `play_on`, or a field of `SearchOptions`)
that is off unless asked for, and let `TurnSearch.run` not ask for it: `bare` does. The same holds for the
evaluation and for the default policy, whose own choices `test_policy` holds. Only a rule of the fight that
was wrong is a reason to record again, with new matches against it in the docs.
"""

import json

import pytest
from frozen_search import RECORDED, turn_in

TURNS = json.loads(RECORDED.read_text())


@pytest.mark.slow
def test_the_frozen_search_plays_the_turns_that_were_recorded():
    played = [turn_in(number) for number in range(len(TURNS))]
    assert {n: (was, now) for n, (was, now) in enumerate(zip(TURNS, played, strict=True)) if was != now} == {}


def test_the_recording_has_turns_of_every_kind():
    assert len(TURNS) >= 120
    kinds = [kind for turn in TURNS for kind, *_ in turn]
    assert min(map(kinds.count, ("walk", "cast", "end"))) >= 60
    assert sum(len(turn) > 2 for turn in TURNS) >= 40

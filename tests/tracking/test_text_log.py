from dataclasses import replace

import numpy as np
import pytest

from botapp.tracking.fight_log import casts_since
from botapp.tracking.log_facts import LogFact
from botapp.tracking.log_names import NameIndex, Names
from botapp.tracking.log_words import fact_of
from botapp.tracking.names import Names as Pictures
from botapp.tracking.picture import was_cast
from botapp.tracking.text_log import TextLog
from vision.frame import Frame, Rect
from vision.signature import signature
from vision.text.engine import TextSeen
from vision.view import CardSeen, ChronicleLine, FighterSeen, FightView, Phase, Seen

KNOWN = Names(NameIndex([("Loup Gris", "wolf"), ("Renard", "fox")]), NameIndex([("Morsure", "bite")]))
FRAME = Frame(np.zeros((40, 60, 4), np.uint8), Rect(0, 0, 60, 40), 1, 0)
FIGHT = FightView(phase=Seen(Phase.FIGHT, 1.0), turn=Seen("other", 1.0))


def _picture(seed: int) -> str:
    return signature(np.random.default_rng(seed).integers(0, 255, (40, 40, 3)).astype(np.uint8))


class _Reader:
    def __init__(self) -> None:
        self.panel: Rect | None = Rect(0, 0, 10, 10)
        self.facts: list[LogFact] = []
        self.written: dict[str, TextSeen] = {}
        self.offered = 0

    @property
    def follows(self) -> bool:
        return self.panel is not None

    def forget(self) -> None:
        return

    def offer(self, frame: Frame, client: Rect) -> None:
        self.offered += 1

    def step(self) -> None:
        return

    def take(self) -> list[LogFact]:
        facts, self.facts = self.facts, []
        return facts

    def name(self, key: str, picture: np.ndarray) -> TextSeen | None:
        return self.written.get(key)


@pytest.fixture
def log() -> TextLog:
    text = TextLog(lambda: KNOWN, threaded=False)
    text.reader = _Reader()  # type: ignore[assignment]
    text._known = KNOWN
    assert text.see(FRAME, FIGHT, None).log == ()
    text.reader.offered = 0
    return text


def _told(text: str, fighters: tuple[str, ...] = (), spells: tuple[str, ...] = (), **more: bool) -> LogFact:
    fact = fact_of(text)
    assert fact is not None
    return replace(LogFact(fact, fighters, spells, sure=True), **more)


def _see(log: TextLog, view: FightView, *facts: LogFact) -> FightView:
    log.reader.facts += facts  # type: ignore[attr-defined]
    return log.see(FRAME, view, None)


CAST = _told("Loup Gris lance Morsure.", ("wolf",), ("bite",))


def test_a_cast_becomes_a_line_without_a_target(log: TextLog) -> None:
    view = _see(log, FIGHT, CAST, CAST)
    assert view.log == (
        ChronicleLine(False, "wolf", frozenset({"bite"}), aimed=False),
        ChronicleLine(True, "wolf", frozenset({"bite"}), aimed=False),
    )


def test_what_was_there_before_is_not_told_again_and_what_is_not_sure_not_at_all(log: TextLog) -> None:
    assert _see(log, FIGHT, replace(CAST, old=True)).log == ()
    assert _see(log, FIGHT, replace(CAST, sure=False)).log == ()


def test_the_first_cast_after_the_log_was_found_is_new(log: TextLog) -> None:
    log.forget()
    reader: _Reader = log.reader  # type: ignore[assignment]
    place, reader.panel = reader.panel, None
    assert _see(log, FIGHT).log is None
    reader.panel = place
    before = _see(log, FIGHT, replace(CAST, old=True))
    now = _see(log, FIGHT, CAST)
    assert casts_since(before.log, now.log) == now.log != ()


def test_casts_of_this_round_in_a_log_just_found_are_past_until_it_tells_more(log: TextLog) -> None:
    turn, other = _told("Tour : 3"), _told("Tofu lance Béco.", ("tofu",), ("peck",))
    view = _see(log, FIGHT, *(replace(one, old=True) for one in (other, turn, CAST)))
    line = ChronicleLine(False, "wolf", frozenset({"bite"}), aimed=False)
    assert (view.log, view.log_past) == ((), (line,))
    assert _see(log, FIGHT).log_past == (line,)
    assert _see(log, FIGHT, other).log_past is None


def test_a_past_cast_that_is_not_sure_may_be_any(log: TextLog) -> None:
    past = _see(log, FIGHT, replace(CAST, old=True, sure=False)).log_past
    assert was_cast("bite", "wolf", past) and was_cast("peck", "tofu", past)
    log.forget()
    past = _see(log, FIGHT, replace(CAST, old=True)).log_past
    assert was_cast("bite", "wolf", past)
    assert not was_cast("bite", "tofu", past) and not was_cast("peck", "wolf", past)


def test_a_cast_told_with_the_first_look_is_new_in_the_next_picture(log: TextLog) -> None:
    log.forget()
    first = _see(log, FIGHT, CAST)
    assert first.log == () and first.log_behind
    then = _see(log, FIGHT)
    assert casts_since(first.log, then.log) == then.log != () and not then.log_behind


def test_after_a_gap_the_lines_begin_anew(log: TextLog) -> None:
    _see(log, FIGHT, CAST)
    assert len(_see(log, FIGHT, replace(CAST, linked=False)).log or ()) == 1


def test_the_arenas_own_chronicle_and_screens_without_a_fight_are_left_alone(log: TextLog) -> None:
    chips = replace(FIGHT, log=(ChronicleLine(True),))
    assert _see(log, chips) is chips
    other = replace(FIGHT, phase=Seen(Phase.NOT_FIGHT, 1.0))
    assert _see(log, other) is other
    assert log.reader.offered == 0  # type: ignore[attr-defined]


def _card(portrait: str, current: bool = True) -> CardSeen:
    return CardSeen(Rect(0, 0, 9, 9), "enemy", current, portrait=portrait)


def test_a_monster_that_casts_names_the_marked_card_once(log: TextLog) -> None:
    wolf, fox = _picture(1), _picture(2)
    view = replace(FIGHT, timeline=(_card(fox, False), _card(wolf)))
    _see(log, view, CAST, CAST)
    assert log.learner.names.find("portraits", wolf)[0] == "wolf"
    assert log.learner.names.find("portraits", fox) is None
    assert [one.name for one in log.learner.news()] == ["Loup Gris"]
    assert log.learner.news() == []


def test_one_odd_cast_does_not_take_a_name_away(log: TextLog) -> None:
    wolf = _picture(1)
    view = replace(FIGHT, timeline=(_card(wolf),))
    _see(log, view, CAST, CAST, CAST, _told("Renard lance Morsure.", ("fox",), ("bite",)))
    assert log.learner.names.find("portraits", wolf)[0] == "wolf"


def test_several_monsters_of_one_name_name_no_card(log: TextLog) -> None:
    view = replace(FIGHT, timeline=(_card(_picture(1)),))
    _see(log, view, replace(CAST, fighters=("wolf", "other-wolf")))
    assert log.learner.names == Pictures()


def test_the_players_own_names_go_before_those_learnt(log: TextLog) -> None:
    wolf = _picture(1)
    _see(log, replace(FIGHT, timeline=(_card(wolf),)), CAST)
    assert Pictures().over(log.learner.names).find("portraits", wolf)[0] == "wolf"
    assert Pictures({wolf: "bear"}).over(log.learner.names).find("portraits", wolf)[0] == "bear"


def test_a_name_over_a_fighter_is_read_once_and_names_it(log: TextLog) -> None:
    plate = _picture(3)
    fighter = FighterSeen((9.0, 9.0), 5, "enemy", name=plate, name_box=Rect(5, 5, 20, 8))
    view = replace(FIGHT, enemies=(fighter,))
    _see(log, view)
    assert log.learner.names.find("portraits", plate) is None
    log.reader.written[plate] = TextSeen("Renard", (0.9,) * 6)  # type: ignore[attr-defined]
    _see(log, view)
    assert log.learner.names.find("portraits", plate)[0] == "fox"


def _summons(at_ns: int) -> LogFact:
    return replace(_told("Renard invoque Loup Gris.", ("fox",), ("wolf",)), captured_ns=at_ns)


@pytest.mark.parametrize("line_first", [True, False])
def test_a_card_that_comes_with_a_call_is_that_of_the_called(log: TextLog, line_first: bool) -> None:
    fox, wolf, second = _picture(2), _picture(1), 1_000_000_000
    old = replace(FIGHT, timeline=(_card(fox),), captured_ns=second)
    new = replace(old, timeline=(_card(fox), _card(wolf, False)), captured_ns=2 * second)
    _see(log, old)
    if line_first:
        _see(log, replace(old, captured_ns=2 * second), _summons(2 * second))
        _see(log, new)
    else:
        _see(log, new)
        _see(log, replace(new, captured_ns=3 * second), _summons(2 * second))
    assert log.learner.names.find("portraits", wolf)[0] == "wolf"
    assert log.learner.names.find("portraits", fox) is None


def test_cards_without_a_call_or_with_two_are_left_unnamed(log: TextLog) -> None:
    fox, wolf, bear, second = _picture(2), _picture(1), _picture(5), 1_000_000_000
    _see(log, replace(FIGHT, timeline=(_card(fox),), captured_ns=second))
    both = replace(FIGHT, timeline=(_card(fox), _card(wolf), _card(bear)), captured_ns=2 * second)
    _see(log, both, _summons(2 * second))
    assert log.learner.names == Pictures()


def test_what_the_log_tells_of_fighters_comes_with_the_view(log: TextLog) -> None:
    log.own_name = "Marlou"
    lost = _told("Loup Gris : -12 PV", ("wolf",))
    mine = _told("Marlou : -2 PA (1)")
    dead = _told("Renard est mort !", ("fox",))
    view = _see(log, FIGHT, lost, replace(lost, sure=False), replace(lost, old=True), mine, dead)
    assert [(one.kind, one.who, one.own, one.amount) for one in view.changes] == [
        ("hp", frozenset({"wolf"}), False, -12),
        ("ap", frozenset(), True, -2),
        ("dies", frozenset({"fox"}), False, 0),
    ]
    assert [one.number for one in view.changes] == [1, 2, 3]


def test_a_log_just_found_says_whether_it_begins_with_the_round_and_counts_its_casts(log: TextLog) -> None:
    turn, old = replace(_told("Tour : 3"), old=True), replace(CAST, old=True)
    view = _see(log, FIGHT, turn, old)
    assert view.log_round and view.log_past is not None and view.log_told == 0
    view = _see(log, FIGHT, CAST, CAST)
    assert not view.log_round and view.log_told == len(view.log or ()) == 2
    for _ in range(20):
        view = _see(log, FIGHT, CAST)
    assert view.log_told == 22 > len(view.log or ())
    log.forget()
    assert not _see(log, FIGHT, old).log_round

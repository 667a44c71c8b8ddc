"""Preparing the search tells steadily how far it has come, and is noted when all of it is there."""

from types import SimpleNamespace

import pytest

from botapp.fight.core import cache, compiler
from botapp.search import preparing
from botapp.search.preparing import Headway, Pace, Plan, all_called, prepare, prepared


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pace(clock):
    return Pace(100.0, clock)


def compiled(function):
    return SimpleNamespace(py_func=function)


@compiled
def far(x):
    return x


@compiled
def near(x):
    return far(x) + far(x)


@compiled
def first(x):
    return near(x) + abs(x)


@compiled
def second(x):
    return near(x) * far(x)


def test_nothing_is_said_of_the_time_left_at_first(pace, clock):
    clock.now = 5.0
    assert pace.headway() == Headway(0.0, None)


def test_half_is_done_and_the_other_half_takes_as_long(pace, clock):
    clock.now = 10.0
    pace.reach(50.0)
    assert pace.headway() == Headway(0.5, 10.0)


def test_within_a_step_it_goes_on_as_before_and_no_further_than_the_step(pace, clock):
    clock.now = 10.0
    pace.reach(50.0, 20.0)
    clock.now = 10.4
    assert pace.headway().share == pytest.approx(0.52, abs=0.002)
    clock.now = 30.0
    late = pace.headway()
    assert 0.68 < late.share < 0.7 and late.seconds_left is None


def test_a_last_step_that_takes_far_longer_never_stands_at_its_end_without_time_left(pace, clock):
    """On busy cores the machine code of the last entry took 47 s more, shown as "100 %, 0 s"."""
    clock.now = 10.0
    pace.reach(80.0, 20.0)
    shares = []
    for second in range(1, 48):
        clock.now = 10.0 + second
        now = pace.headway()
        shares.append(now.share)
        assert now.seconds_left is None or now.seconds_left > 0.1
    assert now.seconds_left is None
    assert shares == sorted(shares) and shares[2] < 0.99 and shares[-1] < 1


def test_the_share_never_falls(pace, clock):
    clock.now = 10.0
    pace.reach(50.0, 50.0)
    clock.now = 15.0
    told = pace.headway().share
    pace.reach(60.0)
    assert pace.headway().share == told


def test_an_entry_holds_all_that_it_calls():
    assert all_called(first) == {near.py_func, far.py_func}
    assert all_called(far) == set()


def test_every_compiled_function_that_python_needs_is_known(monkeypatch):
    if compiler.INTERPRETED:
        pytest.skip("nothing is compiled here")
    called = {function.__qualname__ for entry in preparing.ENTRIES for function in all_called(entry)}
    assert {"reach", "legal_sets", "expand", "roll_out", "choose"} <= called


def test_a_plan_ends_at_the_whole(clock):
    plan = Plan([first, second], lambda total: Pace(total, clock))
    shares = []
    for number, function in enumerate((far, near, first, second), 1):
        clock.now = float(number)
        plan.ended(function.py_func)
        shares.append(plan.pace.headway().share)
    assert shares == sorted(shares) and 0 < shares[0] < shares[1] < shares[2] < 1
    assert shares[3] == pytest.approx(1.0)


def test_what_numba_compiles_besides_counts_for_nothing(clock):
    plan = Plan([first], lambda total: Pace(total, clock))
    clock.now = 1.0
    plan.ended(test_the_share_never_falls)
    assert plan.pace.headway().share == 0


@pytest.fixture
def empty(monkeypatch, tmp_path):
    """An empty folder, and entries that leave a file there at once."""
    pytest.importorskip("numba")

    def load(function):
        (tmp_path / "core_1").mkdir(exist_ok=True)
        (tmp_path / "core_1" / f"{function.py_func.__name__}.1.nbc").write_text("machine code")

    monkeypatch.setattr(compiler, "FOLDER", tmp_path)
    monkeypatch.setattr(compiler, "load", load)
    monkeypatch.setattr(preparing, "ENTRIES", (first, second))
    return tmp_path


def test_it_is_noted_when_all_is_there(empty):
    told = []
    assert not prepared()
    prepare(told.append)
    assert told[-1] == Headway(1.0, 0.0)
    assert prepared() and cache.is_ready(empty)


def test_nothing_is_done_twice(empty):
    prepare()
    told = []
    prepare(told.append)
    assert told == []


def test_what_fails_is_not_noted(empty, monkeypatch):
    def fail(function):
        raise OSError("the disk is full")

    monkeypatch.setattr(compiler, "load", fail)
    with pytest.raises(OSError, match="the disk is full"):
        prepare()
    assert not prepared()


def test_interpreted_nothing_is_done(monkeypatch):
    monkeypatch.setattr(compiler, "FOLDER", None)
    told = []
    prepare(told.append)
    assert told == [] and not prepared()


@pytest.mark.parametrize(
    ("fault", "remedy"),
    [
        ("numba", "-m pip install --force-reinstall numba"),
        ("folder", cache.FOLDER_VARIABLE),
        ("asked", "environment"),
    ],
)
def test_each_obstacle_is_said_with_its_remedy(monkeypatch, fault, remedy):
    monkeypatch.setattr(compiler, "FAULT", fault)
    monkeypatch.setattr(compiler, "WHY_INTERPRETED", "OSError: no")
    assert remedy in preparing.obstacle() and "OSError: no" in preparing.obstacle()
    assert preparing.advice() == preparing.obstacle()


def test_what_is_not_prepared_yet_is_said_with_the_command(monkeypatch):
    monkeypatch.setattr(compiler, "FAULT", "")
    monkeypatch.setattr(compiler, "FOLDER", None)
    assert preparing.obstacle() == ""
    assert "`botapp compile`" in preparing.advice()


def test_nothing_is_said_where_it_is_ready(empty, monkeypatch):
    monkeypatch.setattr(compiler, "FAULT", "")
    prepare()
    assert preparing.advice() == ""

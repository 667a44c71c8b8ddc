"""The mailbox holds the latest item and counts what nobody took."""

from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from botapp.runtime.mailbox import Mailbox


@given(st.lists(st.one_of(st.integers(), st.just("take"))))
def test_the_latest_wins_and_every_item_is_taken_dropped_or_still_there(steps: list[object]) -> None:
    box: Mailbox[int] = Mailbox()
    put = taken = 0
    latest: int | None = None
    for step in steps:
        if isinstance(step, int):
            box.put(step)
            put, latest = put + 1, step
        else:
            assert box.take() == latest
            taken += latest is not None
            latest = None
    assert put == taken + box.dropped + (latest is not None)


def test_taking_waits_for_another_thread() -> None:
    box: Mailbox[str] = Mailbox()
    sender = Thread(target=box.put, args=("late",))
    sender.start()
    assert box.take(wait_s=30) == "late"
    sender.join()


def test_waiting_for_nothing_gives_none() -> None:
    assert Mailbox[int]().take(wait_s=0.01) is None

"""The environment of a child process can be asked for while another thread changes this one's."""

import os
import threading

from hrm.backends.probing.child import child_environment


def test_a_variable_that_goes_meanwhile_is_left_out():
    ended = threading.Event()

    def change() -> None:
        while not ended.is_set():
            os.environ["BOTAPP_COMES_AND_GOES"] = "1"
            del os.environ["BOTAPP_COMES_AND_GOES"]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        assert all(child_environment()["PYTHONSAFEPATH"] == "1" for _ in range(3000))
    finally:
        ended.set()
        thread.join()

"""Another client's screen in the watched window is found by the picture, and not asked about for ever."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from botapp.runtime.client_doubt import ClientDoubt
from botapp.tracking.clients import best, client_on_picture, fit
from botapp.tracking.player_profile import PlayerProfile
from vision.frame import Frame, Rect
from vision.view import FightView, Phase, Seen

FRAME = Frame(np.zeros((400, 640, 4), np.uint8), Rect(0, 0, 640, 400), 1, 1)
NOTHING = FightView(phase=Seen(Phase.UNKNOWN, 0.5))
FIGHT = FightView(phase=Seen(Phase.FIGHT, 0.9), hp=Seen(50, 0.9), ap=Seen(6, 0.9))
UNITY = PlayerProfile("dofus-unity")


class Desk:
    """A clock, and what each client's reader finds."""

    def __init__(self, **found: FightView) -> None:
        self.now, self.read = 0.0, 0
        self.found = {name.replace("_", "-"): view for name, view in found.items()}
        self.doubt = ClientDoubt(self.reading, lambda: self.now)

    def reading(self, _frame: Frame, client: str, _profile: PlayerProfile) -> FightView:
        self.read += 1
        return self.found.get(client, NOTHING)

    def follow(self, seconds: float, view: FightView = NOTHING) -> tuple[str, ...]:
        """Shows ten pictures a second for so long; returns the clients it names at the last."""
        told: tuple[str, ...] = ()
        for _ in range(round(10 * seconds)):
            self.now += 0.1
            told = self.doubt.follow(FRAME, view, UNITY)
        return told


def test_the_client_whose_hud_is_in_the_picture_is_found_within_a_second() -> None:
    assert Desk(dofus_2=FIGHT).follow(1.0) == ("dofus-2",)


def test_where_two_fit_alike_both_are_told() -> None:
    found = Desk(dofus_2=FIGHT, dofus_retro=FIGHT).follow(1.0)
    assert sorted(found) == ["dofus-2", "dofus-retro"]


def test_a_client_that_was_found_once_is_not_doubted_in_its_menus() -> None:
    desk = Desk(dofus_2=FIGHT)
    desk.follow(0.3, FIGHT)
    assert desk.follow(60) == () and desk.read == 0
    desk.doubt.begin()
    assert desk.follow(1.0) == ("dofus-2",), "in another window it is asked again"


def test_a_single_figure_is_no_proof_and_no_reason_to_ask() -> None:
    desk = Desk(dofus_2=FIGHT)
    assert desk.follow(1.0, replace(NOTHING, ap=Seen(6, 0.9))) == ()
    assert desk.follow(1.0) == ("dofus-2",)


def test_where_none_is_found_it_is_asked_ever_more_rarely() -> None:
    desk = Desk()
    assert desk.follow(600) == ()
    assert desk.read <= 3 * 18


@pytest.mark.parametrize(
    ("view", "least"),
    [
        (NOTHING, 0),
        (FightView(phase=Seen(Phase.NOT_FIGHT, 0.8), hud_hidden=True), 0),
        (FightView(phase=Seen(Phase.NOT_FIGHT, 0.97)), 1),
        (FIGHT, 4),
    ],
)
def test_a_picture_without_a_hud_tells_no_client(view: FightView, least: int) -> None:
    assert fit(view) == least


def test_the_best_fitting_client_is_taken() -> None:
    assert best({"a": NOTHING, "b": FIGHT, "c": FightView(phase=Seen(Phase.NOT_FIGHT, 0.97))}) == ("b",)
    assert best({"a": NOTHING}) == ()


def test_look_and_advise_take_the_client_of_the_picture_and_else_the_players(monkeypatch: Any) -> None:
    found = {"dofus-retro": FIGHT}
    monkeypatch.setattr("botapp.tracking.clients.read_as", lambda _f, name, _p: found.get(name, NOTHING))
    assert client_on_picture(FRAME, UNITY).client == "dofus-retro"
    found["dofus-unity"] = FIGHT
    assert client_on_picture(FRAME, UNITY).client == "dofus-unity"
    found.clear()
    assert client_on_picture(FRAME, UNITY).client == "dofus-unity"

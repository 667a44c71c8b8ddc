"""Lives that were told before: old once no card shows them any more."""

from dataclasses import replace

import pytest
from flawless import view_of

from botapp.arena.scenarios import adventure
from botapp.tracking.lives import outdated
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.state_tracker import StateTracker
from vision.frame import Rect
from vision.view import CardSeen, FighterSeen, FightView, Seen

BOX = Rect(0, 0, 10, 10)


def shown(cards, told=()):
    return FightView(
        timeline=tuple(
            CardSeen(BOX, "enemy", False, Seen() if life is None else Seen(life, 0.9)) for life in cards
        ),
        enemies=tuple(
            FighterSeen((0.0, 0.0), 100 + n, "enemy", Seen(life, 0.9)) for n, life in enumerate(told)
        ),
    )


@pytest.mark.parametrize(
    ("cards", "told", "kept", "old"),
    [
        ((0.87, 0.84), (0.87,), (0.84,), [False]),
        ((0.87, 0.56), (0.87,), (0.84,), [True]),
        ((0.84, 0.56), (), (0.84, 0.84), [True, True]),
        ((0.84, 0.84), (), (0.84, 0.84), [False, False]),
        ((0.84, 0.56), (), (0.84, 0.55), [False, False]),
        ((0.84, 0.84), (0.84,), (0.83,), [False]),
        ((None, 0.45), (0.45,), (0.2,), [True]),
    ],
)
def test_a_life_is_old_where_too_few_cards_left_show_it(cards, told, kept, old):
    assert outdated(shown(cards, told), kept) == old


def test_without_a_timeline_nothing_is_known_of_it():
    assert outdated(FightView(), (0.5,)) is None


def test_an_old_life_stays_as_what_is_assumed():
    state = next(s for s in (adventure(seed, "ember") for seed in range(20)) if s.actor.id == 0)
    view, tracker = view_of(state, 0), StateTracker(PlayerProfile(player_class="ember"))
    enemies = tuple(replace(one, hp_fraction=Seen(0.8, 1.0)) for one in view.enemies)
    tracker.situate(replace(view, enemies=enemies))
    untold = tuple(replace(one, hp_fraction=Seen()) for one in view.enemies)

    def known(lives):
        cards = tuple(CardSeen(BOX, "enemy", False, Seen(life, 0.9), kind="?") for life in lives)
        tracked = tracker.situate(replace(view, enemies=untold, timeline=cards))
        return [f for f in tracked.state.fighters if f.team != 0], tracked.assumed

    count = len(untold)
    fighters, _ = known([0.8] * count)
    assert not any("hp" in f.assumed for f in fighters)
    fighters, assumed = known([0.8] * (count - 1) + [0.3])
    assert all("hp" in f.assumed and f.hp < f.max_hp + f.eroded for f in fighters)
    assert any("80 %, as last told" in text for text in assumed)

"""The tracker bridges short gaps and never makes anything up."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision import track
from vision.track import JUMP_CELLS, LIMIT_NS, NOTHING, NUMBERS, follow
from vision.view import FighterSeen, FightView, Lattice, Phase, Seen, SpellSlot

LATTICE = Lattice((100.0, 50.0), 70.0, 35.0)
MS = 1_000_000


def fighter(cell, team="enemy", life=1.0, confidence=0.9):
    return FighterSeen(LATTICE.centre(cell), cell, team, Seen(life, 0.9), confidence=confidence)


def view(**changes):
    fields = {
        "phase": Seen(Phase.FIGHT, 0.95),
        "turn": Seen("mine", 0.95),
        "lattice": Seen(LATTICE, 0.95),
        "player": fighter(200, "own"),
        "enemies": (fighter(230), fighter(310)),
        "hp": Seen(300, 0.99),
        "max_hp": Seen(400, 0.99),
        "ap": Seen(4, 0.99),
        "mp": Seen(2, 0.99),
        "timer_s": Seen(30, 0.99),
        "turn_number": Seen(2, 0.99),
        "fighters_shown": Seen(3, 0.95),
    }
    return FightView(**(fields | changes))


def fed(*steps):
    """Follows (view, milliseconds) pairs; returns the answers."""
    memory, answers = NOTHING, []
    for seen, at_ms in steps:
        memory, answer = follow(memory, seen, at_ms * MS)
        answers.append(answer)
    return answers


BEGUN = (view(ap=Seen(6, 0.99), mp=Seen(3, 0.99)), 0), (view(), 100)
"""A turn in which two AP and one MP have been spent."""


def test_a_number_under_a_tooltip_is_bridged_with_falling_confidence_and_given_up_at_the_limit():
    hidden = view(hp=Seen(), max_hp=Seen())
    answers = fed(*BEGUN, (hidden, 200), (hidden, 1000), (hidden, 2000), (hidden, 2101))[2:]
    assert [answer.hp.value for answer in answers] == [300, 300, 300, None]
    sure = [answer.hp.confidence for answer in answers]
    assert 0.99 > sure[0] > sure[1] > sure[2] > 0.4
    assert [answer.remembered for answer in answers] == [{"hp", "max_hp"}] * 3 + [frozenset()]


def test_what_is_read_passes_as_it_is():
    for answer, (seen, _) in zip(fed(*BEGUN), BEGUN, strict=True):
        assert answer is seen or answer == replace(seen, cells=answer.cells)


def test_a_timer_and_a_shield_are_never_bridged():
    answer = fed((view(shield=Seen(50, 0.9)), 0), (view(timer_s=Seen()), 50))[-1]
    assert answer.timer_s.value is None
    assert answer.shield.value is None


def test_my_turn_is_bridged_under_a_covered_button_while_spent_points_show_that_it_goes_on():
    covered = view(turn=Seen())
    answer = fed(*BEGUN, (covered, 300))[-1]
    assert answer.turn.value == "mine"
    assert answer.turn.confidence < 0.95
    assert "turn" in answer.remembered


def test_my_turn_is_not_bridged_where_its_end_would_not_show():
    full = view(ap=Seen(6, 0.99), mp=Seen(3, 0.99))
    assert fed((full, 0), (replace(full, turn=Seen()), 100))[-1].turn.value is None
    assert fed(*BEGUN, (view(turn=Seen(), ap=Seen()), 300))[-1].turn.value is None
    assert fed(*BEGUN, (replace(full, turn=Seen()), 300))[-1].turn.value is None


def test_nothing_is_carried_across_a_turn_or_a_round():
    gone = view(turn=Seen("other", 0.9), hp=Seen(), ap=Seen(), player=None)
    answer = fed(*BEGUN, (gone, 200))[-1]
    assert (answer.hp.value, answer.ap.value, answer.player) == (None, None, None)
    back = view(turn_number=Seen(3, 0.99), hp=Seen())
    assert fed(*BEGUN, (gone, 200), (back, 300))[-1].hp.value is None
    assert fed(*BEGUN, (back, 200))[-1].hp.value is None


def test_a_number_is_not_bridged_once_something_else_has_changed():
    hit = view(hp=Seen(), enemies=(fighter(230, life=0.4), fighter(310)))
    assert fed(*BEGUN, (hit, 200))[-1].hp.value is None


def test_ap_are_not_bridged_once_a_spell_cannot_be_cast_any_more():
    spells = (SpellSlot(0, usable=Seen(True, 0.9)), SpellSlot(1, usable=Seen(False, 0.9)))
    begun = (replace(BEGUN[0][0], spells=spells), 0), (replace(BEGUN[1][0], spells=spells), 100)
    hidden = view(ap=Seen(), spells=spells)
    assert fed(*begun, (hidden, 200))[-1].ap.value == 4
    spent = replace(hidden, spells=(replace(spells[0], usable=Seen(False, 0.9)), spells[1]))
    assert fed(*begun, (hidden, 200), (spent, 300))[-1].ap.value is None


def test_a_number_is_not_bridged_over_pictures_in_which_the_turn_was_not_known():
    hidden = view(ap=Seen())
    assert fed(*BEGUN, (hidden, 200))[-1].ap.value == 4
    unknown = view(turn=Seen(), timer_s=Seen())
    silent = replace(unknown, ap=Seen(), turn_number=Seen(), fighters_shown=Seen())
    answers = fed((view(), 0), (unknown, 100), (silent, 200), (hidden, 300))
    assert answers[2].turn.value is None and answers[3].ap.value is None
    answers = fed((view(), 0), (unknown, 100), (replace(silent, phase=Seen()), 200), (hidden, 300))
    assert answers[3].ap.value is None


def test_a_hidden_fighter_is_bridged_while_the_timeline_counts_it():
    hidden = view(enemies=(fighter(230),))
    answer = fed(*BEGUN, (hidden, 200))[-1]
    assert [enemy.cell for enemy in answer.enemies] == [230, 310]
    assert answer.enemies[1].confidence < 0.9
    assert answer.remembered == {"enemies"}
    dead = replace(hidden, fighters_shown=Seen(2, 0.95))
    assert [enemy.cell for enemy in fed(*BEGUN, (dead, 200))[-1].enemies] == [230]
    unsaid = replace(hidden, fighters_shown=Seen())
    assert [enemy.cell for enemy in fed(*BEGUN, (unsaid, 200))[-1].enemies] == [230]


def test_a_hidden_player_is_bridged_unless_someone_stands_there():
    assert fed(*BEGUN, (view(player=None), 200))[-1].player.cell == 200
    taken = view(player=None, enemies=(fighter(200),))
    assert fed(*BEGUN, (taken, 200))[-1].player is None


def test_a_hidden_player_is_not_bridged_where_it_may_have_paid_for_steps():
    """MP that come into sight with the player gone may be what is left after a walk."""
    unread = [(replace(one, mp=Seen()), at_ms) for one, at_ms in BEGUN]
    assert fed(*unread, (view(player=None, mp=Seen()), 200))[-1].player.cell == 200
    assert fed(*unread, (view(player=None, mp=Seen(0, 0.99)), 200))[-1].player is None


def test_mp_that_are_not_read_are_not_bridged_while_the_player_is_hidden():
    """It may have walked under a window, and its old cell and its old MP would prove each other."""
    hidden = fed(*BEGUN, (view(player=None, mp=Seen(), hp=Seen()), 200))[-1]
    assert hidden.mp.value is None and hidden.hp.value == 300
    assert fed(*BEGUN, (view(mp=Seen()), 200))[-1].mp.value == 2


def test_a_fighter_that_jumps_across_the_board_is_accepted_at_the_second_view():
    far = view(enemies=(fighter(230), fighter(500)))
    first, second = fed(*BEGUN, (far, 200), (far, 300))[2:]
    assert [enemy.cell for enemy in first.enemies] == [230, 310]
    assert first.enemies[1].confidence < 0.9
    assert "enemies" in first.remembered
    assert [enemy.cell for enemy in second.enemies] == [230, 500]
    assert second.remembered == frozenset()


def test_a_step_is_accepted_at_once():
    near = view(enemies=(fighter(230), fighter(311)))
    assert [enemy.cell for enemy in fed(*BEGUN, (near, 200))[-1].enemies] == [230, 311]


def test_a_number_that_loses_a_digit_is_accepted_at_the_second_view():
    cut = view(hp=Seen(30, 0.99))
    first, second = fed(*BEGUN, (cut, 200), (cut, 300))[2:]
    assert first.hp.value == 300
    assert first.hp.confidence < 0.6
    assert second.hp.value == 30
    assert fed(*BEGUN, (view(hp=Seen(295, 0.99)), 200))[-1].hp.value == 295


def test_a_fight_that_is_over_is_forgotten_and_a_doubtful_end_is_not():
    over = FightView(phase=Seen(Phase.NOT_FIGHT, 0.95))
    hidden = view(hp=Seen())
    assert fed(*BEGUN, (over, 150), (hidden, 200))[-1].hp.value is None
    doubtful = FightView(phase=Seen(Phase.UNKNOWN, 0.0))
    assert fed(*BEGUN, (doubtful, 150), (hidden, 200))[-1].hp.value == 300
    assert fed(*BEGUN, (doubtful, 150))[-1].hp.value is None


def seen_or_not(values):
    return st.one_of(st.just(Seen()), values.map(lambda value: Seen(value, 0.95)))


small = st.integers(0, 3)
cells = st.integers(0, 559)
VIEWS = st.builds(
    view,
    phase=st.sampled_from(
        [Seen(Phase.FIGHT, 0.95)] * 6 + [Seen(Phase.UNKNOWN, 0.0), Seen(Phase.NOT_FIGHT, 0.95)]
    ),
    turn=seen_or_not(st.sampled_from(["mine", "mine", "mine", "other"])),
    hp=seen_or_not(st.sampled_from([30, 300, 3000, 295])),
    max_hp=seen_or_not(st.sampled_from([400, 4000])),
    ap=seen_or_not(small),
    mp=seen_or_not(small),
    turn_number=seen_or_not(st.integers(1, 2)),
    fighters_shown=seen_or_not(st.integers(0, 5)),
    player=st.one_of(st.none(), st.sampled_from([200, 201, 500]).map(lambda cell: fighter(cell, "own"))),
    enemies=st.lists(st.sampled_from([230, 231, 310, 500]), max_size=3, unique=True).map(
        lambda found: tuple(fighter(cell) for cell in found)
    ),
)
STEPS = st.lists(st.tuples(VIEWS, st.integers(0, 1500)), min_size=1, max_size=12)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_nothing_is_made_up(steps):
    """Whatever is bridged was read before, in this fight and turn, not longer ago than the limit."""
    memory, now, past = NOTHING, 0, []
    for seen, wait_ms in steps:
        now += wait_ms * MS
        memory, answer = follow(memory, seen, now)
        if seen.phase.value is not Phase.FIGHT:
            assert answer is seen
            past = [] if seen.phase.value is Phase.NOT_FIGHT else past
            continue
        if any(track.is_other(other, seen) for other, _ in past[-1:]):
            past = []
        recent = [old for old, at in past if now - at <= LIMIT_NS]
        for name in (*NUMBERS, "turn"):
            value, given_ = getattr(answer, name), getattr(seen, name)
            if value == given_:
                continue
            assert name in answer.remembered
            assert value.confidence <= 0.95
            assert any(getattr(old, name).value == value.value for old in recent)
            if name != "turn":
                assert answer.turn.value == "mine" or name in ("hp", "max_hp")
        places = {(other.team, other.cell) for old in recent for other in old.fighters}
        for other in answer.fighters:
            assert other in seen.fighters or (other.team, other.cell) in places
        past.append((seen, now))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_it_is_a_pure_function_of_its_arguments(steps):
    memory, now = NOTHING, 0
    for seen, wait_ms in steps:
        now += wait_ms * MS
        first, second = follow(memory, seen, now), follow(memory, seen, now)
        for name in ("hp", "ap", "turn", "player", "enemies", "remembered"):
            assert getattr(first[1], name) == getattr(second[1], name)
        assert first[0].read == second[0].read
        memory = first[0]


@given(cells, cells)
def test_a_distance_is_that_of_the_board(first, second):
    def place(cell):
        row, col = divmod(cell, 14)
        return col + -(-row // 2), col - row // 2

    (x, y), (other_x, other_y) = place(first), place(second)
    assert track.steps_between(first, second) == abs(x - other_x) + abs(y - other_y)
    assert JUMP_CELLS > 6


def test_hp_with_another_digit_are_unread_until_a_second_view_shows_them():
    pointed_at = view(hp=Seen(308, 0.99))
    answers = fed(*BEGUN, (pointed_at, 200), (view(), 300), (pointed_at, 400), (pointed_at, 500))[2:]
    assert [answer.hp.value for answer in answers] == [None, 300, None, 308]
    assert fed(*BEGUN, (view(hp=Seen(258, 0.99)), 200))[-1].hp.value == 258

"""Cards of the timeline are matched with enemies by what is seen over time, and never more than is sure."""

from dataclasses import replace

import numpy as np
import pytest

from botapp.fight.board import neighbours, to_cell, to_xy
from botapp.tracking.cards import CardMatcher
from botapp.tracking.names import Names
from vision.frame import Rect
from vision.signature import name_signature, signature
from vision.view import CardSeen, FighterSeen, FightView, Phase, Seen

BOX = Rect(0, 0, 40, 40)
LIVES = (1.0, 0.7, 0.4)
CELLS = (200, 260, 320)


def face(number):
    return signature(np.random.default_rng(number).integers(0, 255, (40, 40, 3), dtype=np.uint8))


FACES = tuple(map(face, range(3)))


class Fight:
    """Three enemies and the player, picture by picture."""

    def __init__(self, faces=FACES):
        self.faces, self.lives = list(faces), list(LIVES)
        self.cells = dict(enumerate(CELLS))
        self.alive = [0, 1, 2]
        self.matcher, self.playing, self.now, self.step_ns = CardMatcher(), None, 0, 500_000_000
        self.hidden, self.names, self.called = set(), Names(), {}
        self.ally = self.unmarked = False
        self.show()

    def show(self):
        self.now += self.step_ns
        row = [CardSeen(BOX, "own", self.playing is None)]
        row += [
            CardSeen(BOX, "enemy", one == self.playing, Seen(self.lives[one], 0.9), self.faces[one])
            for one in self.alive
        ]
        enemies = tuple(
            FighterSeen((0, 0), cell, "enemy", name=self.called.get(one, ""))
            for one, cell in sorted(self.cells.items(), key=lambda entry: entry[1])
            if one not in self.hidden
        )
        if self.ally:
            row.append(CardSeen(BOX, "own", self.playing == "ally"))
        if self.unmarked:
            row = [replace(card, current=False) for card in row]
        view = FightView(
            phase=Seen(Phase.FIGHT, 0.9),
            turn=Seen("mine" if self.playing is None else "other", 0.9),
            timeline=tuple(row),
            enemies=enemies,
            captured_ns=self.now,
        )
        followed = self.matcher.follow(view, self.names)
        self.seen = {one.cell: one for one in followed.enemies}
        self.unmoved = followed.unmoved

    def play(self, one, *moves):
        """Has an enemy's turn, the player's for None, with moves of (who, cell), a picture each."""
        self.playing = one
        self.show()
        for who, cell in moves:
            self.cells[who] = cell
            self.show()

    def known(self):
        """Returns whose card each enemy in sight was given: life, or None."""
        return {
            one: self.seen[cell].hp_fraction.value
            for one, cell in self.cells.items()
            if one not in self.hidden
        }


def bent(cell):
    """Returns a cell where no push leads."""
    x, y = to_xy(cell)
    return to_cell(x + 1, y - 2)


def beside(cell):
    return neighbours(cell)[0]


def test_whoever_walks_in_its_turn_is_the_one_whose_card_is_marked():
    fight = Fight()
    fight.play(1, (1, bent(260)))
    fight.play(None)
    assert fight.known() == {0: None, 1: 0.7, 2: None}
    fight.lives[1] = 0.3
    fight.show()
    assert fight.known()[1] == 0.3
    assert fight.seen[fight.cells[1]].portrait == FACES[1]


def test_a_step_in_line_may_be_a_push_and_takes_two_turns():
    fight = Fight()
    fight.play(1, (1, beside(260)))
    fight.play(None)
    assert fight.known()[1] is None
    fight.play(1, (1, 260))
    fight.play(None)
    assert fight.known()[1] == 0.7


@pytest.mark.parametrize(("ms", "is_walk"), [(100, False), (400, True), (1500, False)])
def test_steps_in_line_that_take_as_long_as_only_a_walk_does_are_one(ms, is_walk):
    """A push takes 85 ms a cell at most; two of them are two casts, a second and more apart."""
    fight = Fight()
    fight.step_ns = 100_000_000
    x, y = to_xy(260)
    fight.play(1, (1, to_cell(x + 1, y)))
    for _ in range(ms // 100 - 1):
        fight.show()
    fight.cells[1] = to_cell(x + 2, y)
    fight.show()
    fight.play(None)
    assert fight.known()[1] == (0.7 if is_walk else None)


def test_one_push_by_another_is_outweighed_by_three_turns_of_its_own():
    fight = Fight()
    fight.play(0, (1, beside(260)))
    fight.play(1, (1, bent(beside(260))))
    fight.play(None)
    assert fight.known()[1] is None
    fight.cells[1] = 260
    fight.show()
    fight.play(1, (1, beside(260)))
    fight.play(None)
    assert fight.known()[1] == 0.7


def test_an_enemy_that_is_pushed_by_another_is_not_taken_for_it_once_it_walks_itself():
    fight = Fight()
    for cell in (beside(260), 260):
        fight.play(0, (1, cell))
        fight.play(1, (1, bent(cell)))
        fight.cells[1] = cell
        fight.show()
    fight.play(None)
    assert fight.known()[0] is None and fight.known()[1] is None


@pytest.mark.parametrize("second", [1, 2])
def test_of_two_that_moved_in_a_turn_nobody_is_known(second):
    fight = Fight()
    fight.play(0, (0, bent(200)), (second, bent(CELLS[second])))
    fight.play(None)
    assert set(fight.known().values()) == {None}


def test_moves_in_the_turn_of_the_player_tell_nothing():
    fight = Fight()
    fight.play(None, (1, bent(260)))
    fight.play(0)
    fight.play(None)
    assert set(fight.known().values()) == {None}


def test_two_that_moved_unseen_are_not_known_again():
    fight = Fight()
    fight.play(1, (1, bent(260)))
    fight.play(None)
    fight.hidden = {0, 1}
    fight.show()
    fight.hidden = set()
    fight.cells[0], fight.cells[1] = bent(200), bent(fight.cells[1])
    fight.show()
    assert set(fight.known().values()) == {None}


def test_one_that_was_hidden_where_it_stood_is_known_again_when_it_is_back():
    fight = Fight()
    fight.play(1, (1, bent(260)))
    fight.play(None)
    fight.hidden = {1}
    fight.show()
    fight.cells[0] = bent(200)
    fight.show()
    fight.hidden = set()
    fight.show()
    assert fight.known()[1] == 0.7


def test_a_match_outlives_the_others():
    fight = Fight()
    fight.play(2, (2, bent(320)))
    fight.play(None)
    fight.alive.remove(0)
    del fight.cells[0]
    fight.show()
    assert fight.known() == {1: 0.7, 2: 0.4}


def test_the_death_of_one_of_two_alike_leaves_open_which_card_is_left():
    fight = Fight((FACES[0], FACES[0], FACES[2]))
    fight.play(0, (0, bent(200)))
    fight.play(None)
    fight.alive.remove(1)
    del fight.cells[1]
    fight.cells[2] = bent(320)
    fight.show()
    assert fight.known()[0] in (None, 1.0)


def test_after_a_gap_nothing_is_made_of_who_stands_elsewhere():
    fight = Fight()
    fight.play(0)
    fight.now += 30_000_000_000
    fight.cells[1] = bent(260)
    fight.show()
    fight.play(None)
    assert set(fight.known().values()) == {None}


def test_a_name_under_the_mouse_tells_whose_card_is_whose_where_one_is_of_its_kind():
    fight = Fight()
    written = name_signature((255 * np.random.default_rng(9).random((12, 60))).astype(np.float32))
    fight.called = {1: written}
    fight.names = Names(portraits={FACES[0]: "bear", FACES[1]: "wolf", written: "wolf"})
    fight.show()
    assert fight.known()[1] is None, "a card without a name may be a wolf's as well"
    fight.names = Names(portraits={**fight.names.portraits, FACES[2]: "boar"})
    fight.show()
    assert fight.known() == {0: None, 1: 0.7, 2: None}
    fight.called = {}
    fight.show()
    assert fight.known()[1] == 0.7


def test_what_the_reader_has_said_stays():
    fight = Fight()
    fight.play(1, (1, bent(260)))
    fight.play(None)
    told = FighterSeen((0, 0), fight.cells[1], "enemy", Seen(0.9, 0.9))
    row = tuple(CardSeen(BOX, "enemy", False, Seen(life, 0.9), FACES[n]) for n, life in enumerate(LIVES))
    others = (FighterSeen((0, 0), 200, "enemy"), FighterSeen((0, 0), 320, "enemy"))
    view = FightView(timeline=row, enemies=(told, *others), captured_ns=fight.now)
    found = fight.matcher.follow(view, Names())
    assert found.enemies[0].hp_fraction.value == 0.9
    unread = replace(view, timeline=())
    assert fight.matcher.follow(unread, Names()) is unread


def matched_fight(ally=False):
    """Returns a fight in the player's turn, in which each enemy has walked where no push leads."""
    fight = Fight()
    fight.ally = ally
    for one in range(3):
        fight.play(one, (one, bent(fight.cells[one])))
    if ally:
        fight.play("ally")
    fight.play(None)
    return fight


def test_an_enemy_out_of_sight_may_have_moved_once_its_turn_has_come():
    fight = matched_fight()
    fight.hidden = {1, 2}
    fight.play(0)
    fight.play(1)
    assert fight.unmoved == {fight.cells[2]}
    fight.play(2)
    fight.play(None)
    assert fight.unmoved == set()
    fight.hidden = set()
    fight.show()
    fight.hidden = {1}
    fight.show()
    assert fight.unmoved == {fight.cells[1]}  # it was seen again


def test_turns_that_were_not_seen_count_by_the_order_of_the_cards():
    fight = matched_fight()
    fight.hidden = {0, 2}
    fight.play(0)
    fight.unmarked = True
    fight.show()
    assert fight.unmoved == set()  # it is not known who plays
    fight.unmarked = False
    fight.play(1)
    assert fight.unmoved == {fight.cells[2]}
    fight.play(None)
    assert fight.unmoved == set()  # the third has been at turn between


def test_an_ally_may_push_an_enemy_out_of_sight():
    fight = matched_fight(ally=True)
    fight.hidden, fight.step_ns = {1}, 100_000_000
    fight.play("ally")
    assert fight.unmoved == set()


@pytest.mark.parametrize(("ms", "stays"), [(200, True), (300, False)])
def test_an_enemy_seen_just_before_its_turn_ended_has_not_walked(ms, stays):
    fight = matched_fight()
    fight.play(2)
    fight.hidden, fight.step_ns = {2}, ms * 1_000_000
    fight.show()  # a window opens over it while it is at turn
    fight.play(None)
    fight.play(None)
    assert fight.unmoved == ({fight.cells[2]} if stays else set())


def test_of_enemies_never_seen_to_walk_any_may_be_at_turn():
    fight = Fight()
    fight.hidden = {2}
    fight.play(0)
    assert fight.unmoved == set()


@pytest.mark.parametrize("known", [0, 2])
def test_one_match_of_a_card_or_of_an_enemy_out_of_sight_tells_that_another_was_at_turn(known):
    fight = Fight()
    fight.play(known, (known, bent(CELLS[known])))
    fight.play(None)
    fight.hidden = {2}
    fight.play(0)
    assert fight.unmoved == {fight.cells[2]}

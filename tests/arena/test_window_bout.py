"""Fights in time, without a window: turns, the timer, opponents, speed, results and what the log is told."""

import random

import pytest

from botapp.arena.options import ArenaOptions
from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import adventure
from botapp.arena.window.bout import RESULT_S, Bout
from botapp.content.library import classes, monsters
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.rules import legal_actions

pytestmark = pytest.mark.usefixtures("qapp")


class Play:
    """A bout with a clock of its own."""

    def __init__(self, **options):
        self.now = 100.0
        self.events = []
        self.bout = Bout(ArenaOptions(**options), self.now, self.events.append)

    def wait(self, done, step=0.02, limit=200.0):
        end = self.now + limit
        while not done():
            assert self.now < end, "it never happened"
            self.now += step
            self.bout.advance(self.now)

    def to_my_turn(self):
        self.wait(lambda: self.bout.free or self.bout.fight.winner is not None)

    def finish(self, player=None):
        dice, player = random.Random(1), player or GreedyPlayer()
        while self.bout.fight.winner is None:
            self.to_my_turn()
            if self.bout.free:
                assert self.bout.submit(player.choose(self.bout.fight.state, dice), self.now) == ""
            self.bout.advance(self.now)

    def of(self, event):
        return [entry for entry in self.events if entry["event"] == event]


def test_a_move_walks_cell_by_cell_and_then_stands():
    play = Play(player_class="ranger")
    play.to_my_turn()
    bout = play.bout
    move = next(a for a in legal_actions(bout.fight.state) if isinstance(a, Move) and len(a.path) >= 2)
    start = bout.shown.actor.cell
    assert bout.submit(move, play.now) == ""
    assert bout.refusal() == "busy"
    seen = set()
    while not bout.free:
        play.now += 0.03
        bout.advance(play.now)
        seen.update(bout.moment(play.now).motion.moving.values())
        if bout.moment(play.now).motion.moving:
            assert bout.shown.actor.cell == start
            assert not bout.moment(play.now).highlights.reachable
    assert len(seen) > 4
    assert bout.shown.actor.cell == move.target


def floaters(play):
    return play.bout.moment(play.now).motion.floaters


def test_a_cast_flies_strikes_and_lets_the_damage_rise():
    play = Play(player_class="ember", seed=3)
    for _ in range(40):
        play.to_my_turn()
        casts = [
            a for a in legal_actions(play.bout.fight.state) if isinstance(a, Cast) and a.spell == "spark"
        ]
        hits = [
            a
            for a in casts
            if any(f.cell == a.target and f.team == 1 for f in play.bout.fight.state.fighters)
        ]
        if hits:
            break
        walk = GreedyPlayer().choose(play.bout.fight.state, random.Random(1))
        play.bout.submit(walk, play.now)
        play.bout.advance(play.now)
    before = next(f for f in play.bout.fight.state.fighters if f.cell == hits[0].target)
    assert play.bout.submit(hits[0], play.now) == ""
    lost = before.hp - play.bout.fight.state.fighter(before.id).hp
    play.wait(lambda: (f"-{lost}", before.cell) in [(f.text, f.cell) for f in floaters(play)])
    assert before.id in play.bout.moment(play.now).motion.struck
    play.wait(lambda: play.bout.free)
    assert floaters(play)
    play.wait(lambda: not floaters(play))


def test_the_opponent_plays_its_turn_and_hands_it_back():
    play = Play(seed=2)
    play.to_my_turn()
    turn = play.bout.fight.state.turn
    assert play.bout.submit(EndTurn(), play.now) == ""
    assert not play.bout.moment(play.now).mine
    assert play.bout.submit(EndTurn(), play.now) == "not your turn"
    play.to_my_turn()
    assert play.bout.fight.state.turn >= turn
    assert {"player", "other"} == {event["who"] for event in play.of("action")}


def test_what_the_rules_refuse_is_refused_with_their_reason():
    play = Play()
    play.to_my_turn()
    reason = play.bout.submit(Move((0,)), play.now)
    assert "0" in reason and play.bout.free
    (told,) = play.of("refused")
    assert (told["action"], told["reason"]) == ({"type": "move", "path": [0]}, reason)


def test_the_timer_counts_down_and_ends_the_turn():
    play = Play(seed=2, turn_seconds=3)
    play.to_my_turn()
    begun = play.now
    assert play.bout.moment(play.now).timer_s == 3
    play.wait(lambda: play.bout.fight.state.actor.id != play.bout.fight.player)
    assert 2.0 < play.now - begun < 3.1
    assert play.of("action")[-1]["action"] == {"type": "end_turn"}


def test_speed_shortens_the_opponents_turn_but_not_the_persons_time():
    def opponents_turn(speed):
        play = Play(seed=5, player_class="leech", speed=speed)
        play.to_my_turn()
        play.bout.submit(EndTurn(), play.now)
        begun = play.now
        play.wait(lambda: play.bout.free, step=0.002)
        assert play.bout.moment(play.now).timer_s == 30
        return play.now - begun

    assert opponents_turn(10) < opponents_turn(1) / 5


@pytest.mark.parametrize("opponent", ["greedy", "random"])
def test_a_fight_comes_to_an_end_and_is_told_to_the_log(opponent):
    play = Play(seed=7, speed=50, opponent=opponent, player_class="warden")
    play.finish()
    (end,) = play.of("fight-end")
    assert end["fight"] == 0 and end["seed"] == 7 and end["player_team"] == 0
    assert end["winner"] == play.bout.fight.winner and end["turns"] == play.bout.fight.state.turn
    assert play.bout.submit(EndTurn(), play.now) == "the fight is over"
    moment = play.bout.moment(play.now)
    assert moment.winner is not None and not moment.mine


@pytest.mark.slow
def test_the_same_seed_and_actions_make_the_same_fight():
    plays = [Play(seed=11, speed=speed) for speed in (20, 80)]
    for play in plays:
        play.finish()
    assert plays[0].events == plays[1].events


def test_the_result_waits_for_the_person_and_the_next_fight_has_the_next_seed():
    play = Play(seed=7, speed=50, player_class="warden")
    play.finish()
    assert play.bout.due(play.now) is None or play.bout.moment(play.now).motion.floaters
    first = play.bout.fight.state.map.key
    for _ in range(100):
        play.now += 1
        play.bout.advance(play.now)
    assert play.bout.fight.winner is not None
    play.bout.next_fight(play.now)
    assert play.bout.fight.winner is None and play.bout.fight.seed == 8 and play.bout.number == 1
    assert play.bout.fight.state.map.key != first
    play.bout.next_fight(play.now)
    assert play.bout.number == 1


def test_on_autopilot_the_next_fight_starts_by_itself():
    play = Play(seed=7, speed=50, autopilot=True, player_class="warden")
    play.finish()
    ended = play.now
    assert play.bout.moment(play.now).goes_on
    play.wait(lambda: play.bout.fight.winner is None)
    assert play.now - ended >= RESULT_S / 50 - 0.02


def test_after_the_fights_asked_for_it_is_finished():
    play = Play(seed=7, speed=50, fights=2, player_class="warden")
    play.finish()
    play.wait(lambda: play.bout.number == 1)
    play.finish()
    play.wait(lambda: play.bout.finished)
    assert [event["fight"] for event in play.of("fight-end")] == [0, 1]


def test_a_duel_can_be_played_from_either_side_with_the_class_asked_for():
    for side in (0, 1):
        bout = Play(scenario="duel", side=side, player_class="ember", seed=4).bout
        me = bout.fight.state.fighter(bout.fight.player)
        assert me.team == side == bout.fight.team and me.kind == "ember"


def test_it_says_when_to_look_again():
    play = Play(seed=2)
    play.to_my_turn()
    assert 0 < play.bout.due(play.now) <= 1.01
    play.bout.submit(next(a for a in legal_actions(play.bout.fight.state) if isinstance(a, Move)), play.now)
    assert play.bout.due(play.now) <= 1 / 30


def test_the_chronicle_speaks_the_language_asked_for():
    lines = []
    for language in ("en", "fr"):
        play = Play(seed=7, speed=50, player_class="warden", language=language)
        play.finish()
        lines.append(" ".join(line.text for line in play.bout.moment(play.now).lines))
    assert lines[0] != lines[1]


def test_a_class_that_does_not_exist_is_named():
    with pytest.raises(KeyError, match="wizard"):
        Play(player_class="wizard")


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"scenario": "siege"}, "scenario"),
        ({"opponent": "hrm"}, "opponent"),
        ({"language": "de"}, "language"),
        ({"side": 2, "scenario": "duel"}, "side"),
        ({"side": 1}, "duel"),
        ({"speed": 0}, "speed"),
        ({"fights": 0}, "fights"),
        ({"turn_seconds": 0}, "turn_seconds"),
        ({"size": (300, 200)}, "640x400"),
    ],
)
def test_an_option_out_of_range_is_named(wrong, named):
    with pytest.raises(ValueError, match=named):
        ArenaOptions(**wrong)


class Failing:
    """An opponent that raises, or chooses something that cannot be done."""

    def __init__(self, choice):
        self.choice = choice

    def choose(self, state, rng):
        if isinstance(self.choice, Exception):
            raise self.choice
        return self.choice


@pytest.mark.parametrize(
    ("choice", "reason", "language", "words"),
    [
        (RuntimeError("out of ideas"), "out of ideas", "en", "passes"),
        (KeyError(), "KeyError", "fr", "passe"),
        (Move((0,)), "cell 0 is not next to cell", "en", "passes"),
        (Cast("no such spell", 0), "no such spell", "fr", "passe"),
        (None, "None is no action", "en", "passes"),
    ],
)
def test_an_opponent_that_fails_loses_its_turn_and_the_window_goes_on(choice, reason, language, words):
    play = Play(language=language)
    bout = play.bout
    bout.opponent = Failing(choice)
    play.to_my_turn()
    play.events.clear()
    assert bout.submit(EndTurn(), play.now) == ""
    play.wait(lambda: play.of("opponent-fault"))
    fault = play.of("opponent-fault")[-1]
    assert reason in fault["reason"]
    assert play.events[-1]["action"] == {"type": "end_turn"}
    assert play.events[-1]["fighter"] == fault["fighter"]
    assert any(words in line.text for line in bout.moment(play.now).lines)
    play.to_my_turn()
    assert bout.free


def test_the_adviser_plays_fighters_that_were_told_by_itself():
    warden, golem = classes()["warden"], monsters()["golem"]
    play = Play(player=warden, monsters=(golem, golem), adviser="greedy", fights=1)
    assert [f.name for f in play.bout.fight.state.fighters] == ["Warden", "Golem", "Golem 2"]
    assert play.bout.submit(EndTurn(), play.now) == "not your turn"
    play.wait(lambda: play.bout.finished, step=0.3, limit=4000.0)
    assert play.of("fight-end")
    assert {entry["who"] for entry in play.of("action")} == {"player", "other"}


def test_too_many_monsters_are_refused():
    with pytest.raises(ValueError, match="1 to 8"):
        Play(player=classes()["warden"], monsters=(monsters()["golem"],) * 9)


def test_a_position_is_played_on_by_the_one_whose_turn_it_is_again_and_again():
    start = adventure(5, "ranger")
    hurt = tuple(f.changed(hp=f.hp // 2) for f in start.fighters)
    position = start.changed(fighters=hurt, turn=4, current=start.order.index(0))
    play = Play(position_at=position, opponent="easy", speed=50)
    assert (play.bout.fight.state, play.bout.fight.player, play.bout.free) == (position, 0, True)
    play.finish()
    play.bout.next_fight(play.now)
    assert (play.bout.fight.state, play.bout.number) == (position, 1)


def test_a_position_is_of_a_fight_that_has_begun():
    with pytest.raises(ValueError, match="placement"):
        ArenaOptions(position_at=adventure(5), placement=True)


def test_the_others_play_better_or_worse_from_their_next_action_on():
    play = Play(seed=7, opponent="easy")
    said = []
    for _ in range(3):
        said.append((play.bout.opponents, type(play.bout.opponent).__name__))
        play.bout.change_opponents()
    assert said == [("easy", "EasyPlayer"), ("normal", "GreedyPlayer"), ("hard", "AdvisorPlayer")]
    assert play.bout.opponents == play.bout.moment(play.now).buttons.opponents == "easy"
    assert Play(opponent="greedy").bout.opponents == "normal"


def acted(play, action):
    """Does an own action and waits until the person may act again."""
    assert play.bout.submit(action, play.now) == ""
    play.wait(lambda: play.bout.free or play.bout.fight.winner is not None)
    return play.bout.fight.state


def first(play, kind):
    return next(a for a in sorted(legal_actions(play.bout.fight.state), key=str) if isinstance(a, kind))


def test_taking_back_brings_the_state_of_before_and_the_same_dice_again():
    play = Play(player_class="ember", seed=3)
    play.to_my_turn()
    bout, begun = play.bout, play.bout.fight.state
    cast = first(play, Cast)
    once = acted(play, cast)
    after_turn = acted(play, EndTurn())
    assert bout.take_back(play.now) == ""  # the turn's end, with what the others did since
    assert (bout.fight.state, bout.shown, bout.free) == (once, once, True)
    assert bout.take_back(play.now) == ""
    assert bout.fight.state == begun
    assert bout.take_back(play.now) == "nothing to take back"
    assert acted(play, cast) == once
    assert acted(play, EndTurn()) == after_turn
    assert len(play.of("taken-back")) == 2


def test_what_is_taken_back_in_the_middle_of_its_motion_never_lands():
    play = Play(player_class="ember", seed=3)
    play.to_my_turn()
    begun = play.bout.fight.state
    assert play.bout.submit(first(play, Cast), play.now) == ""
    assert play.bout.refusal() == "busy"
    assert play.bout.take_back(play.now) == ""
    play.wait(lambda: not play.bout.moment(play.now).motion.floaters)
    assert play.bout.shown == begun
    assert [line.taken_back for line in play.bout.moment(play.now).lines].count(True) == 1
    assert not any(line.spell for line in play.bout.moment(play.now).lines)


def test_nothing_is_taken_back_once_the_fight_is_over_or_where_the_advice_plays():
    play = Play(speed=20.0, seed=7, autopilot=True)
    play.to_my_turn()
    acted(play, first(play, Move))
    assert play.bout.take_back(play.now) == "the advice plays"
    play.bout.autopilot = False
    assert play.bout.moment(play.now).buttons.may_take_back
    play.finish()
    assert play.bout.take_back(play.now) == "the fight is over"
    assert not play.bout.moment(play.now).buttons.may_take_back
    in_words = Play(player_class="ember", log_words=True)
    in_words.to_my_turn()
    acted(in_words, first(in_words, Move))
    assert "log in words" in in_words.bout.take_back(in_words.now)


def test_a_pasted_position_is_played_by_its_fighter_at_turn():
    play = Play(player_class="ember")
    position = adventure(5, "ranger")
    play.bout.begin_at(position, play.now)
    assert play.bout.fight.state == position
    assert play.bout.fight.player == position.actor.id
    assert play.bout.take_back(play.now) == "nothing to take back"
    with pytest.raises(ValueError, match="places"):
        play.bout.begin_at(position.changed(placing=True), play.now)
    assert play.bout.fight.state == position

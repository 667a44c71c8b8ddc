"""Fighters and cards together: a hidden ring is settled by the cards only where they leave no choice."""

from dataclasses import replace

from vision.extract.arena.fighters import RingSighting
from vision.extract.arena.roster import assign_sides
from vision.extract.arena.timeline import TimelineCard
from vision.frame import Rect
from vision.view import Seen

BOX = Rect(0, 0, 10, 20)


def sighting(team, kind="boar", cell=100, hp=0.5):
    return RingSighting(
        (10.0, 20.0), cell, team, 0.95 if team else 0.0, Seen(kind, 0.9 if kind else 0.0), hp, None
    )


def card(team, kind="boar", hp=0.5):
    return TimelineCard(BOX, False, team, Seen(kind), Seen(hp))


def test_a_hidden_ring_takes_the_side_that_alone_has_the_kind():
    cards = [card("own", "ember"), card("enemy"), card("enemy")]
    found = assign_sides([sighting("own", "ember"), sighting(None), sighting(None)], cards)
    assert [fighter.team for fighter in found] == ["own", "enemy", "enemy"]
    assert found[1].confidence < found[0].confidence


def test_a_kind_on_both_sides_settles_nothing_by_itself():
    cards = [card("own", "ember"), card("enemy", "ember"), card("enemy", "boar"), card("ally", "imp")]
    found = assign_sides([sighting(None, "ember"), sighting(None, "ember"), sighting("enemy")], cards)
    assert [fighter.team for fighter in found] == ["enemy"]


def test_the_last_one_left_over_takes_the_last_card():
    cards = [card("own", "ember"), card("enemy")]
    found = assign_sides([sighting("enemy"), sighting(None, None)], cards)
    assert [fighter.team for fighter in found] == ["enemy", "own"]
    assert found[1].kind.value == "ember"


def test_nobody_is_left_over_when_cards_and_fighters_do_not_match():
    cards = [card("own", "ember"), card("enemy"), card("enemy")]
    assert len(assign_sides([sighting("enemy"), sighting(None, None)], cards)) == 1
    assert len(assign_sides([sighting("enemy"), sighting(None, None)], [card(None), card("enemy")])) == 1
    assert (
        len(assign_sides([sighting("ally"), sighting(None, None)], [card("own", "ember"), card("enemy")]))
        == 1
    )


def test_an_hp_bar_that_no_card_agrees_with_is_withheld():
    for hp, shown in ((0.5, 0.9), (None, 1.0)):  # None: an end of the bar is covered
        (found,) = assign_sides([sighting("enemy", hp=hp)], [card("enemy", hp=shown)])
        assert (found.team, found.kind.value, found.hp_fraction.value) == ("enemy", "boar", None)
    (found,) = assign_sides([sighting("enemy", hp=0.5)], [card("enemy", hp=0.9), card("enemy", hp=0.52)])
    assert found.hp_fraction.value == 0.5


def test_a_walking_fighter_is_less_certain():
    for cell, confidence in ((100, 0.95), (None, 0.5)):
        (found,) = assign_sides([sighting("enemy", cell=cell)], [card("enemy")])
        assert (found.cell, found.confidence) == (cell, confidence)


def test_the_only_card_of_a_side_gives_the_kind_of_an_animated_body():
    cards = [card("own", "ember"), card("enemy", "boar"), card("enemy", "imp")]
    found = assign_sides([sighting("own", "bat"), sighting("enemy", "boar"), sighting("enemy", None)], cards)
    assert [fighter.kind.value for fighter in found] == ["ember", "boar", "imp"]


def test_a_glow_that_makes_one_more_of_a_side_than_cards_takes_the_weakest_ring_off_it():
    cards = [card("own", "ember"), card("ally", "imp"), card("enemy")]
    glowing = replace(sighting("ally"), certainty=0.85)
    found = assign_sides([sighting("own", "ember"), glowing, sighting("ally", "imp")], cards)
    assert [fighter.team for fighter in found] == ["own", "enemy", "ally"]


def test_a_kind_that_no_card_of_the_side_has_is_withheld():
    cards = [card("own", "ember"), card("enemy", "boar"), card("enemy", "toad")]
    found = assign_sides([sighting("own", "ember"), sighting("enemy", "imp"), sighting("enemy")], cards)
    assert [fighter.kind.value for fighter in found] == ["ember", None, "boar"]


def test_a_kind_is_told_at_most_as_often_as_cards_have_it():
    """A shaman that stands before a toad covers it: both looked like shamans."""
    front = replace(sighting("enemy", "shaman", 114), kind=Seen("shaman", 0.97))
    behind = replace(sighting("enemy", "shaman", 100), kind=Seen("shaman", 0.77))
    cards = [card("enemy", "toad"), card("enemy", "shaman")]
    for pair in ([behind, front], [front, behind]):
        told = {one.cell: one.kind.value for one in assign_sides(pair, cards)}
        assert told == {100: "toad", 114: "shaman"}
    unread = replace(behind, kind=Seen())
    assert [one.kind.value for one in assign_sides([unread, front], cards)] == ["toad", "shaman"]


def test_a_kind_is_no_guess_where_several_are_left_over():
    front = replace(sighting("enemy", "shaman", 114), kind=Seen("shaman", 0.97))
    behind = replace(sighting("enemy", "shaman", 100), kind=Seen("shaman", 0.77))
    for more, kind in (("boar", None), ("toad", "toad")):
        cards = [card("enemy", "toad"), card("enemy", "shaman"), card("enemy", more)]
        told = {one.cell: one.kind.value for one in assign_sides([front, behind], cards)}
        assert told == {100: kind, 114: "shaman"}

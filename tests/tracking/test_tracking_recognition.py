"""The person's names for portraits and icons reach the situation, and nothing else is touched."""

from dataclasses import replace

import cv2
import numpy as np

from botapp.tracking.names import Names
from botapp.tracking.picture_names import recognise
from botapp.tracking.spellbook import preset
from vision.signature import signature
from vision.view import FighterSeen, FightView, Seen, SpellSlot


def look(seed):
    rough = np.random.default_rng(seed).integers(0, 255, (6, 6, 3)).astype(np.uint8)
    return signature(cv2.resize(rough, (48, 48), interpolation=cv2.INTER_CUBIC))


BOOK = preset("ember")


def test_an_unknown_fighter_gets_the_name_of_its_portrait():
    enemy = FighterSeen((1, 1), 100, "enemy", portrait=look(1))
    known = replace(enemy, kind=Seen("golem", 0.9))
    view = FightView(enemies=(enemy, known, replace(enemy, portrait=look(2))))
    named = recognise(view, Names(portraits={look(1): "boar"}), BOOK)
    assert [fighter.kind.value for fighter in named.enemies] == ["boar", "golem", None]
    assert named.enemies[0].kind.confidence > 0.85


def test_a_named_icon_takes_the_place_of_its_spell_and_an_unnamed_one_is_left_out():
    third, first = BOOK.spells[2].key, BOOK.spells[0].key
    slots = (
        SpellSlot(0, Seen(True, 1.0), icon=look(1)),
        SpellSlot(1, Seen(False, 1.0), Seen(2, 1.0), icon=look(2)),
        SpellSlot(2, Seen(True, 1.0), icon=look(3)),
        SpellSlot(3, Seen(True, 1.0), icon=look(4)),
    )
    names = Names(icons={look(1): third, look(2): first, look(4): "a spell of another class"})
    placed = recognise(FightView(spells=slots), names, BOOK).spells
    assert [(slot.index, slot.usable.value, slot.cooldown.value) for slot in placed] == [
        (2, True, None),
        (0, False, 2),
    ]


def test_slots_without_icons_and_a_view_without_names_stay_as_they_are():
    slots = tuple(SpellSlot(index, Seen(True, 1.0)) for index in range(4))
    player = FighterSeen((0, 0), 5, "own", kind=Seen("ember", 1.0))
    view = FightView(spells=slots, player=player)
    same = recognise(view, Names(), None)
    assert same.spells == slots and same.player == player

"""Spells of the game that are made up for a test, translated and cast."""

import random

import madeup_game as made
from fights import fight, fighter, spell

from botapp.content.game.boosts import boosts_among
from botapp.content.game.effects import EffectTranslator
from botapp.content.game.lines import read_level
from botapp.content.game.spells import GameContent, Levels, States, make_spell
from botapp.fight.actions import Cast
from botapp.fight.rules import apply
from botapp.fight.spells import Stats, Summon

HERE, THERE = 286, 315
dice = random.Random(0)
MOUSE = Summon("monster-9", "Mouse", 10, 40, 5, 3)


class Game:
    """Spells made up for a test: `add` puts one in, `spell` translates it."""

    def __init__(self):
        self.levels = {}
        self.states = States({56: ("invulnerable",), 700: (), 701: ()}, asked=(700, 701))
        levels = Levels(lambda spell, grade: self.levels.get((spell, grade)), lambda spell: [1])
        self._content = GameContent(levels, self.states)

    def add(self, number, effects, critical=(), **more):
        self.levels[number, 1] = read_level(made.level(number, 1, effects, critical, **more))

    def make(self, *effects, critical=(), stats=Stats(), own_class=0, **more):  # noqa: B008
        self.add(1, effects, critical, **more)
        translator = EffectTranslator(
            self._content,
            lambda number, _: MOUSE if number == 9 else None,
            stats,
            own_class,
            boosts_among(self._content, [(1, 1)]),
        )
        return make_spell(self.levels[1, 1], "One", translator, self.states)


def only(found):
    assert found.left_out == ()
    (effect,) = found.spell.effects
    return effect


def played(found, caster=None, **enemy):
    """Casts a spell of the game at an enemy two cells away; returns the state."""
    hit = spell("hit", ap=1)
    mine = fighter(
        0, 0, HERE, [found.spell, hit], **{"player": True, "ap": 12, "base_ap": 12, **(caster or {})}
    )
    sheet = {"hp": 500, "max_hp": 500, **enemy}
    return apply(fight(mine, fighter(1, 1, THERE, [hit], **sheet)), Cast("game-1-1", THERE), dice)

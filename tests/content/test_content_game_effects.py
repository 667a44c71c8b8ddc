"""A spell of the game does by the rules what it does in the game, as far as it is understood, and no more."""

import json
import random
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import madeup_game as made
import pytest
from fights import fight, fighter
from game_spells import HERE, MOUSE, THERE, Game, dice, only, played

from botapp.content.game import coverage, effect_ids
from botapp.content.game.effect_ids import EFFECT_IDS, How
from botapp.content.game.few_states import with_few_states
from botapp.content.game.fields import Fields
from botapp.content.game.grammar import area, read_criterion, read_mask, read_triggers
from botapp.content.game.lines import Zone, read_zone
from botapp.content.game.spells import NOT, PARTLY, WHOLLY
from botapp.content.game.wanted import LINE
from botapp.content.spell_json import SpellForm
from botapp.content.state_json import state_from_json, state_to_json
from botapp.fight.actions import Cast, EndTurn
from botapp.fight.rules import IllegalAction, apply, legal_actions, winner
from botapp.fight.spells import (
    Affects,
    Asks,
    Basis,
    Condition,
    EffectKind,
    Element,
    Shape,
    State,
    Stats,
    Trigger,
    Who,
)

DOCS = Path(__file__).parents[2] / "docs" / "game-effects.md"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (made.effect(97, 10, 14), {"kind": EffectKind.DAMAGE, "element": Element.EARTH, "high": 14}),
        (made.effect(97, 10, 0), {"low": 10, "high": 10}),
        (made.effect(91, 5, 6), {"kind": EffectKind.STEAL, "element": Element.WATER}),
        (made.effect(108, 7), {"kind": EffectKind.HEAL, "stat": ""}),
        (made.effect(2998, 7), {"kind": EffectKind.HEAL, "stat": "chance"}),
        (made.effect(1020, 150), {"kind": EffectKind.SHIELD, "percent_of": Basis.LEVEL, "low": 150}),
        (made.effect(1109, 20), {"kind": EffectKind.HEAL, "percent_of": Basis.TARGET_MAX_HP}),
        (made.effect(5, 3), {"kind": EffectKind.PUSH, "low": 3}),
        (made.effect(1103, 3), {"kind": EffectKind.SHOVE}),
        (made.effect(1080, 2), {"kind": EffectKind.REMOVE_MP, "low": 2}),
        (made.effect(138, 50, duration=2), {"kind": EffectKind.BUFF, "stat": "power", "low": 50, "turns": 2}),
        (made.effect(116, 2, 4, duration=1), {"stat": "range", "low": -4, "high": -2}),
        (made.effect(776, 10, duration=-1), {"stat": "erosion", "turns": 0}),
        (made.effect(950, 0, 0, 700, duration=63), {"kind": EffectKind.STATE, "state": "#700", "turns": 0}),
        (made.effect(950, 0, 0, 97), {"state": State.ROOTED, "turns": 1}),
        (made.effect(950, 0, 0, 56), {"state": State.INVULNERABLE}),
        (made.effect(951, 0, 0, 7), {"kind": EffectKind.END_STATE, "state": State.GRAVITY}),
        (made.effect(150, duration=2), {"state": State.INVISIBLE, "turns": 2}),
        (made.effect(406, 0, 0, 55), {"kind": EffectKind.END_TAGGED, "tag": "55"}),
        (made.effect(1075, 2), {"kind": EffectKind.DISPEL, "low": 2}),
        (made.effect(281, 0, 0, 3, targetMask="C"), {"stat": "range", "low": 3, "affects": Affects.CASTER}),
        (made.effect(97, 1, zone="C3,1"), {"shape": Shape.CIRCLE, "radius": 3, "inner": 1}),
        (made.effect(97, 1, zone="Q2"), {"shape": Shape.CROSS, "radius": 2, "inner": 1}),
        (made.effect(97, 1, zone="a1"), {"shape": Shape.EVERYWHERE}),
        (made.effect(97, 1, targetMask="A"), {"affects": Affects.ENEMIES}),
        (made.effect(97, 1, targetMask="g,A"), {"affects": Affects.OTHERS}),
        (made.effect(97, 1, targetMask="j,J"), {"among": (
            Who.ALLIED_SUMMON, Who.ALLIED_STATIC, Who.ENEMY_SUMMON, Who.ENEMY_STATIC)}),
        (made.effect(97, 1, triggers="TB", effectTriggerDuration=3),
         {"trigger": (Trigger.TURN_BEGIN,), "listens": 3}),
        (made.effect(97, 1, triggers="TE", effectTriggerDuration=63),
         {"trigger": (Trigger.TURN_END,), "listens": 0}),
        (made.effect(97, 1, delay=2), {"delay": 2}),
        (made.effect(97, 1, dispellable=3), {"dispellable": False}),
        (made.effect(181, 9, 1), {"kind": EffectKind.SUMMON, "summon": MOUSE}),
    ],
)  # fmt: skip
def test_a_line_becomes_an_effect(game, line, wanted):
    effect = only(game.make(line))
    assert {name: getattr(effect, name) for name in wanted} == wanted


def test_an_effect_that_the_rules_know_is_one_row_of_the_table(game, monkeypatch, tmp_path):
    """Added to a copy of the table: read with its element, played, counted, and in the page of the docs."""
    line, known = made.effect(987_654, 10, 14), coverage.measure().effects
    assert game.make(line).left_out and game.make(line).verdict != WHOLLY
    row = "987654,strikes with a made-up fire,dice,damage,,,fire,,,,,,,2000,0\n"
    copy = tmp_path / "game" / "effects.csv"
    copy.parent.mkdir()
    copy.write_text((files("resources") / "game" / "effects.csv").read_text("utf-8") + row, "utf-8")
    monkeypatch.setattr(effect_ids, "files", lambda _: tmp_path)
    monkeypatch.setitem(EFFECT_IDS, 987_654, {row.number: row for row in effect_ids.rows()}[987_654])
    found = game.make(line)
    assert (only(found).kind, only(found).element, only(found).high) == (EffectKind.DAMAGE, Element.FIRE, 14)
    assert found.verdict == WHOLLY and 10 <= 100 - played(found, hp=100).fighter(1).hp <= 14
    assert (
        "| 987654 | strikes with a made-up fire |" in coverage.table() and coverage.measure().effects > known
    )


def test_critical_hits_have_their_own_dice(game):
    effect = only(game.make(made.effect(97, 10, 14), critical=[made.effect(97, 15, 19)]))
    assert (effect.crit_low, effect.crit_high) == (15, 19)
    found = game.make(made.effect(97, 10, 14), critical=[made.effect(97, 12, 16), made.effect(99, 5, 5)])
    assert found.verdict == PARTLY
    assert found.left_out == ("what only critical hits do",)


def test_the_best_element_is_that_of_the_sheet(game):
    lines = (made.effect(2822, 10, 14), made.effect(2832, 1))
    best, worst = game.make(*lines, stats=Stats(agility=300, chance=200, strength=100)).spell.effects
    assert (best.element, worst.element) == (Element.AIR, Element.FIRE)


def test_heals_grow_with_the_stat_of_their_element(game):
    stats = Stats(strength=300, intelligence=200, chance=100)
    for number, healed in ((108, 30), (2998, 20), (2999, 10), (3000, 40), (3002, 40)):
        found = game.make(made.effect(number, 10, targetMask="A"), stats=stats)
        assert played(found, {"stats": stats}, hp=100).fighter(1).hp == 100 + healed


def test_a_spell_that_raises_its_own_damage_does_more_the_next_time(game):
    found = game.make(
        made.effect(97, 20, 24, zone="P1"),
        made.effect(293, 1, 0, 12, targetMask="C", duration=3),
        critical=[made.effect(97, 30), made.effect(293, 1, 0, 12, targetMask="C", duration=3)],
    )
    assert found.verdict == WHOLLY
    plain, higher, _ = found.spell.effects
    assert (plain.low, plain.high, plain.crit_low) == (20, 24, 30)
    assert (higher.low, higher.high, higher.crit_low) == (32, 36, 42)
    found = game.make(made.effect(97, 20), made.effect(293, 1, 0, 12, targetMask="C", duration=3))
    state = played(found, {"stats": Stats(damage=5)})
    assert state.fighter(1).hp == 500 - 25
    again = apply(state, Cast("game-1-1", THERE), dice)
    assert again.fighter(1).hp == 500 - 25 - 37


def test_a_spell_raises_one_that_another_spell_casts_and_no_strange_one(game):
    game.add(2, [made.effect(99, 7)])
    found = game.make(
        made.effect(293, 2, 0, 3, targetMask="C", duration=1), made.effect(1160, 2, 1, zone="C1"),
        made.effect(293, 77, 0, 3, targetMask="C", duration=1),
    )  # fmt: skip
    given, cast = found.spell.effects
    assert (given.kind, given.state, given.affects) == (EffectKind.STATE, "#293-2", Affects.CASTER)
    assert [effect.low for effect in cast.payload] == [7, 10]


def test_what_is_told_of_all_spells_and_again_of_each_counts_once(game):
    lines = [made.effect(281, spell, 0, 6, targetMask="C", duration=1) for spell in (0, 5, 6, 7)]
    assert only(game.make(*lines)).stat == "range"
    assert game.make(*lines[1:]).spell.effects == ()
    sights = [made.effect(289, spell, 0, 1, targetMask="C", duration=1) for spell in (0, 1, 5)]
    assert only(Game().make(*sights)).state == "#289-0"


def test_a_summon_somewhere_in_an_area_is_left_out(game):
    found = game.make(made.effect(181, 9, 1, zone="Q63,2"), made.effect(120, 2, targetMask="C"))
    assert [effect.kind for effect in found.spell.effects] == [EffectKind.GIVE_AP]
    assert found.left_out == ("a summon whose place depends on who stands there",)


def test_what_may_not_be_stacked_is_renewed(game):
    lines = [
        made.effect(138, 50, duration=3, targetMask="C"),
        made.effect(111, 1, duration=3, targetMask="C"),
    ]
    for most, power, ap in ((1, 50, 7), (2, 100, 8), (-1, 150, 9)):
        found = game.make(*lines, maxStack=most, apCost=1, maxCastPerTurn=0)
        state = played(found, {"ap": 9, "base_ap": 9})
        for _ in range(2):
            state = apply(state, Cast("game-1-1", THERE), dice)
        assert state.fighter(0).stats.power == power
        assert state.fighter(0).ap == ap


def test_a_poison_cast_again_is_renewed(game):
    found = game.make(made.effect(96, 30, triggers="TB", effectTriggerDuration=2), maxStack=1)
    state = apply(played(found), Cast("game-1-1", THERE), dice)
    assert len(state.fighter(1).buffs) == 1
    assert apply(state, EndTurn(), dice).fighter(1).hp == 470


def test_stolen_stats_go_to_the_caster(game):
    loss, gain = game.make(made.effect(271, 60, duration=3)).spell.effects
    assert (loss.stat, loss.low, loss.affects) == ("strength", -60, Affects.ALL)
    assert (gain.stat, gain.low, gain.affects, gain.turns) == ("strength", 60, Affects.CASTER, 3)


def test_hp_that_are_given_are_lost_by_the_caster(game):
    state = played(game.make(made.effect(90, 10, targetMask="A")), {"hp": 400, "max_hp": 500}, hp=100)
    assert (state.fighter(0).hp, state.fighter(1).hp) == (360, 140)


def test_damage_taken_less_is_resistance_at_every_distance(game):
    near, far = game.make(
        made.effect(1163, 70, targetMask="C", triggers="D", effectTriggerDuration=2)
    ).spell.effects
    assert {near.stat, far.stat} == {"melee_resistance", "ranged_resistance"}
    assert (near.low, near.turns, near.trigger) == (30, 2, ())
    assert game.make(made.effect(1163, 70, triggers="DF")).verdict == NOT


@pytest.mark.parametrize(
    ("raw", "zone"),
    [
        ("C2", Zone("C", 2, 0)),
        ("X1,0", Zone("X", 1, 0)),
        ("C3,1,0,0", Zone("C", 3, 1, 0, 0)),
        ("L3,0,2", Zone("L", 3, 0, 0, 2)),
        ("l1,63,0,0,1", Zone("l", 1, 63, 0, 0, True)),
        ("P1", Zone("P", 1, 0)),
    ],
)
def test_areas_of_version_2_are_read(raw, zone):
    assert read_zone(Fields({"rawZone": raw}, LINE)) == zone


def test_areas_far_larger_than_the_board_do_not_fall_off():
    assert area(Zone("C", 63, 0)).shape is Shape.EVERYWHERE
    assert area(Zone("Q", 63, 0)).fall_off == 0
    assert area(Zone("X", 0, 0)).shape is Shape.POINT
    assert area(Zone("l", 1, 63, 0, 0, True)) == (Shape.LINE_TO_TARGET, 63, 1, 0, 0)
    for shape in "FRWDBIZ/;?":
        assert area(Zone(shape)) is None


def test_conditions_of_masks():
    mask = read_mask("a,A,E700,*e701,V50,F3,F4,f5,P", lambda number: f"#{number}")
    assert mask.conditions == (
        (Condition(Asks.STATE, state="#700"),),
        (Condition(Asks.STATE, state="#701", of_caster=True, unless=True),),
        (Condition(Asks.HP_BELOW, percent=50),),
        (Condition(Asks.KIND, kind="monster-5", unless=True),),
        (Condition(Asks.FAMILY),),
        (Condition(Asks.KIND, kind="monster-3"), Condition(Asks.KIND, kind="monster-4")),
    )
    assert mask.affects is Affects.ALL
    assert read_mask("C", str).caster
    assert read_mask("C", str).affects is None
    assert read_mask("A,O", str).cause
    assert read_mask("A,R", str).never
    assert not read_mask("A,r", str).never
    assert read_mask("a,A,T", str).unknown == ("T",)
    assert read_mask("b7", str, own_class=7).conditions == ((Condition(Asks.CASTER, unless=True),),)


def test_triggers_that_only_repeat_others_are_passed_over():
    def read(written):
        return read_triggers(written, lambda number: f"#{number}")

    assert read("I").triggers == ()
    assert read("D|XD|DTB|DTE|DV").triggers == (Trigger.DAMAGE,)
    assert read("D|XD|DTB|DTE|DV").unknown == ()
    assert read("EON98") == ((Trigger.STATE_GAINED,), "#98", ())
    assert read("EON98|EOFF99").unknown == ("EOFF99",)
    assert read("CCMPARR").unknown == ("CCMPARR",)
    assert read("X").triggers == (Trigger.DEATH,)


def test_conditions_on_casting():
    def asked(number, *, unless=False):
        return Condition(Asks.STATE, state=f"#{number}", of_caster=True, unless=unless)

    def read(written):
        return read_criterion(written, lambda number: f"#{number}")

    assert read("HS=3|HS=5").conditions == ((asked(3), asked(5)),)
    assert read("HS!7&HS=3").conditions == ((asked(7, unless=True),), (asked(3),))
    assert read("HS=1|(HS=2&HS!3)").conditions == ((asked(1), asked(2)), (asked(1), asked(3, unless=True)))
    for strange in ("PL>50", "HS=3&(", "HS=3)", "&", "(" * 5000):
        assert read(strange).unknown


def test_a_spell_casts_another_one_and_circles_are_cut(game):
    game.add(2, [made.effect(97, 5, 5, zone="C1")])
    effect = only(game.make(made.effect(1160, 2, 1)))
    assert effect.kind is EffectKind.CAST
    assert effect.payload[0].kind is EffectKind.DAMAGE
    assert only(game.make(made.effect(792, 2, 1))).kind is EffectKind.CAST_BY
    game.add(3, [made.effect(1160, 4, 1)])
    game.add(4, [made.effect(1160, 3, 1), made.effect(97, 1)])
    found = game.make(made.effect(1160, 3, 1))
    assert found.left_out == ("spells that cast each other in a circle",)
    assert found.verdict == PARTLY


def test_what_another_spell_does_to_who_stands_there_is_the_spells_own(game):
    game.add(2, [made.effect(97, 5, 5), made.effect(138, 20, targetMask="C"), made.effect(96, 3, zone="C1")])
    first, rest = game.make(made.effect(1160, 2, 1, targetMask="A,E700,*e701")).spell.effects
    assert (first.kind, first.element, first.affects) == (EffectKind.DAMAGE, Element.EARTH, Affects.ENEMIES)
    assert len(first.conditions) == 2
    assert [effect.kind for effect in rest.payload] == [EffectKind.BUFF, EffectKind.DAMAGE]
    found = game.make(made.effect(2960, 2, 1, targetMask="C,E700"))
    assert [effect.kind for effect in found.spell.effects] == [
        EffectKind.DAMAGE,
        EffectKind.BUFF,
        EffectKind.DAMAGE,
    ]
    asked = Condition(Asks.STATE, state="#700", of_caster=True)
    assert all(effect.conditions[0] == (asked,) for effect in found.spell.effects)
    lone = only(game.make(made.effect(1160, 2, 1, random=50), made.effect(666)))
    assert (lone.kind, lone.chance) == (EffectKind.CAST, 50)


def test_a_spell_cast_at_an_empty_cell_casts_no_other_at_anybody(game):
    game.add(2, [made.effect(97, 5, 5), made.effect(138, 20, targetMask="C")])
    found = game.make(made.effect(1160, 2, 1))
    mine = fighter(0, 0, HERE, [found.spell], ap=12, base_ap=12)
    state = fight(mine, fighter(1, 1, THERE))
    assert apply(state, Cast("game-1-1", THERE), dice).fighter(0).stats.power == 20
    assert apply(state, Cast("game-1-1", HERE - 14), dice).fighter(0).stats.power == 0


def test_lines_happen_in_their_order_and_those_for_the_description_alone_do_not(game):
    found = game.make(
        made.effect(97, 1, order=4), made.effect(5, 1, order=2), made.effect(99, 1, forClientOnly=True)
    )
    assert [effect.kind for effect in found.spell.effects] == [EffectKind.PUSH, EffectKind.DAMAGE]
    assert found.left_out == ()


def test_spells_that_grow_without_end_are_cut(game):
    for number in range(2, 9):
        game.add(number, [made.effect(1160, number + 1, 1)] * 20)
    game.add(9, [made.effect(97, 1)] * 20)
    found = game.make(made.effect(1160, 2, 1))
    assert "more effects than there is room for" in found.left_out


def test_chance_picks_one_of_several_groups(game):
    found = game.make(made.effect(96, 1, random=30), made.effect(97, 1, random=70)).spell.effects
    assert [effect.chance for effect in found] == [3000, 7000]
    assert len({effect.group for effect in found}) == 2
    assert only(game.make(made.effect(96, 1, random=30))).chance == 30
    together = game.make(
        made.effect(96, 1, random=50, group=1), made.effect(108, 1, random=50, group=1),
        made.effect(97, 1, random=50, group=2),
    ).spell.effects  # fmt: skip
    assert [effect.group for effect in together] == [1, 1, 2]


def test_what_is_not_understood_is_named_and_the_rest_is_judged(game):
    found = game.make(made.effect(97, 10), made.effect(1036, 1, 0, 1), made.effect(424242, 1))
    assert found.verdict == PARTLY
    assert [effect.kind for effect in found.spell.effects] == [EffectKind.DAMAGE]
    assert found.left_out == (
        "changes of cooldowns",
        "an effect unknown to this version (number 424242)",
    )
    assert game.make(made.effect(97, 10), made.effect(3793)).verdict == WHOLLY
    assert game.make(made.effect(97, 10, targetMask="a,A,T")).left_out == (
        "targets told in a way that is not understood (T)",
    )


def test_a_spell_that_would_mislead_keeps_its_place_and_cannot_be_cast(game):
    found = game.make(made.effect(97, 10), made.effect(50))
    assert found.verdict == NOT
    assert found.left_out == ("carrying and throwing",)
    state = fight(
        fighter(0, 0, HERE, [found.spell], ap=12), fighter(1, 1, THERE, level=200, hp=500, max_hp=500)
    )
    with pytest.raises(IllegalAction):
        apply(state, Cast("game-1-1", THERE), dice)


def test_who_has_not_just_been_called_is_everyone_who_was_there(game):
    assert read_mask("j,u", str).unknown == ()
    assert read_mask("j,T", str).unknown == ("T",)


def test_nearly_all_that_occurs_is_understood():
    found = coverage.measure()
    assert found.effects > 0.98
    assert found.together > 0.97
    assert found.together_of_classes > 0.97
    assert sum(row.seen for row in EFFECT_IDS.values()) == 22329


_IN_PART = (How.OUT, How.RANGE, How.BOOST, How.COOLDOWN, How.REFLECT)


def test_every_number_is_either_made_or_named():
    for row in EFFECT_IDS.values():
        assert row.does
        assert bool(row.left_out) == (row.how in _IN_PART)


def test_the_table_in_the_docs_is_the_one_in_the_code():
    assert DOCS.read_text("utf-8") == coverage.table(), "run python -m botapp.content.game.coverage " + str(
        DOCS
    )


def wild(rng):
    """Returns a line of any effect, area, mask and trigger there is, with numbers of any kind."""
    words = [
        "a",
        "A",
        "g",
        "C",
        "c",
        "j",
        "J",
        "h",
        "O",
        "P",
        "p",
        "E700",
        "e701",
        "*E7",
        "F9",
        "f9",
        "V50",
        "Q",
        "R",
    ]
    events = ("I", "TB", "TE", "D", "XD", "DM", "PD", "X", "H", "EON700", "M")
    return made.effect(
        rng.choice(tuple(EFFECT_IDS)),
        rng.choice((0, 1, 2, 3, 9, 100, -5)),
        rng.choice((0, 1, 4, 150)),
        rng.choice((0, 1, 3, 7, 50, 97, 700)),
        zone=f"{rng.choice('PCXQOG+#*LTVUalAFR;')}{rng.randint(0, 5)},{rng.randint(0, 3)}",
        targetMask=",".join(rng.sample(words, rng.randint(0, 4))),
        triggers="|".join(rng.sample(events, rng.randint(1, 2))),
        duration=rng.randint(-1, 4),
        delay=rng.choice((0, 0, 0, 1)),
        effectTriggerDuration=rng.choice((0, 2, 63)),
        random=rng.choice((0, 0, 0, 25, 50)),
        group=rng.choice((0, 1, 2)),
        dispellable=rng.randint(1, 4),
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_whatever_comes_can_be_stored_and_played(game, seed):
    rng = random.Random(seed)
    for number in (2, 3):
        game.add(number, [wild(rng) for _ in range(4)])
    found = [game.make(*(wild(rng) for _ in range(rng.randint(1, 8)))) for _ in range(10)]
    kept = [replace(one.spell, key=f"spell-{index}", ap=1) for index, one in enumerate(found)]
    for one in kept:
        assert SpellForm.read(json.loads(json.dumps(SpellForm.written(one)))).value() == one
    sheet = {"hp": 3000, "max_hp": 3000, "ap": 12, "base_ap": 12, "level": 200}
    fighters = [fighter(n, n % 2, cell, kept, **sheet) for n, cell in enumerate((HERE, THERE, 301, 330))]
    state = fight(*fighters)
    for step in range(60):
        if winner(state) is not None:
            break
        state = apply(state, rng.choice(legal_actions(state)), rng)
        if step % 6 == 0:
            assert state_from_json(json.loads(json.dumps(state_to_json(state)))) == state


def test_a_fighter_speaks_of_few_states_and_the_rare_ones_are_never_there(game):
    often = [made.effect(950, 0, 0, 700, targetMask="a,A,E700")] * 3
    found = game.make(
        *often,
        made.effect(97, 1, targetMask="A,E701"),
        made.effect(96, 2, targetMask="A,e701"),
        made.effect(950, 0, 0, 701),
        made.effect(98, 3, triggers="EON701"),
    ).spell
    (few,) = with_few_states([found], 1)
    assert [effect.kind for effect in few.effects] == [*[EffectKind.STATE] * 3, EffectKind.DAMAGE]
    assert few.effects[-1].element is Element.WATER
    assert few.effects[-1].conditions == ()
    assert with_few_states([found], 2) == (found,)
    needs = game.make(made.effect(97, 1), statesCriterion="HS=701").spell
    assert with_few_states([needs], 0)[0].effects == ()
    barred = game.make(made.effect(97, 1), statesCriterion="HS!701").spell
    assert with_few_states([barred], 0)[0].criterion == ()

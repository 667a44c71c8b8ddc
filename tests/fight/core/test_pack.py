"""A state comes back from the arrays as it was, or as the rules changed it; what does not fit is named."""

import random
from copy import copy
from dataclasses import replace

import layout as at
import pytest
from fights import HIT, fight, fighter, spell
from hypothesis import given, settings
from hypothesis import strategies as st
from wild import wild_fight, wild_state

from botapp.fight.core import book
from botapp.fight.core.book import book_of
from botapp.fight.core.capacity import CapacityError, fault
from botapp.fight.core.pack import pack, unpack
from botapp.fight.spells import Buff, Effect, EffectKind, State, Stats, Summon
from botapp.fight.state import Mark, MarkKind

few = settings(max_examples=20)
seeds = st.integers(0, 100_000)
lengths = st.integers(0, 60)


def renumbered(state, dice):
    """The same fight with ids that are not 0, 1, 2 ..."""
    ids = dict(
        zip((f.id for f in state.fighters), dice.sample(range(1_000_000), len(state.fighters)), strict=True)
    )
    return state.changed(
        fighters=tuple(
            f.changed(
                id=ids[f.id],
                summoner=None if f.summoner is None else ids[f.summoner],
                casts=tuple((key, ids.get(target, target)) for key, target in f.casts),
                buffs=tuple(replace(buff, caster=ids[buff.caster]) for buff in f.buffs),
            )
            for f in state.fighters
        ),
        order=tuple(ids[i] for i in state.order),
        marks=tuple(replace(mark, owner=ids[mark.owner]) for mark in state.marks),
    )


def odd_fighter(one, everybody, givers, dice):
    """The fighter with much that a fight of the rules' own making would hardly hold."""
    keys = ["gone", *(s.key for s in one.spells)]
    return one.changed(
        cooldowns=tuple((key, dice.randint(-1, 4)) for key in dice.sample(keys, dice.randint(0, len(keys)))),
        casts=tuple(
            (dice.choice(keys), dice.choice([-1, 77, *everybody])) for _ in range(dice.randint(0, 3))
        ),
        assumed=frozenset(dice.sample(["hp", "ap", "spells"], dice.randint(0, 3))),
        buffs=(*one.buffs, Buff(dice.choice(givers), dice.randint(0, 3), "power", 3)),
        name=dice.choice([one.name, "Ä"]),
        hp=dice.choice([one.hp, 0]),
    )


def odd_state(seed, actions, strangers=()):
    dice = random.Random(seed)
    state = renumbered(wild_state(seed, actions), dice)
    everybody = [f.id for f in state.fighters]
    return state.changed(
        fighters=tuple(odd_fighter(f, everybody, [*strangers, *everybody], dice) for f in state.fighters),
        turn=dice.randint(1, 99),
        placing=dice.random() < 0.5,
        marks=tuple(
            replace(mark, cells=tuple(sorted(dice.sample(range(560), dice.randint(0, 9)))))
            for mark in state.marks
        ),
    )


@pytest.mark.slow
@few
@given(seeds, lengths)
def test_a_state_comes_back_equal_and_its_fighters_are_the_same_objects(seed, actions):
    for state in (wild_state(seed, actions), odd_state(seed, actions, strangers=(77,))):
        packed = pack(state)
        again = unpack(packed, packed.s)
        assert again == state
        assert all(one is other for one, other in zip(again.fighters, state.fighters, strict=True))


MINION = Summon("imp", "Imp", 7, 30, 4, 3, (spell("bite", initial_cooldown=2),), Stats(agility=20, summons=0))
CALL = spell("call", (Effect(EffectKind.SUMMON, summon=MINION),))
TRAP = spell("snare", (Effect(EffectKind.TRAP, turns=3, payload=(HIT,)),))


def here(number, field):
    return at.FIRST + number * at.FIGHTER + field


def changed(packed, words):
    s = copy(packed.s)
    for place, word in words.items():
        s[place] = word
    return unpack(packed, s)


def test_what_the_rules_write_is_in_the_state():
    state = fight(
        fighter(5, 0, 286, [CALL, TRAP], stats=Stats(power=4, resistance=(1, 2, 3, 4, 5))), fighter(2, 1, 315)
    )
    words = {
        here(0, at.HP): 31, here(0, at.MAX_HP): 90, here(0, at.ERODED): 10, here(0, at.CELL): 20,
        here(0, at.AP): 1, here(0, at.MP): 0, here(0, at.SHIELD): 8, here(0, at.COOLDOWNS + 1): 2,
        here(0, at.POWER): -6, here(0, at.RESISTANCE + 4): 50,
        at.BUFFS: 2,
        **dict(enumerate((0, 1, 2, at.POWER - at.STATS, -10, -1, 0, 0), at.BUFF_LIST)),
        **dict(enumerate((0, 0, 0, -1, 0, at.ROOTED, 0, 0), at.BUFF_LIST + at.BUFF)),
        at.CASTS: 1, at.CAST_LIST: 0, at.CAST_LIST + 1: 1, at.CAST_LIST + 2: 1,
        at.TURN: 3, at.CURRENT: 1,
    }  # fmt: skip
    after = changed(pack(state), words)
    assert after == state.changed(
        fighters=(
            state.fighters[0].changed(
                hp=31, max_hp=90, eroded=10, cell=20, ap=1, mp=0, shield=8,
                cooldowns=(("snare", 2),), casts=(("snare", 2),),
                stats=Stats(power=-6, resistance=(1, 2, 3, 4, 50)),
                buffs=(Buff(2, 2, "power", -10), Buff(5, 0, state=State.ROOTED)),
            ),
            state.fighters[1],
        ),
        turn=3,
        current=1,
    )  # fmt: skip
    assert after.fighters[1] is state.fighters[1]


def test_who_was_called_later_is_what_the_spell_calls():
    state = fight(fighter(5, 0, 286, [CALL]), fighter(2, 1, 315))
    packed = pack(state)
    b = packed.b
    call = b[b[b[packed.s[here(0, at.SPELLS)] + 1] + at.EFFECTS_AT]]
    imp = b[call + at.SUMMON_AT]
    fields = {
        at.NUMBER: 2, at.TEAM: 0, at.CELL: 300,
        at.LEVEL: b[imp + at.SUMMON_LEVEL], at.HP: b[imp + at.SUMMON_HP],
        at.MAX_HP: b[imp + at.SUMMON_HP], at.AP: b[imp + at.SUMMON_AP], at.MP: b[imp + at.SUMMON_MP],
        at.BASE_AP: b[imp + at.SUMMON_AP], at.BASE_MP: b[imp + at.SUMMON_MP], at.SUMMONER: 0,
        at.SPELLS: b[imp + at.SUMMON_SPELLS], at.KIND: b[imp + at.SUMMON_KIND], at.ID: 6, at.COOLDOWNS: 2,
        **{at.STATS + i: b[imp + at.SUMMON_STATS + i] for i in range(at.STAT_COUNT)},
    }  # fmt: skip
    words = {here(2, field): word for field, word in fields.items()}
    after = changed(packed, {**words, at.FIGHTERS: 3, at.ORDERED: 3, at.ORDER + 1: 2, at.ORDER + 2: 1})
    imp = fighter(
        6, 0, 300, MINION.spells, level=7, hp=30, max_hp=30, ap=4, mp=3, base_ap=4, base_mp=3, summoner=5,
        stats=MINION.stats, cooldowns=(("bite", 2),),
    ).changed(name="Imp", kind="imp")  # fmt: skip
    assert after == state.changed(fighters=(*state.fighters, imp), order=(5, 6, 2))
    assert book_of(after) is packed.book


def test_a_mark_laid_by_a_spell_or_grown_older_comes_back():
    old = Mark(MarkKind.GLYPH, 5, 300, (286, 300), 2, (HIT,), "old")
    state = fight(fighter(5, 0, 286, [TRAP]), fighter(2, 1, 315)).changed(marks=(old,))
    packed = pack(state)
    b = packed.b
    lay = b[b[b[packed.s[here(0, at.SPELLS)] + 1] + at.EFFECTS_AT]]
    laid = [
        at.TRAP,
        0,
        20,
        3,
        b[lay + at.PAYLOAD],
        b[lay + at.EFFECT_NAME],
        286,
        0,
        1 << 20,
        1 << 2,
        *[0] * 18,
    ]
    words = dict(enumerate(laid, at.MARK_LIST + at.MARK))
    after = changed(packed, {**words, at.MARKS: 2, at.MARK_LIST + at.MARK_TURNS: 1})
    trap = Mark(MarkKind.TRAP, 5, 20, (20, 30), 3, (HIT,), "snare")
    assert after.marks == (replace(old, turns=1), trap)


def test_cooldowns_of_spells_that_a_fighter_does_not_have_grow_shorter_with_its_turns():
    state = fight(fighter(0, 0, 286, cooldowns=(("gone", 2), ("over", 0))), fighter(1, 1, 315))
    packed = pack(state)
    assert changed(packed, {at.CURRENT: 1}).fighters[0].cooldowns == (("gone", 1),)
    assert changed(packed, {at.TURN: 2, at.CURRENT: 1}).fighters[0].cooldowns == ()
    assert changed(packed, {here(0, at.HP): 3}).fighters[0].cooldowns == (("gone", 2), ("over", 0))


def test_a_book_is_found_again_as_long_as_the_spells_are_the_same_objects():
    start = wild_state(7, 0)
    assert book_of(start) is book_of(wild_state(7, 0).changed(fighters=start.fighters))
    assert book_of(start) is not book_of(wild_state(7, 0))


def crowd(count):
    return fight(*(fighter(i, i % 2, 20 + i) for i in range(count)))


def one(**changes):
    return fight(fighter(0, 0, 286, [spell()], **changes), fighter(1, 1, 315))


TOO_LARGE = {
    "fighters: 61 of them, at most 60": crowd(61),
    "spells of a fighter: 33 of them, at most 32": fight(
        fighter(0, 0, 286, [spell(str(i)) for i in range(33)])
    ),
    "buffs and states: 193 of them, at most 192": one(buffs=(Buff(0, 1, "power", 1),) * 193),
    "casts in one turn: 49 of them, at most 48": one(casts=(("jab", 1),) * 49),
    "glyphs and traps: 129 of them, at most 128": crowd(2).changed(
        marks=(Mark(MarkKind.TRAP, 0, 20, (20,), 0, (HIT,)),) * 129
    ),
    "F0: 2147483648 is beyond 32 bits": one(hp=2**31),
    "spell jab: -9999999999 is beyond 32 bits": fight(fighter(0, 0, 286, [spell(ap=-9_999_999_999)])),
}


@pytest.mark.parametrize("text", TOO_LARGE)
def test_what_does_not_fit_is_named_with_its_bound(text):
    with pytest.raises(CapacityError, match=text):
        pack(TOO_LARGE[text])


def test_what_just_fits_comes_back_equal():
    state = one(buffs=(Buff(0, 1, "power", 1),) * 192, casts=(("jab", 1),) * 48, hp=2**31 - 1)
    for full in (crowd(32), state):
        packed = pack(full)
        assert unpack(packed, packed.s) == full


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (one(summoner=9), "F0 names fighter 9, who is not in the fight"),
        (fight(fighter(0, 0, 560)), "F0: cell 560 is off the board"),
        (one(buffs=(Buff(0, 1, "charm", 1),)), "F0 has a buff of 'charm', which is no stat"),
        (crowd(2).changed(order=(0, 9)), "the order of turns names fighter 9, who is not in the fight"),
        (crowd(2).changed(current=2), "turn 2 of 2 in a round"),
    ],
)
def test_what_is_not_there_is_named(state, text):
    with pytest.raises(ValueError, match=text):
        pack(state)


def test_a_fault_of_the_rules_is_named_with_its_bound():
    packed = pack(crowd(2))
    fault(packed.s)
    packed.s[at.FAULT] = at.FULL_CASTS
    with pytest.raises(CapacityError, match="casts in one turn: more than 48"):
        fault(packed.s)


@pytest.mark.slow
def test_of_many_fights_the_books_of_the_latest_alone_are_kept():
    for seed in range(100):
        pack(wild_fight(seed))
    assert len({id(one) for one in book._books.values()}) <= 64

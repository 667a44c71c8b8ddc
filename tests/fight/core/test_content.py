"""What a book says of spells: what they are for, their conditions, and the way back to the objects."""

import layout as at
import pytest
from fights import HIT, OPEN, fight, fighter, spell, with_cell

from botapp.fight.core.book import book_of
from botapp.fight.spells import Affects, Effect, EffectKind, Shape, State, Summon
from botapp.fight.state import CellFlag

AREA = Effect(EffectKind.DAMAGE, 3, 4, shape=Shape.CIRCLE, radius=2, crit_low=5)
HEAL = Effect(EffectKind.HEAL, 3, 4)
FOR_ITSELF = Effect(EffectKind.SHIELD, 5, 5, affects=Affects.CASTER)
IMP = Summon("imp", "Imp", 7, 30, 4, 3, (spell("bite"),))


def book_with(*spells):
    book = book_of(fight(fighter(0, 0, 286, spells), fighter(1, 1, 315)))
    return book, [place for place, known in book.content.spells_at.items() if known in spells]


def effects_of(b, place):
    first = b[place + at.EFFECTS_AT]
    return [b[first + index] for index in range(b[place + at.SPELL_EFFECTS])]


@pytest.mark.parametrize(
    ("effects", "use"),
    [
        ((HIT,), at.USE_HURTS | at.USE_HARMS),
        ((AREA,), at.USE_HURTS | at.USE_HARMS | at.USE_WIDE),
        ((HEAL, FOR_ITSELF), at.USE_HELPS | at.USE_ITSELF),
        ((Effect(EffectKind.HEAL, 3, 4, affects=Affects.ENEMIES),), at.USE_HARMS),
        ((Effect(EffectKind.PUSH, 2, 2, affects=Affects.ALLIES),), at.USE_MOVES | at.USE_HELPS),
        ((Effect(EffectKind.BUFF, -9, 3, stat="power"),), at.USE_HARMS),
        ((Effect(EffectKind.BUFF, 9, 3, stat="power"),), at.USE_HELPS),
        ((Effect(EffectKind.STATE, state=State.ROOTED),), at.USE_HARMS),
        ((Effect(EffectKind.STATE, state=State.INVISIBLE),), at.USE_HELPS),
        (
            (Effect(EffectKind.GLYPH, shape=Shape.CROSS, radius=1, payload=(HEAL,)),),
            at.USE_HELPS | at.USE_WIDE,
        ),
        ((Effect(EffectKind.TRAP, shape=Shape.CROSS, radius=1, payload=(AREA,)),), at.USE_TRAPS),
        ((Effect(EffectKind.TELEPORT),), at.USE_JUMPS),
        ((Effect(EffectKind.SUMMON, summon=IMP),), at.USE_SUMMONS),
    ],
)
def test_what_a_spell_is_for(effects, use):
    book, (place,) = book_with(spell(effects=effects))
    assert book.b[place + at.SPELL_USE] == use


def test_the_conditions_of_a_spell():
    book, (place,) = book_with(
        spell(
            effects=(HIT, Effect(EffectKind.SUMMON, summon=IMP)), in_line=True, casts_per_turn=2, cooldown=3,
            required_states=(State.FOCUSED,), forbidden_states=(State.ROOTED, State.GRAVITY),
        )
    )  # fmt: skip
    words = [book.b[place + field] for field in range(at.SPELL)]
    assert words[at.SPELL_FLAGS] == at.IN_LINE | at.NEEDS_SIGHT | at.NEEDS_FREE | at.ATTACKS
    assert (words[at.CASTS_PER_TURN], words[at.COOLDOWN], words[at.SPELL_SUMMONS]) == (2, 3, 1)
    assert words[at.REQUIRED] == 1 << at.FOCUSED
    assert words[at.FORBIDDEN] == 1 << at.ROOTED | 1 << at.GRAVITY


def test_the_dice_of_a_critical_hit():
    book, (place,) = book_with(spell(effects=(HIT, AREA)))
    plain, own = effects_of(book.b, place)
    assert [book.b[plain + field] for field in (at.CRIT_LOW, at.CRIT_HIGH)] == [at.NO_DICE, at.NO_DICE]
    assert [book.b[own + field] for field in (at.CRIT_LOW, at.CRIT_HIGH)] == [5, 5]


def test_numbers_lead_back_to_the_objects():
    snare = spell("snare", (Effect(EffectKind.TRAP, payload=(HIT, AREA)),))
    book, (place,) = book_with(snare)
    (lay,) = effects_of(book.b, place)
    content, payload = book.content, book.b[lay + at.PAYLOAD]
    assert content.effects[book.b[lay + at.EFFECT_NUMBER]] is snare.effects[0]
    assert content.payloads_at[payload] is snare.effects[0].payload
    acts = [book.b[payload + 1 + index] for index in range(book.b[payload])]
    assert [content.effects[book.b[act + at.EFFECT_NUMBER]] for act in acts] == [HIT, AREA]
    assert [content.names[book.b[act + at.EFFECT_NAME]] for act in acts] == ["snare", "snare"]


def test_the_map_is_in_the_book():
    cells = with_cell(with_cell(OPEN, 30, CellFlag.SIGHT), 31, CellFlag.WALKABLE)
    b = book_of(fight(fighter(0, 0, 286), fighter(1, 1, 315), cells=cells)).b
    assert b[at.WALKABLE + 1] == (1 << 28) - 1 - (1 << 2)
    assert b[at.SIGHT + 1] == (1 << 28) - 1 - (1 << 3)

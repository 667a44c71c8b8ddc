"""What the game's effect numbers mean: which of the rules' effects each becomes, or what is left out of it.

The numbers and how often each occurs are facts, counted over the 19 classes' spells, the spells these cast,
and a dungeon's monsters (github.com/noazzouzi/DofusSimu, docs/research/effects.md; see design/CONTENT.md).
The words are ours. `docs/game-effects.md` is made of this table.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from botapp.fight.spells import Basis, EffectKind, Element, State
from botapp.host.message import mark


class How(Enum):
    """In which way a line of the game becomes effects of the rules."""

    DICE = "dice"
    """One effect whose dice are the line's first two numbers."""
    BUFF = "buff"
    """A stat changes by the first number, or by dice."""
    STEAL_STAT = "steal_stat"
    """The target's stat falls and the caster's rises."""
    MULTIPLY = "multiply"
    """Damage taken becomes a share of itself: a resistance at any distance."""
    STATE = "state"
    """The third number is a state that is given or taken away."""
    CAST = "cast"
    """The first two numbers are another spell and its grade."""
    MARK = "mark"
    """As `CAST`, from a glyph or a trap."""
    SUMMON = "summon"
    """The first two numbers are a monster and its grade."""
    REPLACE = "replace"
    """As `SUMMON`, in the place of a fighter who dies of it."""
    GIFT = "gift"
    """The caster's HP go over to the target."""
    REFLECT = "reflect"
    """A fighter who hurts the bearer takes a share of it."""
    REWARD = "reward"
    """A fighter who hurts the bearer is healed."""
    PLAIN = "plain"
    """One effect without numbers."""
    END_SPELL = "end_spell"
    """The third number is a spell whose effects end."""
    RANGE = "range"
    """The range of one spell, or of all: those alone are understood, as a change of the stat."""
    BOOST = "boost"
    """The first number is a spell whose dice or cost change by the third: a state of its caster."""
    COOLDOWN = "cooldown"
    """The first number is a spell that cannot be cast for as many turns as the third says: a state."""
    NOTHING = "nothing"
    """Shows something and changes nothing."""
    OUT = "out"
    """Not understood: it is left out and named."""


@dataclass(frozen=True, slots=True)
class EffectId:
    """One of the game's effect numbers.

    Attributes:
        number: the game's `effectId`.
        does: what it does in the game, in a few English words.
        how: the way it becomes effects of the rules.
        kind: the rules' kind of effect.
        stat: which stat changes.
        sign: 1 or -1, how it changes.
        element: of damage, steal and heals.
        basis: what its numbers are percent of.
        state: the rules' own state that is meant.
        best: 1 where the caster's best element counts, -1 for the worst.
        near: how the rules differ from the game here, "" where they do not.
        left_out: what is missing in words for a person, for `How.OUT`; a message id.
        misleads: whether a spell must not be judged without it.
        seen: how often it occurs in what was counted; `of_classes` of these in the classes' own spells.
    """

    number: int
    does: str
    how: How
    kind: EffectKind | None = None
    stat: str = ""
    sign: int = 1
    element: Element = Element.NEUTRAL
    basis: Basis = Basis.POINTS
    state: State | None = None
    best: int = 0
    near: str = ""
    left_out: str = ""
    misleads: bool = False
    seen: int = 0
    of_classes: int = 0


_ELEMENTS = {
    "Water": Element.WATER,
    "Earth": Element.EARTH,
    "Air": Element.AIR,
    "Fire": Element.FIRE,
    "Neutral": Element.NEUTRAL,
}
_BY_SHEET = "the element is chosen once, by the sheet without buffs"
_NEW_HP = "the target's resistances count"
_SPELLS_CHANGE = mark("changes of spells' costs, ranges or dice")
_RUNES = mark("runes")
_PORTALS = mark("portals")
_GLYPHS = mark("glyphs that act otherwise than at the beginning of a turn")
_CARRYING = mark("carrying and throwing")
_BACK = mark("returns to an earlier place")
_VITALITY = mark("changes of vitality")
_TAKEN = mark("damage shared, thrown back, taken over or lessened by a fixed amount")
_HEALING = mark("changes of heals")
_DICE = mark("dice made lowest or highest")
_TURNS = mark("turns that end or are lost")
_CALLED = mark("summons of another kind: doubles, illusions, the dead, others' controlled")
_COOLDOWNS = mark("changes of cooldowns")
_BOMBS = mark("bombs set off, and their combos")
_MOVES = mark("pushes and pulls up to a cell, and following")
_OTHERS = mark("damage that depends on the MP left")
_AT_SOURCE = mark("spells cast at who triggered them, by others than their bearer")


def _rows() -> Iterable[EffectId]:
    """Returns the table, family by family."""
    yield from _damage()
    yield from _heals()
    yield from _points()
    yield from _stats()
    yield from _moves()
    yield from _states()
    yield from _casts()
    yield from _marks_and_summons()
    yield from _boosts()
    yield from _unknown()
    yield from _looks()


def _damage() -> Iterable[EffectId]:
    dice: dict[str, Any] = {"how": How.DICE}
    for number, name, seen, own in (
        (96, "Water", 689, 536), (97, "Earth", 693, 578), (98, "Air", 661, 536), (99, "Fire", 733, 582),
        (100, "Neutral", 32, 4),
    ):  # fmt: skip
        yield EffectId(
            number, f"{name} damage", **dice, kind=EffectKind.DAMAGE, element=_ELEMENTS[name], seen=seen,
            of_classes=own,
        )  # fmt: skip
    for number, name, seen, own in (
        (91, "Water", 177, 143), (92, "Earth", 148, 127), (93, "Air", 112, 87), (94, "Fire", 150, 131),
        (95, "Neutral", 42, 0),
    ):  # fmt: skip
        yield EffectId(
            number, f"{name} steal", **dice, kind=EffectKind.STEAL, element=_ELEMENTS[name], seen=seen,
            of_classes=own,
        )  # fmt: skip
    for number, does, kind, best, seen, own in (
        (2822, "damage of the best element", EffectKind.DAMAGE, 1, 162, 126),
        (2828, "steal of the best element", EffectKind.STEAL, 1, 48, 12),
        (2832, "damage of the worst element", EffectKind.DAMAGE, -1, 4, 4),
    ):
        yield EffectId(number, does, **dice, kind=kind, best=best, near=_BY_SHEET, seen=seen, of_classes=own)
    for number, does, element, basis, seen, own in (
        (89, "Neutral damage: % of the caster's HP", "Neutral", Basis.CASTER_HP, 20, 6),
        (275, "Water damage: % of the caster's missing HP", "Water", Basis.CASTER_MISSING_HP, 1, 0),
        (279, "Neutral damage: % of the caster's missing HP", "Neutral", Basis.CASTER_MISSING_HP, 16, 2),
        (1092, "Neutral damage: % of the target's eroded HP", "Neutral", Basis.TARGET_ERODED_HP, 2, 2),
        (1096, "Earth damage: % of the target's eroded HP", "Earth", Basis.TARGET_ERODED_HP, 1, 0),
        (1118, "Neutral damage: % of the caster's eroded HP", "Neutral", Basis.CASTER_ERODED_HP, 4, 4),
        (1122, "Earth damage: % of the caster's eroded HP", "Earth", Basis.CASTER_ERODED_HP, 1, 0),
    ):
        yield EffectId(
            number, does, **dice, kind=EffectKind.DAMAGE, element=_ELEMENTS[element], basis=basis, seen=seen,
            of_classes=own,
        )  # fmt: skip
    yield EffectId(
        1048, "loses % of its HP", **dice, kind=EffectKind.DAMAGE, basis=Basis.TARGET_HP, near=_NEW_HP,
        seen=22, of_classes=20,
    )  # fmt: skip


def _heals() -> Iterable[EffectId]:
    dice: dict[str, Any] = {"how": How.DICE, "kind": EffectKind.HEAL}
    for number, name, seen, own in (
        (108, "Fire", 132, 104), (2998, "Water", 138, 90), (2999, "Air", 80, 64), (3000, "Earth", 93, 76),
    ):  # fmt: skip
        yield EffectId(number, f"{name} heal", **dice, element=_ELEMENTS[name], seen=seen, of_classes=own)
    yield EffectId(3002, "heal of the best element", **dice, best=1, near=_BY_SHEET, seen=34, of_classes=17)
    yield EffectId(1109, "heal: % of maximum HP", **dice, basis=Basis.TARGET_MAX_HP, seen=243, of_classes=117)
    yield EffectId(90, "gives % of its HP away", How.GIFT, near=_NEW_HP, seen=41, of_classes=23)
    yield EffectId(786, "heals attackers: % of the damage", How.REWARD, seen=29, of_classes=24)
    shield: dict[str, Any] = {
        "how": How.DICE,
        "kind": EffectKind.SHIELD,
        "near": "a shield lasts until it is used up",
    }
    yield EffectId(1020, "shield: % of the level", **shield, basis=Basis.LEVEL, seen=275, of_classes=210)
    yield EffectId(
        1039, "shield: % of maximum HP", **shield, basis=Basis.CASTER_MAX_HP, seen=23, of_classes=13
    )
    yield EffectId(1040, "shield", **shield, seen=6)
    life = shield | {"near": "as a shield of as many HP, which lasts until it is used up"}
    share: dict[str, Any] = {"basis": Basis.TARGET_MAX_HP}
    yield EffectId(125, "+ vitality", **life, seen=2)
    yield EffectId(1078, "+ vitality %", **life, **share, seen=65, of_classes=23)
    yield EffectId(2844, "+ vitality %", **life, **share, seen=2, of_classes=2)
    yield EffectId(
        1223, "throws damage back", How.REFLECT, left_out=_TAKEN, seen=25, of_classes=8,
        near="only where it waits for damage; the attacker's resistances count",
    )  # fmt: skip


def _points() -> Iterable[EffectId]:
    for number, does, kind, seen, own in (
        (77, "steals MP", EffectKind.STEAL_MP, 26, 24),
        (84, "steals AP", EffectKind.STEAL_AP, 6, 6),
        (120, "gives AP back", EffectKind.GIVE_AP, 86, 54),
        (1079, "removes AP, may be dodged", EffectKind.REMOVE_AP, 120, 100),
        (1080, "removes MP, may be dodged", EffectKind.REMOVE_MP, 221, 155),
    ):
        yield EffectId(number, does, How.DICE, kind=kind, seen=seen, of_classes=own)


_BUFFS = (
    (111, "+ AP", "ap", 1, "", 107, 55),
    (112, "+ damage", "damage", 1, "", 28, 22),
    (115, "+ critical %", "crit", 1, "", 50, 34),
    (116, "- range", "range", -1, "", 106, 84),
    (117, "+ range", "range", 1, "", 52, 35),
    (118, "+ strength", "strength", 1, "", 36, 12),
    (119, "+ agility", "agility", 1, "", 38, 12),
    (123, "+ chance", "chance", 1, "", 36, 12),
    (124, "+ wisdom", "wisdom", 1, "", 0, 0),
    (126, "+ intelligence", "intelligence", 1, "", 36, 12),
    (128, "+ MP", "mp", 1, "", 200, 136),
    (138, "+ power", "power", 1, "", 215, 107),
    (145, "- damage", "damage", -1, "", 32, 30),
    (152, "- chance", "chance", -1, "", 8, 7),
    (154, "- agility", "agility", -1, "", 8, 7),
    (155, "- intelligence", "intelligence", -1, "", 8, 7),
    (156, "- wisdom", "wisdom", -1, "", 0, 0),
    (157, "- strength", "strength", -1, "", 8, 7),
    (160, "+ AP dodge", "dodge", 1, "dodge of AP and MP are one", 3, 3),
    (161, "+ MP dodge", "dodge", 1, "dodge of AP and MP are one", 10, 10),
    (162, "- AP dodge", "dodge", -1, "dodge of AP and MP are one", 9, 7),
    (163, "- MP dodge", "dodge", -1, "dodge of AP and MP are one", 21, 14),
    (168, "- AP, cannot be dodged", "ap", -1, "", 7, 7),
    (169, "- MP, cannot be dodged", "mp", -1, "", 37, 17),
    (171, "- critical %", "crit", -1, "", 43, 31),
    (174, "+ initiative", "initiative", 1, "", 0, 0),
    (175, "- initiative", "initiative", -1, "", 0, 0),
    (178, "+ heals", "heals", 1, "", 13, 3),
    (179, "- heals", "heals", -1, "", 0, 0),
    (182, "+ summons", "summons", 1, "", 15, 3),
    (186, "- power", "power", -1, "", 55, 33),
    (210, "+ Earth resistance %", "earth_resistance", 1, "", 1, 0),
    (211, "+ Water resistance %", "water_resistance", 1, "", 1, 0),
    (212, "+ Air resistance %", "air_resistance", 1, "", 1, 0),
    (213, "+ Fire resistance %", "fire_resistance", 1, "", 1, 0),
    (214, "+ Neutral resistance %", "neutral_resistance", 1, "", 0, 0),
    (215, "- Earth resistance %", "earth_resistance", -1, "", 2, 2),
    (216, "- Water resistance %", "water_resistance", -1, "", 2, 2),
    (217, "- Air resistance %", "air_resistance", -1, "", 2, 2),
    (218, "- Fire resistance %", "fire_resistance", -1, "", 2, 2),
    (219, "- Neutral resistance %", "neutral_resistance", -1, "", 2, 2),
    (410, "+ AP removal", "withdraw", 1, "removal of AP and MP are one", 7, 5),
    (411, "- AP removal", "withdraw", -1, "removal of AP and MP are one", 6, 6),
    (412, "+ MP removal", "withdraw", 1, "removal of AP and MP are one", 7, 3),
    (413, "- MP removal", "withdraw", -1, "removal of AP and MP are one", 6, 6),
    (414, "+ push damage", "push_damage", 1, "", 46, 25),
    (415, "- push damage", "push_damage", -1, "", 0, 0),
    (416, "+ push resistance", "push_resistance", 1, "", 11, 8),
    (417, "- push resistance", "push_resistance", -1, "", 49, 38),
    (418, "+ critical damage", "crit_damage", 1, "", 8, 5),
    (419, "- critical damage", "crit_damage", -1, "", 10, 6),
    (420, "+ critical resistance", "crit_resistance", 1, "", 22, 10),
    (421, "- critical resistance", "crit_resistance", -1, "", 4, 4),
    (752, "+ dodge of locks", "flee", 1, "", 50, 21),
    (753, "+ lock", "lock", 1, "", 38, 19),
    (754, "- dodge of locks", "flee", -1, "", 55, 39),
    (755, "- lock", "lock", -1, "", 16, 8),
    (776, "+ erosion %", "erosion", 1, "", 72, 62),
    (1076, "+ resistance % of all elements", "resistance", 1, "", 5, 2),
    (1077, "- resistance % of all elements", "resistance", -1, "", 0, 0),
    (1171, "+ final damage %", "final_damage", 1, "", 96, 17),
    (1172, "- final damage %", "final_damage", -1, "", 21, 14),
    (2800, "+ melee damage %", "melee_damage", 1, "", 10, 10),
    (2801, "- melee damage %", "melee_damage", -1, "", 0, 0),
    (2802, "- melee resistance %", "melee_resistance", -1, "", 2, 1),
    (2803, "+ melee resistance %", "melee_resistance", 1, "", 8, 6),
    (2804, "+ ranged damage %", "ranged_damage", 1, "", 5, 5),
    (2805, "- ranged damage %", "ranged_damage", -1, "", 1, 1),
    (2806, "- ranged resistance %", "ranged_resistance", -1, "", 2, 1),
    (2807, "+ ranged resistance %", "ranged_resistance", 1, "", 1, 0),
    (2812, "+ spell damage %", "spell_damage", 1, "", 3, 2),
    (2813, "- spell damage %", "spell_damage", -1, "", 0, 0),
)  # fmt: skip


def _stats() -> Iterable[EffectId]:
    for number, does, stat, sign, near, seen, own in _BUFFS:
        yield EffectId(
            number, does, How.BUFF, kind=EffectKind.BUFF, stat=stat, sign=sign, near=near, seen=seen,
            of_classes=own,
        )  # fmt: skip
    for number, stat, seen, own in (
        (266, "chance", 12, 12), (268, "agility", 13, 12), (269, "intelligence", 14, 12),
        (271, "strength", 14, 12), (320, "range", 18, 12),
    ):  # fmt: skip
        yield EffectId(
            number, f"steals {stat}", How.STEAL_STAT, kind=EffectKind.BUFF, stat=stat, seen=seen,
            of_classes=own,
            near="the caster gains it once, whomever the area reaches",
        )  # fmt: skip
    yield EffectId(
        1163, "damage taken x %", How.MULTIPLY, kind=EffectKind.BUFF, seen=102, of_classes=50,
        near="added to other resistances in melee and at range; push damage is not changed",
    )  # fmt: skip


def _moves() -> Iterable[EffectId]:
    for number, does, kind, seen, own in (
        (5, "pushes", EffectKind.PUSH, 481, 399),
        (6, "pulls", EffectKind.PULL, 438, 321),
        (1041, "the caster steps back", EffectKind.RETREAT, 90, 75),
        (1042, "the caster steps forward", EffectKind.ADVANCE, 135, 116),
        (1103, "pushes without damage", EffectKind.SHOVE, 42, 37),
    ):
        yield EffectId(number, does, How.DICE, kind=kind, seen=seen, of_classes=own)
    for number, does, kind, near, seen, own in (
        (4, "the caster teleports", EffectKind.TELEPORT, "only onto a free cell", 126, 75),
        (8, "changes places", EffectKind.SWAP, "", 119, 75),
        (1023, "changes places, whatever forbids it", EffectKind.SWAP, "states can forbid it", 18, 0),
        (1104, "the caster to the other side of the target", EffectKind.MIRROR_CASTER, "", 74, 53),
        (1105, "the target to the other side of the caster", EffectKind.MIRROR_TARGET, "", 46, 41),
        (1106, "the targets to the other side of the cell", EffectKind.MIRROR_AROUND, "", 76, 57),
    ):
        yield EffectId(
            number, does, How.PLAIN, kind=kind, near=near, seen=seen, of_classes=own, misleads=number == 4
        )


def _states() -> Iterable[EffectId]:
    yield EffectId(950, "gives a state", How.STATE, kind=EffectKind.STATE, seen=2433, of_classes=1108)
    yield EffectId(951, "takes a state away", How.STATE, kind=EffectKind.END_STATE, seen=814, of_classes=195)
    yield EffectId(
        952, "switches a state off", How.STATE, kind=EffectKind.END_STATE, near="the state ends for good",
        seen=13, of_classes=3,
    )  # fmt: skip
    yield EffectId(
        150, "makes invisible", How.PLAIN, kind=EffectKind.STATE, state=State.INVISIBLE, seen=7, of_classes=4
    )
    yield EffectId(
        202, "shows the invisible", How.PLAIN, kind=EffectKind.END_STATE, state=State.INVISIBLE, seen=34,
        of_classes=22,
    )  # fmt: skip
    yield EffectId(141, "kills", How.PLAIN, kind=EffectKind.KILL, seen=176, of_classes=31)
    yield EffectId(
        406, "ends a spell's effects", How.END_SPELL, kind=EffectKind.END_TAGGED, seen=661, of_classes=169
    )
    yield EffectId(
        1406, "ends a spell's effects of one grade", How.END_SPELL, kind=EffectKind.END_TAGGED,
        near="of all grades", seen=8, of_classes=6,
    )  # fmt: skip
    yield EffectId(1075, "effects end sooner", How.DICE, kind=EffectKind.DISPEL, seen=81, of_classes=54)


def _casts() -> Iterable[EffectId]:
    once = "without its limit of times a cast"
    for number, does, kind, near, seen, own in (
        (792, "the target casts another spell on itself", EffectKind.CAST_BY, "", 1578, 702),
        (793, "the target casts another spell on itself", EffectKind.CAST_BY, "", 3, 0),
        (1160, "the caster casts another spell at the target", EffectKind.CAST, "", 3657, 2352),
        (2160, "the caster casts another spell at the target", EffectKind.CAST, once, 137, 95),
        (2792, "the target casts another spell on itself", EffectKind.CAST_BY, once, 34, 0),
        (2793, "the target casts another spell on itself", EffectKind.CAST_BY, once, 2, 0),
        (2960, "the caster casts another spell at the cell", EffectKind.CAST_ON_CELL, "", 301, 234),
        (2794, "the target casts another spell at the cell", EffectKind.CAST_ON_CELL,
         "only where the target is the caster", 186, 124),
        (2795, "the target casts another spell at the cell", EffectKind.CAST_ON_CELL,
         "only where the target is the caster", 2, 2),
    ):  # fmt: skip
        yield EffectId(number, does, How.CAST, kind=kind, near=near, seen=seen, of_classes=own)
    yield EffectId(
        1017, "the bearer casts another spell at the cause", How.CAST, kind=EffectKind.CAST, seen=74,
        of_classes=5, near="only where it waits for a trigger",
    )  # fmt: skip
    yield EffectId(
        1019, "the cause casts another spell on itself", How.CAST, kind=EffectKind.CAST_BY, seen=6,
        of_classes=4, near="only where it waits for a trigger",
    )  # fmt: skip


def _marks_and_summons() -> Iterable[EffectId]:
    for number, does, near, seen, own in (
        (402, "lays a glyph of the turn's end", "acts as its bearer's next turn begins", 9, 6),
        (1091, "lays an aura", "acts on who begins a turn in it, not on who walks in", 68, 47),
        (1165, "lays a glyph that acts at once", "acts on who begins a turn in it", 8, 4),
    ):  # fmt: skip
        yield EffectId(number, does, How.MARK, kind=EffectKind.GLYPH, near=near, seen=seen, of_classes=own)
    yield EffectId(
        2022, "lays a rune", How.NOTHING, seen=124, of_classes=118,
        near="it does nothing until it is set off (2023), which is left out and named",
    )  # fmt: skip
    yield EffectId(400, "lays a trap", How.MARK, kind=EffectKind.TRAP, seen=34, of_classes=32)
    yield EffectId(401, "lays a glyph", How.MARK, kind=EffectKind.GLYPH, seen=27, of_classes=22)
    bonus = "without a share of the summoner's stats"
    for number, does, seen, own in (
        (181, "summons", 218, 194), (1008, "summons a bomb", 32, 20), (1011, "summons, controlled", 29, 28),
    ):  # fmt: skip
        yield EffectId(
            number, does, How.SUMMON, kind=EffectKind.SUMMON, near=bonus, seen=seen, of_classes=own
        )
    for number, seen, own in ((405, 52, 36), (2796, 4, 4)):
        yield EffectId(
            number, "kills and summons in its place", How.REPLACE, kind=EffectKind.SUMMON, near=bonus,
            seen=seen, of_classes=own,
        )  # fmt: skip


_LEFT_OUT = (
    (50, "carries", _CARRYING, True, 10, 5),
    (51, "throws", _CARRYING, True, 33, 31),
    (140, "loses a turn", _TURNS, True, 2, 0),
    (180, "summons a double", _CALLED, False, 5, 5),
    (265, "lessens damage by a fixed amount", _TAKEN, False, 17, 14),
    (287, "a spell's critical %", _SPELLS_CHANGE, False, 4, 0),
    (289, "a spell needs no sight", _SPELLS_CHANGE, False, 7, 2),
    (290, "a spell's casts a turn", _SPELLS_CHANGE, False, 15, 6),
    (291, "a spell's casts a target", _SPELLS_CHANGE, False, 2, 2),
    (295, "- a spell's nearest range", _SPELLS_CHANGE, False, 2, 0),
    (297, "a spell needs no taken cell", _SPELLS_CHANGE, False, 5, 0),
    (299, "a spell needs a free cell", _SPELLS_CHANGE, False, 6, 0),
    (314, "a spell needs a taken cell", _SPELLS_CHANGE, False, 17, 0),
    (765, "takes damage over", _TAKEN, False, 16, 8),
    (780, "calls a dead ally back", _CALLED, False, 1, 0),
    (781, "dice are lowest", _DICE, False, 6, 6),
    (782, "dice are highest", _DICE, False, 3, 0),
    (783, "pushes up to a cell", _MOVES, True, 9, 3),
    (784, "back to the place of the fight's beginning", _BACK, True, 1, 0),
    (798, "a spell needs a visible target", _SPELLS_CHANGE, False, 5, 0),
    (1009, "sets a bomb off", _BOMBS, True, 15, 7),
    (1013, "Air damage by the MP left", _OTHERS, True, 2, 2),
    (1016, "Earth damage by the MP left", _OTHERS, True, 2, 2),
    (1018, "the cause casts another spell at the target", _AT_SOURCE, False, 1, 0),
    (1026, "sets glyphs off", _GLYPHS, False, 33, 32),
    (1027, "a bomb's combo", _BOMBS, False, 15, 0),
    (1031, "ends the turn", _TURNS, True, 6, 4),
    (1033, "- vitality %", _VITALITY, True, 2, 2),
    (1036, "a spell's cooldown is shorter", _COOLDOWNS, False, 26, 4),
    (1043, "pulls up to a cell", _MOVES, True, 4, 0),
    (1061, "shares damage", _TAKEN, False, 16, 8),
    (1097, "makes illusions", _CALLED, True, 5, 3),
    (1099, "back to the place of the turn's beginning", _BACK, True, 10, 6),
    (1100, "back to the place before", _BACK, True, 65, 49),
    (1101, "teleports or changes places", _BACK, True, 4, 1),
    (1123, "throws damage back before it is lessened", _TAKEN, False, 1, 0),
    (1159, "heals received x %", _HEALING, False, 73, 61),
    (1181, "lays a portal", _PORTALS, True, 26, 19),
    (1182, "uses a portal", _PORTALS, True, 5, 3),
    (1183, "closes a portal", _PORTALS, True, 5, 5),
    (2017, "the target casts another spell at the cause", _AT_SOURCE, False, 2, 0),
    (2018, "takes glyphs away", _GLYPHS, False, 20, 8),
    (2020, "heals: % of the damage taken", _TAKEN, False, 4, 2),
    (2023, "sets runes off", _RUNES, False, 11, 9),
    (2027, "takes control", _CALLED, False, 4, 0),
    (2184, "follows the caster", _MOVES, False, 4, 3),
    (2188, "plays otherwise", _CALLED, False, 2, 0),
    (2905, "sets a spell's longest range", _SPELLS_CHANGE, False, 34, 0),
    (2906, "sets a spell's nearest range", _SPELLS_CHANGE, False, 16, 0),
    (2971, "+ final heals %", _HEALING, False, 17, 10),
    (2972, "- final heals %", _HEALING, False, 1, 0),
    (2973, "heals: % of the damage done", _TAKEN, False, 46, 23),
)  # fmt: skip


def _unknown() -> Iterable[EffectId]:
    for number, does, left_out, misleads, seen, own in _LEFT_OUT:
        yield EffectId(number, does, How.OUT, left_out=left_out, misleads=misleads, seen=seen, of_classes=own)
    yield EffectId(
        280, "+ a spell's nearest range", How.OUT, left_out=_SPELLS_CHANGE, seen=177, of_classes=175
    )
    yield EffectId(
        281, "+ a spell's longest range", How.RANGE, kind=EffectKind.BUFF, stat="range",
        left_out=_SPELLS_CHANGE, near="only where it is for all spells", seen=133, of_classes=112,
    )  # fmt: skip


def _boosts() -> Iterable[EffectId]:
    for number, does, seen, own in (
        (293, "a spell's base damage", 328, 158), (2935, "a spell's base heal", 39, 4),
    ):  # fmt: skip
        yield EffectId(
            number, does, How.BOOST, kind=EffectKind.STATE, left_out=_SPELLS_CHANGE, seen=seen,
            of_classes=own, near="counts once, however often it is given; only among a fighter's own spells",
        )  # fmt: skip

    for number, does, how_paid, seen, own in (
        (285, "a spell costs less AP", "the full cost is paid, the rest comes back at once", 112, 4),
        (296, "a spell costs more AP", "what it costs more is taken once it is cast", 14, 6),
    ):
        yield EffectId(
            number, does, How.BOOST, kind=EffectKind.STATE, left_out=_SPELLS_CHANGE, seen=seen,
            of_classes=own, near=f"{how_paid}; counts once, and only among a fighter's own spells",
        )  # fmt: skip

    yield EffectId(
        1045, "sets a spell's cooldown", How.COOLDOWN, kind=EffectKind.STATE, left_out=_COOLDOWNS, seen=67,
        of_classes=16, near="only to one turn or more, and only among a fighter's own spells",
    )  # fmt: skip


def _looks() -> Iterable[EffectId]:
    for number, does, seen, own in (
        (149, "another look", 44, 0), (333, "another colour", 3, 2), (335, "another look", 43, 22),
        (666, "nothing", 453, 0), (1060, "another size", 51, 0), (2868, "another size", 2, 0),
        (3792, "a picture on the caster", 292, 282), (3793, "a picture on the target", 177, 97),
    ):  # fmt: skip
        yield EffectId(number, does, How.NOTHING, seen=seen, of_classes=own)


EFFECT_IDS: dict[int, EffectId] = {row.number: row for row in sorted(_rows(), key=lambda row: row.number)}
"""The game's effect numbers by number."""

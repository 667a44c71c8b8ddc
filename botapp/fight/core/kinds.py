"""Kinds of effects, shapes, states and the rest as the numbers that compiled code compares.

Each line is an enumeration of `botapp.fight.vocabulary`, its members' names in their order; `TO_` stands
before those of `Affects`, `OF_` of `Basis`, `IF_` of `Asks`, `ON_` of `Trigger`. Importing fails where a
member has no name here. Compiled code cannot use those enumerations themselves: their values are words.
"""

from botapp.fight.vocabulary import Affects, Asks, Basis, EffectKind, Element, Shape, State, Trigger

(DAMAGE, STEAL, HEAL, REMOVE_MP, REMOVE_AP, SHIELD, STEAL_AP, STEAL_MP, PUSH, PULL, TELEPORT, BUFF,
 STATE, GLYPH, TRAP, SUMMON, SWAP, DISPEL, END_STATE, KILL, RETREAT, ADVANCE, SHOVE, MIRROR_CASTER,
 MIRROR_TARGET, MIRROR_AROUND, CAST, CAST_BY, CAST_ON_CELL, END_TAGGED, GIVE_AP,
 GIVE_MP) = range(len(EffectKind))  # fmt: skip
(POINT, CIRCLE, CROSS, LINE, T, SQUARE, RING, CONE, DIAGONAL, STAR, LINE_FROM_CASTER, ACROSS_DIAGONAL,
 HALF_CIRCLE, EVERYWHERE, LISTED, LINE_TO_TARGET) = range(len(Shape))  # fmt: skip
NEUTRAL, EARTH, FIRE, WATER, AIR = range(len(Element))
ROOTED, GRAVITY, INVULNERABLE, INVISIBLE, UNLOCKABLE, PACIFIED, FOCUSED = range(len(State))
TO_DEFAULT, TO_ENEMIES, TO_ALLIES, TO_TEAM, TO_OTHERS, TO_ALL, TO_CASTER, TO_CAUSE = range(len(Affects))
(OF_POINTS, OF_LEVEL, OF_CASTER_HP, OF_CASTER_MAX_HP, OF_CASTER_MISSING_HP, OF_CASTER_ERODED_HP, OF_TARGET_HP,
 OF_TARGET_MAX_HP, OF_TARGET_ERODED_HP, OF_DAMAGE_TAKEN) = range(len(Basis))  # fmt: skip

(IF_STATE, IF_KIND, IF_HP_BELOW, IF_SUMMON, IF_OWN_SUMMON, IF_SUMMONER, IF_FAMILY, IF_PLAYER, IF_ALLY,
 IF_CASTER, IF_SHIELDED, IF_FULL_OF_SUMMONS, IF_CALLED, IF_AMONG) = range(len(Asks) + 1)  # fmt: skip
"""Conditions of masks; the last holds for the fighters that the book lists."""
OF_CASTER, UNLESS = 32, 64
"""Added to a condition: it is asked of the caster; it must not hold."""

(ON_TURN_BEGIN, ON_TURN_END, ON_DAMAGE, ON_NEUTRAL, ON_EARTH, ON_FIRE, ON_WATER, ON_AIR, ON_MELEE, ON_RANGED,
 ON_HEALED, ON_PUSH_DAMAGE, ON_DEATH, ON_AP_LOST, ON_MP_LOST, ON_FROM_ENEMY, ON_FROM_ALLY, ON_MOVED,
 ON_PUSHED, ON_PULLED, ON_SWAPPED, ON_TELEPORTED, ON_STATE_GAINED, ON_STATE_LOST, ON_DISPELLED, ON_KILLS,
 ON_CRITICAL, ON_SUMMONS) = (1 << bit for bit in range(len(Trigger)))  # fmt: skip
"""`ON_PUSH_DAMAGE` is the damage of a push."""

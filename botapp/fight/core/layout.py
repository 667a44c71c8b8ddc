"""What stands where in the two arrays that the compiled rules work on: the state `s` and the book `b`.

Both are one-dimensional arrays of whole numbers (32 bits; plain lists where the rules are interpreted). A
fighter is the place `f` in `s` where its fields begin, so `s[f + HP]` are its HP; a spell, an effect or a
summon is a place in `b` likewise. A set of cells is `SET` words of 28 bits, each two rows of the board.

The state's scratch part begins at `SCRATCH`: it is never copied, and belongs to whoever runs at the moment.
Next hop: `botapp.fight.core.states` and `botapp.fight.core.book` fill the arrays.
"""

# --- Capacities -------------------------------------------------------------------------------------------
MOST_FIGHTERS = 60
MOST_SPELLS = 32
"""Spells of one fighter."""
MOST_BUFFS = 192
MOST_MARKS = 128
MOST_CASTS = 48
"""Casts of one turn."""
SET = 20
"""Words of a set of cells: bit `cell % 28` of word `cell // 28`."""

# --- The state's head -------------------------------------------------------------------------------------
TURN = 0
CURRENT = 1
"""Index into the order of turns."""
FIGHTERS = 2
"""How many fighters there are, the dead among them; fighter number n begins at `FIRST + n * FIGHTER`."""
ORDERED = 3
"""How many fighters the order of turns lists."""
BUFFS = 4
MARKS = 5
CASTS = 6
HASH_A, HASH_B = 7, 8
"""31 bits each; see `botapp.fight.core.hashing`."""
DICE = 9
"""`MEANS`, `TAPE` or `ROLLS`."""
SEED = 10
"""State of the dice where they are rolled, 1 to 2**31 - 2."""
DRAWN = 11
"""How many times the dice were asked."""
RUNNING = 12
"""The waiting effect that was triggered and is being done, 0 for none: it does not trigger itself."""
FAULT = 13
"""0, or what did not fit: `FULL_*`."""
CAUSE, CAUSE_HP = 14, 15
"""Number of who caused what triggers an effect, and the HP that it cost; -1 and 0 for nobody."""
ORDER = 16
"""Fighter numbers in the order of turns."""
CAST_LIST = ORDER + MOST_FIGHTERS
"""Casts of this turn, oldest first, `CAST` words each."""
CAST = 3
CAST_BY, CAST_SPELL, CAST_AT = 0, 1, 2
"""Fighter number, its spell's slot, the fighter number aimed at or -1."""

MEANS, TAPE, ROLLS = 0, 1, 2
NOBODY, DRAWN_FIGHT = -2, -1
FULL_FIGHTERS, FULL_BUFFS, FULL_MARKS, FULL_CASTS, FULL_TASKS, FULL_TAPE = 1, 2, 3, 4, 5, 6

# --- A fighter --------------------------------------------------------------------------------------------
FIRST = CAST_LIST + MOST_CASTS * CAST
NUMBER = 0
"""Its place among the fighters, 0, 1, 2 ..."""
TEAM = 1
CELL = 2
LEVEL = 3
HP = 4
MAX_HP = 5
AP = 6
MP = 7
BASE_AP = 8
BASE_MP = 9
SHIELD = 10
ERODED = 11
SUMMONER = 12
"""Number of who called it, -1 for those who came by themselves."""
PLAYER = 13
SPELLS = 14
"""Place of its spell list in the book: how many, then the places of the spells."""
KIND = 15
"""Which of the book's kinds of fighters it is: its name and whatever never changes."""
STATES = 16
"""Bits of the states 0 to 30 that it is in; `MORE_STATES` those of 31 to 61."""
MORE_STATES = 17
ID = 18
"""Its id in `FightState`."""
SPECIES = 19
"""Which of the book's classes and monsters it is, whatever its name and spells."""
STATS = 20
"""Its sheet; what a buff may change. In the order of `STAT_NAMES`."""
STAT_NAMES = (
    "strength",
    "intelligence",
    "chance",
    "agility",
    "power",
    "damage",
    "heals",
    "wisdom",
    "lock",
    "flee",
    "range",
    "initiative",
    "crit",
    "crit_damage",
    "push_damage",
    "push_resistance",
    "withdraw",
    "dodge",
    "erosion",
    "summons",
    "neutral_resistance",
    "earth_resistance",
    "fire_resistance",
    "water_resistance",
    "air_resistance",
    "neutral_fixed_resistance",
    "earth_fixed_resistance",
    "fire_fixed_resistance",
    "water_fixed_resistance",
    "air_fixed_resistance",
    "crit_resistance",
    "final_damage",
    "spell_damage",
    "weapon_damage",
    "melee_damage",
    "ranged_damage",
    "spell_resistance",
    "weapon_resistance",
    "melee_resistance",
    "ranged_resistance",
)
STRENGTH, INTELLIGENCE, CHANCE, AGILITY = STATS, STATS + 1, STATS + 2, STATS + 3
POWER, DAMAGE_STAT, HEALS, WISDOM, LOCK, FLEE, RANGE, INITIATIVE = range(STATS + 4, STATS + 12)
CRIT, CRIT_DAMAGE, PUSH_DAMAGE, PUSH_RESISTANCE = range(STATS + 12, STATS + 16)
WITHDRAW, DODGE, EROSION, SUMMONS = range(STATS + 16, STATS + 20)
RESISTANCE = STATS + 20
"""In percent, by element."""
FIXED_RESISTANCE = STATS + 25
CRIT_RESISTANCE, FINAL_DAMAGE, SPELL_DAMAGE, WEAPON_DAMAGE = range(STATS + 30, STATS + 34)
MELEE_DAMAGE, RANGED_DAMAGE, SPELL_RESISTANCE, WEAPON_RESISTANCE = range(STATS + 34, STATS + 38)
MELEE_RESISTANCE, RANGED_RESISTANCE = STATS + 38, STATS + 39
STAT_COUNT = len(STAT_NAMES)
COOLDOWNS = STATS + STAT_COUNT
"""Turns until each of its spells can be cast again, by slot."""
FIGHTER = COOLDOWNS + MOST_SPELLS

# --- Buffs: oldest first, everybody's in one list ---------------------------------------------------------
BUFF_LIST = FIRST + MOST_FIGHTERS * FIGHTER
BUFF = 8
BUFF_ON, BUFF_BY, BUFF_TURNS, BUFF_STAT, BUFF_AMOUNT, BUFF_STATE, BUFF_EFFECT, BUFF_DELAY = range(8)
"""Fighter numbers of who bears it and who gave it; turns left, 0 for no end; `STAT_*` or -1; the amount; the
state given or -1; turns until it counts. `BUFF_EFFECT` is the place in the book of an effect that waits for
its trigger or its time; that place with a minus where a stat or a state comes from an effect that must be
known (it cannot be dispelled, or has a tag); else 0."""
STAT_AP, STAT_MP, STAT_ALL_RESISTANCES = STAT_COUNT, STAT_COUNT + 1, STAT_COUNT + 2
"""What a buff may change beside the sheet's own stats, which count from 0."""

# --- Marks: oldest first ----------------------------------------------------------------------------------
MARK_LIST = BUFF_LIST + MOST_BUFFS * BUFF
MARK = 8 + SET
MARK_KIND, MARK_BY, MARK_CELL, MARK_TURNS, MARK_PAYLOAD, MARK_NAME, MARK_ORIGIN, MARK_NUMBER = range(8)
"""`GLYPH` or `TRAP`; the owner's number; its centre; the owner's turns left, 0 for no end; place in the book
of its payload (how many effects, then the effects' places); which of the book's names; 0; 0 but while a turn
begins."""
MARK_CELLS = 8
GLYPH, TRAP = 0, 1

# --- Scratch ----------------------------------------------------------------------------------------------
SCRATCH = MARK_LIST + MOST_MARKS * MARK
MOST_TAPE = 128
TAPE_AT = SCRATCH
"""Dice drawn beforehand, 31 bits each."""
TASKS = TAPE_AT + MOST_TAPE
"""How many tasks wait; see `botapp.fight.core.tasks`."""
TASK_LIST = TASKS + 1
TASK = 10
MOST_TASKS = 96
REACHED = TASK_LIST + MOST_TASKS * TASK
"""How many fighters an effect reaches, then (number, steps) of each."""
BEFORE = REACHED + 1 + 2 * MOST_FIGHTERS
"""Where everyone stood before a cast, -1 for the dead; how many, then the cells."""
WAY = BEFORE + 1 + MOST_FIGHTERS
"""Cells that somebody is pushed over, or a path; how many, then the cells."""
HITS = WAY + 81
"""Who is hurt by an impact: how many, then (number, HP) of each."""
REACH_COUNT = HITS + 1 + 2 * MOST_FIGHTERS
"""See `botapp.fight.core.walking`: cells in reach, in the order found."""
REACH_CELLS = REACH_COUNT + 1
REACH_MP = REACH_CELLS + 560
"""MP left at each cell, -1 where it is not in reach."""
REACH_AP = REACH_MP + 560
REACH_FROM = REACH_AP + 560
"""The cell before each on its way."""
QUEUE = REACH_FROM + 560
"""Room for a search of the board: 2,240 words."""
SETS = QUEUE + 2240
"""Sets of cells in use by whoever runs: `WORK_SETS` of them."""
WORK_SETS = 64
STATE = SETS + WORK_SETS * SET
"""Length of a state."""

# --- The book ---------------------------------------------------------------------------------------------
WALKABLE = 0
SIGHT = WALKABLE + SET
SEEN_KNOWN = SIGHT + SET
"""For each cell whether what is seen from it, nobody being in the way, has been worked out."""
SEEN = SEEN_KNOWN + 560
CONTENT = SEEN + 560 * SET
"""Spells, effects and summons begin here; place 0 is never one of them."""

# A spell list: how many spells, then their places; a spell's slot is its place in its list.
# A spell:
SPELL_AP = 0
MIN_RANGE = 1
MAX_RANGE = 2
SPELL_FLAGS = 3
CRIT_CHANCE = 4
CRIT_BONUS = 5
CASTS_PER_TURN = 6
CASTS_PER_TARGET = 7
COOLDOWN = 8
INITIAL_COOLDOWN = 9
REQUIRED = 10
"""Bits of the states 0 to 30, then of 31 to 61, that its caster must be in."""
FORBIDDEN = 12
SPELL_SUMMONS = 14
"""How many summons it calls at once."""
SPELL_EFFECTS = 15
"""How many effects, then their places (`SPELL_EFFECTS + 1` holds the place of the list)."""
EFFECTS_AT = 16
SPELL_USE = 17
"""`USE_*` bits."""
SPELL_CRITERION = 18
"""Place of its further conditions (see `MASK_AT`), 0 for none."""
SPELL_ACTS = 19
"""Place of what it comes to: how many acts, then `ACT` words of each; how many distinct areas they have, then
of each the effect that has it and whether the own side is to stand there."""
SPELL = 20
IN_LINE, ON_DIAGONAL, NEEDS_SIGHT, NEEDS_FREE, NEEDS_TAKEN, BOOSTABLE, ATTACKS, TELEPORTS, WEAPON = (
    1, 2, 4, 8, 16, 32, 64, 128, 256,
)  # fmt: skip
USE_HURTS, USE_HARMS, USE_HELPS, USE_ITSELF, USE_JUMPS, USE_CALLS, USE_TRAPS, USE_MOVES, USE_WIDE = (
    1, 2, 4, 8, 16, 32, 64, 128, 256,
)  # fmt: skip

# An act; see `botapp.fight.core.acts`. A payload's list of effects has the place of its acts behind it.
ACT = 6
ACT_ROOT, ACT_AREA, ACT_EFFECT, ACT_SIDE, ACT_PERCENT, ACT_ASKS = range(ACT)
"""Places of effects: the spell's own, the one in whose area those stand who are aimed at (0 for nobody), and
the one that acts; `AT_*`; how likely, in percent; whether it asks for more than whom it is aimed at."""
AT_FOES, AT_OWN_SIDE, AT_ITSELF = range(3)

# An effect:
EFFECT_KIND = 0
LOW = 1
HIGH = 2
CRIT_LOW = 3
CRIT_HIGH = 4
"""The dice of a critical hit; `NO_DICE` where the spell's bonus is added instead."""
ELEMENT = 5
SHAPE = 6
SIZE = 7
INNER = 8
FALL_OFF = 9
"""Percent lost with each step from the centre."""
FALL_STEPS = 10
"""Steps at which it loses no more."""
AFFECTS = 11
EFFECT_TURNS = 12
EFFECT_STAT = 13
EFFECT_STATE = 14
PAYLOAD = 15
"""Place of the payload: how many effects, then their places and that of its acts; 0 for none."""
SUMMON_AT = 16
MASK_AT = 17
"""Place of the conditions on whom it reaches, 0 for none; see `botapp.fight.core.masks`."""
TRIGGER = 18
"""`TRIGGER_*` bits, 0 for at once."""
DELAY = 19
GROUP = 20
"""Random group, 0 for none; of the effects of a group one happens."""
CHANCE_OF = 21
"""Its weight in the group, or its own chance in percent where it has no group; 0 for always."""
DISPELLABLE = 22
HELPFUL = 23
EFFECT_NAME = 24
"""Which of the book's names the spell has that it belongs to."""
ZONE_CELLS = 25
"""Place of its listed cells: how many, then (dx, dy) of each; 0 for none."""
EFFECT_NUMBER = 26
"""Which of the book's effects it is."""
TRIGGER_STATE = 27
"""The state whose coming or going triggers it, -1 for none."""
LISTENS = 28
"""For how many turns of its caster it waits for its trigger, 0 for no end."""
TAG = 29
"""Which of the book's names `END_TAGGED` finds by it, 0 for none."""
BASIS = 30
"""`OF_*`: what its dice are percent of, 0 where they are points."""
BY_WEAPON = 31
"""Whether it belongs to a blow with a weapon."""
STACKS = 32
"""How often what it gives may lie on somebody at once, 0 for no limit."""
EFFECT = 33
NO_DICE = -(2**31)

# A summon, as a fighter's fields before its stats, then the stats:
SUMMON_KIND = 0
SUMMON_LEVEL = 1
SUMMON_HP = 2
SUMMON_AP = 3
SUMMON_MP = 4
SUMMON_SPELLS = 5
SUMMON_SPECIES = 6
SUMMON_STATS = 7
SUMMON = SUMMON_STATS + STAT_COUNT

# --- Kinds, as numbers, in the order of the enumerations of `botapp.fight.spells` -------------------------
(DAMAGE, STEAL, HEAL, REMOVE_MP, REMOVE_AP, GIVE_SHIELD, STEAL_AP, STEAL_MP, PUSH, PULL, TELEPORT,
 BUFF_STATS_OF, GIVE_STATE, LAY_GLYPH, LAY_TRAP, CALL, SWAP, DISPEL, END_STATE, KILL, RETREAT, ADVANCE,
 SHOVE, MIRROR_CASTER, MIRROR_TARGET, MIRROR_AROUND, CAST_AT_IT, CAST_BY_IT, CAST_ON_CELL, END_TAGGED,
 GIVE_AP, GIVE_MP) = range(32)  # fmt: skip
(POINT, CIRCLE, CROSS, LINE, ACROSS, SQUARE, RING, CONE, DIAGONAL, STAR, LINE_FROM_CASTER, ACROSS_DIAGONAL,
 HALF_CIRCLE, EVERYWHERE, LISTED, LINE_TO_TARGET) = range(16)  # fmt: skip
NEUTRAL, EARTH, FIRE, WATER, AIR = range(5)
ROOTED, GRAVITY, INVULNERABLE, INVISIBLE, UNLOCKABLE, PACIFIED, FOCUSED = range(7)
BY_KIND, ENEMIES, ALLIES, TEAM_ONLY, OTHERS, EVERYBODY, ITSELF, ITS_CAUSE = range(8)
(POINTS, OF_LEVEL, OF_CASTER_HP, OF_CASTER_MAX_HP, OF_CASTER_MISSING_HP, OF_CASTER_ERODED_HP, OF_TARGET_HP,
 OF_TARGET_MAX_HP, OF_TARGET_ERODED_HP, OF_DAMAGE_TAKEN) = range(10)  # fmt: skip

# --- Conditions of masks, in the order of `Asks`; the last is asked of whom the book lists ----------------
(IF_STATE, IF_KIND, IF_HP_BELOW, IF_SUMMON, IF_OWN_SUMMON, IF_SUMMONER, IF_FAMILY, IF_PLAYER, IF_ALLY,
 IF_CASTER, IF_SHIELDED, IF_FULL_OF_SUMMONS, IF_AMONG) = range(13)  # fmt: skip
OF_CASTER, UNLESS = 32, 64
"""Added to a code: it is asked of the caster; it must not hold."""

# --- Triggers ---------------------------------------------------------------------------------------------
(ON_TURN_BEGIN, ON_TURN_END, ON_DAMAGE, ON_NEUTRAL, ON_EARTH, ON_FIRE, ON_WATER, ON_AIR, ON_MELEE, ON_RANGED,
 ON_HEAL, ON_PUSH, ON_DEATH, ON_AP_LOST, ON_MP_LOST, ON_FROM_ENEMY, ON_FROM_ALLY, ON_MOVED, ON_PUSHED,
 ON_PULLED, ON_SWAPPED, ON_TELEPORTED, ON_STATE_GAINED, ON_STATE_LOST, ON_DISPELLED, ON_KILL, ON_CRITICAL,
 ON_SUMMON) = (1 << bit for bit in range(28))  # fmt: skip
"""In the order of `Trigger`; `ON_PUSH` is the damage of a push."""

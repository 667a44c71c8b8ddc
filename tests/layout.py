"""Where words stand in the arrays of a state and a book, for tests that look at these from outside."""

from botapp.fight.core.fight import *  # noqa: F403 - what tests know by the same name
from botapp.fight.core.fight import (
    BUFF_WORDS,
    BUFFS_AT,
    FIGHTER_WORDS,
    FIGHTERS_AT,
    MARK_WORDS,
    MARKS_AT,
    Buff,
    CastDone,
    Fight,
    Fighter,
    Mark,
)
from botapp.fight.core.kinds import FOCUSED, GRAVITY, ROOTED  # noqa: F401
from botapp.fight.core.spellbook import *  # noqa: F403
from botapp.fight.core.spellbook import (
    Book,
    Effect,
    Spell,
    Summon,
)

FIRST, FIGHTER = FIGHTERS_AT, FIGHTER_WORDS
BUFF_LIST, BUFF, MARK_LIST, MARK = BUFFS_AT, BUFF_WORDS, MARKS_AT, MARK_WORDS
CAST_LIST, CAST = Fight.word("casts"), CastDone.SIZE
SPELL, EFFECT = Spell.SIZE, Effect.SIZE
TURN = Fight.word("turn")
CURRENT = Fight.word("current")
FIGHTERS = Fight.word("fighter_count")
ORDERED = Fight.word("turn_count")
BUFFS = Fight.word("buff_count")
MARKS = Fight.word("mark_count")
CASTS = Fight.word("cast_count")
HASH_A = Fight.word("hash_a")
HASH_B = Fight.word("hash_b")
DICE = Fight.word("dice")
SEED = Fight.word("seed")
FAULT = Fight.word("fault")
ORDER = Fight.word("order")
TAPE_AT = Fight.word("tape")
WAY = Fight.word("way")
NUMBER = Fighter.word("number")
TEAM = Fighter.word("team")
CELL = Fighter.word("cell")
LEVEL = Fighter.word("level")
HP = Fighter.word("hp")
MAX_HP = Fighter.word("max_hp")
AP = Fighter.word("ap")
MP = Fighter.word("mp")
BASE_AP = Fighter.word("base_ap")
BASE_MP = Fighter.word("base_mp")
SHIELD = Fighter.word("shield")
ERODED = Fighter.word("eroded")
SUMMONER = Fighter.word("summoner")
SPELLS = Fighter.word("spells")
KIND = Fighter.word("kind")
ID = Fighter.word("id")
STATS = Fighter.word("stats")
COOLDOWNS = Fighter.word("cooldowns")
RESISTANCE = Fighter.word("resistance")
POWER = Fighter.word("power")
BUFF_ON = Buff.word("on")
BUFF_BY = Buff.word("by")
BUFF_TURNS = Buff.word("turns")
MARK_BY = Mark.word("by")
MARK_TURNS = Mark.word("turns")
SPELL_FLAGS = Spell.word("flags")
CASTS_PER_TURN = Spell.word("casts_per_turn")
COOLDOWN = Spell.word("cooldown")
REQUIRED = Spell.word("required")
FORBIDDEN = Spell.word("forbidden")
SPELL_SUMMONS = Spell.word("summons")
SPELL_EFFECTS = Spell.word("effect_count")
EFFECTS_AT = Spell.word("effects")
SPELL_USE = Spell.word("use")
CRIT_LOW = Effect.word("crit_low")
CRIT_HIGH = Effect.word("crit_high")
PAYLOAD = Effect.word("payload")
SUMMON_AT = Effect.word("summon")
EFFECT_NAME = Effect.word("name")
EFFECT_NUMBER = Effect.word("number")
SUMMON_KIND = Summon.word("kind")
SUMMON_LEVEL = Summon.word("level")
SUMMON_HP = Summon.word("hp")
SUMMON_AP = Summon.word("ap")
SUMMON_MP = Summon.word("mp")
SUMMON_SPELLS = Summon.word("spells")
SUMMON_STATS = Summon.word("stats")
WALKABLE, SIGHT = Book.word("walkable"), Book.word("sight")

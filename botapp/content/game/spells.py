"""A spell of the game at one grade becomes a spell of the rules, with what of it is not judged.

A spell that would mislead without what is left out cannot be cast by the rules: it keeps its place on the
spell bar and is not advised.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from botapp.content.game.effects import EffectTranslator
from botapp.content.game.grammar import read_criterion, states_of_criterion
from botapp.content.game.lines import SpellLevel
from botapp.content.game.wanted import LeftOut, notes_of
from botapp.fight.spells import Asks, Condition, Spell, State, StateName
from botapp.host.message import say

_FARTHEST = 63
NEVER = ((Condition(Asks.CASTER, unless=True),),)  # A condition on casting that no caster meets
_STATES_BY_FLAG = {
    "cantBeMoved": State.ROOTED,
    "cantBePushed": State.ROOTED,
    "invulnerable": State.INVULNERABLE,
    "cantDealDamage": State.PACIFIED,
    "cantSwitchPosition": State.GRAVITY,
    "cantBeTackled": State.UNLOCKABLE,
}
"""What of a state the rules know, the most telling first."""
_STATES = {
    6: State.ROOTED,
    7: State.GRAVITY,
    56: State.INVULNERABLE,
    96: State.UNLOCKABLE,
    97: State.ROOTED,
    157: State.ROOTED,
    218: State.PACIFIED,
    250: State.INVISIBLE,
}
"""The states that everyone meets, where no data of states were imported."""
NOT_UNDERSTOOD = "?"  # What stands behind a state's flag that is neither true nor false
WHOLLY, PARTLY, NOT = "wholly", "partly", "not"
_PREFIX = "game-"


class GameSpell(NamedTuple):
    """A spell of the rules, and how far it stands for the game's."""

    spell: Spell
    left_out: tuple[str, ...]  # What of it is not judged, in words
    verdict: str  # `WHOLLY`, `PARTLY` or `NOT`; one that is not understood cannot be cast


class States:
    """The states of the game in the rules' words."""

    def __init__(self, flags: Mapping[int, Iterable[str]], asked: Iterable[int]) -> None:
        self._known: dict[int, StateName] = dict(_STATES)
        self._mentioned = {*_STATES, *flags}
        self._unsure: set[int] = set()
        for number, own in flags.items():
            states = [state for flag, state in _STATES_BY_FLAG.items() if flag in own]
            if states:
                self._known[number] = states[0]
            if any(flag.endswith(NOT_UNDERSTOOD) for flag in own):
                self._unsure.add(number)
        self._asked = frozenset(asked)

    def state(self, number: int) -> StateName:
        """Returns the rules' state of a number; one that they do not know has its number for a name."""
        return self._known.get(number, f"#{number}")

    def doubt(self, number: int) -> str:
        """Returns why it is not known what a state does, "" where it is."""
        if number in self._unsure:
            return say("what a state does (number {number})", number=number)
        if number not in self._mentioned:
            return say("a state that is not in the data (number {number})", number=number)
        return ""

    def matters(self, number: int) -> bool:
        """Tells whether a state changes anything: some are asked for by no spell."""
        return number in self._known or number in self._asked


def spell_key(spell: int, grade: int) -> str:
    """Returns the key by which files name a spell of the game at a grade."""
    return f"{_PREFIX}{spell}-{grade}"


def parsed_key(key: str) -> tuple[int, int] | None:
    """Returns the spell and grade that a key names, None where it is no spell of the game."""
    first, _, second = key.removeprefix(_PREFIX).partition("-")
    if not key.startswith(_PREFIX) or not (first.isdecimal() and second.isdecimal()):
        return None
    return int(first), int(second)


def nearest_grade(grades: Iterable[int], wanted: int) -> int | None:
    """Returns the grade that counts where another one is asked for: the next lower one, else the lowest."""
    own = sorted(grades)
    lower = [grade for grade in own if grade <= wanted]
    return lower[-1] if lower else own[0] if own else None


def make_spell(level: SpellLevel, name: str, translator: EffectTranslator, states: States) -> GameSpell:
    """Returns a spell of the rules.

    Args:
        name: what it is called, in English.
    """
    effects, left_out = translator.translate(level)
    criterion, unknown = read_criterion(level.criterion, states.state)
    if unknown:
        left_out = (*left_out, LeftOut(say("a condition on casting ({condition})", condition=unknown[0])))
    doubts = (LeftOut(states.doubt(number)) for number in states_of_criterion(level.criterion))
    left_out = tuple(dict.fromkeys((*left_out, *(doubt for doubt in doubts if doubt.why))))
    if not level.lines and "effects" not in (*level.missing, *level.odd):
        left_out = (*left_out, LeftOut(say("effects: there are none"), misleads=True))
    own = (
        [name for name in names if not name.startswith("effects.")] for names in (level.missing, level.odd)
    )
    left_out = (*notes_of(*own), *left_out)
    verdict = _verdict(bool(effects), left_out)
    nearest = min(_FARTHEST, level.min_range)
    spell = Spell(
        key=spell_key(level.spell, level.grade),
        name=name,
        ap=level.ap,
        min_range=nearest,
        max_range=max(nearest, min(_FARTHEST, level.max_range)),
        effects=() if verdict == NOT else effects,
        in_line=level.in_line,
        on_diagonal=level.on_diagonal,
        needs_sight=level.needs_sight,
        needs_free_cell=level.needs_free,
        needs_taken_cell=level.needs_taken,
        boostable_range=level.boostable,
        crit=min(100, level.crit),
        casts_per_turn=min(100, level.casts_per_turn),
        casts_per_target=min(100, level.casts_per_target),
        cooldown=min(100, level.cooldown),
        initial_cooldown=min(100, level.initial_cooldown),
        criterion=NEVER if verdict == NOT else (*criterion, *translator.criterion(level.spell)),
        changes=translator.changes(level.spell),
    )
    return GameSpell(spell, tuple(doubt.why for doubt in left_out), verdict)


def _verdict(does_something: bool, left_out: Iterable[LeftOut]) -> str:
    missing = list(left_out)
    if not missing:
        return WHOLLY
    return PARTLY if does_something and not any(gap.misleads for gap in missing) else NOT


class Levels:
    """Finds spells by number and grade; keeps those looked at last."""

    def __init__(
        self, load: Callable[[int, int], SpellLevel | None], grades: Callable[[int], Iterable[int]]
    ) -> None:
        self._load = load
        self._grades = grades
        self._kept: dict[tuple[int, int], SpellLevel | None] = {}

    def level(self, spell: int, grade: int) -> SpellLevel | None:
        """Returns a spell at a grade or the nearest one, None where it is not there."""
        key = (spell, grade)
        if key not in self._kept:
            if len(self._kept) > 2000:
                self._kept.clear()
            loaded = self._load(spell, grade)
            if loaded is None:
                nearest = nearest_grade(self._grades(spell), grade)
                loaded = None if nearest is None else self._load(spell, nearest)
            self._kept[key] = loaded
        return self._kept[key]


class GameContent:
    """The translation's view of the game's data: levels and states together."""

    def __init__(self, levels: Levels, states: States) -> None:
        self.level = levels.level
        self.state = states.state
        self.matters = states.matters
        self.doubt = states.doubt

"""The fight log: short lines for the panel at the lower left, and lines worded as the real clients do."""

from dataclasses import replace

from botapp.arena.window.looks import fighter_name, kind_name, spell_name
from botapp.arena.window.moment import Line
from botapp.arena.window.words import say
from botapp.fight.actions import Action, Cast
from botapp.fight.state import Fighter, FightState
from botapp.tracking.log_phrases import Language, Part, phrase
from botapp.tracking.log_words import FactKind

Words = tuple[Part, ...]


class Chronicle:
    """The log of one fight; what an action brings is told once it is shown.

    Attributes:
        lines: the short ones.
        words: those worded as the real clients do.
    """

    def __init__(self, language: str) -> None:
        self._language = language
        self.lines: list[Line] = []
        self.words: list[Words] = []
        self._untold: tuple[list[Line], list[Words]] = [], []

    @property
    def casts_written(self) -> list[tuple[str, str]]:
        """The casts that the lines in words tell of: the caster's name and the spell's."""
        lines = [{part.role: part.text for part in line} for line in self.words]
        return [(line["name"], line["spell"]) for line in lines if "spell" in line]

    def write(self, *lines: Line) -> None:
        self.lines += [replace(line, number=n) for n, line in enumerate(lines, start=len(self.lines))]

    def begin_turn(self, state: FightState, now: float) -> None:
        self.write(turn_line(state, self._language))
        self.words += words_of_turn(state, self._language, now)

    def hold(self, before: FightState, action: Action, after: FightState, now: float) -> None:
        """Keeps what an action brings until `tell`."""
        lines = action_lines(before, action, after, self._language)
        self._untold = lines, words_of(before, action, after, self._language, now)

    def tell(self) -> None:
        lines, words = self._untold
        self._untold = [], []
        self.write(*lines)
        self.words += words

    def drop(self) -> None:
        """Forgets what is held: the action was taken back."""
        self._untold = [], []


def turn_line(state: FightState, language: str) -> Line:
    name = fighter_name(state.actor, language)
    if state.placing:
        return Line(say(language, "places", name=name))
    return Line(say(language, "turn_of", n=state.turn, name=name))


def fault_line(fighter: Fighter, language: str) -> Line:
    """Returns the line shown when a fighter's player program failed and its turn ends."""
    return Line(say(language, "fault", name=fighter_name(fighter, language)))


def action_lines(before: FightState, action: Action, after: FightState, language: str) -> list[Line]:
    """Returns the lines of an action: the spell cast, and what it did to each fighter."""
    if not isinstance(action, Cast):
        return []
    caster = before.actor
    spell = next(spell for spell in caster.spells if spell.key == action.spell)
    text = say(language, "casts", name=fighter_name(caster, language), spell=spell_name(spell, language))
    hit = (f.kind for f in before.fighters if f.alive and f.cell == action.target)
    cast = Line(text, caster=caster.kind, spell=spell.key, target=next(hit, ""))
    done = []
    for old in before.fighters:
        new = after.fighter(old.id)
        name = fighter_name(old, language)
        if new.hp != old.hp:
            done.append(say(language, "loses", name=name, n=f"{new.hp - old.hp:+d}"))
        if old.alive and not new.alive:
            done.append(say(language, "falls", name=name))
    return [cast, Line(", ".join(done))] if done else [cast]


def words_of_turn(state: FightState, language: str, now: float) -> list[Words]:
    """Returns the worded line that opens a round, as a list; it is empty for a turn within a round."""
    if state.placing or state.current:
        return []
    return [(*_stamp(now), *phrase(FactKind.TURN, amount=state.turn, language=_language(language)))]


def words_of(before: FightState, action: Action, after: FightState, language: str, now: float) -> list[Words]:
    """Returns the worded lines of an action; as in the real clients they do not name the target."""
    if not isinstance(action, Cast):
        return []
    tongue = _language(language)

    def worded(kind: FactKind, fighter: Fighter, what: str = "", amount: int = 0) -> Words:
        name = kind_name(fighter, language)
        return (*_stamp(now), *phrase(kind, name, what, amount, language=tongue))

    caster = before.actor
    spell = next(spell for spell in caster.spells if spell.key == action.spell)
    lines = [worded(FactKind.CAST, caster, spell_name(spell, language))]
    for old in before.fighters:
        new = after.fighter(old.id)
        if new.hp != old.hp:
            lines.append(worded(FactKind.HP, old, amount=new.hp - old.hp))
        if old.id != caster.id and after.actor.id == caster.id:
            taken = ((FactKind.AP, new.ap - old.ap), (FactKind.MP, new.mp - old.mp))
            lines += [worded(kind, old, amount=amount) for kind, amount in taken if amount < 0]
        if old.alive and not new.alive:
            lines.append(worded(FactKind.DIES, old))
    known = {fighter.id for fighter in before.fighters}
    lines += [
        worded(FactKind.SUMMONS, caster, kind_name(new, language))
        for new in after.fighters
        if new.id not in known
    ]
    return lines


def _stamp(now: float) -> Words:
    hours, minutes = divmod(int(now / 60), 60)
    return (Part(f"[{hours % 24:02d}:{minutes:02d}] "),)


def _language(language: str) -> Language:
    return "fr" if language == "fr" else "en"

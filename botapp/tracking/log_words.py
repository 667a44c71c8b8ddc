"""What a line of a fight's log says, in French, English, Spanish, Portuguese and German.

A line becomes a `Fact`: who cast what, who lost how many HP, AP or MP, who died or was summoned, which round
began. Names are taken as they were read; `botapp.tracking.log_names` finds out whose they are. Accents and
missing blanks do not matter: a recogniser loses them first.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache


class FactKind(Enum):
    """What happened."""

    CAST = "cast"
    HP = "hp"
    SHIELD = "shield"
    AP = "ap"
    MP = "mp"
    RANGE = "range"
    EFFECT = "effect"
    STATE = "state"
    STATE_ENDS = "state-ends"
    DIES = "dies"
    SUMMONS = "summons"
    TURN = "turn"
    CRITICAL = "critical"
    FIGHT_ENDS = "fight-ends"


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Fact:
    """What one line says.

    Attributes:
        who: the name of the fighter that it is about: the caster, or who was hit; "" where there is none.
        what: the name of the spell, the summoned, the state or the effect.
        amount: how much, below 0 for a loss; the number of a round.
        turns: for how many turns, None where the line does not say.
        who_at, what_at, amount_at: where these stand in the line.
    """

    kind: FactKind
    who: str = ""
    what: str = ""
    amount: int | None = None
    turns: int | None = None
    critical: bool = False
    who_at: Span = (0, 0)
    what_at: Span = (0, 0)
    amount_at: Span = (0, 0)


_TWO = {"ß": "s", "œ": "o", "æ": "a", "Œ": "o", "Æ": "a", "’": "'", "–": "-", "—": "-", "−": "-"}

_NAME = r"(?P<who>[^:\[\]]*?[^\s:\[\]])"
_ICON = r"\W*?(?:[o0*]\s+)?"
_NUMBER = r"(?P<n>[+\-]?\s?\d[\d .]*?)"
_TURNS = r"(?:\s*\((?P<turns>\d+)?[^)]*\)?)?"
_LIFE = r"(?:pv|pdv|hp|lp|pdvs|ps)"
_AP, _MP = r"(?:pa|ap)", r"(?:pm|mp|bp)"
_RANGE = r"(?:portee|po|range|alcance|reichweite|rw)"
_SHIELD = r"(?:bouclier|shield|escudo|schild)"
_CRITICAL = r"(?:coup critique|critical hit|golpe critico|acerto critico|kritischer treffer)"
_LOSES = r"(?:perd|loses|pierde|perde|verliert)"
_GAINS = r"(?:gagne|recupere|regagne|gains|recovers|gana|recupera|ganha|erhalt|gewinnt)"
_CASTS = r"(?:lance|casts|lanza|lanca|wirkt)(?![a-z])"
_CASTS_JOINED = r"(?:lance|casts|lanza|lanca|wirkt)"
_CALLS = r"(?:invoque|summons|invoca|evoca|conjura|beschwort)"
_DIES = (
    r"(?:est morte?|meurt|is dead|has died|died|dies|ha muerto|muere|morreu|esta morto|foi morto|"
    r"ist tot|ist gestorben|stirbt)"
)
_ENTERS = r"(?:entre dans l'etat|enters the state|entra en el estado|entra no estado|gerat in den zustand)"
_LEAVES = (
    r"(?:sort de l'etat|quitte l'etat|perd l'etat|leaves the state|sale del estado|sai do estado|"
    r"verlasst den zustand)"
)
_END = r"\s*[.!?\s]*$"

_FORMS: tuple[tuple[FactKind, str], ...] = (
    (FactKind.TURN, rf"^(?:tour|turn|turno|runde|round)\s*:?\s*(?P<n>\d+){_END}"),
    (FactKind.CRITICAL, rf"^\(?\W*{_CRITICAL}\W*$"),
    (
        FactKind.FIGHT_ENDS,
        r"^(?:combat termine|fight (?:is )?over|combat ended|combate (?:finalizado|terminado)|kampf beendet)",
    ),
    (FactKind.DIES, rf"^\W*{_NAME}\s+{_DIES}{_END}"),
    (FactKind.STATE_ENDS, rf"^{_NAME}\s+{_LEAVES}\s*:?\s*['\"«]?\s*(?P<what>[^'\"»]+?)\s*['\"»]?{_END}"),
    (FactKind.STATE, rf"^{_NAME}\s+{_ENTERS}\s*:?\s*['\"«]?\s*(?P<what>[^'\"»(]+?)\s*['\"»]?{_TURNS}{_END}"),
    (FactKind.HP, rf"^{_NAME}\s*:{_ICON}{_NUMBER}\s*{_LIFE}(?![a-z][a-z]).*$"),
    (FactKind.AP, rf"^{_NAME}\s*:{_ICON}{_NUMBER}\s*{_AP}o?(?![a-z]){_TURNS}{_END}"),
    (FactKind.MP, rf"^{_NAME}\s*:{_ICON}{_NUMBER}\s*{_MP}o?(?![a-z]){_TURNS}{_END}"),
    (FactKind.RANGE, rf"^{_NAME}\s*:{_ICON}{_NUMBER}\s*{_RANGE}(?![a-z]){_TURNS}{_END}"),
    (FactKind.SHIELD, rf"^{_NAME}\s*:{_ICON}{_NUMBER}\s*{_SHIELD}.*$"),
    (FactKind.HP, rf"^{_NAME}\s+(?P<sign>{_LOSES}|{_GAINS})\s*{_NUMBER}\s*{_LIFE}(?![a-z][a-z]).*$"),
    (FactKind.AP, rf"^{_NAME}\s+(?P<sign>{_LOSES}|{_GAINS})\s*{_NUMBER}\s*{_AP}o?(?![a-z]){_TURNS}{_END}"),
    (FactKind.MP, rf"^{_NAME}\s+(?P<sign>{_LOSES}|{_GAINS})\s*{_NUMBER}\s*{_MP}o?(?![a-z]){_TURNS}{_END}"),
    (
        FactKind.CAST,
        rf"^{_NAME}\s+{_CASTS}\s*(?P<what>[^\s.:][^.!(:]*?)\s*[.!]*\s*(?P<crit>\(?{_CRITICAL}[\s!.)]*)?$",
    ),
    (
        FactKind.CAST,
        rf"^{_NAME}\s*{_CASTS_JOINED}(?P<what>[^\s.:][^.!(:]*?)\s*[.!]*\s*(?P<crit>\(?{_CRITICAL}[\s!.)]*)?$",
    ),
    (FactKind.SUMMONS, rf"^{_NAME}\s+{_CALLS}\s*:?\s*(?P<what>\S[^.!(]*?){_END}"),
    (FactKind.EFFECT, rf"^{_NAME}\s*:{_ICON}{_NUMBER}\s*(?P<what>%?\s?[a-z]{{3}}[^\d(]*?){_TURNS}{_END}"),
    (FactKind.EFFECT, rf"^{_NAME}\s*:\W*?(?P<what>[a-z][^\d:(]+?)\s*:\s*{_NUMBER}\s*[a-z%]*{_TURNS}{_END}"),
    (FactKind.STATE, rf"^{_NAME}\s*:\W*?(?P<what>[a-z][^\d:(]+?)\s*\((?P<turns>\d+)[^)]*\)?{_END}"),
)
_ICON_READ_AS_NOUGHT = 10  # "(1" and a round icon are read as 10, "(2" as 20
_MISREAD_UNIT = re.compile(r"\W*(?:[a-z]\s?)?(?:pv|pdv|hp|lp|pa|ap|pm|mp|bp)(?:([a-z])\1*)?\W*")
"""A unit with a letter too many, or some of the same, as icons are read: no effect or state is called so."""
_NAMING = (FactKind.EFFECT, FactKind.STATE)
_LOSING = re.compile(_LOSES)


@lru_cache(maxsize=1)
def _forms() -> tuple[tuple[FactKind, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(form)) for kind, form in _FORMS)


def folded(text: str) -> str:
    """Returns a text in small letters without accents, character for character."""
    return "".join(_folded(letter) for letter in text)


@lru_cache(maxsize=4096)
def _folded(letter: str) -> str:
    if letter in _TWO:
        return _TWO[letter]
    return unicodedata.normalize("NFKD", letter)[0].lower()


def fact_of(text: str) -> Fact | None:
    """Returns what a line says, None where it is none of a fight's log: chat, loot, a hint."""
    plain = folded(text)
    for kind, form in _forms():
        match = form.match(plain)
        if match is None or (kind in _NAMING and _MISREAD_UNIT.fullmatch(match["what"])):
            continue
        if not (kind is FactKind.CAST and _within_a_word(text, match)):
            return _fact(kind, text, match)
    return None


def _within_a_word(text: str, match: re.Match[str]) -> bool:
    """Tells whether the word for casting is only part of another word: a blank or a capital goes after it."""
    start = match.start("what")
    return text[start - 1].isalpha() and not text[start].isupper()


def _fact(kind: FactKind, text: str, match: re.Match[str]) -> Fact:
    given = match.groupdict()

    def at(name: str) -> Span:
        return match.span(name) if given.get(name) is not None else (0, 0)

    def part(name: str) -> str:
        start, end = at(name)
        return text[start:end].strip(" '\"«».")

    amount = _number(given.get("n"))
    if amount is not None and given.get("sign"):
        amount = -abs(amount) if _LOSING.match(given["sign"]) else abs(amount)
    turns = int(given["turns"]) if given.get("turns") else None
    if turns is not None and turns >= _ICON_READ_AS_NOUGHT and turns % 10 == 0:
        turns = None
    return Fact(
        kind,
        part("who"),
        part("what"),
        amount,
        turns,
        bool(given.get("crit")),
        at("who"),
        at("what"),
        at("n"),
    )


def _number(text: str | None) -> int | None:
    """Returns a number as the log writes it: with a sign, thousands set apart by a blank or a point."""
    if text is None:
        return None
    digits = "".join(letter for letter in text if letter.isdigit())
    if not digits or len(digits) > 7:
        return None
    return -int(digits) if text.lstrip().startswith("-") else int(digits)


def is_log_line(text: str) -> bool:
    """Tells whether a row, its time included, is of a fight's log."""
    return any(fact is not None for fact in (fact_of(bare) for bare in _without_time(text)))


_TIME = re.compile(r"^[\[(]?\d{1,2}[:;.]\d{2}\W?\s*")


def _without_time(text: str) -> Iterator[str]:
    yield text
    match = _TIME.match(text)
    if match:
        yield text[match.end() :]

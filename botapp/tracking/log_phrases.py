"""Lines as the clients' logs write them, in five languages: what `botapp.tracking.log_words` reads.

The practice arena's log of this kind and the drawn logs that the reader is measured on are written with
these. The French of Unity and Retro is as on the screens we have; that of 2.x and the other languages were
not seen on a screen.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from botapp.tracking.log_words import FactKind

Language = Literal["fr", "en", "es", "pt", "de"]
LogStyle = Literal["unity", "two", "retro"]
Role = Literal["plain", "name", "spell", "number", "icon"]
LANGUAGES: tuple[Language, ...] = ("fr", "en", "es", "pt", "de")
LOG_STYLES: tuple[LogStyle, ...] = ("unity", "two", "retro")


class Part(NamedTuple):
    """A stretch of a line in one look."""

    text: str
    role: Role = "plain"


class _Words(NamedTuple):
    casts: str
    life: str
    life_retro: str
    ap: str
    mp: str
    reach: str
    loses: str
    gains: str
    dies: str
    calls: str
    turn: str
    critical: str


_WORDS: Mapping[Language, _Words] = {
    "fr": _Words(
        "lance", "PV", "PDV", "PA", "PM", "Portée", "perd", "gagne", "est mort !",
        "invoque", "Tour", "Coup critique !",
    ),
    "en": _Words(
        "casts", "HP", "HP", "AP", "MP", "Range", "loses", "gains", "is dead!",
        "summons", "Turn", "Critical hit!",
    ),
    "es": _Words(
        "lanza", "PdV", "PdV", "PA", "PM", "Alcance", "pierde", "gana", "ha muerto!",
        "invoca", "Turno", "¡Golpe crítico!",
    ),
    "pt": _Words(
        "lança", "PV", "PV", "PA", "PM", "Alcance", "perde", "ganha", "morreu!",
        "invoca", "Turno", "Golpe crítico!",
    ),
    "de": _Words(
        "wirkt", "LP", "LP", "AP", "BP", "Reichweite", "verliert", "erhält", "ist tot!",
        "beschwört", "Runde", "Kritischer Treffer!",
    ),
}  # fmt: skip


def phrase(
    kind: FactKind,
    who: str = "",
    what: str = "",
    amount: int = 0,
    turns: int | None = None,
    *,
    language: Language = "fr",
    log_style: LogStyle = "unity",
) -> tuple[Part, ...]:
    """Returns the line that tells of something.

    Args:
        what: the spell, the summoned, the state or the effect.
        amount: how much, below 0 for a loss.
        turns: for how many turns, None where that is not said.
        log_style: which client writes it.
    """
    words, name = _WORDS[language], Part(who, "name")
    if kind in (FactKind.CAST, FactKind.SUMMONS):
        verb = words.casts if kind is FactKind.CAST else words.calls
        return name, Part(f" {verb} "), Part(what, "spell"), Part(".")
    if kind in (FactKind.TURN, FactKind.CRITICAL):
        round_of = f"{words.turn} : {amount}" if language == "fr" else f"{words.turn}: {amount}"
        return (Part(words.critical if kind is FactKind.CRITICAL else round_of),)
    if kind is FactKind.DIES:
        return *((Part("¡"),) if language == "es" else ()), name, Part(f" {words.dies}")
    return name, *_amount(kind, what, amount, turns, words, log_style)


def _amount(
    kind: FactKind, what: str, amount: int, turns: int | None, words: _Words, log_style: LogStyle
) -> tuple[Part, ...]:
    life = words.life_retro if log_style == "retro" else words.life
    units = {FactKind.HP: life, FactKind.AP: words.ap, FactKind.MP: words.mp, FactKind.RANGE: words.reach}
    unit = units.get(kind, what)
    if log_style == "retro" and kind in (FactKind.HP, FactKind.AP, FactKind.MP):
        verb = words.loses if amount < 0 else words.gains
        return Part(f" {verb} "), Part(str(abs(amount)), "number"), Part(f" {unit}.")
    if kind is FactKind.HP:
        return Part(" : "), Part(f"{amount:+d}", "number"), Part(unit), Part("o", "icon"), Part(".")
    for_turns = () if turns is None else (Part(f" ({turns}"), Part("o", "icon"), Part(" )"))
    if kind is FactKind.STATE:
        return Part(f" : {what}"), *for_turns
    return Part(" : "), Part("o", "icon"), Part(f" {amount}", "number"), Part(f" {unit}"), *for_turns


def written(parts: tuple[Part, ...]) -> str:
    return "".join(part.text for part in parts if part.role != "icon")

"""From a log's lines to facts with keys: whose name it is, which spell it is, and whether that is sure.

A fact is sure where each of its names is one of the knowledge base, or one that this log has used for a
fighter before, and its numbers were read without doubt. Nothing is concluded from what is not sure.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

from botapp.tracking.log_names import Names, bare, edits, slips_allowed
from botapp.tracking.log_words import Fact, FactKind, fact_of
from vision.text.lines import LogLine

_SURE_NUMBER, _SURE_NAME, _SURE_UNKNOWN = 0.8, 0.3, 0.75
"""The least confidence of a number's digits, of the letters of a name that is known, and of an unknown one: a
known name is found with a misread letter too, while a misread digit is another number. Set by hand; the tests
pass with 0.95 (not 0.5), 0.1 to 0.6 and 0.5 to 0.9."""
_NAMELESS = (FactKind.TURN, FactKind.CRITICAL, FactKind.FIGHT_ENDS)
_WITH_AMOUNT = (FactKind.HP, FactKind.SHIELD, FactKind.AP, FactKind.MP, FactKind.RANGE, FactKind.TURN)
_READ_ALIKE = 2  # So often a name that is not in the data is read alike before it is a player's
_SHORTEST_NAME = 3  # A shorter one is what is left of a name whose row was cut


@dataclass(frozen=True, slots=True)
class LogFact:
    """A fact of the log.

    Attributes:
        fact: what was read, its names as they are written in the data where they are known.
        fighters: keys of the fighters of that name, none for a player or an unknown one.
        spells: keys of the spells of that name; of the summoned for a summon.
        sure: whether it may be relied on.
        captured_ns, read_ns: when the picture was taken that showed it first, and when it had been read.
        old: whether it happened before the log was first looked at.
        linked: whether nothing was missed before it.
    """

    fact: Fact
    fighters: tuple[str, ...] = ()
    spells: tuple[str, ...] = ()
    sure: bool = False
    captured_ns: int = 0
    read_ns: int = 0
    old: bool = False
    linked: bool = True

    @property
    def kind(self) -> FactKind:
        return self.fact.kind


@dataclass(slots=True)
class FactReader:
    """Makes facts of lines; remembers the names that the log uses for fighters that the data do not know."""

    names: Names
    own_name: str = ""  # The player's character, "" where it is not known
    _players: Counter[str] = field(default_factory=Counter)
    _written: dict[str, str] = field(default_factory=dict)

    def read(self, line: LogLine) -> LogFact | None:
        """Returns what a line says; None where it is no line of a fight."""
        fact = fact_of(line.text)
        if fact is None:
            return None
        fact_of_line = LogFact(
            fact, captured_ns=line.captured_ns, read_ns=line.read_ns, old=line.old, linked=line.linked
        )
        if fact.kind in _NAMELESS:
            return replace(fact_of_line, sure=self._amount_sure(fact, line))
        spells, what = self._what(fact, line)
        known_cast = fact.kind is FactKind.CAST and bool(spells)
        fighters, who, who_sure = self._who(fact, line, known_cast)
        sure = who_sure and self._amount_sure(fact, line)
        if fact.kind in (FactKind.CAST, FactKind.SUMMONS):
            sure &= bool(spells)
        fact = replace(fact, who=who or fact.who, what=what or fact.what)
        return replace(fact_of_line, fact=fact, fighters=fighters, spells=spells, sure=sure)

    def _amount_sure(self, fact: Fact, line: LogLine) -> bool:
        if fact.kind in (FactKind.EFFECT, FactKind.STATE, FactKind.STATE_ENDS):
            return fact.amount is None or _least_digit(line, fact.amount_at) >= _SURE_NUMBER
        if fact.kind not in _WITH_AMOUNT:
            return True
        return fact.amount is not None and _least_digit(line, fact.amount_at) >= _SURE_NUMBER

    def _what(self, fact: Fact, line: LogLine) -> tuple[tuple[str, ...], str]:
        if fact.kind not in (FactKind.CAST, FactKind.SUMMONS):
            return (), ""
        index = self.names.spells if fact.kind is FactKind.CAST else self.names.fighters
        entry = index.find(fact.what)
        if entry is None or _least(line, fact.what_at) < _SURE_NAME:
            return (), ""
        return entry.keys, entry.name

    def _who(self, fact: Fact, line: LogLine, known_cast: bool) -> tuple[tuple[str, ...], str, bool]:
        least = _least(line, fact.who_at)
        entry = self.names.fighters.find(fact.who)
        player = self._player(fact.who)
        if entry is not None and (entry.slips == 0 or player is None):
            return entry.keys, entry.name, least >= _SURE_NAME
        if known_cast and least >= _SURE_UNKNOWN and len(bare(fact.who)) >= _SHORTEST_NAME:
            self._players[bare(fact.who)] += 1
            self._written.setdefault(bare(fact.who), fact.who)
            player = self._player(fact.who)
        if player is None:
            return (), fact.who, False
        return (), self._written.get(player, self.own_name), self._is_settled(player) and least >= _SURE_NAME

    def _is_settled(self, player: str) -> bool:
        return player == bare(self.own_name) or self._players[player] >= _READ_ALIKE

    def _player(self, name: str) -> str | None:
        short = bare(name)
        known = [*self._players, *([bare(self.own_name)] if self.own_name else [])]
        allowed = slips_allowed(len(short))
        near = [player for player in known if abs(len(player) - len(short)) <= allowed]
        near = [player for player in near if edits(short, player, allowed + 1) <= allowed]
        settled = [player for player in near if self._is_settled(player)] or near
        return max(settled, key=lambda player: (player == short, self._players[player]), default=None)


def _least(line: LogLine, at: tuple[int, int]) -> float:
    return min(line.sure[at[0] : at[1]], default=1.0)


def _least_digit(line: LogLine, at: tuple[int, int]) -> float:
    """Returns the smallest confidence of a number's digits; blanks between them do not matter."""
    return min((line.sure[n] for n in range(*at) if line.text[n].isdigit()), default=0.0)

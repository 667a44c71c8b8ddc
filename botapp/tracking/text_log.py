"""The log that a client writes in words, as the tracker uses it: what was cast by whom, and who is who.

Lines are recognised by `vision.text` in a thread of its own. A cast that the log tells of becomes a line of
`FightView.log`, which beats what could be inferred from the picture. A monster that casts while its card is
marked gives that card's portrait its name; a name written over a fighter gives it to its looks.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from botapp.tracking.learnt_names import Learnt, LearntNames
from botapp.tracking.log_facts import FactReader, LogFact
from botapp.tracking.log_names import Names as KnownNames
from botapp.tracking.log_names import known_names
from botapp.tracking.log_words import FactKind, is_log_line
from botapp.tracking.names import Kind, Names
from botapp.tracking.picture_names import IconNamer, SummonNamer
from botapp.tracking.spellbook import Spellbook
from vision.frame import Frame, Rect
from vision.text import hud_words
from vision.text.engine import TextEngine, TextSeen
from vision.text.lines import LogLine
from vision.text.reader import SEARCH_EVERY_S, LogReader
from vision.view import ChronicleLine, FightView, Phase, ToldChange

_LINES = 16  # As many casts are kept as may be made between two pictures, and more
_MOST_FACTS, _MOST_CHANGES = 200, 48  # As many lines as are shown, and as may come in one picture, and more
_CHANGING: Mapping[FactKind, Literal["hp", "ap", "mp", "dies"]] = {
    FactKind.HP: "hp",
    FactKind.AP: "ap",
    FactKind.MP: "mp",
    FactKind.DIES: "dies",
}
_ACTS = (FactKind.CAST, FactKind.SUMMONS, FactKind.TURN)
_LEAST_NAME = 0.5  # Confidence of a written name's letters, which are looked up; tests pass with 0.2 and 0.8
_AROUND_NAME = 0.35  # Of a name's height, the room left around it when it is read. Set by hand
_LEVEL_TRIES, _LEVEL_EVERY_NS = 4, 2_000_000_000  # So that a level that is covered costs four looks in all


class TextLog:
    """Reads the log of one window and remembers what it has told.

    Args:
        names: gives the names of the knowledge base, asked again where it may have changed.
        threaded: whether lines are recognised in a thread of its own; else while `see` is called, as
            measures and tests need it.
        pointer: where the mouse is on the virtual screen, None where that is not known.

    Attributes:
        learnt: names that the log has given to portraits and to names written over fighters.
        own_name: the player's character, "" where it is not known.
        level: the player's, as the HUD writes it; None where it was not read.
        facts: the last facts.
    """

    def __init__(
        self,
        names: Callable[[], KnownNames] = known_names,
        engine: Callable[[], TextEngine] = TextEngine,
        *,
        threaded: bool = True,
        pointer: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        self.learnt = Names()
        self.own_name = ""
        self.level: int | None = None
        self.facts: deque[LogFact] = deque(maxlen=_MOST_FACTS)
        self._names = names
        self._facts: FactReader | None = None
        self._threaded = threaded
        every = SEARCH_EVERY_S if threaded else (0.0, 0.0)
        self._known: KnownNames | None = None
        self.reader: LogReader[LogFact] = LogReader(
            is_log_line, self._meaning, lambda: self._prepared(engine), every
        )
        self._lines: deque[ChronicleLine] = deque(maxlen=_LINES)
        self._changes: deque[ToldChange] = deque(maxlen=_MOST_CHANGES)
        self._count = self._heard = 0
        self._linked = False
        self._past: list[ChronicleLine] = []
        self._round = False
        self._votes: Counter[tuple[str, str]] = Counter()
        self._news: list[Learnt] = []
        self._undone = LearntNames()
        self._pointer = pointer
        self._icons, self._summons = IconNamer(), SummonNamer()
        self._level_tries, self._level_at = 0, 0
        self._level_of = ""

    @property
    def problem(self) -> str:
        """Why no text can be read, words for a person; "" while it can."""
        return self.reader.problem

    def use(self, learnt: LearntNames) -> None:
        """Takes over what was learnt before, and what the player has undone."""
        self.learnt, self._undone = learnt.names, learnt

    def close(self) -> None:
        self.reader.close()

    def forget(self) -> None:
        """Takes the next picture for the first one of another window; what was learnt stays."""
        self.reader.forget()
        self._lines.clear()
        self._changes.clear()
        self._past.clear()
        self._linked = self._round = False
        self._icons.forget()
        self._summons.forget()
        self.level, self._level_tries = None, 0

    def news(self) -> list[Learnt]:
        news, self._news = self._news, []
        return news

    def see(
        self, frame: Frame, view: FightView, book: Spellbook | None, given: Names | None = None
    ) -> FightView:
        """Takes in a picture; returns its view with what the log has told by now.

        Args:
            book: the player's spells, None where they are not known.
            given: the names that the player has given, which are not asked for.
        """
        if view.log or view.phase.value not in (Phase.FIGHT, Phase.PLACEMENT):
            return view
        height, width = frame.pixels.shape[:2]
        self.reader.offer(frame, view.client or Rect(0, 0, width, height))
        if self._threaded:
            self.reader.start()
        else:
            self.reader.step()
        self._ask_names(frame, view)
        self.ask_level(frame, view)
        for logged in self.reader.take():
            self._take(logged, view, book)
        names = (given or Names()).over(self.learnt)
        self._name_icons(frame, view, book, names)
        summoned = self._summons.follow(view, names)
        if summoned is not None:
            self._learn("portraits", *summoned)
        if not self.reader.follows:
            return view
        behind = self._threaded and self.reader.is_behind(frame)
        if not self._linked:  # a log without lines comes first: those of the next picture are then new
            self._linked = True
            behind |= bool(self._lines)
            return self._with_log(view, (), (), behind)
        return self._with_log(view, tuple(self._lines), tuple(self._changes), behind)

    def _with_log(
        self, view: FightView, lines: tuple[ChronicleLine, ...], changes: tuple[ToldChange, ...], behind: bool
    ) -> FightView:
        past = tuple(self._past) or None
        return replace(
            view,
            log=lines,
            changes=changes,
            log_told=self._count if lines else self._count - len(self._lines),
            log_behind=behind,
            log_past=past,
            log_round=self._round and past is not None,
        )

    def _prepared(self, engine: Callable[[], TextEngine]) -> TextEngine:
        """Looks up all names, seconds with the game's, and makes the engine: in the reader's thread."""
        self._known = self._names()
        return engine()

    def _meaning(self, line: LogLine) -> LogFact | None:
        """Returns the fact that a line tells; called by the reader's thread."""
        names = self._known = self._names()
        if self._facts is None:
            self._facts = FactReader(names)
        elif self._facts.names is not names:
            self._facts.names = names
        self._facts.own_name = self.own_name
        return self._facts.read(line)

    def _take(self, logged: LogFact, view: FightView, book: Spellbook | None) -> None:
        """Takes in a fact: a cast becomes a line of the log, and may tell whose the marked card is."""
        self.facts.append(logged)
        if not logged.linked:
            self._lines.clear()
            self._changes.clear()
        if logged.old:
            self._take_past(logged, view, book)
        elif logged.sure and logged.kind in _ACTS:
            self._past.clear()
            self._round = False
        if not logged.sure or logged.old:
            return
        if logged.kind in _CHANGING:
            self._heard += 1
            who, own = frozenset(logged.fighters), bool(self.own_name) and logged.fact.who == self.own_name
            kind, amount = _CHANGING[logged.kind], logged.fact.amount or 0
            self._changes.append(ToldChange(self._heard, kind, who, own, amount))
        if logged.kind is FactKind.SUMMONS and len(logged.spells) == 1:
            self._summons.called(logged.spells[0], logged.fact.what, logged.captured_ns)
        if logged.kind is not FactKind.CAST:
            return
        caster = self._caster(logged, view, book)
        odd, spells = self._count % 2 == 1, frozenset(logged.spells)
        self._lines.append(
            ChronicleLine(odd, caster, spells, aimed=False, captured_ns=logged.captured_ns or None)
        )
        self._count += 1
        self._vote(logged, view)
        if book is not None and caster == book.key:
            self._icons.cast(logged.spells, book, logged.captured_ns)

    def _take_past(self, logged: LogFact, view: FightView, book: Spellbook | None) -> None:
        """Takes in a fact from before the log was found: a cast of this round may still be played."""
        if logged.kind is FactKind.TURN:
            self._past.clear()
            self._round = logged.sure
        elif logged.kind is FactKind.CAST:
            caster = self._caster(logged, view, book) if logged.sure else None
            spells = frozenset(logged.spells) if logged.sure else frozenset()
            self._past.append(ChronicleLine(False, caster, spells, aimed=False))

    def _caster(self, logged: LogFact, view: FightView, book: Spellbook | None) -> str | None:
        """Returns the kind of who has cast a spell, None where the log's name does not tell."""
        if len(logged.fighters) == 1:
            return logged.fighters[0]
        own = {spell.key for spell in book.spells} if book is not None else set()
        if (
            book is not None
            and not logged.fighters
            and view.turn.value == "mine"
            and own & set(logged.spells)
        ):
            return book.key
        return None

    def _vote(self, logged: LogFact, view: FightView) -> None:
        card = next((card for card in view.timeline if card.current), None)
        if card is None or card.team == "own" or not card.portrait or len(logged.fighters) != 1:
            return
        kind = logged.fighters[0]
        others = {name for (portrait, name) in self._votes if portrait == card.portrait and name != kind}
        self._votes[card.portrait, kind] += 1
        if not others or self._votes[card.portrait, kind] > 2 * max(
            self._votes[card.portrait, other] for other in others
        ):
            self._learn("portraits", card.portrait, kind, logged.fact.who)

    def _ask_names(self, frame: Frame, view: FightView) -> None:
        """Recognises the names over fighters, each picture of a name once."""
        if self._known is None:
            return
        for fighter in view.others:
            if not fighter.name or fighter.name_box is None or fighter.kind.value is not None:
                continue
            if self.learnt.find("portraits", fighter.name) is not None:
                continue
            box = _around(fighter.name_box, frame)
            seen = self.reader.name(fighter.name, frame.pixels[box.y : box.bottom, box.x : box.right])
            if seen is None or seen.least() < _LEAST_NAME:
                continue
            named = self._known.fighters.find(seen.text)
            if named is not None and len(named.keys) == 1:
                self._learn("portraits", fighter.name, named.keys[0], named.name)

    def ask_level(self, frame: Frame, view: FightView) -> None:
        """Reads the level below the spell bar, a few times until it is known."""
        area = hud_words.level_area(view)
        if self.own_name and self.own_name != self._level_of:
            known, self._level_of = self._level_of, self.own_name
            if known:
                self.level, self._level_tries = None, 0
        due = view.captured_ns - self._level_at >= _LEVEL_EVERY_NS or not self._level_tries
        if self.level is not None or area is None or not due or self._level_tries >= _LEVEL_TRIES:
            return
        texts = self._words(f"level {self._level_of} {self._level_tries} {frame.pixels.shape}", area, frame)
        if texts is not None:
            self.level = hud_words.level_in(texts)
            self._level_tries, self._level_at = self._level_tries + 1, view.captured_ns

    def _name_icons(self, frame: Frame, view: FightView, book: Spellbook | None, names: Names) -> None:
        """Names icons of the spell bar by own casts, and by the tooltip where the mouse rests."""
        named = self._icons.by_casts(view, names)
        if self._known is not None and book is not None and any(slot.icon for slot in view.spells):
            place = self._pointer()
            at = None if place is None else (place[0] - frame.rect.x, place[1] - frame.rect.y)
            known = names, self._known.spells
            tip = self._icons.by_tooltip(
                frame, view, at, known, lambda key, area: self._words(key, area, frame), book
            )
            named += [tip] if tip is not None else []
        for icon in named:
            self._learn("icons", icon.signature, icon.key, icon.name)

    def _words(self, key: str, area: Rect, frame: Frame) -> tuple[TextSeen, ...] | None:
        """Returns the texts in a part of a picture, None while they are yet to be read."""
        return self.reader.words(key, frame.pixels[area.y : area.bottom, area.x : area.right])

    def _learn(self, kind: Kind, signature: str, key: str, name: str) -> None:
        known = self.learnt.find(kind, signature)
        if (known is not None and known[0] == key) or self._undone.refuses(signature, key):
            return
        self.learnt = self.learnt.with_name(kind, signature, key)
        self._news.append(Learnt(kind, signature, key, name))


def _around(box: Rect, frame: Frame) -> Rect:
    more = round(_AROUND_NAME * box.height)
    left, top = max(0, box.x - more), max(0, box.y - more)
    height, width = frame.pixels.shape[:2]
    return Rect(left, top, min(width, box.right + more) - left, min(height, box.bottom + more) - top)

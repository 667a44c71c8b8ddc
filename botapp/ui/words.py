"""Actions, reasons and figures in the words of the person's language.

Every panel and the overlay use these, so that the same thing is called the same everywhere.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile

from botapp.advisor.decision import Decision, ScoredAction, Sureness, reading
from botapp.advisor.grounds import may_tell_chance, why_untold
from botapp.advisor.groups import grouped, occupant
from botapp.advisor.sureness import WORDS, margin, reasons
from botapp.advisor.wording import FACTS, towards
from botapp.fight.actions import Action, Cast, Move, Place, Ready
from botapp.fight.board import distance
from botapp.fight.state import FightState
from botapp.runtime.messages import AdviceState, CaptureState, DeviceStatus, Snapshot
from botapp.runtime.turns import TurnLine
from botapp.tracking.levels import LevelFrom, LevelGuess
from botapp.tracking.reasons import plainly
from botapp.ui.names import named
from botapp.ui.translation import counted, language, mark, tr, tr_counted, typography

UNKNOWN = mark("unknown")
_SECOND_MS = 1000.0
_WHOLE_MS = 100.0  # From how many milliseconds on no tenths are said

_SURENESS: dict[Sureness, str] = {"sure": "info", "fairly sure": "info", "close": "muted"}
"""The theme's colours for how sure the choice is: never those of a good or a bad chance."""

CAPTURE: dict[CaptureState, tuple[str, str]] = {
    "watching": (mark("Watching"), "good"),
    "no-window": (mark("No window"), "warn"),
    "minimised": (mark("Minimised"), "warn"),
    "covered": (mark("Covered"), "warn"),
    "off-screen": (mark("Off the screen"), "warn"),
    "too-small": (mark("Too small"), "warn"),
    "no-fight": (mark("No fight"), "info"),
    "unread": (mark("Not readable"), "info"),
    "paused": (mark("Paused"), "muted"),
    "unsupported": (mark("Unsupported"), "bad"),
    "stopped": (mark("Stopped"), "bad"),
}
"""How the watching goes, in a word, with the theme's colour for it."""
ADVICE: dict[AdviceState, tuple[str, str]] = {
    "fresh": (mark("Up to date"), "good"),
    "thinking": (mark("Thinking"), "info"),
    "settling": (mark("One moment"), "muted"),
    "not-my-turn": (mark("Not your turn"), "muted"),
    "withheld": (mark("Advice on hold"), "warn"),
    "none": (mark("No advice yet"), "muted"),
}
STAGES: dict[str, tuple[str, str]] = {
    "capture": (mark("Capture"), mark("Taking the picture of the game's window.")),
    "vision": (mark("Vision"), mark("Reading the fight off the picture.")),
    "situation": (
        mark("Situation"),
        mark("Combining what was read with what is known of fighters and spells."),
    ),
    "search": (
        mark("Search"),
        mark("Searching the possible turns and playing out what the others may do (rollouts)."),
    ),
    "encode": (mark("Encode"), mark("Turning the fight into numbers for the model.")),
    "think": (mark("Think"), mark("The model compares the possible actions, step by step.")),
    "decode": (mark("Decode"), mark("Turning the result into an action, with what is expected of it.")),
    "decision": (
        mark("Whole decision"),
        mark("Search, encode, think and decode together: what a first advice takes once the fight is read."),
    ),
}
"""The stages of a decision, each with what it does."""
_EXPLAIN: dict[CaptureState, str] = {
    "watching": mark("The game is on screen."),
    "no-window": mark("The game's window was not found. Start the game or pick its window."),
    "minimised": mark("The game's window is minimised."),
    "covered": mark("Another window covers the game."),
    "off-screen": mark("The game's window lies off the screen."),
    "too-small": mark("The game's window is too small to read."),
    "no-fight": mark("There is no fight on screen."),
    "unread": mark("It cannot be told from the screen whether there is a fight."),
    "paused": mark("Watching is paused."),
    "unsupported": mark("This system does not allow screen capture."),
    "stopped": mark("Nothing is watched: the engine is not running."),
}
_WAITING: dict[AdviceState, str] = {
    "fresh": mark("Up to date"),
    "thinking": mark("Thinking about this turn."),
    "settling": mark("Something is moving. The advice comes once it stands still."),
    "not-my-turn": mark("Waiting for your turn."),
    "withheld": mark("Something on the screen cannot be read."),
    "none": mark("No advice yet."),
}


def explain(capture: CaptureState, advice: AdviceState, reason: str = "") -> str:
    """Returns why there is no fresh advice; `reason` is the worker's own, already translated."""
    if reason:
        return reason
    waiting = _WAITING[advice] if capture == "watching" else _EXPLAIN[capture]
    return tr(waiting)


def standing(snapshot: Snapshot) -> tuple[str, str]:
    """Returns how the watching goes, in a word with the theme's colour for it."""
    if snapshot.capture == "watching" and snapshot.advice == "none" and snapshot.reason:
        return tr("No model"), "bad"
    word, shade = CAPTURE[snapshot.capture]
    return tr(word), shade


def headline(choice: ScoredAction, state: FightState | None) -> str:
    """Returns the action in words, such as "Cast Spark on Gobbo" or "Walk 3 cells up right"."""
    action, origin = choice.action, state.actor.cell if state else None
    if isinstance(action, Cast):
        return _cast(named(choice.spell_name or action.spell, action.spell), action, state)
    if isinstance(action, Move):
        steps = len(action.path)
        where = direction(state.actor.cell, action.target) if state else ""
        text = counted(
            steps, "Walk {steps} cell {where}", "Walk {steps} cells {where}", steps=steps, where=where
        )
        return tr(text).rstrip()
    if isinstance(action, Place):
        return tr("Place yourself {where}", where=_away(origin, action.cell)).rstrip()
    return tr("Stay where you are") if isinstance(action, Ready) else tr("End the turn")


def _cast(spell: str, action: Cast, state: FightState | None) -> str:
    at = occupant(state, action.target)
    where = _away(state.actor.cell if state is not None else None, action.target)
    if state is None or at is None:
        return tr("Cast {spell} {where}", spell=spell, where=where).rstrip()
    if at.id == state.actor.id:
        return tr("Cast {spell} on yourself", spell=spell)
    if "kind" not in at.assumed:
        return tr("Cast {spell} on {target}", spell=spell, target=named(at.name))
    if at.team == state.actor.team:
        return tr("Cast {spell} on the ally {where}", spell=spell, where=where)
    return tr("Cast {spell} on the enemy {where}", spell=spell, where=where)


def headline_of_turn(line: TurnLine, names: "Names") -> str:
    """Returns a turn's first action in words, with how many times in a row it is done."""
    actions = [step.action for step in line.steps]
    times = sum(1 for action in takewhile(lambda action: action == actions[0], actions))
    return names(line.choice) + (f" ×{times}" if times > 1 else "")


class Names:
    """What the actions of a decision are called, the same in every panel: no two of them alike."""

    def __init__(self, decision: Decision, state: FightState | None) -> None:
        groups = grouped(decision, state)
        ordered = {group.best.action: group.best for group in groups}
        ordered |= {
            choice.action: choice
            for choice in decision.candidates or decision.choices
            if choice.action not in ordered
        }
        ordered.setdefault(decision.reflex.action, decision.reflex)
        self.groups = groups
        self.state = state
        self.of = decision, state, language()
        choices = list(ordered.values())
        self._whole = self._apart([headline(choice, state) for choice in choices], choices)
        self._short = self._apart([shortly(choice, state) for choice in choices], choices)

    def __call__(self, choice: ScoredAction) -> str:
        """Returns an action in words, such as "Walk 3 cells up right"."""
        return self._whole.get(choice.action) or headline(choice, self.state)

    def short(self, choice: ScoredAction) -> str:
        return self._short.get(choice.action) or shortly(choice, self.state)

    @staticmethod
    def _apart(texts: Sequence[str], choices: Sequence[ScoredAction]) -> dict[Action, str]:
        labels = told_apart(texts, choices)
        return {choice.action: text for choice, text in zip(choices, labels, strict=True)}


class _Latest:
    """The names that were made last: all views of a snapshot ask for the same."""

    names: Names | None = None


def names_of(decision: Decision, state: FightState | None) -> Names:
    """Returns what the actions of a decision are called, made once for all who ask for the same."""
    asked, names = (decision, state, language()), _Latest.names
    if names is None or any(ours is not theirs for ours, theirs in zip(names.of, asked, strict=True)):
        names = _Latest.names = Names(decision, state)
    return names


def told_apart(texts: Sequence[str], choices: Sequence[ScoredAction]) -> list[str]:
    """Returns texts of actions; one that reads as another before it says where its cell lies from there."""
    labels: list[str] = []
    for index, (text, choice) in enumerate(zip(texts, choices, strict=True)):
        like = texts.index(text)
        wording = _further(text, choices[like].action, choice.action) if like < index else text
        labels.append(tr("{action} (another cell)", action=text) if wording in labels else wording)
    return labels


def _further(text: str, first: Action, other: Action) -> str:
    if first.target is None or other.target is None or first.target == other.target:
        return text
    steps, where = distance(first.target, other.target), direction(first.target, other.target)
    return tr_counted(
        steps,
        "{action} ({steps} cell further {where})",
        "{action} ({steps} cells further {where})",
        action=text,
        steps=steps,
        where=where,
    )


def or_others(text: str, others: int) -> str:
    """Returns an action's text with how many other cells are worth the same."""
    if not others:
        return text
    return tr_counted(
        others,
        "{action}, or {number} other cell",
        "{action}, or {number} other cells",
        action=text,
        number=others,
    )


def brief(choice: ScoredAction, state: FightState | None) -> str:
    """Returns the action in few words, for a table, such as "Spark → Gobbo" or "3 cells up right"."""
    return _brief(choice.action, choice.spell_name, state, state.actor.cell if state else None)


def shortly(choice: ScoredAction, state: FightState | None) -> str:
    """Returns the action in few words that stand by themselves, such as "Walk 3 cells up right"."""
    text = brief(choice, state)
    return tr("Walk {way}", way=text) if isinstance(choice.action, Move) else text


def turn(
    line: TurnLine, state: FightState | None, you: int | None = None, names: Names | None = None
) -> list[str]:
    """Returns a turn's actions in few words, numbered; one done several times in a row is one entry.

    Args:
        you: the id of the person's fighter where the turn is another's: that one is "you" then.
        names: of the decision's actions, by which the first one is called: it may read as another does.
    """
    rows: list[tuple[int, int, str]] = []
    for number, step in enumerate(line.steps, 1):
        text = _brief(step.action, step.spell, state, step.origin, you)
        if isinstance(step.action, Move):
            text = tr("Walk {way}", way=text)
        if rows and rows[-1][2] == text and isinstance(step.action, Cast):
            rows[-1] = rows[-1][0], number, text
        else:
            rows.append((number, number, text))
    if rows and names is not None:
        rows[0] = *rows[0][:2], names.short(line.choice)
    return [f"{first}. {text}" if first == last else f"{first}–{last}. {text}" for first, last, text in rows]


def in_line(line: TurnLine, state: FightState | None, you: int | None = None) -> str:
    """Returns a turn's actions in one text, as `turn` does; no line ends behind a number."""
    return "   ".join(part.replace(" ", "\u00a0", 1) for part in turn(line, state, you))


def then(choice: ScoredAction, state: FightState | None) -> str:
    """Returns what the turn that begins with an action casts next, "then Spark → Gobbo", or "".

    On a free cell it is the spell alone: seen from where it will be cast the way there may be another.
    """
    following = (action for action in choice.line[1:] if isinstance(action, Cast))
    cast = next(following, None)
    if cast is None or state is None:
        return ""
    name = next((spell.name for spell in state.actor.spells if spell.key == cast.spell), cast.spell)
    at = occupant(state, cast.target)
    target = named(at.name) if at is not None and at.id != state.actor.id else ""
    return tr("then {action}", action=" → ".join(filter(None, (named(name, cast.spell), target))))


def _brief(
    action: Action, spell: str, state: FightState | None, origin: int | None, you: int | None = None
) -> str:
    if isinstance(action, Cast):
        at = occupant(state, action.target)
        other = at is not None and state is not None and at.id != state.actor.id
        if you is not None and (action.target == origin or (at is not None and at.id == you)):
            where = tr("itself") if action.target == origin else tr("you")
        else:
            where = named(at.name) if at is not None and other else _away(origin, action.target)
        return " → ".join(filter(None, (named(spell or action.spell, action.spell), where)))
    if isinstance(action, Move):
        where = direction(origin, action.target) if origin is not None else ""
        steps = len(action.path)
        text = counted(steps, "{steps} cell {where}", "{steps} cells {where}", steps=steps, where=where)
        return tr(text).rstrip()
    if isinstance(action, Place):
        return _away(origin, action.cell)
    return tr("Your place") if isinstance(action, Ready) else tr("End the turn")


def short(choice: ScoredAction) -> str:
    if isinstance(choice.action, Cast):
        return named(choice.spell_name or choice.action.spell, choice.action.spell)
    if isinstance(choice.action, Place | Ready):
        return tr("Place") if isinstance(choice.action, Place) else tr("Your place")
    return tr("Walk") if isinstance(choice.action, Move) else tr("End the turn")


def kind(action: Action) -> str:
    if isinstance(action, Cast):
        return tr("Spell")
    if isinstance(action, Place | Ready):
        return tr("Your place")
    return tr("Walk") if isinstance(action, Move) else tr("End of turn")


def details(choice: ScoredAction, state: FightState | None) -> str:
    """Returns what the action costs and where it ends, in one line."""
    action, parts = choice.action, []
    if isinstance(action, Move):
        parts = [tr("{number} MP", number=len(action.path))]
    elif isinstance(action, Cast):
        spell = next((s for s in state.actor.spells if s.key == action.spell), None) if state else None
        parts = [tr("{number} AP", number=spell.ap)] if spell else []
        if state and (away := distance(state.actor.cell, action.target)):
            parts.append(tr("range {number}", number=away))
    elif state and not state.placing:
        parts = [tr("{ap} AP and {mp} MP are left", ap=state.actor.ap, mp=state.actor.mp)]
    return "  ·  ".join(parts)


def places(decision: Decision, state: FightState) -> str:
    here = next(candidate for candidate in decision.candidates if isinstance(candidate.action, Ready))
    lines = [tr("Your place: {chance} to win", chance=percent(here.chance))]
    if here != decision.best:
        lines.insert(0, tr("There: {chance} to win", chance=percent(decision.chance)))
    may_change = tr("the others may still move")
    return "  ·  ".join([*(lines if may_tell_chance(state) else []), may_change])


def direction(start: int, end: int) -> str:
    """Returns the way from one cell to another as seen on the screen, such as "up right"."""
    return tr(towards(start, end)) if start != end else ""


def _away(origin: int | None, cell: int) -> str:
    """Returns how far from a cell another is, and in which direction, such as "2 cells up right"."""
    if origin is None or cell < 0:
        return ""
    steps = distance(origin, cell)
    if not steps:
        return tr("yourself")
    where = direction(origin, cell)
    return tr_counted(steps, "{steps} cell {where}", "{steps} cells {where}", steps=steps, where=where)


_LEVEL: Mapping[LevelFrom, str] = {
    "screen": mark("You: usual figures and spells of level {level}, which the screen shows (see My game)"),
    "hp": mark("You: level {level} by your maximum HP, its usual figures and spells (see My game)"),
    "none": mark("You: level {level}, as the screen does not tell yours (enter it under My game)"),
}
_BY_LEVEL = frozenset({"level", "stats", "spells"})


def unconfirmed(snapshot: Snapshot) -> str:
    """Returns what the advice goes by that the player has not confirmed: board and level, "" for none."""
    level = snapshot.level
    if level is None:
        return "" if snapshot.board_confirmed else tr("Not confirmed: where the board is")
    if snapshot.board_confirmed:
        return tr("Not confirmed: your level ({level})", level=level.level)
    return tr("Not confirmed: where the board is, and your level ({level})", level=level.level)


def assumptions(state: FightState, level: LevelGuess | None = None) -> list[str]:
    """Returns what is assumed of each fighter, not seen, one line a fighter, the player first.

    `level` says where the player's is from while it is not confirmed.
    """
    lines = [tr(_LEVEL[level.source], level=level.level)] if level is not None else []
    for fighter in sorted(state.fighters, key=lambda f: f.id != state.actor.id):
        own = level is not None and fighter.id == state.actor.id
        assumed = fighter.assumed - _BY_LEVEL if own else fighter.assumed
        facts = [tr(text) for name, text in FACTS.items() if name in assumed]
        facts += sorted(assumed - FACTS.keys())
        if fighter.alive and facts:
            who = tr("You") if fighter.id == state.actor.id else named(fighter.name)
            lines.append(tr("{who}: {facts}", who=who, facts=", ".join(facts)))
    return lines


def number(value: float, digits: int = 0, *, sign: bool = False) -> str:
    return typography().figure(f"{value:+z,.{digits}f}" if sign else f"{value:z,.{digits}f}")


def percent(share: float | None, digits: int = 0) -> str:
    """Returns a share 0..1 in percent, None as a dash; none or all of it is said only where it is that."""
    if share is None:
        return "–"
    figure = number(share * 100, digits)
    if not digits and 0 < share < 0.005:
        figure = "<1"
    elif not digits and 0.995 <= share < 1:
        figure = ">99"
    return figure + typography().percent


def points(best: float, other: float, state: FightState | None = None) -> int:
    """Returns how many points one chance 0..1 lies above another as both are shown: in whole percent.

    0 in a state whose chance may not be told.
    """
    return reading(best) - reading(other) if may_tell_chance(state) else 0


def chance(share: float | None, state: FightState | None) -> str:
    """Returns a chance of winning in a state, a dash where it may not be told."""
    return percent(share if may_tell_chance(state) else None)


def to_win(share: float, state: FightState | None) -> str:
    """Returns a chance of winning in a state with that word, or that it is not known."""
    text = tr("{share} to win", share=percent(share))
    return text if may_tell_chance(state) else tr("chance of winning not known")


def untold(state: FightState | None) -> str:
    """Returns why no chance of winning is shown in a state, "" where one may be."""
    return tr(why_untold(state))


def sureness(decision: Decision, state: FightState | None) -> tuple[str, str, str]:
    """Returns how sure the choice is: in words, the theme's colour for it, and the rule with its figures; ""
    where there was nothing to choose.
    """
    if not decision.sure or not may_tell_chance(state):
        return "", "muted", ""
    lead = margin(decision, state)
    tip = "" if lead is None else " ".join(map(tr, reasons(*lead)))
    return tr(WORDS[decision.sure]), _SURENESS[decision.sure], tip


def device(status: DeviceStatus) -> str:
    if status.loading:
        return tr("processor, the model is being loaded")
    if not status.model:
        return tr("processor, no model")
    return status.title or (tr("processor") if status.device == "cpu" else status.device)


def depth(decision: Decision) -> str:
    """Returns how deep it has thought on by now and how long that took, in a few words."""
    return tr("depth {depth}, {time}", depth=decision.effort.depth, time=spent(decision))


def spent(decision: Decision) -> str:
    return took(1000 * decision.effort.thought_s + decision.effort.first_ms)


def milliseconds(value: float | None) -> str:
    return f"{number(value, 1 if value < _WHOLE_MS else 0) if value is not None else '–'}\u00a0ms"


def mebibytes(value: int | None) -> str:
    """Returns bytes as MB or GB (of 1,048,576 bytes the MB, as systems count) with the unit, or "unknown"."""
    if value is None:
        return tr(UNKNOWN)
    if value >= 1 << 30:
        return number(value / (1 << 30), 2) + "\u00a0" + tr("GB")
    return number(value / (1 << 20)) + "\u00a0" + tr("MB")


def took(value_ms: float) -> str:
    """Returns how long something took, in seconds from one on."""
    return milliseconds(value_ms) if value_ms < _SECOND_MS else age(value_ms)


def age(value_ms: float) -> str:
    return f"{number(max(value_ms, 0) / 1000, 1)}\u00a0s"


def given_away(points: float) -> str:
    """Returns how much less likely winning has become, in points, in words."""
    shown = number(points)
    exact = round(points) if shown == number(round(points)) else points
    return tr_counted(exact, "{number} point given away", "{number} points given away", number=shown)


def reason(text: str) -> str:
    """Returns why there is no advice, in the person's language; "" stays that."""
    return tr(plainly(text))

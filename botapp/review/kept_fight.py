"""A kept fight as values: what a list says of it, and its own actions one by one."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from botapp.advisor.decision import Expectation
from botapp.content.nameless import SOMEONE, Called, called
from botapp.review.account import Result, account
from botapp.review.course import OwnAction
from botapp.review.grades import Grade


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list says of a fight.

    Attributes:
        begun: when it began, in seconds since 1970.
        version: of the app that kept it.
        opponents: what they are called, each once.
        result: how it ended.
        rounds: how many rounds of it were seen.
        actions: how many own actions are kept.
        mistakes: how many of them were faults of any grade.
        lost: what the departures from the advice cost together, as a chance of winning; may be above 1.
        blunders, inaccuracies: how many of the faults were such; None in files of format 1.
        accuracy: see `botapp.review.grades.accuracy`; None where no cost is known, and in files of format 1.
        autoplayed: whether the app itself played in it, which it does in the practice arena alone.
        taken_back: how many own actions were taken back, which the practice arena allows; they are not among
            the actions.
    """

    begun: float
    version: str
    client: str
    own: str
    own_name: str
    opponents: tuple[str, ...]
    result: Result = "unfinished"
    rounds: int = 1
    actions: int = 0
    mistakes: int = 0
    lost: float = 0.0
    blunders: int | None = None
    inaccuracies: int | None = None
    accuracy: float | None = None
    autoplayed: bool = False
    taken_back: int = 0

    @property
    def measured(self) -> bool:
        """Whether its figures say how the person plays: nothing was played by the app or tried twice."""
        return not self.autoplayed and not self.taken_back

    def against(self, tr: Callable[[str], str], called: Callable[[str], str] = str) -> str:
        return ", ".join(map(called, self.opponents)) or tr("no opponent seen")

    @property
    def grades(self) -> dict[Grade, int]:
        """How many faults of each grade, the worst first; nothing where that is not known."""
        if self.blunders is None or self.inaccuracies is None:
            return {}
        between = self.mistakes - self.blunders - self.inaccuracies
        return {"blunder": self.blunders, "mistake": between, "inaccuracy": self.inaccuracies}


@dataclass(frozen=True, slots=True)
class KeptFight:
    """A kept fight; `moments` are its own actions, the oldest first."""

    summary: Summary
    moments: tuple[OwnAction, ...]


def summed_up(
    moments: Sequence[OwnAction],
    begun: float,
    version: str,
    client: str,
    result: Result = "unfinished",
    *,
    autoplayed: bool = False,
    taken_back: int = 0,
) -> Summary:
    """Returns what a list says of a fight with these own actions, of which there is one at least."""
    own = moments[0].state.actor
    names = Counter(
        fighter.name
        for moment in moments
        for fighter in moment.state.fighters
        if fighter.team != own.team and fighter.summoner is None
    )
    summary = account(moments, result)
    return Summary(
        begun,
        version,
        client,
        own.kind,
        own.name,
        tuple(names),
        result,
        rounds=moments[-1].turn,
        actions=len(moments),
        mistakes=sum(summary.grades.values()),
        lost=summary.given / 100,
        blunders=summary.grades["blunder"],
        inaccuracies=summary.grades["inaccuracy"],
        accuracy=summary.accuracy,
        autoplayed=autoplayed,
        taken_back=taken_back,
    )


def nameless(fight: KeptFight) -> KeptFight:
    """Returns the fight without names that people gave: fighters are what the app or the game calls them.

    Pictures, which show names, are left out too.
    """
    known: dict[str, Called] = {}
    for moment in fight.moments:
        for fighter in moment.state.fighters:
            known.setdefault(fighter.name, called(fighter))
    summary = fight.summary
    own = known.get(summary.own_name, SOMEONE)
    return KeptFight(
        replace(
            summary,
            own=own.kind,
            own_name=own.name,
            opponents=tuple(dict.fromkeys(known.get(name, SOMEONE).name for name in summary.opponents)),
        ),
        tuple(_nameless(moment, known) for moment in fight.moments),
    )


def _nameless(moment: OwnAction, known: Mapping[str, Called]) -> OwnAction:
    def renamed(expected: Sequence[Expectation]) -> tuple[Expectation, ...]:
        return tuple(
            replace(expectation, name=known.get(expectation.name, SOMEONE).name) for expectation in expected
        )

    fighters = tuple(fighter.changed(**known[fighter.name]._asdict()) for fighter in moment.state.fighters)
    lines = tuple(
        replace(
            line,
            choice=replace(line.choice, label=""),
            steps=tuple(replace(step, expected=renamed(step.expected)) for step in line.steps),
        )
        for line in moment.lines
    )
    return replace(
        moment,
        state=moment.state.changed(fighters=fighters),
        advised=replace(moment.advised, label=""),
        done=moment.done and replace(moment.done, label=""),
        lines=lines,
        picture="",
    )

"""Compares advice from pixels with advice from the true state: how often they agree, and why they do not.

`python -m botapp.bench.pixels --decisions N --seed S` plays fights of the arena's window, picture by
picture. Each picture is read as the app reads it. Once two in a row give the same state in the player's
turn, the advice for it is compared with that for the true state, and played. Where they differ, the misread
facts are corrected one at a time; a correction that alone makes the advice equal is counted under `mends`.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from botapp.advisor.advisor import create_advisor
from botapp.advisor.bare import BareAdvisor, own_evaluation
from botapp.advisor.decision import Withheld
from botapp.advisor.device import place
from botapp.advisor.turn_advisor import TurnAdvisor
from botapp.advisor.wording import label
from botapp.arena.options import SCENARIOS, ArenaOptions
from botapp.fight.actions import Action, Cast, EndTurn, Move
from botapp.fight.rules import observation
from botapp.fight.state import Fighter, FightState
from botapp.tracking.state_tracker import StateTracker
from vision.frame import Frame

if TYPE_CHECKING:
    from botapp.arena.window.film import Film, Pixels

PATIENCE_S = 8.0
"""Seconds of the film to wait for a state before the advice for the true one is played instead."""
_STRANGER = 1000

_ABOUT_FIGHTER = {
    "HP": ("hp", "max_hp", "eroded"),
    "AP": ("ap",),
    "MP": ("mp",),
    "full AP and MP": ("base_ap", "base_mp"),
    "shield": ("shield",),
    "buffs": ("buffs", "stats"),
    "cooldowns": ("cooldowns",),
    "casts": ("casts",),
    "spells": ("spells",),
    "summoner": ("summoner",),
    "sheet": ("name", "kind", "level", "player", "assumed"),
}
_ABOUT_FIGHT = {
    "marks": ("marks",),
    "board": ("map",),
    "turn order": ("order", "current"),
    "round": ("turn",),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One decision, judged."""

    fight: int
    turn: int
    equal: bool
    true: str  # The advice for the true state, in words; `seen` that for the state read
    seen: str
    wrong: tuple[str, ...]
    mends: tuple[str, ...] = ()  # Those of them that alone make the advice equal when corrected


def captured(pixels: "Pixels", now: float) -> Frame:
    """Returns a film's picture as a captured frame; `now` is the film's time in seconds."""
    return Frame.still(pixels, int(now * 1e9))


def aligned(seen: FightState, true: FightState) -> FightState:
    """Returns the state that was read with the true state's ids; fighters are matched by their cells."""
    places = {fighter.cell: fighter.id for fighter in true.fighters if fighter.alive}
    ids = {f.id: places.get(f.cell if f.alive else -1, _STRANGER + f.id) for f in seen.fighters}
    ids |= _fallen(seen, true)
    fighters = [
        f.changed(
            id=ids[f.id],
            casts=tuple((key, ids.get(target, target)) for key, target in f.casts),
            buffs=tuple(replace(buff, caster=ids.get(buff.caster, buff.caster)) for buff in f.buffs),
            summoner=None if f.summoner is None else ids.get(f.summoner, f.summoner),
            team=f.team if true.actor.team == seen.actor.team else 1 - f.team,
        )
        for f in seen.fighters
    ]
    marks = tuple(replace(mark, owner=ids.get(mark.owner, mark.owner)) for mark in seen.marks)
    rank = {fighter.id: place for place, fighter in enumerate(true.fighters)}
    fighters.sort(key=lambda f: rank.get(f.id, f.id))
    order = tuple(ids[number] for number in seen.order)
    return seen.changed(fighters=tuple(fighters), order=order, marks=marks)


def _fallen(seen: FightState, true: FightState) -> dict[int, int]:
    """Returns the true ids of dead fighters that casts and buffs still name; those of a kind in order."""
    turned = true.actor.team != seen.actor.team
    dead: dict[tuple[int, str], list[int]] = {}
    for fighter in true.fighters:
        if not fighter.alive:
            dead.setdefault((fighter.team, fighter.kind), []).append(fighter.id)
    fallen = {}
    for fighter in seen.fighters:
        left = dead.get((1 - fighter.team if turned else fighter.team, fighter.kind), [])
        if not fighter.alive and left:
            fallen[fighter.id] = left.pop(0)
    return fallen


def repairs(seen: FightState, true: FightState) -> Iterator[tuple[str, FightState]]:
    """Yields each misread fact, with a copy of the state that was read in which it is corrected.

    Args:
        seen: the state read, `aligned` with the true one.
    """
    known = {fighter.id for fighter in seen.fighters if fighter.alive}
    living = {fighter.id for fighter in true.fighters if fighter.alive}
    if known != living:
        living_fighters = tuple(f for f in seen.fighters if f.id in living)
        missed = tuple(f for f in true.fighters if f.id in living - known)
        yield (
            "who is there",
            seen.changed(fighters=(*living_fighters, *missed), order=true.order, current=true.current),
        )
    for fact, fields in _ABOUT_FIGHT.items():
        change = {name: getattr(true, name) for name in fields}
        if fact == "board":
            change = {"map": replace(seen.map, cells=true.map.cells)}
        if fact == "turn order" and _living(seen) != _living(true):
            order = tuple(number for number in _living(true) if number in known)
            order += tuple(number for number in _living(seen) if number not in order)
            change = {"order": order, "current": order.index(seen.actor.id)}
        elif fact == "turn order":
            continue
        if any(getattr(seen, name) != value for name, value in change.items()):
            yield fact, seen.changed(**change)
    for side in ("own", "ally's", "enemy's"):
        for fact, fields in _ABOUT_FIGHTER.items():
            mended = [
                _put_right(f, true.fighter(f.id), fields) if f.id in living and _side(f, true) == side else f
                for f in seen.fighters
            ]
            if any(mine is not other for mine, other in zip(mended, seen.fighters, strict=True)):
                yield f"{side} {fact}", seen.changed(fighters=tuple(mended))


def _living(state: FightState) -> tuple[int, ...]:
    """Returns the ids of the living fighters in turn order, the actor first."""
    order = state.order[state.current :] + state.order[: state.current]
    return tuple(number for number in order if state.fighter(number).hp > 0)


def _put_right(seen: Fighter, true: Fighter, fields: Sequence[str]) -> Fighter:
    """Returns the fighter with these fields corrected; the same object where all were right."""
    change = {name: getattr(true, name) for name in fields}
    same = all(_unordered(name, getattr(seen, name)) == _unordered(name, change[name]) for name in fields)
    return seen if same else seen.changed(**change)


def _unordered(name: str, value: Any) -> Any:
    return sorted(value) if name in ("cooldowns", "casts") else value


def _side(fighter: Fighter, state: FightState) -> str:
    actor = state.actor
    if fighter.id == actor.id:
        return "own"
    return "ally's" if fighter.team == actor.team else "enemy's"


def judge(advise: Callable[[FightState], Action], seen: FightState, true: FightState, fight: int) -> Verdict:
    """Compares the advice for a state that was read with that for the true one."""
    seen = aligned(seen, true)
    wanted, got = advise(true), _advice(advise, seen)
    fixes = list(repairs(seen, true))
    mends: list[str] = []
    if _key(wanted) != _key(got):
        mends = [fact for fact, state in fixes if _key(_advice(advise, state)) == _key(wanted)]
    return Verdict(
        fight=fight,
        turn=true.turn,
        equal=_key(wanted) == _key(got),
        true=label(true, wanted),
        seen="withheld" if got is None else label(seen, got),
        wrong=tuple(fact for fact, _ in fixes),
        mends=tuple(mends),
    )


def _advice(advise: Callable[[FightState], Action], state: FightState) -> Action | None:
    try:
        return advise(state)
    except (Withheld, ValueError, KeyError):
        return None


def _key(action: Action | None) -> tuple[str, int]:
    """Returns a key to compare actions by; two paths to the same cell are equal."""
    if isinstance(action, Move):
        return "move", action.target
    return (action.spell, action.target) if isinstance(action, Cast) else (type(action).__name__, -1)


def fights(first: int, scenario: str, size: tuple[int, int] = (1280, 720)) -> Iterator[ArenaOptions]:
    """Yields the fights of the seeds from `first` on, of one scenario or of all in turn, at a size."""
    seed = first
    while True:
        kind = SCENARIOS[seed % len(SCENARIOS)] if scenario == "all" else scenario
        side = 0 if kind == "adventure" else seed // len(SCENARIOS) % 2
        yield ArenaOptions(seed=seed, scenario=kind, side=side, autopilot=True, fights=1, size=size)
        seed += 1


def watch(film: "Film", advise: Callable[[FightState], Action]) -> Iterator[Verdict | str]:
    """Yields a verdict for each decision of a fight, or the reason why there was no state to decide on."""
    tracker, bout = StateTracker(), film.bout
    last: FightState | None = None
    since = film.now
    while not bout.finished and bout.fight.winner is None:
        tracked = tracker.update(captured(film.picture(), film.now))
        true = observation(bout.fight.state, bout.fight.team)
        if not bout.free:
            last, since = None, film.now
        elif tracked.state is not None and tracked.state == last:
            yield judge(advise, tracked.state, true, bout.fight.seed)
            _play(film, _advice(advise, tracked.state) or EndTurn(), advise(true))
            last, since = None, film.now
        elif film.now - since > PATIENCE_S:
            yield tracked.withheld or "The state changes from picture to picture."
            _play(film, advise(true), EndTurn())
            last, since = None, film.now
        else:
            last = tracked.state
        film.advance()


def _play(film: "Film", action: Action, instead: Action) -> None:
    """Plays an action; if the rules refuse it, the other one, and then the end of the turn."""
    for tried in (action, instead, EndTurn()):
        if not film.bout.submit(tried, film.now):
            return


def summed(verdicts: Sequence[Verdict], withheld: Sequence[str]) -> dict[str, Any]:
    """Sums up verdicts, and reasons for having no state, as plain values."""
    apart = [verdict for verdict in verdicts if not verdict.equal]
    return {
        "decisions": len(verdicts),
        "equal": round(1 - len(apart) / max(1, len(verdicts)), 4),
        "without_a_state": dict(Counter(withheld)),
        "wrong": dict(Counter(fact for v in verdicts for fact in v.wrong).most_common()),
        "wrong_where_apart": dict(Counter(fact for v in apart for fact in v.wrong).most_common()),
        "mends": dict(Counter(fact for v in apart for fact in v.mends).most_common()),
        "nothing_mends": sum(not v.mends for v in apart),
        "apart": [asdict(verdict) for verdict in apart],
    }


def measure(
    advisor: TurnAdvisor, decisions: int, seed: int, scenario: str, size: tuple[int, int] = (1280, 720)
) -> dict[str, Any]:
    """Plays fights until so many decisions are judged; returns the figures."""
    from botapp.arena.window.film import Film  # noqa: PLC0415 - Qt only where pictures are painted

    def advise(state: FightState) -> Action:
        return advisor.decide(state).action

    verdicts: list[Verdict] = []
    withheld: list[str] = []
    for options in fights(seed, scenario, size):
        for judged in watch(Film(options), advise):
            if isinstance(judged, str):
                withheld.append(judged)
                continue
            verdicts.append(judged)
            if len(verdicts) == decisions:
                return summed(verdicts, withheld)
    raise AssertionError("there is no last seed")


def main(
    decisions: int = 200,
    seed: Annotated[int, typer.Option(help="of the first fight")] = 1,
    scenario: Literal["adventure", "duel", "team", "all"] = "all",
    size: Annotated[str, typer.Option(help="of the arena's window, WIDTHxHEIGHT")] = "1280x720",
    adviser: Literal["search", "model"] = "search",
    weights: Annotated[
        Path | None, typer.Option(help="the model's file of weights; the app's if left out")
    ] = None,
) -> None:
    """Compares the advice from pixels with that from true states and prints the figures as JSON."""
    advisor: TurnAdvisor
    if adviser == "search":
        advisor = BareAdvisor(learned=own_evaluation())
    else:
        advisor = create_advisor(weights, place("auto", "cpu", "fp32", weights), budget_ms=0)
    width, _, height = size.partition("x")
    print(json.dumps(measure(advisor, decisions, seed, scenario, (int(width), int(height))), indent=1))


if __name__ == "__main__":
    typer.run(main)

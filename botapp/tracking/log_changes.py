"""Numbers that the log reports of a fighter override what the rules expect: HP, AP, MP, deaths.

A change counts where one fighter alone can be meant; of several of a name it is the only one whose HP have
changed. The player's own figures are on the screen. HP of the log must agree with the bar, as far as that
can tell; else the bar is right: a line may have been missed, or a glyph, which no line names, has hurt once
more.
"""

from collections.abc import Iterable

from botapp.fight.sheet import eroded_by
from botapp.fight.state import Fighter, FightState
from botapp.tracking.picture import Picture
from botapp.tracking.takeover import hp_by_bar
from vision.view import ToldChange

_BAR = 0.025  # How well a client's bar is read, as a share of the whole bar


def with_log_changes(state: FightState, before: FightState, picture: Picture) -> FightState:
    """Returns a believed state with what the log has reported since the last conclusion.

    Args:
        before: what was believed at the last conclusion.
        picture: the picture, with the changes reported since then.
    """
    if not picture.news.changes:
        return state
    logged: dict[int, list[ToldChange]] = {}
    for change in picture.news.changes:
        number = meant(change, before, picture.player)
        if number is None:
            number = _only_changed(change, before, state)
        if number is not None and number != picture.player:
            logged.setdefault(number, []).append(change)
    seen = {fighter.id for fighter in picture.state.fighters}
    known = {fighter.id: fighter for fighter in before.fighters}
    played = _played(before, state)

    def changed(fighter: Fighter) -> Fighter:
        number = fighter.id
        if number not in logged:
            return fighter
        bar, rests = picture.bars.get(number), number not in played
        return _changed(fighter, known[number], logged[number], bar, seen=number in seen, rests=rests)

    fighters = tuple(changed(fighter) for fighter in state.fighters)
    return state if fighters == state.fighters else state.changed(fighters=fighters)


def meant(change: ToldChange, state: FightState, player: int) -> int | None:
    """Returns the id of the fighter that a change is about, None where several or none may be meant."""
    if change.own:
        return player
    ids = [f.id for f in state.fighters if f.alive and any(_is(f.kind, kind) for kind in change.who)]
    return ids[0] if len(ids) == 1 else None


def _only_changed(change: ToldChange, before: FightState, state: FightState) -> int | None:
    """Returns the id of the only one of several of a name whose HP, AP or MP have changed, else None."""
    if change.kind == "dies":
        return None
    alike = [f for f in before.fighters if f.alive and any(_is(f.kind, kind) for kind in change.who)]
    now = {fighter.id: fighter for fighter in state.fighters}
    changed = [f.id for f in alike if f.id in now and _shown(now[f.id], change) != _shown(f, change)]
    return changed[0] if len(changed) == 1 else None


def _shown(fighter: Fighter, change: ToldChange) -> tuple[int, ...]:
    return (fighter.hp, fighter.max_hp) if change.kind == "hp" else (getattr(fighter, change.kind),)


def _is(kind: str, logged: str) -> bool:
    """Tells whether a fighter is of the kind that a name stands for; a monster's may have its grade."""
    return kind == logged or (logged.startswith("monster-") and kind.startswith(f"{logged}-"))


def _changed(
    fighter: Fighter,
    before: Fighter,
    logged: Iterable[ToldChange],
    bar: float | None,
    *,
    seen: bool,
    rests: bool,
) -> Fighter:
    """Returns a fighter with what the log reports of it.

    Args:
        bar: the share of HP that its bar shows, None where it was not read.
        rests: whether it has not been at turn meanwhile, so that AP and MP taken are still missing.
    """
    changes = list(logged)
    if any(change.kind == "dies" for change in changes):
        return fighter if seen else fighter.changed(hp=0)
    fighter = _with_hp(fighter, before, [c.amount for c in changes if c.kind == "hp"], bar)
    for stat in ("ap", "mp") if rests else ():
        lost = sum(change.amount for change in changes if change.kind == stat and change.amount < 0)
        if lost:
            fighter = fighter.changed(**{stat: max(0, getattr(before, stat) + lost)})
    return fighter


def _played(before: FightState, state: FightState) -> frozenset[int]:
    order = before.order
    if state.order[state.current] not in order:
        return frozenset(order)
    ends = order.index(state.order[state.current])
    rounds = state.turn - before.turn
    if rounds > 1 or (rounds == 1 and ends >= before.current):
        return frozenset(order)
    if ends >= before.current:
        return frozenset(order[before.current : ends + 1])
    return frozenset((*order[before.current :], *order[: ends + 1]))


def _with_hp(fighter: Fighter, before: Fighter, amounts: list[int], bar: float | None) -> Fighter:
    """Returns a fighter with HP by the amounts reported, where the bar does not contradict them.

    A bar that is well below what was reported is that of a fighter hurt once more since.
    """
    if not amounts or not fighter.alive:
        return fighter
    logged = before
    for amount in amounts:
        lost = eroded_by(logged, -amount) if amount < 0 else 0
        max_hp = logged.max_hp - lost
        logged = logged.changed(
            hp=min(max_hp, logged.hp + amount), max_hp=max_hp, eroded=logged.eroded + lost
        )
    as_the_rules = (
        logged.hp == fighter.hp
    )  # hits that the line adds up take their shares each, as the rules have it
    if as_the_rules or logged.hp <= 0:
        return fighter
    apart = 0.0 if bar is None else logged.hp / logged.max_hp - bar
    if bar is not None and apart > _BAR:
        hp, max_hp = hp_by_bar(logged, logged, bar)
        logged = logged.changed(hp=hp, max_hp=max_hp, eroded=logged.eroded + logged.max_hp - max_hp)
    elif apart < -_BAR:
        return fighter
    return fighter.changed(hp=logged.hp, max_hp=logged.max_hp, eroded=logged.eroded)

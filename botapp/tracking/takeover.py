"""Copies what a picture shows into the belief: cells, HP by the bars, who is at turn; the rest is kept."""

from dataclasses import replace

from botapp.fight.board import distance
from botapp.fight.sheet import eroded_by, full_ap, full_mp
from botapp.fight.spells import State
from botapp.fight.state import CellFlag, Fighter, FightMap, FightState, Mark, MarkKind
from botapp.tracking.ground_marks import put_right
from botapp.tracking.picture import Picture
from botapp.tracking.picture_fit import HIDES

_EXACT = 3e-4  # How well the bars of the arena's window are read, as a share of the whole bar
_MOST_ERODED = 60  # HP of the maximum lost or won back between two pictures that are looked at


def taken_over(
    believed: FightState,
    picture: Picture,
    exact: bool = False,
    whole: bool = True,
    before: FightState | None = None,
) -> FightState:
    """Returns what is believed with all that a picture shows; what it does not show stays.

    Args:
        exact: whether the rules explain it, so that the player's casts are those believed.
        before: the state before what has happened, None where nothing has.
        whole: whether every fighter is on it; else the missing ones are where they were, and none has come.
    """
    seen = picture.state
    known = {fighter.id for fighter in believed.fighters}
    there = {fighter.id for fighter in seen.fighters}
    earlier = {fighter.id: fighter for fighter in (before or believed).fighters}
    fighters = []
    for fighter in believed.fighters:
        if fighter.id not in there:
            keeps_hp = fighter.has(State.INVISIBLE) or not fighter.alive or not whole
            fighters.append(fighter if keeps_hp else fighter.changed(hp=0))
        elif fighter.id == picture.player:
            fighters.append(
                _own(fighter, seen.fighter(fighter.id), picture, exact, seen.turn > believed.turn)
            )
        else:
            updated = _not_own(fighter, seen.fighter(fighter.id), picture, earlier.get(fighter.id, fighter))
            if picture.mine and whole and not exact:  # its turn is over: it has rested
                updated = updated.changed(ap=full_ap(updated), mp=full_mp(updated), casts=())
            fighters.append(updated)
    order = believed.order
    if whole:
        for number in sorted(there - known):
            newcomer = seen.fighter(number)
            caller = _caller(newcomer, fighters)
            after = believed.current + 1
            if caller is not None:
                newcomer = newcomer.changed(summoner=caller)
                siblings = {caller, *(f.id for f in fighters if f.summoner == caller)}
                after = 1 + max(place for place, member in enumerate(order) if member in siblings)
            fighters.append(newcomer)
            order = (*order[:after], number, *order[after:])
    playing = believed.order[believed.current]
    if (playing == picture.player) != picture.mine or not exact:
        playing = _playing(order, fighters, playing, picture)
    if picture.line and set(picture.line) <= {fighter.id for fighter in fighters}:
        order = (*picture.line, *(number for number in order if number not in picture.line))
    state = believed.changed(
        map=_with_floor(seen.map, fighters),
        fighters=tuple(fighters),
        order=order,
        current=order.index(playing),
        turn=seen.turn,
        marks=tuple(mark for mark in believed.marks if not _sprung(mark, believed, picture)),
    )
    marks = put_right(state, picture)
    return state if marks == state.marks else state.changed(marks=marks)


def _caller(newcomer: Fighter, fighters: list[Fighter]) -> int | None:
    """Returns the id of who has called a fighter that has come into the fight without a cast to explain it.

    None where no living fighter of its side has a spell that calls its kind, or several have.
    """
    candidates = [
        f.id for f in fighters if f.alive and f.team == newcomer.team and newcomer.kind in _calls(f)
    ]
    return candidates[0] if len(candidates) == 1 else None


def _calls(fighter: Fighter) -> set[str]:
    effects = [effect for spell in fighter.spells for effect in spell.effects]
    within = [inner for effect in effects for inner in effect.payload]
    return {effect.summon.kind for effect in (*effects, *within) if effect.summon is not None}


def _with_floor(board: FightMap, fighters: list[Fighter]) -> FightMap:
    """Returns the board with floor where the living stand, also those that cannot be seen now."""
    wrong = [f.cell for f in fighters if f.alive and not board.cells[f.cell] & CellFlag.WALKABLE]
    if not wrong:
        return board
    cells = bytearray(board.cells)
    for cell in wrong:
        cells[cell] = CellFlag.FLOOR
    return replace(board, cells=bytes(cells))


def _sprung(mark: Mark, state: FightState, picture: Picture) -> bool:
    """Tells whether a trap of the player's side is gone: no cell shows it, and no fighter is near it.

    While the fighter who laid it is at turn, a spell's flash may hide it.
    """
    if state.actor.id == mark.owner:
        return False
    own = state.fighter(picture.player).team == state.fighter(mark.owner).team
    gone = not picture.traps_seen.isdisjoint(mark.cells) and picture.traps.isdisjoint(mark.cells)
    if mark.kind is not MarkKind.TRAP or not own or not gone:
        return False
    return all(distance(cell, f.cell) > HIDES for cell in mark.cells for f in picture.state.fighters)


def _playing(order: tuple[int, ...], fighters: list[Fighter], last: int, picture: Picture) -> int:
    """Returns who may be at turn: the player, or the next one alive who is not."""
    if picture.mine:
        return picture.player
    if picture.playing is not None and picture.playing in order:
        return picture.playing
    alive = {fighter.id for fighter in fighters if fighter.alive}
    place = order.index(last) if last in order else 0
    ahead = (*order[place:], *order[:place])
    return next((number for number in ahead if number in alive and number != picture.player), last)


def _own(fighter: Fighter, seen: Fighter, picture: Picture, exact: bool, later: bool) -> Fighter:
    """Returns the player's fighter with its exact figures; in its turn the spell bar tells the cooldowns.

    `later` says that the picture is of a later round than what is believed.
    """
    return fighter.changed(
        cell=seen.cell,
        hp=seen.hp,
        max_hp=seen.max_hp,
        eroded=max(0, fighter.max_hp + fighter.eroded - seen.max_hp),
        ap=seen.ap,
        mp=seen.mp,
        cooldowns=seen.cooldowns if picture.mine else fighter.cooldowns,
        casts=fighter.casts if exact or (picture.news.logged and not later) else seen.casts,
        shield=fighter.shield if picture.shield is None else picture.shield,
        assumed=seen.assumed,
    )


def _not_own(fighter: Fighter, seen: Fighter, picture: Picture, before: Fighter) -> Fighter:
    """Returns a fighter where it stands, HP and shield as its bars show them."""
    if fighter.kind != seen.kind:
        return seen
    bar, shield = picture.bars.get(seen.id), picture.shields.get(seen.id)
    changed = fighter.changed(cell=seen.cell, assumed=seen.assumed)
    if bar is not None:
        hp, max_hp = hp_by_bar(before, fighter, bar)
        changed = changed.changed(hp=hp, max_hp=max_hp, eroded=before.eroded + before.max_hp - max_hp)
    elif not fighter.alive:  # it stands there, so it was but hidden
        changed = changed.changed(hp=seen.hp, max_hp=seen.max_hp, eroded=seen.eroded)
    if shield is not None and (shield < 1 or fighter.shield < changed.max_hp):
        changed = changed.changed(shield=round(shield * changed.max_hp))
    return changed


def hp_by_bar(before: Fighter, after: Fighter, bar: float) -> tuple[int, int]:
    """Returns the HP and maximum HP that a bar shows, worked out from those before and those believed since.

    Lost HP take a share of the maximum with them, each hit a whole number: two hits may take less than one
    that costs as many HP, so what is believed to have happened counts. Whole numbers that are as the bar is
    read exactly are preferred; of several those whose share lost is nearest to that.
    """
    if before.alive and abs(before.hp / before.max_hp - bar) < _EXACT:
        return before.hp, before.max_hp
    candidates = []
    for eroded in range(-min(before.eroded, _MOST_ERODED), _MOST_ERODED):
        max_hp = before.max_hp - eroded
        hp = max(1, round(bar * max_hp))
        if max_hp < hp:
            break
        odd = abs(eroded - _share_lost(before, after, hp))
        apart = abs(hp / max_hp - bar)
        candidates.append((apart > _EXACT, odd, apart, hp, max_hp))
    *_, hp, max_hp = min(candidates)
    return hp, max_hp


def _share_lost(before: Fighter, after: Fighter, hp: int) -> int:
    """Returns how much of its maximum a fighter has lost if it has `hp` left, by what is believed of it."""
    whole = eroded_by(before, max(0, before.hp - hp))
    if after.hp >= before.hp:
        return whole
    rounded_off = eroded_by(before, before.hp - after.hp) - (before.max_hp - after.max_hp)
    return whole - max(0, rounded_off)

"""What must have happened between two pictures, by the rules: so shields, buffs and cooldowns are known.

A picture shows cells, HP bars and the player's own figures; it does not show what others have cast. So a
whole state is believed from picture to picture. Where a new one differs, the actions that the rules allow
whoever is at turn are tried, and the one that leads to what is seen is taken to have happened, with all that
it does besides. What none explains is taken over as it is seen. Next hop: `botapp.advisor.situation` lends
the state of a picture what is believed of it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.buffs import full_ap, full_mp
from botapp.fight.casting import unavailable
from botapp.fight.damage import eroded_by
from botapp.fight.rules import IllegalAction, foresee, legal_actions, winner
from botapp.fight.spells import State
from botapp.fight.state import CellFlag, Fighter, FightMap, FightState, Mark, MarkKind
from vision.view import LogLine

_NOTABLE = 0.004
"""A bar that is read this much longer or shorter has changed."""
_EXACT = 3e-4
"""How well the bars of the arena's window are read, as a share of the whole bar."""
_MOST_ERODED = 60
_HIDES = 2
"""How near a fighter may hide what lies on a cell."""
_WAYS = 16
"""How many ways in which the casts told may have gone are followed at once."""
_IMPOSSIBLE = 100.0
_UNLIKELY = 25.0
_FEW_HP = 40.0
_LIKELY_ENOUGH = 45.0
_ODD_WALK, _SPARE_MP = 15.0, 3
_GREYED = 8.0
_NOBODYS_DOING = 40.0
"""How unlikely it is that HP changed though nobody acted."""
_PASSED = 2
"""Fighters that two actions are tried for; more would take too long."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What one picture shows, beside guesses.

    Attributes:
        state: the fight as one picture tells it; of others only team, kind and cell were seen.
        player: id of the player's own fighter, whose HP, AP and MP are exact.
        bars: by id, the share of HP that a bar shows, 0..1; fighters whose bar was not read are left out.
        mine: whether the player is at turn.
        glyphs: cells with a glyph, None where none could be seen.
        shield: the player's, None where it is not shown.
        shields: by id, the share of its maximum HP that a fighter's shield is worth; those not read left out.
        traps: cells with a trap of the player's side; `traps_seen` those that ever showed one.
        told: the casts that a log has told of since the last conclusion, None where there is no log.
        line: the ids of those alive in the order of play, empty where it is not seen.
        playing: id of who is at turn, None where it is not seen.
        usable: by the player's spell keys, whether the spell bar shows it as usable; those not read left out.
    """

    state: FightState
    player: int
    bars: Mapping[int, float]
    mine: bool
    glyphs: frozenset[int] | None = None
    shield: int | None = None
    usable: Mapping[str, bool] = field(default_factory=dict)
    shields: Mapping[int, float] = field(default_factory=dict)
    traps: frozenset[int] = frozenset()
    traps_seen: frozenset[int] = frozenset()
    told: tuple[LogLine, ...] | None = None
    line: tuple[int, ...] = ()
    playing: int | None = None


def follow(believed: FightState | None, picture: Picture) -> FightState:
    """Returns the state that is believed once a picture was seen.

    Args:
        believed: the state believed before; None at a fight's beginning.
        picture: the picture; everybody on it stands still.
    """
    seen = picture.state
    if believed is None or seen.turn < believed.turn or not _same_fight(believed, seen):
        return seen
    if not picture.told and _unlike(believed, picture) < 1 and _at_turn(believed, picture):
        return taken_over(believed, picture, exact=True)
    passed = _passed(believed, picture)
    explained = _retold(believed, picture) if picture.told else _explained(passed, picture)
    if explained is not None:
        return taken_over(_renamed(explained, picture), picture, exact=True, before=believed)
    return taken_over(next((s for s in passed if _at_turn(s, picture)), believed), picture)


def glimpsed(believed: FightState, picture: Picture) -> FightState:
    """Returns what is believed while somebody walks or is hidden, so that nothing is concluded.

    Where nothing was cast and the player's AP are as before, its casts are those believed.
    """
    here = next((state for state in _passed(believed, picture) if _at_turn(state, picture)), believed)
    same = here is believed and picture.told == ()
    same &= believed.fighter(picture.player).ap == picture.state.fighter(picture.player).ap
    return taken_over(here, picture, exact=same, whole=False)


def taken_over(
    believed: FightState,
    picture: Picture,
    exact: bool = False,
    whole: bool = True,
    before: FightState | None = None,
) -> FightState:
    """Returns what is believed with all that a picture shows; what it does not show stays.

    Args:
        believed: the state believed.
        picture: the picture.
        exact: whether the rules explain it, so that the player's casts are those believed.
        before: the state before what has happened, None where nothing has.
        whole: whether everybody is on it; else who is missing is where it was, and nobody has come.
    """
    seen = picture.state
    known = {fighter.id for fighter in believed.fighters}
    there = {fighter.id for fighter in seen.fighters}
    earlier = {fighter.id: fighter for fighter in (before or believed).fighters}
    fighters = []
    for fighter in believed.fighters:
        if fighter.id not in there:
            stays = fighter.has(State.INVISIBLE) or not fighter.alive or not whole
            fighters.append(fighter if stays else fighter.changed(hp=0))
        elif fighter.id == picture.player:
            fighters.append(_own(fighter, seen.fighter(fighter.id), picture, exact))
        else:
            other = _other(fighter, seen.fighter(fighter.id), picture, earlier.get(fighter.id, fighter))
            fighters.append(_rested(other) if picture.mine and whole and not exact else other)
    order = believed.order
    if whole and there - known:
        fighters += [fighter for fighter in seen.fighters if fighter.id not in known]
        after = believed.current + 1
        order = (*order[:after], *sorted(there - known), *order[after:])
    playing = believed.order[believed.current]
    if (playing == picture.player) != picture.mine or not exact:
        playing = _playing(order, fighters, playing, picture)
    if picture.line and set(picture.line) <= {fighter.id for fighter in fighters}:
        order = (*picture.line, *(number for number in order if number not in picture.line))
    return believed.changed(
        map=_with_floor(seen.map, fighters),
        fighters=tuple(fighters),
        order=order,
        current=order.index(playing),
        turn=seen.turn,
        marks=tuple(mark for mark in believed.marks if not _sprung(mark, believed, picture)),
    )


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
    """Tells whether a trap of the player's side is gone: no cell shows it, and nobody is near it.

    While whoever laid it is at turn, a spell's flash may hide it.
    """
    if state.actor.id == mark.owner:
        return False
    own = state.fighter(picture.player).team == state.fighter(mark.owner).team
    gone = not picture.traps_seen.isdisjoint(mark.cells) and picture.traps.isdisjoint(mark.cells)
    if mark.kind is not MarkKind.TRAP or not own or not gone:
        return False
    return all(distance(cell, f.cell) > _HIDES for cell in mark.cells for f in picture.state.fighters)


def _same_fight(believed: FightState, seen: FightState) -> bool:
    """Tells whether somebody of the other side is still the same."""
    before = {(f.id, f.kind, f.team) for f in believed.fighters}
    return any((f.id, f.kind, f.team) in before for f in seen.fighters if f.team != seen.fighters[0].team)


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


def _own(fighter: Fighter, seen: Fighter, picture: Picture, exact: bool) -> Fighter:
    """Returns the player's fighter with its exact figures; in its turn the spell bar tells the cooldowns."""
    return fighter.changed(
        cell=seen.cell,
        hp=seen.hp,
        max_hp=seen.max_hp,
        eroded=max(0, fighter.max_hp + fighter.eroded - seen.max_hp),
        ap=seen.ap,
        mp=seen.mp,
        cooldowns=seen.cooldowns if picture.mine else fighter.cooldowns,
        casts=fighter.casts if exact or picture.told is not None else seen.casts,
        shield=fighter.shield if picture.shield is None else picture.shield,
        assumed=seen.assumed,
    )


def _rested(fighter: Fighter) -> Fighter:
    """Returns a fighter as it is once its turn is over."""
    return fighter.changed(ap=full_ap(fighter), mp=full_mp(fighter), casts=())


def _other(fighter: Fighter, seen: Fighter, picture: Picture, before: Fighter) -> Fighter:
    """Returns a fighter where it stands, HP and shield as its bars show them.

    Args:
        fighter: the fighter as it is believed to be.
        seen: as it is seen.
        picture: the picture.
        before: as it was before what has happened.
    """
    if fighter.kind != seen.kind:
        return seen
    bar, shield = picture.bars.get(seen.id), picture.shields.get(seen.id)
    changed = fighter.changed(cell=seen.cell, assumed=seen.assumed)
    if bar is not None:
        hp, max_hp = _points(before, bar)
        changed = changed.changed(hp=hp, max_hp=max_hp, eroded=before.eroded + before.max_hp - max_hp)
    if shield is not None and (shield < 1 or fighter.shield < changed.max_hp):
        changed = changed.changed(shield=round(shield * changed.max_hp))
    return changed


def _points(before: Fighter, bar: float) -> tuple[int, int]:
    """Returns the HP and maximum HP that a bar shows, told from those before.

    Lost HP take a share of the maximum with them. Whole numbers that are as the bar is read exactly are
    preferred; of several those whose share lost is nearest to that.
    """
    if before.alive and abs(before.hp / before.max_hp - bar) < _EXACT:
        return before.hp, before.max_hp
    found = []
    for eroded in range(-min(before.eroded, _MOST_ERODED), _MOST_ERODED):
        max_hp = before.max_hp - eroded
        hp = max(1, round(bar * max_hp))
        if max_hp < hp:
            break
        odd = abs(eroded - eroded_by(max(0, before.hp - hp), before.stats.erosion))
        apart = abs(hp / max_hp - bar)
        found.append((apart > _EXACT, odd, apart, hp, max_hp))
    *_, hp, max_hp = min(found)
    return hp, max_hp


def _passed(believed: FightState, picture: Picture) -> list[FightState]:
    """Returns the states after nobody, one, two and so on have ended their turns, which is not seen.

    Then those with each other fighter at turn: whoever was believed to be may not have been.
    """
    states = [believed]
    for _ in believed.order:
        try:
            state = foresee(states[-1], EndTurn())
        except IllegalAction:
            break
        if winner(state) is not None or state.turn > picture.state.turn:
            break
        states.append(state)
    played = {state.actor.id for state in states}
    for place, number in enumerate(believed.order):
        if number not in played and believed.fighter(number).alive:
            states.append(believed.changed(current=place, turn=picture.state.turn))
    return states


def _explained(passed: list[FightState], picture: Picture) -> FightState | None:
    """Returns the state after what explains a picture best, None where nothing does.

    One action is tried before two.

    Args:
        passed: the states in which somebody may have acted, the likeliest first.
        picture: the picture.
    """
    for futures in (_after_one(passed, picture), _after_two(passed[:_PASSED], picture)):
        best, least = None, _LIKELY_ENOUGH
        for unlikely, state in futures:
            unlike = unlikely + _unlike(state, picture)
            if unlike < least:
                best, least = state, unlike
                if unlike < 1:
                    break
        if best is not None:
            return best
    return None


def _retold(believed: FightState, picture: Picture) -> FightState | None:
    """Returns the state after the casts that the log tells of, at the targets that explain a picture best."""
    ways = [(0.0, believed)]
    for line in picture.told or ():
        after = [
            (unlikely + odd, cast)
            for unlikely, state in ways
            for odd, cast in _cast_as_told(state, line, picture)
        ]
        after.sort(key=lambda way: way[0] + _unlike(way[1], picture))
        ways = after[:_WAYS] or ways
    ends = [
        (unlikely + odd + _unlike(end, picture), end)
        for unlikely, state in ways
        for odd, end in _since_then(state, picture)
    ]
    return min(ends, key=lambda way: way[0])[1] if ends else None


def _cast_as_told(state: FightState, line: LogLine, picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields the states after a cast that was told of, each with how odd the way there is."""
    casters = [before for before in _passed(state, picture) if before.actor.kind == line.caster]
    for turns, before in enumerate(casters):
        for odd, stood in ((0.0, before), *_walks(before, picture)):
            for action in legal_actions(stood):
                if isinstance(action, Cast) and action.spell in line.spells:
                    hit = next((f.kind for f in stood.fighters if f.alive and f.cell == action.target), None)
                    if hit == line.target:
                        yield turns + odd, foresee(stood, action)


def _walks(before: FightState, picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields the states after the current actor has walked to where it is seen, where it is not there."""
    if winner(before) is None:
        for _, odd, walked in _acts(before, picture, Move):
            yield 1.0 + odd, walked


def _since_then(state: FightState, picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields the states at the picture's turn, somebody having walked by then or nobody."""
    if winner(state) is not None:
        yield 0.0, state
        return
    for turns, before in enumerate(_passed(state, picture)):
        for odd, walked in ((0.0, before), *_walks(before, picture)):
            after = _at_its_turn(walked, picture)
            if after is not None:
                yield turns + odd, after


def _after_one(passed: list[FightState], picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields states in which nobody or somebody has acted, each with how unlikely it is."""
    for turns, state in enumerate(passed):
        if _at_turn(state, picture):
            yield turns + (0.0 if _unlike(state, picture) < 1 else _NOBODYS_DOING), state
    for turns, before in enumerate(passed):
        for _, odd, acted in _acts(before, picture):
            after = _at_its_turn(acted, picture)
            if after is not None:
                yield turns + 0.5 + odd, after


def _after_two(passed: list[FightState], picture: Picture) -> Iterator[tuple[float, FightState]]:
    """Yields states in which somebody has walked and cast a spell, or cast one and walked."""
    for turns, before in enumerate(passed):
        for walked, odd, between in _acts(before, picture):
            if winner(between) is not None or between.actor.id != before.actor.id:
                continue
            for _, odd_then, acted in _acts(between, picture, Cast if walked else Move):
                after = _at_its_turn(acted, picture)
                if after is not None:
                    yield turns + 2.0 + odd + odd_then, after


def _at_its_turn(state: FightState, picture: Picture) -> FightState | None:
    """Returns the state once it is the turn that a picture shows; None where it never is."""
    for _ in state.order:
        if _at_turn(state, picture):
            return state
        if winner(state) is not None or state.turn > picture.state.turn:
            return None
        state = foresee(state, EndTurn())
    return None


def _at_turn(state: FightState, picture: Picture) -> bool:
    at_turn = state.order[state.current]
    if picture.playing is not None and at_turn != picture.playing:
        return False
    return (at_turn == picture.player) == picture.mine and state.turn == picture.state.turn


def _acts(
    state: FightState, picture: Picture, kinds: type[Cast] | type[Move] | None = None
) -> Iterator[tuple[bool, float, FightState]]:
    """Yields what the current actor may have done: any cast, and the walk to where it is seen.

    Each is told by whether it is a walk, how odd it is, and what comes of it. A walk that the rules refuse is
    odd, but a fighter that is seen elsewhere has come there somehow.

    Args:
        state: the state before.
        picture: what is seen now.
        kinds: casts or walks alone, None for both.
    """
    actor = state.actor
    seen = next((f for f in picture.state.fighters if f.id == actor.id), None)
    walked_to = seen.cell if seen is not None and seen.cell != actor.cell else None
    allowed = False
    if kinds is Move and walked_to is None:
        return
    for action in legal_actions(state):
        if isinstance(action, Move) and action.target != walked_to:
            continue
        if isinstance(action, Cast) and picture.told is not None:
            continue
        if isinstance(action, kinds or Cast | Move):
            allowed |= isinstance(action, Move)
            yield isinstance(action, Move), 0.0, foresee(state, action)
    if (
        kinds is not Cast
        and walked_to is not None
        and not allowed
        and distance(actor.cell, walked_to) <= actor.base_mp + _SPARE_MP
    ):
        there = actor.changed(cell=walked_to, mp=max(0, actor.mp - distance(actor.cell, walked_to)))
        moved = tuple(there if fighter is actor else fighter for fighter in state.fighters)
        yield True, _ODD_WALK, state.changed(fighters=moved)


def _unlike(state: FightState, picture: Picture) -> float:
    """Returns how far a state is from what a picture shows; below 1 it is what it shows."""
    seen = {fighter.id: fighter for fighter in picture.state.fighters}
    total = 0.0
    newcomers = [f for f in picture.state.fighters if all(f.id != other.id for other in state.fighters)]
    for fighter in state.fighters:
        shown = seen.get(fighter.id)
        if shown is None and fighter.alive:
            shown = next((f for f in newcomers if (f.cell, f.kind) == (fighter.cell, fighter.kind)), None)
            if shown is not None:
                newcomers.remove(shown)
        total += _apart(fighter, shown, picture)
    total += _IMPOSSIBLE * len(newcomers)
    if picture.told is not None:
        team = state.fighter(picture.player).team
        traps = [m for m in state.marks if m.kind is MarkKind.TRAP and state.fighter(m.owner).team == team]
        total += _UNLIKELY * _misplaced(traps, picture.traps, picture)
    if picture.glyphs is not None:
        glyphs = [mark for mark in state.marks if mark.kind is MarkKind.GLYPH]
        total += _UNLIKELY * _misplaced(glyphs, picture.glyphs, picture)
    return total


def _misplaced(marks: list[Mark], shown: frozenset[int], picture: Picture) -> float:
    """Returns the share of marked cells that show no mark, or of those that show one and have none.

    A fighter hides the marks that it stands on or before.
    """
    laid = {cell for mark in marks for cell in mark.cells}
    missing = {
        cell for cell in laid - shown if all(distance(cell, f.cell) > _HIDES for f in picture.state.fighters)
    }
    return (len(missing) + len(shown - laid)) / max(1, len(laid | shown))


def _apart(fighter: Fighter, shown: Fighter | None, picture: Picture) -> float:
    """Returns how far one fighter is from how it is shown, `shown` being None for one that is not there."""
    if shown is None:
        return 0.0 if not fighter.alive or fighter.has(State.INVISIBLE) else min(_UNLIKELY, fighter.hp)
    if not fighter.alive:
        bar = picture.bars.get(shown.id)
        return _UNLIKELY if bar is None or bar > 0.3 else 10.0
    total = 0.0 if fighter.cell == shown.cell else _IMPOSSIBLE
    if fighter.id == picture.player:
        exact = (fighter.ap == shown.ap) + (fighter.mp == shown.mp)
        cooling = picture.mine and {key for key, left in fighter.cooldowns if left} != {
            key for key, left in shown.cooldowns if left
        }
        total += _IMPOSSIBLE / 2 * (2 - exact) + _UNLIKELY * cooling
        if picture.mine:
            closed = {spell.key: unavailable(fighter, spell) is not None for spell in fighter.spells}
            total += _GREYED * sum(closed.get(key) is usable for key, usable in picture.usable.items())
        if picture.shield is not None:
            total += _hp_apart(abs(fighter.shield - picture.shield))
        return total + _hp_apart(abs(fighter.hp - shown.hp))
    bar, shield = picture.bars.get(shown.id), picture.shields.get(shown.id)
    if shield is not None and shield < 1:
        total += _hp_apart(abs(fighter.shield - shield * fighter.max_hp))
    if bar is None:
        return total
    gap = abs(fighter.hp / fighter.max_hp - bar)
    return total if gap < _NOTABLE else total + _hp_apart(gap * fighter.max_hp)


def _hp_apart(gap: float) -> float:
    """Returns how unlikely it is that dice made a difference of so many HP."""
    return 0.0 if gap < 1 else 1.0 + min(_UNLIKELY, _UNLIKELY * gap / _FEW_HP)


def _renamed(state: FightState, picture: Picture) -> FightState:
    """Returns the state with the ids that the pictures have for those it says were called."""
    known = {fighter.id for fighter in picture.state.fighters}
    new = {
        fighter.id: shown.id
        for fighter in state.fighters
        if fighter.id not in known and fighter.alive
        for shown in picture.state.fighters
        if all(shown.id != other.id for other in state.fighters)
        and (shown.cell, shown.kind) == (fighter.cell, fighter.kind)
    }
    if not new:
        return state
    fighters = tuple(
        f.changed(
            id=new.get(f.id, f.id),
            summoner=None if f.summoner is None else new.get(f.summoner, f.summoner),
            buffs=tuple(replace(buff, caster=new.get(buff.caster, buff.caster)) for buff in f.buffs),
        )
        for f in state.fighters
    )
    marks = tuple(replace(mark, owner=new.get(mark.owner, mark.owner)) for mark in state.marks)
    order = tuple(new.get(number, number) for number in state.order)
    return state.changed(fighters=fighters, order=order, marks=marks)

"""What a log in words tells is put into the round in which it happened, at the place where it happened."""

from dataclasses import replace

import pytest
from flawless import view_of
from test_tracking_belief import line_of, picture_of, traceless_case

from botapp.arena.scenarios import adventure, team
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.rules import apply_expected, legal_actions
from botapp.fight.state import CellFlag, FightState, Mark, MarkKind
from botapp.tracking.belief import follow
from botapp.tracking.ground_marks import put_right
from botapp.tracking.inference import costed
from botapp.tracking.picture import News
from botapp.tracking.state_tracker import StateTracker
from botapp.tracking.takeover import hp_by_bar
from vision.view import ChronicleLine, FightView, Phase, Seen


def _view(state: FightState, at_s: float, log=None, past=None, whole=False, told=0):
    view = replace(view_of(state, 0), fighters_shown=Seen(sum(f.alive for f in state.fighters), 1.0))
    return replace(
        view, log=log, log_past=past, log_round=whole, log_told=told, captured_ns=round(at_s * 1e9)
    )


@pytest.mark.slow
@pytest.mark.parametrize("whole", (True, False))
def test_a_log_just_found_tells_of_a_round_that_was_watched_from_its_opening(whole: bool) -> None:
    """Only where the line that opens the round stands before its casts is none of them missing."""
    state, cast = traceless_case()
    after, line = apply_expected(state, cast), replace(line_of(state, cast), aimed=False)
    tracker = StateTracker()
    for at_s in (0.0, 0.1):
        tracker.situate(_view(state, at_s))
    for at_s in (1.0, 1.1, 2.0):
        found = tracker.situate(_view(after, at_s, (), (line,), whole)).situation
    kind = state.actor.kind
    caster = next(f for f in found.memory.believed.fighters if f.kind == kind and f.cell == state.actor.cell)
    assert bool(caster.casts) is whole
    if whole:
        assert [key for key, _ in caster.cooldowns] == [key for key, _ in after.actor.cooldowns]
        assert caster.ap == after.actor.ap


def test_a_cast_that_is_told_again_and_again_is_counted() -> None:
    """The last sixteen lines of a fight that goes on alike look the same after four more casts."""
    state = team(5, 2)
    lines = (ChronicleLine(False, "x", frozenset({"a"})), ChronicleLine(True, "x", frozenset({"b"}))) * 8
    tracker = StateTracker()
    tracker.situate(_view(state, 0.0, lines, told=40))
    assert tracker.situate(_view(state, 1.0, lines, told=40)).situation.memory.log.cast_ns is None
    assert tracker.situate(_view(state, 2.0, lines, told=44)).situation.memory.log.cast_ns == 2_000_000_000


def test_casts_of_a_round_are_over_when_rounds_went_by_unseen() -> None:
    state = team(5, 2)
    while state.actor.id != 0:
        state = apply_expected(state, EndTurn())
    own = state.actor.changed(
        casts=((state.actor.spells[0].key, 1),), cooldowns=((state.actor.spells[1].key, 4),)
    )
    state = state.changed(fighters=tuple(own if f.id == 0 else f for f in state.fighters))
    later = state
    while later.turn < state.turn + 2 or later.actor.id == 0:
        later = apply_expected(later, EndTurn())
    believed = follow(state, picture_of(later))
    assert (believed.turn, believed.actor.id) == (later.turn, later.actor.id)
    assert believed.fighter(0).casts == ()
    assert believed.fighter(0).cooldowns == later.fighter(0).cooldowns


def test_the_players_own_turn_seldom_goes_by_unseen() -> None:
    state = team(5, 2)
    while state.order[(state.current + 1) % len(state.order)] != 0:
        state = apply_expected(state, EndTurn())
    later = state
    for _ in range(2):
        later = apply_expected(later, EndTurn())
    costs = [cost for cost, _ in costed(state, picture_of(later))]
    assert costs[1] - costs[0] == 1 and costs[2] - costs[1] > 15


def walked_cast_and_walked_on():
    """A state, the cell walked to, the cast made there, and the state after a walk on from it.

    From where it began and from where it ends the caster can cast the same spell too.
    """
    for seed in range(40):
        state = team(seed, 2)
        while state.actor.id == 0:
            state = apply_expected(state, EndTurn())
        for walk in legal_actions(state):
            if not isinstance(walk, Move) or distance(state.actor.cell, walk.target) != 2:
                continue
            there = apply_expected(state, walk)
            for cast in legal_actions(there):
                if not isinstance(cast, Cast) or all(f.cell != cast.target for f in there.fighters):
                    continue
                done = apply_expected(there, cast)
                spells = {a.spell for a in legal_actions(state) if isinstance(a, Cast)}
                reached = [f.id for f in there.fighters if f.alive and f.hp != done.fighter(f.id).hp]
                aims = {(a.spell, a.target) for a in legal_actions(state) if isinstance(a, Cast)}
                if cast.spell not in spells or (cast.spell, cast.target) in aims or not reached:
                    continue
                for on in legal_actions(done):
                    if isinstance(on, Move) and distance(on.target, state.actor.cell) >= 3:
                        after = apply_expected(done, on)
                        here = {(a.spell, a.target) for a in legal_actions(after) if isinstance(a, Cast)}
                        if (cast.spell, cast.target) not in here:
                            yield state, walk.target, cast, after


def test_a_cast_was_made_where_the_caster_was_seen_to_stand() -> None:
    tried = 0
    for (state, cell, cast, after), _ in zip(walked_cast_and_walked_on(), range(6), strict=False):
        line = replace(line_of(state, cast), aimed=False, target=None)
        picture = replace(picture_of(after), news=News((line,), stood=((state.actor.id, cell),), logged=True))
        believed = follow(state, picture)
        known, true = believed.fighter(state.actor.id), after.fighter(state.actor.id)
        assert (known.cell, known.mp, known.casts) == (true.cell, true.mp, true.casts)
        assert [f.hp for f in believed.fighters] == [f.hp for f in after.fighters]
        tried += 1
    assert tried >= 3


def test_hits_take_their_shares_of_the_maximum_one_by_one() -> None:
    before = next(iter(team(5, 2).fighters)).changed(hp=405, max_hp=405, eroded=0)
    twice, once = before.changed(hp=363, max_hp=402, eroded=3), before.changed(hp=363, max_hp=401, eroded=4)
    assert hp_by_bar(before, twice, 0.897933) == (361, 402)
    assert hp_by_bar(before, once, 0.897756) == (360, 401)


def _marked(kind: MarkKind, shape, state: FightState, owner: int):
    """Returns a mark at two cells on free floor, far from everybody, with all its cells on the floor."""
    from botapp.fight.board import to_cell, to_xy

    def cells(centre: int):
        x, y = to_xy(centre)
        return tuple(sorted(c for c in (to_cell(x + dx, y + dy) for dx, dy in shape) if c is not None))

    board = state.map.cells
    fitting = [
        centre
        for centre in range(560)
        if len(cells(centre)) == len(shape)
        and all(board[c] & CellFlag.WALKABLE for c in cells(centre))
        and min(distance(c, f.cell) for c in cells(centre) for f in state.fighters) > 2
    ]
    wrong, right = next(
        (a, b)
        for a in fitting
        for b in fitting
        if 3 <= distance(a, b) <= 6 and not set(cells(a)) & set(cells(b))
    )
    made = Mark(kind, owner, wrong, cells(wrong), 2, (), "")
    return made, replace(made, cell=right, cells=cells(right))


CROSS = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))


@pytest.mark.parametrize(
    ("kind", "shape", "moves"),
    [
        (MarkKind.TRAP, ((0, 0),), True),
        (MarkKind.GLYPH, CROSS, True),
        (MarkKind.GLYPH, ((0, 0), (1, 0), (2, 0)), False),
    ],
)
def test_a_mark_is_put_where_its_signs_are_seen(kind, shape, moves) -> None:
    """A row of cells could lie in several ways, so it stays."""
    state = team(5, 2)
    owner = next(f.id for f in state.fighters if f.team == state.fighter(0).team)
    guess, true = _marked(kind, shape, state, owner)
    state = state.changed(marks=(guess,))
    signs = frozenset(true.cells)
    if kind is MarkKind.TRAP:
        picture = picture_of(state, traps=signs)
    else:
        picture = picture_of(state, glyphs=signs, own_glyphs=signs)
    assert put_right(state, picture) == ((true,) if moves else (guess,))
    assert put_right(state, picture_of(state)) == (guess,)
    two = state.changed(marks=(guess, true))
    both = frozenset((*guess.cells, *true.cells))
    seen = (
        picture_of(two, traps=both)
        if kind is MarkKind.TRAP
        else picture_of(two, glyphs=both, own_glyphs=both)
    )
    assert put_right(two, seen) == (guess, true)


def test_a_glyph_of_the_other_side_is_no_sign_of_an_own_one() -> None:
    state = team(5, 2)
    team_of = {f.id: f.team for f in state.fighters}
    own = next(i for i in team_of if team_of[i] == team_of[0])
    other = next(i for i in team_of if team_of[i] != team_of[0])
    guess, true = _marked(MarkKind.GLYPH, CROSS, state, own)
    theirs = replace(true, owner=other)
    state = state.changed(marks=(theirs, guess))
    signs = frozenset(true.cells)
    assert put_right(state, picture_of(state, glyphs=signs, own_glyphs=signs)) == (theirs, true)


def _of_next_fight(state: FightState) -> FightState:
    """Returns a fight of the same fighters on the same board: all unhurt, nothing cast, others' cells."""
    places = [f.cell for f in state.fighters if f.alive]
    free = [c for c in range(560) if state.map.cells[c] & CellFlag.WALKABLE and c not in places]
    fighters = tuple(
        f.changed(cell=free[-1 - 5 * n], hp=f.max_hp + f.eroded, max_hp=f.max_hp + f.eroded, eroded=0,
                  buffs=(), casts=(), cooldowns=())
        for n, f in enumerate(state.fighters)
    )  # fmt: skip
    return state.changed(fighters=fighters, marks=(), turn=1)


@pytest.mark.slow
@pytest.mark.parametrize("number", (Seen(1, 1.0), Seen()), ids=("first round", "round unread"))
@pytest.mark.parametrize("covered", (0, 1, 30))
def test_a_window_over_the_end_of_a_fight_leaves_nothing_of_it_in_the_next(number, covered: int) -> None:
    """Neither result nor placement is seen, on the same map, against the same enemies."""
    state, cast = traceless_case()
    hurt = tuple(f.changed(hp=f.hp - 30 - f.id) for f in state.fighters)
    state = state.changed(fighters=hurt, turn=1)
    tracker, at_s = StateTracker(), 0.0
    line = replace(line_of(state, cast), aimed=False)
    after = apply_expected(state, cast)
    for shown, log in ((state, ()), (state, ()), (after, (line,)), (after, (line,)), (after, (line,))):
        tracker.situate(replace(_view(shown, at_s, log), turn_number=number))
        at_s += 0.5
    believed = tracker.situation.memory.believed
    assert any(f.casts or f.buffs or f.cooldowns for f in believed.fighters if f.id != 0)
    for _ in range(covered):
        hidden = FightView(phase=Seen(Phase.UNKNOWN, 0.5), captured_ns=round(at_s * 1e9))
        tracker.situate(hidden)
        at_s += 0.1
    new = _of_next_fight(after)
    while new.actor.id != 0:
        new = new.changed(current=(new.current + 1) % len(new.order))
    for _ in range(8):
        found = tracker.situate(replace(_view(new, at_s, (line,)), turn_number=number))
        at_s += 0.1
    assert found.state is not None and found.state.turn == 1
    for fighter in found.state.fighters:
        if fighter.alive:
            initial = {s.key for s in fighter.spells if s.initial_cooldown}
            assert not fighter.buffs and not fighter.casts
            assert {key for key, _ in fighter.cooldowns} <= initial
    assert sorted(f.cell for f in found.state.fighters if f.alive) == sorted(f.cell for f in new.fighters)


def test_a_spell_that_is_grey_for_a_state_was_not_cast() -> None:
    """Skyfall needs a state that only another spell gives; as a turn begins nothing has been cast."""
    state = adventure(1521, "gale")
    while state.actor.id != 0:
        state = apply_expected(state, EndTurn())
    view = view_of(state, 0)
    slots = {spell.key: slot for spell, slot in zip(state.actor.spells, view.spells, strict=True)}
    assert slots["skyfall"].usable.value is False
    found = StateTracker().situate(replace(view, captured_ns=1)).situation
    assert found.state is not None and found.state.actor.casts == ()


def test_a_spell_that_is_grey_without_another_reason_was_cast() -> None:
    state = adventure(1521, "gale")
    while state.actor.id != 0:
        state = apply_expected(state, EndTurn())
    view = view_of(state, 0)
    grey = tuple(
        replace(slot, usable=Seen(False, 1.0), cooldown=Seen(0, 1.0)) if spell.casts_per_turn == 1 else slot
        for spell, slot in zip(state.actor.spells, view.spells, strict=True)
    )
    once = {s.key for s in state.actor.spells if s.casts_per_turn == 1 and not s.required_states}
    found = StateTracker().situate(replace(view, spells=grey, captured_ns=1)).situation
    assert found.state is not None and {key for key, _ in found.state.actor.casts} == once

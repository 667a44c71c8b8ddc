from dataclasses import replace

from flawless import view_of
from test_tracking_situation import book_of, own_turn

from botapp.fight.spells import EffectKind
from botapp.tracking.fight_log import casts_since
from botapp.tracking.identity import identified
from botapp.tracking.settling import STOOD_NS
from botapp.tracking.state_tracker import StateTracker
from vision.view import ChronicleLine, Seen, SpellSlot


def unread(view):
    """The same view with a spell bar that cannot be read."""
    return replace(view, spells=tuple(SpellSlot(slot.index) for slot in view.spells))


def after_cast(state, spell, target, damage=20):
    player = replace(state.actor, ap=state.actor.ap - spell.ap)
    hurt = replace(target, hp=target.hp - damage)
    changed = {player.id: player, hurt.id: hurt}
    return replace(state, fighters=tuple(changed.get(f.id, f) for f in state.fighters))


def hurting_spell(state, **wanted):
    return next(
        s
        for s in state.actor.spells
        if any(e.kind is EffectKind.DAMAGE or e.kind is EffectKind.STEAL for e in s.effects)
        and all(bool(getattr(s, name)) == value for name, value in wanted.items())
    )


class Turn:
    """The player's turn, a spell that hurts, an enemy to cast it at, and a tracker that has seen the turn."""

    def __init__(self):
        self.state, self.tracker = own_turn(2), StateTracker()
        self.spell = hurting_spell(self.state)
        self.target = next(f for f in self.state.fighters if f.team != self.state.actor.team and f.hp > 0)
        self.first = self.see(self.state)

    def see(self, state, **changes):
        return self.tracker.situate(replace(unread(view_of(state, 0)), **changes)).situation

    def cast(self, damage=20):
        return self.see(after_cast(self.state, self.spell, self.target, damage)).state


def test_fighters_keep_their_ids_when_they_walk_and_when_others_fall():
    state = own_turn(2)
    view = view_of(state, 0)
    first = identified(view)
    memory = StateTracker().situate(view).situation.memory
    moved = tuple(replace(e, cell=e.cell + 14) for e in reversed(view.enemies))
    second = identified(replace(view, enemies=moved), memory.sightings, memory.believed)
    assert [(s.id, s.kind) for s in second] == [(s.id, s.kind) for s in first]
    if len(moved) > 1:
        left = identified(replace(view, enemies=moved[:1]), memory.sightings, memory.believed)
        assert left[0].id == next(s.id for s in second if s.cell == moved[0].cell)


def test_what_was_known_of_a_fighter_fills_what_is_not_seen_now():
    state = own_turn(2)
    view = view_of(state, 0)
    memory = StateTracker().situate(view).situation.memory
    dim = tuple(replace(e, kind=Seen(), hp_fraction=Seen(), cell=None) for e in view.enemies[:1])
    found = identified(replace(view, enemies=dim), memory.sightings, memory.believed)[0]
    before = next(s for s in memory.sightings if s.id == found.id)
    assert (found.kind, found.cell, found.hp_fraction) == (before.kind, before.cell, before.hp_fraction)


def test_a_cast_is_inferred_from_lost_ap_and_from_who_was_hurt():
    turn = Turn()
    assert turn.first.state.actor.casts == ()
    same_cost = {s.key for s in book_of(turn.state).spells if s.ap == turn.spell.ap}
    after = turn.cast()
    known_target = next(f.id for f in after.fighters if f.cell == turn.target.cell)
    assert (turn.spell.key, known_target) in after.actor.casts
    assert {key for key, _ in after.actor.casts} <= same_cost


def test_the_target_may_show_a_frame_later():
    turn = Turn()
    assert (turn.spell.key, -1) in turn.cast(damage=0).actor.casts
    casts = turn.cast().actor.casts
    assert (turn.spell.key, -1) not in casts and turn.spell.key in dict(casts)


def test_cooldowns_are_counted_where_the_bar_cannot_be_read():
    for seed in range(0, 12, 2):
        state = own_turn(seed)
        book = book_of(state)
        spell = next((s for s in book.spells if s.cooldown > 1 and s.ap <= state.actor.ap), None)
        if spell is not None:
            break
    cast = replace(state.actor, ap=state.actor.ap - spell.ap)
    spent = replace(state, fighters=tuple(cast if f.id == 0 else f for f in state.fighters))
    tracker = StateTracker()
    tracker.situate(unread(view_of(state, 0)))
    after = tracker.situate(unread(view_of(spent, 0))).situation
    assert dict(after.state.actor.cooldowns)[spell.key] == spell.cooldown
    later = tracker.situate(unread(view_of(replace(state, turn=state.turn + 1), 0))).situation
    assert dict(later.state.actor.cooldowns)[spell.key] == spell.cooldown - 1
    much_later = replace(state, turn=state.turn + spell.cooldown)
    ready = tracker.situate(unread(view_of(much_later, 0))).situation
    assert spell.key not in dict(ready.state.actor.cooldowns)


def test_a_new_turn_forgets_the_casts():
    turn = Turn()
    assert turn.cast().actor.casts
    turn.see(turn.state, turn=Seen("other", 1.0))
    assert turn.see(replace(turn.state, turn=turn.state.turn + 1)).state.actor.casts == ()


def test_walking_out_of_a_grip_is_not_taken_for_a_cast():
    state = own_turn(2)
    tracker = StateTracker()
    tracker.situate(unread(view_of(state, 0)))
    view = view_of(state, 0)
    cell = next(c for c in sorted(view.highlights["reachable"]))
    spell = hurting_spell(state)
    moved = replace(state.actor, cell=cell, ap=state.actor.ap - spell.ap)
    walked = replace(state, fighters=tuple(moved if f.id == 0 else f for f in state.fighters))
    view = unread(view_of(walked, 0))
    assert tracker.situate(view).situation.settling  # it may still be walking
    after = tracker.situate(replace(view, captured_ns=view.captured_ns + STOOD_NS)).situation
    assert after.state.actor.casts == ()


def test_an_earlier_round_is_a_new_fight():
    state = own_turn(2)
    tracker = StateTracker()
    tracker.situate(view_of(replace(state, turn=9), 0))
    again = tracker.situate(replace(view_of(state, 0), turn_number=Seen(1, 1.0))).situation
    assert again.state.turn == 1
    assert again.memory.own.number == 1


def test_the_log_tells_of_the_casts_that_were_not_there_before():
    first, zap = ChronicleLine(False), frozenset({"zap"})
    cast, again = ChronicleLine(True, "wisp", zap, "boar"), ChronicleLine(False, "wisp", zap, "boar")
    assert casts_since(None, (first, cast)) == ()
    assert casts_since((first, cast), None) == ()
    assert casts_since((first, cast), (first, cast)) == ()
    assert casts_since((first,), (first, cast, again)) == (cast, again)
    assert casts_since((cast, again, cast, again), (again, cast, again, cast)) == (cast,)
    assert casts_since((first, cast), (ChronicleLine(False), ChronicleLine(True))) == ()

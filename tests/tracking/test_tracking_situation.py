from dataclasses import replace

import numpy as np
import pytest
from flawless import view_of
from own_turns import book_of, own_turn, situation_of

from botapp.advisor.search_stage import search_state
from botapp.arena.scenarios import adventure, team
from botapp.content.library import classes, monsters
from botapp.fight.board import distance
from botapp.fight.rules import legal_actions
from botapp.fight.spells import EffectKind
from botapp.tracking.bestiary import PRIOR_FACTS, Bestiary, known, prior
from botapp.tracking.situation import NOT_MY_TURN, build
from botapp.tracking.spellbook import preset, presets
from vision.view import CellKind, FightView, Phase, Seen, SpellSlot


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(7))
def test_a_flawless_view_gives_back_the_state_and_its_legal_actions(seed, bestiary):
    state = own_turn(seed, 3 * seed)
    situation = situation_of(state, bestiary)
    assert situation.withheld == ""
    assert situation.assumed == ()
    assert situation.confidence == 1.0
    rebuilt = situation.state
    assert rebuilt is situation.picture
    player, actor = state.fighter(0), rebuilt.actor
    for name in ("kind", "cell", "hp", "max_hp", "ap", "mp", "spells", "stats"):
        assert getattr(actor, name) == getattr(player, name)
    assert dict(actor.cooldowns) == dict(player.cooldowns)
    enemies = {f.cell: f for f in rebuilt.fighters if f.team != actor.team}
    for enemy in state.fighters:
        if enemy.hp > 0 and enemy.team != player.team:
            assert enemies[enemy.cell].kind == enemy.kind
            assert enemies[enemy.cell].assumed == frozenset()
    assert set(legal_actions(rebuilt)) == set(legal_actions(state))
    assert search_state(rebuilt).candidates


WITHHELD = {
    "phase unknown": (
        {"phase": Seen(Phase.UNKNOWN, 0.2), "reason": "The HUD is hidden."},
        "The HUD is hidden.",
    ),
    "phase missing": ({"phase": Seen()}, "No fight can be read from the screen."),
    "no fight": ({"phase": Seen(Phase.NOT_FIGHT, 1.0)}, "There is no fight on the screen."),
    "placement": ({"phase": Seen(Phase.PLACEMENT, 1.0)}, "The fight has not begun"),
    "board unsure": ({"cell_confidence": 0.3}, "The board cannot be read"),
    "board unseen": ({"cells": np.zeros(560, np.uint8)}, "The board cannot be read"),
    "player missing": ({"player": None}, "Your own fighter cannot be found"),
    "hp missing": ({"hp": Seen()}, "Your HP cannot be read."),
    "ap missing": ({"ap": Seen()}, "Your AP cannot be read."),
    "turn missing": ({"turn": Seen()}, "It cannot be read whose turn it is."),
    "no enemy": ({"enemies": ()}, "No enemy can be found"),
}


@pytest.mark.parametrize(("changes", "reason"), WITHHELD.values(), ids=WITHHELD.keys())
def test_what_the_advice_stands_on_is_never_guessed(changes, reason, bestiary):
    situation = situation_of(own_turn(), bestiary, **changes)
    assert situation.state is None
    assert situation.withheld.startswith(reason)
    assert not situation.not_my_turn


def test_a_player_without_a_cell_withholds_the_advice(bestiary):
    view = view_of(own_turn(), 0)
    situation = build(replace(view, player=replace(view.player, cell=None)), book_of(own_turn()), bestiary)
    assert situation.state is None
    assert "own fighter" in situation.withheld


def test_the_others_turn_is_a_case_of_its_own_and_still_has_a_picture(bestiary):
    situation = situation_of(own_turn(), bestiary, turn=Seen("other", 1.0))
    assert situation.state is None
    assert situation.withheld == NOT_MY_TURN
    assert situation.not_my_turn
    assert situation.my_turn is False
    assert situation.picture.fighters[0].id == 0
    assert situation.picture.actor.team == 1


def test_missing_maximum_hp_is_taken_from_the_spellbook_and_named(bestiary):
    state = own_turn()
    situation = situation_of(state, bestiary, max_hp=Seen())
    assert situation.state.actor.max_hp == book_of(state).max_hp
    assert "max_hp" in situation.state.actor.assumed
    again = situation_of(state, bestiary, situation_of(state, bestiary), max_hp=Seen())
    assert "max_hp" not in again.state.actor.assumed


def test_an_unknown_kind_gets_the_prior_of_the_players_level_and_is_named(bestiary):
    view = view_of(own_turn(), 0)
    stranger = replace(view.enemies[0], kind=Seen("griffin", 0.9), hp_fraction=Seen())
    situation = build(replace(view, enemies=(stranger,)), book_of(own_turn()), bestiary)
    enemy = situation.state.fighters[1]
    guess = prior(book_of(own_turn()).level, "griffin")
    assert enemy.kind == "griffin"
    assert enemy.max_hp == enemy.hp == guess.max_hp
    assert enemy.assumed >= PRIOR_FACTS | {"hp"}
    assert any("Griffin" in words for words in situation.assumed)
    nameless = replace(stranger, kind=Seen())
    situation = build(replace(view, enemies=(nameless,)), book_of(own_turn()), bestiary)
    assert "kind" in situation.state.fighters[1].assumed


def test_no_advice_while_the_timeline_shows_somebody_whom_no_picture_has_shown(bestiary):
    state = own_turn(0)
    view, book = view_of(state, 0), book_of(state)
    more = replace(view, fighters_shown=Seen(len(state.fighters) + 1, 0.9))
    assert "out of sight" in build(more, book, bestiary).withheld
    assert (
        build(replace(view, fighters_shown=Seen(len(state.fighters), 0.9)), book, bestiary).state is not None
    )


def test_an_enemy_not_seen_before_on_the_cell_that_the_player_has_left_is_no_player(bestiary):
    state = own_turn(0)
    view, book = view_of(state, 0), book_of(state)
    view = replace(view, turn=Seen("mine", 1.0), highlights={}, fighters_shown=Seen())
    first = build(view, book, bestiary)
    left = view.player.cell
    free = [c for c in range(560) if view.cells[c] == CellKind.WALKABLE]
    taken = {left, *(enemy.cell for enemy in view.enemies)}
    moved = replace(view.player, cell=min(set(free) - taken, key=lambda cell: distance(cell, left)))
    newcomer = replace(view.enemies[0], cell=left)
    after = build(replace(view, player=moved, enemies=(*view.enemies, newcomer)), book, bestiary, first)
    assert {sighting.cell for sighting in after.memory.sightings if sighting.id} >= {left}
    again = build(replace(view, player=moved), book, bestiary, after)
    assert again.withheld == ""
    assert again.state.fighter(0).cell == moved.cell


def test_who_was_on_the_timeline_while_places_were_chosen_is_missed_in_the_fight(bestiary):
    state = own_turn(0)
    view, book = view_of(state, 0), book_of(state)
    starts = {"red_start": frozenset({10, 12, 40}), "blue_start": frozenset({500, 502, 530})}
    placing = replace(view, phase=Seen(Phase.PLACEMENT, 0.9), turn=Seen(), highlights=starts)
    unseen = replace(view, fighters_shown=Seen())
    for shown, held_back in ((len(state.fighters) + 1, True), (len(state.fighters), False)):
        before = build(replace(placing, fighters_shown=Seen(shown, 0.9)), book, bestiary)
        assert ("out of sight" in build(unseen, book, bestiary, before).withheld) == held_back


def test_who_is_gone_while_the_timeline_is_covered_may_be_hidden_or_dead(bestiary):
    state = next(s for s in (adventure(seed, "ember") for seed in range(60)) if len(s.fighters) > 2)
    view, book = view_of(replace(state, current=state.order.index(0)), 0), book_of(state)
    view = replace(view, turn=Seen("mine", 1.0), highlights={})
    there = build(replace(view, fighters_shown=Seen(len(state.fighters), 0.9)), book, bestiary)
    fewer = replace(view, enemies=view.enemies[1:])
    assert there.state is not None
    assert "out of sight" in build(replace(fewer, fighters_shown=Seen()), book, bestiary, there).withheld
    told = build(replace(fewer, fighters_shown=Seen(len(state.fighters) - 1, 0.9)), book, bestiary, there)
    assert told.state is not None


def test_the_spell_bar_decides_what_can_be_cast(bestiary):
    state = own_turn()
    book = book_of(state)
    greyed = tuple(SpellSlot(i, Seen(False, 1.0), Seen(0, 1.0)) for i in range(len(book.spells)))
    situation = situation_of(state, bestiary, spells=greyed)
    assert not [a for a in legal_actions(situation.state) if hasattr(a, "spell")]
    cooling = tuple(SpellSlot(i, Seen(False, 1.0), Seen(2, 1.0)) for i in range(len(book.spells)))
    situation = situation_of(state, bestiary, spells=cooling)
    assert dict(situation.state.actor.cooldowns) == {s.key: 2 for s in book.spells}
    unread = tuple(SpellSlot(i, Seen(False, 1.0), Seen()) for i in range(len(book.spells)))
    situation = situation_of(state, bestiary, spells=unread)
    assert not [a for a in legal_actions(situation.state) if hasattr(a, "spell")]
    open_bar = tuple(SpellSlot(i, Seen(True, 1.0), Seen()) for i in range(len(book.spells)))
    situation = situation_of(state, bestiary, spells=open_bar)
    assert situation.state.actor.cooldowns == ()


def test_without_the_spell_bar_it_is_said_that_cooldowns_are_not_known(bestiary):
    state = own_turn()
    assert any("cast now" in fact for fact in situation_of(state, bestiary, spells=()).assumed)
    assert not any("cast now" in fact for fact in situation_of(state, bestiary).assumed)


def test_hidden_cells_are_as_remembered_and_fighters_stand_on_floor(bestiary):
    state = own_turn(0)
    first = situation_of(state, bestiary)
    view = view_of(state, 0)
    cells = view.cells.copy()
    hidden = np.nonzero(cells == CellKind.WALKABLE)[0][:30]
    cells[hidden] = CellKind.UNKNOWN
    cells[view.player.cell] = CellKind.UNKNOWN
    again = build(replace(view, cells=cells), book_of(state), bestiary, first)
    assert again.state.map.cells == first.state.map.cells
    fresh = build(replace(view, cells=cells), book_of(state), bestiary)
    assert fresh.picture.map.cells[view.player.cell] == 3
    assert fresh.picture.map.cells[hidden[0]] == 0 or hidden[0] in {f.cell for f in state.fighters}


@pytest.mark.parametrize(
    ("was", "looks", "seconds"),
    [(CellKind.WALKABLE, CellKind.OUTSIDE, 1.0), (CellKind.OBSTACLE, CellKind.WALKABLE, 0.25)],
)
def test_what_a_number_covers_as_it_rises_is_what_it_was(was, looks, seconds, bestiary):
    state = own_turn(2)
    view = replace(view_of(state, 0), captured_ns=1)
    taken = {fighter.cell for fighter in (view.player, *view.allies, *view.enemies)}
    cell = next(cell for cell in range(560) if view.cells[cell] == was and cell not in taken)
    book, flags = book_of(state), []
    cells = view.cells.copy()
    cells[cell] = looks
    situation = None
    for after_s, shown in [(0, view.cells), (1, cells), (1 + 0.9 * seconds, cells), (1 + seconds, cells)]:
        then = replace(view, cells=shown, captured_ns=1 + round(after_s * 1e9))
        situation = build(then, book, bestiary, situation)
        flags.append(bool(situation.memory.ground.cells[cell] & 1))
    assert flags == [was is CellKind.WALKABLE] * 3 + [looks is CellKind.WALKABLE]


def test_another_board_is_another_fight(bestiary):
    first = situation_of(own_turn(0), bestiary)
    other = own_turn(6)
    there = situation_of(other, bestiary, first)
    assert there.state == situation_of(other, bestiary).state
    assert there.memory.fight == first.memory.fight + 1


def test_a_board_that_looks_otherwise_behind_a_window_is_the_same_fight_while_the_others_stand(bestiary):
    state = own_turn(0)
    assert len(state.fighters) == 3
    first = situation_of(state, bestiary)
    view = view_of(state, 0)
    cells = view.cells.copy()
    standing = {f.cell for f in state.fighters}
    floor = [cell for cell in np.flatnonzero(cells == CellKind.WALKABLE).tolist() if cell not in standing]
    cells[floor[: len(floor) // 3]] = CellKind.OUTSIDE
    covered = replace(view, cells=cells)
    here = build(covered, book_of(state), bestiary, first)
    assert not first.memory.ground.is_same(build(covered, book_of(state), bestiary).memory.ground.cells)
    assert here.memory.fight == first.memory.fight and here.memory.ground.cells == first.memory.ground.cells
    alone = replace(covered, enemies=(), allies=(), fighters_shown=Seen(len(state.fighters), 0.9))
    assert build(alone, book_of(state), bestiary, first).memory.fight == first.memory.fight + 1


def test_with_a_card_less_and_two_out_of_sight_it_is_not_known_who_is_dead(bestiary):
    state = own_turn(0)
    taken = {fighter.cell for fighter in state.fighters}
    free = next(cell for cell in range(280, 560) if state.map.cells[cell] == 3 and cell not in taken)
    third = state.fighters[-1].changed(id=9, cell=free)
    state = state.changed(fighters=(*state.fighters, third), order=(*state.order, 9))
    first = situation_of(state, bestiary, fighters_shown=Seen(4, 0.9))
    seen = view_of(state, 0).enemies[:1]
    hidden = situation_of(state, bestiary, first, enemies=seen, fighters_shown=Seen(4, 0.9))
    assert first.state is not None and hidden.state is not None
    fallen = situation_of(state, bestiary, first, enemies=seen, fighters_shown=Seen(3, 0.9))
    assert fallen.state is None and "out of sight" in fallen.withheld


def test_leaving_the_fight_clears_the_memory(bestiary):
    first = situation_of(own_turn(), bestiary)
    assert first.memory.ground.cells
    left = build(FightView(phase=Seen(Phase.NOT_FIGHT, 1.0)), book_of(own_turn()), bestiary, first)
    assert not left.memory.ground.cells
    assert left.memory.fight == first.memory.fight + 1
    still = build(FightView(phase=Seen(Phase.NOT_FIGHT, 1.0)), book_of(own_turn()), bestiary, left)
    assert still.memory.fight == left.memory.fight
    blind = build(FightView(), book_of(own_turn()), bestiary, first)
    assert blind.memory == first.memory


def test_every_class_has_a_spellbook_in_the_order_of_the_bar():
    assert presets() == tuple(classes())
    for key, template in classes().items():
        book = preset(key)
        assert book.spells == template.spells
        assert (book.base_ap, book.base_mp, book.max_hp) == (template.ap, template.mp, template.hp)
    with pytest.raises(ValueError, match="no class 'wizard'; choose one of"):
        preset("wizard")


def test_the_bestiary_knows_the_arenas_kinds_and_assumes_the_rest(bestiary):
    assert len(bestiary) == len(classes()) + len(monsters())
    some = next(iter(monsters().values()))
    assert bestiary.find(some.kind) == known(some)
    assert bestiary.find(some.kind).assumed == frozenset()
    guess = bestiary.find(None, 120)
    assert guess.assumed == PRIOR_FACTS
    assert guess.ap == 7
    assert guess.max_hp > bestiary.find("x", 20).max_hp
    assert len(Bestiary()) == 0


def test_a_bar_is_read_with_the_maximum_that_damage_took_along(bestiary):
    state = own_turn(1)
    enemy = next(f for f in state.fighters if f.team == 1)
    for lost in (0, 40, 130):
        hurt = replace(enemy, hp=enemy.max_hp - lost, max_hp=enemy.max_hp - lost // 10, eroded=lost // 10)
        view = view_of(replace(state, fighters=(state.fighter(0), hurt)), 0)
        seen = build(view, book_of(state), bestiary).state.fighters[1]
        assert abs(seen.hp - hurt.hp) <= 1
        assert abs(seen.max_hp - hurt.max_hp) <= 1
        assert seen.max_hp + seen.eroded == enemy.max_hp


def test_a_shield_the_player_raised_this_turn_counts(bestiary):
    state = next(s for s in map(own_turn, range(0, 16, 2)) if s.actor.kind == "warden")
    book = book_of(state)
    spell = next(s for s in book.spells if s.key == "bulwark")
    first = situation_of(state, bestiary)
    index = book.spells.index(spell)
    bar = tuple(
        SpellSlot(i, Seen(i != index, 1.0), Seen(spell.cooldown if i == index else 0, 1.0))
        for i in range(len(book.spells))
    )
    after = situation_of(state, bestiary, first, ap=Seen(state.actor.ap - spell.ap, 1.0), spells=bar)
    assert first.state.actor.shield == 0
    effect = next(e for e in spell.effects if e.kind is EffectKind.SHIELD)
    assert effect.low <= after.state.actor.shield <= effect.high


def with_bar(state, share, **changes):
    view = view_of(state, 0)
    return replace(view, player=replace(view.player, hp_fraction=Seen(share, 0.9)), **changes)


def later(view):
    return replace(view, captured_ns=view.captured_ns + 500_000_000)


def test_hp_behind_a_window_are_told_by_the_life_bar_of_the_players_card(bestiary):
    state, book = own_turn(), book_of(own_turn())
    hp, most = state.actor.hp, state.actor.max_hp
    share = hp / most
    first = build(with_bar(state, share), book, bestiary)
    assert first.state is not None
    same = build(with_bar(state, share, hp=Seen(), max_hp=Seen()), book, bestiary, first)
    assert same.state.actor.hp == hp and any("has not changed" in words for words in same.assumed)
    hurt = with_bar(state, 0.5 * share, hp=Seen(), max_hp=Seen())
    passing = build(hurt, book, bestiary, first)
    assert passing.state is None, "a pointer over the card changes the bar for a moment"
    less = build(later(hurt), book, bestiary, passing)
    assert less.state.actor.hp == round(0.5 * share * most) and any("about" in w for w in less.assumed)
    alone = build(with_bar(state, share, hp=Seen(), max_hp=Seen()), book, bestiary)
    assert alone.state is None and alone.withheld == "Your HP cannot be read."
    odd = build(with_bar(state, 0.6 * share), book, bestiary)
    doubtful = build(with_bar(state, 0.5 * share, hp=Seen(), max_hp=Seen()), book, bestiary, odd)
    assert doubtful.withheld == "Your HP cannot be read."


def test_a_life_bar_off_by_a_pixel_or_two_tells_of_no_change_and_an_eroded_maximum_is_no_healing(bestiary):
    state, book = own_turn(), book_of(own_turn())
    hp, most = state.actor.hp, state.actor.max_hp
    eroded = hp / most + 0.02
    first = build(with_bar(state, eroded), book, bestiary)
    views = [with_bar(state, eroded + off, hp=Seen(), max_hp=Seen()) for off in (-0.02, 0.0, 0.02, -0.2)]
    hps = [
        build(later(view), book, bestiary, build(view, book, bestiary, first)).state.actor.hp
        for view in views
    ]
    assert hps == [hp, hp, hp, round(hp - 0.2 * most)]


def test_who_was_lost_while_others_played_unwatched_may_have_walked(bestiary):
    state = own_turn(4)
    shown = Seen(len(state.fighters), 0.9)
    first = situation_of(state, bestiary, fighters_shown=shown)
    enemies = view_of(state, 0).enemies[1:]
    hidden = situation_of(state, bestiary, first, enemies=enemies, fighters_shown=shown)
    assert hidden.state is not None
    unread = situation_of(state, bestiary, first, player=None, turn=Seen("other", 0.9), fighters_shown=shown)
    after = situation_of(state, bestiary, unread, enemies=enemies, fighters_shown=shown)
    assert after.state is None and "out of sight" in after.withheld
    gone = view_of(state, 0).enemies[0].cell
    seen = {"enemies": enemies, "fighters_shown": shown, "unmoved": frozenset({gone})}
    others = situation_of(state, bestiary, unread, **seen)
    assert gone in [fighter.cell for fighter in others.state.fighters], "its turn has not come since"
    standing = replace(view_of(state, 0).player, cell=gone)
    taken = situation_of(state, bestiary, unread, **seen, player=standing, highlights={})
    assert taken.state is None, "another stands there"


def test_who_is_out_of_sight_stands_where_it_was_seen_last(bestiary):
    """What a picture shows while a fighter is hidden is not concluded from, yet the others may have moved."""
    state = next(state for state in map(own_turn, range(40)) if len(view_of(state, 0).enemies) > 1)
    view, shown = view_of(state, 0), Seen(len(state.fighters), 0.9)
    one, other = view.enemies[:2]
    floor = [cell for cell in range(560) if view.cells[cell] == CellKind.WALKABLE]
    taken = {fighter.cell for fighter in state.fighters}
    there = max(set(floor) - taken, key=lambda cell: distance(cell, state.actor.cell))
    moved = replace(one, cell=there)
    first = situation_of(state, bestiary, fighters_shown=shown)
    turn = Seen("other", 0.9)
    lacking = (moved, *view.enemies[2:])
    half = situation_of(state, bestiary, first, enemies=lacking, fighters_shown=shown, turn=turn)
    unmoved = frozenset({there, other.cell})
    hidden = situation_of(
        state, bestiary, half, enemies=view.enemies[2:], fighters_shown=shown, unmoved=unmoved
    )
    cells = {fighter.cell for fighter in hidden.state.fighters}
    assert cells >= {there, other.cell} and one.cell not in cells


def crowd():
    """A fight of the player against three enemies, the player at turn."""
    return next(state for state in (team(seed, 1, 3) for seed in range(20)) if state.actor.id == 0)


def shown(state, bestiary, cards, enemies, before=None):
    """The situation where the timeline shows so many cards and the board these enemies."""
    return situation_of(state, bestiary, before, enemies=enemies, fighters_shown=Seen(cards, 0.9))


def test_of_those_that_vanish_as_cards_do_one_may_live_while_others_were_never_found(bestiary):
    state = crowd()
    enemies = view_of(state, 0).enemies
    first = shown(state, bestiary, 4, enemies[1:])
    assert first.state is None and first.memory.cards.never_seen == 1
    fewer = shown(state, bestiary, 3, enemies[2:], first)
    assert fewer.state is None and "out of sight" in fewer.withheld
    assert shown(state, bestiary, 3, enemies[1:], first).state is not None  # all with a card are in sight
    found = shown(state, bestiary, 4, enemies, shown(state, bestiary, 4, enemies, first))
    assert found.state is not None and found.memory.cards.never_seen == 0


def test_several_cards_gone_at_once_are_hidden_while_their_fighters_were_never_found(bestiary):
    state = crowd()
    seen = view_of(state, 0).enemies[2:]
    first = shown(state, bestiary, 4, seen)
    flash = shown(state, bestiary, 2, seen, first)
    assert flash.state is None and flash.memory.cards.shown == 4

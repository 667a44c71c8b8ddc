"""What is believed between two pictures is what the rules say must have happened."""

import random
from dataclasses import replace

import pytest
from flawless import view_of

from botapp.arena.players.simple import GreedyPlayer
from botapp.arena.scenarios import adventure, outcome, team
from botapp.fight.actions import Cast, EndTurn, Move
from botapp.fight.board import distance
from botapp.fight.ranges import reachable
from botapp.fight.rules import apply, apply_expected, legal_actions
from botapp.fight.spells import EffectKind, State
from botapp.fight.state import Mark, MarkKind
from botapp.tracking.belief import follow
from botapp.tracking.picture import News, Picture
from botapp.tracking.state_tracker import StateTracker
from vision.view import ChronicleLine, Phase, Seen


def watched(state, actions, seed=0):
    """Yields the states of a greedy fight with the situation that flawless views of them give."""
    rng, greedy = random.Random(seed), GreedyPlayer()
    tracker = StateTracker()
    for _ in range(actions):
        for _ in range(2):
            situation = tracker.situate(view_of(state, 0)).situation
        yield state, situation
        state = apply(state, greedy.choose(state, rng), rng)
        if outcome(state) is not None or not state.fighter(0).alive:
            return


def known_as(state, situation):
    """Pairs of the living as they are and as they are believed to be."""
    there = {f.cell: f for f in situation.picture.fighters if f.alive}
    return [(f, there[f.cell]) for f in state.fighters if f.alive and f.cell in there]


@pytest.mark.slow
@pytest.mark.parametrize("seed", (3, pytest.param(4, marks=pytest.mark.long)))
def test_hp_erosion_and_the_order_of_turns_are_known_all_the_time(seed):
    """Half of the dice are between what the means say, so that maxima are worked out from the bars."""
    exact = total = 0
    for state, situation in watched(team(seed, 2), 60):
        pairs = known_as(state, situation)
        assert len(pairs) == sum(f.alive for f in state.fighters)
        for fighter, believed in pairs:
            total += 1
            exact += (believed.hp, believed.max_hp) == (fighter.hp, fighter.max_hp)
            assert abs(believed.hp - fighter.hp) <= 5
        own = situation.picture.fighter(0)
        assert own.eroded == state.fighter(0).eroded
        cells = [state.fighter(i).cell for i in state.order if state.fighter(i).alive]
        seen = [f.cell for f in map(situation.picture.fighter, situation.picture.order) if f.alive]
        assert seen == cells
    assert exact >= 0.6 * total


def hurtful(state):
    """A cast of the current actor that hurts and has a cooldown, None without one."""
    spells = {spell.key: spell for spell in state.actor.spells}
    before = sum(f.hp for f in state.fighters)
    for action in legal_actions(state):
        if isinstance(action, Cast) and spells[action.spell].cooldown:
            after = apply_expected(state, action)
            if sum(f.hp for f in after.fighters) < before - 5 and outcome(after) is None:
                return action
    return None


def hurtful_case():
    """A state in which somebody else than fighter 0 has such a cast, and the cast."""
    for seed in range(20):
        state, rng = team(seed, 2), random.Random(seed)
        while outcome(state) is None:
            cast = hurtful(state) if state.actor.id != 0 else None
            if cast is not None:
                return state, cast
            state = apply(state, GreedyPlayer().choose(state, rng), rng)
    raise AssertionError("no spell with a cooldown hurts")


def test_a_spell_that_hurt_is_known_with_its_cooldown_and_its_cost():
    state, cast = hurtful_case()
    after = apply_expected(state, cast)
    shown = after.changed(
        fighters=tuple(
            f.changed(cooldowns=(), casts=(), buffs=(), shield=0) for f in after.fighters if f.alive
        )
    )
    bars = {f.id: f.hp / f.max_hp for f in after.fighters if f.alive}
    believed = follow(state, Picture(shown, 0, bars, mine=False))
    caster = believed.fighter(state.actor.id)
    assert dict(caster.cooldowns).get(cast.spell) == dict(after.actor.cooldowns)[cast.spell]
    assert (caster.ap, caster.casts) == (after.actor.ap, after.actor.casts)


def test_turns_that_end_unseen_wear_cooldowns_off():
    state = team(5, 2)
    _, other, player = (state.fighter(number) for number in state.order[:3])
    cooling = other.changed(cooldowns=((other.spells[0].key, 2),))
    state = state.changed(fighters=tuple(cooling if f is other else f for f in state.fighters))
    after = apply_expected(apply_expected(state, EndTurn()), EndTurn())
    believed = follow(state, Picture(after, player.id, dict.fromkeys(range(4), 1.0), mine=True))
    assert believed.actor.id == player.id
    assert believed.fighter(other.id).cooldowns == after.fighter(other.id).cooldowns != cooling.cooldowns


def test_a_walk_that_the_rules_do_not_explain_is_a_walk_all_the_same():
    state = team(5, 2)
    walk = max((a for a in legal_actions(state) if isinstance(a, Move)), key=lambda a: len(a.path))
    tired = state.actor.changed(mp=0)
    before = state.changed(fighters=tuple(tired if f is state.actor else f for f in state.fighters))
    moved = apply_expected(state, walk)
    bars = {f.id: 1.0 for f in moved.fighters if f.alive}
    believed = follow(before, Picture(moved, -1, bars, mine=False))
    assert believed.fighter(tired.id).cell == walk.target
    assert believed.actor.id == tired.id


def test_who_is_misread_where_it_stands_is_still_itself():
    state = adventure(2, "ember")
    view = view_of(state, 0)
    tracker = StateTracker()
    first = tracker.situate(view).situation
    odd = replace(view.enemies[0], kind=Seen("griffin", 1.0))
    again = tracker.situate(replace(view, enemies=(odd, *view.enemies[1:]))).situation
    assert [(f.id, f.kind) for f in again.picture.fighters] == [
        (f.id, f.kind) for f in first.picture.fighters
    ]


class Cards:
    """A tracker of a fight whose timeline is counted."""

    def __init__(self, state):
        self.view, self.everybody = view_of(state, 0), len(state.fighters)
        self.without_one = replace(self.view, enemies=self.view.enemies[1:])
        self._tracker, self._clock = StateTracker(), iter(range(0, 10**10, 10**8))

    def living(self, shown, cards, times=1):
        """How many are believed to live in each of some pictures with so many cards."""
        counts = []
        for _ in range(times):
            shown = replace(shown, fighters_shown=Seen(cards, 1.0), captured_ns=next(self._clock))
            counts.append(sum(f.alive for f in self._tracker.situate(shown).situation.picture.fighters))
        return counts


def test_who_is_hidden_while_cards_are_covered_is_not_taken_for_dead():
    cards = Cards(adventure(2, "ember"))
    view, hidden, everybody = cards.view, cards.without_one, cards.everybody
    assert cards.living(view, everybody, 2) == [everybody] * 2
    assert cards.living(view, everybody - 1, 2) == [everybody] * 2
    assert cards.living(hidden, everybody - 1, 4) == [everybody] * 4
    assert cards.living(view, everybody, 2) == [everybody] * 2
    assert cards.living(hidden, everybody - 1, 3)[-1] == everybody - 1


def test_who_is_gone_right_after_its_card_with_hardly_any_life_left_has_died():
    cards = Cards(adventure(2, "ember"))
    first, *others = cards.view.enemies
    weak = replace(cards.view, enemies=(replace(first, hp_fraction=Seen(0.05, 0.9)), *others))
    assert cards.living(weak, cards.everybody, 2) == [cards.everybody] * 2
    assert cards.living(weak, cards.everybody - 1, 2) == [cards.everybody] * 2
    assert cards.living(cards.without_one, cards.everybody - 1, 3)[-1] == cards.everybody - 1


def test_several_cards_gone_at_once_while_their_fighters_stand_tell_of_no_death():
    state = team(3, 2, 3)
    while state.actor.id != 0:
        state = apply_expected(state, EndTurn())
    cards = Cards(state)
    assert cards.living(cards.view, 5) == [cards.everybody] == [5]
    assert cards.living(cards.without_one, 2, 3) == [5] * 3
    assert cards.living(cards.view, 5, 2) == [5] * 2


def faded(alone):
    """States before and after a moth makes itself invisible, and the cast; `alone`: the crab is dead."""
    state = adventure(11, "gale")
    if alone:
        state = state.changed(
            fighters=tuple(f.changed(hp=0) if f.kind == "crab" else f for f in state.fighters)
        )
    while state.actor.kind != "moth":
        state = apply_expected(state, EndTurn())
    fade = next(a for a in legal_actions(state) if isinstance(a, Cast) and a.spell == "fade")
    return state, fade, apply_expected(state, fade)


def as_seen(state, log, at_s):
    """A view of the arena's window: the invisible are not on the board, and have a card all the same."""
    view = view_of(state, 0)
    hidden = {f.cell for f in state.fighters if f.has(State.INVISIBLE)}
    cards = sum(f.alive for f in state.fighters)
    return replace(
        view,
        enemies=tuple(enemy for enemy in view.enemies if enemy.cell not in hidden),
        fighters_shown=Seen(cards, 1.0),
        log=log,
        captured_ns=round(at_s * 1e9),
    )


@pytest.mark.parametrize("alone", (False, True))
def test_who_makes_itself_invisible_is_known_to_be_when_the_log_tells_of_it(alone):
    state, fade, after = faded(alone)
    line = line_of(state, fade)
    tracker = StateTracker()
    for at_s in (0.0, 0.1):
        tracker.situate(as_seen(state, (), at_s))
    for at_s in (1.0, 1.1, 2.0):
        situation = tracker.situate(as_seen(after, (line,), at_s)).situation
    hidden = [f.kind for f in situation.memory.believed.fighters if f.has(State.INVISIBLE)]
    assert hidden == ["moth"]
    mine = after
    while mine.actor.id != 0:
        mine = apply_expected(mine, EndTurn())
    assert state.actor.id in {f.id for f in mine.fighters if f.has(State.INVISIBLE)}
    for at_s in (3.0, 4.0, 5.0):
        situation = tracker.situate(as_seen(mine, (line,), at_s)).situation
    assert situation.state is not None and situation.memory.believed.actor.id == 0


def test_a_cast_that_the_log_tells_of_counts_while_somebody_is_hidden():
    state, cast = next(
        (state, action)
        for state in (adventure(seed, "gale") for seed in range(11, 30))
        if state.actor.id == 0 and len(state.fighters) > 2
        for action in legal_actions(state)
        if isinstance(action, Cast) and action.spell == "poise"
    )
    after = apply_expected(state, cast)
    tracker = StateTracker()
    for at_s in (0.0, 1.0):
        tracker.situate(as_seen(state, (), at_s))
    view = as_seen(after, (line_of(state, cast),), 2.0)
    flash = replace(view, enemies=view.enemies[1:])
    situation = tracker.situate(flash).situation
    assert dict(situation.state.actor.casts) == {"poise": 0}
    assert situation.state.actor.has(State.FOCUSED)


def test_who_walks_and_is_seen_twice_is_not_one_more_than_there_are_cards():
    state = adventure(11, "gale")
    view = as_seen(state, (), 0.0)
    tracker = StateTracker()
    tracker.situate(view)
    free = next(iter(view.highlights["reachable"]))
    twice = (*view.enemies, replace(view.enemies[0], cell=free))
    tracker.situate(replace(view, enemies=twice, captured_ns=10**8))
    for at in (2, 30):
        situation = tracker.situate(replace(view, captured_ns=at * 10**8)).situation
    assert situation.state is not None and situation.memory.cards.unlisted == 0


@pytest.mark.parametrize("away, lives", [(False, True), (True, False)])
def test_a_card_under_a_window_is_one_that_lives_until_all_of_the_timeline_was_under_it(away, lives):
    view = as_seen(adventure(11, "gale"), (), 0.0)
    enemy = view.enemies[0]
    shown = len(view.allies) + len(view.enemies) + 1
    tracker = StateTracker()
    tracker.situate(replace(view, fighters_shown=Seen(shown, 0.99)))
    part = replace(view, fighters_shown=Seen(shown - 1, 0.99))
    tracker.situate(replace(part, captured_ns=10**8))
    assert tracker.situate(replace(part, captured_ns=2 * 10**8)).situation.memory.cards.unlisted == 1
    without = replace(part, enemies=view.enemies[1:])
    if away:
        tracker.situate(replace(without, phase=Seen(), fighters_shown=Seen(), captured_ns=5 * 10**8))
    for at in (10, 11) if away else (4, 5):
        situation = tracker.situate(replace(without, captured_ns=at * 10**8)).situation
    assert situation.state is not None
    assert any(f.alive and f.cell == enemy.cell for f in situation.state.fighters) is lives


def test_whoever_was_taken_for_dead_and_stands_there_lives():
    state = adventure(2, "ember")
    foe = state.fighters[1]
    dead = state.changed(fighters=tuple(f.changed(hp=0) if f is foe else f for f in state.fighters))
    assert not dead.fighter(foe.id).alive
    believed = follow(dead, Picture(state, 0, {}, mine=state.actor.id == 0))
    assert believed.fighter(foe.id).hp == foe.hp


def test_a_flash_that_looks_like_start_cells_does_not_end_the_fight():
    state = adventure(2, "ember")
    view = view_of(state, 0)
    tracker = StateTracker()
    first = tracker.situate(view).situation
    flash = {"red_start": frozenset({1, 2})}
    between = tracker.situate(replace(view, phase=Seen(Phase.PLACEMENT, 0.9), highlights=flash)).situation
    assert between.memory == first.memory
    placing = {**flash, "blue_start": frozenset({3})}
    over = tracker.situate(replace(view, phase=Seen(Phase.PLACEMENT, 0.9), highlights=placing)).situation
    assert over.memory.believed is None


def test_a_shield_that_is_shown_is_believed_and_tells_whose_it_is():
    for seed in range(30):
        state = team(seed, 2)
        wards = [s.key for s in state.actor.spells if any(e.kind is EffectKind.SHIELD for e in s.effects)]
        casts = [a for a in legal_actions(state) if isinstance(a, Cast) and a.spell in wards]
        own = [a for a in casts if apply_expected(state, a).actor.shield]
        if own and state.actor.id == 0:
            break
    tracker = StateTracker()
    tracker.situate(replace(view_of(state, 0), shield=Seen(0, 1.0)))
    after = apply_expected(state, own[0])
    seen = replace(view_of(after, 0), shield=Seen(after.actor.shield, 1.0))
    found = tracker.situate(seen).situation
    assert found.state.actor.shield == after.actor.shield > 0
    assert own[0].spell in {key for key, _ in found.state.actor.casts}


def shown_of(state):
    """What a picture shows of a state: nothing of what others have cast."""
    fighters = (f for f in state.fighters if f.alive)
    return state.changed(fighters=tuple(f.changed(cooldowns=(), casts=(), buffs=()) for f in fighters))


def picture_of(state, player=0, **more):
    alive = [f for f in state.fighters if f.alive]
    bars = {f.id: f.hp / f.max_hp for f in alive}
    shields = {f.id: f.shield / f.max_hp for f in alive}
    return Picture(
        shown_of(state),
        player,
        bars,
        mine=state.actor.id == player,
        shields=shields,
        news=News(logged=True),
        **more,
    )


def line_of(state, cast):
    hit = next((f.kind for f in state.fighters if f.alive and f.cell == cast.target), None)
    return ChronicleLine(False, state.actor.kind, frozenset({cast.spell}), hit)


def traceless_case():
    """A state in which somebody else than fighter 0 can give a buff that no bar shows, and the cast."""
    for seed in range(20):
        state, rng = team(seed, 2), random.Random(seed)
        while outcome(state) is None:
            for action in legal_actions(state) if state.actor.id != 0 else ():
                if isinstance(action, Cast):
                    spell = next(s for s in state.actor.spells if s.key == action.spell)
                    if {e.kind for e in spell.effects} <= {EffectKind.BUFF, EffectKind.STATE}:
                        return state, action
            state = apply(state, GreedyPlayer().choose(state, rng), rng)
    raise AssertionError("no spell leaves nothing to see")


def test_a_cast_between_two_walks_is_known_when_the_log_tells_of_it():
    state = adventure(11, "gale")
    while state.actor.kind != "moth":
        state = apply_expected(state, EndTurn())

    def blinding(stood):
        """The cast at the player's own cell, None where it is out of range."""
        casts = (a for a in legal_actions(stood) if isinstance(a, Cast) and a.spell == "blinding_dust")
        return next((cast for cast in casts if cast.target == stood.fighter(0).cell), None)

    def walked(stood):
        return [apply_expected(stood, a) for a in legal_actions(stood) if isinstance(a, Move)]

    begun, before, after = next(
        (begun, before, after)
        for cell in reachable(state, state.fighter(0))
        for begun in [state.changed(fighters=(state.fighter(0).changed(cell=cell), *state.fighters[1:]))]
        if distance(cell, begun.actor.cell) == 7
        for before in walked(begun)
        if distance(before.actor.cell, begun.actor.cell) == 2 and blinding(before)
        for after in walked(apply_expected(before, blinding(before)))
        if distance(after.actor.cell, cell) > 5 and after.actor.cell != begun.actor.cell
    )
    told = follow(
        begun, replace(picture_of(after), news=News((line_of(before, blinding(before)),), logged=True))
    )
    assert told.fighter(0).buffs == after.fighter(0).buffs != begun.fighter(0).buffs
    assert told.actor.cell == after.actor.cell


def test_a_cast_that_leaves_no_trace_is_known_when_the_log_tells_of_it():
    state, cast = traceless_case()
    after = apply_expected(state, cast)
    picture = picture_of(after)
    untold = follow(state, picture)
    assert untold.fighter(state.actor.id).casts == state.actor.casts
    told = follow(state, replace(picture, news=News((line_of(state, cast),), logged=True)))
    for fighter in after.fighters:
        assert told.fighter(fighter.id).buffs == fighter.buffs
    caster = told.fighter(state.actor.id)
    assert (caster.ap, caster.casts, caster.cooldowns) == (
        after.actor.ap,
        after.actor.casts,
        after.actor.cooldowns,
    )


def test_a_cast_in_a_log_just_found_explains_a_picture_and_no_other_spell_does():
    state, cast = hurtful_case()
    after = apply_expected(state, cast)
    picture = replace(picture_of(after), news=News())
    listed = follow(state, replace(picture, news=News(past=(line_of(state, cast),))))
    assert listed.fighter(state.actor.id).casts == after.actor.casts
    other = replace(line_of(state, cast), spells=frozenset({"none of these"}))
    assert follow(state, replace(picture, news=News(past=(other,)))).fighter(state.actor.id).casts == ()


@pytest.mark.parametrize("seed", (3, 4, 6))
def test_several_casts_between_two_pictures_are_told_in_their_order(seed):
    """A greedy turn seen only at its end; where the casters walk in between is not seen."""
    rng, state = random.Random(seed), team(seed, 2)
    while state.actor.id == 0:
        state = apply(state, GreedyPlayer().choose(state, rng), rng)
    before, told, actor = state, [], state.actor.id
    while state.actor.id == actor and outcome(state) is None:
        action = GreedyPlayer().choose(state, rng)
        if isinstance(action, EndTurn):
            break
        if isinstance(action, Cast):
            told.append(line_of(state, action))
        state = apply_expected(state, action)
    believed = follow(before, replace(picture_of(state), news=News(tuple(told), logged=True)))
    known, true = believed.fighter(actor), state.fighter(actor)
    assert [key for key, _ in known.casts] == [key for key, _ in true.casts]
    assert dict(known.cooldowns) == dict(true.cooldowns)


def test_a_shield_below_a_bar_is_believed_to_the_point():
    state = team(5, 2)
    warded = tuple(f.changed(shield=7 + f.id) for f in state.fighters)
    believed = follow(state, picture_of(state.changed(fighters=warded)))
    assert [f.shield for f in believed.fighters if f.id != 0] == [7 + f.id for f in warded if f.id != 0]


def test_a_trap_that_is_not_shown_any_more_is_gone():
    state = team(5, 2)
    owner = next(f for f in state.fighters if f.team == state.fighter(0).team)
    away = max(range(560), key=lambda cell: min(distance(cell, f.cell) for f in state.fighters))
    trap = Mark(MarkKind.TRAP, owner.id, away, (away,), 0, (), "Trap")
    state = state.changed(marks=(trap,))
    while state.actor.id == owner.id:
        state = apply_expected(state, EndTurn())
    here = frozenset({away})
    assert follow(state, picture_of(state, traps=here, traps_seen=here)).marks == (trap,)
    assert follow(state, picture_of(state)).marks == (trap,)
    assert follow(state, picture_of(state, traps_seen=here)).marks == ()


def test_the_timeline_has_the_last_word_on_the_order_of_turns():
    state = team(5, 2)
    line = tuple(reversed(state.order))
    playing = next(number for number in line if number != 0)
    believed = follow(state, replace(picture_of(state), mine=False, line=line, playing=playing))
    assert believed.order == line and believed.actor.id == playing


def calling_case():
    """A state in which a fighter calls another one, the cast, and the state after it."""
    for seed in range(40):
        state, rng = adventure(seed, "thorn"), random.Random(seed)
        for _ in range(20):
            for action in legal_actions(state):
                if isinstance(action, Cast):
                    spell = next(s for s in state.actor.spells if s.key == action.spell)
                    if any(effect.kind is EffectKind.SUMMON for effect in spell.effects):
                        return state, action, apply_expected(state, action)
            if outcome(state) is not None:
                break
            state = apply(state, EndTurn(), rng)
    raise AssertionError("no fight has a summon")


def test_who_has_called_a_newcomer_is_known_though_the_log_did_not_tell_of_the_cast():
    state, cast, after = calling_case()
    caller = state.actor
    later = apply_expected(after, EndTurn())
    while later.actor.team == caller.team:
        later = apply_expected(later, EndTurn())
    unknown = tuple(f.changed(summoner=None) for f in later.fighters)
    picture = picture_of(later.changed(fighters=unknown))
    believed = follow(state, picture)
    called = next(f for f in after.fighters if f.id not in {old.id for old in state.fighters})
    assert believed.fighter(called.id).summoner == caller.id, cast
    assert believed.order == later.order
    free = min(set(range(560)) - {f.cell for f in later.fighters})
    two = (*state.fighters, caller.changed(id=77, cell=free))
    twice = state.changed(fighters=two, order=(*state.order, 77))
    seen = picture_of(later.changed(fighters=(*unknown, two[-1]), order=(*later.order, 77)))
    assert follow(twice, seen).fighter(called.id).summoner is None

"""What an action leads to, in the words of the person's language: what is expected of it, what another one
would cost, and how the turn goes on.
"""

from collections.abc import Sequence

from botapp.advisor.decision import Decision, Expectation, Planned, ScoredAction
from botapp.advisor.grounds import may_tell_chance
from botapp.advisor.groups import occupant
from botapp.advisor.wording import AS_LIKELY, ONLY_ESTIMATED, amount, damage_beside, kills, less, more
from botapp.fight.actions import Move
from botapp.fight.board import distance
from botapp.fight.state import Fighter, FightState
from botapp.runtime.messages import Snapshot
from botapp.runtime.turns import Threat, TurnStep
from botapp.ui import words
from botapp.ui.names import named
from botapp.ui.translation import counted, mark, tr

_LEAST = 0.05


def expectations(expected: Sequence[Expectation]) -> str:
    """Returns what is expected to happen, one line a fighter, "" where nothing is."""
    return "\n".join(map(_expectation, expected))


def _expectation(expected: Expectation) -> str:
    parts = [
        _amount(kind, size, digits)
        for kind, size, digits in (
            ("damage", expected.damage, 0),
            ("heal", expected.heal, 0),
            ("shield", expected.shield, 0),
            ("ap", expected.ap, 1),
            ("mp", expected.mp, 1),
        )
        if size >= _LEAST
    ]
    if expected.kills:
        parts.insert(int(expected.damage >= _LEAST), tr("killed"))
    return tr("{who}: {facts}", who=named(expected.name), facts=", ".join(parts))


def _amount(kind: str, size: float, digits: int = 0) -> str:
    rounded = round(size, digits)
    return tr(amount(kind, rounded, words.number(rounded, digits if rounded % 1 else 0)))


def differences(best: ScoredAction, other: ScoredAction) -> list[str]:
    """Returns what tells two actions apart beside their chance of winning, the weightiest first.

    Of the whole turns that begin with them: how many turns the win takes, kills, HP after the others'
    replies, AP kept, and spells that can be cast again sooner. Nothing where it is not known.
    """
    a, b = best.prospect, other.prospect
    if a is None or b is None:
        return []
    parts = []
    if a.turns is not None and b.turns is not None and a.turns != b.turns:
        parts.append(tr(_turns(b.turns - a.turns)))
    if a.kills != b.kills:
        parts.append(tr(kills(a.kills - b.kills)))
    lead = round(a.lead - b.lead)
    wins = 1 in (a.turns, b.turns)  # with a won fight's worth, thousands of HP, in one of the two
    if lead and best.visits and other.visits and not wins:
        text = mark("{number} HP worse off")
        if lead < 0:  # alone it would sound like better advice, though both read the same in percent
            text = mark("{number} HP better off") if parts else mark("as good to within {number} HP")
        parts.append(tr(text, number=words.number(abs(lead))))
    if a.ap != b.ap:
        difference = abs(b.ap - a.ap)
        fewer = counted(difference, "{number} AP fewer kept", "{number} AP fewer kept", number=difference)
        more = counted(difference, "{number} AP more kept", "{number} AP more kept", number=difference)
        parts.append(tr(fewer if b.ap < a.ap else more))
    if a.cooldown != b.cooldown:
        text = mark("spells longer on cooldown") if b.cooldown > a.cooldown else mark("spells ready sooner")
        parts.append(tr(text))
    return parts


def guessed(best: ScoredAction, other: ScoredAction) -> bool:
    """Tells whether an action was only estimated where the best was played on from: no points lie between."""
    return bool(best.visits) and other.value is not None and not other.visits


def chance_beside(best: ScoredAction, other: ScoredAction, state: FightState | None) -> float | None:
    """Returns an action's chance of winning as it is shown beside the best one's, None where it is not one of
    the same depth: one figure means one thing. None as well where none may be told in this state.
    """
    return None if guessed(best, other) or not may_tell_chance(state) else other.chance


def beside(best: ScoredAction, other: ScoredAction, state: FightState | None) -> str:
    """Returns in few words what tells an action from the best one, where the chance as shown is the same.

    "" for the best itself, and where the chance tells; that of an action which was only estimated does not,
    beside one from which the fight was played on.
    """
    if other == best:
        return ""
    if guessed(best, other):
        return tr(ONLY_ESTIMATED)
    if may_tell_chance(state) and words.percent(other.chance) != words.percent(best.chance):
        return ""
    parts = differences(best, other)
    if parts:
        return parts[0]
    a, b = best.prospect, other.prospect
    if a is not None and b is not None and a.turns == b.turns == 1:
        return tr("wins this turn too")
    return words.then(other, state) or (tr("as good") if may_tell_chance(state) else "")


def _turns(later: int) -> str:
    """Returns by how many turns a win comes later; less than 0 where it comes sooner."""
    if later > 0:
        return counted(
            later, "wins about {number} turn later", "wins about {number} turns later", number=later
        )
    return counted(
        -later, "wins about {number} turn sooner", "wins about {number} turns sooner", number=-later
    )


def alternative(decision: Decision, state: FightState | None, names: words.Names | None = None) -> str:
    """Returns the second best action and what it would cost beside the best, "" where there was only one."""
    other = decision.alternative
    if other is None:
        return ""
    names = names or words.names_of(decision, state)
    parts = [names(other.choice)]
    may_tell = may_tell_chance(state)
    points = words.points(decision.best.chance, decision.best.chance - other.chance_lost, state)
    if guessed(decision.best, other.choice):
        return "  ·  ".join((*parts, tr(ONLY_ESTIMATED)))
    told_kills = False
    if points:
        parts.append(tr(less(points) if points > 0 else more(-points)))
    else:
        then = words.then(other.choice, state)
        alike = [tr(AS_LIKELY)] if may_tell else []
        parts += differences(decision.best, other.choice) or [*alike, *([then] if then else [])]
        told_kills = decision.best.prospect is not None and other.choice.prospect is not None
    lost = round(other.damage_lost)
    if lost and (points or not may_tell):
        parts.append(tr(damage_beside(lost, words.number(abs(lost)))))
    if round(abs(other.kills_lost)) and (points or not may_tell) and not told_kills:
        parts.append(tr(kills(other.kills_lost)))
    return "  ·  ".join(parts)


def plan(steps: Sequence[Planned]) -> str:
    """Returns how the turn goes on, one line an action, "" where that is not known."""
    return "\n".join(f"{index}. {words.headline(s.choice, s.state)}" for index, s in enumerate(steps, 2))


def harm(threat: Threat, state: FightState, own: int | None) -> str:
    """Returns what an enemy's turn should take of the person's side, one line a fighter.

    Args:
        state: in which it is played.
        own: the cell of the person's fighter, None where it is not known.
    """
    kills = dict(threat.line.kills)
    parts = [_taken(expectation, state, own, kills) for expectation in threat.harm]
    return "\n".join(parts) or tr("Nothing from anyone on your side")


WAIT = mark("Best to wait: neither side gains by coming closer first.")


def waiting(snapshot: Snapshot) -> bool:
    """Tells whether both sides do best to wait: neither the turn advised nor the enemy's that is expected
    after it hurts anyone or comes closer, although either could walk.
    """
    threat, turn, state = snapshot.threat, snapshot.turn, snapshot.state
    if threat is None or threat.at is None or state is None or turn is None or not turn.lines:
        return False
    steps = turn.lines[0].steps
    hurts = any(e.damage >= _LEAST for step in steps for e in step.expected if e.enemy)
    if hurts or any(e.damage >= _LEAST for e in threat.harm):
        return False
    me = next((f for f in threat.at.fighters if f.id == state.actor.id and f.alive), None)
    enemy = next((f for f in threat.at.fighters if f.id == threat.fighter and f.alive), None)
    if me is None or enemy is None or not (state.actor.mp or enemy.mp):
        return False
    foes = [f.cell for f in state.fighters if f.alive and f.team != state.actor.team]
    there = _ends(threat.line.steps, enemy.cell)
    came = min(distance(me.cell, cell) for cell in foes) < min(
        distance(state.actor.cell, cell) for cell in foes
    )
    return not came and distance(there, me.cell) >= distance(enemy.cell, me.cell)


def _ends(steps: Sequence[TurnStep], cell: int) -> int:
    walks = [step.action.target for step in steps if isinstance(step.action, Move)]
    return walks[-1] if walks else cell


def own_fighter(snapshot: Snapshot, threat: Threat) -> Fighter | None:
    """Returns the person's fighter in the state in which an enemy plays, None where it is not known."""
    state = threat.at or snapshot.state
    if state is None:
        return None
    if threat.at is not None and snapshot.state is not None:
        me = snapshot.state.actor.id
        return next((fighter for fighter in state.fighters if fighter.id == me and fighter.alive), None)
    player = snapshot.view.player if snapshot.view is not None else None
    return occupant(state, player.cell) if player is not None and player.cell is not None else None


def called(fighter: int, state: FightState, own: int | None) -> str:
    """Returns what a fighter is called, the person's own "You"."""
    shown = state.fighter(fighter)
    return tr("You") if own is not None and shown.cell == own else named(shown.name)


def _taken(expected: Expectation, state: FightState, own: int | None, deaths: dict[int, float]) -> str:
    parts = []
    if round(expected.damage):
        parts.append(_amount("damage", expected.damage))
    if expected.ap >= _LEAST:
        parts.append(_amount("ap", expected.ap, 1))
    if expected.mp >= _LEAST:
        parts.append(_amount("mp", expected.mp, 1))
    if deaths.get(expected.fighter):
        parts.append(tr("dies with {share}", share=words.percent(deaths[expected.fighter])))
    return tr("{who}: {facts}", who=called(expected.fighter, state, own), facts=", ".join(parts) or "–")

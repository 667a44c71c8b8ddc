"""Before the fight: the advice on where to stand, as a decision among the free start cells.

`Ready` stands for staying.
"""

from time import perf_counter

from botapp.advisor.decision import Decision, Effort, ScoredAction, Withheld
from botapp.advisor.expectations import compared
from botapp.advisor.wording import assumptions, label
from botapp.fight.actions import Action, Place, Ready
from botapp.fight.state import FightState
from botapp.host.message import error_text
from botapp.search.places import StartPlace, advise_place

_TOP = 5
_FAR = 0.1  # How much less chance of winning makes a place a poor one


def decide_place(state: FightState) -> Decision:
    """Returns where the fighter who chooses should stand, with the chance of winning from each place.

    Raises:
        Withheld: the learned evaluation, which judges places, cannot be read.
    """
    begun = perf_counter()
    try:
        advice = advise_place(state)
    except ValueError as error:
        raise Withheld(error_text(error)) from error
    searched = perf_counter()
    places = sorted(advice.places, key=lambda place: place != advice.best)
    candidates = tuple(_scored(state, place, advice.best) for place in places)
    best = candidates[0]
    made = Decision(
        choices=candidates[:_TOP],
        reflex=best,
        value=2 * best.confidence - 1,
        trace=(),
        stop="searched" if len(candidates) > 1 else "only-choice",
        heat=_heat(places),
        assumed=assumptions(state),
        effort=Effort((("search", (searched - begun) * 1000),)),
        candidates=candidates,
        adviser="search",
    )
    return compared(made, state)


def _scored(state: FightState, place: StartPlace, best: StartPlace) -> ScoredAction:
    """Returns a place as a candidate; none is said to win more than the best.

    The own cell stays the best where another one's lead is too small to count (`places.ALIKE`).
    """
    action: Action = Ready() if place.cell == state.actor.cell else Place(place.cell)
    chance = min(place.chance, best.chance)
    return ScoredAction(action, chance, label(state, action), value=chance, line=(action,))


def _heat(places: list[StartPlace]) -> tuple[tuple[int, float], ...]:
    """Returns how near each cell comes to the best one, 0..1, those too far from it left out."""
    best = max(place.chance for place in places)
    near = ((place.cell, 1 - (best - place.chance) / _FAR) for place in places)
    return tuple((cell, share) for cell, share in near if share > 0)

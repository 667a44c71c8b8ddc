"""Determines the phase and whose turn it is from the evidence in the HUD and on the board.

Each piece of evidence adds its weight (log odds) to every phase; a softmax over the sums gives
probabilities, and the phase is UNKNOWN unless one is clearly the most probable.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from vision.view import MOST_SURE, CardSeen, Phase, Seen, Turn

PhaseEvidence = Literal[
    "button",
    "grey_button",
    "timer",
    "turn_number",
    "current_card",
    "points",
    "fighters",
    "starts",
    "many_starts",
    "reach",
]
"""Evidence of a phase: the end-turn button bright or grey, the time left, the turn's number, a current card,
AP and MP where a client shows them in fights only, fighters with borders, start cells, many of them of both
sides, reachable cells."""

Button = Literal["bright", "grey"]

_PHASES = (Phase.FIGHT, Phase.PLACEMENT, Phase.NOT_FIGHT)
SIGN = 0.95  # How sure a sign is that is told by its form alone: the button, a card that plays, start cells
_PRIOR = (0.0, -2.0, 1.6)  # Without evidence "no fight" is 0.81 sure, over `_CLEARLY_NONE`
_WEIGHTS: Mapping[PhaseEvidence, tuple[float, float, float]] = {
    "button": (4.0, 4.0, 0.0),
    "grey_button": (2.0, -2.0, 0.0),  # while places are chosen it can be pressed
    "timer": (3.0, 3.0, 0.0),
    "turn_number": (2.0, -8.0, 0.0),  # no placement has one; areas in a range look like many start cells
    "current_card": (5.0, -1.0, 0.0),
    "points": (3.0, 1.0, 0.0),
    "fighters": (3.0, 3.0, 0.0),
    "starts": (0.0, 6.0, 0.0),
    "many_starts": (0.0, 14.0, 0.0),
    "reach": (3.0, -2.0, 0.0),
}
_CLEAR, _CLEARLY_NONE = 0.6, 0.7  # "None" has to be surer: what is no fight is not advised
_BEGUN: frozenset[PhaseEvidence] = frozenset(
    ("grey_button", "turn_number", "current_card", "points", "reach")
)


def classify(evidence: Mapping[PhaseEvidence, float]) -> Seen[Phase]:
    """Returns the phase by confidences (0..1) of what was found."""
    scores = [
        start + sum(sure * _WEIGHTS[sign][index] for sign, sure in evidence.items())
        for index, start in enumerate(_PRIOR)
    ]
    shares = [math.exp(score - max(scores)) for score in scores]
    best = shares.index(max(shares))
    sure = shares[best] / sum(shares)
    least = _CLEARLY_NONE if _PHASES[best] is Phase.NOT_FIGHT else _CLEAR
    return Seen(_PHASES[best], min(MOST_SURE, sure)) if sure >= least else Seen(Phase.UNKNOWN, sure)


def has_begun(evidence: Mapping[PhaseEvidence, float], waiting: bool) -> bool:
    """Returns whether the evidence of a fight tells it from the choice of places before it.

    Args:
        waiting: whether a timeline is seen on which no card plays; then AP and MP prove no turn.
    """
    return not evidence.keys().isdisjoint(_BEGUN - {"points"} if waiting else _BEGUN)


def turn(button: Button | None, row: Sequence[CardSeen], begun: bool = True) -> Seen[Turn]:
    """Returns whose turn it is: a bright button means the player's, a current card of an enemy the other's.

    If the current card is of the player's side but no button is found, an ally may be playing, unless it is
    the only card of that side. If button and card disagree, the turn is None. During placement the button is
    bright as well.

    Args:
        button: the end-turn button's state, None where it is not found.
    """
    playing = next((card.team for card in row if card.current), None)
    if button == "bright" and not begun:
        return Seen()
    if button == "bright":
        return Seen("mine", 0.97 if playing == "own" else 0.93) if playing != "enemy" else Seen()
    if playing == "enemy":
        return Seen("other", SIGN)
    if playing == "own" and sum(card.team == "own" for card in row) == 1:
        return Seen("mine", 0.9) if button is None else Seen()
    return Seen("other", 0.85 if row else 0.75) if button == "grey" else Seen()

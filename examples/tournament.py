"""How strong one player of the arena is against another, in fights of two against two.

    python examples/tournament.py [PLAYER OPPONENT FIGHTS]

A player is a word with options: greedy, bare:ms=50 (the search), lite:ms=50 (the model with the search).
"""

import sys

from botapp.arena.pairing import Arrangement, run

player, opponent, fights = sys.argv[1:] or ("bare", "greedy", "4")

if __name__ == "__main__":  # where there are several workers, each imports this file
    result = run(Arrangement(player, opponent, "team", sizes=(2,)), int(fights), seed=1)
    points = result.strength
    print(f"{player} takes {points.share:.0%} of the points ({points.low:.0%} to {points.high:.0%})")
    for fight in result.results:
        print(f"seed {fight.seed}: {fight.points} after {fight.turns} turns")

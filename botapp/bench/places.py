"""Whether taking the advised place wins fights: one side placed by advice, the other at random, both ways.

    python -m botapp.bench.places [--fights 400] [--seed 1] [--alone] [--search STATES]

Each seed is one fight between teams of classes from one random placement, fought twice: either side is
placed by advice in one of them. After that both sides play alike: by the default policy, with `--search` by
the search. Without a clock, so that the same arguments give the same figures.
"""

import random
from dataclasses import replace

import typer

from botapp.arena.elo import strength
from botapp.arena.match import play
from botapp.arena.players.search import SearchPlayer
from botapp.arena.scenarios import LARGEST_TEAM, ROUND_LIMIT, team
from botapp.fight.actions import Place
from botapp.fight.placement import placing
from botapp.fight.rules import apply_expected
from botapp.fight.state import FightState
from botapp.search.places import advise_place
from botapp.search.policy_fight import PolicyFight

_SEEDS = 2**31 - 1


def scattered(state: FightState, rng: random.Random) -> FightState:
    """Returns a state in which places are chosen, each fighter on a start cell of its side by chance."""
    cells = [list(state.map.red_starts), list(state.map.blue_starts)]
    for starts in cells:
        rng.shuffle(starts)
    placed = tuple(replace(fighter, cell=cells[fighter.team].pop()) for fighter in state.fighters)
    return placing(state.changed(fighters=placed))


def advised(state: FightState, side: int, alone: bool = False) -> FightState:
    """Returns the state with a side's fighters on their advised places, one after the other.

    Args:
        state: the state while places are chosen.
        alone: whether only the team's first fighter takes its place, as a player's own among others.
    """
    own = [place for place, number in enumerate(state.order) if state.fighter(number).team == side]
    for place in own[:1] if alone else own:
        state = state.changed(current=place)
        best = advise_place(state).best.cell
        if best != state.actor.cell:
            state = apply_expected(state, Place(best))
    return state.changed(placing=False, current=0)


def points(state: FightState, side: int, seed: int, states: int = 0) -> float:
    """Returns what a side gets out of a fight: 1 for a victory, 0.5 for a draw."""
    if states:
        player = SearchPlayer(states)
        won: int | None = play(state, {0: player, 1: player}, random.Random(seed)).winner
    else:
        fight, rng, won = PolicyFight(state), random.Random(seed), None
        while won is None and fight.round <= ROUND_LIMIT:
            won = fight.play_turn(rng.randrange(_SEEDS))
    return 0.5 if won is None or won < 0 else float(won == side)


def fought(seed: int, alone: bool = False, states: int = 0) -> float:
    """Returns the points of the advised side in the two fights of a seed, on average."""
    state = scattered(team(seed, 1 + seed % LARGEST_TEAM), random.Random(f"places {seed}"))
    return sum(points(advised(state, side, alone), side, seed, states) for side in (0, 1)) / 2


def main(fights: int = 400, seed: int = 1, alone: bool = False, search: int = 0) -> None:
    """Prints the share of the points that the advised side gets, with its interval."""
    seeds = range(seed, seed + fights // 2)
    result = strength([fought(fight_seed, alone, search) for fight_seed in seeds])
    print(
        f"{2 * len(seeds)} fights: placed by advice {result.share:.1%} of the points "
        f"({result.low:.1%} to {result.high:.1%})"
    )


if __name__ == "__main__":
    typer.run(main)

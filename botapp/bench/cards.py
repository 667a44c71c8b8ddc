"""Kind and life of the enemies of drawn fights by the timeline: on one picture, over time, in the state.

`python -m botapp.bench.cards --fights 20 --enemies 3`. An enemy counts once for each frame of the own turns.
The portraits are named on the first frame on which all are read, as a player would.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import typer

from botapp.tracking.names import Names
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.state_tracker import StateTracker, Tracked
from vision.frame import Frame
from vision.synthetic.board import DrawnFighter
from vision.synthetic.rounds import DrawnRounds, RoundFrame
from vision.view import FighterSeen, FightView

_NEAR = 0.07  # What a bar of 45 pixels tells: its last three look alike
_CLIENT, _CLASS = "dofus-unity", "warden"


class CardFacts(NamedTuple):
    """What is known of an enemy, None where it is not."""

    kind: str | None
    life: float | None


def measure(seed: int, enemies: int, rounds: int) -> Counter[str]:
    """Returns how often kind and life were right, wrong or withheld in a fight."""
    tracker, named = StateTracker(PlayerProfile(client=_CLIENT, player_class=_CLASS)), False
    counts: Counter[str] = Counter()
    for number, drawn in enumerate(DrawnRounds(seed, enemies).frames(rounds)):
        frame = Frame.still(drawn.picture, round(drawn.at_s * 1e9), seq=number)
        tracked = tracker.update(frame)
        counts["frames"] += 1
        if not named and (names := _names(tracked.view, drawn)) is not None:
            named = True
            tracker.apply(PlayerProfile(client=_CLIENT, player_class=_CLASS, names=names))
        if not named or not drawn.mine:
            continue
        alone = _on_one_picture(tracked.view.enemies, tracker.profile.names)
        for when, known in (
            ("1 on one picture", alone),
            ("2 over time", _of_view(tracked.named.enemies)),
            ("3 in the state", _of_state(tracked)),
        ):
            for enemy in drawn.enemies:
                counts.update(_judged(when, enemy, known.get(enemy.cell)))
    return counts


def _names(view: FightView, drawn: RoundFrame) -> Names | None:
    """Returns the names of the portraits, None where not all cards were read."""
    row = [card for card in view.timeline if card.team == "enemy"]
    if len(row) != len(drawn.enemies):
        return None
    return Names({card.portrait: _kind(enemy) for card, enemy in zip(row, drawn.enemies, strict=True)})


def _kind(enemy: DrawnFighter) -> str:
    return f"face-{enemy.face}"


def _on_one_picture(enemies: Iterable[FighterSeen], names: Names) -> Mapping[int | None, CardFacts]:
    named = ((enemy, names.find("portraits", enemy.portrait)) for enemy in enemies)
    return {
        enemy.cell: CardFacts(match[0] if match else None, enemy.hp_fraction.value) for enemy, match in named
    }


def _of_view(enemies: Iterable[FighterSeen]) -> Mapping[int | None, CardFacts]:
    return {enemy.cell: CardFacts(enemy.kind.value, enemy.hp_fraction.value) for enemy in enemies}


def _of_state(tracked: Tracked) -> Mapping[int | None, CardFacts]:
    picture = tracked.situation.picture
    fighters = picture.fighters if picture is not None else ()
    return {
        fighter.cell: CardFacts(
            None if "kind" in fighter.assumed else fighter.kind,
            None if "hp" in fighter.assumed else fighter.hp / (fighter.max_hp + fighter.eroded),
        )
        for fighter in fighters
        if fighter.alive and not fighter.player
    }


def _judged(when: str, enemy: DrawnFighter, known: CardFacts | None) -> Counter[str]:
    counts = Counter({f"{when}: enemies": 1})
    if known is None:
        return counts
    if known.kind is not None:
        counts[f"{when}: kind {'right' if known.kind == _kind(enemy) else 'wrong'}"] += 1
    if known.life is not None:
        counts[f"{when}: life {'right' if abs(known.life - enemy.life) <= _NEAR else 'wrong'}"] += 1
    return counts


def main(fights: int = 20, enemies: int = 3, rounds: int = 4, seed: int = 1) -> None:
    """Prints the counts."""
    counts = sum(
        (measure(fight_seed, enemies, rounds) for fight_seed in range(seed, seed + fights)), Counter[str]()
    )
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}")


if __name__ == "__main__":
    typer.run(main)

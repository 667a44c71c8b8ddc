"""The dead are matched with the true ones, for casts and buffs still tell of them."""

from botapp.arena.scenarios import team
from botapp.bench.pixels import aligned, repairs


def test_a_cast_at_one_who_died_is_compared_with_the_true_one():
    true = team(5, 2)
    victim = next(f for f in true.fighters if f.team != true.actor.team)
    key = true.actor.spells[0].key
    caster = true.actor.changed(casts=((key, victim.id),))
    dead = victim.changed(hp=0)
    true = true.changed(
        fighters=tuple({victim.id: dead, caster.id: caster}.get(f.id, f) for f in true.fighters)
    )
    numbers = {f.id: 40 + f.id for f in true.fighters}
    seen = true.changed(
        fighters=tuple(
            f.changed(id=numbers[f.id], casts=tuple((spell, numbers[at]) for spell, at in f.casts))
            for f in true.fighters
        ),
        order=tuple(numbers[i] for i in true.order),
    )
    assert not list(repairs(aligned(seen, true), true))
    other = next(f for f in true.fighters if f.alive and f.id != caster.id)
    missed = tuple(
        f.changed(casts=((key, 40 + other.id),)) if f.id == 40 + caster.id else f for f in seen.fighters
    )
    assert [fact for fact, _ in repairs(aligned(seen.changed(fighters=missed), true), true)] == ["own casts"]

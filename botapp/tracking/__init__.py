"""`FightView`s over time become a `FightState`, each fact seen, known or assumed."""

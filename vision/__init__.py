"""From pixels to a `FightView`: knows nothing of the rules, of torch or of Qt."""

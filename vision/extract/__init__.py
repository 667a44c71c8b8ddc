"""Hop 2: reads a `FightView` off a `Frame`."""

"""The advice drawn on top of the game."""

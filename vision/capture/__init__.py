"""Hop 1: the game's window as `Frame`s."""

"""Finds the game's window and follows it."""

"""Scores the reader on pictures with known truth."""

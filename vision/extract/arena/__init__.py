"""Reads the practice arena's screens, whose exact layout is in its profile."""

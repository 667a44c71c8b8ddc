"""Reads the practice arena's screens, whose layout its profile states to the pixel."""

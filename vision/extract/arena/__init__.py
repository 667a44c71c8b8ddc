"""Reads the fights of the practice arena, whose layout the profile fixes to the pixel."""

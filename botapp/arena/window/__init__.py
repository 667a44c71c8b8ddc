"""The practice arena's own window: the only part of the arena that needs Qt."""

"""The page of the person's game: what the screen cannot tell and a person says once."""

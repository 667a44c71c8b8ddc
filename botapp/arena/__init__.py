"""The practice game: scenarios, players, matches, tournaments, and its own window."""

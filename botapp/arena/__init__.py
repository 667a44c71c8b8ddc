"""The practice game: content, scenarios, opponents, teacher, tournaments, and its own window."""

"""Keys that work while the game has the focus: they are listened to, and nothing is ever sent."""

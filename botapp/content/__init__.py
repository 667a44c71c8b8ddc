"""Classes, monsters, spells and maps: formats, loaders, JSON forms, and the player's knowledge base."""

"""How real clients' digits are learned."""

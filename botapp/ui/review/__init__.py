"""The page of kept fights: the list, a fight step by step, and what can be made of it."""

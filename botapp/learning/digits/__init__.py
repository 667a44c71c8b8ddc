"""How real clients' digits are learned. Next hop: `vision.extract.real.digits` reads with them."""

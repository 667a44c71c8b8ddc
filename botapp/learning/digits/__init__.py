"""How real clients' digits are learned. Next hop: `vision.extract.dofus.digits` reads with them."""

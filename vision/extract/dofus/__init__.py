"""Reads the real clients' screens: the client area, the lattice and the fighters from the picture itself."""

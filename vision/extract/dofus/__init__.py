"""Reads the DOFUS clients' screens; client area, lattice, fighters and HUD are detected in the picture."""

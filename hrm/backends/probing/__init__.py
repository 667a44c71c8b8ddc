"""Detects the devices of this computer, probes what works on them, and chooses one."""

"""What works on this computer: what torch reaches, what a probe proved, and which device to take."""

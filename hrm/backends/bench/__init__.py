"""Benchmarks of engines and kernels, and what they found best on this computer."""

"""Faster implementations of what a step computes: int8 on CPUs, Triton kernels on cards."""

"""Kernels that take a board apart: propagation, merging, splitting, linear elimination, bounds."""

"""Kernels that count and weigh the solutions of one part of a board."""

"""Kernels: plain Python until compiling pays, compiled from then on. Knows nothing of boards."""

"""Hot loops over flat arrays, compiled by Numba: arrays and numbers in, arrays and numbers out."""

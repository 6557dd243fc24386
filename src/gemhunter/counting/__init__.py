"""The plan and circuit of a board, and the counts, weights, samples and forced cells read off it."""

"""What Matplotlib draws: times, counters and growth of engines, and how a genetic search improves.

This is the only package that knows Matplotlib.
"""

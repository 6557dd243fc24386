"""What an engine is: interfaces, outcomes, limits and runs, the registry, events, and conflicting clues.

Start with `outcomes.py` and `engine.py`.
"""

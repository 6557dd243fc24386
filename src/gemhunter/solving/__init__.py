"""What an engine is: outcomes, limits and runs, interfaces and registry, events, conflicting clues.

Start with `outcomes.py` and `engine.py`; `registry.py` finds engines by name.
"""

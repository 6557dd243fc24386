"""Why: rules that a person uses, chains of them, sentences, hints, difficulty and pictures.

Start with `explain.py`, the question; `chain.py` finds the easiest next step by the rules of `rules.py`.
"""

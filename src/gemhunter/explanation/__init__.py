"""Explanations: rules that a person uses, chains of them, sentences, hints, difficulty and pictures.

Start with `explain.py`, which answers "why?"; `chain.py` finds the easiest next step by the rules in
`rules.py`.
"""

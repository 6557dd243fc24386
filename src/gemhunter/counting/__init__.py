"""All solutions of a board at once: its independent parts, a plan, a circuit, and answers read off it.

Start with `parts.py`, then `plan.py` and `circuit.py`; counts, weights and samples come from the circuit.
"""

"""All solutions of a board at once: the board taken apart, a plan, a circuit, and what is read off it.

Start with `parts.py`, then `plan.py` and `circuit.py`; counts, weights and samples come from the circuit.
"""

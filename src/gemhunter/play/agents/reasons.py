"""Why an agent reveals a cell, in words."""

REASONS = {
    "proven": "proven safe",
    "first click": "first move",
    "guess at a clue": "the best guess next to a clue",
    "guess elsewhere": "the best guess away from all clues",
    "fifty-fifty": "a fifty-fifty that no clue can ever decide",
    "end game": "the best by exact search to the end",
    "random": "a guess at random",
}
"""Names for tables and ledgers, and what is said about a move; in the order of the codes in kernels."""

WHY = tuple(REASONS.values())

"""What became of games that kernels played, as columns of one array."""

OUTCOME, REVEALS, GUESSES, LAST_REASON, COLUMNS = range(5)
"""How a game ended, how many cells were revealed, those that a 0 opens and a trap at the end included, how
often the player revealed one that could have been a trap, why it did so last, and the number of columns."""

WON, LOST, STUCK = range(3)
"""Outcomes."""

PROVEN, FIRST, FRONTIER, ELSEWHERE, FIFTY_FIFTY, ENDGAME, RANDOM = range(7)
"""Why a cell was chosen: it cannot be a trap; it is the first one; the best guess next to a clue, or away
from all clues; no more can ever be learned about it; the best by exact search; by chance."""

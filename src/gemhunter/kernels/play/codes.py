"""Numbers that stand for words in the kernels of games: agents, reasons, and the columns of results."""

LOGIC, LOGIC_RANDOM, FAST, EXPERT, CLUE_LOGIC = range(5)
"""Agents: the first never guesses, the second guesses at random, the third takes the least risk, the fourth
looks ahead; the last never guesses and does not know the total, and only checks boards."""

PROVEN, FIRST_MOVE, FRONTIER, ELSEWHERE, FIFTY_FIFTY, END_GAME, RANDOM = range(7)
"""Why a cell is revealed: it cannot be a trap; it is the first one; it is the best guess next to a clue, or
away from all clues; no clue can ever say more about it; it is the best by exact search; at random."""

OUTCOME, REVEALS, GUESSES, LAST_REASON, LUCK, RESULT_COLUMNS = range(6)
"""Columns of results: how a game ended (`core.game_status`), how many cells were revealed, including those
that a 0 opened and a trap at the end, how many reveals could have hit a trap, why the last of these
was made, and the luck of all of these (`luck.LUCK_UNITS`); then the number of columns."""

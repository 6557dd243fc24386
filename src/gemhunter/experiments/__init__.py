"""Many games, kept in a ledger: how often agents win, the tables of S5, and the clues of dealt boards."""

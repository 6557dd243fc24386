"""Comparisons: boards × engines × runs, many games, their tables and charts, and the report.

Start with `runs.py` for engines and `winrate.py` for agents; both keep their results in a ledger.
"""

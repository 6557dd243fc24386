"""Comparing engines: boards × engines × runs, each run in a process of its own, kept in a ledger.

Start with `runs.py`; `suites.py` says which boards and engines, `summary.py` and `tables.py` what comes out.
"""

"""Work in other processes: workers, jobs, children under limits, ledgers. Knows nothing of boards.

Start with `workers.py` for many tasks, `child.py` for one program.
"""

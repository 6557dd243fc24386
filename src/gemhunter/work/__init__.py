"""Work in other processes: pieces of work, workers, jobs, child processes, ledgers; not about boards.

Start with `pieces.py` for many tasks, `jobs.py` for a server, `child_process.py` for a program.
"""

"""`cdcl`: conflict-driven clause learning. Start with `search.py`."""

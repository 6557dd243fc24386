"""`cdcl`: conflict-driven clause learning."""

"""`pysat:NAME`: every solver that PySAT ships."""

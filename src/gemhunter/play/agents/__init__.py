"""Players that are programs, one per file."""

"""`auto`, the default engine, and what it chooses from."""

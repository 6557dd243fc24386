"""Work in other processes. Knows nothing of boards: a task is a function and its arguments."""

"""What the API answers, computed in worker processes: a function per question."""

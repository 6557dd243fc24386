"""Who answers: one algorithm per file."""

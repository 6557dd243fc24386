"""Why: sets of conflicting clues, and the sentences about them."""

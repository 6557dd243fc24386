"""Why: conflicting clues, and sentences about them."""

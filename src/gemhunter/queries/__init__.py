"""What one can ask of a board."""

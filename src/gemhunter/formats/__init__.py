"""Text and JSON in, values out, and back."""

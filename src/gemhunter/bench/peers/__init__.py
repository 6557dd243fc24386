"""Comparison with peers: other people's libraries beside our engines and questions."""

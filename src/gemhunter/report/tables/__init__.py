"""Tables of text: times, ranks, and the grades of a class."""

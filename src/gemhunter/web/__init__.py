"""The web page: a server, an API under limits, and a page of plain modules."""

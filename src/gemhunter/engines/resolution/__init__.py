"""`resolution`: a knowledge base from which cells follow."""

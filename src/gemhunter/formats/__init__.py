"""Files and text to values and back, with one door that recognises any file of a board or game."""
